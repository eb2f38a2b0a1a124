/**
 * Advanced orders of options: a value in USD or a volatility instead of a price (trading.md 6.12, C30).
 */
import { describe, expect, test } from 'vitest'
import type { AdvancedTerms, OrderChanged, Side } from '../../src/model/index.ts'
import { idOf, type Market, market, type Outcome, priceText } from '../support/harness.ts'

const second = 1_000_000
/** The clock starts at 09:00 UTC on 5 January 2026. */
const toSettlement = 23 * 3_600 * second
const name = 'BTC-27MAR26-60000-C'

function listed(index = '60123.45', option = name): Market {
  const m = market({
    instruments: { [option]: {} },
    accounts: { alice: { BTC: '100' }, bob: { BTC: '100' } },
    index: { btc_usd: index },
    config: { priceBands: false },
  })
  m.mark('0.05')
  return m
}

const usd = (value: number): AdvancedTerms => ({ type: 'usd', value9: value * 1e9 })
const implv = (percent: number): AdvancedTerms => ({ type: 'implv', value9: percent * 1e7 })

function place(m: Market, side: Side, advanced: AdvancedTerms, amount = '1'): OrderChanged {
  const outcome = m[side]('alice', { amount, advanced })
  const opened = outcome.events.find((event) => event.kind === 'order' && event.change === 'opened')
  if (opened === undefined) throw new Error(JSON.stringify(outcome.refusal))
  return opened as OrderChanged
}

const edits = (outcome: Outcome): readonly unknown[] =>
  outcome.events
    .filter((event) => event.kind === 'order' && event.change === 'edited')
    .map((event) => {
      const { price, replaced, autoReplaced } = event as OrderChanged
      return [priceText(price), replaced, autoReplaced]
    })

describe('rule order.advanced-price (C30)', () => {
  test('T101 an order for 2500 USD rests at 0.0415 when the index is 60123.45', () => {
    expect(priceText(place(listed(), 'buy', usd(2500)).price)).toBe('0.0415')
  })

  test('a price exactly between two ticks is rounded down for a buy and up for a sell', () => {
    // 2490 / 60000 = 0.0415; 2505 / 60000 = 0.04175, between 0.0415 and 0.042.
    expect(priceText(place(listed('60000'), 'buy', usd(2505)).price)).toBe('0.0415')
    expect(priceText(place(listed('60000'), 'sell', usd(2505)).price)).toBe('0.042')
  })

  test('a price just beyond the middle of two ticks is rounded to the nearer tick', () => {
    // 2505.00001 / 60000 = 0.04175000016...
    expect(priceText(place(listed('60000'), 'buy', usd(2505.00001)).price)).toBe('0.042')
    expect(priceText(place(listed('60000'), 'sell', usd(2504.99999)).price)).toBe('0.0415')
  })

  test('a tick can be finer than the decimals of marks', () => {
    const option = 'TRX_USDC-30JAN26-0d25-C'
    const m = market({
      instruments: { [option]: {} },
      accounts: { alice: { USDC: '1000000' } },
      index: { trx_usdc: '0.25' },
      config: { priceBands: false },
    })
    // 0.02147454 by Black-76, 599 hours before the end.
    expect(priceText(place(m, 'buy', implv(82.5), '10000').price)).toBe('0.02145')
  })

  test('the price never exceeds the highest valid price', () => {
    const m = listed('0.001')
    const advanced = { type: 'usd', value9: 9_000_000_000_000_000 } as const
    expect(m.buy('alice', { amount: '1', advanced }).refusal).toEqual({
      reason: 'not_enough_funds',
    })
  })

  test('the price is never below one tick', () => {
    expect(priceText(place(listed('60000'), 'buy', usd(0.001)).price)).toBe('0.0001')
  })

  test('the price stays within the band', () => {
    const m = market({
      instruments: { [name]: {} },
      accounts: { alice: { BTC: '100' } },
      index: { btc_usd: '60000' },
    })
    m.mark('0.05')
    const { order, price } = place(m, 'buy', usd(60_000))
    expect(priceText(price)).toBe('0.09')
    m.cancel('alice', order)
    expect(priceText(place(m, 'sell', usd(1)).price)).toBe('0.01')
  })

  test('T89 a volatility is priced by Black-76 at the forward', () => {
    // 30 days before the end the price is 0.0372978.
    const m = listed('60000', 'BTC-5FEB26-65000-C')
    m.wait(23 * 3_600 * second)
    expect(priceText(place(m, 'buy', implv(60)).price)).toBe('0.0375')
  })
})

describe('rule order.advanced-repricing (C30)', () => {
  test('S080 every full second the price of the order follows the index, as an edit by the engine', () => {
    const m = listed('60000')
    const { order } = place(m, 'buy', usd(2490))
    m.index('btc_usd', '50000')
    const moved = m.wait(second)
    expect(edits(moved)).toEqual([['0.05', true, true]])
    expect(m.wait(second).events.filter((event) => 'order' in event)).toEqual([])
    m.index('btc_usd', '60000')
    expect(edits(m.wait(second))).toEqual([['0.0415', true, true]])
    expect(m.cancel('alice', order).refusal).toBeNull()
  })

  test('an order whose price changes loses its place, and the oldest of several moves first', () => {
    const m = listed('60000')
    const first = place(m, 'buy', usd(2490)).order
    const second1 = idOf(m.buy('bob', { amount: '1', advanced: usd(2490) }))
    m.index('btc_usd', '50000')
    const plain = idOf(m.buy('alice', { amount: '1', price: '0.05' }))
    const moved = m
      .wait(second)
      .events.flatMap((event) => (event.kind === 'order' && event.change === 'edited' ? [event.order] : []))
    expect(moved).toEqual([first, second1])
    const sold = m.sell('bob', { amount: '1', price: '0.05' })
    expect(sold.trades.map(({ maker }) => maker.order)).toEqual([plain])
  })

  test('an order whose new price crosses the book matches', () => {
    const m = listed('60000')
    m.sell('bob', { amount: '1', price: '0.045' })
    place(m, 'buy', usd(2490))
    m.index('btc_usd', '50000')
    const { trades } = m.wait(second)
    expect(trades.map(({ price }) => priceText(price))).toEqual(['0.045'])
  })

  test('an order keeps its price if its account cannot afford the new one', () => {
    const m = market({
      instruments: { [name]: {} },
      accounts: { alice: { BTC: '0.045' } },
      index: { btc_usd: '60000' },
      config: { priceBands: false },
    })
    m.mark('0.05')
    place(m, 'buy', usd(2490))
    m.index('btc_usd', '50000')
    expect(edits(m.wait(second))).toEqual([])
  })

  test('an order at a volatility ends 15 minutes before its option expires; an order in USD stays', () => {
    const m = listed('60000', 'BTC-6JAN26-60000-C')
    const first = place(m, 'buy', implv(10))
    const other = place(m, 'buy', usd(1))
    m.wait(toSettlement - 901 * second)
    const ended = m.wait(second).events.filter((event) => event.kind === 'order' && event.change === 'cancelled')
    expect(ended).toMatchObject([{ order: first.order, reason: 'risk_mitigation' }])
    expect(m.buy('alice', { amount: '1', advanced: implv(10) }).refusal).toEqual({
      reason: 'outdated_instrument',
    })
    const atEnd = m.wait(900 * second).events.filter((event) => event.kind === 'order' && event.change === 'cancelled')
    expect(atEnd).toMatchObject([{ order: other.order, reason: 'expiry' }])
  })
})

describe('C07 new orders at a volatility, shortly before expiry', () => {
  const option = 'BTC-6JAN26-60000-C'

  test('are refused before the amount is checked', () => {
    const m = listed('60000', option)
    const { order } = place(m, 'buy', usd(1))
    m.wait(toSettlement - 900 * second)
    const late = { reason: 'outdated_instrument' }
    expect(m.buy('alice', { amount: '0', advanced: implv(10) }).refusal).toEqual(late)
    expect(m.edit('alice', order, { amount: '0', advanced: implv(10) }).refusal).toEqual(late)
  })

  test('C22 end in a locked book too', () => {
    const m = listed('60000', option)
    const { order } = place(m, 'buy', implv(10))
    m.bookState('locked')
    m.wait(toSettlement - 901 * second)
    const ended = m.wait(second).events.filter((event) => event.kind === 'order' && event.change === 'cancelled')
    expect(ended).toMatchObject([{ order, reason: 'risk_mitigation' }])
  })
})

describe('editing (C28g)', () => {
  test('S234 an edit with new terms changes the price', () => {
    const m = listed('60000')
    const { order } = place(m, 'buy', usd(2490))
    const edited = m.edit('alice', order, { amount: '2', advanced: usd(2400) })
    expect(edits(edited)).toEqual([['0.04', true, false]])
    expect(idOf(m.buy('alice', { amount: '1', price: '0.01' }))).not.toBe(order)
  })
})
