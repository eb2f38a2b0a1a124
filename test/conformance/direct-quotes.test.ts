/**
 * Mass quotes, mass cancels and the state of market-maker protection over direct access.
 * Source: sessions-blocks-gateways.md 8.5-8.7, 8.9, 8.11, 8.13.
 */
import { describe, expect, test } from 'vitest'
import type { ParamValue, RequestParams } from '../../src/rpc/index.ts'
import { answered, type DirectMarket, directMarket, future, perpetual, rejectOf } from '../support/direct-market.ts'

const quote = 'sim/direct/mass_quote'

/** A market in which alice has group 1 for quotes and group 2 for orders, both on eth_usd. */
function quotedMarket(): DirectMarket {
  const m = directMarket()
  const group = {
    ...{ index_name: 'eth_usd', interval: 10, frozen_time: 10, quantity_limit: 1 },
    max_quote_quantity: 100,
  }
  m.result('alice', 'private/set_mmp_config', { ...group, mmp_group: 'mine' })
  m.result('alice', 'private/set_mmp_config', group)
  return m
}

function both(bid: number, ask: number): { [field: string]: string | number } {
  return {
    ...{ instrument_name: perpetual, bid_price: bid, bid_amount: 1000 },
    ...{ ask_price: ask, ask_amount: 1000 },
  }
}

describe('direct.quotes', () => {
  test('the response to a mass quote shows for each side whether it was placed, unchanged or cancelled', () => {
    const m = quotedMarket()
    const ask = (quotes: readonly ParamValue[]): object =>
      m.result('alice', quote, { quote_id: 5, mmp_group_id: 1, quotes }, 1)
    expect(ask([both(2990, 3010)])).toMatchObject({
      message: 'MassQuoteResponse',
      quote_id: '5',
      mmp_group_id: 1,
      quotes: [
        {
          instrument_name: perpetual,
          bid: { status: 'updated', price: 2990, amount: 1000, reject_reason: null },
          ask: { status: 'updated', price: 3010, amount: 1000, reject_reason: null },
        },
      ],
    })
    expect(ask([{ ...both(2990, 3020) }])).toMatchObject({
      quotes: [{ bid: { status: 'unmodified', amount: 1000 }, ask: { status: 'updated', price: 3020 } }],
    })
    expect(ask([{ instrument_name: perpetual, bid_price: 2990, bid_amount: 0 }])).toMatchObject({
      quotes: [{ bid: { status: 'canceled_by_request' }, ask: { status: 'unmodified' } }],
    })
    expect(ask([both(2990.001, 3020)])).toMatchObject({
      quotes: [
        {
          bid: { status: 'inactive', reject_reason: { code: 6, name: 'INVALID_PRICE' } },
          ask: { status: 'unmodified' },
        },
      ],
    })
  })

  test('a quote that triggers protection within its own request is shown as cancelled by it (8.5)', () => {
    const m = quotedMarket()
    const ask = (quotes: readonly ParamValue[]): object =>
      m.result('alice', quote, { quote_id: 5, mmp_group_id: 1, quotes }, 1)
    ask([{ instrument_name: perpetual, ask_price: 3010, ask_amount: 1000 }])
    m.place('bob', 1, { side: 'sell', price: 2990, amount: 4000 })
    const bid = { instrument_name: perpetual, bid_price: 2990, bid_amount: 5000 }
    expect(ask([bid])).toMatchObject({
      quotes: [
        {
          bid: { status: 'canceled_by_mmp', filled_amount: 4000 },
          ask: { status: 'canceled_by_mmp', price: 3010, filled_amount: 0 },
        },
      ],
    })
  })

  test('a side that waits is shown as waiting, named or not, even if it is to be cancelled (8.6, 8.8)', () => {
    const m = quotedMarket()
    m.place('bob', 1, { instrument_name: future, side: 'sell', price: 3001, amount: 100 })
    const ask = (side: { [field: string]: number }): object =>
      m.result(
        'alice',
        quote,
        {
          ...{ quote_id: 5, mmp_group_id: 1 },
          quotes: [{ instrument_name: future, ...side }],
        },
        1,
      )
    const waits = { status: 'speed_bumped', price: 3001, amount: 100, filled_amount: 0 }
    expect(ask({ bid_price: 3001, bid_amount: 100 })).toMatchObject({ quotes: [{ bid: waits }] })
    expect(ask({ ask_price: 3050, ask_amount: 10 })).toMatchObject({
      quotes: [{ bid: waits, ask: { status: 'updated' } }],
    })
    expect(ask({ bid_amount: 0 })).toMatchObject({
      quotes: [{ bid: waits, ask: { status: 'unmodified' } }],
    })
    m.venue.wait('10ms')
    expect(ask({ ask_price: 3050, ask_amount: 10 })).toMatchObject({
      quotes: [{ bid: { status: 'inactive' } }],
    })
  })

  test('S304 each reason to refuse a whole mass quote has its own number', () => {
    const m = quotedMarket()
    const refused = (params: RequestParams): string =>
      rejectOf(m.error('alice', quote, { quote_id: 5, mmp_group_id: 1, ...params }, 1))
    expect(refused({ quotes: [both(2990, 3010)], mmp_group_id: 9 })).toBe('1 INVALID_MMP_GROUP MassQuoteReject')
    expect(refused({ quotes: [{ ...both(2990, 3010), bid_amount: 0.5 }] })).toBe('0 SYSTEM_ERROR MassQuoteReject')
    expect(refused({ quotes: [both(2990, 3010), both(2980, 3020)] })).toBe('8 DUPLICATE_INSTRUMENT MassQuoteReject')
    expect(refused({ quotes: new Array(16).fill(both(2990, 3010)) })).toBe('4 TOO_MANY_QUOTES MassQuoteReject')
    expect(refused({ quotes: [{ ...both(2990, 3010), instrument_name: 'BTC-PERPETUAL' }] })).toBe(
      '5 INVALID_INSTRUMENT MassQuoteReject',
    )
    m.result(null, 'sim/lock_portfolio', { account: 'alice' })
    expect(refused({ quotes: [both(2990, 3010)] })).toBe('7 PORTFOLIO_LOCKED MassQuoteReject')
    m.result(null, 'sim/lock_portfolio', { account: 'alice', locked: false })
    const off = { index_name: 'eth_usd', interval: 0, frozen_time: 0, max_quote_quantity: 100 }
    const none = { ...off, mmp_group: 'mine' }
    m.result('alice', 'private/set_mmp_config', none)
    expect(refused({ quotes: [both(2990, 3010)] })).toBe('2 MMP_GROUP_DISABLED MassQuoteReject')
  })

  test('S329 a reset in the first second of a freeze is refused; older sessions get MMP_GROUP_FROZEN', () => {
    const m = quotedMarket()
    m.connect(3, { account: 'alice', gateway: 'ETH_B', schema_version: 14 })
    const quotes = [{ ...both(2990, 3010), bid_amount: 4000 }]
    m.result('alice', quote, { quote_id: 1, mmp_group_id: 1, quotes }, 1)
    m.place('bob', 1, { side: 'sell', price: 2990, amount: 4000 })
    const again = { quote_id: 2, mmp_group_id: 1, quotes, flags: ['reset_mmp'] }
    expect(rejectOf(m.error('alice', quote, again, 1))).toBe('9 MMP_MIN_FREEZE_TIME_NOT_ELAPSED MassQuoteReject')
    expect(rejectOf(m.error('alice', quote, again, 3))).toBe('3 MMP_GROUP_FROZEN MassQuoteReject')
    const status = { mmp_group_id: 1 }
    expect(m.result('alice', 'sim/direct/get_mass_quote_mmp_status', status, 1)).toMatchObject({
      message: 'MassQuoteMmpStatusResponse',
      is_frozen: true,
      frozen_until_time: expect.any(Number),
    })
    m.venue.wait('1s')
    const { flags: _flags, ...plain } = again
    expect(rejectOf(m.error('alice', quote, plain, 1))).toBe('3 MMP_GROUP_FROZEN MassQuoteReject')
    m.result('alice', quote, again, 1)
    expect(m.result('alice', 'sim/direct/get_mass_quote_mmp_status', status, 1)).toMatchObject({
      is_frozen: false,
      frozen_until_time: null,
    })
  })

  test('S289 S306 S325 the state of a group is requested by its number or pair, from version 11 on', () => {
    const m = quotedMarket()
    m.connect(3, { account: 'alice', gateway: 'ETH_B', schema_version: 10 })
    const orders = 'sim/direct/get_orders_mmp_status'
    expect(m.result('alice', orders, { currency_pair: 'eth_usd' }, 1)).toEqual({
      message: 'OrdersMmpStatusResponse',
      timestamp_ns: expect.any(Number),
      currency_pair: 'eth_usd',
      is_frozen: false,
      frozen_until_time: null,
    })
    expect(rejectOf(m.error('alice', orders, { currency_pair: 'btc_usd' }, 1))).toBe(
      '1 INVALID_MMP_GROUP OrdersMmpStatusReject',
    )
    expect(rejectOf(m.error('alice', 'sim/direct/get_mass_quote_mmp_status', { mmp_group_id: 2 }, 1))).toBe(
      '1 INVALID_MMP_GROUP MassQuoteMmpStatusReject',
    )
    expect(rejectOf(m.error('alice', orders, { currency_pair: 'eth_usd' }, 3))).toBe('2 INVALID_TEMPLATE_ID Reject')
  })

  test('mass cancels end only orders and quotes of direct access, by pair, product and side (8.11)', () => {
    const m = quotedMarket()
    m.result('alice', quote, { quote_id: 1, mmp_group_id: 1, quotes: [both(2990, 3010)] }, 1)
    m.place('alice', 1)
    m.place('alice', 2, { side: 'sell', price: 3020 })
    m.result('alice', 'private/buy', { instrument_name: perpetual, amount: 1000, price: 2970 })
    const mass = (params: RequestParams): object =>
      m.result('alice', 'sim/direct/mass_cancel', { currency_pair: 'eth_usd', ...params }, 1)
    const reported = (total_order_count: number): object => ({
      message: 'MassCancelResponse',
      ...answered,
      total_order_count,
    })
    expect(mass({ product_type: 'options' })).toEqual(reported(0))
    expect(mass({ side: 'sell' })).toEqual(reported(2))
    const group = { mmp_group_id: 1 }
    expect(m.result('alice', 'sim/direct/mass_quote_cancel', group, 1)).toEqual(reported(1))
    expect(mass({})).toEqual(reported(1))
    expect(m.result('alice', 'private/get_open_orders')).toHaveLength(1)
    expect(rejectOf(m.error('alice', 'sim/direct/mass_quote_cancel', { mmp_group_id: 9 }, 1))).toBe(
      '1 INVALID_MMP_GROUP MassCancelReject',
    )
  })
})

describe('risk.enforcement', () => {
  test('each side of a quote counts against the limits of its portfolio and is refused above them (27, 28)', () => {
    const m = quotedMarket()
    m.result(null, 'sim/set_risk_limits', {
      ...{ index_name: 'eth_usd', max_future_open_order_size: 1500, max_future_position: 2500 },
    })
    const ask = (quotes: readonly ParamValue[]): object =>
      m.result('alice', quote, { quote_id: 5, mmp_group_id: 1, quotes }, 1)
    expect(ask([{ ...both(2990, 3010), bid_amount: 1501 }])).toMatchObject({
      quotes: [
        {
          bid: {
            status: 'inactive',
            reject_reason: { code: 28, name: 'ORDER_SIZE_LIMIT_EXCEEDED' },
          },
          ask: { status: 'updated', amount: 1000, reject_reason: null },
        },
      ],
    })
    ask([both(2990, 3010)])
    expect(m.refusal('alice', 1, { amount: 1501 })).toContain('28 ')
    m.place('alice', 1, { amount: 1400 })
    // A changed quote counts only with its new size, and a quote that does not grow is not checked.
    expect(ask([{ ...both(2990, 3010), bid_amount: 1101 }])).toMatchObject({
      quotes: [
        {
          bid: { status: 'unmodified', amount: 1000, reject_reason: { code: 27 } },
          ask: { status: 'unmodified', reject_reason: null },
        },
      ],
    })
    m.result(null, 'sim/set_risk_limits', { index_name: 'eth_usd', max_future_position: 1 })
    expect(ask([{ ...both(2989, 3010), bid_amount: 900 }])).toMatchObject({
      quotes: [{ bid: { status: 'updated', price: 2989, amount: 900, reject_reason: null } }],
    })
  })
})
