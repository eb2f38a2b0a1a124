/**
 * The REST interface of a gateway, and its risk limits.
 * Source: sessions-blocks-gateways.md 1.5, 8.7 (27, 28), 8.11, 8.15; coverage R28, R58.
 */
import { describe, expect, test } from 'vitest'
import type { RequestParams } from '../../src/rpc/index.ts'
import type { Json } from '../support/desk-market.ts'
import { type DirectMarket, directMarket, future, option, perpetual } from '../support/direct-market.ts'
import { beginning, mistakesOf, sound } from '../unit/scenario/documents.ts'

/** A market in which alice has session 5 on the REST interface of ETH_A. */
function restMarket(): DirectMarket {
  const m = directMarket()
  m.connect(5, { account: 'alice', type: 'rest_gateway' })
  return m
}

function limits(m: DirectMarket, params: RequestParams): void {
  m.result(null, 'sim/set_risk_limits', { index_name: 'eth_usd', ...params })
}

describe('gateway.cancel-all', () => {
  test('S245 S246 S247 it cancels all orders of the portfolio on both engines, from any session (R28)', () => {
    const m = restMarket()
    m.place('alice', 1)
    m.result('alice', 'private/buy', { instrument_name: perpetual, amount: 1000, price: 2970 })
    m.result('alice', 'private/buy', {
      instrument_name: 'BTC-PERPETUAL',
      amount: 10,
      price: 49_900,
    })
    m.result('alice', 'private/buy', {
      ...{ instrument_name: 'BTC-PERPETUAL', amount: 10, type: 'stop_market' },
      ...{ trigger_price: 51_000, trigger: 'index_price' },
    })
    m.place('bob', 1, { side: 'sell', price: 3010, instrument_name: future })
    const pending = m.place('alice', 2, { price: 3010, instrument_name: future })
    expect(pending.status).toBe('queued')
    expect(m.result('alice', 'private/cancel_all', {}, 5)).toBe(4)
    expect(m.result('alice', 'private/get_open_orders')).toEqual([])
    // An order behind the speed bump becomes immediate-or-cancel, and does not count.
    m.venue.wait('10ms')
    expect(m.result('alice', 'private/get_position', { instrument_name: future })).toMatchObject({
      size: 1000,
    })
  })
})

describe('gateway.methods', () => {
  test('a gateway serves its own methods, and JSON-RPC does not know them', () => {
    const m = restMarket()
    const unknown = { code: -32601, message: 'Method not found' }
    expect(m.error('alice', 'private/get_positions', {}, 5)).toEqual(unknown)
    expect(m.error('alice', 'private/get_positions', {}, 1)).toEqual(unknown)
    expect(m.error('alice', 'private/lock_portfolio')).toEqual(unknown)
    expect(m.error('alice', 'private/get_alt_risk_limits')).toEqual(unknown)
  })

  test('S314 open orders include only orders in books of the alternative engine, without quotes', () => {
    const m = restMarket()
    m.place('alice', 1, { time_in_force: 1, flags: ['post_only'] })
    m.result('alice', 'private/buy', {
      instrument_name: 'BTC-PERPETUAL',
      amount: 10,
      price: 49_900,
    })
    m.place('bob', 1, { side: 'sell', amount: 400 })
    expect(m.result('alice', 'private/get_open_orders', {}, 5)).toEqual([
      {
        order_id: expect.stringMatching(/^[0-9]+$/),
        ...{ instrument_name: perpetual, side: 'buy', price: 2970, amount: 0.336700337 },
        ...{
          filled_amount: 0.134680135,
          average_price: 2970,
          order_state: 'open',
          order_type: 'limit',
        },
        ...{ time_in_force: 'GTD', post_only: true, reduce_only: false, label: '', api: true },
        creation_timestamp: expect.any(Number),
        last_update_timestamp: expect.any(Number),
        ...{ max_show: 0.336700337, profit_loss: 0, commission: expect.any(Number) },
      },
    ])
  })
})

describe('instruments of the gateway (sessions document 8.15)', () => {
  test('S026 they are those of the alternative engine, and the request needs no account', () => {
    const m = restMarket()
    m.result(null, 'sim/connect', { session: 6, type: 'rest_gateway', gateway: 'BTC_B' })
    const named = (params: RequestParams): readonly string[] =>
      m.result(null, 'public/get_instruments', params, 6).map((one: Json) => `${one.instrument_name} ${one.kind}`)
    const all = [`${perpetual} perp_future`, `${future} dated_future`, `${option} option`]
    expect(named({})).toEqual(all)
    expect(named({ currency: 'Eth', kind: 'dated_future' })).toEqual([all[1]])
    expect(named({ currency: 'USDC' })).toEqual([])
    expect(named({ product_group: 'eth', state: 'open' })).toEqual(all)
    expect(m.error(null, 'public/get_instruments', { kind: 'future' }, 6)).toMatchObject({
      code: -32602,
      data: { param: 'kind' },
    })
    // JSON-RPC answers as before.
    expect(m.result(null, 'public/get_instruments', { currency: 'BTC' })).toMatchObject([
      { instrument_name: 'BTC-PERPETUAL', kind: 'future' },
    ])
    expect(m.error(null, 'private/cancel_all', {}, 6)).toMatchObject({ code: 13009 })
  })
})

describe('sizes of the gateway (sessions document 8.15)', () => {
  test('B07 open orders show inverse amounts in the base coin, at the limit price of the order', () => {
    const m = restMarket()
    m.place('alice', 1, { price: 2970, amount: 1188 })
    m.place('bob', 1, { side: 'sell', price: 2970, amount: 297 })
    const [order] = m.result('alice', 'private/get_open_orders', {}, 5)
    expect(order).toMatchObject({ amount: 0.4, filled_amount: 0.1, max_show: 0.4 })
  })

  test('B07 amounts of options are already in the base coin', () => {
    const m = restMarket()
    m.place('alice', 1, { instrument_name: option, price: 0.02, amount: 3 })
    const [order] = m.result('alice', 'private/get_open_orders', {}, 5)
    expect(order).toMatchObject({ amount: 3, filled_amount: 0, max_show: 3 })
  })
})

describe('risk.limits', () => {
  test('S249 S250 a limit of the account comes before that of the pair; limits that are not set are left out', () => {
    const m = restMarket()
    const ask = (params: RequestParams = {}): object => m.result('alice', 'private/get_alt_risk_limits', params, 5)
    expect(ask()).toEqual([])
    limits(m, { max_future_position: 5000, max_option_position: 10 })
    limits(m, { account: 'alice', max_future_position: -1, max_future_open_order_size: 2000.5 })
    m.result(null, 'sim/set_risk_limits', { index_name: 'btc_usd', max_future_position: 7 })
    m.venue.wait('60s')
    expect(ask()).toEqual([
      { currency_pair: 'btc_usd', max_future_position: 7 },
      {
        currency_pair: 'eth_usd',
        ...{ max_future_position: -1, max_option_position: 10 },
        max_future_open_order_size: 2000.5,
      },
    ])
    m.venue.wait('60s')
    expect(ask({ currency: 'btc' })).toEqual([{ currency_pair: 'btc_usd', max_future_position: 7 }])
    m.venue.wait('60s')
    expect(ask({ currency: 'SOL' })).toEqual([])
    limits(m, { account: 'alice' })
    m.venue.wait('60s')
    expect(ask({ currency: 'eth' })).toEqual([
      { currency_pair: 'eth_usd', max_future_position: 5000, max_option_position: 10 },
    ])
  })

  test('a changed limit is reported once', () => {
    const m = restMarket()
    const changes = (): readonly string[] =>
      m.events.flatMap((event) =>
        event.kind === 'standing' && event.protection === 'risk_limit'
          ? [`${event.change} ${event.account} ${event.group}`]
          : [],
      )
    limits(m, { max_future_position: 5000 })
    limits(m, { max_future_position: 5000 })
    limits(m, {})
    expect(changes()).toEqual(['on -1 eth_usd', 'off -1 eth_usd'])
    const wrong = { index_name: 'eth_usd', max_future_position: -2 }
    expect(m.error(null, 'sim/set_risk_limits', wrong)).toMatchObject({ code: -32602 })
  })

  test('a scenario file sets limits of pairs, and reports mistakes in them', () => {
    const venue = (limits: string): string =>
      `${beginning}venue: { risk_limits: { eth_usd: { max_future_position: ${limits} } } }\n`
    expect(sound(venue('2.5')).config.riskLimits).toEqual({
      eth_usd: {
        ...{ futurePosition9: 2_500_000_000, optionPosition9: null },
        ...{ futureOrder9: null, optionOrder9: null },
      },
    })
    expect(sound(venue('-1')).config.riskLimits.eth_usd?.futurePosition9).toBe(-1)
    for (const wrong of ['-0.5', '0.0000000001', 'many']) {
      expect(mistakesOf(venue(wrong)), wrong).toEqual([
        expect.stringContaining(
          'venue.risk_limits.eth_usd.max_future_position: expected -1 for no limit, or an amount of at least 0',
        ),
      ])
    }
  })
})

describe('risk.enforcement', () => {
  test('an order that is too large is refused with separate errors on each interface (27, 28)', () => {
    const m = restMarket()
    limits(m, { max_future_open_order_size: 1500, max_future_position: 2500 })
    expect(m.refusal('alice', 1, { amount: 1501 })).toBe('28 ORDER_SIZE_LIMIT_EXCEEDED NewOrderReject')
    const buy = { instrument_name: perpetual, amount: 1501, price: 2970 }
    expect(m.error('carol', 'private/buy', buy)).toEqual({
      code: 10016,
      message: 'pme_max_future_open_orders_size 1500',
    })
    m.place('alice', 1, { amount: 1500 })
    expect(m.refusal('alice', 2, { amount: 1001 })).toBe('27 POSITION_LIMIT_EXCEEDED NewOrderReject')
    m.place('bob', 1, { side: 'sell', amount: 1500 })
    expect(m.refusal('alice', 2, { amount: 1001, instrument_name: future })).toBe(
      '27 POSITION_LIMIT_EXCEEDED NewOrderReject',
    )
    m.place('alice', 2, { amount: 1000 })
    // An order that reduces the position may exceed the limit of an order that opens one.
    expect(m.refusal('alice', 3, { side: 'sell', price: 3010, amount: 1501 })).toMatch(/^28 /)
    m.place('alice', 3, { side: 'sell', price: 3010, amount: 1500 })
    m.place('alice', 4, { side: 'sell', price: 3010, amount: 1500 })
    m.place('alice', 5, { side: 'sell', price: 3010, amount: 1000 })
    expect(m.refusal('alice', 6, { side: 'sell', price: 3010, amount: 1 })).toMatch(/^27 /)
  })

  test('a limit of -1 removes the pair’s limit for the account; amends that grow are checked too', () => {
    const m = restMarket()
    limits(m, { max_future_open_order_size: 1500 })
    m.place('alice', 1, { amount: 1500 })
    const grow = { client_order_id: 1, amount: 1600 }
    expect(m.error('alice', 'sim/direct/amend_order', grow, 1)).toMatchObject({ code: 28 })
    limits(m, { account: 'alice', max_future_open_order_size: -1 })
    m.result('alice', 'sim/direct/amend_order', grow, 1)
  })

  test('options have separate limits, and the main engine does not limit sizes', () => {
    const m = restMarket()
    limits(m, { max_option_open_order_size: 2, max_option_position: 3 })
    const buy = (amount: number): RequestParams => ({
      ...{ instrument_name: option, amount, price: 0.1 },
    })
    expect(m.error('carol', 'private/buy', buy(3))).toMatchObject({ code: 10017 })
    m.result('carol', 'private/buy', buy(2))
    expect(m.error('carol', 'private/buy', buy(2))).toMatchObject({ code: 10037 })
    m.result(null, 'sim/set_risk_limits', { index_name: 'btc_usd', max_future_open_order_size: 10 })
    m.result('alice', 'private/buy', {
      instrument_name: 'BTC-PERPETUAL',
      amount: 20,
      price: 49_900,
    })
  })
})
