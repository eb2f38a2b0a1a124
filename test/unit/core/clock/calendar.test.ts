/** The calendar compared with the platform's, sessions, expiry labels. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AssertionFailure } from '../../../../src/core/assert.ts'
import {
  civilOf,
  civilOfDays,
  dayBoundaryAfter,
  dayBoundaryAtOrBefore,
  daysOfCivil,
  expiryOfLabel,
  isCivilDate,
  isLastFridayOfMonth,
  labelOfExpiry,
  MICROS_PER_DAY,
  microsOfCivil,
  PERPETUAL_EXPIRY_MILLIS,
  weekdayOf,
} from '../../../../src/core/clock/calendar.ts'
import { type Micros, micros } from '../../../../src/core/units.ts'

const lastDay = 2_932_896
const times = fc.nat({ max: Number.MAX_SAFE_INTEGER }).map(micros)

function at(text: string): Micros {
  return micros(Date.parse(text) * 1000)
}

describe('civil dates', () => {
  test('every 97th day from 1970 to 9999, and both ends, equals the date of the platform', () => {
    const days = Array.from({ length: Math.ceil(lastDay / 97) }, (_, at) => at * 97)
    expect([...days, lastDay].filter((each) => !isAsPlatform(each))).toEqual([])
    expect(civilOfDays(lastDay)).toEqual({ year: 9999, month: 12, day: 31 })
  })

  test('every day of four hundred years', () => {
    const days = Array.from({ length: 146_097 }, (_, at) => at)
    expect(days.filter((each) => daysOfCivil(civilOfDays(each)) !== each)).toEqual([])
  })

  function isAsPlatform(days: number): boolean {
    const date = new Date(days * 86_400_000)
    const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()]
    const found = civilOfDays(days)
    const isEqual = found.year === year && found.month === month && found.day === day
    return isEqual && daysOfCivil({ year, month, day }) === days
  }

  test.each([
    [2024, 2, 29, true],
    [2023, 2, 29, false],
    [2100, 2, 29, false],
    [2000, 2, 29, true],
    [2026, 4, 31, false],
    [2026, 0, 1, false],
    [2026, 13, 1, false],
    [2026, 1, 0, false],
    [2026, 1, 1.5, false],
    [1969, 12, 31, false],
    [9999, 12, 31, true],
    [10_000, 1, 1, false],
  ])('%d-%d-%d exists: %s', (year, month, day, exists) => {
    expect(isCivilDate({ year, month, day })).toBe(exists)
  })

  test('refuses days and dates outside', () => {
    for (const days of [-1, 0.5, lastDay + 1]) {
      expect(() => civilOfDays(days)).toThrow(AssertionFailure)
    }
    expect(() => daysOfCivil({ year: 2023, month: 2, day: 29 })).toThrow(AssertionFailure)
  })
})

describe('civil times', () => {
  test('go there and back', () => {
    fc.assert(
      fc.property(times, (time) => {
        const civil = civilOf(time)
        const date = new Date(Math.floor(time / 1000))
        expect(microsOfCivil(civil)).toBe(time)
        expect(civil.hour).toBe(date.getUTCHours())
        expect(civil.minute).toBe(date.getUTCMinutes())
        expect(civil.second).toBe(date.getUTCSeconds())
        expect(civil.micro).toBe(time % 1_000_000)
        expect(weekdayOf(time) % 7).toBe(date.getUTCDay())
      }),
    )
  })

  test('refuses a time of day that does not exist', () => {
    const civil = { year: 2026, month: 1, day: 5, hour: 0, minute: 0, second: 0, micro: 0 }
    for (const odd of [{ hour: 24 }, { minute: 60 }, { second: 60 }, { micro: 1e6 }, { hour: -1 }]) {
      expect(() => microsOfCivil({ ...civil, ...odd })).toThrow(AssertionFailure)
    }
    expect(() => microsOfCivil({ ...civil, year: 2256 })).toThrow(AssertionFailure)
  })
})

describe('sessions', () => {
  test('08:00 itself is at or before, and not after, itself', () => {
    const boundary = at('2026-01-05T08:00:00Z')
    expect(dayBoundaryAtOrBefore(boundary)).toBe(boundary)
    expect(dayBoundaryAfter(boundary)).toBe(at('2026-01-06T08:00:00Z'))
    const earlier = micros(boundary - 1)
    expect(dayBoundaryAtOrBefore(earlier)).toBe(at('2026-01-04T08:00:00Z'))
    expect(dayBoundaryAfter(earlier)).toBe(boundary)
    expect(dayBoundaryAfter(micros(0))).toBe(at('1970-01-01T08:00:00Z'))
    expect(() => dayBoundaryAtOrBefore(micros(1))).toThrow(AssertionFailure)
  })

  test('two neighbouring boundaries enclose every time', () => {
    const later = fc.integer({ min: MICROS_PER_DAY, max: Number.MAX_SAFE_INTEGER - MICROS_PER_DAY }).map(micros)
    fc.assert(
      fc.property(later, (time) => {
        const before = dayBoundaryAtOrBefore(time)
        const after = dayBoundaryAfter(time)
        expect(after - before).toBe(MICROS_PER_DAY)
        expect(before <= time && time < after).toBe(true)
        expect(civilOf(before)).toMatchObject({ hour: 8, minute: 0, second: 0, micro: 0 })
      }),
    )
  })

  test('the perpetual expiry is in the year 3000 and is not a time of the engine', () => {
    expect(PERPETUAL_EXPIRY_MILLIS).toBe(Date.parse('3000-01-01T08:00:00Z'))
    expect(Number.isSafeInteger(PERPETUAL_EXPIRY_MILLIS * 1000)).toBe(false)
  })
})

describe('expiry labels', () => {
  test.each([
    ['27DEC24', 1_735_286_400_000],
    ['5JUN26', Date.parse('2026-06-05T08:00:00Z')],
    ['29FEB24', Date.parse('2024-02-29T08:00:00Z')],
    ['1JAN00', Date.parse('2000-01-01T08:00:00Z')],
    ['31DEC99', Date.parse('2099-12-31T08:00:00Z')],
  ])('%s', (label, millis) => {
    const expiry = micros(millis * 1000)
    expect(expiryOfLabel(label)).toEqual({ ok: true, value: expiry })
    expect(labelOfExpiry(expiry)).toBe(label)
  })

  test.each(['05JUN26', '29FEB23', '31APR26', '0JUN26', '32JAN26', '5jun26', '5JUN2026', '5XYZ26'])(
    'refuses %s',
    (label) => {
      expect(expiryOfLabel(label)).toEqual({
        ok: false,
        error: { found: label, expected: 'a date label such as 27DEC24 or 5JUN26' },
      })
    },
  )

  test('every day of the century goes there and back', () => {
    for (let days = 10_957; days <= 47_481; days += 1) {
      const expiry = micros(days * MICROS_PER_DAY + 28_800_000_000)
      expect(expiryOfLabel(labelOfExpiry(expiry))).toEqual({ ok: true, value: expiry })
    }
  })

  test('refuses to label a time that is not an expiry', () => {
    expect(() => labelOfExpiry(at('2026-01-05T08:00:01Z'))).toThrow(AssertionFailure)
    expect(() => labelOfExpiry(at('1999-01-05T08:00:00Z'))).toThrow(AssertionFailure)
    expect(() => labelOfExpiry(at('2100-01-05T08:00:00Z'))).toThrow(AssertionFailure)
  })
})

describe('isLastFridayOfMonth', () => {
  test.each([
    ['2026-05-29T08:00:00Z', true],
    ['2026-05-22T08:00:00Z', false],
    ['2026-05-30T08:00:00Z', false],
    ['2026-05-28T23:59:59Z', false],
    ['2026-05-29T00:00:00Z', true],
    ['2024-02-23T08:00:00Z', true],
    ['2026-07-31T08:00:00Z', true],
    ['2026-07-24T08:00:00Z', false],
  ])('%s: %s', (text, isLast) => {
    expect(isLastFridayOfMonth(at(text))).toBe(isLast)
  })
})
