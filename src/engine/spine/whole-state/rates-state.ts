/**
 * What was used of rate limits as part of the whole state: in snapshots.
 */
import type { Micros } from '../../../core/index.ts'
import type { Exchange, MinuteCount, RateBucket } from '../../state/index.ts'

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
