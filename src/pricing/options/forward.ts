/**
 * The forward of an expiration without a future: the index and the premium of neighbouring futures.
 *
 * Rule: option.forward. The annualised premium ln(mark / index) / T of listed futures, linear in T between them and
 * flat outside; without futures the index. Prices are counts of 1e-9, rounded to the precision of marks. Source:
 * market.md 7.
 * Assumed: a future in its last half hour gives no premium, because its mark moves to an average of the index, and its
 * small difference would be thousands of percent per year. For the same reason the distance of a synthetic forward from
 * its index has the same limit as the mark of a dated future (market.md 3.2). The first future determines this limit
 * and the number of decimals; the tick of an option does not, because it may be in coin.
 */
import { assert } from '../../core/index.ts'
import type { PositionPayoff } from '../../model/index.ts'
import { DELIVERY_MARK_MICROS, markOf } from '../mark.ts'
import { exponential, logarithm, nearestInteger } from './elementary.ts'

/** A future with a known mark. */
interface ForwardNode {
  readonly mark9: number
  readonly expiration: number
}

const YEAR_MICROS = 31_536_000_000_000
/** A mark is at most twice its index (`mark_band` is at most 1), so larger growth need not be computed. */
const GROWTH_MAX = 1

/** True if the mark of a future with this expiration contains a premium for time. */
export function hasPremium(expiration: number, time: number): boolean {
  return expiration - time > DELIVERY_MARK_MICROS
}

/** The inputs of a synthetic forward; prices in 1e-9. */
interface ForwardTerms {
  readonly index9: number
  readonly time: number
  readonly expiration: number
  readonly futures: readonly ForwardNode[]
  readonly payoff: PositionPayoff
  readonly tick9: number
  /** Largest distance from the index, in parts per million. */
  readonly clampPpm: number
}

/** The forward at `expiration`, from futures in the order of their expirations, which must all have a premium. */
export function syntheticForward9(of: ForwardTerms): number {
  const { index9, time, expiration, futures, payoff, tick9, clampPpm } = of
  assert(index9 > 0, 'an index is positive')
  const years = (expiration - time) / YEAR_MICROS
  const [first] = futures
  if (first === undefined || years <= 0) return index9
  assert(hasPremium(first.expiration, time), 'a premium is estimated from futures that have one')
  const growth = premiumAt(futures, index9, time, expiration) * years
  const ema9 = nearestInteger(index9 * exponential(Math.min(GROWTH_MAX, growth))) - index9
  return markOf({ index9, ema9, clampPpm, payoff, tick9 })
}

/** The annualised premium at an expiration. */
function premiumAt(futures: readonly ForwardNode[], index9: number, time: number, expiry: number): number {
  const premiumOf = ({ mark9, expiration }: ForwardNode): number =>
    (logarithm(mark9 / index9) * YEAR_MICROS) / (expiration - time)
  let before: ForwardNode | null = null
  for (const future of futures) {
    if (future.expiration >= expiry) {
      const after = premiumOf(future)
      if (before === null || future.expiration === expiry) return after
      const first = premiumOf(before)
      const weight = (expiry - before.expiration) / (future.expiration - before.expiration)
      return first + weight * (after - first)
    }
    before = future
  }
  assert(before !== null, 'a premium is estimated from futures')
  return premiumOf(before)
}
