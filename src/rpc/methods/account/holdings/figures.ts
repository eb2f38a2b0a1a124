/**
 * Sums over the positions of one currency of an account: profits of futures and of options, the value of options,
 * deltas and greeks, also by price index. All values are in 1e-9.
 *
 * Delta is in coin if the currency is that coin, otherwise in the settlement currency at the mark price (observed: a
 * perpetual of 0.001 ETH has a `delta_total` of 1.97 in USDC).
 * Source: market.md 5.3 (T63).
 */
import { divHalfAwayBig } from '../../../../core/index.ts'
import type { Exchange, PositionRisk, PositionView } from '../../../../engine/index.ts'
import { viewRisk } from '../../../../engine/index.ts'

/** Profits of futures or of options. */
export interface Profits {
  /** Realized profit of this session with funding, and unrealized profit of this session. */
  realized: bigint
  floating: bigint
  /** Profit since opening. */
  total: bigint
}

/** Sums by price index. */
export type ByIndex = Map<string, bigint>

/** Sums of the positions of a currency. */
export interface Figures {
  readonly futures: Profits
  readonly options: Profits
  optionsValue: bigint
  deltaTotal: bigint
  optionsDelta: bigint
  readonly deltas: ByIndex
  readonly gammas: ByIndex
  readonly vegas: ByIndex
  readonly thetas: ByIndex
}

const NANO = 1_000_000_000n

/** Sums over positions of one settlement currency. */
export function positionFigures(exchange: Exchange, positions: readonly PositionView[]): Figures {
  const sums: Figures = {
    futures: { realized: 0n, floating: 0n, total: 0n },
    options: { realized: 0n, floating: 0n, total: 0n },
    optionsValue: 0n,
    deltaTotal: 0n,
    optionsDelta: 0n,
    deltas: new Map(),
    gammas: new Map(),
    vegas: new Map(),
    thetas: new Map(),
  }
  for (const position of positions) {
    const profits = position.instrument.kind === 'option' ? sums.options : sums.futures
    profits.realized += position.realized
    profits.floating += position.floating
    profits.total += position.total
    if (position.size !== 0) addRisk(sums, viewRisk(exchange, position))
  }
  return sums
}

/** The sum over all indices. */
export function sumOfIndices(values: ByIndex): bigint {
  let sum = 0n
  for (const value of values.values()) sum += value
  return sum
}

function addRisk(sums: Figures, risk: PositionRisk): void {
  const { position, delta, netDelta, greeks } = risk
  const { priceIndex } = position.instrument
  sums.deltaTotal += inCurrency(position, netDelta)
  add(sums.deltas, priceIndex, delta)
  if (greeks === null) return
  sums.optionsValue += position.sizeAtMark
  sums.optionsDelta += delta
  add(sums.gammas, priceIndex, greeks.gamma)
  add(sums.vegas, priceIndex, greeks.vega)
  add(sums.thetas, priceIndex, greeks.theta)
}

/** Converts a delta in coin to the settlement currency. */
function inCurrency({ instrument, mark, index }: PositionView, delta: bigint): bigint {
  if (instrument.settlementCurrency === instrument.baseCurrency) return delta
  // The mark of an option is the price of the option, not of the coin.
  const price = instrument.kind === 'option' ? index : mark
  return divHalfAwayBig(delta * BigInt(price), NANO)
}

function add(values: ByIndex, index: string, value: bigint): void {
  values.set(index, (values.get(index) ?? 0n) + value)
}
