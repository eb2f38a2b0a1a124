/**
 * The state of the platform as a channel: maintenance, and price indices whose outage has locked trading. Source:
 * sessions document 3.4.
 */
import { staleIndices } from '../../engine/index.ts'
import type { Channel, ChannelWorld } from './channel.ts'
import { collecting } from './collecting-channel.ts'

/** A message of `platform_state`. */
export type WirePlatformState =
  | { readonly maintenance: boolean }
  | { readonly price_index: string; readonly locked: boolean }

/** Sends the begin and end of maintenance, and of the locks of indices. */
export function platformStateChannel({ exchange }: Pick<ChannelWorld, 'exchange'>): Channel<WirePlatformState> {
  // An outage locks nothing at first. The end of an outage that never locked trading is not sent.
  const locked = new Set(staleIndices(exchange))
  let told: WirePlatformState[] = []
  return {
    interval: 'raw',
    subject: {},
    takes: {
      standing: ({ protection, change, group }) => {
        if (protection === 'maintenance') told.push({ maintenance: change === 'on' })
        if (protection !== 'index_outage' || group === null) return
        if (change === 'acted') {
          locked.add(group)
          told.push({ price_index: group, locked: true })
        } else if (change === 'off' && locked.delete(group)) {
          told.push({ price_index: group, locked: false })
        }
      },
    },
    collect: () => {
      const now = told
      told = []
      return now
    },
  }
}

/** A message of `platform_state.public_methods_state`. */
export interface WirePublicMethods {
  readonly allow_unauthenticated_public_requests: boolean
}

/** Sends whether public methods accept requests without a token, when that changes. */
export function publicMethodsChannel(): Channel<WirePublicMethods> {
  return collecting<WirePublicMethods>({
    standing: ({ protection, change }) =>
      protection === 'public_methods' ? { allow_unauthenticated_public_requests: change === 'on' } : undefined,
  })
}
