/**
 * Orders as JSON: the fields, when they are present, and their values.
 * Source: interface document, Order; trading.md 4.4, 5.1 (C16, C17); coverage R27, R29.
 */
import { describe, expect, test } from 'vitest'
import { deskMarket, type Json } from '../support/desk-market.ts'

const perpetual = { instrument_name: 'BTC-PERPETUAL' }
const bid = { ...perpetual, amount: 100, price: 49_000 }
const first = 1_767_603_600_000

const every = {
  instruments: ['BTC-PERPETUAL', 'BTC_USDC'],
  index: { btc_usd: 50_000, btc_usdc: 50_000 },
  accounts: { alice: { BTC: 10, USDC: 1_000_000 } },
}

function expectKeys(value: object, keys: string): void {
  expect(Object.keys(value).toSorted()).toEqual(keys.split(' ').toSorted())
}

const always =
  'order_id order_state order_type time_in_force instrument_name creation_timestamp ' +
  'last_update_timestamp direction user_id price label post_only api web amount contracts filled_amount ' +
  'average_price max_show mmp risk_reducing replaced'

describe('the order object (S061-S079, C17)', () => {
  test('S230 a resting order, exactly', () => {
    const m = deskMarket()
    const { order, trades } = m.result('alice', 'private/buy', { ...bid, label: 'q1' })
    expect(trades).toEqual([])
    const at = first + 1
    expect(order).toEqual({
      order_id: '1',
      order_state: 'open',
      order_type: 'limit',
      time_in_force: 'good_til_cancelled',
      instrument_name: 'BTC-PERPETUAL',
      creation_timestamp: at,
      last_update_timestamp: at,
      direction: 'buy',
      user_id: 4,
      price: 49_000,
      label: 'q1',
      post_only: false,
      api: true,
      web: false,
      amount: 100,
      contracts: 10,
      filled_amount: 0,
      average_price: 0,
      max_show: 100,
      mmp: false,
      risk_reducing: false,
      replaced: false,
      reduce_only: false,
      is_liquidation: false,
    })
  })

  test('R29 S078 is_liquidation is false outside a liquidation; S070 spot has neither it nor reduce_only', () => {
    const m = deskMarket(every)
    expectKeys(m.result('alice', 'private/buy', bid).order, `${always} reduce_only is_liquidation`)
    const spot = { instrument_name: 'BTC_USDC', amount: 1, price: 49_900 }
    const { order } = m.result('alice', 'private/buy', spot)
    expectKeys(order, `${always} is_rebalance`)
    expect(order.is_rebalance).toBe(false)
  })

  test('S068 S069 post_only is always present, reject_post_only only with it', () => {
    const m = deskMarket()
    const { order: slides } = m.result('alice', 'private/buy', { ...bid, post_only: true })
    expect(slides).toMatchObject({ post_only: true, reject_post_only: false })
    const rejecting = { ...bid, post_only: true, reject_post_only: true }
    const { order: rejects } = m.result('alice', 'private/buy', rejecting)
    expect(rejects).toMatchObject({ post_only: true, reject_post_only: true })
  })

  test('S211 a post-only order that would match rests just inside the spread', () => {
    const m = deskMarket()
    m.result('bob', 'private/sell', { ...bid, price: 50_000 })
    const { order, trades } = m.result('alice', 'private/buy', {
      ...{ ...bid, price: 50_100, post_only: true },
    })
    expect(order).toMatchObject({ order_state: 'open', price: 49_999.5 })
    expect(trades).toEqual([])
  })

  test('S073 S074 S075 a partial fill: amount stays, filled_amount grows, average from the fills', () => {
    const m = deskMarket()
    m.result('bob', 'private/sell', { ...bid, amount: 40, price: 50_000 })
    m.result('bob', 'private/sell', { ...bid, amount: 20, price: 50_100 })
    const { order } = m.result('alice', 'private/buy', { ...bid, price: 50_100 })
    expect(order).toMatchObject({
      ...{ order_state: 'open', amount: 100, filled_amount: 60, contracts: 10, price: 50_100 },
      // R27: 60 / (40 / 50000 + 20 / 50100)
      ...{ average_price: 50_033.28894807, max_show: 100 },
    })
  })

  test('S065 last_update_timestamp moves with a fill of the maker, creation_timestamp stays', () => {
    const m = deskMarket()
    m.result('alice', 'private/buy', { ...bid, price: 49_500 })
    m.result('bob', 'private/sell', { ...bid, price: 49_500, amount: 10 })
    expect(m.result('alice', 'private/get_order_state', { order_id: '1' })).toMatchObject({
      ...{ creation_timestamp: first + 1, last_update_timestamp: first + 2, filled_amount: 10 },
    })
  })

  test('S077 an edit sets replaced, keeps the id and answers with the order', () => {
    const m = deskMarket()
    m.result('alice', 'private/buy', bid)
    const { order, trades } = m.result('alice', 'private/edit', { order_id: '1', amount: 50 })
    expect(trades).toEqual([])
    expect(order).toMatchObject({
      ...{ order_id: '1', amount: 50, price: 49_000, replaced: true, order_state: 'open' },
      ...{ creation_timestamp: first + 1, last_update_timestamp: first + 2 },
    })
  })

  test('S236 an edit that crosses trades at once', () => {
    const m = deskMarket()
    m.result('bob', 'private/sell', { ...bid, price: 50_000 })
    m.result('alice', 'private/buy', bid)
    const edit = { order_id: '2', amount: 100, price: 50_000 }
    const { order, trades } = m.result('alice', 'private/edit', edit)
    expect(order).toMatchObject({ order_state: 'filled', average_price: 50_000, replaced: true })
    expect(trades).toMatchObject([{ order_id: '2', liquidity: 'T', amount: 100, state: 'filled' }])
  })

  test('C24 S092 an edit of a reject-post-only order that would match cancels it', () => {
    const m = deskMarket()
    m.result('bob', 'private/sell', { ...bid, price: 50_000 })
    m.result('alice', 'private/buy', { ...bid, post_only: true, reject_post_only: true })
    const edit = { order_id: '2', amount: 100, price: 50_000 }
    expect(m.result('alice', 'private/edit', edit).order).toMatchObject({
      ...{ order_state: 'cancelled', cancel_reason: 'edit_post_only_reject', price: 49_000 },
    })
  })
})

describe('market orders (C16, S063, S097)', () => {
  test('an order that never rests is a market order', () => {
    const m = deskMarket()
    m.result('bob', 'private/sell', { ...bid, price: 50_000 })
    const buy = { ...perpetual, amount: 100, type: 'market' }
    const { order, trades } = m.result('alice', 'private/buy', buy)
    expect(order).toMatchObject({ order_type: 'market', order_state: 'filled', price: 50_750 })
    expect(order).not.toHaveProperty('original_order_type')
    expect(trades[0].order_type).toBe('market')
    expect(trades[0]).not.toHaveProperty('original_order_type')
  })

  test('if its remainder rests, it is a limit order at the band with original_order_type market', () => {
    const m = deskMarket()
    m.result('bob', 'private/sell', { ...bid, amount: 40, price: 50_000 })
    const buy = { ...perpetual, amount: 100, type: 'market' }
    const { order, trades } = m.result('alice', 'private/buy', buy)
    const shown = { order_type: 'limit', original_order_type: 'market', price: 50_750 }
    expect(order).toMatchObject({ ...shown, order_state: 'open', filled_amount: 40 })
    expect(trades[0].order_type).toBe('market')
    expect(m.result('alice', 'private/get_order_state', { order_id: '2' })).toEqual(order)
    m.result('bob', 'private/sell', { ...perpetual, amount: 60, price: 50_750 })
    expect(m.result('alice', 'private/get_order_state', { order_id: '2' })).toMatchObject({
      ...{ ...shown, order_state: 'filled' },
    })
    const made = m.result('alice', 'private/get_user_trades_by_order', { order_id: '2' })
    expect(made.map((trade: Json) => [trade.liquidity, trade.order_type])).toEqual([
      ['M', 'limit'],
      ['T', 'market'],
    ])
    expect(made[0].original_order_type).toBe('market')
  })

  test('an order that rested and was edited to match stays a limit order', () => {
    const m = deskMarket()
    m.result('alice', 'private/sell', { ...perpetual, amount: 100, type: 'market' })
    m.result('bob', 'private/buy', bid)
    const edit = { order_id: '1', amount: 100, price: 49_250 }
    const { order } = m.result('alice', 'private/edit', { ...edit, price: 49_260 })
    expect(order).toMatchObject({ order_type: 'limit', original_order_type: 'market' })
    m.result('bob', 'private/buy', { ...bid, price: 49_255 })
    const crossed = m.result('alice', 'private/edit', edit)
    const shown = { order_type: 'limit', original_order_type: 'market' }
    expect(crossed.order).toMatchObject({ ...shown, order_state: 'filled' })
    expect(crossed.trades).toMatchObject([{ ...shown, liquidity: 'T', price: 49_255 }])
  })

  test('a market-limit order is always a limit order', () => {
    const m = deskMarket()
    m.result('bob', 'private/sell', { ...bid, amount: 40, price: 50_000 })
    const buy = { ...perpetual, amount: 100, type: 'market_limit' }
    const shown = { order_type: 'limit', original_order_type: 'market_limit', price: 50_000 }
    const { order, trades } = m.result('alice', 'private/buy', buy)
    expect(order).toMatchObject({ ...shown, order_state: 'open', filled_amount: 40 })
    expect(trades[0]).toMatchObject({ order_type: 'limit', original_order_type: 'market_limit' })
    expect(m.refusal('alice', 'private/sell', { ...buy, instrument_name: 'BTC-PERPETUAL' })).toBe('10003 order_overlap')
  })

  test('C20 market-limit with an empty opposite side: 11030', () => {
    const buy = { ...perpetual, amount: 100, type: 'market_limit' }
    expect(deskMarket().refusal('alice', 'private/buy', buy)).toBe('11030 other_reject no_opposite_price')
  })
})

describe('cancelled orders (S084-S095, C21)', () => {
  test('S084 private/cancel answers with the order, cancelled by its user', () => {
    const m = deskMarket()
    const { order } = m.result('alice', 'private/buy', bid)
    const cancelled = m.result('alice', 'private/cancel', { order_id: '1' })
    expect(cancelled).toEqual({
      ...order,
      ...{ order_state: 'cancelled', cancel_reason: 'user_request' },
      last_update_timestamp: first + 2,
    })
    expect(m.result('alice', 'private/get_order_state', { order_id: '1' })).toEqual(cancelled)
  })

  test.each(['immediate_or_cancel', 'fill_or_kill'])('S095 %s ends without a reason', (force) => {
    const m = deskMarket()
    m.result('bob', 'private/sell', { ...bid, amount: 40, price: 50_000 })
    const buy = { ...bid, price: 50_000, time_in_force: force }
    const { order, trades } = m.result('alice', 'private/buy', buy)
    const filled = force === 'fill_or_kill' ? 0 : 40
    expect(order).toMatchObject({ order_state: 'cancelled', filled_amount: filled })
    expect(order).not.toHaveProperty('cancel_reason')
    expect(trades).toHaveLength(filled === 0 ? 0 : 1)
  })

  test('S094 good_til_day ends at 08:00 with the reason settlement', () => {
    const m = deskMarket()
    m.result('alice', 'private/buy', { ...bid, time_in_force: 'good_til_day' })
    m.result(null, 'sim/advance', { to: first + 23 * 3_600_000 })
    expect(m.result('alice', 'private/get_order_state', { order_id: '1' })).toMatchObject({
      ...{ order_state: 'cancelled', cancel_reason: 'settlement' },
      last_update_timestamp: first + 23 * 3_600_000,
    })
    expect(m.refusal('alice', 'private/cancel', { order_id: '1' })).toBe('11044 not_open_order')
  })

  test('C18 S087 a maker cancelled by self-match: risk_mitigation', () => {
    const m = deskMarket({ config: { selfMatch: 'cancel_maker' } })
    m.result('alice', 'private/sell', { ...bid, price: 50_000 })
    const { order, trades } = m.result('alice', 'private/buy', { ...bid, price: 50_000 })
    expect([order.order_id, order.order_state, trades]).toEqual(['2', 'open', []])
    expect(m.result('alice', 'private/get_order_state', { order_id: '1' })).toMatchObject({
      ...{ order_state: 'cancelled', cancel_reason: 'risk_mitigation' },
    })
  })
})

test('N2 without price bands a combo without short legs has positive limits', () => {
  const names = ['BTC-27MAR26-60000-C', 'BTC-27MAR26-60000-P'] as const
  const m = deskMarket({ config: { priceBands: false }, instruments: names })
  const limitsOf = (direction: string): Json => {
    const trades = names.map((instrument_name, at) => ({
      ...{ instrument_name, amount: 1, direction: at === 0 ? 'buy' : direction },
    }))
    const { id } = m.result('alice', 'private/create_combo', { trades })
    return m.result(null, 'public/ticker', { instrument_name: id })
  }
  expect(limitsOf('buy').min_price).toBeGreaterThan(0)
  expect(limitsOf('sell').min_price).toBeLessThan(0)
})

test('N2 N5 without price bands limits and market orders still have prices', () => {
  const m = deskMarket({ config: { priceBands: false } })
  const ends = { min_price: 0.5, max_price: 9_007_199 }
  expect(m.result(null, 'public/ticker', perpetual)).toMatchObject(ends)
  const margins = { ...perpetual, amount: 1000, price: 50_000 }
  expect(m.result('alice', 'private/get_margins', margins)).toMatchObject(ends)
  const reported = (order: Json): Json => m.result('alice', 'private/get_order_state', { order_id: order.order_id })
  const terms = { ...perpetual, amount: 1000, type: 'market' }
  for (const [method, price] of [
    ['private/buy', ends.max_price],
    ['private/sell', ends.min_price],
  ] as const) {
    const { order } = m.result('alice', method, terms)
    expect(order).toMatchObject({ order_state: 'cancelled', price })
    expect(reported(order).price).toBe(price)
  }
  m.result('bob', 'private/sell', { ...perpetual, amount: 500, price: 50_000 })
  m.result('bob', 'private/sell', { ...perpetual, amount: 1000, price: 50_100 })
  const { order } = m.result('alice', 'private/buy', terms)
  expect(order).toMatchObject({ order_state: 'filled', price: order.average_price })
  expect(reported(order).price).toBe(order.average_price)
})
