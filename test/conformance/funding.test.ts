/**
 * Funding of perpetuals caused by marks, indices, orders and the clock, exact to the last digit. Tests of the
 * arithmetic alone are in funding-rate.test.ts.
 *
 * Source: market.md 3.3, 3.4 (T35-T38).
 */

import { describe, expect, test } from 'vitest'
import { formatScaled } from '../../src/core/index.ts'
import { auditCopy, fork, viewMarket, viewWallet } from '../../src/engine/index.ts'
import type { ExchangeConfig } from '../../src/model/index.ts'
import { eventsNamed } from '../support/event-words.ts'
import { kindsOf, type Market, market, money, type Outcome, priceText, start } from '../support/harness.ts'

const second = 1_000_000
const minute = 60 * second
const hour = 60 * minute
const rich = { BTC: '1000', USDC: '100000000' }

function perpetual(index: string, name = 'BTC-PERPETUAL', config: Partial<ExchangeConfig> = {}): Market {
  const m = market({
    instruments: { [name]: {} },
    accounts: { alice: rich, bob: rich, carol: rich },
    index: {},
    config: { priceBands: false, ...config },
  })
  m.index(m.instrument().priceIndex, index)
  return m
}

/** One account buys from the other. */
function trade(m: Market, [buyer, seller]: readonly [string, string], amount: string, price: string): Outcome {
  m.sell(seller, { amount, price })
  const bought = m.buy(buyer, { amount, price })
  expect(bought.trades).toHaveLength(1)
  return bought
}

function rate(m: Market): string {
  return formatScaled(BigInt(viewMarket(m.exchange, m.instrument().id).funding?.rate8 ?? 0), 8)
}

function accumulated(m: Market): bigint {
  return viewMarket(m.exchange, m.instrument().id).funding?.accumulated ?? 0n
}

function funding(m: Market, account: string): string {
  return money(m.position(account).funding)
}

describe('rule funding.rate: the premium of the mark beyond the damper', () => {
  test('the rate follows the mark and the index at once, and an event reports each change', () => {
    const m = perpetual('10000')
    expect(rate(m)).toBe('0')
    expect(eventsNamed(m.mark('10010').events, 'funding_rate')).toMatchObject([
      { rate8: 75_000, accumulated: 0n, mark: 10_010_000_000_000, index: 10_000_000_000_000 },
    ])
    expect(rate(m)).toBe('0.00075')
    m.index('btc_usd', '10005')
    expect(rate(m)).toBe('0.00024975')
    expect(eventsNamed(m.mark('10005.1').events, 'funding_rate')).toMatchObject([{ rate8: 0 }])
    expect(eventsNamed(m.mark('10005.2').events, 'funding_rate')).toEqual([])
    m.mark('9000')
    expect(rate(m)).toBe('-0.005')
  })

  test('orders that raise the price of a perpetual make longs pay', () => {
    const m = perpetual('10000', 'BTC-PERPETUAL', { marks: 'venue' })
    m.buy('carol', { amount: '100000', price: '10005' })
    m.sell('carol', { amount: '100000', price: '10015' })
    const reported = eventsNamed(m.wait(400 * second).events, 'funding_rate')
    // A mark of 10009.99...: the premium rests 7e-9 below 10, and rounds to a mark of 10010.
    expect(reported.at(-1)).toMatchObject({ rate8: 75_000 })
    // Each event is later than the one before it, at a full second, and covers the time until then.
    expect(reported.every(({ time }) => (time - start) % second === 0)).toBe(true)
    let sum = 0n
    for (const [at, { rate8, time }] of reported.entries()) {
      const until = reported[at + 1]?.time ?? start + 400 * second
      const gain = BigInt(rate8) * BigInt(until - time) * 10n ** 25n
      const by = 28_800_000_000n * 10_000_000_000_000n
      // Rounded half away from zero; every rate here is positive.
      sum += (gain * 2n + by) / (2n * by)
    }
    expect(accumulated(m)).toBe(sum)
  })
})

describe('rule funding.payment: funding accrues continuously', () => {
  test('T35 a minute at 0.075 % costs 10000 USD 0.000001563, and the other side receives it', () => {
    const m = perpetual('10000')
    trade(m, ['alice', 'bob'], '10000', '10000')
    m.mark('10010')
    m.wait(minute)
    expect(accumulated(m)).toBe(156_250_000_000_000n)
    expect([funding(m, 'alice'), funding(m, 'bob')]).toEqual(['-0.000001563', '0.000001563'])
    expect(money(m.position('alice').realized)).toBe('-0.000001563')
    expect(m.position('alice').accumulated).toBe(156_250_000_000_000n)
  })

  test('T35 the same payment from orders alone, after the premium has settled at 10', () => {
    const m = perpetual('9999.999999993', 'BTC-PERPETUAL', { marks: 'venue' })
    m.buy('carol', { amount: '100000', price: '10005' })
    m.sell('carol', { amount: '100000', price: '10015' })
    m.wait(400 * second)
    m.index('btc_usd', '10000')
    expect([priceText(m.position('alice').mark), rate(m)]).toEqual(['10010', '0.00075'])
    const before = accumulated(m)
    trade(m, ['alice', 'bob'], '10000', '10010')
    m.wait(minute)
    expect(accumulated(m) - before).toBe(156_250_000_000_000n)
    expect([funding(m, 'alice'), funding(m, 'bob')]).toEqual(['-0.000001563', '0.000001563'])
  })

  test('T36 three spans at three rates and indices', () => {
    const m = perpetual('10000')
    trade(m, ['alice', 'bob'], '250000', '10000')
    m.mark('10010')
    m.wait(minute)
    expect(accumulated(m)).toBe(156_250_000_000_000n)
    m.mark('10005')
    m.index('btc_usd', '10005')
    expect(rate(m)).toBe('0')
    m.wait(30 * second)
    expect(accumulated(m)).toBe(156_250_000_000_000n)
    m.mark('9973.014625')
    m.index('btc_usd', '9980.5')
    expect(rate(m)).toBe('-0.0005')
    m.wait(90 * second)
    expect(accumulated(m)).toBe(-305_282_801_463n)
    expect([funding(m, 'alice'), funding(m, 'bob')]).toEqual(['0.000000076', '-0.000000076'])
  })

  test('T37 an hour at 0.01 % costs 2 BTC of a linear perpetual 1.5 USDC', () => {
    const m = perpetual('60000', 'BTC_USDC-PERPETUAL')
    trade(m, ['alice', 'bob'], '2', '60000')
    m.mark('60021')
    expect(rate(m)).toBe('0.0001')
    m.wait(hour)
    expect(formatScaled(accumulated(m), 18)).toBe('0.75')
    expect([funding(m, 'alice'), funding(m, 'bob')]).toEqual(['-1.5', '1.5'])
  })

  test('T38 half an hour at 0.02 % and half an hour at 0 is interest of 0.00125 % in that hour', () => {
    const m = perpetual('10000')
    m.mark('10004.5')
    expect(rate(m)).toBe('0.0002')
    m.wait(30 * minute)
    m.mark('10000')
    m.wait(30 * minute)
    const rates = eventsNamed(m.events, 'funding_rate')
    const interest = rates.reduce((sum, { rate8, time }, at) => {
      const until = rates[at + 1]?.time ?? start + hour
      return sum + BigInt(rate8) * BigInt(until - time)
    }, 0n)
    // In 1e-8 of 8 hours in microseconds.
    expect(formatScaled((interest * 100n) / 28_800_000_000n, 10)).toBe('0.0000125')
    // At an index of 10000, per USD.
    expect(formatScaled(accumulated(m), 24)).toBe('0.00000000125')
  })
})

describe('rule funding.payment: when a position is paid', () => {
  test('before a fill both sides are paid for their previous position, the maker first', () => {
    const m = perpetual('10000')
    trade(m, ['alice', 'bob'], '10000', '10000')
    m.mark('10010')
    m.wait(minute)
    m.sell('alice', { amount: '4000', price: '10000' })
    const bought = m.buy('bob', { amount: '4000', price: '10000' })
    expect(kindsOf(bought).filter((kind) => kind === 'funding' || kind === 'trade')).toEqual([
      ...['funding', 'funding', 'trade'],
    ])
    const paid = { from: 0n, to: 156_250_000_000_000n }
    expect(eventsNamed(bought.events, 'funding')).toMatchObject([
      { account: m.account('alice'), position: 1000, funding: -1_563n, ...paid },
      { account: m.account('bob'), position: -1000, funding: 1_563n, ...paid },
    ])
    m.wait(minute)
    // 6000 USD for the second minute: 0.0000009375, rounded separately.
    expect(funding(m, 'alice')).toBe('-0.000002501')
  })

  test('a new position pays from its fill on, and an order without a fill pays nothing', () => {
    const m = perpetual('10000')
    m.mark('10010')
    m.wait(minute)
    expect(eventsNamed(trade(m, ['alice', 'bob'], '10000', '10000').events, 'funding')).toEqual([])
    expect(funding(m, 'alice')).toBe('0')
    m.wait(minute)
    expect(eventsNamed(m.buy('alice', { amount: '10', price: '9000' }).events, 'funding')).toEqual([])
    expect(funding(m, 'alice')).toBe('-0.000001563')
  })

  test('a funding payment that rounds to zero is reported too', () => {
    const m = perpetual('10000')
    trade(m, ['alice', 'bob'], '10', '10000')
    m.mark('10010')
    m.wait(second)
    const touched = eventsNamed(trade(m, ['bob', 'alice'], '10', '10000').events, 'funding')
    expect(touched.map((event) => event.funding)).toEqual([0n, 0n])
  })

  test('a position that is set by hand is paid from then on, and so is the previous position', () => {
    const m = perpetual('10000')
    m.give('alice', '10000', '10000')
    m.mark('10010')
    m.wait(minute)
    const given = m.give('alice', '10000', '10000')
    expect(eventsNamed(given.events, 'funding').map((event) => event.funding)).toEqual([...[-1_563n, 1_563n]])
    m.wait(minute)
    expect(funding(m, 'alice')).toBe('-0.000004688')
    expect(funding(m, 'house.positions')).toBe('0.000004688')
  })

  test('funding counts in equity and available funds at once and becomes cash at 08:00', () => {
    const m = perpetual('10000')
    trade(m, ['alice', 'bob'], '10000000', '10000')
    const before = m.wallet('alice', 'BTC')
    m.mark('10010')
    const marked = m.wallet('alice', 'BTC')
    m.wait(8 * hour)
    const after = m.wallet('alice', 'BTC')
    expect(money(after.equity - marked.equity)).toBe('-0.75')
    expect(money(after.available - marked.available)).toBe('-0.75')
    expect(after.balance).toBe(before.balance)
    // 15 hours later the session ends: 23 hours at 0.075 % for 8 hours.
    const settled = m.wait(15 * hour)
    expect(eventsNamed(settled.events, 'funding').map((event) => money(event.funding))).toEqual([
      ...['-2.15625', '2.15625'],
    ])
    expect(
      eventsNamed(settled.events, 'settlement').map((event) => [money(event.funding), money(event.profitLoss)]),
    ).toEqual([
      ['-2.15625', '-2.15625'],
      ['2.15625', '2.15625'],
    ])
    expect(eventsNamed(settled.events, 'instrument_settlement')).toMatchObject([{ funding: 2_156_250_000n }])
    expect(funding(m, 'alice')).toBe('0')
    // Unrealized: 10000000 USD from 10000 to 10010.
    expect(money(m.wallet('alice', 'BTC').balance - before.balance)).toBe('-1.157249001')
  })

  test('dated futures and spot have no funding', () => {
    const m = perpetual('10000', 'BTC-27MAR26')
    trade(m, ['alice', 'bob'], '10000', '10000')
    m.mark('10100')
    m.wait(hour)
    expect(viewMarket(m.exchange, m.instrument().id).funding).toBeNull()
    expect(m.position('alice')).toMatchObject({ funding: 0n, accumulated: null })
  })
})

test('restored-fundable: a restored exchange subtracts due funding from free margin, as the original does', () => {
  const m = perpetual('10000')
  trade(m, ['alice', 'bob'], '100000', '10000')
  m.mark('10010')
  m.wait(hour)
  const copy = fork(m.exchange)
  for (const name of ['alice', 'bob']) {
    const own = m.wallet(name, 'BTC')
    expect(own.available).not.toBe(m.wallet('carol', 'BTC').available)
    expect(viewWallet(copy, m.account(name), 'BTC')).toEqual(own)
  }
  auditCopy(m.exchange)
})
