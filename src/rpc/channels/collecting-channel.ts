/**
 * Channels of messages that events give one by one.
 */
import type { AccessScope, Event } from '../../model/index.ts'
import type { Channel } from './channel.ts'

/** A channel that tells what events give, each as things stand at that event. */
export function collecting<Message>(
  needed: AccessScope | null,
  tell: (event: Event) => Message | undefined,
): Channel {
  let told: Message[] = []
  return {
    interval: 'raw',
    subject: {},
    scope: needed,
    take: (event) => {
      const message = tell(event)
      if (message !== undefined) told.push(message)
    },
    collect: () => {
      const messages = told
      told = []
      return messages
    },
  }
}
