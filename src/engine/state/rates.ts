/**
 * Credits that accounts have left of their rate limits.
 *
 * A bucket that is not there is full. Its key is what it is of and its name, such as `3 trading`.
 * Source: trading.md 8 (C47); sessions-blocks-gateways.md 8.12, 8.15.
 */
import { fixed, listOf, mapOf, type RowOf, rowUnit, units } from '../../core/index.ts'
import { minuteCountFields, rateBucketFields } from './rate-buckets.ts'

export const rateFields = {
  buckets: fixed(mapOf(units.text, rowUnit('bucket', rateBucketFields))),
  minutes: fixed(mapOf(units.text, rowUnit('requests of a minute', minuteCountFields))),
  /** When each account moved positions within the last week, oldest first. */
  moves: fixed(mapOf(units.row, listOf(units.micros))),
}

/** The used part of the rate limits of a run. */
export interface RateState extends RowOf<typeof rateFields> {}

/** Nothing is used. */
export function freshRates(): RateState {
  return { buckets: new Map(), minutes: new Map(), moves: new Map() }
}
