/** ISO times, milliseconds and durations. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AssertionFailure } from '../../../../src/core/assert.ts'
import {
  formatDuration,
  formatIsoTime,
  microsOfMillis,
  millisOf,
  parseDuration,
  parseIsoTime,
} from '../../../../src/core/clock/time.ts'
import { micros } from '../../../../src/core/units.ts'

const times = fc.nat({ max: Number.MAX_SAFE_INTEGER }).map(micros)

describe('parseIsoTime', () => {
  test.each([
    ['2026-01-05T07:59:00Z', '2026-01-05T07:59:00Z'],
    ['2026-01-05T07:59:00+02:00', '2026-01-05T05:59:00Z'],
    ['2026-01-05T07:59:00-05:30', '2026-01-05T13:29:00Z'],
    ['2026-01-05T07:59:00.5Z', '2026-01-05T07:59:00.500Z'],
    ['2026-01-05T07:59:00.000001Z', '2026-01-05T07:59:00.000001Z'],
    ['2026-01-05T07:59:00.120Z', '2026-01-05T07:59:00.120Z'],
    ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00Z'],
    ['2255-06-05T23:47:34.740991Z', '2255-06-05T23:47:34.740991Z'],
    ['2255-06-06T00:47:34.740991+01:00', '2255-06-05T23:47:34.740991Z'],
  ])('%s is %s', (text, printed) => {
    const parsed = parseIsoTime(text)
    expect(parsed.ok && formatIsoTime(parsed.value)).toBe(printed)
  })

  test.each([
    ['2026-01-05T07:59:00', 'a time with an offset, such as Z or +02:00'],
    ['2026-01-05', 'a time with an offset, such as Z or +02:00'],
    ['2026-01-05T07:59Z', 'an ISO 8601 time to the microsecond, such as 2026-01-05T07:59:00Z'],
    ['2026-01-05 07:59:00Z', 'an ISO 8601 time to the microsecond, such as 2026-01-05T07:59:00Z'],
    ['2026-01-05T07:59:00z', 'an ISO 8601 time to the microsecond, such as 2026-01-05T07:59:00Z'],
    ['2026-01-05T07:59:00.1234567Z', 'an ISO 8601 time to the microsecond, such as 2026-01-05T07:59:00Z'],
    ['2026-1-5T07:59:00Z', 'an ISO 8601 time to the microsecond, such as 2026-01-05T07:59:00Z'],
    ['', 'an ISO 8601 time to the microsecond, such as 2026-01-05T07:59:00Z'],
    ['2026-02-29T00:00:00Z', 'an existing date, time of day and offset'],
    ['2026-01-05T24:00:00Z', 'an existing date, time of day and offset'],
    ['2026-01-05T07:60:00Z', 'an existing date, time of day and offset'],
    ['2026-01-05T07:59:60Z', 'an existing date, time of day and offset'],
    ['2026-01-05T07:59:00+24:00', 'an existing date, time of day and offset'],
    ['2026-01-05T07:59:00+01:60', 'an existing date, time of day and offset'],
    ['1969-12-31T23:59:59Z', 'a time from 1970-01-01 to 2255-06-05 in UTC'],
    ['1970-01-01T00:00:00+01:00', 'a time from 1970-01-01 to 2255-06-05 in UTC'],
    ['2255-06-05T23:47:34.740992Z', 'a time from 1970-01-01 to 2255-06-05 in UTC'],
    ['9999-12-31T23:59:59.999999Z', 'a time from 1970-01-01 to 2255-06-05 in UTC'],
  ])('refuses %s', (text, expected) => {
    expect(parseIsoTime(text)).toEqual({ ok: false, error: { found: text, expected } })
  })

  test('reads the output of formatIsoTime, like the platform', () => {
    fc.assert(
      fc.property(times, (time) => {
        const text = formatIsoTime(time)
        expect(parseIsoTime(text)).toEqual({ ok: true, value: time })
        expect(Date.parse(text)).toBe(Math.floor(time / 1000))
      }),
    )
  })
})

describe('milliseconds', () => {
  test('are rounded down on the way out', () => {
    expect(millisOf(micros(1_999))).toBe(1)
    expect(microsOfMillis(1_735_286_400_000)).toBe(1_735_286_400_000_000)
    expect(() => microsOfMillis(0.5)).toThrow(AssertionFailure)
    expect(() => microsOfMillis(-1)).toThrow(AssertionFailure)
    expect(() => microsOfMillis(32_503_708_800_000)).toThrow(AssertionFailure)
  })
})

describe('durations', () => {
  test.each([
    ['0ms', 0],
    ['250us', 250],
    ['5ms', 5_000],
    ['1.5s', 1_500_000],
    ['2m', 120_000_000],
    ['3h', 10_800_000_000],
    ['1d', 86_400_000_000],
    ['0.001ms', 1],
    ['1.10m', 66_000_000],
    ['0.0000001m', 6],
    ['0.00001d', 864_000],
    ['1_000ms', 1_000_000],
    ['9007199254740991us', Number.MAX_SAFE_INTEGER],
  ])('%s', (text, duration) => {
    expect(parseDuration(text)).toEqual({ ok: true, value: duration })
  })

  const form = 'a duration such as 250us, 5ms, 1.5s, 2m, 3h or 1d'
  test.each([...['', '5', 'ms', '-5ms', '+5ms', '5 ms', '05ms', '.5s', '5.s', '1e3s', '5MS', '1h30m', '5w']])(
    'refuses %j',
    (text) => {
      expect(parseDuration(text)).toEqual({ ok: false, error: { found: text, expected: form } })
    },
  )

  test.each(['0.5us', '0.0001ms', '0.00000001m', '0.0000000000000000001d'])(
    'refuses a part of a microsecond: %s',
    (text) => {
      const error = { found: text, expected: 'a duration of whole microseconds' }
      expect(parseDuration(text)).toEqual({ ok: false, error })
    },
  )

  test('refuses more than a safe integer holds', () => {
    const error = { found: '104250d', expected: 'a duration of at most 104249 days' }
    expect(parseDuration('104250d')).toEqual({ ok: false, error })
    expect(parseDuration('104249d').ok).toBe(true)
  })

  test.each([
    [0, '0us'],
    [250, '250us'],
    [5_000, '5ms'],
    [1_500_000, '1500ms'],
    [90_000_000, '90s'],
    [172_800_000_000, '2d'],
  ])('%i prints as %s', (duration, text) => {
    expect(formatDuration(duration)).toBe(text)
  })

  test('read back their printed form', () => {
    const wide = fc.nat({ max: Number.MAX_SAFE_INTEGER })
    fc.assert(
      fc.property(fc.oneof(fc.nat(), wide), fc.constantFrom(1, 1e3, 6e7), (count, unit) => {
        const duration = count <= 1e8 ? count * unit : count
        expect(parseDuration(formatDuration(duration))).toEqual({ ok: true, value: duration })
      }),
    )
    expect(() => formatDuration(-1)).toThrow(AssertionFailure)
    expect(() => formatDuration(0.5)).toThrow(AssertionFailure)
  })
})
