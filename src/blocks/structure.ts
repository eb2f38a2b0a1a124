/**
 * Structures of legs: the comparison of a block's legs with a combo, in any order and size.
 *
 * Source: sessions-blocks-gateways.md 4.3.
 */

/** A leg with its signed weight: a size of a block, or the ratio of a combo. */
export interface WeightedLeg {
  readonly instrument: number
  readonly weight: bigint
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
