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

const TWO_50 = 1_125_899_906_842_624
const NANO = 1_000_000_000n

/** margin = size * (base + slope * factor) / divisor, in integers. */
interface Rate {
  readonly base: number
  readonly slope: number
  readonly divisor: number
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

/** Initial margin in nano of a size in lots at a mark. */
export function initialMargin(scale: MarginScale, lots: number, mark9: number): number {
  return marginAt(scale, scale.initial, { lots, mark9 })
}

/** Maintenance margin in nano of a size in lots at a mark. */
export function maintenanceMargin(scale: MarginScale, lots: number, mark9: number): number {
  return marginAt(scale, scale.maintenance, { lots, mark9 })
}

function marginAt(
  scale: MarginScale,
  rate: Rate,
  at: { readonly lots: number; readonly mark9: number },
): number {
  if (at.lots === 0) return 0
  const size = sizeNano(scale, at)
  if (size === undefined) return marginBig(scale, rate, at)
  const factor = scale.perCoin && !scale.inverse ? at.lots * scale.amountStep9 : size
  const numerator = rate.base + rate.slope * factor
  const estimate = divNearest(size * numerator, rate.divisor)
  if (numerator > Number.MAX_SAFE_INTEGER || rate.divisor >= TWO_50 || estimate > MARGIN_MAX) {
    return marginBig(scale, rate, at)
  }
  return Math.min(MARGIN_MAX, mulDivHalfAway(size, numerator, rate.divisor))
}

/** Size in nano of coin (inverse) or quote (linear), or undefined where it is not a safe integer. */
function sizeNano(
  scale: MarginScale,
  at: { readonly lots: number; readonly mark9: number },
): number | undefined {
  const amount9 = at.lots * scale.amountStep9
  const estimate = scale.inverse ? divNearest(amount9, at.mark9) * 1e9 : amount9 * 1e-9 * at.mark9
  if (amount9 > Number.MAX_SAFE_INTEGER || estimate > MARGIN_MAX) return undefined
  if (scale.inverse) {
    // amount9 * 1e9 / mark9 with both sides over 1e5: a mark has at most four decimals in nearly
    // all cases, and a divisor below 2^50 keeps the division in doubles.
    const coarse = Math.round(at.mark9 * 1e-5)
    if (coarse * 100_000 === at.mark9) return mulDivHalfAway(amount9, 10_000, coarse)
    return undefined
  }
  return mulDivHalfAway(amount9, at.mark9, 1_000_000_000)
}

function marginBig(
  scale: MarginScale,
  rate: Rate,
  at: { readonly lots: number; readonly mark9: number },
): number {
  const amount9 = BigInt(at.lots) * BigInt(scale.amountStep9)
  const mark9 = BigInt(at.mark9)
  const size = scale.inverse
    ? divHalfAwayBig(amount9 * NANO, mark9)
    : divHalfAwayBig(amount9 * mark9, NANO)
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
  return {
    base: Number(bigBase),
    slope: Number(bigSlope),
    divisor: Number(bigDivisor),
    bigBase,
    bigSlope,
    bigDivisor,
  }
}
