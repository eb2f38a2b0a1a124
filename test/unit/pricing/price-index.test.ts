/**
 * Indices at the edges: even numbers of constituents, dropped ones, precision.
 */
import { expect, test } from 'vitest'
import { AssertionFailure } from '../../../src/core/index.ts'
import { indexOfConstituents, indexStep9 } from '../../../src/pricing/index.ts'
import { priceOf } from '../../support/harness.ts'

function indexOf(name: string, ...list: readonly (readonly [string, number])[]): number {
  const constituents = list.map(([price, weight9]) => ({ price9: priceOf(price), weight9 }))
  return indexOfConstituents(constituents, name, [])
}

test('the median of an even number is the middle of both middle prices', () => {
  // Median 101: 100 counts as 100.495, 102 as 101.505.
  expect(indexOf('btc_usdc', ['102', 1], ['100', 1])).toBe(priceOf('101'))
  expect(indexOf('btc_usdc', ['102', 3], ['100', 1])).toBe(priceOf('101.2525'))
})

test('weights need not sum to one, so that a dropped constituent leaves the others', () => {
  expect(indexOf('btc_usd', ['100', 25], ['100.4', 50])).toBe(priceOf('100.27'))
  expect(indexOf('btc_usd', ['100', 1])).toBe(priceOf('100'))
})

test('an index without constituents is a mistake of the caller', () => {
  expect(() => indexOf('btc_usd')).toThrow(AssertionFailure)
  expect(() => indexOf('btc_usd', ['100', 0])).toThrow(AssertionFailure)
})

test('d18 an index is as fine as the finest tick of its instruments', () => {
  expect(indexStep9('doge_usdc', 12_345, [1_000_000, 10])).toBe(1)
  expect(indexStep9('doge_usdc', 12_345, [1_000_000])).toBe(1_000)
  expect(indexOfConstituents([{ price9: 12_345, weight9: 1 }], 'doge_usdc', [1])).toBe(12_345)
})

test.each([
  ['btc_usd', '60000', '0.01'],
  ['eth_usd', '1', '0.01'],
  ['sol_usdc', '250', '0.0001'],
  ['btc_usdt', '60000', '0.0001'],
  ['xrp_usdc', '0.999999999', '0.000001'],
])('the precision of %s at %s is %s', (name, price, step) => {
  expect(indexStep9(name, priceOf(price), [])).toBe(priceOf(step))
})
