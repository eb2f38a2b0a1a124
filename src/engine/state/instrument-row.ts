/**
 * Rows of instruments and of the indices that they follow, with all their changing state.
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

/** Means that there is no instrument. */
export const NO_INSTRUMENT = -1

export const indexFields = {
  name: fixed(units.text),
  /** 0 while unknown. */
  price: changing(units.price9),
  /** The instrument whose recorded mid price it follows, or NO_INSTRUMENT. */
  mid: changing(units.row),
  /** Listed instruments that follow it and are not delivered. */
  followers: derived(fixed(liveUnit<number[]>())),
  /** The dated futures among them, by expiration. */
  futures: derived(fixed(liveUnit<InstrumentRow[]>())),
  /** Wallets with skipped holdings estimate funding around this price, in 1e-9 USD; 0 if no wallet does. */
  fundedAround: cached(changing(units.count), ['indices.price']),
  /** Its samples for delivery prices. */
  average: fixed(plainUnit<DeliveryAverage>('samples')),
}

/** A price index and the instruments that follow it. */
export interface IndexRow extends RowOf<typeof indexFields> {}

export const seriesFields = {
  index: derived(fixed(liveUnit<IndexRow>())),
  expiration: derived(fixed(units.micros)),
  /** In the order of listing, without delivered options. */
  options: derived(fixed(liveUnit<InstrumentRow[]>())),
  /** 0 while unknown. */
  forward: changing(units.price9),
  /** True if the price grid updates it only at whole minutes instead of each second. */
  sleeps: changing(units.flag),
}

/** The options of one index and one expiration. They share one forward. */
export interface SeriesRow extends RowOf<typeof seriesFields> {}

export const optionFields = {
  contract: derived(fixed(liveUnit<OptionContract>())),
  /** Snapshots store it with each of its options, because a delivered option may be the last one that refers to it. */
  series: wired(fixed(wiredUnit(seriesFields))),
  /** Mark volatility in 1e-9; 0 while no forward was known. */
  volatility9: changing(units.nano),
  /**
   * True if its own book, a control or a feed has set its volatility. Until then the smile or other strikes determine
   * it.
   */
  isTold: changing(units.flag),
}

/** State that only options have. */
export interface OptionState extends RowOf<typeof optionFields> {}

export const fundingFields = {
  /** Sum since listing, at `since`: 1e-24 coin for each USD, or 1e-18 quote for each coin. */
  accumulated: changing(units.wide),
  /** Current rate for 8 hours, unrounded, times the index at which it applies (see `fundingExcess`). */
  excess: changing(units.wide),
  /** The current rate as the venue shows it, in 1e-8. */
  rate8: changing(units.rate8),
  since: changing(units.micros),
  /** Paid by long holders since the last settlement, in nano. */
  paidByLongs: changing(units.wide),
}

/** Current funding of a perpetual. */
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
  /** Standard margin at these prices. */
  marked: derived(fixed(liveUnit<MarkedOption>())),
  /** Its profits in the scenarios of portfolio margin, and their minute; null until a margin computation needs them. */
  stress: cached(changing(liveUnit<OptionStress | null>()), [
    'optionRisks.forward9',
    'optionRisks.volatility9',
    'exchange.now',
  ]),
}

/** The market data from which the margin of an option is computed, and the values that follow from them. */
export interface OptionRisk extends RowOf<typeof optionRiskFields> {}

/**
 * Ends of a price band in ticks, and the inputs of their last computation in `value/mark.ts`. 0 before the first one.
 */
export interface PriceBand {
  min: Ticks
  max: Ticks
  mark: Price9
  whole: Price9
  instrument: Instrument | null
}

export const instrumentFields = {
  /** Its specification. Only its steps may change, by `setSteps`. */
  instrument: changing(plainUnit<Instrument>('specification')),
  terms: derived(fixed(liveUnit<ContractTerms>())),
  scale: derived(fixed(liveUnit<MarginScale>())),
  /** The model of positions in its recorded queues; null in a closed market. */
  queue: fixed(plainUnit<QueueModel | null>('queue model')),
  book: apart(fixed(liveUnit<Book>())),
  /** Trigger orders that wait for each price of the instrument. */
  triggers: derived(fixed(liveUnit<{ readonly [S in TriggerSource]: TriggerBook }>())),
  index: derived(fixed(liveUnit<IndexRow>())),
  /** Id of the currency of profit and fees. */
  settlement: derived(fixed(units.currencyId)),
  /** The base currency of a spot pair, otherwise -1. */
  base: derived(fixed(plainUnit<CurrencyId | -1>('currency'))),
  state: changing(plainUnit<InstrumentState>('state of a book')),
  /** The time since which its book has that state. */
  stateSince: changing(units.micros),
  /** 0 while unknown. `setMark` sets it and the arithmetic at that price. */
  mark: changing(units.price9),
  /** True if the mark is known: a combo or a worthless option may have the mark 0. */
  hasMark: changing(units.flag),
  markTerms: derived(changing(liveUnit<PricedTerms>())),
  markScale: derived(changing(liveUnit<MarkedScale>())),
  markRule: changing(wordUnit('rule of a mark', markRules)),
  /** Average premium of the fair price over the index in 1e-9 (market.md 3.2). */
  ema9: changing(units.nano),
  /** True if its mark is computed from index and premium, at ticks of the price grid. */
  isMarkComputed: derived(fixed(units.flag)),
  /**
   * True if it skips the next tick although it is one of the instruments that ticks update. An option has the value of
   * its series.
   */
  sleeps: changing(units.flag),
  /**
   * Fair price of a book with two sides, and the `changeId` at which it was computed; -1 before the first computation.
   */
  fair9: cached(changing(units.nano), ['instruments.fairSeen']),
  fairSeen: cached(changing(units.count), ['instruments.changeId']),
  /** Null except for perpetuals. */
  funding: fixed(orNull(rowUnit('funding', fundingFields))),
  /**
   * The market data from which the margin of an option was last computed; null while unknown, and for other
   * instruments.
   */
  risk: derived(changing(liveUnit<OptionRisk | null>())),
  /** Null except for options. */
  option: wired(fixed(orNull(wiredUnit(optionFields)))),
  /** Mark at the last settlement, 0 before the first. */
  settlementPrice: changing(units.price9),
  /** Fixed at 08:00 of its last day, 0 before. */
  deliveryPrice: changing(units.price9),
  /** The time of its delivery, which is final; null before. */
  deliveredAt: changing(orNull(units.micros)),
  /** The state of its book before the current settlement; null outside of settlements. */
  stateBefore: changing(plainUnit<InstrumentState | null>('state of a book or null')),
  /** True if there is a band. Both ends of a combo's band may be 0 or below. */
  hasBand: changing(units.flag),
  band: cached(fixed(liveUnit<PriceBand>()), [
    'instruments.mark',
    'instruments.instrument',
    'instruments.legs',
    'indices.price',
  ]),
  tradeSeq: changing(units.count),
  /** 0 before the first trade. The last trade of a combo may also have the price 0. */
  lastPrice: changing(units.price9),
  hasLastPrice: changing(units.flag),
  /** Price of the last trade in its own book, which its last-price triggers use; null before the first (C31e). */
  bookPrice: changing(orNull(units.price9)),
  lastMove: changing(plainUnit<'none' | 'up' | 'down'>('move')),
  changeId: changing(units.count),
  /** Holdings of this instrument, in the order in which they were created. */
  holdings: derived(fixed(liveUnit<number[]>())),
  /** Upper bound of the lots of each holding, on either side; infinite until all holdings were checked. */
  mostLots: cached(changing(liveUnit<number>()), ['exchange.ledger', 'exchange.margin']),
  /** Upper bound of `profitShare` of each holding; infinite until all holdings were checked. */
  mostProfit: cached(changing(liveUnit<number>()), ['exchange.ledger', 'exchange.margin']),
  /** Holdings that each mark revalues, in any order. The other holdings are skipped. */
  checked: cached(fixed(liveUnit<number[]>()), ['holdings.skip']),
  /** Time of the last check of these holdings, and the time between that check and the one before, in microseconds. */
  lookedAt: cached(changing(units.count), ['exchange.now']),
  lookPause: cached(changing(units.count), ['instruments.lookedAt']),
  /** Bounds of skipped holdings: the upper ones, and the lower ones with a minus sign. */
  skipBelow: cached(fixed(liveUnit<NumberHeap>()), ['holdings.skip']),
  skipAbove: cached(fixed(liveUnit<NumberHeap>()), ['holdings.skip']),
  /** Legs of a combo when all of them are listed; empty before, and for other instruments. */
  legs: derived(changing(liveUnit<readonly ComboLegRow[]>())),
  /** Combos that have it as a leg, in the order of listing. */
  combos: derived(fixed(liveUnit<InstrumentRow[]>())),
  /** Time at which a combo was listed, reopened or last traded. */
  usedAt: changing(units.micros),
}

/** An instrument with all its changing state. */
export interface InstrumentRow extends RowOf<typeof instrumentFields> {}

/** A leg of a combo with its signed ratio. */
export interface ComboLegRow {
  readonly row: InstrumentRow
  readonly ratio: number
}

/**
 * True if the price at which the instrument ends is fixed: it was delivered, or its delivery waits for a halted book.
 * Its mark no longer moves.
 */
export function isPriceFixed(row: InstrumentRow): boolean {
  return row.deliveredAt !== null || row.deliveryPrice > 0
}

/** One coin in 1e-9. */
export const ONE_COIN9 = 1_000_000_000

/** True if profit and premium are paid in the instrument's base coin. */
export function isCoinSettled({ instrument }: InstrumentRow): boolean {
  return instrument.settlementCurrency === instrument.baseCurrency
}

/** The current price of an instrument from a source; 0 while unknown, see `isSourceKnown`. */
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

/** True if the price of an instrument from a source is known. */
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

/** Sets the mark of an instrument and the arithmetic at it. The caller revalues the holdings. */
export function setMark(row: InstrumentRow, mark: Price9): void {
  row.mark = mark
  row.hasMark = true
  row.markTerms = pricedTerms(row.terms, mark)
  row.markScale = markedScale(row.scale, mark)
}
