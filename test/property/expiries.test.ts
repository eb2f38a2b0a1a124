/** Compares the schedule of expiries with a plain walk over the days, and checks properties of every day. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { labelOfExpiry, micros } from '../../src/core/index.ts'
import { listedExpiries } from '../../src/engine/day/schedule.ts'

const DAY = 86_400_000
/** 08:00 of 2020-01-01 to 2095-01-01, in milliseconds. */
const first = Date.UTC(2020, 0, 1, 8)
const days = Math.round((Date.UTC(2095, 0, 1, 8) - first) / DAY)

/** All classes day by day, with the platform's calendar. */
function plainExpiries(session: number): readonly number[] {
  const isFriday = (at: number): boolean => new Date(at).getUTCDay() === 5
  const isMonthly = (at: number): boolean =>
    isFriday(at) && new Date(at).getUTCMonth() !== new Date(at + 7 * DAY).getUTCMonth()
  const isQuarterly = (at: number): boolean => isMonthly(at) && new Date(at).getUTCMonth() % 3 === 2
  const found = new Set([1, 2, 3, 4].map((day) => session + day * DAY))
  for (const [isOf, count] of [
    [isFriday, 3],
    [isMonthly, 3],
    [isQuarterly, 4],
  ] as const) {
    const more = isOf(session + DAY) ? count + 1 : count
    let taken = 0
    for (let day = 1; taken < more; day += 1) {
      if (!isOf(session + day * DAY)) continue
      found.add(session + day * DAY)
      taken += 1
    }
  }
  return [...found].toSorted((a, b) => a - b)
}

const session = fc.nat(days).map((day) => first + day * DAY)

test('a schedule equals a plain walk over the days, at any time of the day', () => {
  fc.assert(
    fc.property(session, fc.nat(DAY * 1000 - 1), (at, later) => {
      const expected = plainExpiries(at).map((millis) => millis * 1000)
      expect(listedExpiries(micros(at * 1000 + later))).toEqual(expected)
    }),
    { numRuns: 200 },
  )
})

test('a listed expiry stays listed until it expires, and every expiry has a label', () => {
  let before = listedExpiries(micros(first * 1000))
  for (let day = 1; day <= 800; day += 1) {
    const now = micros((first + day * DAY) * 1000)
    const listed = listedExpiries(now)
    expect(listed).toEqual(expect.arrayContaining(before.filter((expiry) => expiry > now)))
    expect(new Set(listed.map(labelOfExpiry)).size).toBe(listed.length)
    expect(listed.every((expiry) => expiry > now)).toBe(true)
    before = listed
  }
})
