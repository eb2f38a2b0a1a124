/**
 * Spot pairs that a third party matches: the orders that they accept, and the replies before the match.
 * Source: interface document, Third-party spot routing; trading.md 4.1 (C09); coverage R36, R37, R71; S225-S229, S185.
 */
import { describe, expect, test } from 'vitest'
import type { RequestParams } from '../../src/rpc/index.ts'
import { type DeskMarket, deskMarket, type Json } from '../support/desk-market.ts'

const pair = { instrument_name: 'BTC_USDC' }
const order = { ...pair, amount: 0.1, price: 49_900 }
const stop = {
  ...{ ...order, type: 'stop_limit', trigger: 'last_price' },
  ...{ trigger_price: 49_500, price: 49_400 },
}

function routed(): DeskMarket {
  const m = deskMarket({
    ...{ instruments: ['BTC-PERPETUAL'], index: { btc_usd: 50_000, btc_usdc: 50_000 } },
    accounts: { alice: { BTC: 10, USDC: 1_000_000 }, bob: { BTC: 10, USDC: 1_000_000 } },
  })
  m.result(null, 'sim/list_instrument', { ...pair, routing: 'third_party', route_delay_ms: 5 })
  return m
}

/** A market with a last price of 50000. */
function traded(): DeskMarket {
  const m = routed()
  m.result('bob', 'private/sell', { ...order, price: 50_000 })
  m.result('alice', 'private/buy', { ...order, price: 50_000 })
  m.venue.wait('20ms')
  m.result(null, 'public/get_time')
  return m
}

const wrongArguments = '10031 invalid_args_for_instrument'

describe('orders that are refused (S225-S228)', () => {
  test.each([
    ['S225 market_limit', { type: 'market_limit' }, wrongArguments],
    ['S225 stop_market', { ...stop, type: 'stop_market' }, wrongArguments],
    ['S225 take_limit', { ...stop, type: 'take_limit', trigger_price: 50_500 }, wrongArguments],
    ['S225 take_market', { ...stop, type: 'take_market', trigger_price: 50_500 }, wrongArguments],
    ['S225 trailing_stop', { type: 'trailing_stop', trigger: 'last_price', trigger_offset: 100 }, wrongArguments],
    ['S226 good_til_day', { time_in_force: 'good_til_day' }, wrongArguments],
    ['S227 a stop on the mark', { ...stop, trigger: 'mark_price' }, wrongArguments],
    ['S227 a stop on the index', { ...stop, trigger: 'index_price' }, wrongArguments],
    ['S228 post_only alone', { post_only: true }, '11055 post_only_not_allowed'],
    [
      'R71 linked orders',
      {
        linked_order_type: 'one_cancels_other',
        otoco_config: [{ amount: 0.1, direction: 'sell', price: 50_500 }],
      },
      wrongArguments,
    ],
    ['R71 reduce_only', { reduce_only: true }, wrongArguments],
    ['arguments before the amount', { amount: 0, time_in_force: 'good_til_day' }, wrongArguments],
  ])('%s', (_title, params: RequestParams, expected) => {
    expect(traded().refusal('alice', 'private/sell', { ...order, ...params })).toBe(expected)
  })

  test('S228 S236 on edit too', () => {
    const m = routed()
    m.result('alice', 'private/buy', order)
    const edit = { order_id: 'BTC_USDC-1', amount: 0.1, post_only: true }
    expect(m.refusal('alice', 'private/edit', edit)).toBe('11055 post_only_not_allowed')
    const { order: edited } = m.result('alice', 'private/edit', { ...edit, reject_post_only: true })
    expect(edited).toMatchObject({ post_only: true, reject_post_only: true })
  })

  test.each(['public/get_last_trades_by_instrument', 'public/get_last_trades_by_instrument_and_time'])(
    'S185 R36 %s: 10031',
    (method) => {
      const m = routed()
      expect(m.refusal(null, method, { ...pair, start_timestamp: 1 })).toBe(wrongArguments)
      const bounds = { ...pair, start_timestamp: 1, start_seq: 1, end_seq: 5 }
      expect(m.refusal(null, method, bounds)).toBe(wrongArguments)
      const crossed = { ...pair, start_timestamp: 5, end_timestamp: 4 }
      expect(m.refusal(null, method, crossed)).toContain('start_after_end')
      expect(m.result('alice', 'private/get_user_trades_by_instrument', pair).trades).toEqual([])
    },
  )
})

describe('S229 R37 the reply comes before the match', () => {
  test('an order is open without trades, and fills after the delay', () => {
    const m = routed()
    m.result('bob', 'private/sell', { ...order, price: 50_000 })
    m.venue.wait('20ms')
    const { order: sent, trades } = m.result('alice', 'private/buy', { ...order, price: 50_000 })
    expect([sent.order_state, sent.filled_amount, trades]).toEqual(['open', 0, []])
    expect(m.result('alice', 'private/get_open_orders')).toHaveLength(1)
    m.venue.wait('20ms')
    const state = (): Json => m.result('alice', 'private/get_order_state', { order_id: 'BTC_USDC-2' })
    expect(state()).toMatchObject({ order_state: 'filled', average_price: 50_000 })
    const made = m.result('alice', 'private/get_user_trades_by_instrument', pair).trades
    expect(made).toMatchObject([{ order_id: 'BTC_USDC-2', liquidity: 'T', price: 50_000 }])
  })

  test('work that is due by the time of a request happens before the request is read', () => {
    const m = routed()
    m.result('bob', 'private/sell', { ...order, price: 50_000, label: 'a' })
    m.venue.wait('20ms')
    m.result('alice', 'private/buy', { ...order, price: 50_000, label: 'a' })
    m.venue.wait('20ms')
    const edit = { ...pair, label: 'a', amount: 0.2 }
    expect(m.refusal('alice', 'private/edit_by_label', edit)).toBe('10004 order_not_found')
    expect(m.result('alice', 'private/get_open_orders')).toEqual([])
  })

  test('a market order on its way is shown as one, and a stop waits for its price', () => {
    const m = traded()
    const market = { ...pair, amount: 0.1, type: 'market' }
    const { order: sent } = m.result('alice', 'private/buy', market)
    expect(sent).toMatchObject({ order_state: 'open', order_type: 'market' })
    m.venue.wait('20ms')
    const rests = m.result('alice', 'private/get_order_state', { order_id: sent.order_id })
    expect(rests).toMatchObject({ order_type: 'limit', original_order_type: 'market' })
    const { order: waits } = m.result('alice', 'private/sell', stop)
    expect(waits).toMatchObject({ order_state: 'untriggered', order_type: 'stop_limit' })
    expect(waits.order_id).toMatch(/^BTC_USDC-SLTS-[0-9]+$/)
  })

  test('R37 a cancel takes effect at once', () => {
    const m = routed()
    m.result('bob', 'private/sell', { ...order, price: 50_000 })
    m.venue.wait('20ms')
    m.result('alice', 'private/buy', { ...order, price: 50_000 })
    expect(m.result('alice', 'private/cancel', { order_id: 'BTC_USDC-2' })).toMatchObject({
      ...{ order_state: 'cancelled', cancel_reason: 'user_request', filled_amount: 0 },
    })
    m.venue.wait('20ms')
    expect(m.result('bob', 'private/get_open_orders')).toHaveLength(1)
  })

  test.each(['immediate_or_cancel', 'fill_or_kill'])('S095 %s ends later, without a reason', (force) => {
    const m = routed()
    const params = { ...order, time_in_force: force }
    const { order: sent } = m.result('alice', 'private/buy', params)
    expect(sent.order_state).toBe('open')
    m.venue.wait('20ms')
    const ended = m.result('alice', 'private/get_order_state', { order_id: 'BTC_USDC-1' })
    expect(ended.order_state).toBe('cancelled')
    expect(ended).not.toHaveProperty('cancel_reason')
  })
})
