/**
 * The delivery average at the edges of its window.
 */
import { expect, test } from 'vitest'
import { AssertionFailure, type Micros, micros } from '../../../src/core/index.ts'
import {
  createDeliveryAverage,
  deliveryMean9,
  exactMean9,
  isInAveragingWindow,
  sampleUntil,
  WINDOW_MICROS,
  windowStart,
} from '../../../src/engine/state/delivery-average.ts'

const day = 86_400_000_000
/** 2026-01-06T08:00:00Z. */
const end = micros(1_767_686_400_000_000)
const opens = windowStart(end)

function after(micro: number): Micros {
  return micros(opens + micro)
}

test('a window is the half hour before 08:00, both ends included', () => {
  expect(end - opens).toBe(WINDOW_MICROS)
  const inside = [-1, 0, 1, WINDOW_MICROS - 1, WINDOW_MICROS, WINDOW_MICROS + 1].map((micro) =>
    isInAveragingWindow(after(micro)),
  )
  expect(inside).toEqual([false, true, true, true, true, false])
  expect(() => windowStart(micros(end + 1))).toThrow(AssertionFailure)
})

test('outside of windows nothing is taken', () => {
  const average = createDeliveryAverage()
  sampleUntil(average, after(-1), 100)
  sampleUntil(average, after(WINDOW_MICROS + 1), 100)
  expect(average).toEqual({ end: 0, next: 0, sum: 0n, count: 0 })
  expect([deliveryMean9(average, 10), exactMean9(average)]).toEqual([0, 0])
})

test('the first value is due at 07:30, the last four seconds before 08:00', () => {
  const average = createDeliveryAverage()
  const countAt = (micro: number): number => {
    sampleUntil(average, after(micro), 100)
    return average.count
  }
  expect([0, 3_999_999, 4_000_000, 1_795_999_999, 1_796_000_000, WINDOW_MICROS].map(countAt)).toEqual([
    1, 1, 2, 449, 450, 450,
  ])
})

test('values while the price is unknown are left out', () => {
  const average = createDeliveryAverage()
  sampleUntil(average, after(11_999_999), 0)
  sampleUntil(average, after(16_000_000), 101)
  expect(average).toEqual({ end, next: 5, sum: 202n, count: 2 })
  expect(deliveryMean9(average, 10)).toBe(100)
})

test('a mean is rounded half away from zero to its step', () => {
  const average = createDeliveryAverage()
  sampleUntil(average, after(0), 1_234)
  sampleUntil(average, after(4_000_000), 1_235)
  expect([exactMean9(average), deliveryMean9(average, 10), deliveryMean9(average, 100)]).toEqual([1_235, 1_230, 1_200])
})

test('the window of another day starts again, and missed values of the last one stay missed', () => {
  const average = createDeliveryAverage()
  sampleUntil(average, after(60_000_000), 100)
  sampleUntil(average, micros(opens + day), 200)
  expect(average).toEqual({ end: end + day, next: 1, sum: 200n, count: 1 })
})

test('the same time twice takes nothing more, and time does not go back', () => {
  const average = createDeliveryAverage()
  sampleUntil(average, after(8_000_000), 100)
  sampleUntil(average, after(8_000_000), 999)
  expect([average.count, average.sum]).toEqual([3, 300n])
  expect(() => sampleUntil(average, after(0), 100)).toThrow(AssertionFailure)
})
