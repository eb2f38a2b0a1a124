/**
 * Messages about orders that were cancelled without their own request: OrdersCanceled (310), one for all orders that
 * were cancelled at one time, with at most a hundred orders in each.
 *
 * Source: sessions document 8.6, 8.7; S287, S331.
 */
import { type OrderChanged, schemaSince } from '../model/index.ts'
import type { MessageHistory, OrdersCanceledMessage } from '../rpc/index.ts'
import { messageJson } from './message-json.ts'
import { cancelReasonIn } from './order-replies.ts'
import { namesOf, postMessage, versionOf } from './posting.ts'
import { answerTelling } from './request-work.ts'

/** Largest number of orders in a message. */
const PART = 100

/** Handles the cancel of an order in the book: notifies the order's session, unless an answer reports the cancel. */
export function noteCancelled(history: MessageHistory, event: OrderChanged): void {
  const { session } = event
  const told = answerTelling(history, event)
  if (told === 'own') return
  if (told === 'foreign' && versionOf({ history, session }) < schemaSince.foreignCancels) return
  tellCancelled(history, event)
}

/**
 * Adds a cancelled order to the messages of its session. Orders of one time share messages of at most a hundred orders.
 */
export function tellCancelled(history: MessageHistory, event: OrderChanged): void {
  const { messages, instruments } = history
  const instrument = instruments.get(event.instrument)
  if (instrument === undefined) return
  const { session } = event
  const gone = {
    ...namesOf(event, instrument),
    totalFilled: event.filled,
    cancelReason: cancelReasonIn(history, event, versionOf({ history, session })),
    flags: event.extras?.quote == null ? [] : ['is_quote'],
  }
  const record = { flags: ['is_last_message'], orders: [gone] }
  const batch = `${event.cause} ${event.time}`
  const list = messages.received.rows.get(session) ?? []
  const last = list.at(-1)
  if (last?.message === 'OrdersCanceled' && messages.batches.get(session) === batch) {
    if (last.orders.length < PART) {
      const version = versionOf({ history, session })
      const { orders } = messageJson<OrdersCanceledMessage>('OrdersCanceled', record, version)
      list[list.length - 1] = { ...last, orders: [...last.orders, ...orders] }
      return
    }
    list[list.length - 1] = { ...last, flags: [] }
  }
  postMessage<OrdersCanceledMessage>(history, { session, event }, 'OrdersCanceled', record)
  messages.batches.set(session, batch)
}
