/**
 * Cash flows of options, tested on the engine: premiums, fees, profit, the 08:00 session and delivery (market.md 3.6,
 * 4, 5.1). Marks are pinned here; `option-marks.test.ts` tests them unpinned.
 */

import { describe, expect, test } from 'vitest'
import { formatScaled } from '../../src/core/index.ts'
import type { Currency } from '../../src/model/index.ts'
import { eventsNamed } from '../support/event-words.ts'
import { type Market, market } from '../support/harness.ts'

const second = 1_000_000
/** The clock starts at 09:00 UTC on 5 January 2026, a Monday. */
const toSettlement = 23 * 3_600 * second

const money = (nano: bigint): string => formatScaled(nano, 9)

function listed(name: string, index: string, currency: Currency = 'BTC'): Market {
  const m = market({
    instruments: { [name]: {} },
    accounts: { alice: { [currency]: '100000' }, bob: { [currency]: '100000' } },
    index: {},
    config: { priceBands: false },
  })
  m.index(m.instrument().priceIndex, index)
  return m
}

/** Alice buys from bob. Returns the fee of each, and the change of alice's cash. */
function tradeOf(m: Market, amount: string, price: string): { fee: string; cash: string } {
  m.mark(price)
  m.sell('bob', { amount, price })
  const { trades } = m.buy('alice', { amount, price })
  const [trade] = trades
  if (trade === undefined) throw new Error('the orders trade')
  const { feeCurrency, fee } = trade.taker
  expect(trade.maker.fee).toBe(fee)
  expect(trade.maker.premium).toBe(-trade.taker.premium)
  const before = 100_000_000_000_000n
  return { fee: money(fee), cash: money(m.wallet('alice', feeCurrency).balance - before) }
}

describe('rule fees.option (market.md 4)', () => {
  test('T51 T52 the fee is 0.03 % of the coin, at most an eighth of the premium', () => {
    const one = (amount: string, price: string): string =>
      tradeOf(listed('BTC-27MAR26-60000-C', '60000'), amount, price).fee
    expect(one('1', '0.0001')).toBe('0.0000125')
    expect(one('1', '0.05')).toBe('0.0003')
    expect(one('10', '0.0024')).toBe('0.003')
    expect(one('10', '0.0023')).toBe('0.002875')
  })

  test('T53 for a linear option the fee is a share of the index', () => {
    const one = (price: string): string => tradeOf(listed('SOL_USDC-27MAR26-250-C', '250', 'USDC'), '10', price).fee
    expect(one('10')).toBe('0.75')
    expect(one('0.5')).toBe('0.625')
  })
})

describe('rule position.option (market.md 5.1)', () => {
  test('the premium is paid in cash at once, the option is worth size times mark, and equity is the sum', () => {
    const m = listed('BTC-27MAR26-60000-C', '60000')
    expect(tradeOf(m, '2', '0.05')).toEqual({ fee: '0.0006', cash: '-0.1006' })
    m.mark('0.06')
    const { balance, equity } = m.wallet('alice', 'BTC')
    expect(money(equity - balance)).toBe('0.12')
    const bob = m.wallet('bob', 'BTC')
    expect(money(bob.balance)).toBe('100000.0994')
    expect(money(bob.equity - bob.balance)).toBe('-0.12')
  })

  test('T60 average, realized and total profit', () => {
    const m = listed('BTC-27MAR26-60000-C', '60000')
    tradeOf(m, '2', '0.05')
    tradeOf(m, '1', '0.08')
    m.buy('bob', { amount: '1', price: '0.07' })
    m.sell('alice', { amount: '1', price: '0.07' })
    m.mark('0.06')
    const position = m.position('alice')
    expect(money(BigInt(position.averagePrice))).toBe('0.06')
    expect([position.realized, position.total].map(money)).toEqual(['0.01', '0'])
    const { balance, equity } = m.wallet('alice', 'BTC')
    expect(money(equity - balance)).toBe('0.12')
  })

  test('S033 options do not settle: no record, no cash, and the session continues from the mark', () => {
    const m = listed('BTC-27MAR26-60000-C', '60000')
    tradeOf(m, '2', '0.05')
    m.mark('0.07')
    expect(money(m.position('alice').floating)).toBe('0.04')
    const before = m.wallet('alice', 'BTC').balance
    const settled = m.wait(toSettlement)
    expect(eventsNamed(settled.events, 'settlement')).toEqual([])
    expect(eventsNamed(settled.events, 'instrument_settlement')).toEqual([])
    expect(m.wallet('alice', 'BTC').balance).toBe(before)
    const { floating, total, settlementPrice } = m.position('alice')
    expect([floating, total, BigInt(settlementPrice)].map(money)).toEqual(['0', '0.04', '0.07'])
  })
})

/** The payments to the holder and to the writer of an option at delivery, before fees, and the fee. */
function deliveryOf(
  name: string,
  of: { readonly amount: string; readonly price: string; readonly currency?: Currency },
): { readonly cash: readonly string[]; readonly fee: string; readonly m: Market } {
  const { amount, price, currency = 'BTC' } = of
  const m = listed(name, price, currency)
  const premium = currency === 'BTC' ? '0.01' : '1'
  tradeOf(m, amount, premium)
  const outcome = m.wait(toSettlement + 3 * 24 * 3_600 * second)
  const settled = eventsNamed(outcome.events, 'settlement').filter(({ type }) => type === 'delivery')
  expect(settled).toHaveLength(2)
  return {
    cash: settled.map(({ sessionProfitLoss }) => money(sessionProfitLoss)),
    fee: money(settled[0]?.fee ?? 0n),
    m,
  }
}

describe('rule settlement.option-delivery (market.md 3.6, 4)', () => {
  /** This option expires on a Friday and therefore pays a fee. Daily options pay none. */
  const friday = '9JAN26'

  test.each([
    ['T41', `BTC-${friday}-100000-C`, '1', '125000', '0.2', '0.00015'],
    ['T42', `BTC-${friday}-10000-P`, '1', '5000', '1', '0.00015'],
    ['T43', `BTC-${friday}-60000-C`, '2.5', '60012.34', '0.000514061', '0.00006426'],
    ['T44', `BTC-${friday}-60000-C`, '1', '60003', '0.000049998', '0.00000625'],
  ])('%s %s x %s at %s pays %s, fee %s', (_id, name, amount, price, cash, fee) => {
    const paid = deliveryOf(name, { amount, price })
    expect(paid.cash).toEqual([cash, `-${cash}`])
    expect(paid.fee).toBe(fee)
    expect(paid.m.position('alice').size).toBe(0)
  })

  test('T45 a linear call pays the quote currency', () => {
    const paid = deliveryOf(`SOL_USDC-${friday}-250-C`, {
      ...{ amount: '10', price: '275', currency: 'USDC' },
    })
    expect(paid.cash).toEqual(['250', '-250'])
    expect(paid.fee).toBe('0.4125')
  })

  test('an option at or out of the money expires worthless and pays no fee', () => {
    for (const price of ['59000', '60000']) {
      const paid = deliveryOf(`BTC-${friday}-60000-C`, { amount: '1', price })
      expect(paid.cash).toEqual(['0', '0'])
      expect(paid.fee).toBe('0')
    }
  })

  test('a daily option has no delivery fee', () => {
    const paid = deliveryOf('BTC-8JAN26-100000-C', { amount: '1', price: '125000' })
    expect(paid.fee).toBe('0')
  })
})
