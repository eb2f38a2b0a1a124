/**
 * Rows of instruments and of the indices that they follow: everything that changes about them.
 */
import {
  type Book,
  createBook,
  createReplayBook,
  createTriggerBook,
  queueModelRules,
  type TriggerBook,
} from '../../book/index.ts'
import {
  assert,
  type CurrencyId,
  type Micros,
  type Price9,
  price9,
  type Ticks,
  ticks,
} from '../../core/index.ts'
import {
  type ContractTerms,
  contractTerms,
  type PricedTerms,
  pricedTerms,
} from '../../ledger/index.ts'
import {
  type MarginScale,
  type MarkedOption,
  type MarkedScale,
  markedScale,
} from '../../margin/index.ts'
import {
  currencyIdOf,
  type Instrument,
  type InstrumentState,
  isCurrency,
  type QueueModel,
  type TriggerSource,
} from '../../model/index.ts'
import { type OptionContract, optionContract } from '../../pricing/index.ts'
import { createDeliveryAverage, type DeliveryAverage } from './delivery-average.ts'
import type { Exchange } from './exchange.ts'

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
  /** Whether one of these moved and its options do not know yet; never so between commands. */
  isStale: boolean
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

/** The row of an index, made when first named. */
export function indexRow(exchange: Exchange, name: string): IndexRow {
  const known = exchange.indices.get(name)
  if (known !== undefined) return known
  const row: IndexRow = {
    name,
    price: price9(0),
    mid: NO_INSTRUMENT,
    followers: [],
    futures: [],
    isStale: false,
    average: createDeliveryAverage(),
  }
  exchange.indices.set(name, row)
  return row
}

/** A fresh row of an instrument; the caller appends it. */
export function instrumentRow(
  exchange: Exchange,
  instrument: Instrument,
  queue: QueueModel | null,
): InstrumentRow {
  const spot = instrument.detail.type === 'spot'
  const scale = pricedSpec(instrument)
  const terms = contractTerms(scale)
  const isMarkComputed = instrument.mark !== null && exchange.config.marks === 'venue'
  const index = indexRow(exchange, instrument.priceIndex)
  const option = optionState(exchange, instrument, index)
  return {
    instrument,
    terms,
    scale,
    queue,
    book:
      queue === null
        ? createBook(exchange.slots)
        : createReplayBook(exchange.slots, queueModelRules[queue]),
    triggers: {
      index_price: createTriggerBook(),
      mark_price: createTriggerBook(),
      last_price: createTriggerBook(),
    },
    index,
    settlement: currencyIdOf(instrument.settlementCurrency),
    base: spot ? spotBase(instrument) : -1,
    state: 'open',
    stateSince: exchange.now,
    mark: price9(0),
    hasMark: false,
    markTerms: pricedTerms(terms, 0),
    markScale: markedScale(scale, 0),
    markRule: 'venue',
    ema9: 0,
    isMarkComputed,
    sleeps: isMarkComputed || option !== null,
    fair9: 0,
    fairSeen: -1,
    funding:
      instrument.funding === null
        ? null
        : { accumulated: 0n, excess: 0n, rate8: 0, since: exchange.now, paidByLongs: 0n },
    risk: null,
    option,
    settlementPrice: price9(0),
    deliveryPrice: price9(0),
    deliveredAt: null,
    stateBefore: null,
    hasBand: false,
    bandMin: ticks(0),
    bandMax: ticks(0),
    tradeSeq: 0,
    lastPrice: price9(0),
    hasLastPrice: false,
    bookPrice: null,
    lastMove: 'none',
    changeId: 0,
    holdings: [],
    legs: [],
    combos: [],
    usedAt: exchange.now,
  }
}

function optionState(
  exchange: Exchange,
  instrument: Instrument,
  index: IndexRow,
): OptionState | null {
  const contract = optionContract(instrument)
  if (contract === null) return null
  const { expiration } = instrument
  const isOwn = (row: SeriesRow): boolean => row.index === index && row.expiration === expiration
  const known = exchange.series.find(isOwn) ?? goneSeries(exchange, isOwn)
  const series = known ?? { index, expiration, options: [], forward: price9(0), sleeps: true }
  return { contract, series, volatility9: 0 }
}

/** A series that some of its options, which are delivered, still tell the forward of. */
function goneSeries(
  { instruments }: Exchange,
  isOwn: (row: SeriesRow) => boolean,
): SeriesRow | undefined {
  for (const { option } of instruments) {
    if (option !== null && isOwn(option.series)) return option.series
  }
  return undefined
}

/** Lets an instrument that is not delivered follow its index, and an option its series. */
export function enterIndex(exchange: Exchange, row: InstrumentRow): void {
  const { index, option, instrument } = row
  index.followers.push(instrument.id)
  if (option !== null) {
    const { series } = option
    if (series.options.length === 0) exchange.series.push(series)
    series.options.push(row)
    row.sleeps = series.sleeps
  }
  if (instrument.detail.type !== 'future') return
  const later = index.futures.findIndex((at) => at.instrument.expiration > instrument.expiration)
  index.futures.splice(later < 0 ? index.futures.length : later, 0, row)
}

/** What is delivered follows no more. */
export function leaveIndex(exchange: Exchange, row: InstrumentRow): void {
  const { index, option, instrument } = row
  removeFrom(index.followers, instrument.id)
  if (option !== null) {
    removeFrom(option.series.options, row)
    if (option.series.options.length === 0) removeFrom(exchange.series, option.series)
  }
  if (instrument.detail.type !== 'future') return
  removeFrom(index.futures, row)
  index.isStale = true
}

function removeFrom<T>(list: T[], item: T): void {
  const at = list.indexOf(item)
  assert(at >= 0, 'what leaves a list is in it')
  list.splice(at, 1)
}

/**
 * The specification that its prices are computed by. A price of a combo is a difference, so that means of it
 * are those of a linear contract, whatever its legs are; money moves at the prices of these.
 */
function pricedSpec(instrument: Instrument): Instrument {
  return instrument.detail.type === 'combo' ? { ...instrument, payoff: 'linear' } : instrument
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

function spotBase(instrument: Instrument): CurrencyId {
  assert(isCurrency(instrument.baseCurrency), 'the base of a spot pair can be held')
  return currencyIdOf(instrument.baseCurrency)
}
