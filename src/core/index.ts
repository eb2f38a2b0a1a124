/** The public names of `core`: units, exact arithmetic, time, chance, timers, hashes and codecs. */
export * from './assert.ts'
export { encodeValue, type Plain } from './bytes/codec.ts'
export * from './bytes/codec-reader.ts'
export { createStateHash, hashHex, hashPlain, hashText } from './bytes/hash.ts'
export * from './bytes/sections.ts'
export {
  civilOf,
  dayBoundaryAfter,
  dayBoundaryAtOrBefore,
  expiryOfLabel,
  isLastFridayOfMonth,
  labelOfExpiry,
  MICROS_PER_DAY,
  MICROS_PER_SECOND,
  PERPETUAL_EXPIRY_MILLIS,
  weekdayOf,
} from './clock/calendar.ts'
export * from './clock/time.ts'
export * from './clock/timer-queue.ts'
export * from './decimal.ts'
export * from './input-error.ts'
export * from './int-map.ts'
export * from './integer.ts'
export type * from './mutable.ts'
export * from './number-heap.ts'
export * from './options.ts'
export * from './random.ts'
export { createRecords, type Records, recordLayout } from './records.ts'
export * from './result.ts'
export * as z from './schema.ts'
export * as units from './tables.ts'
export {
  apart,
  cached,
  changing,
  copyRow,
  derived,
  type Field,
  type Fields,
  fixed,
  holdsRow,
  type Keeping,
  listOf,
  liveUnit,
  loadRow,
  mapOf,
  orderlessSetOf,
  orNull,
  plainUnit,
  type RareOf,
  type RowOf,
  rare,
  restoreRow,
  rowUnit,
  savedField,
  savedRows,
  saveRow,
  sectioned,
  setOf,
  type Unit,
  type UnitForm,
  type UsualField,
  type UsualOf,
  usually,
  usualOf,
  wired,
  wiredUnit,
  wordUnit,
} from './tables.ts'
export * from './units.ts'
export * from './wide.ts'
