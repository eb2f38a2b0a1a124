/**
 * Channels whose messages come from single events.
 */
import { type Channel, type Tellers, takersOf } from './channel.ts'

/**
 * A channel that makes at most one message from each event of some families, with the state at the time of the event.
 */
export function collecting<Message>(tellers: Tellers<Message | undefined>): Omit<Channel<Message>, 'first'> {
  let told: Message[] = []
  return {
    interval: 'raw',
    subject: {},
    takes: takersOf(tellers, (message) => {
      if (message !== undefined) told.push(message)
    }),
    collect: () => {
      const messages = told
      told = []
      return messages
    },
  }
}
