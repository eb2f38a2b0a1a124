/**
 * Delivers messages that have arrived at a strategy: replies, order changes and fills in the order in which the
 * exchange made them, and timers. Before each callback it updates the strategy's view of its orders and positions.
 */

import { defined, type InputError, type InstrumentId, type Lots, micros, peekTime, popDue } from '../../core/index.ts'
import { type Exchange, instrumentAt, openPositions } from '../../engine/index.ts'
import type { FaultMessage } from '../../faults/index.ts'
import type { EventOf, Instrument, OrderChanged } from '../../model/index.ts'
import {
  amountOut,
  balanceOut,
  blockIdOut,
  orderOut,
  placesOf,
  priceOut,
  secondariesNow,
  timeOut,
  type UserTrade,
  userTradeOut,
} from '../../rpc/index.ts'
import { applyFaults, isFaulty } from './message-faults.ts'
import { deliverLateMarket, type Member, type RecordedDelivery } from './recorded-delivery.ts'
import { callBack, type Response, type Seat, type SeatedVenue, type SentRequest } from './seat.ts'
import type {
  StrategyBlock,
  StrategyBlockQuote,
  StrategyBlockRfq,
  StrategyFill,
  StrategyPayment,
  StrategyReply,
  StrategyVenue,
} from './strategy.ts'
import { firstTime, takeFirst } from './timed-queue.ts'

/** Delivers messages that faults have delayed, at their time. */

/** Delivers the delayed message that is due first. */
export function deliverLate(at: Member, delivery: RecordedDelivery): InputError | null {
  const time = micros(peekTime(at.seat.late))
  const { id, payload } = defined(popDue(at.seat.late, time), 'a late delivery waits until its time')
  at.seat.now = time
  at.seat.overtaken = at.seat.overtaken.filter((waiting) => waiting !== id)
  return payload.kind === 'response'
    ? deliverNow(at, payload.response, delivery.exchange)
    : deliverLateMarket(at, payload, delivery)
}

/** Delivers the first message of the inbox at its time, unless a fault rule applies to it. */
export function deliverResponse(at: SeatedVenue, exchange: Exchange): InputError | null {
  at.seat.now = micros(firstTime(at.seat.inbox))
  const response = takeFirst(at.seat.inbox)
  const passes = !isFaulty(at.seat) || responsePasses(at.seat, response, exchange)
  return passes ? deliverNow(at, response, exchange) : null
}

/** True if a response is delivered unchanged. After the loss of a reply its function no longer counts as waiting. */
function responsePasses(seat: Seat, response: Response, exchange: Exchange): boolean {
  const message = messageOf(response, exchange)
  if (message === null) return true
  const outcome = applyFaults(seat, message, (isCopy) => ({
    kind: 'response',
    response: isCopy ? copyOf(response) : response,
  }))
  if (outcome === 'lost' && response.kind === 'own_reply') forget(seat, response.request)
  return outcome === 'passes'
}

/** The copy of a repeated response. No function waits for the second copy of a reply. */
function copyOf(response: Response): Response {
  if (response.kind !== 'own_reply') return response
  return { ...response, request: { ...response.request, onReply: null } }
}

/** Records that no function waits for the reply to a request any longer. */
export function forget(seat: Seat, sent: SentRequest): void {
  if (sent.onReply !== null) seat.functionsWaiting -= 1
}

/** The message of a response as a client would get it: a reply or a notification of a channel; null without one. */
function messageOf(response: Response, exchange: Exchange): Pick<FaultMessage, 'of' | 'name'> | null {
  const of = 'notifications'
  switch (response.kind) {
    case 'order':
    case 'own_position':
      return { of, name: `user.orders.${specOf(exchange, response.instrument).name}.raw` }
    case 'start':
    case 'given_position':
      return null
    case 'own_reply':
      return { of: 'replies', name: response.request.method }
    case 'own_fill': {
      const { name } = specOf(exchange, response.fill.trade.instrument)
      return { of, name: `user.trades.${name}.raw` }
    }
    case 'block_trade':
      return { of, name: 'block_trade_confirmations' }
    case 'payment':
      return { of, name: `user.portfolio.${response.currency.toLowerCase()}` }
    case 'own_rfq':
      return { of, name: `block_rfq.${response.rfq.role}.any` }
    case 'own_rfq_quote':
      return { of, name: 'block_rfq.maker.quotes.any' }
  }
}

/** Delivers a response that no fault delays, or whose delay is over. */
function deliverNow(at: SeatedVenue, response: Response, exchange: Exchange): InputError | null {
  switch (response.kind) {
    case 'order':
      return deliverOrder(at, response, exchange)
    case 'start':
      return deliverStart(at, exchange)
    case 'own_fill':
      return deliverFill(at, response.fill, exchange)
    case 'own_reply':
      return deliverReply(at, response)
    case 'block_trade':
      return deliverBlock(at, response, exchange)
    case 'payment':
      return deliverPayment(at, response)
    case 'own_rfq':
      return deliverRfq(at, response.rfq)
    case 'own_rfq_quote':
      return deliverRfqQuote(at, response.quote)
    case 'given_position':
    case 'own_position':
      setPosition(at.seat, response.instrument, response.position)
      return null
  }
}

/** Delivers the timer that is due first. */
export function deliverTimer({ seat, venue }: SeatedVenue): InputError | null {
  const time = micros(peekTime(seat.timers))
  const timer = defined(popDue(seat.timers, time), 'a timer that is asked for is due')
  seat.now = time
  seat.timerIds.delete(timer.payload)
  const { onTimer } = seat.strategy
  if (onTimer === undefined) return null
  return callBack({ seat, venue, name: 'onTimer' }, onTimer, timer.payload)
}

/** Starts the strategy with the positions that the set-up gave its account. */
function deliverStart({ seat, venue }: SeatedVenue, exchange: Exchange): InputError | null {
  if (seat.account === -1) {
    const found = `no account ${seat.accountName}`
    return {
      code: 'STRATEGY',
      file: seat.name,
      expected: 'an open account at the start',
      found,
    }
  }
  for (const { instrument, size } of openPositions(exchange, seat.account)) {
    seat.positions.set(instrument.id, size)
  }
  const { onStart } = seat.strategy
  if (onStart === undefined) return null
  const start = (_: null, own: StrategyVenue): unknown => onStart.call(seat.strategy, own)
  return callBack({ seat, venue, name: 'onStart' }, start, null)
}

function deliverOrder({ seat, venue }: SeatedVenue, order: OrderChanged, exchange: Exchange): InputError | null {
  const isLive = order.state === 'open' || order.state === 'untriggered'
  if (isLive) seat.orders.set(order.order, order)
  else seat.orders.delete(order.order)
  const { onOrder } = seat.strategy
  if (onOrder === undefined) return null
  const wire = orderOut(order, specOf(exchange, order.instrument), secondariesNow(exchange, order))
  return callBack({ seat, venue, name: 'onOrder' }, onOrder, wire)
}

function deliverFill({ seat, venue }: SeatedVenue, own: UserTrade, exchange: Exchange): InputError | null {
  setPosition(seat, own.trade.instrument, own.fill.position)
  const { onFill } = seat.strategy
  if (onFill === undefined) return null
  const wire = fillOut(own, exchange)
  return callBack({ seat, venue, name: 'onFill' }, onFill, wire)
}

function deliverBlock(
  { seat, venue }: SeatedVenue,
  event: EventOf<'block_trade'>,
  exchange: Exchange,
): InputError | null {
  const { onBlockTrade } = seat.strategy
  if (onBlockTrade === undefined) return null
  const block: StrategyBlock = {
    change: event.change,
    reason: event.reason,
    time: event.time,
    role: event.account === seat.account ? event.role : event.role === 'maker' ? 'taker' : 'maker',
    timestamp: timeOut(event.timestamp),
    nonce: event.nonce,
    id: event.block === 0 ? null : blockIdOut(event.block),
    trades: event.legs.map((leg) => {
      const instrument = specOf(exchange, leg.instrument)
      return {
        instrument: instrument.name,
        direction: leg.side,
        price: priceOut(leg.price),
        amount: amountOut(instrument, leg.amount),
      }
    }),
  }
  return callBack({ seat, venue, name: 'onBlockTrade' }, onBlockTrade, block)
}

function deliverPayment({ seat, venue }: SeatedVenue, event: EventOf<'payment'>): InputError | null {
  const { onPayment } = seat.strategy
  if (onPayment === undefined) return null
  const { type, state, reason, time, currency } = event
  const isOwn = event.account === seat.account
  const payment: StrategyPayment = {
    type,
    id: event.payment,
    state,
    reason,
    time,
    currency,
    amount: balanceOut(currency, event.amount),
    fee: balanceOut(currency, event.fee),
    change: balanceOut(currency, isOwn ? event.change : event.amount),
  }
  return callBack({ seat, venue, name: 'onPayment' }, onPayment, payment)
}

function deliverRfq({ seat, venue }: SeatedVenue, rfq: StrategyBlockRfq): InputError | null {
  const { onBlockRfq } = seat.strategy
  return onBlockRfq === undefined ? null : callBack({ seat, venue, name: 'onBlockRfq' }, onBlockRfq, rfq)
}

function deliverRfqQuote({ seat, venue }: SeatedVenue, quote: StrategyBlockQuote): InputError | null {
  const { onBlockQuote } = seat.strategy
  return onBlockQuote === undefined ? null : callBack({ seat, venue, name: 'onBlockQuote' }, onBlockQuote, quote)
}

/** A reply to a strategy's own request. */
type OwnReply = Extract<Response, { readonly kind: 'own_reply' }>

function deliverReply({ seat, venue }: SeatedVenue, { request, reply }: OwnReply): InputError | null {
  if (request.onReply !== null) {
    forget(seat, request)
    return callBack({ seat, venue, name: 'the function of a reply' }, request.onReply, reply)
  }
  const { onReply } = seat.strategy
  if (onReply === undefined) return null
  const reported: StrategyReply = reply.ok
    ? { request: request.number, method: request.method, ok: true, result: reply.result }
    : { request: request.number, method: request.method, ok: false, error: reply.error }
  return callBack({ seat, venue, name: 'onReply' }, onReply, reported)
}

function setPosition(seat: Seat, instrument: InstrumentId, position: Lots): void {
  seat.positions.set(instrument, position)
}

/** A fill in the venue's format, with the reason for the fill. */
function fillOut({ trade, fill, order, allocations }: UserTrade, exchange: Exchange): StrategyFill {
  const instrument = specOf(exchange, trade.instrument)
  return {
    ...userTradeOut(trade, fill, order, placesOf(exchange, null), allocations),
    rule: fill.rule,
    ahead_before: amountOut(instrument, fill.aheadBefore),
    ahead_after: amountOut(instrument, fill.aheadAfter),
    feed: fill.source?.feed ?? null,
    feed_row: fill.source?.row ?? null,
  }
}

function specOf(exchange: Exchange, instrument: InstrumentId): Instrument {
  return instrumentAt(exchange, instrument)
}
