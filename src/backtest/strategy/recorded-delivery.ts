/**
 * Recorded messages and news in transit to strategies.
 *
 * One queue holds the messages that the exchange has applied and the news that it produced. Each group of strategies
 * with one feed latency reads the queue at its own pace and has its own views. Messages that every group has read are
 * dropped.
 *
 * If faults may affect messages, each strategy has separate books. A lost or late message of a book leaves a gap: the
 * book stays unchanged until its next message, which makes it complete again. A client that checks `prev_change_id` and
 * requests the book again would see the same.
 */
import { divFloor, type InputError, type InstrumentId, lots, type Mutable, micros, ticks } from '../../core/index.ts'
import { allInstruments, type Exchange, instrumentAt, isRecorded, timeOf, viewDepth } from '../../engine/index.ts'
import { type Instrument, type MarketMessage, price9OfTicks, rowSide, sides } from '../../model/index.ts'
import { amountOut, priceOut } from '../../rpc/index.ts'
import { RecordedView } from './book-view.ts'
import { deliverNews } from './deliver-news.ts'
import { applyMarketFaults, type FaultOutcome, isFaulty } from './message-faults.ts'
import { createOpenNews, type News, type OpenNews, takeLevels, type Wanted } from './news.ts'
import { callBack, type Late, type Seat, type SeatedVenue } from './seat.ts'
import type { TradePrint } from './strategy.ts'
import {
  appendTimed,
  createTimedQueue,
  dropUntil,
  itemAt,
  TIMED_QUEUE_MAX,
  type TimedQueue,
  timeAt,
  timedCount,
} from './timed-queue.ts'

/** Books by instrument id. */
export type Views = (RecordedView | undefined)[]

/** A strategy runner in its group. */
export interface Member extends SeatedVenue {
  readonly group: FeedGroup
  /** Its books: the books of its group, or separate ones if faults may affect messages. */
  readonly views: Views
  /** Instruments whose separate book lacks a message. */
  readonly gaps: Set<InstrumentId>
}

/** Strategies with the same feed latency. */
interface FeedGroup {
  readonly latency: number
  /** A strategy of the group, to which mistakes of the whole group are attributed. */
  readonly first: Seat
  /** Strategies of the group that receive messages of the feed, or whose messages faults may affect, in file order. */
  readonly listeners: Member[]
  readonly views: Views
  readonly print: Mutable<TradePrint>
  /** Position of its next message in the queue. */
  next: number
  /** Index of the listener that gets that message next. The views include the message once this index is not 0. */
  turn: number
  /** Time at which that message is due; Infinity without a message. */
  due: number
}

/** The messages in transit and the groups that read them. */
export interface RecordedDelivery {
  readonly exchange: Exchange
  readonly messages: TimedQueue<MarketMessage | News>
  readonly groups: FeedGroup[]
  readonly wanted: Wanted
  readonly open: OpenNews
  /** The fault of too many messages in transit, found while the exchange was working. */
  fault: InputError | null
}

/** A delivery without groups. */
export function createRecordedDelivery(exchange: Exchange): RecordedDelivery {
  return {
    exchange,
    messages: createTimedQueue(),
    groups: [],
    wanted: { trades: false, index: false, mark: false, funding: false },
    open: createOpenNews(),
    fault: null,
  }
}

/** Adds a strategy to the group of its feed latency. */
export function joinGroup(delivery: RecordedDelivery, seat: Seat): FeedGroup {
  const latency = seat.latency.feed
  const { onTrade, onIndex, onMark, onFunding } = seat.strategy
  delivery.wanted.trades ||= onTrade !== undefined
  delivery.wanted.index ||= onIndex !== undefined
  delivery.wanted.mark ||= onMark !== undefined
  delivery.wanted.funding ||= onFunding !== undefined
  const known = delivery.groups.find((group) => group.latency === latency)
  if (known !== undefined) return known
  const group: FeedGroup = {
    latency,
    first: seat,
    listeners: [],
    views: [],
    print: { instrument: '', time: micros(0), price: 0, amount: 0, side: 'unknown' },
    next: 0,
    turn: 0,
    due: Number.POSITIVE_INFINITY,
  }
  delivery.groups.push(group)
  return group
}

/** Puts a message that the exchange has applied in transit. Too many messages in transit are a mistake. */
export function publish(delivery: RecordedDelivery, message: MarketMessage | News, time: number): InputError | null {
  if (delivery.groups.length === 0) return null
  if (timedCount(delivery.messages) >= TIMED_QUEUE_MAX) return crowdFault(delivery.groups)
  const position = delivery.messages.end
  appendTimed(delivery.messages, time, message)
  for (const group of delivery.groups) {
    if (group.next === position) group.due = time + group.latency
  }
  return null
}

/** Puts news in transit. If there is too much, the run ends after the current step of the exchange. */
export function publishNews(delivery: RecordedDelivery, news: News, time: number): void {
  delivery.fault ??= publish(delivery, news, time)
}

/** Puts the changed levels in transit, at their time. */
export function publishLevels(delivery: RecordedDelivery): void {
  const { time } = delivery.open
  for (const news of takeLevels(delivery.open)) publishNews(delivery, news, time)
}

/** Fills the views with the closed books that exist before the run begins. */
export function seedViews(delivery: RecordedDelivery): void {
  const now = timeOf(delivery.exchange)
  for (const instrument of allInstruments(delivery.exchange)) {
    if (isRecorded(delivery.exchange, instrument.id)) continue
    const levels = sides.flatMap((side) =>
      viewDepth(delivery.exchange, instrument.id, side, Number.POSITIVE_INFINITY).map(({ price, amount }) => ({
        side,
        price: divFloor(price, instrument.tick9),
        size: amount,
      })),
    )
    if (levels.length === 0) continue
    for (const group of delivery.groups) {
      const own = group.listeners.map(({ views }) => views)
      for (const views of new Set([group.views, ...own])) {
        viewOf(delivery, views, instrument.id).change(levels, now)
      }
    }
  }
}

/**
 * The fault of too many messages in transit. It names the strategy with the longest latency, which keeps the most
 * messages.
 */
function crowdFault(groups: readonly FeedGroup[]): InputError {
  const slowest = groups.reduce((one, other) => (other.latency > one.latency ? other : one))
  return {
    code: 'STRATEGY',
    file: slowest.first.name,
    path: 'latency.feed',
    expected: `at most ${TIMED_QUEUE_MAX} recorded messages in transit`,
    found: 'more',
    hint: 'with a shorter latency, fewer messages are in transit',
  }
}

/**
 * Adds a strategy to the listeners of its group, unless it has no callback for messages and shares the books of the
 * group.
 */
export function addListener(member: Member): void {
  const { onBook, onTrade, onIndex, onMark, onFunding, onSettlement } = member.seat.strategy
  const callbacks = [onBook, onTrade, onIndex, onMark, onFunding, onSettlement]
  const hasCallback = callbacks.some((callback) => callback !== undefined)
  if (hasCallback || member.views !== member.group.views) member.group.listeners.push(member)
}

/** Delivers the group's next message to the next listener. */
export function deliverRecorded(delivery: RecordedDelivery, group: FeedGroup): InputError | null {
  const message = itemAt(delivery.messages, group.next)
  const time = timeAt(delivery.messages, group.next)
  const of = { delivery, message, time }
  if (group.turn === 0) updateView(of, group.views)
  const member = group.listeners[group.turn]
  if (member === undefined) {
    endMessage(delivery, group)
    return null
  }
  member.seat.now = micros(group.due)
  const outcome = isFaulty(member.seat)
    ? applyMarketFaults(member.seat, { exchange: delivery.exchange, message, time })
    : 'passes'
  bringUp(member, of, outcome)
  const fault = outcome === 'passes' ? deliverMessage(member, of) : null
  group.turn += 1
  if (group.turn === group.listeners.length) endMessage(delivery, group)
  return fault
}

/** A message that has reached a group, and its time at the exchange. */
interface Arrived {
  readonly delivery: RecordedDelivery
  readonly message: MarketMessage | News
  readonly time: number
}

function updateView({ delivery, message, time }: Arrived, views: Views): void {
  if (message.kind === 'book') viewOf(delivery, views, message.instrument).apply(message, time)
  else if (message.kind === 'levels') {
    viewOf(delivery, views, message.instrument).change(message.levels, time)
  }
}

/** Applies a message to the separate book of a strategy, or leaves a gap. */
function bringUp(member: Member, of: Arrived, outcome: FaultOutcome): void {
  if (member.views === member.group.views || (of.message.kind !== 'book' && of.message.kind !== 'levels')) return
  if (outcome !== 'passes') member.gaps.add(of.message.instrument)
  else if (!fillGap(member, of.delivery, of.message.instrument)) updateView(of, member.views)
}

/** Makes a book with a gap complete again; false without a gap. */
function fillGap(member: Member, delivery: RecordedDelivery, instrument: InstrumentId): boolean {
  if (!member.gaps.delete(instrument)) return false
  const whole = viewOf(delivery, member.group.views, instrument)
  viewOf(delivery, member.views, instrument).become(whole)
  return true
}

/** Market data that arrives late. */
type LateMarket = Exclude<Late, { readonly kind: 'response' }>

/**
 * Delivers a delayed message at its time. A late book message is dropped if a newer one has already completed the book.
 */
export function deliverLateMarket(member: Member, late: LateMarket, delivery: RecordedDelivery): InputError | null {
  switch (late.kind) {
    case 'news':
      return deliverNews(member, late.news, { exchange: delivery.exchange, print: member.group.print, time: late.time })
    case 'prints': {
      const spec = instrumentAt(delivery.exchange, late.message.instrument)
      return deliverTrades(member, late.message, member.group.print, spec)
    }
    case 'book':
      if (!fillGap(member, delivery, late.instrument) && member.views !== member.group.views) return null
      return deliverBook(member, viewOf(delivery, member.views, late.instrument))
  }
}

function deliverMessage(member: Member, { delivery, message, time }: Arrived): InputError | null {
  const { print } = member.group
  switch (message.kind) {
    case 'book':
    case 'levels':
      return deliverBook(member, viewOf(delivery, member.views, message.instrument))
    case 'trades': {
      const spec = instrumentAt(delivery.exchange, message.instrument)
      return deliverTrades(member, message, print, spec)
    }
    case 'index':
      return null
    case 'closed_trade':
    case 'event':
    case 'settled':
      return deliverNews(member, message, { exchange: delivery.exchange, print, time })
  }
}

/** The view of a listed instrument. */
export function viewOf(delivery: RecordedDelivery, views: Views, instrument: InstrumentId): RecordedView {
  const known = views[instrument]
  if (known !== undefined) return known
  const view = new RecordedView(instrumentAt(delivery.exchange, instrument))
  views[instrument] = view
  return view
}

/** The time at which the group's next message is due. */
function dueTime({ messages }: RecordedDelivery, group: FeedGroup): number {
  if (group.next === messages.end) return Number.POSITIVE_INFINITY
  return timeAt(messages, group.next) + group.latency
}

function endMessage(delivery: RecordedDelivery, group: FeedGroup): void {
  group.turn = 0
  group.next += 1
  group.due = dueTime(delivery, group)
  let read = group.next
  for (const other of delivery.groups) if (other.next < read) read = other.next
  if (read > delivery.messages.first) dropUntil(delivery.messages, read)
}

function deliverBook({ seat, venue }: SeatedVenue, view: RecordedView): InputError | null {
  const { onBook } = seat.strategy
  return onBook === undefined ? null : callBack({ seat, venue, name: 'onBook' }, onBook, view)
}

/** Delivers the trades of one message. Requests that a callback sends leave after the last of them. */
function deliverTrades(
  { seat, venue }: SeatedVenue,
  message: MarketMessage,
  print: FeedGroup['print'],
  spec: Instrument,
): InputError | null {
  const { onTrade } = seat.strategy
  if (onTrade === undefined) return null
  print.instrument = spec.name
  print.time = message.time
  for (let at = message.from; at < message.to; at += 1) {
    const side = message.rows.side[at]
    print.price = priceOut(price9OfTicks(spec, ticks(message.rows.price[at] as number)))
    print.amount = amountOut(spec, lots(message.rows.amount[at] as number))
    print.side = side === rowSide.buy ? 'buy' : side === rowSide.sell ? 'sell' : 'unknown'
    const fault = callBack({ seat, venue, name: 'onTrade' }, onTrade, print)
    if (fault !== null) return fault
  }
  return null
}
