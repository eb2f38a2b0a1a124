/**
 * Index and mark prices as arithmetic, exact to the last digit. Tests of marks with orders and a clock are in
 * mark-price.test.ts.
 *
 * Source: market.md 3.1, 3.2 (T22-T26).
 */
import { expect, test } from 'vitest'
import {
  clampedPrice9,
  deliveryMarkOf,
  fairPrice,
  impactPrice,
  indexOfConstituents,
  markOf,
  nextPremium,
  type PriceLevel,
} from '../../src/pricing/index.ts'
import { priceOf } from '../support/harness.ts'

const coin = priceOf('1')

/** Levels as [price, amount], the best first. */
function levels(...list: readonly (readonly [string, string])[]): readonly PriceLevel[] {
  return list.map(([price, amount]) => ({ price9: priceOf(price), amount9: priceOf(amount) }))
}

/** The mark of a perpetual on BTC. */
const tick9 = priceOf('0.5')

function inverseMark(index: string, ema9: number): number {
  return markOf({ index9: priceOf(index), ema9, clampPpm: 5_000, payoff: 'inverse', tick9 })
}

test('T22 prices more than 0.5 % from the median count as 0.5 % away', () => {
  const list = [
    { price9: priceOf('100'), weight9: priceOf('0.25') },
    { price9: priceOf('101'), weight9: priceOf('0.5') },
    { price9: priceOf('120'), weight9: priceOf('0.25') },
  ]
  expect(indexOfConstituents(list, 'btc_usd', [])).toBe(priceOf('101'))
})

test('T23 impact prices of 1 BTC on both sides, and the middle between them', () => {
  const asks = levels(['60000', '30000'], ['60010', '100000'])
  const bids = levels(['59990', '20000'], ['59950', '100000'])
  const ask = impactPrice({ payoff: 'inverse', levels: asks, impact9: coin })
  const bid = impactPrice({ payoff: 'inverse', levels: bids, impact9: coin })
  expect(ask).toBe(priceOf('60005'))
  expect(bid).toBe(priceOf('59963.335555926'))
  const fair = fairPrice(
    { best9: priceOf('59990'), impact9: bid ?? 0 },
    { best9: priceOf('60000'), impact9: ask ?? 0 },
    priceOf('1'),
  )
  expect(fair).toBe(priceOf('59984.167777963'))
})

test('T24 the premium is averaged over 30 seconds, and the mark has two decimals', () => {
  const premium9 = priceOf('40')
  let ema9: number = priceOf('10')
  const seconds = [1, 2, 3].map(() => {
    ema9 = nextPremium(ema9, premium9)
    return [ema9, inverseMark('60000', ema9)]
  })
  expect(seconds).toEqual([
    [priceOf('11.935483871'), priceOf('60011.94')],
    [priceOf('13.746097815'), priceOf('60013.75')],
    [priceOf('15.439897956'), priceOf('60015.44')],
  ])
})

test('T25 the mark of a perpetual is at most 0.5 % from its index', () => {
  expect(inverseMark('60000', priceOf('400'))).toBe(priceOf('60300'))
  expect(inverseMark('60000', -priceOf('400'))).toBe(priceOf('59700'))
})

test('T26 the mark of an expiring future moves to the average that becomes its delivery price', () => {
  const mark9 = clampedPrice9({
    ...{ index9: priceOf('60200'), ema9: priceOf('50'), clampPpm: 100_000 },
  })
  const window = { mean9: priceOf('60100'), mark9, payoff: 'inverse', tick9 } as const
  expect(deliveryMarkOf({ ...window, elapsed: 600_000_000 })).toBe(priceOf('60200'))
  expect(deliveryMarkOf({ ...window, elapsed: 0 })).toBe(priceOf('60250'))
  expect(deliveryMarkOf({ ...window, elapsed: 1_800_000_000 })).toBe(priceOf('60100'))
})
