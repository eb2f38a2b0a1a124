/**
 * Rows of instruments and of the indices that they follow: everything that changes about them.
 */
import type { Book, TriggerBook } from '../../book/index.ts'
import {
  apart,
  type CurrencyId,
  cached,
  changing,
  derived,
  fixed,
  liveUnit,
  type NumberHeap,
  orNull,
  type Price9,
  plainUnit,
  price9,
  type RowOf,
  rowUnit,
  type Ticks,
  units,
  wired,
  wiredUnit,
  wordUnit,
} from '../../core/index.ts'
import { type ContractTerms, type PricedTerms, pricedTerms } from '../../ledger/index.ts'
import { type MarginScale, type MarkedOption, type MarkedScale, markedScale } from '../../margin/index.ts'
import {
  type Instrument,
  type InstrumentState,
  markRules,
  type QueueModel,
  type TriggerSource,
} from '../../model/index.ts'
import type { OptionContract } from '../../pricing/index.ts'
import type { DeliveryAverage } from './delivery-average.ts'

/** Stands for no instrument. */
export const NO_INSTRUMENT = -1

export const indexFields = {
  name: fixed(units.text),
  /** 0 while unknown. */
  price: changing(units.price9),
  /** The instrument whose recorded mid it follows, or NO_INSTRUMENT. */
  mid: changing(units.row),
  /** Listed instruments that are not delivered. */
  followers: derived(fixed(liveUnit<number[]>())),
  /** Dated futures among them, by expiration. */
  futures: derived(fixed(liveUnit<InstrumentRow[]>())),
  /** Wallets with skipped holdings estimate funding around this price, in 1e-9 USD; 0 if none does. */
  fundedAround: cached(changing(units.count), ['indices.price']),
  /** Its samples for delivery prices. */
  average: fixed(plainUnit<DeliveryAverage>('samples')),
}

/** A price index and the instruments that follow it. */
export interface IndexRow extends RowOf<typeof indexFields> {}

export const seriesFields = {
  index: derived(fixed(liveUnit<IndexRow>())),
  expiration: derived(fixed(units.micros)),
  /** In the order of listing, without those that are delivered. */
  options: derived(fixed(liveUnit<InstrumentRow[]>())),
  /** 0 while unknown. */
  forward: changing(units.price9),
  /** Only whole minutes look at it, and not each second. */
  sleeps: changing(units.flag),
}

/** The options of one index and one expiration: they have one forward. */
export interface SeriesRow extends RowOf<typeof seriesFields> {}

export const optionFields = {
  contract: derived(fixed(liveUnit<OptionContract>())),
  /** Kept with each of its options: one that is delivered may be the last that knows it. */
  series: wired(fixed(wiredUnit(seriesFields))),
  /** Mark volatility in 1e-9; 0 while no forward was known. */
  volatility9: changing(units.nano),
  /** True once its own book, a control or a feed set its volatility; before, the smile or other strikes give it. */
  isTold: changing(units.flag),
}

/** State that only options have. */
export interface OptionState extends RowOf<typeof optionFields> {}

export const fundingFields = {
  /** Sum since listing, at `since`: 1e-24 coin for each USD, or 1e-18 quote for each coin. */
  accumulated: changing(units.wide),
  /** Rate in force, for 8 hours: exactly, times the index that it holds at (see `fundingExcess`). */
  excess: changing(units.wide),
  /** The same as it is shown, in 1e-8. */
  rate8: changing(units.rate8),
  since: changing(units.micros),
  /** Paid by long holders since the last settlement, in nano. */
  paidByLongs: changing(units.wide),
}

/** Funding of a perpetual as it runs. */
export interface FundingState extends RowOf<typeof fundingFields> {}

/** Profits of one coin of an option in every scenario, and its delta, at a minute. */
export interface OptionStress {
  readonly minute: number
  readonly profits9: Float64Array
  readonly delta9: number
}

export const optionRiskFields = {
  mark9: derived(fixed(units.nano)),
  forward9: derived(fixed(units.nano)),
  index9: derived(fixed(units.nano)),
  volatility9: derived(fixed(units.nano)),
  /** Standard margin at it. */
  marked: derived(fixed(liveUnit<MarkedOption>())),
  /** Its profits in the scenarios of portfolio margin, and their minute; null until asked for. */
  stress: cached(changing(liveUnit<OptionStress | null>()), [
    'optionRisks.forward9',
    'optionRisks.volatility9',
    'exchange.now',
  ]),
}

/** The market of an option as margin sees it, and what follows from it. */
export interface OptionRisk extends RowOf<typeof optionRiskFields> {}

/** Ends of a price band in ticks, with what they were found from; `value/band.ts` finds them. 0 before the first time. */
export interface PriceBand {
  min: Ticks
  max: Ticks
  mark: Price9
  whole: Price9
  instrument: Instrument | null
}

export const instrumentFields = {
  /** Its steps may change, by `setSteps`; nothing else of it does. */
  instrument: changing(plainUnit<Instrument>('specification')),
  terms: derived(fixed(liveUnit<ContractTerms>())),
  scale: derived(fixed(liveUnit<MarginScale>())),
  /** The model of places in its recorded queues; null in a closed market. */
  queue: fixed(plainUnit<QueueModel | null>('queue model')),
  book: apart(fixed(liveUnit<Book>())),
  /** Orders that wait for each price of the instrument. */
  triggers: derived(fixed(liveUnit<{ readonly [S in TriggerSource]: TriggerBook }>())),
  index: derived(fixed(liveUnit<IndexRow>())),
  /** Id of the currency of profit and fees. */
  settlement: derived(fixed(units.currencyId)),
  /** The base currency of a spot pair, else -1. */
  base: derived(fixed(plainUnit<CurrencyId | -1>('currency'))),
  state: changing(plainUnit<InstrumentState>('state of a book')),
  /** Since when its book has that state. */
  stateSince: changing(units.micros),
  /** 0 while unknown. Set by `setMark`, with the arithmetic at that price. */
  mark: changing(units.price9),
  /** True if the mark is known: that of a combo, or of a worthless option, may be 0. */
  hasMark: changing(units.flag),
  markTerms: derived(changing(liveUnit<PricedTerms>())),
  markScale: derived(changing(liveUnit<MarkedScale>())),
  markRule: changing(wordUnit('rule of a mark', markRules)),
  /** Average premium of the fair price over the index in 1e-9 (market.md 3.2). */
  ema9: changing(units.nano),
  /** Its mark is index and premium, and so takes part in ticks of the price grid. */
  isMarkComputed: derived(fixed(units.flag)),
  /** It could take part in the next tick, and does not; that of an option is of its series. */
  sleeps: changing(units.flag),
  /** Fair price of a book with two sides, and the `changeId` it was found at; -1 for none. */
  fair9: cached(changing(units.nano), ['instruments.fairSeen']),
  fairSeen: cached(changing(units.count), ['instruments.changeId']),
  /** Null except for perpetuals. */
  funding: fixed(orNull(rowUnit('funding', fundingFields))),
  /** The market that the margin of an option was last computed from; null while unknown, and for other instruments. */
  risk: derived(changing(liveUnit<OptionRisk | null>())),
  /** Null except for options. */
  option: wired(fixed(orNull(wiredUnit(optionFields)))),
  /** Mark of the last settlement, 0 before the first. */
  settlementPrice: changing(units.price9),
  /** Fixed at 08:00 of its last day, 0 before. */
  deliveryPrice: changing(units.price9),
  /** When it was delivered, which is final; null until it is. */
  deliveredAt: changing(orNull(units.micros)),
  /** The state of its book before the settlement that is going on; null while none is. */
  stateBefore: changing(plainUnit<InstrumentState | null>('state of a book or null')),
  /** True if there is a band; of a combo either end may be 0 or below. */
  hasBand: changing(units.flag),
  band: cached(fixed(liveUnit<PriceBand>()), [
    'instruments.mark',
    'instruments.instrument',
    'instruments.legs',
    'indices.price',
  ]),
  tradeSeq: changing(units.count),
  /** 0 before the first trade; of a combo after it, too, where that was its price. */
  lastPrice: changing(units.price9),
  hasLastPrice: changing(units.flag),
  /** Price of the last trade in its own book, which its triggers wait for; null before the first (C31e). */
  bookPrice: changing(orNull(units.price9)),
  lastMove: changing(plainUnit<'none' | 'up' | 'down'>('move')),
  changeId: changing(units.count),
  /** Holdings of this instrument, in the order in which they arose. */
  holdings: derived(fixed(liveUnit<number[]>())),
  /** No holding has more lots, on either side; infinite until all of them were checked. */
  mostLots: cached(changing(liveUnit<number>()), ['exchange.ledger', 'exchange.margin']),
  /** Those that each mark revalues, in any order; the others are skipped. */
  checked: cached(fixed(liveUnit<number[]>()), ['holdings.skip']),
  /** When they were last looked at, and the time that went by before that, in microseconds. */
  lookedAt: cached(changing(units.count), ['exchange.now']),
  lookPause: cached(changing(units.count), ['instruments.lookedAt']),
  /** Bounds of skipped holdings: upper ones, and lower ones with a minus sign. */
  skipBelow: cached(fixed(liveUnit<NumberHeap>()), ['holdings.skip']),
  skipAbove: cached(fixed(liveUnit<NumberHeap>()), ['holdings.skip']),
  /** Legs of a combo, once all of them are listed; else none. */
  legs: derived(changing(liveUnit<readonly ComboLegRow[]>())),
  /** Combos that it is a leg of, in the order of listing. */
  combos: derived(fixed(liveUnit<InstrumentRow[]>())),
  /** Time at which a combo was listed, opened again or last traded. */
  usedAt: changing(units.micros),
}

/** An instrument with everything that changes about it. */
export interface InstrumentRow extends RowOf<typeof instrumentFields> {}

/** A leg of a combo with its signed ratio. */
export interface ComboLegRow {
  readonly row: InstrumentRow
  readonly ratio: number
}

/**
 * True if the price at which it ends is fixed: it was delivered, or its delivery waits for a halted book.
 * Its mark no longer moves.
 */
export function isPriceFixed({ deliveredAt, deliveryPrice }: InstrumentRow): boolean {
  return deliveredAt !== null || deliveryPrice > 0
}

/** One coin in 1e-9. */
export const ONE_COIN9 = 1_000_000_000

/** True if profit and premium are paid in the coin that it is on. */
export function isCoinSettled({ instrument }: InstrumentRow): boolean {
  return instrument.settlementCurrency === instrument.baseCurrency
}

/** Price of an instrument by a source now; 0 while unknown, see `isSourceKnown`. */
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

/** True if a price of an instrument is known. */
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
