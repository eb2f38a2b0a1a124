/**
 * Standard margin of futures and perpetuals, and the margin that an order needs.
 *
 * Source: market.md 6, 6.1 (T64-T69); golden linear-perpetual-margin (a real position of Nov 2025); trading.md C09
 * (10009, 10039).
 */
import { describe, expect, test } from 'vitest'
import { type Market, market, money, priceText } from '../support/harness.ts'

function btc(deposit = '100'): Market {
  return market({
    instruments: { 'BTC-PERPETUAL': {} },
    accounts: { alice: { BTC: deposit }, bob: { BTC: '1000' } },
    index: { btc_usd: '50000' },
  })
}

describe('initial and maintenance margin of a position', () => {
  test.each([
    ['T64', 'BTC-PERPETUAL', '50000', '10000', '0.004002', '0.002002'],
    ['T65', 'BTC-PERPETUAL', '50000', '1250000', '0.53125', '0.28125'],
    ['T66', 'BTC-PERPETUAL', '50000', '17500000', '13.125', '9.625'],
    ['T67', 'ETH-PERPETUAL', '2000', '200000', '2.04', '1.04'],
    ['T67', 'ETH-PERPETUAL', '2000', '10000000', '200', '150'],
    // 4 % / 2 % and 0.0005 % for each SOL: published rows of 25 SOL (4.0125 %) and 6,000 SOL (7 %).
    ['S1 L01', 'SOL_USDC-PERPETUAL', '100', '25', '100.3125', '50.3125'],
    ['S1 L01', 'SOL_USDC-PERPETUAL', '100', '6000', '42000', '30000'],
    // OUR CHOICE of 6.1: 4 % / 2 % and 0.5 % for each million; 10 % / 5 % and 1 %.
    ['TIER_2', 'LTC_USDC-PERPETUAL', '200', '10000', '100000', '60000'],
    ['TIER_3', 'AAVE_USDC-PERPETUAL', '200', '10000', '240000', '140000'],
  ])('%s %s at %s, size %s', (_id, name, index, size, initial, maintenance) => {
    for (const sign of ['', '-']) {
      const m = market({ instruments: { [name]: {} }, accounts: { alice: {} }, index: {} })
      m.index(m.instrument().priceIndex, index)
      m.give('alice', `${sign}${size}`, index)
      expect(money(m.position('alice').initialMargin)).toBe(initial)
      expect(money(m.position('alice').maintenanceMargin)).toBe(maintenance)
      const wallet = m.wallet('alice', m.instrument().settlementCurrency)
      expect([money(wallet.initialMargin), money(wallet.maintenanceMargin)]).toEqual([initial, maintenance])
    }
  })

  test('L05 the margin of a position and of its account is computed from USD and mark with one rounding', () => {
    const m = market({
      instruments: { 'BTC-PERPETUAL': {} },
      accounts: { alice: { BTC: '1' } },
      index: { btc_usd: '64053.92' },
    })
    m.give('alice', '-370', '64053.5')
    // c = 370 / 64053.92 coins. (1 % + 0.005 % * c) * c = 0.00005776550...; with c rounded first it would be
    // 0.000057765.
    expect(money(m.position('alice').maintenanceMargin)).toBe('0.000057766')
    expect(money(m.wallet('alice', 'BTC').maintenanceMargin)).toBe('0.000057766')
  })

  test('golden linear perpetual: an observed position, to the last digit', () => {
    const m = market({
      instruments: { 'BTC_USDC-PERPETUAL': { min_trade_amount: '0.0001' } },
      accounts: { alice: { USDC: '100' }, bob: { USDC: '100' } },
      index: { btc_usdc: '85295.36' },
    })
    m.sell('bob', { amount: '0.0001', price: '85235.5' })
    m.buy('alice', { amount: '0.0001', price: '85235.5' })
    const position = m.position('alice')
    expect(priceText(position.averagePrice)).toBe('85235.5')
    expect(money(position.sizeAtMark)).toBe('8.529536')
    expect(money(position.floating)).toBe('0.005986')
    expect(money(position.total)).toBe('0.005986')
    expect(money(position.initialMargin)).toBe('0.170590763')
    expect(money(position.maintenanceMargin)).toBe('0.085295403')
  })

  test('margin follows each mark at once', () => {
    const m = btc()
    m.give('alice', '10000', '50000')
    m.index('btc_usd', '40000')
    // 0.25 coin: 0.25 * (2 % + 0.005 % * 0.25).
    expect(money(m.position('alice').initialMargin)).toBe('0.005003125')
  })
})

describe('open orders: margin of the worst of three sizes', () => {
  test.each([
    ['T68', '50000', '150000', '0.06045', '0.02025'],
    ['T69', null, '250000', '0.06045', '0.02025'],
  ])('%s', (_id, buys, sells, initial, open) => {
    const m = btc()
    m.give('alice', '100000', '50000')
    if (buys !== null) m.buy('alice', { amount: buys, price: '49500' })
    m.sell('alice', { amount: sells, price: '50500' })
    expect(money(m.position('alice').initialMargin)).toBe(initial)
    expect(money(m.position('alice').openOrdersMargin)).toBe(open)
    expect(money(m.wallet('alice', 'BTC').initialMargin)).toBe(initial)
    expect(money(m.position('alice').maintenanceMargin)).toBe('0.0202')
  })

  test('cancels and fills release it', () => {
    const m = btc()
    const order = m.buy('alice', { amount: '100000', price: '50000' })
    expect(money(m.position('alice').openOrdersMargin)).toBe('0.0402')
    m.sell('bob', { amount: '40000', price: '50000' })
    expect(money(m.position('alice').initialMargin)).toBe('0.0402')
    m.cancelAll('alice')
    expect(order.order?.state).toBe('open')
    expect(money(m.position('alice').initialMargin)).toBe('0.016032')
    expect(m.position('alice').openOrdersMargin).toBe(0n)
  })
})

describe('rule margin.before-order: available funds cover the increase of initial margin', () => {
  test('funds that cover it exactly are enough; one unit less is not', () => {
    // 10000 USD at 50000: 0.2 coin, 0.004002.
    for (const [deposit, refusal] of [
      ['0.004002', null],
      ['0.004001999', { reason: 'not_enough_funds' }],
    ] as const) {
      const m = btc(deposit)
      expect(m.buy('alice', { amount: '10000', price: '50000' }).refusal).toEqual(refusal)
    }
  })

  test('open orders count: two orders of half the size need as much as one whole order', () => {
    const m = btc('0.004002')
    expect(m.buy('alice', { amount: '5000', price: '50000' }).refusal).toBeNull()
    expect(m.buy('alice', { amount: '5000', price: '49990' }).refusal).toBeNull()
    expect(m.wallet('alice', 'BTC').available).toBe(0n)
    const more = m.buy('alice', { amount: '10', price: '49980' })
    expect(more.refusal).toEqual({ reason: 'not_enough_funds' })
    // An order on the other side does not raise the worst size.
    expect(m.sell('alice', { amount: '10000', price: '50500' }).refusal).toBeNull()
  })

  test('an order that can only reduce is allowed, even if the account lacks margin', () => {
    const m = btc('0.005')
    m.give('alice', '10000', '50000')
    m.index('btc_usd', '45000')
    expect(m.wallet('alice', 'BTC').available).toBeLessThan(0n)
    expect(m.buy('alice', { amount: '10', price: '45000' }).refusal).toEqual({
      reason: 'not_enough_funds',
    })
    expect(m.sell('alice', { amount: '10000', price: '45000' }).refusal).toBeNull()
  })

  test('F01 margin has no upper limit: an order of any size needs its margin in available funds', () => {
    const m = btc('30000000')
    const order = m.buy('alice', { amount: '9000000000', price: '50000' }).order?.order
    if (order === undefined) throw new Error('the order rests')
    m.give('alice', '30000000000', '50000')
    // 780,000 BTC at 2 % + 3900 %, and 600,000 BTC at 2 % + 3000 %.
    expect(money(m.position('alice').initialMargin)).toBe('30435600')
    expect(money(m.position('alice').openOrdersMargin)).toBe('12423600')
    expect(m.wallet('alice', 'BTC').available).toBe(-435_600_000_000_000n)
    const refusal = { reason: 'not_enough_funds' }
    expect(m.buy('alice', { amount: '10', price: '50000' }).refusal).toEqual(refusal)
    // An order that does not raise the worst size is allowed.
    expect(m.edit('alice', order, { amount: '8000000000' }).refusal).toBeNull()
    expect(money(m.position('alice').initialMargin)).toBe('28895200')
    expect(m.sell('alice', { amount: '9000000000', price: '50500' }).refusal).toBeNull()
    expect(m.buy('alice', { amount: '10', price: '50000' }).refusal).toBeNull()
  })

  test('a refused order leaves no trace of the instrument in its account', () => {
    const m = btc('0')
    const before = m.exchange.holdings.length
    expect(m.buy('alice', { amount: '10', price: '50000' }).refusal).not.toBeNull()
    expect(m.exchange.holdings).toHaveLength(before)
  })

  test('unrealized profit can be used as margin', () => {
    const m = btc('0.004002')
    m.give('alice', '10000', '50000')
    expect(m.buy('alice', { amount: '10', price: '50000' }).refusal).not.toBeNull()
    m.index('btc_usd', '60000')
    expect(m.buy('alice', { amount: '10', price: '60000' }).refusal).toBeNull()
  })

  test('an edit needs only the difference', () => {
    const m = btc('0.004002')
    const order = m.buy('alice', { amount: '5000', price: '50000' }).order?.order
    if (order === undefined) throw new Error('the order rests')
    expect(m.edit('alice', order, { amount: '10010' }).refusal).toEqual({
      reason: 'not_enough_funds',
    })
    expect(m.edit('alice', order, { amount: '10000' }).refusal).toBeNull()
    expect(m.edit('alice', order, { price: '49900' }).refusal).toBeNull()
    expect(m.wallet('alice', 'BTC').available).toBe(0n)
  })
})

describe('rule margin.before-order: a spot order must be covered in full by the currency that it pays', () => {
  function spot(): Market {
    return market({
      instruments: { BTC_USDC: {} },
      accounts: { alice: { USDC: '6000', BTC: '0.1' }, bob: {} },
      index: { btc_usdc: '60000' },
    })
  }

  test('a buy reserves price times amount in the quote currency, a sell its amount in the base currency', () => {
    const m = spot()
    expect(m.buy('alice', { amount: '0.1', price: '60000' }).refusal).toBeNull()
    expect(money(m.wallet('alice', 'USDC').spotReserve)).toBe('6000')
    expect(m.wallet('alice', 'USDC').available).toBe(0n)
    expect(m.sell('alice', { amount: '0.1', price: '60001' }).refusal).toBeNull()
    expect(m.wallet('alice', 'BTC').available).toBe(0n)
    m.cancelAll('alice')
    expect(m.wallet('alice', 'USDC').spotReserve).toBe(0n)
  })

  test('10039 names the currency that is insufficient', () => {
    const m = spot()
    expect(m.buy('alice', { amount: '0.1', price: '60000.01' }).refusal).toEqual({
      reason: 'not_enough_funds_in_currency',
      currency: 'USDC',
    })
    expect(m.sell('alice', { amount: '0.1001', price: '60000' }).refusal).toEqual({
      reason: 'not_enough_funds_in_currency',
      currency: 'BTC',
    })
  })

  test('reserved funds cannot be withdrawn', () => {
    const m = spot()
    m.buy('alice', { amount: '0.05', price: '60000' })
    expect(m.deposit('alice', 'USDC', '-3000.000000001').refusal).not.toBeNull()
    expect(m.deposit('alice', 'USDC', '-3000').refusal).toBeNull()
  })

  test('an edit reserves the difference', () => {
    const m = spot()
    const order = m.buy('alice', { amount: '0.05', price: '60000' }).order?.order
    if (order === undefined) throw new Error('the order rests')
    expect(m.edit('alice', order, { amount: '0.1001' }).refusal).not.toBeNull()
    expect(m.edit('alice', order, { amount: '0.1', price: '60000' }).refusal).toBeNull()
    expect(money(m.wallet('alice', 'USDC').spotReserve)).toBe('6000')
  })
})
