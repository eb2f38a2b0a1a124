/**
 * Buckets of credits that pay for requests, counts by calendar minute, and a list of request times within a long
 * window. All are integers on the virtual clock.
 *
 * A bucket starts full, gains credits with each whole millisecond of the clock, and holds no more than its capacity. A
 * request that costs more than the bucket has is refused and costs nothing. The leaky buckets of direct access count
 * the used credits instead of the remaining ones; both are equivalent.
 *
 * Rule: limit.bucket. Source: trading.md 8, C47; sessions-blocks-gateways.md 8.12, 8.15; coverage R15, R16.
 */

import {
  assert,
  changing,
  divCeil,
  divFloor,
  fixed,
  listOf,
  type Micros,
  mapOf,
  millisOf,
  type RowOf,
  rowUnit,
  units,
} from '../../core/index.ts'
import type { BucketTerms } from '../../model/index.ts'

/** The capacity of a bucket in credits, and the credits that it gains each millisecond. */
export interface CreditTerms {
  readonly capacity: number
  readonly perMilli: number
}

/** A bucket with its credits at a time. */
export interface RateBucket extends RowOf<typeof rateBucketFields> {}

/** Number of requests in one calendar minute. */
interface MinuteCount extends RowOf<typeof minuteCountFields> {}

export const rateBucketFields = {
  credits: changing(units.count),
  at: changing(units.micros),
}

export const minuteCountFields = {
  minute: changing(units.count),
  count: changing(units.count),
}

/**
 * Cost of a request in a bucket that counts requests, in thousandths, so that the bucket gains `rate` each millisecond.
 */
export const WHOLE_REQUEST = 1000

const MICROS_PER_MINUTE = 60_000_000

const MICROS_PER_SECOND = 1_000_000

/**
 * Remaining credits of accounts in their rate limits.
 *
 * A missing bucket is full. The key of a bucket is its owner followed by its name, such as `3 trading`.
 * Source: trading.md 8 (C47); sessions-blocks-gateways.md 8.12, 8.15.
 */

export const rateFields = {
  buckets: fixed(mapOf(units.text, rowUnit('bucket', rateBucketFields))),
  minutes: fixed(mapOf(units.text, rowUnit('requests of a minute', minuteCountFields))),
  /** Times within the last week at which each account moved positions, oldest first. */
  moves: fixed(mapOf(units.row, listOf(units.micros))),
}

/** The used part of the rate limits of a run. */
interface RateState extends RowOf<typeof rateFields> {}

/** Rate limits before the first request. */
export function freshRates(): RateState {
  return { buckets: new Map(), minutes: new Map(), moves: new Map() }
}

/** The terms in credits of a bucket that counts requests. */
export function creditsOf(terms: BucketTerms): CreditTerms {
  return { capacity: terms.burst * WHOLE_REQUEST, perMilli: terms.rate }
}

/** A bucket without any use so far. */
export function fullBucket(terms: CreditTerms, now: Micros): RateBucket {
  return { credits: terms.capacity, at: now }
}

/** Current credits of a bucket. */
export function creditsAt(bucket: RateBucket, terms: CreditTerms, now: Micros): number {
  const millis = millisOf(now) - millisOf(bucket.at)
  assert(millis >= 0, 'a bucket is used in order of time')
  return Math.min(terms.capacity, bucket.credits + millis * terms.perMilli)
}

/** Takes the cost of a request. Returns false and takes nothing if the bucket has less. */
export function takeCredits(bucket: RateBucket, terms: CreditTerms, now: Micros, cost: number): boolean {
  const credits = creditsAt(bucket, terms, now)
  if (credits < cost) return false
  bucket.credits = credits - cost
  bucket.at = now
  return true
}

/** Takes the cost of a request that is never refused, or all credits if the bucket has less. */
export function drainCredits(bucket: RateBucket, terms: CreditTerms, now: Micros, cost: number): void {
  bucket.credits = Math.max(0, creditsAt(bucket, terms, now) - cost)
  bucket.at = now
}

/**
 * Counts a request in its calendar minute. Returns false and does not count it if the minute already has `most`
 * requests.
 */
export function countInMinute(count: MinuteCount, now: Micros, most: number): boolean {
  const minute = divFloor(now, MICROS_PER_MINUTE)
  if (count.minute !== minute) {
    count.minute = minute
    count.count = 0
  }
  if (count.count >= most) return false
  count.count += 1
  return true
}

/** A window of requests: the time, its length and its limit. */
interface BucketWindow {
  readonly now: Micros
  readonly window: number
  readonly most: number
}

/**
 * Whole seconds until another request is allowed, if the last `window` has `most` requests; 0 if it has fewer. Removes
 * older times. `times` must rise.
 */
export function secondsUntilFree(times: Micros[], { now, window, most }: BucketWindow): number {
  while (times.length > 0 && (times[0] as Micros) + window <= now) times.shift()
  const first = times[times.length - most]
  return first === undefined ? 0 : divCeil(first + window - now, MICROS_PER_SECOND)
}
