/**
 * Sends each event of the exchange to the strategy whose account it concerns. An event of any other account costs one
 * look-up.
 */
import { defined, type InstrumentId } from '../../core/index.ts'
import { configOf, instrumentAt, isRecorded, partiesOfRfq, viewRfq } from '../../engine/index.ts'
import {
  borrowing,
  type Event,
  type EventOf,
  type EventSink,
  type EventTakers,
  type Fill,
  fanOut,
  sinkOf,
  type Trade,
  whileAsked,
} from '../../model/index.ts'
import {
  allocatedTrade,
  changedQuoteOut,
  noteHandedOn,
  requestBehind,
  rfqOut,
  traitsOf,
  type UserTrade,
} from '../../rpc/index.ts'
import { noteDue } from './agenda.ts'
import { type News, noteLevel, takeSettled } from './news.ts'
import { publishLevels, publishNews, type RecordedDelivery } from './recorded-delivery.ts'
import { countRefusal } from './refusals.ts'
import type { Response, Seat } from './seat.ts'
import { type Seats, takeAccount } from './seats.ts'
import { appendTimed, itemAt } from './timed-queue.ts'

/** Sends events to the strategies that they concern, then passes every event on. */
export function seatedSink(seats: Seats, sink: EventSink): EventSink {
  if (seats.list.length === 0) return sink
  // Level events that only strategies requested are not events of the run.
  const asked = whileAsked(sink, () => isBookAsked(seats), ['level'])
  return fanOut([borrowing(sinkOf(seatTakers(seats)), ['order']), asked])
}

function isBookAsked({ desk }: Seats): boolean {
  return desk !== undefined && configOf(desk.exchange).bookEvents
}

/** Sends a response to a strategy, which receives it after the response latency. */
export function respond(seat: Seat, time: number, response: Response): void {
  respondAt(seat, time + seat.latency.response, response)
}

/** Sends a response to a strategy, which receives it at `due`. */
export function respondAt(seat: Seat, due: number, response: Response): void {
  appendTimed(seat.inbox, due, response)
  noteDue(seat.agenda, seat.place, due)
}

function seatTakers(seats: Seats): EventTakers {
  const whenDelivered =
    <E extends Event>(publish: (delivery: RecordedDelivery, event: E) => void) =>
    (event: E): void => {
      if (seats.delivery !== undefined) publish(seats.delivery, event)
    }
  return {
    order: (event) => {
      const seat = seats.byAccount[event.account]
      if (seat !== undefined) respond(seat, event.time, { ...event })
    },
    given_position: (event) => {
      const seat = seats.byAccount[event.account]
      if (seat !== undefined) respond(seat, event.time, event)
    },
    block_trade: (event) => {
      for (const account of [event.account, event.counterparty]) {
        const seat = account === -1 ? undefined : seats.byAccount[account]
        if (seat !== undefined) respond(seat, event.time, event)
      }
    },
    payment: (event) => {
      const own = seats.byAccount[event.account]
      if (own !== undefined) respond(own, event.time, event)
      if (event.type !== 'transfer' || event.state !== 'confirmed' || event.counterparty === -1) return
      const receiver = seats.byAccount[event.counterparty]
      if (receiver !== undefined) respond(receiver, event.time, event)
    },
    block_rfq: (event) => noticeRfq(seats, event),
    block_rfq_quote: (event) => noticeRfqQuote(seats, event),
    trade: (event) => {
      noticeFill(seats, event, event.maker)
      noticeFill(seats, event, event.taker)
      if (seats.delivery !== undefined) publishTrade(seats.delivery, event)
    },
    position_transfer: (event) => noticeTransfer(seats, event),
    level: whenDelivered(publishLevel),
    index: whenDelivered((delivery, event) => {
      if (delivery.wanted.index) publishOpen(delivery, { kind: 'event', event }, event.time)
    }),
    mark: whenDelivered((delivery, event) => {
      if (delivery.wanted.mark) publishOpen(delivery, { kind: 'event', event }, event.time)
    }),
    funding_rate: whenDelivered((delivery, event) => {
      if (delivery.wanted.funding) publishOpen(delivery, { kind: 'event', event }, event.time)
    }),
    settlement: whenDelivered(({ open }, event) => {
      if (seats.byAccount[event.account] !== undefined) open.own.push(event)
    }),
    instrument_settlement: whenDelivered((delivery, event) =>
      publishOpen(delivery, takeSettled(delivery.open, event), event.time),
    ),
    refusal: (event) => noticeRefusal(seats, event),
    account: (event) => {
      const seat = seats.byAccountName.get(event.name)
      if (seat !== undefined) takeAccount(seats, seat, event.account)
    },
  }
}

/** Notifies the taker of a Block RFQ of each change, and its possible makers of changes of its state. */
function noticeRfq(seats: Seats, event: EventOf<'block_rfq'>): void {
  const { exchange } = defined(seats.desk, 'RFQs come after the seats have a desk')
  const { change, time } = event
  const { taker, makers } = partiesOfRfq(exchange, event.rfq)
  const isState = change === 'created' || change === 'filled' || change === 'cancelled' || change === 'expired'
  for (const account of isState ? [taker, ...makers] : [taker]) {
    const seat = seats.byAccount[account]
    if (seat?.strategy.onBlockRfq === undefined) continue
    const view = viewRfq(exchange, event.rfq, account)
    if (view === undefined) continue
    respond(seat, time, { kind: 'own_rfq', rfq: { ...rfqOut(exchange, view), change, time } })
  }
}

function noticeRfqQuote(seats: Seats, event: EventOf<'block_rfq_quote'>): void {
  const seat = seats.byAccount[event.account]
  if (seat?.strategy.onBlockQuote === undefined) return
  const { exchange } = defined(seats.desk, 'quotes come after the seats have a desk')
  const { change, time } = event
  const quote = { ...changedQuoteOut(exchange, event), change, time }
  respond(seat, time, { kind: 'own_rfq_quote', quote })
}

function noticeRefusal(seats: Seats, event: EventOf<'refusal'>): void {
  const seat = event.account === -1 ? undefined : seats.byAccount[event.account]
  if (seat === undefined || seats.desk === undefined) return
  const request = requestBehind(seats.desk, event.cause)
  if (request === undefined) return
  countRefusal(seat.refusals, seats.desk, {
    refusal: event.refusal,
    time: event.time,
    method: request.method,
    params: request.params,
  })
}

/** Publishes a level of a closed book. Recorded books have separate messages. */
function publishLevel(delivery: RecordedDelivery, event: EventOf<'level'>): void {
  if (isRecorded(delivery.exchange, event.instrument)) return
  if (delivery.open.time >= 0 && delivery.open.time < event.time) publishLevels(delivery)
  noteLevel(delivery.open, event, instrumentAt(delivery.exchange, event.instrument).tick9)
}

function publishTrade(delivery: RecordedDelivery, event: Trade): void {
  const { instrument, price, amount, side, time, block } = event
  if (block !== null) return
  if (!delivery.wanted.trades || isRecorded(delivery.exchange, instrument)) return
  publishOpen(delivery, { kind: 'closed_trade', instrument, price, amount, side }, time)
}

/** Levels with the same time follow all other news of the step; levels with an earlier time come first. */
function publishOpen(delivery: RecordedDelivery, news: News, time: number): void {
  if (delivery.open.time >= 0 && delivery.open.time < time) publishLevels(delivery)
  publishNews(delivery, news, time)
}

/**
 * Notifies strategies of a position transfer. If the transfer books a part of a Block RFQ on another account, that
 * account gets its fill, and the fill of the taker, which is still in transit, records the part.
 */
function noticeTransfer(seats: Seats, event: EventOf<'position_transfer'>): void {
  const { instrument, time, from, to } = event
  const [giver, taker] = [seats.byAccount[from.account], seats.byAccount[to.account]]
  if (giver !== undefined) {
    const { history } = defined(seats.desk, 'positions move after the seats have a desk')
    const fill = allocatedTrade(history.userTrades, event)
    if (fill !== undefined) respond(giver, time, { kind: 'own_fill', fill })
    else respond(giver, time, { kind: 'own_position', instrument, position: from.position })
  }
  if (taker === undefined) return
  const whole = event.reason === 'allocation' ? fillOnItsWay(taker, instrument) : undefined
  if (whole !== undefined) noteHandedOn(whole, event)
  respond(taker, time, { kind: 'own_position', instrument, position: to.position })
}

/** The newest fill of a Block RFQ in an instrument that has not been delivered yet. */
function fillOnItsWay({ inbox }: Seat, instrument: InstrumentId): UserTrade | undefined {
  for (let at = inbox.end - 1; at >= inbox.first; at -= 1) {
    const response = itemAt(inbox, at)
    if (response.kind !== 'own_fill') continue
    const { trade } = response.fill
    if (trade.instrument === instrument && trade.rfq !== null) return response.fill
  }
  return undefined
}

function noticeFill(seats: Seats, trade: Trade, fill: Fill): void {
  const seat = seats.byAccount[fill.account]
  if (seat === undefined) return
  const { history } = defined(seats.desk, 'trades happen after the seats have a desk')
  const order = defined(history.orders.get(fill.order), 'the order of a fill is live')
  const own = { trade, fill, order: traitsOf(order) }
  respond(seat, trade.time, { kind: 'own_fill', fill: own })
}
