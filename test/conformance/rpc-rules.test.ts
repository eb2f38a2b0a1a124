/**
 * Rules that show only in replies: reasons at an expiry, profits of deliveries, names of secondaries, market orders
 * without bands, forwards of set marks. Each scenario uses the public API as a user would.
 *
 * Source: interface document S095, S104, S111, S112; trading.md C20, C34d; market.md 7.
 */
import { expect, test } from 'vitest'
import { openVenue, type Venue } from '../../src/index.ts'

const future = 'BTC-5JAN26'

function opened(start: string, instruments: string[], more: object = {}): Venue {
  return openVenue({
    start,
    instruments,
    index: { btc_usd: 100_000 },
    accounts: { a: { BTC: 10 }, b: { BTC: 10 }, c: { BTC: 10 } },
    ...more,
  })
}

/** The result of a reply, without its type. */
// biome-ignore lint/suspicious/noExplicitAny: replies are read field by field
function result(reply: object): any {
  expect(reply).toHaveProperty('result')
  return (reply as { result: unknown }).result
}

test('D03 linked orders of an instrument that expires have no cancel reason', () => {
  const v = opened('2026-01-05T07:00:00Z', [future])
  const order = { instrument_name: future, amount: 100 }
  const config = [{ amount: 100, direction: 'sell' as const, price: 102_000 }]
  v.as('a').request('private/buy', {
    ...order,
    price: 99_000,
    linked_order_type: 'one_cancels_other',
    otoco_config: [{ ...config[0], label: 'other' } as never],
  })
  v.as('a').request('private/buy', {
    ...order,
    price: 98_000,
    linked_order_type: 'one_triggers_other',
    otoco_config: [{ ...config[0], label: 'second' } as never],
  })
  v.at('2026-01-05T08:00:01Z')
  for (const label of ['other', 'second']) {
    const states = v.as('a').request('private/get_order_state_by_label', { currency: 'BTC', label })
    expect(result(states)[0].order_state).toBe('cancelled')
    expect(result(states)[0].cancel_reason).toBeUndefined()
  }
})

test('D04 profit_loss of a delivery is the profit that the delivery realizes', () => {
  const v = opened('2026-01-05T07:00:00Z', [future], { config: { marks: 'index' } })
  const order = { instrument_name: future, amount: 1000 }
  v.as('b').request('private/sell', { ...order, price: 100_000 })
  v.as('a').request('private/buy', { ...order, price: 100_000 })
  v.as('c').request('private/buy', { ...order, price: 101_000 })
  v.as('a').request('private/sell', { ...order, price: 101_000 })
  v.at('2026-01-05T08:00:01Z')
  const own = v.as('c').request('private/get_settlement_history_by_currency', { currency: 'BTC' })
  expect(result(own).settlements[0].profit_loss).toBe(-0.00009901)
  const all = v.request('public/get_last_settlements_by_currency', { currency: 'BTC' })
  expect(result(all).settlements[0].profit_loss).toBe(0)
})

test('D12 the session profit of a delivered option is its payoff minus its cost', () => {
  const option = 'BTC-30JAN26-100000-C'
  const v = opened('2026-01-30T07:00:00Z', [option], { config: { marks: 'index' } })
  v.as('b').request('private/sell', { instrument_name: option, amount: 1, price: 0.0026 })
  v.as('a').request('private/buy', { instrument_name: option, amount: 1, price: 0.0026 })
  v.at('2026-01-30T07:10:00Z')
  v.request('sim/set_index', { index_name: 'btc_usd', price: 125_000 })
  v.at('2026-01-30T08:00:00Z')
  const own = v.as('a').request('private/get_settlement_history_by_currency', { currency: 'BTC' })
  expect(result(own).settlements[0]).toMatchObject({
    type: 'delivery',
    session_profit_loss: 0.1974,
  })
})

test('B03 without price bands a market order for an option costs its expected fills', () => {
  const option = 'BTC-27MAR26-60000-C'
  const v = opened('2026-01-05T09:00:00Z', [option], {
    config: { marks: 'index', priceBands: false, speedBumps: false },
  })
  v.as('b').request('private/sell', { instrument_name: option, amount: 1, price: 0.01 })
  const bought = v.as('a').request('private/buy', {
    instrument_name: option,
    amount: 1,
    type: 'market',
  })
  expect(result(bought).order).toMatchObject({ order_state: 'filled', average_price: 0.01 })
})

test('F08 the forward follows a mark that was set, even if marks come from indices', () => {
  const option = 'BTC-29JAN26-95000-C'
  const v = opened('2026-01-28T09:00:00Z', ['BTC-29JAN26', option], { config: { marks: 'index' } })
  const underlying = (): unknown => {
    const { underlying_price, underlying_index } = result(v.request('public/ticker', { instrument_name: option }))
    return [underlying_price, underlying_index]
  }
  expect(underlying()).toEqual([100_000, 'index_price'])
  v.request('sim/set_mark', { instrument_name: 'BTC-29JAN26', price: 99_900 })
  expect(underlying()).toEqual([99_900, 'BTC-29JAN26'])
})
