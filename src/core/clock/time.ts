/**
 * Points of time and durations as text, and the venue's milliseconds.
 *
 * A time is read as ISO 8601 with an explicit offset and at most microseconds, and printed in UTC with zero, three or
 * six fraction digits, as few as possible. A duration is a plain decimal and a unit (`5ms`, `250us`, `1.5s`, `2m`,
 * `3h`, `1d`) and must be a whole number of microseconds; its value is a safe integer number of microseconds. Leap
 * seconds do not exist.
 */

import { assert, defined } from '../assert.ts'
import { parseScaled } from '../decimal.ts'
import type { TextFault } from '../input-error.ts'
import { divFloor, divTruncBig, modFloor, powerOfTenBig } from '../integer.ts'
import { checkArgument } from '../options.ts'
import { err, ok, type Result } from '../result.ts'
import { type Micros, micros } from '../units.ts'
import { civilOf, daysOfCivil, isCivilDate, MICROS_PER_DAY, MICROS_PER_SECOND } from './calendar.ts'

const MICROS_PER_MILLI = 1000
const MICROS_PER_MINUTE = 60_000_000

const ISO_TIME = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,6}))?(?:Z|([+-])(\d{2}):(\d{2}))$/
const ISO_TIME_WITHOUT_OFFSET = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?$/
const DURATION = /^([0-9][0-9_.]*)(us|ms|s|m|h|d)$/
/** Decimals that a duration may have, more than microseconds of any unit need. */
const DURATION_SCALE = 18

/** Microseconds of each unit of durations, the smallest first. */
const DURATION_UNITS: ReadonlyMap<string, number> = new Map([
  ['us', 1],
  ['ms', MICROS_PER_MILLI],
  ['s', MICROS_PER_SECOND],
  ['m', MICROS_PER_MINUTE],
  ['h', 60 * MICROS_PER_MINUTE],
  ['d', MICROS_PER_DAY],
])

/**
 * Reads a time such as `2026-01-05T07:59:00.5+02:00`.
 *
 * @throws RangeError with the code `OPTION` if an argument has another kind.
 *
 * @example
 * console.log(parseIsoTime('1970-01-01T00:00:01Z')) // { ok: true, value: 1000000 }
 */
export function parseIsoTime(text: string): Result<Micros, TextFault> {
  checkArgument('parseIsoTime: text', text, 'string')
  const match = ISO_TIME.exec(text)
  if (match === null) return err({ found: text, expected: expectedForm(text) })
  const part = (index: number): number => Number(match[index] ?? '0')
  const date = { year: part(1), month: part(2), day: part(3) }
  const [hour, minute, second] = [part(4), part(5), part(6)]
  const [offsetHours, offsetMinutes] = [part(9), part(10)]
  const isTimeOfDay = hour < 24 && minute < 60 && second < 60
  if (date.year < 1970) return err(outOfRange(text))
  if (!isCivilDate(date) || !isTimeOfDay || offsetHours > 23 || offsetMinutes > 59) {
    return err({ found: text, expected: 'an existing date, time of day and offset' })
  }
  const offset = (offsetHours * 60 + offsetMinutes) * (match[8] === '-' ? -1 : 1)
  const minutes = (daysOfCivil(date) * 24 + hour) * 60 + minute - offset
  const micro = Number((match[7] ?? '').padEnd(6, '0'))
  const time = minutes * MICROS_PER_MINUTE + second * MICROS_PER_SECOND + micro
  return Number.isSafeInteger(time) && time >= 0 ? ok(micros(time)) : err(outOfRange(text))
}

/** ISO 8601 in UTC, such as `2026-01-05T07:59:00.250Z`. */
export function formatIsoTime(time: Micros): string {
  const { year, month, day, hour, minute, second, micro } = civilOf(time)
  const date = `${year}-${padded(month)}-${padded(day)}`
  const clock = `${padded(hour)}:${padded(minute)}:${padded(second)}`
  const digits = String(micro).padStart(6, '0')
  if (micro === 0) return `${date}T${clock}Z`
  return `${date}T${clock}.${digits.endsWith('000') ? digits.slice(0, 3) : digits}Z`
}

/** The point of time for integer milliseconds since the epoch, before mid-2255. */
export function microsOfMillis(millis: number): Micros {
  assert(Number.isSafeInteger(millis), 'a time in milliseconds is an integer')
  return micros(millis * MICROS_PER_MILLI)
}

/** Milliseconds since the epoch, rounded down like the venue's clock. */
export function millisOf(time: Micros): number {
  return divFloor(time, MICROS_PER_MILLI)
}

/**
 * Returns the microseconds of a duration such as `1.5s`, or an error if they are not a whole number.
 *
 * @throws RangeError with the code `OPTION` if an argument has another kind.
 *
 * @example
 * console.log(parseDuration('250ms')) // { ok: true, value: 250000 }
 */
export function parseDuration(text: string): Result<number, TextFault> {
  checkArgument('parseDuration: text', text, 'string')
  const [, decimal = '', unit = ''] = DURATION.exec(text) ?? []
  const scaled = parseScaled(decimal, DURATION_SCALE)
  if (!scaled.ok && scaled.error.kind === 'not_a_decimal') {
    return err({ found: text, expected: 'a duration such as 250us, 5ms, 1.5s, 2m, 3h or 1d' })
  }
  const divisor = powerOfTenBig(DURATION_SCALE)
  const product = scaled.ok ? scaled.value * BigInt(DURATION_UNITS.get(unit) ?? 0) : 1n
  const duration = divTruncBig(product, divisor)
  if (duration * divisor !== product) {
    return err({ found: text, expected: 'a duration of whole microseconds' })
  }
  if (duration > BigInt(Number.MAX_SAFE_INTEGER)) {
    return err({ found: text, expected: 'a duration of at most 104249 days' })
  }
  return ok(Number(duration))
}

/** A duration in the largest unit in which it is a whole number; zero is `0us`. */
export function formatDuration(durationMicros: number): string {
  const isDuration = Number.isSafeInteger(durationMicros) && durationMicros >= 0
  assert(isDuration, 'a duration is a safe integer of at least 0')
  let unit = 'us'
  for (const [candidate, unitMicros] of DURATION_UNITS) {
    if (durationMicros > 0 && modFloor(durationMicros, unitMicros) === 0) unit = candidate
  }
  const unitMicros = defined(DURATION_UNITS.get(unit), 'every duration unit has a number of microseconds')
  return `${divFloor(durationMicros, unitMicros)}${unit}`
}

function expectedForm(text: string): string {
  if (ISO_TIME_WITHOUT_OFFSET.test(text)) return 'a time with an offset, such as Z or +02:00'
  return 'an ISO 8601 time to the microsecond, such as 2026-01-05T07:59:00Z'
}

function outOfRange(text: string): TextFault {
  return { found: text, expected: 'a time from 1970-01-01 to 2255-06-05 in UTC' }
}

function padded(part: number): string {
  return String(part).padStart(2, '0')
}
