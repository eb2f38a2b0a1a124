/**
 * What accounts have left of their rate limits.
 *
 * A bucket that is not there is full. Its key is what it is of and its name, such as `3 trading`.
 * Source: trading.md 8 (C47); sessions-blocks-gateways.md 8.12, 8.15.
 */
import type { Micros } from '../../core/index.ts'
import type { MinuteCount, RateBucket } from './rate-buckets.ts'

/** What was used of the rate limits of a run. */
export interface RateState {
  readonly buckets: Map<string, RateBucket>
  readonly minutes: Map<string, MinuteCount>
  /** When each account moved positions within the last week, oldest first. */
  readonly moves: Map<number, Micros[]>
}

/** Nothing is used. */
export function freshRates(): RateState {
  return { buckets: new Map(), minutes: new Map(), moves: new Map() }
}
