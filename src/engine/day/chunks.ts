/**
 * The arithmetic of liquidations: how much of a position a round closes, and whether closing it takes
 * risk off the account. Source: market.md 6.6 (steps 3 and 4, T88).
 */
import { assert, divCeil, divFloor, mulDivFloor } from '../../core/index.ts'

const PPM = 1_000_000

/**
 * Size that a round closes of a position, in lots: a part of it, rounded up to a step of sizes, at least the smallest
 * order and at most all of it. What is off the step, which a position may be after a rescale, goes last and as it is.
 */
export function chunkOf(
  size: number,
  of: { readonly chunkPpm: number; readonly minTradeLots: number; readonly stepLots?: number },
): number {
  const { chunkPpm, minTradeLots, stepLots = 1 } = of
  assert(size > 0, 'the position is not empty')
  assert(chunkPpm > 0 && chunkPpm <= PPM, 'a round closes a part of a position')
  // What stays is rounded down, so that what goes is rounded up.
  const part = size - mulDivFloor(size, PPM - chunkPpm, PPM)
  const whole = stepLots === 1 ? part : divCeil(part, stepLots) * stepLots
  const most = stepLots === 1 ? size : divFloor(size, stepLots) * stepLots || size
  return Math.min(most, Math.max(minTradeLots, whole))
}

/** True if an account's delta is smaller in size once `part` of it is gone; all signed, in one unit. */
export function lowersDelta(delta: bigint, part: bigint): boolean {
  const left = delta - part
  return (left < 0n ? -left : left) < (delta < 0n ? -delta : delta)
}
