/**
 * Markouts: the mid price some time after a fill, compared with the price of the fill.
 *
 * The markout after a time h is `side * (mid(t + h) - price) / price` in basis points; side is 1 for a buy and -1 for a
 * sell, and `mid` is the mid price after everything before t + h. If a side of the book is empty then, the fill has no
 * markout for that h. Means weigh fills with their notional.
 *
 * Fills wait in records, oldest first, and each horizon has its position in them. Memory: 40 to 160 bytes for each fill
 * in the five minutes with most fills.
 */
import {
  createRecords,
  defined,
  fixed,
  instrumentId,
  listOf,
  type Plain,
  type Records,
  type RowOf,
  recordLayout,
  rowUnit,
  type Unit,
} from '../../core/index.ts'
import { double } from './figure.ts'
import type { MetricsViews } from './views.ts'

/** The time from a fill to its markout, in microseconds. */
export const markoutHorizons = [0, 1_000_000, 5_000_000, 30_000_000, 300_000_000] as const

const layout = recordLayout(['time', 'price', 'weight'], ['wallet', 'instrument', 'role'])
const { time: TIME, price: PRICE, weight: WEIGHT } = layout.doubles
const { wallet: WALLET, instrument: INSTRUMENT, role: ROLE } = layout.words
const { doubles: DOUBLES, words: WORDS } = layout.lengths
const BUYS = 1
const MAKER = 2
const BPS = 10_000
const CAPACITY_MIN = 64
const LAST = markoutHorizons.length - 1

/** Fills with markouts still to come; only this file accesses the records. */
export interface WaitingFills {
  records: Records
  /** Number of records in use. */
  count: number
  /** The record of the next fill, by horizon. */
  readonly next: number[]
  /** The earliest time at which a markout is due, or Infinity. */
  due: number
}

/** A fill. */
export interface MarkedFill {
  readonly time: number
  readonly price: number
  readonly weight: number
  /** Slot of its wallet. */
  readonly wallet: number
  readonly instrument: number
  readonly buys: boolean
  readonly isMaker: boolean
}

const tallyFields = {
  /** By horizon: weight, and weight times basis points. */
  weights: fixed(listOf(double)),
  sums: fixed(listOf(double)),
}

/** Markouts of one role, weighted with the notional of their fills. */
export interface MarkoutTally extends RowOf<typeof tallyFields> {}

/** Markouts of one role in snapshots. */
export const markoutTallyUnit = rowUnit('markouts', tallyFields)

/** Markouts of an account in one currency. */
interface Marked {
  readonly maker: MarkoutTally
  readonly taker: MarkoutTally
}

/** Creates sums without markouts. */
export function createMarkouts(): MarkoutTally {
  return { weights: markoutHorizons.map(() => 0), sums: markoutHorizons.map(() => 0) }
}

/** Creates an empty queue of fills. */
export function createWaitingFills(): WaitingFills {
  return {
    records: createRecords(layout, CAPACITY_MIN),
    count: 0,
    next: markoutHorizons.map(() => 0),
    due: Number.POSITIVE_INFINITY,
  }
}

/** Adds a fill, which must not be older than the others. */
export function awaitMarkouts(waiting: WaitingFills, fill: MarkedFill): void {
  makeRoom(waiting)
  const { doubles, words } = waiting.records
  const [at, word] = [waiting.count * DOUBLES, waiting.count * WORDS]
  doubles[at + TIME] = fill.time
  doubles[at + PRICE] = fill.price
  doubles[at + WEIGHT] = fill.weight
  words[word + WALLET] = fill.wallet
  words[word + INSTRUMENT] = fill.instrument
  words[word + ROLE] = (fill.buys ? BUYS : 0) + (fill.isMaker ? MAKER : 0)
  waiting.count += 1
  waiting.due = Math.min(waiting.due, fill.time + markoutHorizons[0])
}

/** Computes the markouts that are due at or before `time` from the current books; `wallets` is indexed by slot. */
export function takeMarkouts(
  waiting: WaitingFills,
  wallets: readonly Marked[],
  views: MetricsViews,
  time: number,
): void {
  if (waiting.due > time) return
  const { next, count } = waiting
  const { doubles } = waiting.records
  for (const [at, horizon] of markoutHorizons.entries()) {
    let fill = next[at] as number
    while (fill < count && (doubles[fill * DOUBLES + TIME] as number) + horizon <= time) {
      takeMarkout(waiting, wallets, views, at, fill)
      fill += 1
    }
    next[at] = fill
  }
  if (next[LAST] === count) {
    waiting.count = 0
    next.fill(0)
  }
  waiting.due = dueOf(waiting)
}

function takeMarkout(
  waiting: WaitingFills,
  wallets: readonly Marked[],
  views: MetricsViews,
  at: number,
  fill: number,
): void {
  const { doubles, words } = waiting.records
  const word = fill * WORDS
  const mid = views.midOf(instrumentId(words[word + INSTRUMENT] as number))
  if (mid <= 0) return
  const price = doubles[fill * DOUBLES + PRICE] as number
  const weight = doubles[fill * DOUBLES + WEIGHT] as number
  const role = words[word + ROLE] as number
  const wallet = defined(wallets[words[word + WALLET] as number], 'a fill has a wallet')
  const moved = ((mid - price) / price) * BPS
  const bps = (role & BUYS) !== 0 ? moved : -moved
  const { weights, sums } = (role & MAKER) !== 0 ? wallet.maker : wallet.taker
  weights[at] = (weights[at] ?? 0) + weight
  sums[at] = (sums[at] ?? 0) + weight * bps
}

/** Snapshots contain the waiting fills, and the number of them that each horizon has processed. */
export const waitingFillsUnit: Unit<WaitingFills> = {
  name: 'waiting fills',
  save: ({ records, count, next }) => {
    const first = next[LAST] as number
    const fills: Plain[] = []
    for (let fill = first; fill < count; fill += 1) {
      const [at, word] = [fill * DOUBLES, fill * WORDS]
      fills.push([
        ...records.doubles.slice(at, at + WEIGHT + 1),
        ...records.words.slice(word + WALLET, word + ROLE + 1),
      ])
    }
    return [fills, next.map((each) => each - first)]
  },
  load: (plain) => {
    // `save` wrote this plain form.
    const [fills, next] = plain as readonly [readonly (readonly number[])[], readonly number[]]
    const waiting = createWaitingFills()
    for (const [time = 0, price = 0, weight = 0, wallet = 0, instrument = 0, role = 0] of fills) {
      const [buys, isMaker] = [(role & BUYS) !== 0, (role & MAKER) !== 0]
      awaitMarkouts(waiting, { time, price, weight, wallet, instrument, buys, isMaker })
    }
    for (const [at, each] of next.entries()) waiting.next[at] = each
    waiting.due = dueOf(waiting)
    return waiting
  },
}

function dueOf({ records, count, next }: WaitingFills): number {
  let due = Number.POSITIVE_INFINITY
  for (const [at, horizon] of markoutHorizons.entries()) {
    const fill = next[at] as number
    if (fill < count) due = Math.min(due, (records.doubles[fill * DOUBLES + TIME] as number) + horizon)
  }
  return due
}

/** Makes room for a record: removes fills with all markouts done, or enlarges the memory. */
function makeRoom(waiting: WaitingFills): void {
  const { records, count, next } = waiting
  if ((count + 1) * DOUBLES <= records.doubles.length) return
  const done = next[LAST] as number
  if (2 * done < count) {
    waiting.records = createRecords(layout, 2 * count)
    waiting.records.doubles.set(records.doubles)
    return
  }
  records.doubles.copyWithin(0, done * DOUBLES)
  waiting.count -= done
  for (let at = 0; at < next.length; at += 1) next[at] = (next[at] as number) - done
}
