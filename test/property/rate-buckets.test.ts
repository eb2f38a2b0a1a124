/**
 * Buckets of rate limits equal an oracle that counts in exact fractions of a request, and the leaky buckets of direct
 * access follow the sessions document.
 * Source: trading.md C47; sessions document 8.12.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { micros } from '../../src/core/index.ts'
import {
  creditsAt,
  creditsOf,
  drainCredits,
  fullBucket,
  secondsUntilFree,
  takeCredits,
  WHOLE_REQUEST,
} from '../../src/engine/state/rate-buckets.ts'
import { type Fraction, fraction, minus, plus, sign } from '../support/fraction.ts'

const start = 1_767_603_600_000_000
/** Times between requests: within a millisecond, some milliseconds, minutes. */
const gaps = fc.array(fc.oneof(fc.nat({ max: 999 }), fc.nat({ max: 400_000 }), fc.nat({ max: 9e8 })), {
  minLength: 1,
  maxLength: 60,
})

describe('limit.bucket', () => {
  test('C47 a bucket of requests equals one of exact fractions', () => {
    const terms = fc.record({ burst: fc.nat({ max: 30 }), rate: fc.nat({ max: 40 }) })
    fc.assert(
      fc.property(terms, gaps, ({ burst, rate }, waits) => {
        const credits = creditsOf({ burst, rate })
        const bucket = fullBucket(credits, micros(start))
        let level: Fraction = fraction(burst)
        let [time, millis] = [start, Math.floor(start / 1000)]
        for (const wait of waits) {
          time += wait
          const now = micros(time)
          const passed = Math.floor(time / 1000) - millis
          millis += passed
          // `rate` requests a second, for so many milliseconds.
          level = plus(level, fraction(rate * passed, 1000))
          if (sign(minus(level, fraction(burst))) > 0) level = fraction(burst)
          const isEnough = sign(minus(level, fraction(1))) >= 0
          if (isEnough) level = minus(level, fraction(1))
          expect(takeCredits(bucket, credits, now, WHOLE_REQUEST)).toBe(isEnough)
          const left = fraction(creditsAt(bucket, credits, now), 1000)
          expect(sign(minus(left, level))).toBe(0)
        }
      }),
    )
  })

  test('R15 a leaky bucket refuses requests that would overflow it, and never holds more than its capacity', () => {
    const messages = fc.array(fc.tuple(fc.nat({ max: 90_000 }), fc.boolean()), { maxLength: 120 })
    fc.assert(
      fc.property(messages, (sent) => {
        const terms = { capacity: 20_000, perMilli: 20 }
        const bucket = fullBucket(terms, micros(start))
        let [level, time, millis] = [0, start, Math.floor(start / 1000)]
        for (const [wait, isRefusable] of sent) {
          time += wait
          const passed = Math.floor(time / 1000) - millis
          millis += passed
          level = Math.max(0, level - 20 * passed)
          const paying = { now: micros(time), cost: isRefusable ? 2_000 : 100 }
          if (isRefusable) {
            const fits = level + paying.cost <= 20_000
            if (fits) level += paying.cost
            expect(takeCredits(bucket, terms, paying.now, paying.cost)).toBe(fits)
          } else {
            level = Math.min(20_000, level + paying.cost)
            drainCredits(bucket, terms, paying.now, paying.cost)
          }
          expect(creditsAt(bucket, terms, paying.now)).toBe(20_000 - level)
        }
      }),
    )
  })

  test('C47 a window allows a fixed number within any stretch of its length, and says how long to wait', () => {
    fc.assert(
      fc.property(gaps, fc.integer({ min: 1, max: 6 }), (waits, most) => {
        const window = 30_000_000
        const kept: ReturnType<typeof micros>[] = []
        const all: number[] = []
        let time = start
        for (const wait of waits) {
          time += wait
          const within = all.filter((at) => at + window > time)
          const seconds = secondsUntilFree(kept, { now: micros(time), window, most })
          expect(seconds > 0).toBe(within.length >= most)
          if (seconds > 0) {
            const free = (within[within.length - most] ?? Number.NaN) + window
            expect(time + seconds * 1_000_000).toBeGreaterThanOrEqual(free)
            expect(time + (seconds - 1) * 1_000_000).toBeLessThan(free)
          } else {
            all.push(time)
            kept.push(micros(time))
          }
        }
      }),
    )
  })
})
