/**
 * Buckets of credits that requests are paid from, counts by calendar minute, and the list of what was asked
 * within a long window. Integers on the virtual clock.
 *
 * A bucket starts full, gains credits with each whole millisecond of the clock, and holds no more than its
 * capacity. A request that finds less than it costs is refused and costs nothing. The leaky buckets of
 * direct access are the same seen from the other side: what is free there is what is left here.
 *
 * Rule: limit.bucket. Source: trading.md 8, C47; sessions-blocks-gateways.md 8.12, 8.15; coverage R15, R16.
 */
import { assert, changing, divCeil, divFloor, type Micros, millisOf, type RowOf, units } from '../../core/index.ts'
import type { BucketTerms } from '../../model/index.ts'

/** How many credits a bucket holds, and gains in a millisecond. */
export interface CreditTerms {
  readonly capacity: number
  readonly perMilli: number
}

export const rateBucketFields = {
  credits: changing(units.count),
  at: changing(units.micros),
}

/** A bucket with the credits that it held at a time. */
export interface RateBucket extends RowOf<typeof rateBucketFields> {}

export const minuteCountFields = {
  minute: changing(units.count),
  count: changing(units.count),
}

/** Requests of one calendar minute. */
export interface MinuteCount extends RowOf<typeof minuteCountFields> {}

/** Cost of a request in a bucket that counts requests: thousandths, so that `rate` is what a millisecond brings. */
export const WHOLE_REQUEST = 1000

const MICROS_PER_MINUTE = 60_000_000
const MICROS_PER_SECOND = 1_000_000

/** The credits of a bucket of requests. */
export function creditsOf({ burst, rate }: BucketTerms): CreditTerms {
  return { capacity: burst * WHOLE_REQUEST, perMilli: rate }
}

/** A bucket that nobody has used. */
export function fullBucket({ capacity }: CreditTerms, now: Micros): RateBucket {
  return { credits: capacity, at: now }
}

/** Credits in a bucket now. */
export function creditsAt(bucket: RateBucket, terms: CreditTerms, now: Micros): number {
  const millis = millisOf(now) - millisOf(bucket.at)
  assert(millis >= 0, 'a bucket is used in order of time')
  return Math.min(terms.capacity, bucket.credits + millis * terms.perMilli)
}

/** Takes what a request costs; false, and nothing is taken, where there is less. */
export function takeCredits(
  bucket: RateBucket,
  terms: CreditTerms,
  { now, cost }: { readonly now: Micros; readonly cost: number },
): boolean {
  const credits = creditsAt(bucket, terms, now)
  if (credits < cost) return false
  bucket.credits = credits - cost
  bucket.at = now
  return true
}

/** Takes what a request costs that is never refused, or what there is. */
export function drainCredits(
  bucket: RateBucket,
  terms: CreditTerms,
  { now, cost }: { readonly now: Micros; readonly cost: number },
): void {
  bucket.credits = Math.max(0, creditsAt(bucket, terms, now) - cost)
  bucket.at = now
}

/** Counts a request of a calendar minute; false, and it is not counted, where there were `most`. */
export function countInMinute(
  count: MinuteCount,
  { now, most }: { readonly now: Micros; readonly most: number },
): boolean {
  const minute = divFloor(now, MICROS_PER_MINUTE)
  if (count.minute !== minute) {
    count.minute = minute
    count.count = 0
  }
  if (count.count >= most) return false
  count.count += 1
  return true
}

/**
 * Whole seconds until one more may be asked, where `most` were within the last `window`; 0 where fewer were.
 * Forgets what is older. `times` rise.
 */
export function secondsUntilFree(
  times: Micros[],
  { now, window, most }: { readonly now: Micros; readonly window: number; readonly most: number },
): number {
  while (times.length > 0 && (times[0] as Micros) + window <= now) times.shift()
  const first = times[times.length - most]
  return first === undefined ? 0 : divCeil(first + window - now, MICROS_PER_SECOND)
}
