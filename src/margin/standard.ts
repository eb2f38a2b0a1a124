/**
 * Standard margin of futures and perpetuals: rate = base + slope * size, margin = rate * size.
 *
 * Size is the coin size for inverse contracts (USD / mark, rounded to 1e-9 as published) and the
 * notional in quote for linear ones; the slope counts coins or, for the lower tiers, millions of
 * quote units. One rounding, half away from zero, to 1e-9.
 * Source: market.md 6.1, T64-T69; golden linear-perpetual-margin.json.
 *
 * Assumed: margin of one holding saturates at 9,007,199 units of its currency, and an order that
 * would reach that is refused. The alternative, margin as a wide value, would cost every order for
 * the sake of positions of several hundred million.
 */
import { divHalfAwayBig, divNearest, divTruncBig, mulDivHalfAway } from '../core/index.ts'
import type { InstrumentSpec } from '../model/index.ts'

/** Margin no holding can exceed, in nano. */
export const MARGIN_MAX = 9_007_199_000_000_000

/** Below the limit by more than any rounding of doubles: from here on bigint decides. */
const SIZE_MAX = 9_007_198_000_000_000
const TWO_50 = 1_125_899_906_842_624
const NANO = 1_000_000_000n

/** What an account holds of an instrument, signed, and what is open on each side, in lots. */
export interface HeldSizes {
  readonly position: number
  readonly buys: number
  readonly sells: number
}

/** The largest size that orders may lead to: none of them filled, all buys, or all sells (market.md 6.1). */
export function worstSize({ position, buys, sells }: HeldSizes): number {
  return Math.max(Math.abs(position), Math.abs(position + buys), Math.abs(position - sells))
}

/** margin = size * (base + slope * factor) / divisor, in integers. */
interface Rate {
  readonly base: number
  readonly slope: number
  readonly divisor: number
  /** The largest size times rate that doubles reach. */
  readonly productMax: number
  readonly bigBase: bigint
  readonly bigSlope: bigint
  readonly bigDivisor: bigint
}

/** Precomputed margin arithmetic of an instrument. */
export interface MarginScale {
  readonly inverse: boolean
  /** Whether the slope counts coins rather than quote units. */
  readonly perCoin: boolean
  readonly amountStep9: number
  readonly initial: Rate
  readonly maintenance: Rate
}

/** The margin arithmetic of an instrument at one mark. */
export interface MarkedScale {
  readonly scale: MarginScale
  readonly mark9: number
  /** Size in nano of coin or quote = amount in 1e-9 * numerator / denominator. */
  readonly numerator: number
  readonly denominator: number
  /** The largest size that doubles reach, -1 where the mark is odd. */
  readonly lotsMax: number
}

/** The margin arithmetic of an instrument. */
export function marginScale(spec: InstrumentSpec): MarginScale {
  const { margin } = spec
  const perCoin = margin.per === 'coin'
  return {
    inverse: spec.payoff === 'inverse',
    perCoin,
    amountStep9: spec.amountStep9,
    initial: rateOf(margin.initialPpm, margin.slopePpb, perCoin),
    maintenance: rateOf(margin.maintenancePpm, margin.slopePpb, perCoin),
  }
}

/** The margin arithmetic of an instrument at a mark. */
export function markedScale(scale: MarginScale, mark9: number): MarkedScale {
  // amount9 * 1e9 / mark9 with both sides over 1e5: a mark has at most four decimals in nearly all
  // cases, and a divisor below 2^50 keeps the division in doubles.
  const coarse = Math.round(mark9 * 1e-5)
  const numerator = scale.inverse ? 10_000 : mark9
  const denominator = scale.inverse ? coarse : 1_000_000_000
  const exact = mark9 > 0 && (!scale.inverse || coarse * 100_000 === mark9)
  const perLot = divNearest(scale.amountStep9 * numerator, denominator)
  const safe = divNearest(Number.MAX_SAFE_INTEGER, scale.amountStep9)
  const lotsMax = exact ? Math.floor(Math.min(safe, divNearest(SIZE_MAX, perLot))) : -1
  return { scale, mark9, numerator, denominator, lotsMax }
}

/** Initial margin in nano of a size in lots. */
export function initialMargin(marked: MarkedScale, lots: number): number {
  return lots === 0 ? 0 : marginOf(marked, marked.scale.initial, lots)
}

/** Maintenance margin in nano of a size in lots. */
export function maintenanceMargin(marked: MarkedScale, lots: number): number {
  return lots === 0 ? 0 : marginOf(marked, marked.scale.maintenance, lots)
}

function marginOf(marked: MarkedScale, rate: Rate, lots: number): number {
  const { scale } = marked
  if (lots > marked.lotsMax) return marginBig(marked, rate, lots)
  const amount9 = lots * scale.amountStep9
  const size = mulDivHalfAway(amount9, marked.numerator, marked.denominator)
  const factor = scale.perCoin && !scale.inverse ? amount9 : size
  const numerator = rate.base + rate.slope * factor
  if (numerator > Number.MAX_SAFE_INTEGER || size * numerator > rate.productMax) {
    // Six roundings of doubles err by less than 1e-15 of the value: unless it lies that close to a
    // half, the nearest integer is certain.
    const estimate = divNearest(size * numerator, rate.divisor)
    const nearest = Math.floor(estimate + 0.5)
    if (Math.abs(estimate - nearest) < 0.5 - estimate * 1e-15) return nearest
    return marginBig(marked, rate, lots)
  }
  return mulDivHalfAway(size, numerator, rate.divisor)
}

function marginBig({ scale, mark9 }: MarkedScale, rate: Rate, lots: number): number {
  const amount9 = BigInt(lots) * BigInt(scale.amountStep9)
  const mark = BigInt(mark9)
  const size = scale.inverse
    ? divHalfAwayBig(amount9 * NANO, mark)
    : divHalfAwayBig(amount9 * mark, NANO)
  const factor = scale.perCoin && !scale.inverse ? amount9 : size
  const margin = divHalfAwayBig(size * (rate.bigBase + rate.bigSlope * factor), rate.bigDivisor)
  return margin > BigInt(MARGIN_MAX) ? MARGIN_MAX : Number(margin)
}

/**
 * ppm / 1e6 + ppb / 1e9 * factor / 1e9 (per coin) or / 1e15 (per million quote units), over one
 * divisor and reduced, so that ordinary sizes fit doubles.
 */
function rateOf(ppm: number, slopePpb: number, perCoin: boolean): Rate {
  const perMillion = perCoin ? 1n : 1_000_000n
  const base = BigInt(ppm) * 1_000_000_000_000n * perMillion
  const slope = BigInt(slopePpb)
  const divisor = 1_000_000_000_000_000_000n * perMillion
  let shared = divisor
  for (const term of [base, slope]) {
    let low = term
    while (low !== 0n) {
      const rest = shared % low
      shared = low
      low = rest
    }
  }
  const bigBase = divTruncBig(base, shared)
  const bigSlope = divTruncBig(slope, shared)
  const bigDivisor = divTruncBig(divisor, shared)
  const under = Number(bigDivisor)
  return {
    base: Number(bigBase),
    slope: Number(bigSlope),
    divisor: under,
    // From 2^50 on a divisor is too large for doubles, whatever the size.
    productMax: under < TWO_50 ? under * SIZE_MAX : -1,
    bigBase,
    bigSlope,
    bigDivisor,
  }
}
