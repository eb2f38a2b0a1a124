/**
 * The payoff of an option at its delivery.
 *
 * Inverse: call max(D - K, 0) / D, put max(K - D, 0) / D coin for each coin. Linear: the same formulas without the
 * division, in quote. Rounded once for a whole position, half away from zero, to 1e-9 of the currency.
 * Rule: settlement.option-delivery. Source: market.md 3.6 (T41-T45).
 */
import { divHalfAwayBig } from '../../core/index.ts'
import type { OptionRight } from '../../model/index.ts'

/** The value of a position in nano; negative for a short position. */
export function deliveredValue(option: {
  readonly right: OptionRight
  /** True if the payoff is in the underlying coin. */
  readonly isInverse: boolean
  readonly strike9: number
  /** Delivery price. */
  readonly price9: number
  /** Signed size in 1e-9 coin. */
  readonly amount9: bigint
}): bigint {
  const { right, isInverse, strike9, price9, amount9 } = option
  const gain = right === 'call' ? price9 - strike9 : strike9 - price9
  if (gain <= 0) return 0n
  return divHalfAwayBig(amount9 * BigInt(gain), isInverse ? BigInt(price9) : 1_000_000_000n)
}
