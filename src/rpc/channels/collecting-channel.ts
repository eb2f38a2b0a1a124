/**
 * Channels of messages that events give one by one.
 */
import { type Channel, type Tellers, takersOf } from './channel.ts'

/** A channel that tells what events of some families give, each as things stand at that event. */
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
