/**
 * The book of one instrument as strategies of one feed latency see it. After a message it is the book as the exchange
 * had it after that message.
 *
 * The view of a recorded market has only recorded depth: no orders of the run, and without the effect of their fills.
 * The view of a closed market is the public book, including own orders. Prices and amounts are the doubles nearest to
 * the exact decimals. The price of an empty side is NaN, so that every comparison is false and every request fails, and
 * its amount is 0.
 */
import {
  bestRecorded,
  clearRecorded,
  createRecordedSide,
  type RecordedSide,
  recordedSize,
  recordedSource,
  setRecorded,
  uncrossRecorded,
  visitRecorded,
} from '../../book/index.ts'
import { type InstrumentId, lots, type Micros, micros, PRICE9_MAX, ticks } from '../../core/index.ts'
import { type Instrument, type MarketMessage, price9OfTicks, rowSide, type Side, sourceOf } from '../../model/index.ts'
import { amountOut, priceOut } from '../../rpc/index.ts'
import type { LevelNews } from './news.ts'

/** A price level. */
export interface BookLevel {
  readonly price: number
  readonly amount: number
}

/** A book for strategies. Each read returns the value at that moment. */
export interface BookView {
  readonly instrument: string
  /** Exchange time of the last message in it, in microseconds; 0 before the first. */
  readonly time: Micros
  /** True if both sides have a price; otherwise `mid` is NaN. */
  readonly isTwoSided: boolean
  readonly bestBid: number
  readonly bestAsk: number
  /** Amounts at the best prices. */
  readonly bidAmount: number
  readonly askAmount: number
  readonly mid: number
  /** Visible amount at a price; 0 for an empty level. */
  amountAt(side: Side, price: number): number
  /** The `depth` best levels of a side, best first. Each call creates a list, so avoid frequent calls. */
  levels(side: Side, depth: number): readonly BookLevel[]
  /** The level `rank` of a side, where 0 is the best; undefined if the side has fewer levels. */
  level(side: Side, rank: number): BookLevel | undefined
}

/** A view as plain data: price in ticks, size in lots and source of each level, best first. */
export type ViewState = {
  readonly instrument: InstrumentId
  readonly time: number
  readonly bids: Float64Array
  readonly asks: Float64Array
}

/** The view and the functions that write it. */
export class RecordedView implements BookView {
  readonly spec: Instrument
  readonly #bids: RecordedSide = createRecordedSide(1)
  readonly #asks: RecordedSide = createRecordedSide(-1)
  #time: Micros = micros(0)

  constructor(spec: Instrument) {
    this.spec = spec
  }

  get instrument(): string {
    return this.spec.name
  }

  get time(): Micros {
    return this.#time
  }

  get isTwoSided(): boolean {
    return bestRecorded(this.#bids) !== undefined && bestRecorded(this.#asks) !== undefined
  }

  get bestBid(): number {
    return this.#priceOut(bestRecorded(this.#bids))
  }

  get bestAsk(): number {
    return this.#priceOut(bestRecorded(this.#asks))
  }

  get bidAmount(): number {
    return this.#bestAmount(this.#bids)
  }

  get askAmount(): number {
    return this.#bestAmount(this.#asks)
  }

  get mid(): number {
    return (this.bestBid + this.bestAsk) / 2
  }

  amountAt(side: Side, price: number): number {
    const tick9 = this.spec.tick9
    const at = Math.round((price * NANO) / tick9)
    // A price off the grid or above the highest price is not the price of any level.
    if (!(Math.abs(at * tick9) <= PRICE9_MAX) || this.#priceOut(at) !== price) return 0
    return this.#amountOut(recordedSize(this.#side(side), at))
  }

  levels(side: Side, depth: number): readonly BookLevel[] {
    const levels: BookLevel[] = []
    visitRecorded(this.#side(side), depth, (price, size) => {
      levels.push({ price: this.#priceOut(price), amount: this.#amountOut(size) })
    })
    return levels
  }

  level(side: Side, rank: number): BookLevel | undefined {
    return this.levels(side, rank + 1)[rank]
  }

  /** Applies a recorded message of a book. */
  apply(message: MarketMessage, time: number): void {
    const { rows, to } = message
    const bids = this.#bids
    const asks = this.#asks
    this.#time = micros(time)
    if (message.snapshot) {
      clearRecorded(bids)
      clearRecorded(asks)
    }
    const source = sourceOf(message.feed, 0)
    for (let at = message.from; at < to; at += 1) {
      const own = rows.side[at] === rowSide.sell ? asks : bids
      setRecorded(own, rows.price[at] as number, rows.amount[at] as number, source + (rows.row[at] as number))
    }
    // The exchange does the same with the same rows.
    if (message.uncross) uncrossRecorded(bids, asks, null)
  }

  /** Sets levels of a closed book to their current sizes. */
  change(levels: readonly LevelNews[], time: number): void {
    this.#time = micros(time)
    for (const { side, price, size } of levels) setRecorded(this.#side(side), price, size, 0)
  }

  /** Copies the state of another view of the same book. */
  become(whole: RecordedView): void {
    clearRecorded(this.#bids)
    clearRecorded(this.#asks)
    this.load(whole.save())
  }

  /** The view as plain data. */
  save(): ViewState {
    const { id } = this.spec
    return {
      instrument: id,
      time: this.#time,
      bids: levelsOf(this.#bids),
      asks: levelsOf(this.#asks),
    }
  }

  /** Restores the state that `save` returned; the view must be empty. */
  load(state: ViewState): void {
    this.#time = micros(state.time)
    fillLevels(this.#bids, state.bids)
    fillLevels(this.#asks, state.asks)
  }

  #side(side: Side): RecordedSide {
    return side === 'buy' ? this.#bids : this.#asks
  }

  #bestAmount(side: RecordedSide): number {
    const best = bestRecorded(side)
    return best === undefined ? 0 : this.#amountOut(recordedSize(side, best))
  }

  #priceOut(price: number | undefined): number {
    if (price === undefined) return Number.NaN
    return priceOut(price9OfTicks(this.spec, ticks(price)))
  }

  #amountOut(size: number): number {
    return amountOut(this.spec, lots(size))
  }
}

const NANO = 1_000_000_000

function levelsOf(side: RecordedSide): Float64Array {
  const levels: number[] = []
  visitRecorded(side, Number.POSITIVE_INFINITY, (price, size) => {
    levels.push(price, size, recordedSource(side, price))
  })
  return Float64Array.from(levels)
}

function fillLevels(side: RecordedSide, levels: Float64Array): void {
  for (let at = 0; at < levels.length; at += 3) {
    const [price = 0, size = 0, source = 0] = levels.subarray(at, at + 3)
    setRecorded(side, price, size, source)
  }
}
