/**
 * The mark at which a futures position alone would bring its wallet to its maintenance margin, if nothing else changes.
 * Source: market.md 6.3 (T76, T77).
 *
 * With S the size, B balance plus realized profit, b the basis and margin S / P * (m + k * size), the equation has the
 * second degree in 1 / P (inverse) or P (linear). If it has two solutions, the one that the mark reaches first counts.
 * The form without cancellation is used, in integers: prices and money in 1e-9, rates in 1e-18. The result is rounded
 * down to 1e-9.
 */
import { assert, divFloorBig } from '../core/index.ts'
import type { MarginTerms, PositionPayoff } from '../model/index.ts'

/** A position and the money that backs it. */
export interface LeveragedPosition {
  readonly payoff: PositionPayoff
  readonly terms: MarginTerms
  /** Signed size in 1e-9 of the amount unit: USD for inverse contracts, otherwise coin. */
  readonly amount9: bigint
  /**
   * Cash minus the needs and losses of other positions, plus the realized profit of this position and its worth without
   * its value at the mark: in nano, B + S/b for an inverse long.
   */
  readonly backing: bigint
}

const ONE9 = 1_000_000_000n
const ONE18 = 1_000_000_000_000_000_000n

/** The price in 1e-9, or null if no mark causes a liquidation. */
export function liquidationPrice9(position: LeveragedPosition): bigint | null {
  if (position.amount9 === 0n) return null
  return position.payoff === 'inverse' ? inversePrice9(position) : linearPrice9(position)
}

/** Long: k c^2 + (1 + m) c = C; short: k c^2 - (1 - m) c = -C; with c the size in coin, P = S / c. */
function inversePrice9(position: LeveragedPosition): bigint | null {
  const coin = coinAt(position, position.amount9 > 0n ? 'rises' : 'falls', position.backing)
  if (coin === null || coin <= 0n) return null
  return divFloorBig(absolute(position.amount9) * ONE9, coin)
}

/** The same equation with the notional in place of the size in coin; profit grows with the price. */
function linearPrice9(position: LeveragedPosition): bigint | null {
  const notional = coinAt(position, position.amount9 > 0n ? 'falls' : 'rises', position.backing)
  if (notional === null || notional <= 0n) return null
  return divFloorBig(notional * ONE9, absolute(position.amount9))
}

/**
 * The value x (nano) at which the remaining money equals the margin. `rises`: the position owes x, so C - x = m x + k
 * x^2; `falls`: it receives x, so x - D = m x + k x^2 with D = -C.
 */
function coinAt({ payoff, terms, amount9 }: LeveragedPosition, how: 'rises' | 'falls', backing: bigint): bigint | null {
  const isPerCoin = terms.per === 'coin'
  const fixed = isPerCoin && payoff === 'linear'
  // Rates in 1e-18. For linear contracts, a slope on coins is a part of the rate, because their size is fixed.
  let m = BigInt(terms.maintenancePpm) * 1_000_000_000_000n
  if (fixed) m += BigInt(terms.slopePpb) * absolute(amount9)
  const slope = BigInt(terms.slopePpb) * ONE9
  const k = fixed ? 0n : isPerCoin ? slope : divFloorBig(slope, 1_000_000n)
  const isOwed = how === 'falls'
  const c = isOwed ? -backing : backing
  if (c <= 0n) return null
  const linear = isOwed ? ONE18 - m : ONE18 + m
  if (linear <= 0n) return null
  // sqrt(linear^2 +- 4 k c), c in units: k c is in 1e-27, the squares in 1e-36.
  const under = linear * linear + (isOwed ? -4n : 4n) * k * c * ONE9
  if (under < 0n) return null
  return divFloorBig(2n * c * ONE18, linear + rootOf(under))
}

/** The integer part of a square root, by Newton's method from above; the iterates fall, so it terminates. */
function rootOf(value: bigint): bigint {
  if (value < 2n) return value
  let root = 1n << (BigInt(value.toString(2).length + 1) >> 1n)
  for (;;) {
    const next = (root + divFloorBig(value, root)) >> 1n
    if (next >= root) break
    root = next
  }
  assert(root * root <= value, 'a root is not too large')
  return root
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value
}
