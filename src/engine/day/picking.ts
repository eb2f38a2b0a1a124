/**
 * Selects the position that a round closes, and the size to close.
 *
 * Rule: liquidation.pick. First a future whose reduction takes delta off the account, with the largest maintenance
 * margin; otherwise the future with the largest; otherwise the short option with the largest; ties go to the instrument
 * that was listed first (market.md 6.6 step 3).
 *
 * Assumed: delta is the sum over the instruments of one price index, because coins of several kinds have no common sum;
 * in a pool of one coin that is the delta of the pool. The margin of a position is its standard maintenance margin
 * under every model. If only long options are left, the round closes the one with the highest value, because otherwise
 * the account could never be released.
 */

import { assert, divCeil, divFloor, divTruncBig, mulDivFloor } from '../../core/index.ts'
import type { PickRule } from '../../model/index.ts'
import type { Exchange } from '../state/index.ts'
import type { PoolPosition } from '../value/index.ts'

/** The position that a round closes. */
export interface Picked {
  readonly position: PoolPosition
  readonly rule: PickRule
  /** Size to close, in lots. */
  readonly chunk: number
}

/** Selects one of several positions. */
export function pickPosition(exchange: Exchange, positions: readonly PoolPosition[]): Picked | null {
  const futures = positions.filter(isFuture)
  const options = positions.filter((position) => !isFuture(position))
  const byMargin = (position: PoolPosition): bigint => position.maintenance
  const picked =
    largest(futures.filter(reduces(exchange, positions)), byMargin, 'reduces_delta') ??
    largest(futures, byMargin, 'largest_future') ??
    largest(
      options.filter(({ size }) => size < 0),
      byMargin,
      'largest_option',
    ) ??
    largest(options, ({ worth }) => worth, 'largest_option')
  return picked === null ? null : { ...picked, chunk: chunkOfPosition(exchange, picked.position) }
}

/** True for positions in futures and perpetuals. */
export function isFuture(position: PoolPosition): boolean {
  return position.owner.row.instrument.kind === 'future'
}

/**
 * Returns a function that is true for a future's position if the part that a round would close takes delta off its
 * index.
 */
function reduces(exchange: Exchange, positions: readonly PoolPosition[]): (position: PoolPosition) => boolean {
  const deltas = new Map<string, bigint>()
  for (const { owner, delta } of positions) {
    const { name } = owner.row.index
    deltas.set(name, (deltas.get(name) ?? 0n) + delta)
  }
  return (position) => {
    const chunk = BigInt(chunkOfPosition(exchange, position))
    const part = divTruncBig(position.delta * chunk, BigInt(Math.abs(position.size)))
    return lowersDelta(deltas.get(position.owner.row.index.name) ?? 0n, part)
  }
}

/** The position with the largest figure, the first of equal ones. */
function largest(
  positions: readonly PoolPosition[],
  figure: (position: PoolPosition) => bigint,
  rule: PickRule,
): Omit<Picked, 'chunk'> | null {
  let best: PoolPosition | undefined
  for (const position of positions) {
    if (best === undefined || figure(position) > figure(best)) best = position
  }
  return best === undefined ? null : { position: best, rule }
}

function chunkOfPosition(exchange: Exchange, position: PoolPosition): number {
  const { minTradeLots, stepLots = 1 } = position.owner.row.instrument
  const { chunkPpm } = exchange.config.liquidation
  return chunkOf(Math.abs(position.size), chunkPpm, minTradeLots, stepLots)
}

/**
 * The arithmetic of liquidations: the size that a round closes, and whether closing it reduces the account's delta.
 * Source: market.md 6.6 (steps 3 and 4, T88).
 */

const PPM = 1_000_000

/**
 * Size of a position that a round closes, in lots: a share of it, rounded up to a step of sizes, at least the smallest
 * order and at most the whole position. After a rescale, a position may have a remainder that is not a whole step. That
 * remainder is closed last, without rounding.
 */
export function chunkOf(size: number, chunkPpm: number, minTradeLots: number, stepLots = 1): number {
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
