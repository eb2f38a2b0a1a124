/**
 * Fields that the published schemas require whatever their value: `false`, `null` and 0 are sent, not left out.
 * Source: the venue's public reference of each method.
 */
import { expect, test } from 'vitest'
import { DeskMarket } from '../support/desk-market.ts'

const option = 'BTC-27MAR26-60000-C'

function open(): DeskMarket {
  return new DeskMarket({
    instruments: ['BTC-PERPETUAL', option, 'BTC_USDC', 'BTC_USDC-PERPETUAL'],
    index: { btc_usd: 50_000, btc_usdc: 50_000 },
    config: { marks: 'index' },
    accounts: { alice: { BTC: 10, USDC: 100_000 }, bob: { BTC: 10, USDC: 100_000 } },
  })
}

test('V7 instruments have an asset class and a lot size', () => {
  const m = open()
  for (const instrument_name of ['BTC-PERPETUAL', option, 'BTC_USDC']) {
    const found = m.result(null, 'public/get_instrument', { instrument_name })
    expect(found).toMatchObject({ underlying_type: 'crypto', lot_size: found.contract_size })
  }
})

test('V8 orders of futures and options say that no liquidation made them; spot orders do not', () => {
  const m = open()
  const place = (instrument_name: string, amount: number, price: number): object =>
    m.result('alice', 'private/buy', { instrument_name, amount, price }).order
  expect(place('BTC-PERPETUAL', 10, 49_500)).toMatchObject({ is_liquidation: false })
  expect(place(option, 1, 0.001)).toMatchObject({ is_liquidation: false })
  expect(place('BTC_USDC', 0.01, 49_500)).not.toHaveProperty('is_liquidation')
})

test('V9 before its first settlement an instrument shows its mark as settlement price', () => {
  const m = open()
  for (const instrument_name of ['BTC-PERPETUAL', option]) {
    const ticker = m.result(null, 'public/ticker', { instrument_name })
    expect(ticker.settlement_price).toBe(ticker.mark_price)
    expect(ticker.mark_price).toBeGreaterThan(0)
  }
  const spot = m.result(null, 'public/ticker', { instrument_name: 'BTC_USDC' })
  expect(spot).not.toHaveProperty('settlement_price')
})

test('V11 get_margins has the fees that the order pays when it is filled', () => {
  const m = open()
  const cases = [
    ['BTC-PERPETUAL', 100, 50_000],
    [option, 1, 0.01],
    ['BTC_USDC-PERPETUAL', 0.01, 50_000],
  ] as const
  for (const [instrument_name, amount, price] of cases) {
    const order = { instrument_name, amount, price }
    const margins = m.result('alice', 'private/get_margins', order)
    m.result('bob', 'private/sell', order)
    const [taken] = m.result('alice', 'private/buy', order).trades
    expect([instrument_name, margins.buy_taker_fee]).toEqual([instrument_name, taken.fee])
    expect(margins.sell_taker_fee).toBe(taken.fee)
    const page = { instrument_name, count: 1, sorting: 'desc' }
    const { trades } = m.result('bob', 'private/get_user_trades_by_instrument', page)
    expect(trades[0]).toMatchObject({ liquidity: 'M', fee: margins.sell_maker_fee })
    expect(margins.buy_maker_fee).toBe(margins.sell_maker_fee)
  }
})

test('V11 get_margins of a combo has the fees of its legs, and 0 while a mark is missing', () => {
  const instruments = ['BTC-PERPETUAL', 'BTC-27MAR26', 'BTC-FS-27MAR26_PERP']
  const order = { instrument_name: 'BTC-FS-27MAR26_PERP', amount: 100, price: 5 }
  for (const [index, isCharged] of [
    [{}, false],
    [{ btc_usd: 50_000 }, true],
  ] as const) {
    const m = new DeskMarket({ instruments, index, accounts: { alice: { BTC: 10 } } })
    const { buy_taker_fee } = m.result('alice', 'private/get_margins', order)
    expect(buy_taker_fee > 0).toBe(isCharged)
  }
})

test('V11 the history of triggers has order_id and trigger_offset, null if they do not apply', () => {
  const m = open()
  const stop = { instrument_name: 'BTC-PERPETUAL', amount: 10, trigger: 'mark_price' }
  m.result('alice', 'private/sell', { ...stop, type: 'stop_market', trigger_price: 49_000 })
  m.result('alice', 'private/sell', { ...stop, type: 'trailing_stop', trigger_offset: 500 })
  m.result('alice', 'private/cancel_all')
  const { entries } = m.result('alice', 'private/get_trigger_order_history', { currency: 'BTC' })
  const found = entries.map((each: object) => JSON.stringify(each))
  expect(found).toHaveLength(2)
  for (const text of found) expect(text).toContain('"order_id":null')
  expect(found.join()).toContain('"trigger_offset":null')
  expect(found.join()).toContain('"trigger_offset":500')
})

test('V11 a new subaccount and an extended summary name the allowed products', () => {
  const m = open()
  const opened = m.result('alice', 'private/create_subaccount')
  const options = { product: 'options', enabled: true, overwriteable: true }
  expect(opened).toMatchObject({ type: 'subaccount', referrals_count: 0 })
  expect(opened.disabled_trading_products).toEqual([])
  expect(opened.trading_products_details).toContainEqual(options)
  m.result('alice', 'private/set_disabled_trading_products', {
    user_id: opened.id,
    trading_products: ['options'],
  })
  const asked = { currency: 'BTC', extended: true, subaccount_id: opened.id }
  const summary = m.result('alice', 'private/get_account_summary', asked)
  expect(summary.receive_notifications).toEqual(expect.any(Boolean))
  expect(summary.disabled_trading_products).toEqual(['options'])
  expect(summary.trading_products_details).toContainEqual({ ...options, enabled: false })
})

test('V11 names of indices with extended show which combos are available', () => {
  const m = open()
  expect(m.result(null, 'public/get_index_price_names', { extended: true })).toContainEqual({
    ...{ name: 'btc_usd', future_combo_creation_enabled: true },
    option_combo_creation_enabled: true,
  })
  expect(m.result(null, 'public/get_index_price_names')).toContain('btc_usd')
})
