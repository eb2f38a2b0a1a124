/**
 * The forward of an expiration that has no future: the index and the premium of its neighbours.
 *
 * Rule: option.forward. The annualised premium ln(mark / index) / T of listed futures, linear in T
 * between them and flat outside; without futures the index. Prices are counts of 1e-9, rounded to the
 * precision of marks. Source: market.md 7.
 */
import { assert } from '../../core/index.ts'
import { markStep9, roundToStep } from '../mark.ts'
import { exponential, logarithm } from './elementary.ts'
import { nearest } from './option-price.ts'

/** A future with a known mark. */
export interface ForwardNode {
  readonly mark9: number
  readonly expiration: number
}

const YEAR_MICROS = 31_536_000_000_000

/** The forward at `expiration`, from futures in the order of their expirations, which lie ahead. */
export function syntheticForward9(of: {
  readonly index9: number
  readonly time: number
  readonly expiration: number
  readonly futures: readonly ForwardNode[]
  readonly payoff: 'inverse' | 'linear'
}): number {
  const { index9, time, expiration, futures, payoff } = of
  assert(index9 > 0, 'an index is positive')
  const years = (expiration - time) / YEAR_MICROS
  const ahead = futures.filter((future) => future.expiration > time)
  if (ahead.length === 0 || years <= 0) return index9
  const premium = premiumAt(ahead, { index9, time, expiration })
  const forward9 = nearest(index9 * exponential(premium * years))
  const step9 = markStep9(payoff, forward9)
  return Math.max(step9, roundToStep(forward9, step9))
}

/** The annualised premium at an expiration. */
function premiumAt(
  futures: readonly ForwardNode[],
  at: { readonly index9: number; readonly time: number; readonly expiration: number },
): number {
  const premiumOf = ({ mark9, expiration }: ForwardNode): number =>
    (logarithm(mark9 / at.index9) * YEAR_MICROS) / (expiration - at.time)
  let before: ForwardNode | null = null
  for (const future of futures) {
    if (future.expiration >= at.expiration) {
      const after = premiumOf(future)
      if (before === null || future.expiration === at.expiration) return after
      const first = premiumOf(before)
      const weight = (at.expiration - before.expiration) / (future.expiration - before.expiration)
      return first + weight * (after - first)
    }
    before = future
  }
  assert(before !== null, 'a premium is sought beside futures')
  return premiumOf(before)
}
