/**
 * What was used of rate limits as part of the whole state: in snapshots and in the hash.
 */
import { hashInt, hashText, type Micros, type StateHash } from '../../core/index.ts'
import type { MinuteCount, RateBucket } from '../../protection/index.ts'
import type { Exchange } from '../state/exchange.ts'

/** What was used of rate limits as plain data. */
export type RatesState = {
  readonly buckets: readonly (readonly [string, RateBucket])[]
  readonly minutes: readonly (readonly [string, MinuteCount])[]
  readonly moves: readonly (readonly [number, readonly Micros[]])[]
}

/** Its part of a snapshot. */
export function ratesSection({ rates }: Exchange): RatesState {
  return {
    buckets: [...rates.buckets].map(([key, bucket]) => [key, { ...bucket }] as const),
    minutes: [...rates.minutes].map(([key, count]) => [key, { ...count }] as const),
    moves: [...rates.moves].map(([account, times]) => [account, [...times]] as const),
  }
}

/** Puts it back. */
export function restoreRates({ rates }: Exchange, state: RatesState): void {
  for (const [key, bucket] of state.buckets) rates.buckets.set(key, { ...bucket })
  for (const [key, count] of state.minutes) rates.minutes.set(key, { ...count })
  for (const [account, times] of state.moves) rates.moves.set(account, [...times])
}

/** Folds it into the hash of the state: buckets, counts of minutes, moves. */
export function hashRates(hash: StateHash, { rates }: Exchange): void {
  for (const [key, { credits, at }] of rates.buckets) {
    hashText(hash, key)
    for (const part of [credits, at]) hashInt(hash, part)
  }
  for (const [key, { minute, count }] of rates.minutes) {
    hashText(hash, key)
    for (const part of [minute, count]) hashInt(hash, part)
  }
  for (const [account, times] of rates.moves) {
    for (const part of [account, ...times]) hashInt(hash, part)
  }
}
