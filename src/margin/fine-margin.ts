/**
 * Standard margin in 1e-18 of the currency, for accounts whose currencies share their margin: it becomes USD
 * before it is rounded to 1e-9 (T79), and sizes are not rounded on the way.
 *
 * Source: market.md 6.1, 6.2, 6.4.
 */
import { divHalfAwayBig } from '../core/index.ts'
import type { InstrumentSpec } from '../model/index.ts'

const ONE9 = 1_000_000_000n
const ONE15 = 1_000_000_000_000_000n
const ONE18 = 1_000_000_000_000_000_000n

/** A size of a future at a mark. */
export interface StandardSize18 {
  readonly lots: number
  readonly mark9: number
  readonly rate: 'initialPpm' | 'maintenancePpm'
}

/** The margin of a size of a future, rounded half away from zero once. */
export function standardMargin18(
  spec: Pick<InstrumentSpec, 'margin' | 'payoff' | 'amountStep9'>,
  size: StandardSize18,
): bigint {
  const amount9 = BigInt(size.lots) * BigInt(spec.amountStep9)
  const mark9 = BigInt(size.mark9)
  if (amount9 === 0n || mark9 === 0n) return 0n
  const base9 = BigInt(spec.margin[size.rate]) * 1_000n
  const slope9 = BigInt(spec.margin.slopePpb)
  if (spec.payoff === 'inverse') {
    // r (base + slope r) with r = amount / mark coins.
    const rate = base9 * mark9 + slope9 * amount9
    return divHalfAwayBig(ONE9 * amount9 * rate, mark9 * mark9)
  }
  const notional18 = amount9 * mark9
  if (spec.margin.per === 'coin') {
    return divHalfAwayBig(notional18 * (base9 * ONE9 + slope9 * amount9), ONE18)
  }
  const rate = base9 * ONE9 * ONE15 + slope9 * notional18
  return divHalfAwayBig(notional18 * rate, ONE9 * ONE9 * ONE15)
}
