/**
 * Series compared with a plain list of all their values: the newer part answers for every moment, the older one for the
 * last value of each minute; sums of rates are exact.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { micros } from '../../../../src/core/index.ts'
import {
  addHourly,
  addRate,
  addValue,
  createRateSeries,
  createSeries,
  meanBetween,
  sumUntil,
  valueAt,
} from '../../../../src/rpc/history/series.ts'

const minute = 60_000_000

const steps = fc.array(fc.record({ wait: fc.nat(4 * minute), value: fc.integer({ min: -500_000, max: 500_000 }) }), {
  minLength: 1,
  maxLength: 120,
})

/** The steps at their times, from an hour on. */
function timed(list: readonly { wait: number; value: number }[]): { time: number; value: number }[] {
  let time = 60 * minute
  return list.map(({ wait, value }) => {
    time += wait
    return { time, value }
  })
}

function naiveAt(list: readonly { time: number; value: number }[], time: number): number | undefined {
  return list.findLast((step) => step.time <= time)?.value
}

function naiveSum(list: readonly { time: number; value: number }[], until: number): bigint {
  let sum = 0n
  for (const [at, { time, value }] of list.entries()) {
    const end = Math.min(list[at + 1]?.time ?? until, until)
    if (end > time) sum += BigInt(value) * BigInt(end - time)
  }
  return sum
}

describe('a series that keeps everything', () => {
  test('values and sums at every moment', () => {
    fc.assert(
      fc.property(steps, fc.nat(600 * minute), (given, asked) => {
        const list = timed(given)
        const [values, rates] = [createSeries(), createRateSeries()]
        for (const { time, value } of list) {
          addValue(values, { time: micros(time), value }, 1000)
          addRate(rates, { time: micros(time), value }, 1000)
        }
        for (const time of [asked, asked + 60 * minute, ...list.map((step) => step.time)]) {
          expect(valueAt(values, time)).toBe(naiveAt(list, time))
          expect(valueAt(rates, time)).toBe(naiveAt(list, time))
          expect(sumUntil(rates, time)).toBe(naiveSum(list, time))
        }
      }),
    )
  })

  test('before the first value there is no value, and the sum is 0', () => {
    const rates = createRateSeries()
    expect([valueAt(rates, 5), sumUntil(rates, 5)]).toEqual([undefined, 0n])
    addRate(rates, { time: micros(10), value: 7 }, 5)
    expect([valueAt(rates, 9), sumUntil(rates, 9)]).toEqual([undefined, 0n])
    expect([valueAt(rates, 10), sumUntil(rates, 10), sumUntil(rates, 12)]).toEqual([7, 0n, 14n])
  })
})

describe('a series that is bounded', () => {
  test('less than twice the limit, the newest exact, before them whole minutes', () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 12 }), (given, limit) => {
        const list = timed(given)
        const rates = createRateSeries()
        for (const { time, value } of list) addRate(rates, { time: micros(time), value }, limit)
        expect(rates.times.length).toBeLessThan(2 * limit)
        expect([rates.values.length, rates.sums.length]).toEqual([rates.times.length, rates.times.length])
        const oldest = rates.times[0] ?? 0
        for (const [at, time] of rates.times.entries()) {
          expect([rates.values[at], rates.sums[at]]).toEqual([naiveAt(list, time), naiveSum(list, time)])
        }
        // Before the stored part sums do not change, so no time includes dropped values.
        expect(sumUntil(rates, oldest - 1)).toBe(naiveSum(list, oldest))
        expect(sumUntil(rates, 0)).toBe(naiveSum(list, oldest))
        expect(rates.knownFrom).toBe(oldest === list[0]?.time ? 0 : oldest)
        // The last moment of every minute after the oldest value is exact, and so are its sums.
        for (let end = oldest - (oldest % minute) + minute - 1; end < 300 * minute; end += minute) {
          expect(valueAt(rates, end)).toBe(naiveAt(list, end))
          expect(sumUntil(rates, end)).toBe(naiveSum(list, end))
        }
      }),
    )
  })

  test('the last value of one time stays', () => {
    const series = createSeries()
    for (const value of [1, 2, 3]) addValue(series, { time: micros(10), value }, 1)
    expect([series.times, series.values]).toEqual([[10], [3]])
  })
})

describe('a series by the hour', () => {
  const hour = 60 * minute

  test('at whole hours it has the values and sums of all steps, and at most two an hour', () => {
    const slow = fc.array(fc.record({ wait: fc.nat(40 * minute), value: fc.integer({ min: 1, max: 500_000 }) }), {
      minLength: 1,
      maxLength: 120,
    })
    fc.assert(
      fc.property(slow, fc.boolean(), (given, onHours) => {
        // Steps of an instant and steps at whole hours are frequent.
        const list = timed(
          given.map(({ wait, value }) => ({
            wait: onHours ? wait - (wait % (20 * minute)) : wait,
            value,
          })),
        )
        const hours = createRateSeries()
        for (const { time, value } of list) addHourly(hours, { time: micros(time), value }, 1000)
        const [first = 0] = hours.times
        const end = (list.at(-1)?.time ?? 0) + 2 * hour
        for (let at = 0; at < end; at += hour) {
          expect(valueAt(hours, at)).toBe(naiveAt(list, at))
          expect(sumUntil(hours, at)).toBe(naiveSum(list, at))
          const sum = naiveSum(list, at + hour) - naiveSum(list, at)
          const span = at + hour - Math.max(at, first)
          const mean = meanBetween(hours, at, at + hour)
          if (span <= 0) expect(mean).toBeUndefined()
          else expect(Number(mean)).toBeCloseTo(Number(sum) / span, -0.31)
        }
        const counts = new Map<number, number>()
        for (const time of hours.times) {
          const number = Math.ceil(time / hour)
          counts.set(number, (counts.get(number) ?? 0) + 1)
        }
        expect(Math.max(...counts.values())).toBeLessThanOrEqual(2)
      }),
    )
  })
})
