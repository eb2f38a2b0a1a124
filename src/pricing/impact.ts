/**
 * The fair price of a book: the average price of a trade of the impact size on either side, bounded by the best prices.
 * Prices and amounts are counts of 1e-9; amounts are in the unit of the instrument, USD for inverse contracts and coin
 * for linear ones.
 *
 * Every result is the exact value of its formula, rounded half away from zero once, to 1e-9.
 * Source: market.md 3.2, T23.
 */
import { assert, divFloor, divHalfAwayBig, divTruncBig, mulDivHalfAway, safeNumber } from '../core/index.ts'
import type { PositionPayoff } from '../model/index.ts'

/** A level of a book, or several orders at one price. */
export interface PriceLevel {
  readonly price9: number
  readonly amount9: number
}

/** A side of a book for the fair price; without an impact size, `impact9` is the best price. */
export interface FairSide {
  readonly best9: number
  /** See `impactPrice`. */
  readonly impact9: number
}

/** A side, its best level first, and the size: 1e-9 coin (inverse) or 1e-9 quote units (linear). */
interface ImpactSide {
  readonly payoff: PositionPayoff
  readonly levels: readonly PriceLevel[]
  readonly impact9: number
}

const NANO = 1_000_000_000n
const NANO_DOUBLE = 1_000_000_000
const CERTAINLY = 1.001
/** Coin of inverse books is summed in 1e-30; the impact size is in 1e-9. */
const COIN_SCALE = 1_000_000_000_000_000_000_000_000_000_000n
const NANO_IN_COIN_SCALE = 1_000_000_000_000_000_000_000n

/**
 * The average price of a market order of the impact size, or of the whole side if it has less. Null for an empty side.
 * A size of 0 gives the best price.
 */
export function impactPrice(side: ImpactSide): number | null {
  const { payoff, levels, impact9 } = side
  const walk = beginImpact(payoff, impact9)
  for (const { price9, amount9 } of levels) if (!addToImpact(walk, price9, amount9)) break
  const near = impactOf(walk)
  if (near !== undefined) return near
  if (payoff === 'linear') return linearImpact(levels, impact9)
  return inverseImpact(levels, impact9) ?? inverseImpactExact(levels, impact9)
}

/**
 * The computation of the impact price in doubles, level by level and without a list of levels: the best price plus the
 * mean distance from it. The distance is small, and so is its error in doubles.
 */
interface ImpactWalk {
  readonly isInverse: boolean
  readonly impact9: number
  best9: number
  levels: number
  left: number
  coin: number
  weighed: number
  away: number
}

/** The initial state of the computation. */
export function beginImpact(payoff: PositionPayoff, impact9: number): ImpactWalk {
  return {
    isInverse: payoff === 'inverse',
    impact9,
    best9: 0,
    levels: 0,
    left: impact9,
    coin: 0,
    weighed: 0,
    away: 0,
  }
}

/** Adds the next level, beginning with the best one; returns false if the level completes the size. */
export function addToImpact(walk: ImpactWalk, price9: number, amount9: number): boolean {
  assert(price9 > 0 && amount9 > 0, 'a level has a price and an amount')
  walk.levels += 1
  if (walk.levels === 1) {
    walk.best9 = price9
    if (walk.impact9 === 0 || isDeep(walk.isInverse, { price9, amount9 }, walk.impact9)) {
      walk.coin = 1
      return false
    }
  }
  const worth = walk.isInverse ? (amount9 / price9) * NANO_DOUBLE : (amount9 / NANO_DOUBLE) * price9
  const isLast = worth >= walk.left
  const taken = walk.isInverse ? Math.min(worth, walk.left) : isLast ? (walk.left / price9) * NANO_DOUBLE : amount9
  walk.away = price9 - walk.best9
  walk.coin += taken
  walk.weighed += taken * walk.away
  walk.left = walk.left - worth
  return !isLast
}

/** The price at the end of the computation; null for an empty side, undefined if its rounding is not certain. */
export function impactOf({ best9, levels, coin, weighed, away }: ImpactWalk): number | null | undefined {
  if (levels === 0) return null
  const distance = weighed / coin
  const nearest = Math.floor(distance + 0.5)
  // Each level adds a few rounding errors relative to the farthest distance.
  const error = levels * Math.abs(away) * 1e-15 + 1e-6
  return Math.abs(distance - nearest) < 0.5 - error ? best9 + nearest : undefined
}

/**
 * The middle between the impact prices of both sides, each at most a thousandth worse than the best price of its side.
 * A side without orders counts as `fallback9`.
 */
export function fairPrice(bid: FairSide | null, ask: FairSide | null, fallback9: number): number {
  const isBidBounded = bid !== null && bid.best9 - bid.impact9 > divFloor(bid.best9, 1000)
  const isAskBounded = ask !== null && ask.impact9 - ask.best9 > divFloor(ask.best9, 1000)
  const bid9 = bid?.impact9 ?? fallback9
  const ask9 = ask?.impact9 ?? fallback9
  const sum = bid9 + ask9
  if (!isBidBounded && !isAskBounded && Number.isSafeInteger(sum)) return mulDivHalfAway(sum, 1, 2)
  // In thousandths both bounds are integers.
  const bidMille = isBidBounded ? BigInt(bid.best9) * 999n : BigInt(bid9) * 1000n
  const askMille = isAskBounded ? BigInt(ask.best9) * 1001n : BigInt(ask9) * 1000n
  return safeNumber(divHalfAwayBig(bidMille + askMille, 2000n))
}

/** True if a level alone has more than the size, by more than the error of doubles. */
function isDeep(isInverse: boolean, { price9, amount9 }: PriceLevel, impact9: number): boolean {
  const impact = impact9 / NANO_DOUBLE
  if (isInverse) return amount9 / price9 > CERTAINLY * impact
  return (amount9 / NANO_DOUBLE) * (price9 / NANO_DOUBLE) > CERTAINLY * impact
}

/** Quote over coin: the coin of the last, partly used level is the only fraction, and is added at the end. */
function linearImpact(levels: readonly PriceLevel[], impact9: number): number {
  // Quote in 1e-18, coin in 1e-9.
  const wanted = BigInt(impact9) * NANO
  let quote = 0n
  let coin = 0n
  for (const level of levels) {
    assertLevel(level)
    const price = BigInt(level.price9)
    const amount = BigInt(level.amount9)
    const rest = wanted - quote
    if (price * amount >= rest) {
      return safeNumber(divHalfAwayBig(wanted * price, coin * price + rest))
    }
    quote += price * amount
    coin += amount
  }
  return safeNumber(divHalfAwayBig(quote, coin))
}

/**
 * USD over coin. The coin of each level is a fraction: the sum uses it rounded down, so it is short by less than 1e-30
 * for each level with a remainder. Undefined if the result, or the level at which the size is reached, depends on that.
 */
function inverseImpact(levels: readonly PriceLevel[], impact9: number): number | undefined {
  const wanted = BigInt(impact9) * NANO_IN_COIN_SCALE
  let usd = 0n
  let coin = 0n
  let short = 0n
  for (const level of levels) {
    assertLevel(level)
    const price = BigInt(level.price9)
    const scaled = BigInt(level.amount9) * COIN_SCALE
    const part = divTruncBig(scaled, price)
    if (coin + part >= wanted) {
      const paid = usd * COIN_SCALE
      const high = divHalfAwayBig(paid + (wanted - coin) * price, wanted)
      const low = divHalfAwayBig(paid + (wanted - coin - short) * price, wanted)
      return high === low ? safeNumber(high) : undefined
    }
    usd += BigInt(level.amount9)
    coin += part
    if (part * price !== scaled) short += 1n
    if (coin + short >= wanted) return undefined
  }
  const high = divHalfAwayBig(usd * COIN_SCALE, coin)
  const low = divHalfAwayBig(usd * COIN_SCALE, coin + short)
  return high === low ? safeNumber(high) : undefined
}

/** The impact price with the sum of coin as one fraction, whose terms grow with each level; used for rare ties. */
function inverseImpactExact(levels: readonly PriceLevel[], impact9: number): number {
  const wanted = BigInt(impact9)
  let usd = 0n
  // The coin taken so far is numerator / denominator.
  let numerator = 0n
  let denominator = 1n
  for (const level of levels) {
    const price = BigInt(level.price9)
    const amount = BigInt(level.amount9)
    const nextNumerator = numerator * price + amount * denominator
    const nextDenominator = denominator * price
    if (nextNumerator * NANO >= wanted * nextDenominator) {
      const paid = (usd * NANO + wanted * price) * denominator - numerator * NANO * price
      return safeNumber(divHalfAwayBig(paid, wanted * denominator))
    }
    usd += amount
    numerator = nextNumerator
    denominator = nextDenominator
  }
  return safeNumber(divHalfAwayBig(usd * denominator, numerator))
}

function assertLevel(level: PriceLevel): void {
  assert(level.price9 > 0 && level.amount9 > 0, 'a level has a price and an amount')
}
