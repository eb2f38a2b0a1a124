/**
 * Remaining credits of accounts in their rate limits.
 *
 * A missing bucket is full. The key of a bucket is its owner followed by its name, such as `3 trading`.
 * Source: trading.md 8 (C47); sessions-blocks-gateways.md 8.12, 8.15.
 */
import { fixed, listOf, mapOf, type RowOf, rowUnit, units } from '../../core/index.ts'
import { minuteCountFields, rateBucketFields } from './rate-buckets.ts'

export const rateFields = {
  buckets: fixed(mapOf(units.text, rowUnit('bucket', rateBucketFields))),
  minutes: fixed(mapOf(units.text, rowUnit('requests of a minute', minuteCountFields))),
  /** Times within the last week at which each account moved positions, oldest first. */
  moves: fixed(mapOf(units.row, listOf(units.micros))),
}

/** The used part of the rate limits of a run. */
export interface RateState extends RowOf<typeof rateFields> {}

/** Rate limits before the first request. */
export function freshRates(): RateState {
  return { buckets: new Map(), minutes: new Map(), moves: new Map() }
}
