/** A recorded side by example; `test/property/recorded-side.test.ts` compares it with a Map. */
import { describe, expect, test } from 'vitest'
import {
  auditRecorded,
  bestLeft,
  bestRecorded,
  clearRecorded,
  createRecordedSide,
  nextLeft,
  recordedLeft,
  recordedLevels,
  recordedSize,
  recordedSource,
  setRecorded,
  takeRecorded,
} from '../../../src/book/recorded-side.ts'
import { AssertionFailure } from '../../../src/core/assert.ts'

describe('the remaining size of a level', () => {
  test('is the recorded size less the taken size, until a row sets it again', () => {
    const asks = createRecordedSide(-1)
    setRecorded(asks, 102, 10, 1)
    takeRecorded(asks, 102, 4)
    expect([recordedSize(asks, 102), recordedLeft(asks, 102)]).toEqual([10, 6])
    setRecorded(asks, 102, 7, 2)
    expect([recordedLeft(asks, 102), recordedSource(asks, 102)]).toEqual([7, 2])
  })

  test('a level without remaining size is shown, but has nothing to take', () => {
    const asks = createRecordedSide(-1)
    setRecorded(asks, 102, 10, 1)
    setRecorded(asks, 103, 5, 2)
    takeRecorded(asks, 102, 10)
    expect([bestRecorded(asks), bestLeft(asks), nextLeft(asks, 101)]).toEqual([102, 103, 103])
    takeRecorded(asks, 103, 5)
    expect([bestLeft(asks), nextLeft(asks, 0)]).toEqual([undefined, undefined])
  })

  test('no taker takes more than the remaining size, or from a missing level', () => {
    const bids = createRecordedSide(1)
    setRecorded(bids, 100, 10, 1)
    takeRecorded(bids, 100, 4)
    expect(() => takeRecorded(bids, 100, 7)).toThrow(AssertionFailure)
    expect(() => takeRecorded(bids, 99, 1)).toThrow(AssertionFailure)
    expect(() => takeRecorded(bids, 9_999, 1)).toThrow(AssertionFailure)
    expect(() => takeRecorded(bids, 100, 0)).toThrow(AssertionFailure)
    expect(recordedLeft(bids, 100)).toBe(6)
  })
})

test('setting a level returns the size before, 0 for a new level and for a new page', () => {
  const bids = createRecordedSide(1)
  expect(setRecorded(bids, 100, 0, 1)).toBe(0)
  expect(setRecorded(bids, 100, 5, 2)).toBe(0)
  expect(setRecorded(bids, 101, 0, 3)).toBe(0)
  expect(setRecorded(bids, 100, 7, 4)).toBe(5)
  expect(setRecorded(bids, 100, 0, 5)).toBe(7)
  expect([recordedLevels(bids), bestRecorded(bids)]).toEqual([[], undefined])
})

test('a cleared side has neither sizes, nor taken sizes, nor rows', () => {
  const bids = createRecordedSide(1)
  setRecorded(bids, 100, 10, 1)
  setRecorded(bids, -5_000, 10, 2)
  takeRecorded(bids, 100, 10)
  clearRecorded(bids)
  expect([recordedLeft(bids, 100), recordedSource(bids, 100)]).toEqual([0, 0])
  expect(bestRecorded(bids)).toBeUndefined()
  setRecorded(bids, 100, 3, 9)
  expect(recordedLevels(bids)).toEqual([{ price: 100, size: 3, taken: 0, source: 9 }])
  auditRecorded(bids)
})

test('prices below zero and pages apart are in order on both sides', () => {
  const prices = [-1_000_000, -257, -256, -1, 0, 255, 256, 70_000]
  const bids = createRecordedSide(1)
  const asks = createRecordedSide(-1)
  for (const price of prices) {
    setRecorded(bids, price, 1, 1)
    setRecorded(asks, price, 1, 1)
  }
  expect(recordedLevels(asks).map(({ price }) => price)).toEqual(prices)
  expect(recordedLevels(bids).map(({ price }) => price)).toEqual(prices.toReversed())
  expect([nextLeft(bids, -2), nextLeft(asks, -2)]).toEqual([-256, -1])
})
