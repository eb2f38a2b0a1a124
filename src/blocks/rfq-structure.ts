/**
 * Sizes and prices of the structure that a Block RFQ asks for: one amount, and an integer ratio for each leg.
 *
 * Sizes, minimums and steps are integers in one unit that the caller chooses, prices in another. Sums and products
 * are exact; a result must be a safe integer, which is asserted, so a caller takes units no finer than it needs.
 *
 * Rule: rfq.structure, rfq.minimum, rfq.price. Source: sessions-blocks-gateways.md 5.4, 5.5. Assumed: the greatest
 * common divisor and the smallest amount; the venue shows amounts and ratios without saying how it finds them.
 */
import { assert, divCeilBig, divFloor, divFloorBig, modFloor, safeNumber } from '../core/index.ts'

/** Size rules of a leg, which bound the amount of its structure. */
export interface LegSize {
  readonly ratio: number
  /** Smallest size of the leg; 0 for an exempt leg. At a tiny price it is too large for a number. */
  readonly minimum: bigint
  /** The size is a multiple of it. */
  readonly step: number
}

/** A leg of a structure at its own price. */
export interface PricedLeg {
  readonly buys: boolean
  readonly ratio: number
  readonly price: number
}

/**
 * Amount and ratios of legs: the greatest common divisor of their sizes, and how often each size holds it.
 *
 * @example structureOf([250, 500]) // { amount: 250, ratios: [1, 2] }
 */
export function structureOf(sizes: readonly number[]): {
  readonly amount: number
  readonly ratios: readonly number[]
} {
  assert(sizes.length > 0, 'a structure has legs')
  let amount = 0
  for (const size of sizes) {
    assert(Number.isSafeInteger(size) && size > 0, 'the size of a leg is positive')
    amount = commonDivisor(size, amount)
  }
  return { amount, ratios: sizes.map((size) => divFloor(size, amount)) }
}

/**
 * The smallest amount at which each leg, its ratio times the amount, reaches its minimum and is a multiple of its
 * step. Rounds up. A structure whose legs are multiples of their steps has an amount that is a multiple of the step
 * found here, so it lies below the minimum only where one of its legs does.
 */
export function minimumTradeAmount(legs: readonly LegSize[]): bigint {
  assert(legs.length > 0, 'a structure has legs')
  let step = 1n
  let least = 1n
  for (const leg of legs) {
    assert(leg.ratio > 0 && leg.step > 0 && leg.minimum >= 0n, 'ratios and steps are positive')
    const ownStep = divFloor(leg.step, commonDivisor(leg.step, leg.ratio))
    const shared = commonDivisor(ownStep, safeNumber(step - divFloorBig(step, BigInt(ownStep)) * BigInt(ownStep)))
    step *= BigInt(divFloor(ownStep, shared))
    const ownLeast = divCeilBig(leg.minimum, BigInt(leg.ratio))
    if (ownLeast > least) least = ownLeast
  }
  return divCeilBig(least, step) * step
}

/** Price of one unit of a structure: ratio times price, summed over its legs, those that it sells subtracted. */
export function structurePrice(legs: readonly PricedLeg[]): number {
  let sum = 0n
  for (const { buys, ratio, price } of legs) {
    const worth = BigInt(ratio) * BigInt(price)
    sum += buys ? worth : -worth
  }
  return safeNumber(sum)
}

/** Greatest common divisor, by Euclid; of 0 and a number, the number. */
function commonDivisor(a: number, b: number): number {
  let [high, low] = [a, b]
  while (low !== 0) [high, low] = [low, modFloor(high, low)]
  return high
}
