/** The public names of `core`: units, exact arithmetic, time, chance, timers, hashes and codecs. */
export { AssertionFailure, assert, defined, unreachable } from './assert.ts'
export {
  encodeValue,
  type Plain,
} from './bytes/codec.ts'
export { decodeValue } from './bytes/codec-reader.ts'
export { createStateHash, hashHex, hashText } from './bytes/hash.ts'
export { hashPlain } from './bytes/hash-plain.ts'
export {
  decodeSections,
  encodeSections,
  type SectionFault,
} from './bytes/sections.ts'
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
export {
  formatDuration,
  formatIsoTime,
  microsOfMillis,
  millisOf,
  parseDuration,
  parseIsoTime,
} from './clock/time.ts'
export {
  auditTimerQueue,
  cancel,
  createTimerQueue,
  peekTime,
  popDue,
  restoreTimerQueue,
  schedule,
  snapshotTimerQueue,
  type Timer,
  type TimerId,
  type TimerPlan,
  type TimerQueue,
  type TimerQueueSnapshot,
  timerCount,
} from './clock/timer-queue.ts'
export { coded, type ErrorCode, errorCodes, isError } from './coded-error.ts'
export {
  type DecimalFault,
  type DecimalInput,
  decimalTextOf,
  type ExactDecimal,
  formatScaled,
  formatScaledNumber,
  parseDecimalInput,
  parseScaled,
  rescaleHalfAway,
  scaledToNumber,
} from './decimal.ts'
export {
  formatInputError,
  type InputError,
  nearest,
  type TextFault,
} from './input-error.ts'
export { createIntMap, type IntMap, intMapDelete, intMapGet, intMapSet } from './int-map.ts'
export {
  divCeil,
  divCeilBig,
  divFloor,
  divFloorBig,
  divHalfAwayBig,
  divHalfEvenBig,
  divNearest,
  divTruncBig,
  modFloor,
  mulDivFloor,
  mulDivHalfAway,
  mulSub,
  powerOfTen,
  safeNumber,
} from './integer.ts'
export type { Mutable } from './mutable.ts'
export { addNano, type Nano, nanoAt, nanoOf, subtractNano, takesNano } from './nano.ts'
export {
  clearNumbers,
  createNumberHeap,
  type NumberHeap,
  peekNumber,
  popNumber,
  pushNumber,
} from './number-heap.ts'
export { checkOptions, foundWord, type OptionNames } from './options.ts'
export {
  type RandomState,
  type RandomStream,
  randomStream,
  restoreRandomStream,
} from './random.ts'
export { createRecords, type Records, recordLayout } from './records.ts'
export {
  err,
  ok,
  type Result,
} from './result.ts'
export * as z from './schema.ts'
export * as units from './table-units.ts'
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
export {
  type AccountId,
  type Amount,
  accountId,
  amount,
  type CurrencyId,
  currencyId,
  type InstrumentId,
  instrumentId,
  type Lots,
  lots,
  type Micros,
  micros,
  type OrderId,
  orderId,
  PRICE9_MAX,
  type Price9,
  price9,
  type Sequence,
  sequence,
  type Ticks,
  type TradeId,
  ticks,
  tradeId,
} from './units.ts'
export {
  addToWide,
  addUnitsToWide,
  addWide,
  compareWide,
  copyWide,
  isNegativeWide,
  NEAR_LOSS,
  negateWide,
  setWide,
  setWideBigint,
  setWideProduct,
  setWideRatio,
  setWideShare,
  subtractWide,
  WIDE_BASE,
  wideDifferenceToNano,
  wideNear,
  wideToBigint,
  wideToDouble,
  wideToNano,
  wideToNumber,
  withRoom,
} from './wide.ts'
