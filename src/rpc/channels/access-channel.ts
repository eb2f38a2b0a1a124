/**
 * The access log of an account as a channel. Source: sessions document 3.1, 3.4.
 */
import type { AccountId } from '../../core/index.ts'
import { rowsOf } from '../history/index.ts'
import { accessOut, type WireAccess } from '../methods/index.ts'
import type { Channel, ChannelWorld } from './channel.ts'

/** Sends each new entry of the access log in its own message. */
export function accessChannel({ history }: ChannelWorld, account: AccountId): Channel<WireAccess> {
  const lastId = (): number => rowsOf(history.accessLog, account).at(-1)?.id ?? 0
  let told = lastId()
  return {
    interval: 'raw',
    subject: {},
    collect: () => {
      const before = told
      told = lastId()
      if (told === before) return []
      // After a restore, the log can have fewer entries than were sent.
      return rowsOf(history.accessLog, account)
        .filter(({ id }) => id > before)
        .map(accessOut)
    },
  }
}
