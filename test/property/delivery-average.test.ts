/** Compares a delivery average that counts due values with one that takes each value separately. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { micros } from '../../src/core/index.ts'
import {
  createDeliveryAverage,
  deliveryMean9,
  exactMean9,
  isInAveragingWindow,
  sampleUntil,
} from '../../src/engine/state/delivery-average.ts'
import { fraction, roundedTo } from '../support/fraction.ts'

const hour = 3_600_000_000
/** 2026-01-05T00:00:00Z. */
const midnight = 1_767_571_200_000_000

/** Takes the value of every grid point one by one, at the price of its time. */
class PlainAverage {
  private window = -1
  private next = 0
  values: number[] = []

  until(time: number, price9: number): void {
    const windows = [0, 1, 2].map((day) => midnight + day * 24 * hour + 7.5 * hour)
    const opens = windows.find((at) => time >= at && time <= at + hour / 2)
    if (opens === undefined) return
    if (opens !== this.window) {
      this.window = opens
      this.next = 0
      this.values = []
    }
    while (this.next < 450 && opens + 4_000_000 * this.next <= time) {
      // An index may become known exactly when a value is due.
      if (price9 === 0 && opens + 4_000_000 * this.next === time) return
      if (price9 !== 0) this.values.push(price9)
      this.next += 1
    }
  }

  mean(step9: number): number {
    if (this.values.length === 0) return 0
    const sum = this.values.reduce((total, value) => total + BigInt(value), 0n)
    return roundedTo(fraction(sum, BigInt(this.values.length) * BigInt(step9)), 1) * step9
  }
}

/** Mostly small steps around a window, some of several hours. */
const step = fc.oneof(
  fc.nat(3),
  fc.nat(9_000_000),
  fc.constantFrom(4_000_000, 8_000_000, hour / 2),
  fc.nat(300_000_000),
  fc.nat(20 * hour),
)
const price = fc.oneof(fc.constant(0), fc.nat(1_000), fc.nat(Number.MAX_SAFE_INTEGER))

test('every due value is counted once, at the price of its time', () => {
  const from = fc.nat(7 * hour).map((micro) => midnight + 7 * hour + (micro >> 3))
  const steps = fc.array(fc.tuple(step, price), { minLength: 1, maxLength: 60 })
  fc.assert(
    fc.property(from, steps, (begin, moves) => {
      const average = createDeliveryAverage()
      const plain = new PlainAverage()
      let now = begin
      for (const [wait, price9] of moves) {
        now += wait
        if (now > midnight + 71 * hour) break
        sampleUntil(average, micros(now), price9)
        plain.until(now, price9)
        expect(average.count).toBe(plain.values.length)
        expect(exactMean9(average)).toBe(plain.mean(1))
        expect(deliveryMean9(average, 10_000_000)).toBe(plain.mean(10_000_000))
      }
    }),
    { numRuns: 300 },
  )
})

test('the clock alone decides whether a time is in the window', () => {
  fc.assert(
    fc.property(fc.nat(48 * hour), (micro) => {
      const time = midnight + micro
      const ofDay = micro % (24 * hour)
      expect(isInAveragingWindow(micros(time))).toBe(ofDay >= 7.5 * hour && ofDay <= 8 * hour)
    }),
  )
})

test('an index that becomes known only at 08:00 has no value, because none is due then', () => {
  const average = createDeliveryAverage()
  const end = micros(midnight + 8 * hour)
  sampleUntil(average, end, 0)
  sampleUntil(average, end, 5_000)
  expect(exactMean9(average)).toBe(0)
})
