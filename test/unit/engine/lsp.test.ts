/**
 * The arithmetic of the liquidity support programme and of auto-deleveraging (sessions 7).
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Price9, price9 } from '../../../src/core/index.ts'
import {
  assign,
  counterpartyShare,
  deleveragingScore,
  remainingCapacity,
  transferCommission,
  transferPrice,
} from '../../../src/engine/day/lsp-shares.ts'

const mark: Price9 = price9(50_000_000_000_000)

describe('the price and the commission of a transfer (sessions 7.3)', () => {
  test('a quarter of a percent below the mark for a long, above it for a short', () => {
    expect(transferPrice(mark, true, 2_500)).toBe(49_875_000_000_000)
    expect(transferPrice(mark, false, 2_500)).toBe(50_125_000_000_000)
    expect(transferPrice(price9(1), true, 999_999)).toBe(1)
  })

  test('A2 a transfer costs at most the greatest price', () => {
    const highest = price9(9_007_199_000_000_000)
    expect(transferPrice(highest, false, 2_500)).toBe(highest)
  })

  test('two and a half of ten thousand, to 1e-8; a counterparty has half of it', () => {
    expect(transferCommission(1_000_000_000_000n, 250)).toBe(250_000_000n)
    expect(transferCommission(123_456n, 250)).toBe(30n)
    expect(counterpartyShare(31n)).toBe(15n)
  })
})

describe('the capacity of a participant (sessions 7.1)', () => {
  const of = { equity: 1_000n, notional: 0n, capacityFactor: 2, limitPpm: 150_000, used: 0n }
  test('the lesser of its capacity and the rest of its limit, never below zero', () => {
    expect(remainingCapacity(of)).toBe(150n)
    expect(remainingCapacity({ ...of, used: 100n })).toBe(50n)
    expect(remainingCapacity({ ...of, used: 200n })).toBe(0n)
    expect(remainingCapacity({ ...of, notional: 1_990n })).toBe(10n)
    expect(remainingCapacity({ ...of, equity: -5n })).toBe(0n)
  })
})

describe('how a position is shared (sessions 7.3)', () => {
  test('in proportion, then lot by lot by falling capacity and rising id', () => {
    const candidates = [
      { account: 7, capacity: 100n, lots: 100 },
      { account: 5, capacity: 100n, lots: 100 },
      { account: 6, capacity: 200n, lots: 200 },
    ]
    expect(assign(11, candidates)).toEqual([
      { account: 6, lots: 6 },
      { account: 5, lots: 3 },
      { account: 7, lots: 2 },
    ])
    expect(assign(1, [])).toEqual([])
  })

  test('remaining lots go round again while a participant has room', () => {
    const candidates = [
      { account: 1, capacity: 109n, lots: 10 },
      { account: 2, capacity: 19n, lots: 1 },
      { account: 3, capacity: 19n, lots: 1 },
    ]
    // Shares of 8.9, 1.6 and 1.6 leave two lots, and only the first has room for them.
    expect(assign(12, candidates)).toEqual([
      { account: 1, lots: 10 },
      { account: 2, lots: 1 },
      { account: 3, lots: 1 },
    ])
  })

  test('never more than the offer, nor than any participant can take, and all of it if there is room', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100_000 }),
        fc.bigInt(1n, 50n),
        fc.array(fc.bigInt(0n, 1_000_000n), { maxLength: 8 }),
        (size, price, drawn) => {
          const candidates = drawn.map((capacity, account) => ({
            ...{ account, capacity, lots: Number(capacity / price) },
          }))
          const parts = assign(size, candidates)
          const total = parts.reduce((sum, { lots }) => sum + lots, 0)
          const room = candidates.reduce((sum, { lots }) => sum + lots, 0)
          for (const { account, lots } of parts) {
            expect(lots).toBeGreaterThan(0)
            expect(lots).toBeLessThanOrEqual(candidates[account]?.lots ?? 0)
          }
          expect(total).toBe(Math.min(size, room))
        },
      ),
    )
  })
})

test('the score of a position: profit over cost times leverage, an account worth nothing first', () => {
  const of = { profit: 50n, cost: 1_000n, value: 1_050n, equity: 500n }
  expect(deleveragingScore(of)).toBe(105_000_000n)
  expect(deleveragingScore({ ...of, profit: -50n })).toBe(-105_000_000n)
  expect(deleveragingScore({ ...of, equity: 0n })).toBe(52_500_000_000n)
})
