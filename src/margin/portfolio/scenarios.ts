/**
 * The scenarios of portfolio margin: 27 of the standard table and 8 of the extended one.
 *
 * Standard: nine moves of the price evenly from -range to +range, with volatilities up, same and down each; cell 3 i +
 * j is move i with volatility j. Extended, from cell 27 on: -66, -33, +50, +100, +200, +300, +400, +500 %, with
 * volatilities up. Their profits are scaled to the range: factor * (range / |m|) * profit * (1 + m) / (1 + sgn(m)
 * range) in coin, without the last two factors in quote.
 *
 * Rule: margin.portfolio.scenarios. Source: market.md 6.5 (T81, T82, T86). Moves are parts per million.
 */
import { assert, divHalfAwayBig, divNearest, safeNumber } from '../../core/index.ts'
import type { PortfolioTerms } from '../../model/index.ts'

/** Cells of the standard table, and of both. */
export const STANDARD_CELLS = 27
export const SCENARIO_CELLS = 35
/** Largest figure in nano alone: 2^52, so that the difference of two is a safe integer. */
export const NANO_MAX = 4_503_599_627_370_496

const PPM = 1_000_000
const PPM_BIG = 1_000_000n
const NANO = 1_000_000_000n
const SAFE_MAX_BIG = BigInt(Number.MAX_SAFE_INTEGER)
const extendedMoves: readonly number[] = [
  -660_000, -330_000, 500_000, 1_000_000, 2_000_000, 3_000_000, 4_000_000, 5_000_000,
]

/** The volatility of an option in a scenario. */
type VolatilityShock = 'up' | 'same' | 'down'
const shocks: readonly VolatilityShock[] = ['up', 'same', 'down']

/** One scenario. */
interface Scenario {
  readonly movePpm: number
  readonly volatility: VolatilityShock
  /** The move that its cell uses: its own move, or plus or minus the range for an extended scenario. */
  readonly countedPpm: number
  /** Factors of a profit in coin, and of a profit in quote; 1 for standard scenarios. */
  readonly coinFactor: Factor
  readonly quoteFactor: Factor
}

interface Factor {
  readonly over: bigint
  readonly under: bigint
}

/** Both tables of one set of terms, and the terms as integers. */
export interface ScenarioTable {
  readonly terms: PortfolioTerms
  readonly scenarios: readonly Scenario[]
  readonly rangePpm: number
  /** The dampener and the threshold in whole USD. */
  readonly dampener: bigint
  readonly threshold: bigint
  /** Increase of the delta shock for each coin, and its limit, in 1e-9. */
  readonly increase9: bigint
  readonly shockMax9: bigint
  readonly offsetPpm: bigint
  readonly offsetMax: bigint
  /** Dampeners of the extended cells in USD, see `dampenersOf`. */
  readonly usdDampeners: Float64Array
  /** Profits of futures, in coin and in quote units. */
  readonly coinFutures: FutureProfits
  readonly quoteFutures: FutureProfits
}

const one: Factor = { over: 1n, under: 1n }

/** The tables of a set of terms. */
export function scenarioTable(terms: PortfolioTerms): ScenarioTable {
  const rangePpm = ppmOf(terms.priceRange)
  const factorPpm = BigInt(ppmOf(terms.extendedTableFactor))
  const scenarios: Scenario[] = []
  for (let step = -4; step <= 4; step += 1) {
    const movePpm = Math.round(rangePpm * step * 0.25)
    for (const volatility of shocks) {
      const countedPpm = movePpm
      scenarios.push({ movePpm, volatility, countedPpm, coinFactor: one, quoteFactor: one })
    }
  }
  for (const movePpm of extendedMoves) {
    const countedPpm = movePpm < 0 ? -rangePpm : rangePpm
    // factor * range / |m|, in parts per million of each.
    const over = factorPpm * BigInt(rangePpm)
    const under = BigInt(PPM) * BigInt(Math.abs(movePpm))
    scenarios.push({
      movePpm,
      volatility: 'up',
      countedPpm,
      quoteFactor: { over, under },
      coinFactor: { over: over * BigInt(PPM + movePpm), under: under * BigInt(PPM + countedPpm) },
    })
  }
  assert(scenarios.length === SCENARIO_CELLS, 'the tables have the expected size')
  const dampener = BigInt(Math.round(terms.extendedDampener))
  return {
    terms,
    scenarios,
    rangePpm,
    dampener,
    usdDampeners: dampenersOf({ scenarios, rangePpm, dampener }, 0),
    threshold: BigInt(Math.round(terms.deltaShockThreshold)),
    increase9: BigInt(Math.round(terms.deltaShockIncrease * 1e9)),
    shockMax9: BigInt(Math.round(terms.deltaShockMax * 1e9)),
    offsetPpm: BigInt(ppmOf(terms.pnlOffset)),
    offsetMax: BigInt(Math.round(terms.pnlOffsetMax)),
    coinFutures: futureProfits(scenarios, true),
    quoteFutures: futureProfits(scenarios, false),
  }
}

/** The terms that dampeners follow from. */
type Dampening = Pick<ScenarioTable, 'scenarios' | 'rangePpm' | 'dampener'>

/**
 * Dampener of each extended cell, in nano: of coin at this price of the coin; with price 0 of USD and of quote units;
 * with an unknown price (-1) all are 0. A dampener that is not a safe integer is stored as the largest safe integer,
 * which cells in doubles do not reach.
 */
export function dampenersOf(table: Dampening, price9: number): Float64Array {
  const dampeners = new Float64Array(SCENARIO_CELLS - STANDARD_CELLS)
  for (let at = 0; at < dampeners.length; at += 1) {
    const exact = dampenerOf(table, STANDARD_CELLS + at, price9)
    dampeners[at] = exact > SAFE_MAX_BIG ? Number.MAX_SAFE_INTEGER : Number(exact)
  }
  return dampeners
}

/** The dampener of an extended cell in nano: of coin at a price, or of USD with price 0; see `dampedPrice`. */
export function dampenerOf({ scenarios, rangePpm, dampener }: Dampening, at: number, price9: number): bigint {
  const scenario = scenarios[at]
  if (scenario === undefined || price9 < 0) return 0n
  const beyond = Math.max(0, Math.abs(scenario.movePpm) - rangePpm)
  const over = BigInt(beyond) * dampener * NANO
  const under = BigInt(rangePpm)
  if (price9 === 0) return divHalfAwayBig(over, under)
  const counted = PPM_BIG + BigInt(scenario.countedPpm)
  return divHalfAwayBig(over * PPM_BIG * NANO, under * counted * BigInt(price9))
}

/** The bucket of a cell among the nine buckets of the standard table, 1 to 9. */
export function bucketOf(cell: number): number {
  assert(cell >= 0 && cell < STANDARD_CELLS, 'a bucket belongs to the standard table')
  return Math.floor((cell + 0.5) * INVERSE_VOLATILITIES) + 1
}
const INVERSE_VOLATILITIES = 0.3333333333333333

/**
 * Profits of one coin of an option in every scenario, computed from the changes of its price (nano) and scaled for
 * extended scenarios.
 */
export function scaledProfits(
  { scenarios }: ScenarioTable,
  changes9: readonly number[],
  isCoin: boolean,
): Float64Array {
  const profits = new Float64Array(SCENARIO_CELLS)
  for (let cell = 0; cell < SCENARIO_CELLS; cell += 1) {
    const change9 = changes9[cell] ?? 0
    const scenario = scenarios[cell]
    const factor = isCoin ? scenario?.coinFactor : scenario?.quoteFactor
    profits[cell] = factor === undefined || factor === one ? change9 : scaled(BigInt(change9), factor)
  }
  return profits
}

/**
 * Profits of one unit of a future's value in every scenario, as fractions in lowest terms: m / (1 + m) coin for a coin
 * of an inverse contract, m for a quote unit of a linear one.
 */
export interface FutureProfits {
  readonly over: readonly number[]
  readonly under: readonly number[]
  /** The largest value in nano such that neither it nor its profit in any scenario exceeds `NANO_MAX`. */
  readonly valueMax: number
}

function futureProfits(scenarios: readonly Scenario[], isCoin: boolean): FutureProfits {
  const over: number[] = []
  const under: number[] = []
  let most = 1
  for (const { movePpm, coinFactor, quoteFactor } of scenarios) {
    const factor = isCoin ? coinFactor : quoteFactor
    const top = BigInt(movePpm) * factor.over
    const bottom = BigInt(isCoin ? PPM + movePpm : PPM) * factor.under
    const shared = commonDivisor(top < 0n ? -top : top, bottom)
    over.push(safeNumber(divHalfAwayBig(top, shared)))
    under.push(safeNumber(divHalfAwayBig(bottom, shared)))
    most = Math.max(most, divNearest(Math.abs(Number(top)), Number(bottom)))
  }
  // Slightly less, for the rounding of the quotients.
  return { over, under, valueMax: Math.floor(divNearest(NANO_MAX * 0.999, most)) }
}

function commonDivisor(a: bigint, b: bigint): bigint {
  let high = b
  let low = a
  while (low !== 0n) {
    const rest = high % low
    high = low
    low = rest
  }
  return high
}

/** Rounds `profit9 * factor`, halves away from zero. */
/** A profit times a factor. Profits beyond the safe integers become the largest of them, which no account can cover. */
function scaled(profit9: bigint, { over, under }: Factor): number {
  const exact = divHalfAwayBig(profit9 * over, under)
  if (exact > SAFE_MAX_BIG) return Number.MAX_SAFE_INTEGER
  return exact < -SAFE_MAX_BIG ? Number.MIN_SAFE_INTEGER : Number(exact)
}

function ppmOf(fraction: number): number {
  return Math.round(fraction * PPM)
}
