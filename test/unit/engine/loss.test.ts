/**
 * Shared losses at the edges: funds that pay all or nothing, days without winners.
 */
import { expect, test } from 'vitest'
import { AssertionFailure } from '../../../src/core/index.ts'
import { shareLoss } from '../../../src/engine/day/bankruptcy.ts'

test('a fund that can pay everything takes no taxes', () => {
  expect(shareLoss(5n, 5n, [3n, -9n])).toEqual({
    ...{ funded: 5n, rest: 0n, profit: 3n, rate9: 0, taken: 0n, taxes: [0n, 0n] },
  })
})

test('an overdrawn fund pays nothing', () => {
  expect(shareLoss(5n, -7n, [10n])).toMatchObject({
    ...{ funded: 0n, rest: 5n, taxes: [5n] },
  })
})

test('winners pay at most their profit, losers nothing', () => {
  expect(shareLoss(100n, 0n, [3n, -9n, 0n, 4n])).toEqual({
    ...{
      funded: 0n,
      rest: 100n,
      profit: 7n,
      rate9: 1_000_000_000,
      taken: 7n,
      taxes: [3n, 0n, 0n, 4n],
    },
  })
})

test('a day without winners has no rate', () => {
  expect(shareLoss(100n, 40n, [-9n])).toEqual({
    ...{ funded: 40n, rest: 60n, profit: 0n, rate9: 0, taken: 0n, taxes: [0n] },
  })
  expect(shareLoss(0n, 0n, []).rate9).toBe(0)
})

test('each tax is rounded by itself, halves up', () => {
  expect(shareLoss(1n, 0n, [1n, 1n]).taxes).toEqual([1n, 1n])
  expect(shareLoss(1n, 0n, [1n, 1n, 1n]).taxes).toEqual([0n, 0n, 0n])
})

test('a loss is not negative', () => {
  expect(() => shareLoss(-1n, 0n, [])).toThrow(AssertionFailure)
})
