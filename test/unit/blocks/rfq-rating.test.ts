/**
 * Ratings of takers: examples at the borders of the window and of the bands, and a count by hand.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ClosedRfq, ratingBand, takerRating } from '../../../src/blocks/index.ts'
import { askedRuns, askedSeed } from '../../support/property-runs.ts'

const day = 86_400_000_000
const now = 100 * day
const since = now - 30 * day
const rfq = (filled: boolean, more: Partial<ClosedRfq> = {}): ClosedRfq => ({
  ...{ filled, included: true, closedAt: now - day },
  ...more,
})

test('S118 rule rfq.rating: percent of the included RFQs that were filled; none without any', () => {
  expect(takerRating([], since)).toBeUndefined()
  expect(takerRating([rfq(false, { included: false })], since)).toBeUndefined()
  expect(takerRating([rfq(true), rfq(false, { included: false })], since)).toBe(100)
  expect(takerRating([rfq(true), rfq(false), rfq(true), rfq(false)], since)).toBe(50)
  expect(takerRating([rfq(false)], since)).toBe(0)
  const many = Array.from({ length: 200 }, (_, at) => rfq(at >= 3))
  expect(takerRating(many, since)).toBe(98.5)
})

test('rule rfq.rating: an RFQ counts that closed since then', () => {
  const closed = [rfq(true), rfq(false, { closedAt: now - 30 * day })]
  expect(takerRating(closed, since)).toBe(50)
  expect(takerRating(closed, since + 1)).toBe(100)
  expect(takerRating(closed, since + 29 * day + 1)).toBeUndefined()
})

test('rule rfq.rating: bands of twenty, the last closed above', () => {
  const bands = [undefined, 0, 19.99, 20, 39.99, 40, 60, 79.99, 80, 99.9, 100].map(ratingBand)
  expect(bands).toEqual(['0-1', '0-1', '0-1', '1-2', '1-2', '2-3', '3-4', '3-4', '4-5', '4-5', '4-5'])
})

test('rule rfq.rating: it lies between 0 and 100, and a fill never lowers it', () => {
  const each = fc.record({ filled: fc.boolean(), age: fc.integer({ min: 0, max: 40 * day }) })
  const property = fc.property(fc.array(each, { maxLength: 12 }), (list) => {
    const closed = list.map(({ filled, age }) => rfq(filled, { closedAt: now - age }))
    const rating = takerRating(closed, since)
    const better = takerRating([...closed, rfq(true)], since) ?? -1
    expect(better).toBeGreaterThanOrEqual(rating ?? 0)
    expect(better).toBeLessThanOrEqual(100)
    expect(['0-1', '1-2', '2-3', '3-4', '4-5']).toContain(ratingBand(rating))
  })
  fc.assert(property, { ...askedSeed(3), numRuns: askedRuns(300, 1, 150) })
})
