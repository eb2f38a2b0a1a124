/**
 * Messages that a session of direct access receives without a request. They depend on events alone:
 *
 * | Event | Message | To |
 * |---|---|---|
 * | a fill of a maker | OrderFilled 300 | the session that placed the order |
 * | an order ended, and no response reports it | OrdersCanceled 310 | the session that placed it |
 * | a waiting order is released | OrderPlaced 312, for quotes 314 | the session that placed it |
 * | an amend over another session | AmendOrderResponse 210 | the session that placed the order |
 * | a waiting order with a cancel request matched nothing | CancelOrderResponse 220 | the session of the cancel request
 * |
 * | the freeze of a group begins or ends | 320 to 326 | the portfolio's sessions on its gateway pair |
 *
 * Fills of a taker are only in the response, or in 312 and 314. Rule: direct.messages-received.
 *
 * Known limit: no event reports that a venue was restored (`sim/restore`). Its sessions are restored with it and
 * continue from there, while the log has the messages of both branches.
 *
 * Source: sessions document 8.6, 8.8, 8.10, 8.11; S287, S289, S331.
 */
import { lots } from '../core/index.ts'
import type { Event, EventOf, EventTakers, OrderChanged, Trade } from '../model/index.ts'
import type { MessageHistory, OrderAmendedMessage, OrderFilledMessage } from '../rpc/index.ts'
import { noteCancelled } from './cancelled-orders.ts'
import { noteGroup, noteTrip } from './group-messages.ts'
import { cancelReasonIn, fillRecord, orderRecord } from './order-replies.ts'
import { namesOf, postMessage, versionOf } from './posting.ts'
import { addFill, isEntering, noteBump, noteUnmatched, tellReleased } from './released-orders.ts'
import { endWork, noteWaiting, noteWork, noteWorkTrade, requestWorkOf } from './request-work.ts'
import { noteSession } from './session-layer.ts'

/**
 * Writes the messages that events cause. `history` must already have the instruments and orders of these events. Most
 * runs have no direct access and skip this work.
 */
export function messageTakers(history: MessageHistory): EventTakers {
  const whenTold =
    <E extends Event>(write: (history: MessageHistory, event: E) => void) =>
    (event: E): void => {
      if (history.messages.sessions.size > 0) write(history, event)
    }
  return {
    session: (event) => noteSession(history, event),
    state: ({ instrument, state }) => {
      const { closed } = history.messages
      if (state === 'open') closed.delete(instrument)
      else closed.add(instrument)
    },
    trade: whenTold(noteTrade),
    // The sink reuses the objects of order events.
    order: whenTold((to, event: OrderChanged) => noteOrder(to, { ...event })),
    bump: whenTold((to, event: EventOf<'bump'>) => {
      noteBump(to, event)
      noteWaiting(to, event)
    }),
    mmp: (event) => {
      noteTrip(history, event)
      if (history.messages.sessions.size > 0) noteGroup(history, event)
    },
    request: whenTold((to, event: EventOf<'request'>) => {
      noteAmend(to, event)
      endWork(to, event)
    }),
  }
}

/** Reports a fill to the maker's session. If the taker has just been released, its message grows. */
function noteTrade(history: MessageHistory, event: Trade): void {
  const { messages } = history
  // A maker is already in its book.
  if (messages.released?.order === event.maker.order) messages.released = null
  if (event.combo !== null) return
  if (messages.released?.order === event.taker.order) addFill(history, event)
  noteWorkTrade(history, event)
  const order = history.orders.get(event.maker.order)
  if (order === undefined || order.extras === null || order.extras.direct === null) return
  const instrument = history.instruments.get(event.instrument)
  if (instrument === undefined) return
  postMessage<OrderFilledMessage>(history, { session: order.session, event }, 'OrderFilled', {
    ...namesOf(order, instrument),
    ...fillRecord(event),
    totalFilled: lots(order.amount - event.maker.remaining),
    side: order.side,
    flags: [
      ...(order.extras.quote === null ? [] : ['is_quote']),
      ...(event.maker.remaining === 0 ? ['is_fully_filled'] : []),
    ],
  })
}

function noteOrder(history: MessageHistory, event: OrderChanged): void {
  const { messages } = history
  const isHere = isEntering(history, event)
  if (event.change === 'cancelled') {
    if (event.extras?.direct != null) {
      if (isHere) noteUnmatched(history, event)
      else {
        messages.converted.delete(event.order)
        noteCancelled(history, event)
      }
    }
  } else if (isHere && (event.change === 'filled' || event.change === 'rested')) {
    tellReleased(history, event)
  }
  if (!isHere && messages.released?.order === event.order) messages.released = null
  noteWork(history, event)
}

/** Sends the response of an amend over another session also to the session that placed the order. */
function noteAmend(history: MessageHistory, done: EventOf<'request'>): void {
  const amend = requestWorkOf(history, done)?.amend ?? null
  if (amend === null) return
  const { now: order, isQueued, trades, correlationId } = amend
  const instrument = history.instruments.get(order.instrument)
  if (instrument === undefined) return
  const { session } = order
  postMessage<OrderAmendedMessage>(history, { session, event: done }, 'AmendOrderResponse', {
    // Direct access is answered immediately.
    receiveTime: done.time,
    correlationId: correlationId ?? undefined,
    ...orderRecord(order, {
      instrument,
      isQueued,
      fills: trades,
      cancelled: cancelReasonIn(history, order, versionOf({ history, session })),
    }),
  })
}
