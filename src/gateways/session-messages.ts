/**
 * Messages that a session of direct access receives without a request. They depend on events alone:
 *
 * | Event | Message | To |
 * |---|---|---|
 * | a fill of a maker | OrderFilled 300 | the session that placed the order |
 * | an order ended, and no response reports it | OrdersCanceled 310 | the session that placed it |
 * | a waiting order is released | OrderPlaced 312, for quotes 314 | the session that placed it |
 * | an amend over another session | AmendOrderResponse 210 | the session that placed the order |
 * | a waiting order with a cancel request matched nothing | CancelOrderResponse 220 | the session of the cancel |
 * | the freeze of a group begins or ends | 320 to 326 | the portfolio's sessions on its gateway pair |
 *
 * Fills of a taker are only in the response, or in 312 and 314. Rule: direct.messages-received.
 *
 * Known limit: no event reports that a venue was restored (`sim/restore`). Its sessions are restored with it and
 * continue from there, while the log has the messages of both branches.
 *
 * Source: sessions document 8.6, 8.8, 8.10, 8.11; S287, S289, S331.
 */

import { lots, z } from '../core/index.ts'
import {
  type Event,
  type EventOf,
  type EventTakers,
  gatewayPairOf,
  leastFreezeMicros,
  mmpTriggers,
  type OrderChanged,
  type Trade,
} from '../model/index.ts'
import {
  defineMethod,
  type LayerMessage,
  type MessageHistory,
  type MmpMessage,
  type OrderAmendedMessage,
  type OrderFilledMessage,
  paramFault,
  queryOf,
  rowsOf,
  type SessionMessage,
} from '../rpc/index.ts'
import { noteSession } from './logon.ts'
import type { MessageRecord } from './message-json.ts'
import { cancelReasonIn, fillRecord, orderRecord } from './order-replies.ts'
import { messagesAfter, namesOf, postMessage, versionOf } from './posting.ts'
import { addFill, isEntering, noteBump, noteCancelled, noteUnmatched, reportReleased } from './released-orders.ts'
import { endWork, noteWaiting, noteWork, noteWorkTrade, requestWorkOf } from './request-work.ts'

/**
 * Writes the messages that events cause. `history` must already have the instruments and orders of these events. Most
 * runs have no direct access and skip this work.
 */
export function messageTakers(history: MessageHistory): EventTakers {
  const whenReported =
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
    trade: whenReported(noteTrade),
    // The sink reuses the objects of order events.
    order: whenReported((to, event: OrderChanged) => noteOrder(to, { ...event })),
    bump: whenReported((to, event: EventOf<'bump'>) => {
      noteBump(to, event)
      noteWaiting(to, event)
    }),
    mmp: (event) => {
      noteTrip(history, event)
      if (history.messages.sessions.size > 0) noteGroup(history, event)
    },
    request: whenReported((to, event: EventOf<'request'>) => {
      noteAmend(to, event)
      endWork(to, event)
    }),
  }
}

/** Reports a fill to the maker's session. If the taker has just been released, its message grows. */
function noteTrade(history: MessageHistory, event: Trade): void {
  // A maker is already in its book.
  if (history.messages.released?.order === event.maker.order) history.messages.released = null
  if (event.combo !== null) return
  if (history.messages.released?.order === event.taker.order) addFill(history, event)
  noteWorkTrade(history, event)
  const order = history.orders.get(event.maker.order)
  if (order === undefined || order.extras === null || order.extras.direct === null) return
  const instrument = history.instruments.get(event.instrument)
  if (instrument === undefined) return
  postMessage<OrderFilledMessage>(history, order.session, event, 'OrderFilled', {
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
  const isHere = isEntering(history, event)
  if (event.change === 'cancelled') {
    if (event.extras?.direct != null) {
      if (isHere) noteUnmatched(history, event)
      else {
        history.messages.converted.delete(event.order)
        noteCancelled(history, event)
      }
    }
  } else if (isHere && (event.change === 'filled' || event.change === 'rested')) {
    reportReleased(history, event)
  }
  if (!isHere && history.messages.released?.order === event.order) history.messages.released = null
  noteWork(history, event)
}

/** Sends the response of an amend over another session also to the session that placed the order. */
function noteAmend(history: MessageHistory, done: EventOf<'request'>): void {
  const amend = requestWorkOf(history, done.cause)?.amend ?? null
  if (amend === null) return
  const instrument = history.instruments.get(amend.now.instrument)
  if (instrument === undefined) return
  postMessage<OrderAmendedMessage>(history, amend.now.session, done, 'AmendOrderResponse', {
    // Direct access is answered immediately.
    receiveTime: done.time,
    correlationId: amend.correlationId ?? undefined,
    ...orderRecord(
      amend.now,
      instrument,
      amend.isQueued,
      amend.trades,
      cancelReasonIn(history, amend.now, versionOf(history, amend.now.session)),
    ),
  })
}

/**
 * Messages about groups of market-maker protection: a group triggered, or its freeze ended (320-326).
 *
 * Source: sessions document 8.6, 8.9; R11.
 */

/** Notes the time when a group triggers, which decides when a reset ends the freeze for direct access. */
function noteTrip(history: MessageHistory, { change, group, time }: EventOf<'mmp'>): void {
  if (change === 'triggered') history.messages.trips.set(group, time)
}

/**
 * Notifies all sessions of the portfolio that can trade the books of the group. A reset by JSON-RPC within the first
 * second does not end the freeze for them yet (R11).
 */
function noteGroup(history: MessageHistory, event: EventOf<'mmp'>): void {
  const { change, index, group, time } = event
  const isTrigger = change === 'triggered'
  if (!isTrigger && change !== 'unfrozen' && change !== 'reset') return
  // Groups of Block RFQs do not concern direct access.
  if (event.blockRfq) return
  const trippedAt = history.messages.trips.get(group)
  const isHeld = trippedAt !== undefined && time < trippedAt + leastFreezeMicros
  if (change === 'reset' && isHeld) return
  const gatewayPair = [...history.instruments.values()].find(({ priceIndex }) => priceIndex === index)?.gateway
  const isOrders = event.name === null
  const sort = isOrders ? 'Orders' : 'MassQuote'
  const name: MmpMessage['message'] = `${sort}${isTrigger ? 'MmpTriggered' : 'MmpUnfrozen'}`
  const record = {
    ...(isOrders ? { currencyPairId: index } : { mmpGroupId: group }),
    ...(isTrigger ? levelsOf(event) : { correlationId: event.correlationId ?? undefined }),
  }
  for (const [session, { account, gateway, isLast }] of history.messages.sessions) {
    const reaches = gateway !== null && gatewayPairOf(gateway) === gatewayPair
    if (isLast && account === event.account && reaches) {
      postMessage<MmpMessage>(history, session, event, name, record)
    }
  }
}

function levelsOf(
  event: EventOf<'mmp'>,
): Pick<MessageRecord<'OrdersMmpTriggered'>, 'frozenUntil' | 'quantityLevel' | 'vegaLevel' | 'deltaLevel' | 'trigger'> {
  return {
    frozenUntil: event.frozenUntil,
    quantityLevel: event.quantity9,
    vegaLevel: event.vega9,
    deltaLevel: event.delta9,
    trigger: event.trigger === null ? null : { code: mmpTriggers.indexOf(event.trigger), name: event.trigger },
  }
}

/**
 * sim/get_session_messages: the messages that a session of direct access received without a request, in order.
 *
 * Source: sessions document 8.6; coverage R62, R64.
 */

/** Returns the stored messages of an open or closed session. */
const getSessionMessages = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'query',
  params: z.object({
    session: z.int().min(1).describe('number of the session'),
    since: z.int().min(0).default(0).describe('only messages with a larger sequence number'),
    layer: z
      .enum(['application', 'session'])
      .default('application')
      .describe('messages about orders, or messages about the session itself'),
  }),
  read: ({ history }, { session }) => {
    const isKnown = history.messages.sessions.has(session)
    return queryOf(isKnown ? null : paramFault('session', 'not_direct_access'))
  },
  reply: ({ history }, { session, since, layer }): readonly SessionMessage[] | readonly LayerMessage[] =>
    layer === 'session'
      ? rowsOf(history.messages.layer, session).filter(({ sequence }) => sequence > since)
      : messagesAfter(history, session, since),
})

/** Methods by their names; a part of the table. */
export const messageMethods = {
  'sim/get_session_messages': getSessionMessages,
} as const
