/**
 * Rows of instruments and of the indices that they follow: everything that changes about them.
 */
import type { Book, TriggerBook } from '../../book/index.ts'
import { type CurrencyId, type Micros, type Price9, price9, type Ticks } from '../../core/index.ts'
import { type ContractTerms, type PricedTerms, pricedTerms } from '../../ledger/index.ts'
import {
  type MarginScale,
  type MarkedOption,
  type MarkedScale,
  markedScale,
} from '../../margin/index.ts'
import type { Instrument, InstrumentState, QueueModel, TriggerSource } from '../../model/index.ts'
import type { OptionContract } from '../../pricing/index.ts'
import type { DeliveryAverage } from './delivery-average.ts'

/** Stands for no instrument. */
export const NO_INSTRUMENT = -1

/** A price index and the instruments that follow it. */
export interface IndexRow {
  readonly name: string
  /** 0 while unknown. */
  price: Price9
  /** The instrument whose recorded mid it follows, or NO_INSTRUMENT. */
  mid: number
  /** Listed instruments that are not delivered. */
  readonly followers: number[]
  /** Dated futures among them, by expiration. */
  readonly futures: InstrumentRow[]
  /** Its samples for delivery prices. */
  readonly average: DeliveryAverage
}

/** The options of one index and one expiration: they have one forward. */
export interface SeriesRow {
  readonly index: IndexRow
  readonly expiration: Micros
  /** In the order of listing, without those that are delivered. */
  readonly options: InstrumentRow[]
  /** 0 while unknown. */
  forward: Price9
  /** Whether only whole minutes look at it, and not each second. */
  sleeps: boolean
}

/** What options have besides. */
export interface OptionState {
  readonly contract: OptionContract
  readonly series: SeriesRow
  /** Mark volatility in 1e-9; 0 while no forward was known. */
  volatility9: number
}

/** Funding of a perpetual as it runs. */
export interface FundingState {
  /** Sum since listing, at `since`: 1e-24 coin for each USD, or 1e-18 quote for each coin. */
  accumulated: bigint
  /** Rate in force, for 8 hours: exactly, times the index that it holds at (see `fundingExcess`). */
  excess: bigint
  /** The same as it is shown, in 1e-8. */
  rate8: number
  since: Micros
  /** What those who were long paid since the last settlement, in nano. */
  paidByLongs: bigint
}

/** The market of an option as margin sees it, and what follows from it. */
export interface OptionRisk {
  readonly mark9: number
  readonly forward9: number
  readonly index9: number
  readonly volatility9: number
  /** Standard margin at it. */
  readonly marked: MarkedOption
  /** What it wins in the scenarios of portfolio margin, and for which minute; null until asked for. */
  stress: OptionStress | null
}

/** Profits of one coin of an option in every scenario, and its delta, at a minute. */
export interface OptionStress {
  readonly minute: number
  readonly profits9: Float64Array
  readonly delta9: number
}

/** An instrument with everything that changes about it. */
export interface InstrumentRow {
  readonly instrument: Instrument
  readonly terms: ContractTerms
  readonly scale: MarginScale
  /** How places in its recorded queues are modelled; null in a closed market. */
  readonly queue: QueueModel | null
  readonly book: Book
  /** Orders that wait for each price of the instrument. */
  readonly triggers: { readonly [S in TriggerSource]: TriggerBook }
  readonly index: IndexRow
  /** Id of the currency of profit and fees. */
  readonly settlement: CurrencyId
  /** The base currency of a spot pair, else -1. */
  readonly base: CurrencyId | -1
  state: InstrumentState
  /** When its book entered that state. */
  stateSince: Micros
  /** 0 while unknown. Set by `setMark`, with the arithmetic at that price. */
  mark: Price9
  /** Whether the mark is known: that of a combo, or of a worthless option, may be 0. */
  hasMark: boolean
  markTerms: PricedTerms
  markScale: MarkedScale
  /** Whether the venue finds the mark, a control has set it, or a feed tells it. */
  markRule: 'venue' | 'set' | 'feed'
  /** Average premium of the fair price over the index in 1e-9 (market.md 3.2). */
  ema9: number
  /** Whether its mark is index and premium, and so takes part in ticks of the price grid. */
  readonly isMarkComputed: boolean
  /** Whether it could take part in the next tick, and does not; that of an option is of its series. */
  sleeps: boolean
  /** Fair price of a book with two sides, and the `changeId` it was found at; -1 for none. */
  fair9: number
  fairSeen: number
  /** Null but for perpetuals. */
  readonly funding: FundingState | null
  /** What the margin of an option was last computed from; null while unknown, and but for options. */
  risk: OptionRisk | null
  /** Null but for options. */
  readonly option: OptionState | null
  /** Mark of the last settlement, 0 before the first. */
  settlementPrice: Price9
  /** Fixed at 08:00 of its last day, 0 before. */
  deliveryPrice: Price9
  /** When it was delivered, which is final; null until it is. */
  deliveredAt: Micros | null
  /** The state of its book before the settlement that is going on; null while none is. */
  stateBefore: InstrumentState | null
  /** Whether there is a band; of a combo either end may be 0 or below. */
  hasBand: boolean
  bandMin: Ticks
  bandMax: Ticks
  tradeSeq: number
  /** 0 before the first trade; of a combo after it, too, where that was its price. */
  lastPrice: Price9
  hasLastPrice: boolean
  /** Price of the last trade in its own book, which its triggers wait for; null before the first (C31e). */
  bookPrice: Price9 | null
  lastMove: 'none' | 'up' | 'down'
  changeId: number
  /** Holdings of this instrument, in the order in which they arose. */
  readonly holdings: number[]
  /** Of a combo its legs, once all of them are listed; else none. */
  legs: readonly ComboLegRow[]
  /** Combos that it is a leg of, in the order of listing. */
  readonly combos: InstrumentRow[]
  /** Of a combo, when it was listed, opened again or last traded. */
  usedAt: Micros
}

/** A leg of a combo with its signed ratio. */
export interface ComboLegRow {
  readonly row: InstrumentRow
  readonly ratio: number
}

/**
 * Whether the price at which it ends is fixed: it was delivered, or its delivery waits for a halted book.
 * Its mark moves no more.
 */
export function isPriceFixed({ deliveredAt, deliveryPrice }: InstrumentRow): boolean {
  return deliveredAt !== null || deliveryPrice > 0
}

/** One coin in 1e-9. */
export const ONE_COIN9 = 1_000_000_000

/** Whether profit and premium are paid in the coin that it is on. */
export function isCoinSettled({ instrument }: InstrumentRow): boolean {
  return instrument.settlementCurrency === instrument.baseCurrency
}

/** What a price of an instrument is now; 0 while unknown, see `isSourceKnown`. */
export function sourcePrice(row: InstrumentRow, source: TriggerSource): Price9 {
  switch (source) {
    case 'index_price':
      return row.index.price
    case 'mark_price':
      return row.mark
    case 'last_price':
      return row.bookPrice ?? price9(0)
  }
}

/** Whether a price of an instrument is known. */
export function isSourceKnown(row: InstrumentRow, source: TriggerSource): boolean {
  switch (source) {
    case 'index_price':
      return row.index.price > 0
    case 'mark_price':
      return row.hasMark
    case 'last_price':
      return row.bookPrice !== null
  }
}

/** Sets the mark of an instrument and the arithmetic at it; holdings are revalued by the caller. */
export function setMark(row: InstrumentRow, mark: Price9): void {
  row.mark = mark
  row.hasMark = true
  row.markTerms = pricedTerms(row.terms, mark)
  row.markScale = markedScale(row.scale, mark)
}
