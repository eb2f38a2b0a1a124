/**
 * The state of the platform as a channel: its maintenance, and indices whose trading is locked for want of them.
 * Source: sessions document 3.4.
 */
import type { Channel } from './channel.ts'

/** A message of `platform_state`. */
export type WirePlatformState =
  | { readonly maintenance: boolean }
  | { readonly price_index: string; readonly locked: boolean }

/** Tells maintenance and locks that begin and end from now on. */
export function platformStateChannel(): Channel {
  let told: WirePlatformState[] = []
  return {
    interval: 'raw',
    subject: {},
    scope: null,
    take: (event) => {
      if (event.kind !== 'standing') return
      const { protection, change, group } = event
      if (protection === 'maintenance') told.push({ maintenance: change === 'on' })
      // An outage locks nothing at first.
      else if (protection === 'index_outage' && group !== null && change !== 'on') {
        told.push({ price_index: group, locked: change === 'acted' })
      }
    },
    collect: () => {
      const now = told
      told = []
      return now
    },
  }
}
