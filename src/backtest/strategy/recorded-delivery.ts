/**
 * Recorded messages on their way to the strategies.
 *
 * One queue holds the messages that were applied to the exchange; each group of seats with one feed
 * latency reads it at its own pace and has its own views. What every group has read is dropped.
 */
import {
  defined,
  type InputError,
  type InstrumentId,
  lots,
  micros,
  ticks,
} from '../../core/index.ts'
import type { Exchange } from '../../engine/index.ts'
import { type Instrument, type MarketMessage, price9OfTicks, rowSide } from '../../model/index.ts'
import { amountOut, priceOut } from '../../rpc/index.ts'
import { RecordedView } from './book-view.ts'
import { callBack, type Seat } from './seat.ts'
import type { StrategyVenue, TradePrint } from './strategy.ts'
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

/** A seat with its venue. */
export interface SeatedVenue {
  readonly seat: Seat
  readonly venue: StrategyVenue
}

/** Seats of one feed latency, in file order. */
export interface FeedGroup {
  readonly latency: number
  readonly members: SeatedVenue[]
  /** Views by instrument id. */
  readonly views: (RecordedView | undefined)[]
  readonly print: { -readonly [K in keyof TradePrint]: TradePrint[K] }
  /** Position of its next message in the queue. */
  next: number
  /** Which member gets that message next; the view has it once it is not 0. */
  turn: number
  /** When that message is due, Infinity for none. */
  due: number
}

/** The messages under way and who reads them. */
export interface RecordedDelivery {
  readonly exchange: Exchange
  readonly messages: TimedQueue<MarketMessage>
  readonly groups: FeedGroup[]
}

/** A delivery to nobody yet. */
export function createRecordedDelivery(exchange: Exchange): RecordedDelivery {
  return { exchange, messages: createTimedQueue(), groups: [] }
}

/** Adds a seat to the group of its feed latency. */
export function joinGroup(delivery: RecordedDelivery, seat: Seat): FeedGroup {
  const latency = seat.latency.feed
  const known = delivery.groups.find((group) => group.latency === latency)
  if (known !== undefined) return known
  const group: FeedGroup = {
    latency,
    members: [],
    views: [],
    print: { instrument: '', time: micros(0), price: 0, amount: 0, side: 'unknown' },
    next: 0,
    turn: 0,
    due: Number.POSITIVE_INFINITY,
  }
  delivery.groups.push(group)
  return group
}

/** Puts a message that the exchange has taken on its way; too many on their way are a mistake. */
export function publish(
  delivery: RecordedDelivery,
  message: MarketMessage,
  time: number,
): InputError | null {
  const { groups, messages } = delivery
  if (groups.length === 0) return null
  if (timedCount(messages) >= TIMED_QUEUE_MAX) return crowdFault(groups)
  const position = messages.end
  appendTimed(messages, time, message)
  for (const group of groups) {
    if (group.next === position) group.due = time + group.latency
  }
  return null
}

/** The slowest strategy keeps the most messages on their way. */
function crowdFault(groups: readonly FeedGroup[]): InputError {
  const slowest = groups.reduce((one, other) => (other.latency > one.latency ? other : one))
  const { seat } = defined(slowest.members[0], 'a group has a member')
  return {
    file: seat.name,
    path: 'latency.feed',
    expected: `at most ${TIMED_QUEUE_MAX} recorded messages on their way`,
    found: 'more',
    hint: 'a shorter latency leaves fewer',
  }
}

/** Gives the group's next message to the next of its members. */
export function deliverRecorded(delivery: RecordedDelivery, group: FeedGroup): InputError | null {
  const { messages } = delivery
  const message = itemAt(messages, group.next)
  const view = viewOf(delivery, group, message.instrument)
  if (group.turn === 0 && message.kind === 'book') {
    view.apply(message, timeAt(messages, group.next))
  }
  const member = defined(group.members[group.turn], 'a group has the member whose turn it is')
  member.seat.now = micros(group.due)
  const fault =
    message.kind === 'book'
      ? deliverBook(member, view)
      : message.kind === 'trades'
        ? deliverTrades(member, { message, print: group.print, spec: view.spec })
        : null
  group.turn += 1
  if (group.turn === group.members.length) endMessage(delivery, group)
  return fault
}

/** The view of an instrument that is listed. */
export function viewOf(
  { exchange }: RecordedDelivery,
  group: FeedGroup,
  instrument: InstrumentId,
): RecordedView {
  const known = group.views[instrument]
  if (known !== undefined) return known
  const row = defined(exchange.instruments[instrument], 'a recorded instrument is listed')
  const view = new RecordedView(row.instrument)
  group.views[instrument] = view
  return view
}

/** When the group's next message is due. */
export function dueTime({ messages }: RecordedDelivery, group: FeedGroup): number {
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

/** One message may hold several trades; what a callback sends leaves after the last of them. */
function deliverTrades(
  { seat, venue }: SeatedVenue,
  {
    message,
    print,
    spec,
  }: {
    readonly message: MarketMessage
    readonly print: FeedGroup['print']
    readonly spec: Instrument
  },
): InputError | null {
  const { onTrade } = seat.strategy
  if (onTrade === undefined) return null
  const { rows, to } = message
  print.instrument = spec.name
  print.time = message.time
  for (let at = message.from; at < to; at += 1) {
    const side = rows.side[at]
    print.price = priceOut(price9OfTicks(spec, ticks(rows.price[at] as number)))
    print.amount = amountOut(spec, lots(rows.amount[at] as number))
    print.side = side === rowSide.buy ? 'buy' : side === rowSide.sell ? 'sell' : 'unknown'
    const fault = callBack({ seat, venue, name: 'onTrade' }, onTrade, print)
    if (fault !== null) return fault
  }
  return null
}
