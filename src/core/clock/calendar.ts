/**
 * The proleptic Gregorian calendar in UTC, without `Date`; the trading day; expiry labels.
 *
 * Dates run from 1970-01-01 to 9999-12-31. Times are `Micros`, which as safe integers end at
 * 2255-06-05T23:47:34.740991Z. The expiry of a perpetual is later, so it exists only in milliseconds and never in the
 * engine's time.
 *
 * The venue settles and expires at 08:00 UTC; a date label such as `27DEC24` or `5JUN26` means that hour of that day.
 * Source: spec/interface.md, settlement and delivery; spec/market.md T01, T02, T13. Algorithm: Howard Hinnant,
 * "chrono-Compatible Low-Level Date Algorithms" (2021), days_from_civil and civil_from_days.
 */
import { assert, defined } from '../assert.ts'
import type { TextFault } from '../input-error.ts'
import { divFloor, modFloor } from '../integer.ts'
import { err, ok, type Result } from '../result.ts'
import { type Micros, micros } from '../units.ts'

/** A date: year 1970..9999, month 1..12, day 1..31. */
interface CivilDate {
  readonly year: number
  readonly month: number
  readonly day: number
}

/** A date and the time of its day in UTC. */
interface CivilTime extends CivilDate {
  readonly hour: number
  readonly minute: number
  readonly second: number
  /** Microseconds within the second, 0..999,999. */
  readonly micro: number
}

export const MICROS_PER_SECOND = 1_000_000
export const MICROS_PER_DAY = 86_400_000_000

/** Expiry that the venue reports for perpetuals and spot: 3000-01-01T08:00:00Z in milliseconds. */
export const PERPETUAL_EXPIRY_MILLIS = 32_503_708_800_000

const DAY_END_MICROS = 28_800_000_000
const YEAR_MIN = 1970
const YEAR_MAX = 9999
const FRIDAY = 5
/** Days from 0000-03-01, where the algorithm's years begin, to 1970-01-01. */
const EPOCH_SHIFT_DAYS = 719_468
const DAYS_PER_ERA = 146_097

const MONTH_LABELS = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ')
const MONTH_DAYS: readonly number[] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const EXPIRY_LABEL = /^([1-9]|[12][0-9]|3[01])([A-Z]{3})([0-9]{2})$/

/** True if the date exists in the calendar. */
export function isCivilDate(date: CivilDate): boolean {
  const { year, month, day } = date
  if (!(Number.isInteger(year) && Number.isInteger(month) && Number.isInteger(day))) return false
  if (year < YEAR_MIN || year > YEAR_MAX || month < 1 || month > 12) return false
  return day >= 1 && day <= daysInMonth(date)
}

/** Days from 1970-01-01 to a date of the calendar. */
export function daysOfCivil(date: CivilDate): number {
  assert(isCivilDate(date), 'the date exists in the calendar')
  // Years begin in March, so that the leap day is the last of its year.
  const year = date.month <= 2 ? date.year - 1 : date.year
  const monthFromMarch = date.month > 2 ? date.month - 3 : date.month + 9
  const era = divFloor(year, 400)
  const yearOfEra = year - era * 400
  const dayOfYear = divFloor(153 * monthFromMarch + 2, 5) + date.day - 1
  const leapDays = divFloor(yearOfEra, 4) - divFloor(yearOfEra, 100)
  return era * DAYS_PER_ERA + yearOfEra * 365 + leapDays + dayOfYear - EPOCH_SHIFT_DAYS
}

/** The date `days` after 1970-01-01; `days` from 0 to 9999-12-31. */
export function civilOfDays(days: number): CivilDate {
  assert(Number.isSafeInteger(days) && days >= 0, 'a day number is not negative')
  const shifted = days + EPOCH_SHIFT_DAYS
  const era = divFloor(shifted, DAYS_PER_ERA)
  const dayOfEra = shifted - era * DAYS_PER_ERA
  const leapDays = divFloor(dayOfEra, 1460) - divFloor(dayOfEra, 36_524)
  const yearOfEra = divFloor(dayOfEra - leapDays - divFloor(dayOfEra, 146_096), 365)
  const yearStart = 365 * yearOfEra + divFloor(yearOfEra, 4) - divFloor(yearOfEra, 100)
  const dayOfYear = dayOfEra - yearStart
  const monthFromMarch = divFloor(5 * dayOfYear + 2, 153)
  const day = dayOfYear - divFloor(153 * monthFromMarch + 2, 5) + 1
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  const date = { year, month, day }
  assert(isCivilDate(date), 'a day number is before the year 10000')
  return date
}

/** Date and time of day of a point of time, in UTC. */
export function civilOf(time: Micros): CivilTime {
  const days = divFloor(time, MICROS_PER_DAY)
  const microOfDay = time - days * MICROS_PER_DAY
  const secondOfDay = divFloor(microOfDay, MICROS_PER_SECOND)
  const minuteOfDay = divFloor(secondOfDay, 60)
  return {
    ...civilOfDays(days),
    hour: divFloor(minuteOfDay, 60),
    minute: modFloor(minuteOfDay, 60),
    second: modFloor(secondOfDay, 60),
    micro: microOfDay - secondOfDay * MICROS_PER_SECOND,
  }
}

/** Point of time of a valid date and time of day in UTC before mid-2255. */
export function microsOfCivil(civil: CivilTime): Micros {
  const { hour, minute, second, micro } = civil
  assert(Number.isInteger(hour) && hour >= 0 && hour < 24, 'an hour of the day exists')
  assert(Number.isInteger(minute) && minute >= 0 && minute < 60, 'a minute of the hour exists')
  assert(Number.isInteger(second) && second >= 0 && second < 60, 'a second of the minute exists')
  assert(Number.isInteger(micro) && micro >= 0 && micro < MICROS_PER_SECOND, 'the microsecond exists')
  const seconds = (hour * 60 + minute) * 60 + second
  return micros(daysOfCivil(civil) * MICROS_PER_DAY + seconds * MICROS_PER_SECOND + micro)
}

/** Day of the week as in ISO 8601: 1 is Monday, 7 is Sunday. */
export function weekdayOf(time: Micros): number {
  // 1970-01-01 was a Thursday.
  return modFloor(divFloor(time, MICROS_PER_DAY) + 3, 7) + 1
}

/** True if the UTC date of `time` is the last Friday of its month, the day of monthly expiries. */
export function isLastFridayOfMonth(time: Micros): boolean {
  if (weekdayOf(time) !== FRIDAY) return false
  const date = civilOfDays(divFloor(time, MICROS_PER_DAY))
  return date.day + 7 > daysInMonth(date)
}

/** The last 08:00 UTC at or before `time`, which is at least 1970-01-01T08:00:00Z. */
export function dayBoundaryAtOrBefore(time: Micros): Micros {
  return micros(time - modFloor(time - DAY_END_MICROS, MICROS_PER_DAY))
}

/** The first 08:00 UTC strictly after `time`. */
export function dayBoundaryAfter(time: Micros): Micros {
  const sinceBoundary = modFloor(time - DAY_END_MICROS, MICROS_PER_DAY)
  return micros(time - sinceBoundary + MICROS_PER_DAY)
}

/** 08:00 UTC of the date of a label such as `27DEC24`; years are 2000 to 2099. */
export function expiryOfLabel(label: string): Result<Micros, TextFault> {
  const match = EXPIRY_LABEL.exec(label)
  const [, dayText, monthLabel = '', yearText] = match ?? []
  const month = MONTH_LABELS.indexOf(monthLabel) + 1
  const date = { year: 2000 + Number(yearText), month, day: Number(dayText) }
  if (match === null || !isCivilDate(date)) {
    return err({ found: label, expected: 'a date label such as 27DEC24 or 5JUN26' })
  }
  return ok(micros(daysOfCivil(date) * MICROS_PER_DAY + DAY_END_MICROS))
}

/** The label of an expiry, which must be at 08:00 UTC in the years 2000 to 2099. */
export function labelOfExpiry(expiry: Micros): string {
  assert(modFloor(expiry, MICROS_PER_DAY) === DAY_END_MICROS, 'an expiry is at 08:00 UTC')
  const { year, month, day } = civilOfDays(divFloor(expiry, MICROS_PER_DAY))
  assert(year >= 2000 && year <= 2099, 'a labelled year has two digits')
  const monthLabel = defined(MONTH_LABELS[month - 1], 'every month has a label')
  return `${day}${monthLabel}${String(year - 2000).padStart(2, '0')}`
}

function daysInMonth({ year, month }: CivilDate): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  if (month === 2 && isLeap) return 29
  return defined(MONTH_DAYS[month - 1], 'every month has a number of days')
}
