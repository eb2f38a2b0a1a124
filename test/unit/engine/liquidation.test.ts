/**
 * The arithmetic of liquidations (market.md 6.6).
 */
import { describe, expect, test } from 'vitest'
import { chunkOf, lowersDelta } from '../../../src/engine/day/picking.ts'

describe('the size that a round closes', () => {
  test.each([
    ['T88', 10_000, 1_250],
    ['T88', 1_234, 155],
    ['T88', 7, 1],
    ['a lot', 1, 1],
  ])('%s: of %i lots %i', (_id, size, chunk) => {
    expect(chunkOf(size, 125_000, 1)).toBe(chunk)
  })

  test('at least the smallest order, at most all of it', () => {
    expect(chunkOf(100, 125_000, 25)).toBe(25)
    expect(chunkOf(20, 125_000, 25)).toBe(20)
    expect(chunkOf(100, 1_000_000, 1)).toBe(100)
  })

  test('whole steps of sizes, and the remainder off the step last', () => {
    const of = { chunkPpm: 125_000, minTradeLots: 10, stepLots: 10 }
    expect([100, 165, 15, 5].map((size) => chunkOf(size, of.chunkPpm, of.minTradeLots, of.stepLots))).toEqual([
      20, 30, 10, 5,
    ])
    expect(chunkOf(25, 1_000_000, of.minTradeLots, of.stepLots)).toBe(20)
  })

  test('is exact where a product of doubles is not', () => {
    const size = 9_007_199_254_740_991
    const exact = (BigInt(size) * 125_000n + 999_999n) / 1_000_000n
    expect(BigInt(chunkOf(size, 125_000, 1))).toBe(exact)
  })
})

test('delta is lowered by a part of the same side that does not reverse it by more than it was', () => {
  expect(lowersDelta(10n, 4n)).toBe(true)
  expect(lowersDelta(-10n, -4n)).toBe(true)
  expect(lowersDelta(10n, -1n)).toBe(false)
  expect(lowersDelta(10n, 20n)).toBe(false)
  expect(lowersDelta(10n, 19n)).toBe(true)
  expect(lowersDelta(0n, 1n)).toBe(false)
})
