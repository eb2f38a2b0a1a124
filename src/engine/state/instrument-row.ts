/**
 * Rows of instruments and of the indices that they follow: everything that changes about them.
 */
import type { Book, TriggerBook } from '../../book/index.ts'
import {
  apart,
  type CurrencyId,
  cached,
  derived,
  kept,
  liveUnit,
  orNull,
  type Price9,
  plainUnit,
  price9,
  type RowOf,
  rowUnit,
  units,
  wired,
  wiredUnit,
} from '../../core/index.ts'
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

export const indexFields = {
  name: kept.fixed(units.text),
  /** 0 while unknown. */
  price: kept.changing(units.price9),
  /** The instrument whose recorded mid it follows, or NO_INSTRUMENT. */
  mid: kept.changing(units.row),
  /** Listed instruments that are not delivered. */
  followers: derived.fixed(liveUnit<number[]>('instruments')),
  /** Dated futures among them, by expiration. */
  futures: derived.fixed(liveUnit<InstrumentRow[]>('instruments')),
  /** Its samples for delivery prices. */
  average: kept.fixed(plainUnit<DeliveryAverage>('samples')),
}

/** A price index and the instruments that follow it. */
export interface IndexRow extends RowOf<typeof indexFields> {}

export const seriesFields = {
  index: derived.fixed(liveUnit<IndexRow>('index')),
  expiration: derived.fixed(units.micros),
  /** In the order of listing, without those that are delivered. */
  options: derived.fixed(liveUnit<InstrumentRow[]>('instruments')),
  /** 0 while unknown. */
  forward: kept.changing(units.price9),
  /** Only whole minutes look at it, and not each second. */
  sleeps: kept.changing(units.flag),
}

/** The options of one index and one expiration: they have one forward. */
export interface SeriesRow extends RowOf<typeof seriesFields> {}

export const optionFields = {
  contract: derived.fixed(liveUnit<OptionContract>('contract')),
  /** Kept with each of its options: one that is delivered may be the last that knows it. */
  series: wired.fixed(wiredUnit('series', seriesFields)),
  /** Mark volatility in 1e-9; 0 while no forward was known. */
  volatility9: kept.changing(units.nano),
}

/** State that only options have. */
export interface OptionState extends RowOf<typeof optionFields> {}

export const fundingFields = {
  /** Sum since listing, at `since`: 1e-24 coin for each USD, or 1e-18 quote for each coin. */
  accumulated: kept.changing(units.wide),
  /** Rate in force, for 8 hours: exactly, times the index that it holds at (see `fundingExcess`). */
  excess: kept.changing(units.wide),
  /** The same as it is shown, in 1e-8. */
  rate8: kept.changing(units.rate8),
  since: kept.changing(units.micros),
  /** Paid by those who were long since the last settlement, in nano. */
  paidByLongs: kept.changing(units.wide),
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
  mark9: derived.fixed(units.nano),
  forward9: derived.fixed(units.nano),
  index9: derived.fixed(units.nano),
  volatility9: derived.fixed(units.nano),
  /** Standard margin at it. */
  marked: derived.fixed(liveUnit<MarkedOption>('margin')),
  /** Its profits in the scenarios of portfolio margin, and their minute; null until asked for. */
  stress: cached.changing(liveUnit<OptionStress | null>('profits')),
}

/** The market of an option as margin sees it, and what follows from it. */
export interface OptionRisk extends RowOf<typeof optionRiskFields> {}

export const instrumentFields = {
  instrument: kept.fixed(plainUnit<Instrument>('specification')),
  terms: derived.fixed(liveUnit<ContractTerms>('terms')),
  scale: derived.fixed(liveUnit<MarginScale>('scale')),
  /** The model of places in its recorded queues; null in a closed market. */
  queue: kept.fixed(plainUnit<QueueModel | null>('queue model')),
  book: apart.fixed(liveUnit<Book>('book')),
  /** Orders that wait for each price of the instrument. */
  triggers: derived.fixed(
    liveUnit<{ readonly [S in TriggerSource]: TriggerBook }>('trigger orders'),
  ),
  index: derived.fixed(liveUnit<IndexRow>('index')),
  /** Id of the currency of profit and fees. */
  settlement: derived.fixed(units.currencyId),
  /** The base currency of a spot pair, else -1. */
  base: derived.fixed(plainUnit<CurrencyId | -1>('currency')),
  state: kept.changing(plainUnit<InstrumentState>('state of a book')),
  /** Since when its book has that state. */
  stateSince: kept.changing(units.micros),
  /** 0 while unknown. Set by `setMark`, with the arithmetic at that price. */
  mark: kept.changing(units.price9),
  /** Whether the mark is known: that of a combo, or of a worthless option, may be 0. */
  hasMark: kept.changing(units.flag),
  markTerms: derived.changing(liveUnit<PricedTerms>('terms')),
  markScale: derived.changing(liveUnit<MarkedScale>('scale')),
  /** The venue finds the mark, a control has set it, or a feed tells it. */
  markRule: kept.changing(plainUnit<'venue' | 'set' | 'feed'>('rule of a mark')),
  /** Average premium of the fair price over the index in 1e-9 (market.md 3.2). */
  ema9: kept.changing(units.nano),
  /** Its mark is index and premium, and so takes part in ticks of the price grid. */
  isMarkComputed: derived.fixed(units.flag),
  /** It could take part in the next tick, and does not; that of an option is of its series. */
  sleeps: kept.changing(units.flag),
  /** Fair price of a book with two sides, and the `changeId` it was found at; -1 for none. */
  fair9: cached.changing(units.nano),
  fairSeen: cached.changing(units.count),
  /** Null but for perpetuals. */
  funding: kept.fixed(orNull(rowUnit('funding', fundingFields))),
  /** The market that the margin of an option was last computed from; null while unknown, and but for options. */
  risk: derived.changing(liveUnit<OptionRisk | null>('market')),
  /** Null but for options. */
  option: wired.fixed(orNull(wiredUnit('option', optionFields))),
  /** Mark of the last settlement, 0 before the first. */
  settlementPrice: kept.changing(units.price9),
  /** Fixed at 08:00 of its last day, 0 before. */
  deliveryPrice: kept.changing(units.price9),
  /** When it was delivered, which is final; null until it is. */
  deliveredAt: kept.changing(orNull(units.micros)),
  /** The state of its book before the settlement that is going on; null while none is. */
  stateBefore: kept.changing(plainUnit<InstrumentState | null>('state of a book or null')),
  /** Whether there is a band; of a combo either end may be 0 or below. */
  hasBand: kept.changing(units.flag),
  bandMin: kept.changing(units.ticks),
  bandMax: kept.changing(units.ticks),
  tradeSeq: kept.changing(units.count),
  /** 0 before the first trade; of a combo after it, too, where that was its price. */
  lastPrice: kept.changing(units.price9),
  hasLastPrice: kept.changing(units.flag),
  /** Price of the last trade in its own book, which its triggers wait for; null before the first (C31e). */
  bookPrice: kept.changing(orNull(units.price9)),
  lastMove: kept.changing(plainUnit<'none' | 'up' | 'down'>('move')),
  changeId: kept.changing(units.count),
  /** Holdings of this instrument, in the order in which they arose. */
  holdings: derived.fixed(liveUnit<number[]>('holdings')),
  /** Of a combo its legs, once all of them are listed; else none. */
  legs: derived.changing(liveUnit<readonly ComboLegRow[]>('legs')),
  /** Combos that it is a leg of, in the order of listing. */
  combos: derived.fixed(liveUnit<InstrumentRow[]>('combos')),
  /** Of a combo, when it was listed, opened again or last traded. */
  usedAt: kept.changing(units.micros),
}

/** An instrument with everything that changes about it. */
export interface InstrumentRow extends RowOf<typeof instrumentFields> {}

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
