/**
 * The instruments, indices and series of an exchange: creates their rows, and makes an instrument follow its index or
 * leave it. Links combos to their legs: a leg may be listed before its combo or after it.
 */
import { createBook, createReplayBook, createTriggerBook, queueModelRules } from '../../book/index.ts'
import { assert, type CurrencyId, createNumberHeap, modFloor, mulDivFloor, price9, ticks } from '../../core/index.ts'
import { contractTerms, pricedTerms } from '../../ledger/index.ts'
import { type MarginScale, markedScale } from '../../margin/index.ts'
import {
  currencyIdOf,
  type Instrument,
  type InstrumentSpec,
  isCurrency,
  opposite,
  type QueueModel,
  type Side,
} from '../../model/index.ts'
import { optionContract } from '../../pricing/index.ts'
import { createDeliveryAverage } from './delivery-average.ts'
import type { Exchange } from './exchange.ts'
import {
  type ComboLegRow,
  type IndexRow,
  type InstrumentRow,
  NO_INSTRUMENT,
  type OptionState,
  type SeriesRow,
} from './instrument-row.ts'

/** The row of an index. Creates it if it does not exist. */
export function indexRow(exchange: Exchange, name: string): IndexRow {
  const known = exchange.indices.get(name)
  if (known !== undefined) return known
  const row: IndexRow = {
    name,
    price: price9(0),
    mid: NO_INSTRUMENT,
    followers: [],
    futures: [],
    average: createDeliveryAverage(),
    fundedAround: 0,
  }
  exchange.indices.set(name, row)
  return row
}

/** A new row of an instrument. The caller appends it. */
export function instrumentRow(exchange: Exchange, instrument: Instrument, queue: QueueModel | null): InstrumentRow {
  const spot = instrument.detail.type === 'spot'
  const priced = pricedSpec(instrument)
  const scale = marginScale(priced)
  const terms = contractTerms(priced)
  const isMarkComputed = instrument.mark !== null && exchange.config.marks === 'venue'
  const index = indexRow(exchange, instrument.priceIndex)
  const option = optionState(exchange, instrument, index)
  return {
    instrument,
    terms,
    scale,
    queue,
    book: queue === null ? createBook(exchange.slots) : createReplayBook(exchange.slots, queueModelRules[queue]),
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
    band: { min: ticks(0), max: ticks(0), mark: price9(0), whole: price9(0), instrument: null },
    tradeSeq: 0,
    lastPrice: price9(0),
    hasLastPrice: false,
    bookPrice: null,
    lastMove: 'none',
    changeId: 0,
    holdings: [],
    mostLots: Number.POSITIVE_INFINITY,
    mostProfit: Number.POSITIVE_INFINITY,
    lookedAt: 0,
    lookPause: 0,
    checked: [],
    skipBelow: createNumberHeap(),
    skipAbove: createNumberHeap(),
    legs: [],
    combos: [],
    usedAt: exchange.now,
  }
}

function optionState(exchange: Exchange, instrument: Instrument, index: IndexRow): OptionState | null {
  const contract = optionContract(instrument)
  if (contract === null) return null
  const isOwn = (row: SeriesRow): boolean => row.index === index && row.expiration === instrument.expiration
  const known = exchange.series.find(isOwn) ?? goneSeries(exchange, isOwn)
  const series = known ?? { index, expiration: instrument.expiration, options: [], forward: price9(0), sleeps: true }
  return { contract, series, volatility9: 0, isTold: false }
}

/** A series that is no longer listed but that delivered options still refer to, with its forward. */
function goneSeries({ instruments }: Exchange, isOwn: (row: SeriesRow) => boolean): SeriesRow | undefined {
  for (const { option } of instruments) {
    if (option !== null && isOwn(option.series)) return option.series
  }
  return undefined
}

/**
 * Gives an instrument a specification with other steps. Nothing else in it changes. Prices, margin and the ledger do
 * not depend on steps, so values derived from the old specification stay valid.
 */
export function setSteps(row: InstrumentRow, changed: InstrumentSpec): void {
  row.instrument = { ...changed, id: row.instrument.id }
}

/** Adds an undelivered instrument to the followers of its index, and an option to its series. */
export function enterIndex(exchange: Exchange, row: InstrumentRow): void {
  const { index, option, instrument } = row
  index.followers.push(instrument.id)
  if (option !== null) {
    if (option.series.options.length === 0) exchange.series.push(option.series)
    option.series.options.push(row)
    row.sleeps = option.series.sleeps
  }
  if (instrument.detail.type !== 'future') return
  const later = index.futures.findIndex((at) => at.instrument.expiration > instrument.expiration)
  index.futures.splice(later < 0 ? index.futures.length : later, 0, row)
}

/** Removes a delivered instrument from its index and its series. */
export function leaveIndex(exchange: Exchange, row: InstrumentRow): void {
  removeFrom(row.index.followers, row.instrument.id)
  if (row.option !== null) {
    removeFrom(row.option.series.options, row)
    if (row.option.series.options.length === 0) removeFrom(exchange.series, row.option.series)
  }
  if (row.instrument.detail.type !== 'future') return
  removeFrom(row.index.futures, row)
  exchange.staleIndices.add(row.index)
}

function removeFrom<T>(list: T[], item: T): void {
  const at = list.indexOf(item)
  assert(at >= 0, 'a removed item was in the list')
  list.splice(at, 1)
}

/**
 * The specification from which its prices are computed. A price of a combo is a difference, so its means are those of a
 * linear contract, whatever its legs are. Money moves at the prices of the legs.
 */
function pricedSpec(instrument: Instrument): Instrument {
  return instrument.detail.type === 'combo' ? { ...instrument, payoff: 'linear' } : instrument
}

/** Only the terms that margin needs: the rest of the specification may change while rows keep this object. */
function marginScale(instrument: Instrument): MarginScale {
  return { margin: instrument.margin, payoff: instrument.payoff, amountStep9: instrument.amountStep9 }
}

function spotBase(instrument: Instrument): CurrencyId {
  assert(isCurrency(instrument.baseCurrency), 'the base currency of a spot pair can be held')
  return currencyIdOf(instrument.baseCurrency)
}

/** Links combos to their legs when an instrument is listed that is a combo or may be a leg. */
export function linkCombos(exchange: Exchange, listed: InstrumentRow): void {
  if (listed.instrument.detail.type === 'combo') exchange.unlinkedCombos.push(listed)
  if (exchange.unlinkedCombos.length === 0) return
  exchange.unlinkedCombos = exchange.unlinkedCombos.filter((row) => !linkCombo(exchange, row))
}

/** Links a combo to its legs; false while a leg is not listed. */
function linkCombo(exchange: Exchange, row: InstrumentRow): boolean {
  const { detail } = row.instrument
  if (detail.type !== 'combo') return true
  const legs: ComboLegRow[] = []
  for (const { instrumentName, ratio } of detail.legs) {
    const leg = exchange.instruments[exchange.instrumentIds.get(instrumentName) ?? -1]
    if (leg === undefined) return false
    legs.push({ row: leg, ratio })
  }
  row.legs = legs
  for (const leg of legs) leg.row.combos.push(row)
  return true
}

/** Size of one leg, in lots of the leg, for a size of the combo in its lots. Rounds down. */
export function legLotsOf(combo: InstrumentRow, leg: ComboLegRow, lots: number): number {
  const { amountStep9 } = combo.instrument
  const count = lots * Math.abs(leg.ratio)
  const step9 = leg.row.instrument.amountStep9
  return step9 === amountStep9 ? count : mulDivFloor(count, amountStep9, step9)
}

/** The side on which a trade of the combo on `side` trades this leg. */
export function legSide(leg: Pick<ComboLegRow, 'ratio'>, side: Side): Side {
  return leg.ratio > 0 ? side : opposite(side)
}

/** True if one lot of a combo is a whole number of lots of each leg. A run may change the amount steps of legs. */
export function fitsLegs({ instrument, legs }: InstrumentRow): boolean {
  return legs.every(({ row, ratio }) => {
    return modFloor(Math.abs(ratio) * instrument.amountStep9, row.instrument.amountStep9) === 0
  })
}

/**
 * True if all prices are known that determine the price and margin of an order: the mark of its instrument and, for a
 * combo, the marks of all legs.
 */
export function isMarked(row: InstrumentRow): boolean {
  if (!row.hasMark) return false
  if (row.instrument.detail.type !== 'combo') return true
  return row.legs.length > 0 && row.legs.every((leg) => leg.row.hasMark)
}
