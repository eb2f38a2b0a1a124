/**
 * Structures of legs. The legs of a block are compared with a combo, in any order and size. The structure of a Block
 * RFQ has one amount, and an integer ratio for each leg; its sizes and prices are computed here.
 *
 * Sizes, minimums and steps are integers in one unit that the caller chooses, prices in another. Sums and products are
 * exact. A result must be a safe integer, which is asserted, so callers must choose units that are not finer than
 * necessary.
 *
 * Rule: rfq.structure, rfq.minimum, rfq.price. Source: sessions-blocks-gateways.md 4.3, 5.4, 5.5. Assumed: the greatest
 * common divisor and the smallest amount; the venue shows amounts and ratios but not their computation.
 */

import { assert, divCeilBig, divFloor, divFloorBig, modFloor, safeNumber } from '../core/index.ts'

/** A leg with its signed weight: a size of a block, or the ratio of a combo. */
interface WeightedLeg {
  readonly instrument: number
  readonly weight: bigint
}

/** Size rules of a leg, which restrict the amount of its structure. */
interface LegSize {
  readonly ratio: number
  /** Smallest size of the leg; 0 for an exempt leg. At a tiny price it exceeds the safe integers. */
  readonly minimum: bigint
  /** The size must be a multiple of this. */
  readonly step: number
}

/** A leg of a structure with its price. */
interface PricedLeg {
  readonly buys: boolean
  readonly ratio: number
  readonly price: number
}

/**
 * The side of a combo that legs trade: 1 if they buy it, -1 if they sell it, 0 if they are not its legs. Each
 * instrument must occur once.
 */
export function structureSign(legs: readonly WeightedLeg[], combo: readonly WeightedLeg[]): -1 | 0 | 1 {
  const [first] = combo
  const size = legs.find(({ instrument }) => instrument === first?.instrument)?.weight
  if (first === undefined || size === undefined || legs.length !== combo.length) return 0
  const isScaled = combo.every(({ instrument, weight }) => {
    const leg = legs.find((each) => each.instrument === instrument)
    return leg !== undefined && leg.weight * first.weight === size * weight
  })
  if (!isScaled) return 0
  return size > 0n === first.weight > 0n ? 1 : -1
}

/**
 * Amount and ratios of legs: the greatest common divisor of their sizes, and each size divided by it.
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
 * The smallest amount at which each leg, its ratio times the amount, reaches its minimum and is a multiple of its step.
 * Rounds up. If the legs of a structure are multiples of their steps, its amount is a multiple of the step computed
 * here, so it is below the minimum only if one of its legs is.
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

/** Price of one unit of a structure: the sum of ratio times price over its legs; legs that it sells are subtracted. */
export function structurePrice(legs: readonly PricedLeg[]): number {
  let sum = 0n
  for (const { buys, ratio, price } of legs) {
    const worth = BigInt(ratio) * BigInt(price)
    sum += buys ? worth : -worth
  }
  return safeNumber(sum)
}

/** Greatest common divisor, by Euclid's algorithm; for 0 and a number, the number. */
function commonDivisor(a: number, b: number): number {
  let [high, low] = [a, b]
  while (low !== 0) [high, low] = [low, modFloor(high, low)]
  return high
}
