/**
 * Volatilities across the strikes of one expiration, and their updates from order books. Volatilities and prices are
 * counts of 1e-9.
 *
 * Rule: option.volatility. Options start on a smile over k = ln(strike / forward). Each second the volatility of an
 * option with a two-sided book moves by 2/31 toward the volatility of its mid, within those of its bid and ask. The
 * volatilities of other options are interpolated linearly in total variance over k, flat outside. Source: market.md 7.
 */
import { assert } from '../../core/index.ts'
import type { Smile } from '../../model/index.ts'
import { nextPremium } from '../mark.ts'
import { logarithm, nearestInteger } from './elementary.ts'
import { boundedVolatility9 } from './option-price.ts'

/** A strike whose volatility is known. */
export interface VolatilityNode {
  readonly strike9: number
  readonly volatility9: number
}

const ONE9 = 1_000_000_000

/** The initial volatility of an option. */
export function smileVolatility9(smile: Smile, forward9: number, strike9: number): number {
  if (smile.skew9 === 0 && smile.curvature9 === 0) return boundedVolatility9(smile.atm9)
  const k = logarithm(strike9 / forward9)
  return boundedVolatility9(nearestInteger(smile.atm9 + (smile.skew9 + smile.curvature9 * k) * k))
}

/** Best bid, mid and best ask of an option in 1e-9. */
interface OptionBook {
  readonly bid9: number
  readonly mid9: number
  readonly ask9: number
}

/** A volatility one second later, from those of its book; see `nextPremium`. */
export function nextVolatility9(volatility9: number, book: OptionBook): number {
  const moved = nextPremium(volatility9, book.mid9)
  return boundedVolatility9(Math.min(book.ask9, Math.max(book.bid9, moved)))
}

/**
 * The volatility of a strike between others of the same expiration, which must be in the order of strikes and at least
 * one. Within an expiration the time is the same factor in all total variances, and the forward cancels, so neither is
 * a parameter.
 */
export function volatilityBetween9(nodes: readonly VolatilityNode[], strike9: number): number {
  let below: VolatilityNode | null = null
  for (const node of nodes) {
    if (node.strike9 === strike9) return node.volatility9
    if (node.strike9 > strike9) return below === null ? node.volatility9 : between(below, node, strike9)
    below = node
  }
  assert(below !== null, 'a volatility is estimated from others')
  return below.volatility9
}

function between(below: VolatilityNode, above: VolatilityNode, strike9: number): number {
  const width = logarithm(above.strike9 / below.strike9)
  const weight = logarithm(strike9 / below.strike9) / width
  const low = below.volatility9 / ONE9
  const high = above.volatility9 / ONE9
  const variance = low * low + weight * (high * high - low * low)
  return boundedVolatility9(nearestInteger(Math.sqrt(variance) * ONE9))
}
