/**
 * Which position a round closes, and how much of it.
 *
 * Rule: liquidation.pick. A future whose reduction takes delta off the account, with the largest
 * maintenance margin; else the future with the largest; else the short option with the largest; ties go
 * to the instrument that was listed first (market.md 6.6 step 3).
 *
 * Assumed: delta is that of the instruments on one price index, because coins of several kinds have no
 * common sum. In a pool of one coin that is the delta of the pool.
 */
import { divTruncBig } from '../../core/index.ts'
import type { PickRule } from '../../model/index.ts'
import { chunkOf, lowersDelta } from '../../protection/index.ts'
import type { Exchange } from '../state/exchange.ts'
import type { PoolPosition } from './pools.ts'

/** What a round closes. */
export interface Picked {
  readonly position: PoolPosition
  readonly rule: PickRule
  /** How much of it, in lots. */
  readonly chunk: number
}

/** Picks a position; null where there is none to close. */
export function pickPosition(
  exchange: Exchange,
  positions: readonly PoolPosition[],
): Picked | null {
  const deltas = new Map<string, bigint>()
  for (const { owner, coin } of positions) {
    const { priceIndex } = owner.row.instrument
    deltas.set(priceIndex, (deltas.get(priceIndex) ?? 0n) + coin)
  }
  const futures = positions.filter(({ owner }) => owner.row.instrument.kind === 'future')
  const reducing = futures.filter((position) => {
    const { size, coin, owner } = position
    const chunk = BigInt(chunkOfPosition(exchange, position))
    const part = divTruncBig(coin * chunk, BigInt(Math.abs(size)))
    return lowersDelta(deltas.get(owner.row.instrument.priceIndex) ?? 0n, part)
  })
  return (
    largest(exchange, reducing, 'reduces_delta') ?? largest(exchange, futures, 'largest_future')
  )
}

/** The position with the largest maintenance margin, the first of equal ones. */
function largest(
  exchange: Exchange,
  positions: readonly PoolPosition[],
  rule: PickRule,
): Picked | null {
  let best: PoolPosition | undefined
  for (const position of positions) {
    if (best === undefined || position.maintenance > best.maintenance) best = position
  }
  return best === undefined
    ? null
    : { position: best, rule, chunk: chunkOfPosition(exchange, best) }
}

function chunkOfPosition({ config }: Exchange, { owner, size }: PoolPosition): number {
  const { minTradeLots } = owner.row.instrument
  return chunkOf(Math.abs(size), { chunkPpm: config.liquidation.chunkPpm, minTradeLots })
}
