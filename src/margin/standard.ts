/**
 * Standard margin of futures and perpetuals: rate = base + slope * size, margin = rate * size.
 *
 * Size is the coin size for inverse contracts (USD / mark) and the notional in quote for linear ones; the slope counts
 * coins or, for the lower tiers, millions of quote units. Only the margin itself is rounded, once, half away from zero,
 * to 1e-9.
 *
 * Margins are computed in doubles with a known error, and exactly in bigint if that error leaves the rounded integer
 * uncertain, or if the margin is not a safe integer: there is no largest margin.
 * Source: market.md 0, 6.1, T64-T69; golden linear-perpetual-margin.json.
 */
import { divHalfAwayBig, divNearest, type Nano } from '../core/index.ts'
import type { InstrumentSpec } from '../model/index.ts'

const SAFE_MAX = Number.MAX_SAFE_INTEGER
const PPM_TO_RATE9 = 1000
const NANO = 1_000_000_000n
const MILLION = 1_000_000n

/** Position of an account in an instrument, signed, and open size on each side, in lots. */
export interface HeldSizes {
  readonly position: number
  readonly buys: number
  readonly sells: number
}

/** The largest size to which open orders may lead: none of them filled, all buys, or all sells (market.md 6.1). */
export function worstSize({ position, buys, sells }: HeldSizes): number {
  return Math.max(Math.abs(position), Math.abs(position + buys), Math.abs(position - sells))
}

/** The rate of a margin. */
type MarginRate = 'initialPpm' | 'maintenancePpm'

/** Terms that the margin of futures depends on. */
export type MarginScale = Pick<InstrumentSpec, 'margin' | 'payoff' | 'amountStep9'>

/** The margin arithmetic of an instrument at one mark: margin = lots * unit * (base + slope * lots), in nano. */
export interface MarkedScale {
  readonly scale: MarginScale
  readonly mark9: number
  /** Size of one lot, in whole units of its currency. */
  readonly unit: number
  readonly slope: number
  readonly initial: number
  readonly maintenance: number
}

/** The margin arithmetic of an instrument at a mark; while the mark is unknown (0), margins are 0. */
export function markedScale(scale: MarginScale, mark9: number): MarkedScale {
  const isKnown = mark9 !== 0
  const isInverse = scale.payoff === 'inverse'
  const amount = divNearest(scale.amountStep9, 1e9)
  const quote = isInverse ? amount : divNearest(scale.amountStep9 * mark9, 1e18)
  const coins = isInverse && isKnown ? divNearest(scale.amountStep9, mark9) : amount
  const counted = scale.margin.per === 'coin' ? coins : divNearest(quote, 1e6)
  return {
    scale,
    mark9,
    unit: isKnown ? (isInverse ? coins : quote) : 0,
    slope: scale.margin.slopePpb * counted,
    initial: scale.margin.initialPpm * PPM_TO_RATE9,
    maintenance: scale.margin.maintenancePpm * PPM_TO_RATE9,
  }
}

/** Initial margin of a size in lots. */
export function initialMargin(marked: MarkedScale, lots: number): Nano {
  const estimate = lots * marked.unit * (marked.initial + marked.slope * lots)
  const nearest = Math.floor(estimate + 0.5)
  return isCertain(estimate, nearest) ? nearest : exactMargin(marked, 'initialPpm', lots)
}

/** Maintenance margin of a size in lots. */
export function maintenanceMargin(marked: MarkedScale, lots: number): Nano {
  const estimate = maintenanceNear(marked, lots)
  const nearest = Math.floor(estimate + 0.5)
  return isCertain(estimate, nearest) ? nearest : exactMargin(marked, 'maintenancePpm', lots)
}

/** Maintenance margin of a size in doubles, not rounded; the relative error is below 2e-15. */
export function maintenanceNear(marked: MarkedScale, lots: number): number {
  return lots * marked.unit * (marked.maintenance + marked.slope * lots)
}

/**
 * Ten roundings of doubles, each with a relative error of at most 1.12e-16, have an error below 2e-15: the nearest
 * integer is certain unless a half is that close. From 2.5e14 on none is certain.
 */
function isCertain(estimate: number, nearest: number): boolean {
  return Math.abs(estimate - nearest) < 0.5 - estimate * 2e-15
}

function exactMargin(marked: MarkedScale, rate: MarginRate, lots: number): Nano {
  const { over, under } = marginFraction(marked.scale, { lots, mark9: marked.mark9, rate })
  const margin = divHalfAwayBig(over, under)
  return margin <= BigInt(SAFE_MAX) ? Number(margin) : margin
}

/** A size of a future at a mark. */
interface StandardSize {
  readonly lots: number
  readonly mark9: number
  readonly rate: MarginRate
}

/** The margin of a size of a future in nano, as a fraction; 0 / 1 without a size or a mark. */
function marginFraction(
  { margin, payoff, amountStep9 }: MarginScale,
  size: StandardSize,
): { readonly over: bigint; readonly under: bigint } {
  const amount9 = BigInt(size.lots) * BigInt(amountStep9)
  const mark9 = BigInt(size.mark9)
  if (amount9 === 0n || mark9 === 0n) return { over: 0n, under: 1n }
  const base9 = BigInt(margin[size.rate]) * BigInt(PPM_TO_RATE9)
  const slope9 = BigInt(margin.slopePpb)
  const isInverse = payoff === 'inverse'
  // Coins and quote units as fractions: the amount of inverse contracts is in quote units.
  const amount = { over: amount9, under: NANO }
  const other = isInverse ? { over: amount9, under: mark9 } : { over: amount9 * mark9, under: NANO * NANO }
  const coins = isInverse ? other : amount
  const quote = isInverse ? amount : other
  const counted = margin.per === 'coin' ? coins : { over: quote.over, under: quote.under * MILLION }
  return {
    over: other.over * (base9 * counted.under + slope9 * counted.over),
    under: other.under * counted.under,
  }
}
/**
 * The margin of a size, rounded once, half away from zero, in 1e-18, for accounts whose currencies share their margin
 * (T79).
 */
export function standardMargin18(scale: MarginScale, size: StandardSize): bigint {
  const { over, under } = marginFraction(scale, size)
  return divHalfAwayBig(over * NANO, under)
}
