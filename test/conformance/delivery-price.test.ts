/**
 * The delivery price as arithmetic: 450 values of the index in the half hour before 08:00, and its estimate. Tests of
 * deliveries are in settlement.test.ts.
 *
 * Source: market.md 3.5 (T39, T40).
 */
import { expect, test } from 'vitest'
import { dayBoundaryAfter, micros } from '../../src/core/index.ts'
import { viewIndex } from '../../src/engine/index.ts'
import {
  createDeliveryAverage,
  type DeliveryAverage,
  deliveryMean9,
  sampleUntil,
  windowStart,
} from '../../src/engine/state/delivery-average.ts'
import { indexStep9 } from '../../src/pricing/index.ts'
import { type Market, market, priceOf, priceText, start } from '../support/harness.ts'

const opens = windowStart(dayBoundaryAfter(start))

/** The average after the first `count` values, of which the k-th is 60000 + k. */
function averageOf(count: number): DeliveryAverage {
  const average = createDeliveryAverage()
  for (let k = 0; k < count; k += 1) {
    sampleUntil(average, micros(opens + 4_000_000 * k), priceOf(`${60_000 + k}`))
  }
  return average
}

/** Rounded to the precision of the index. */
function mean(average: DeliveryAverage): number {
  return deliveryMean9(average, indexStep9('btc_usd', priceOf('60000'), []))
}

test('T39 450 values from 60000 upward give a delivery price of 60224.50', () => {
  const average = averageOf(450)
  expect(mean(average)).toBe(priceOf('60224.5'))
  // No value is taken at 08:00 itself.
  sampleUntil(average, micros(opens + 1_800_000_000), priceOf('99999'))
  expect([average.count, mean(average)]).toEqual([450, priceOf('60224.5')])
})

test('T40 150 values, up to 07:39:56, give an estimate of 60074.50', () => {
  expect(mean(averageOf(150))).toBe(priceOf('60074.5'))
})

/** The index is at 60000 for the first ten minutes of the half hour, then moves to 61000. */
function tenMinutesIn(instrument: string): Market {
  const m = market({
    instruments: { [instrument]: {} },
    accounts: {},
    index: { btc_usd: '60000' },
  })
  m.wait(opens + 600_000_000 - start)
  m.index('btc_usd', '61000')
  return m
}

function estimate(m: Market): string {
  const view = viewIndex(m.exchange, 'btc_usd')
  return view === undefined ? '' : priceText(view.estimatedDelivery)
}

test('rule delivery.estimate: the mean so far if an instrument expires at 08:00, otherwise the index', () => {
  const expiring = tenMinutesIn('BTC-6JAN26')
  // 151 values at 60000: the value of the current time was taken before the index moved.
  expect(estimate(expiring)).toBe('60000')
  expiring.wait(3_999_999)
  expect(estimate(expiring)).toBe('60000')
  expiring.wait(1)
  // 151 values at 60000 and one at 61000, to two decimals.
  expect(estimate(expiring)).toBe('60006.58')
  const later = tenMinutesIn('BTC-7JAN26')
  expect(estimate(later)).toBe('61000')
})

test('rule delivery.estimate: before and after the half hour it is the index', () => {
  const m = market({
    instruments: { 'BTC-6JAN26': {}, 'BTC-PERPETUAL': {} },
    accounts: {},
    index: { btc_usd: '60000' },
  })
  m.wait(opens - start - 2)
  m.index('btc_usd', '59000')
  expect(estimate(m)).toBe('59000')
  m.wait(1)
  m.index('btc_usd', '61000')
  expect(estimate(m)).toBe('61000')
  m.wait(1_800_000_001)
  m.index('btc_usd', '62000')
  expect(estimate(m)).toBe('62000')
})
