/**
 * The risk matrices of a portfolio as JSON, for `pme/simulate`.
 *
 * Standard cells go from the largest fall to the largest rise, with three volatilities each: up, same, down. The
 * margins of a currency are the sums over its pairs; its worst case names the cell of the pair with the largest loss.
 * Source: market.md 6.5 (T81-T86; published replies).
 */

import { amount, defined, divHalfAwayBig, type InstrumentId, lots, scaledToNumber } from '../../../../core/index.ts'
import {
  allInstruments,
  type Exchange,
  type SimulatedPair,
  type SimulatedPosition,
  timeOf,
  viewMarket,
} from '../../../../engine/index.ts'
import { amount9OfLots, type Instrument, type PortfolioTerms } from '../../../../model/index.ts'
import { digitsOut, moneyOut, priceOut, timeOut } from '../../../wire/index.ts'

/** Cells of the two tables. */
export interface WireVectors {
  readonly standard: readonly number[]
  readonly extended: readonly number[]
}

/** The bucket with the largest loss. */
export interface WireBucket {
  /** Number in its table, from 1. */
  readonly index: number
  readonly bucket: number
  /** Left if prices fall, right if they rise. */
  readonly side: 'left' | 'right'
  /** The table of the bucket. */
  readonly source: 'standard' | 'extended'
}

/** Margins of a currency. */
export interface WireRiskMargins {
  readonly initial_margin: number
  readonly maintenance_margin: number
  readonly initial_margin_details: {
    readonly open_orders_margin: number
    readonly mmp_margin: number
    readonly spot_margin: number
    readonly risk_matrix_margin: number
    readonly risk_matrix_margin_details: {
      readonly correlation_contingency: number
      readonly worst_case: number
      /** Null if no cell has a loss. */
      readonly worst_case_bucket: WireBucket | null
      readonly roll_shock: number
      readonly delta_shock: number
    }
  }
}

/** The result of `pme/simulate`. */
export interface WireRiskMatrix {
  readonly ticker: { readonly [name: string]: { index_price: number; mark_price: number } }
  readonly index_price: { readonly [index: string]: number }
  readonly portfolio: {
    /** Sizes in coin. */
    readonly position: { readonly [name: string]: number }
    /** Coins in addition to the positions, by currency; always empty. */
    readonly currency: { readonly [currency: string]: number }
  }
  readonly margins: { readonly [currency: string]: WireRiskMargins }
  readonly initial_risk_vectors: { readonly [name: string]: WireVectors }
  /** Sums by pair, before profits offset losses and losses are dampened. */
  readonly pre_aggregated_risk_vectors: { readonly [pair: string]: WireVectors }
  readonly aggregated_risk_vectors: { readonly [pair: string]: WireVectors }
  readonly model_params: WireModelParams
}

/** The configured parameters of the model. */
export interface WireModelParams {
  readonly general: { readonly [name: string]: number }
  readonly currency: {
    readonly [currency: string]: { readonly [name: string]: number | boolean | string }
  }
  readonly currency_pair: { readonly [index: string]: { readonly [name: string]: number } }
}

const STANDARD_CELLS = 27

const VOLATILITIES = 3

const MIDDLE_BUCKET = 5

const EXTENDED_FALLS = 2

/** Margin held in a currency for market-maker protection, in nano. */
type HeldMargin = (currency: SimulatedPair['currency']) => bigint

/** The matrices of pairs, with the margin that each currency holds in addition. */
export function riskMatrixOut(exchange: Exchange, pairs: readonly SimulatedPair[], heldOf: HeldMargin): WireRiskMatrix {
  const instruments = allInstruments(exchange)
  const positions = pairs.flatMap((pair) =>
    pair.positions.map((position) => ({
      position,
      instrument: simulatedInstrument(instruments, position.instrument),
    })),
  )
  const byName = <T>(out: (position: SimulatedPosition, instrument: Instrument) => T): { readonly [name: string]: T } =>
    Object.fromEntries(positions.map(({ position, instrument }) => [instrument.name, out(position, instrument)]))
  const byPair = <T>(out: (pair: SimulatedPair) => T): { readonly [pair: string]: T } =>
    Object.fromEntries(pairs.map((pair) => [pairName(pair), out(pair)]))
  return {
    ticker: byName((_position, { id }) => {
      const { index, mark } = viewMarket(exchange, id)
      return { index_price: priceOut(index), mark_price: priceOut(mark) }
    }),
    index_price: Object.fromEntries(
      positions.map(({ instrument }) => [instrument.priceIndex, priceOut(viewMarket(exchange, instrument.id).index)]),
    ),
    portfolio: {
      position: byName((position, instrument) => moneyOut(amount(simulatedSize(exchange, instrument, position.lots)))),
      currency: {},
    },
    margins: marginsOut(pairs, heldOf),
    initial_risk_vectors: byName(({ profits }) => vectorsOut(profits)),
    pre_aggregated_risk_vectors: byPair(({ cells }) => vectorsOut(cells)),
    aggregated_risk_vectors: byPair(({ counted }) => vectorsOut(counted)),
    model_params: paramsOut(exchange, pairs),
  }
}

/** The name of a pair, such as `btc_btc`: the base of the index and the currency of the margins. */
function pairName(pair: SimulatedPair): string {
  return `${baseOf(pair.index)}_${pair.currency.toLowerCase()}`
}

function baseOf(index: string): string {
  return index.split('_')[0] ?? index
}

function vectorsOut(cells: readonly bigint[]): WireVectors {
  const out = cells.map((cell) => digitsOut(cell, 9))
  return { standard: out.slice(0, STANDARD_CELLS), extended: out.slice(STANDARD_CELLS) }
}

function marginsOut(
  pairs: readonly SimulatedPair[],
  heldOf: HeldMargin,
): { readonly [currency: string]: WireRiskMargins } {
  const margins = new Map<string, WireRiskMargins>()
  for (const { currency } of pairs) {
    const own = pairs.filter((pair) => pair.currency === currency)
    margins.set(currency.toLowerCase(), currencyMargins(own, heldOf(currency)))
  }
  return Object.fromEntries(margins)
}

function currencyMargins(pairs: readonly SimulatedPair[], held: bigint): WireRiskMargins {
  const sum = (of: (pair: SimulatedPair) => bigint): bigint => pairs.reduce((total, pair) => total + of(pair), 0n)
  const atto = (of: (pair: SimulatedPair) => bigint): number => scaledToNumber(sum(of), 18)
  const worst = pairs.reduce((most, pair) => (pair.risk.worst > most.risk.worst ? pair : most))
  return {
    initial_margin: digitsOut(sum(({ margin }) => margin.initial) + held, 9),
    maintenance_margin: digitsOut(
      sum(({ margin }) => margin.maintenance),
      9,
    ),
    initial_margin_details: {
      open_orders_margin: digitsOut(
        sum(({ margin }) => margin.openOrders),
        9,
      ),
      mmp_margin: digitsOut(held, 9),
      spot_margin: 0,
      risk_matrix_margin: atto(({ risk }) => risk.risk18),
      risk_matrix_margin_details: {
        correlation_contingency: 0,
        worst_case: digitsOut(
          sum(({ risk }) => risk.worst),
          9,
        ),
        worst_case_bucket: bucketOut(worst.risk.cell),
        roll_shock: atto(({ risk }) => risk.roll18),
        delta_shock: atto(({ risk }) => risk.shock18),
      },
    },
  }
}

/** Assumed: the middle, without a price change, is on the right, and each cell of the extended table is a bucket. */
function bucketOut(cell: number): WireBucket | null {
  if (cell < 0) return null
  if (cell >= STANDARD_CELLS) {
    const index = cell - STANDARD_CELLS + 1
    const side = index <= EXTENDED_FALLS ? 'left' : 'right'
    return { index, bucket: index, side, source: 'extended' }
  }
  const bucket = (cell - (cell % VOLATILITIES)) / VOLATILITIES + 1
  const side = bucket < MIDDLE_BUCKET ? 'left' : 'right'
  return { index: cell + 1, bucket, side, source: 'standard' }
}

function paramsOut(exchange: Exchange, pairs: readonly SimulatedPair[]): WireModelParams {
  const currency = pairs.map(({ index, terms }) => [baseOf(index), currencyParams(terms)] as const)
  const pair = pairs.map(({ index, terms }) => [index, pairParams(terms)] as const)
  return {
    general: {
      timestamp: timeOut(timeOf(exchange)),
      mm_factor: 0.8,
      buckets_count: 4,
      vol_scenarios_count: 3,
    },
    currency: Object.fromEntries(currency),
    currency_pair: Object.fromEntries(pair),
  }
}

function currencyParams(terms: PortfolioTerms): WireModelParams['currency'][string] {
  return {
    min_annualised_move: terms.minAnnualisedMove,
    annualised_move_risk: terms.annualisedMoveRisk,
    extended_dampener: terms.extendedDampener,
    pnl_offset: terms.pnlOffset,
    max_offsetable_pnl: terms.pnlOffsetMax,
    correlation_set: false,
    equity_side_impact: 'both',
    haircut: 0,
  }
}

function pairParams(terms: PortfolioTerms): WireModelParams['currency_pair'][string] {
  return {
    price_range: terms.priceRange,
    m_inc: terms.deltaShockIncrease,
    delta_total_liq_shock_threshold: terms.deltaShockThreshold,
    max_delta_shock: terms.deltaShockMax,
    min_volatility_for_shock_up: terms.minVolatilityForShockUp,
    volatility_range_up: terms.volatilityUp,
    volatility_range_down: terms.volatilityDown,
    extended_table_factor: terms.extendedTableFactor,
    short_term_vega_power: terms.shortVegaPower,
    long_term_vega_power: terms.longVegaPower,
  }
}

/**
 * Sizes of simulated positions: in coin, as the venue writes them, and in lots. A size that is not a whole number of
 * lots is rounded to the nearest one. Source: market.md 6.5; the venue's public reference.
 */

const NANO = 1_000_000_000n

/** Signed lots of a size in coin (1e-9); 0 for an inverse contract whose mark is unknown. */
export function lotsOfCoin(exchange: Exchange, instrument: Instrument, coin9: bigint): number {
  const mark = BigInt(viewMarket(exchange, instrument.id).mark)
  const inverse = instrument.payoff === 'inverse'
  const amount9 = inverse ? divHalfAwayBig(coin9 * mark, NANO) : coin9
  return Number(divHalfAwayBig(amount9, BigInt(instrument.amountStep9)))
}

/** Size in coin (1e-9) of signed lots. */
function simulatedSize(exchange: Exchange, instrument: Instrument, size: number): bigint {
  const amount9 = amount9OfLots(instrument, lots(size))
  if (instrument.payoff !== 'inverse') return amount9
  const mark = BigInt(viewMarket(exchange, instrument.id).mark)
  return mark === 0n ? 0n : divHalfAwayBig(amount9 * NANO, mark)
}

/** A listed instrument by its id. */
export function simulatedInstrument(instruments: readonly Instrument[], id: InstrumentId): Instrument {
  return defined(instruments[id], 'a simulated position is in a listed instrument')
}
