/**
 * The arithmetic of liquidations: the size that a round closes, and whether closing it reduces the account's delta.
 * Source: market.md 6.6 (steps 3 and 4, T88).
 */
import { assert, divCeil, divFloor, mulDivFloor } from '../../core/index.ts'

const PPM = 1_000_000

/**
 * Size of a position that a round closes, in lots: a share of it, rounded up to a step of sizes, at least the smallest
 * order and at most the whole position. After a rescale, a position may have a remainder that is not a whole step. That
 * remainder is closed last, without rounding.
 */
export function chunkOf(
  size: number,
  of: { readonly chunkPpm: number; readonly minTradeLots: number; readonly stepLots?: number },
): number {
  const { chunkPpm, minTradeLots, stepLots = 1 } = of
  assert(size > 0, 'the position is not empty')
  assert(chunkPpm > 0 && chunkPpm <= PPM, 'a round closes a part of a position')
  // Rounding the remaining part down rounds the closed part up.
  const part = size - mulDivFloor(size, PPM - chunkPpm, PPM)
  const whole = stepLots === 1 ? part : divCeil(part, stepLots) * stepLots
  const most = stepLots === 1 ? size : divFloor(size, stepLots) * stepLots || size
  return Math.min(most, Math.max(minTradeLots, whole))
}

/** True if an account's delta becomes smaller in size without `part`; all signed, in one unit. */
export function lowersDelta(delta: bigint, part: bigint): boolean {
  const left = delta - part
  return (left < 0n ? -left : left) < (delta < 0n ? -delta : delta)
}
