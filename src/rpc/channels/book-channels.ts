/**
 * Books as channels: every change of the levels, or a view of some levels with prices grouped.
 *
 * The first message of a subscription is the book that the channel sent last, so that the next change continues it
 * (`prev_change_id`), even if other clients subscribed earlier.
 * Source: sessions document 3.5.
 */
import { divFloor, type InstrumentId, type Lots, lots, type Micros, type Price9, price9 } from '../../core/index.ts'
import { changeIdOf, type Exchange, type Level, timeOf, viewDepth } from '../../engine/index.ts'
import type { Instrument, Side } from '../../model/index.ts'
import { amountOut, priceOut, timeOut } from '../wire/index.ts'
import { type Channel, type ChannelWorld, type Interval, viewChannel } from './channel.ts'

/** A change of a level: the kind of change, the price and the amount after it. */
type BookChange = readonly ['new' | 'change' | 'delete', price: number, amount: number]

/** A message of `book.{instrument}.{interval}`. */
export interface WireBookMessage {
  readonly type: 'snapshot' | 'change'
  readonly timestamp: number
  readonly instrument_name: string
  readonly change_id: number
  /** The `change_id` of the previous message; snapshots omit it. */
  readonly prev_change_id?: number
  readonly bids: readonly BookChange[]
  readonly asks: readonly BookChange[]
}

/** A message of `book.{instrument}.{group}.{depth}.{interval}`. */
export interface WireGroupedBook {
  readonly timestamp: number
  readonly instrument_name: string
  readonly change_id: number
  readonly bids: readonly (readonly [price: number, amount: number])[]
  readonly asks: readonly (readonly [price: number, amount: number])[]
}

/** Sizes of one side by price, best price first. */
type Levels = ReadonlyMap<Price9, Lots>

interface SentBook {
  readonly changeId: number
  readonly time: Micros
  readonly bids: Levels
  readonly asks: Levels
}

/** The book of an instrument, change by change. */
export function bookChannel(
  { exchange }: ChannelWorld,
  instrument: Instrument,
  interval: Interval,
): Channel<WireBookMessage> {
  let sent: SentBook | undefined
  return {
    interval,
    subject: { instruments: [instrument.id] },
    first: (): readonly WireBookMessage[] => {
      sent ??= bookNow(exchange, instrument)
      const snapshot: WireBookMessage = {
        type: 'snapshot',
        timestamp: timeOut(sent.time),
        instrument_name: instrument.name,
        change_id: sent.changeId,
        bids: changesOf(instrument, noLevels, sent.bids, falling),
        asks: changesOf(instrument, noLevels, sent.asks, rising),
      }
      return [snapshot]
    },
    collect: (): readonly WireBookMessage[] => {
      if (sent === undefined || changeIdOf(exchange, instrument.id) === sent.changeId) return []
      const now = bookNow(exchange, instrument)
      const bids = changesOf(instrument, sent.bids, now.bids, falling)
      const asks = changesOf(instrument, sent.asks, now.asks, rising)
      // Changes that cancel each other within the interval are not sent.
      if (bids.length === 0 && asks.length === 0) return []
      const { changeId } = sent
      sent = now
      return [
        {
          type: 'change',
          timestamp: timeOut(now.time),
          instrument_name: instrument.name,
          change_id: now.changeId,
          prev_change_id: changeId,
          bids,
          asks,
        },
      ]
    },
  }
}

/**
 * Some levels of a book with prices grouped, sent whole at each change; `group` is null for prices that are not
 * grouped.
 */
export function groupedBookChannel(
  { exchange }: ChannelWorld,
  instrument: Instrument,
  group: Price9 | null,
  depth: number,
  interval: Interval,
): Channel<WireGroupedBook> {
  return viewChannel({
    interval,
    subject: { instruments: [instrument.id] },
    look: (): WireGroupedBook => ({
      timestamp: timeOut(timeOf(exchange)),
      instrument_name: instrument.name,
      change_id: changeIdOf(exchange, instrument.id),
      bids: groupsOf(exchange, instrument, 'buy', group, depth),
      asks: groupsOf(exchange, instrument, 'sell', group, depth),
    }),
    inputs: () => [changeIdOf(exchange, instrument.id)],
    touchedBy: {},
    content: ({ bids, asks }) => [bids, asks],
  })
}

const noLevels: Levels = new Map()

function bookNow(exchange: Exchange, instrument: Instrument): SentBook {
  return {
    changeId: changeIdOf(exchange, instrument.id),
    time: timeOf(exchange),
    bids: levelsOf(exchange, instrument.id, 'buy'),
    asks: levelsOf(exchange, instrument.id, 'sell'),
  }
}

function levelsOf(exchange: Exchange, id: InstrumentId, side: Side): Levels {
  const levels = viewDepth(exchange, id, side, Number.POSITIVE_INFINITY)
  return new Map(levels.map(({ price, amount }) => [price, amount]))
}

/** The changes between two states of a side, in the order of the side. */
function changesOf(
  instrument: Instrument,
  before: Levels,
  now: Levels,
  inOrder: (left: BookChange, right: BookChange) => number,
): readonly BookChange[] {
  const changes: BookChange[] = []
  for (const [price, amount] of now) {
    const was = before.get(price)
    if (was === amount) continue
    const size = amountOut(instrument, amount)
    changes.push([was === undefined ? 'new' : 'change', priceOut(price), size])
  }
  for (const price of before.keys()) {
    if (!now.has(price)) changes.push(['delete', priceOut(price), 0])
  }
  return changes.sort(inOrder)
}

function falling([, left]: BookChange, [, right]: BookChange): number {
  return right - left
}

function rising([, left]: BookChange, [, right]: BookChange): number {
  return left - right
}

/** Levels of a side with bids rounded down and asks rounded up to the group. */
function groupsOf(
  exchange: Exchange,
  instrument: Instrument,
  side: Side,
  group: Price9 | null,
  depth: number,
): readonly (readonly [number, number])[] {
  if (group === null) {
    return viewDepth(exchange, instrument.id, side, depth).map(
      ({ price, amount }) => [priceOut(price), amountOut(instrument, amount)] as const,
    )
  }
  const groups = new Map<number, number>()
  for (const level of viewDepth(exchange, instrument.id, side, Number.POSITIVE_INFINITY)) {
    const price = groupOf(level, side, group)
    if (!groups.has(price) && groups.size === depth) break
    groups.set(price, (groups.get(price) ?? 0) + level.amount)
  }
  return [...groups].map(([price, size]) => [priceOut(price9(price)), amountOut(instrument, lots(size))] as const)
}

function groupOf({ price }: Level, side: Side, group: Price9): number {
  const steps = side === 'buy' ? divFloor(price, group) : -divFloor(-price, group)
  return steps * group
}
