/**
 * The speed bump: which orders wait, for how long, what may change meanwhile, and what JSON-RPC shows.
 * Source: trading.md 6.11 (C29); sessions document 8.8; coverage R09, R10, R25, R68.
 */
import { describe, expect, test } from 'vitest'
import type { RequestParams } from '../../src/rpc/index.ts'
import { TimedDesk } from '../support/timed-desk.ts'

const future = 'ETH-27MAR26'

function order(amount: number, price: number, more: RequestParams = {}): RequestParams {
  return { instrument_name: future, amount, price, ...more }
}

/** A bid of 100 at 3990 and one at 3980 by the maker: orders 1 and 2. */
function desk(options: ConstructorParameters<typeof TimedDesk>[0] = {}): TimedDesk {
  const m = new TimedDesk(options)
  m.result('maker', 'private/buy', order(100, 3990))
  m.result('maker', 'private/buy', order(100, 3980))
  return m
}

describe('rule order.speed-bump: an order that would match waits 10 ms (S318, R09)', () => {
  test('its reply comes with the fills of the release, and the remainder rests', () => {
    const m = desk()
    const sent = m.at(1).ask('taker', 'private/sell', order(300, 3980))
    expect(sent.reply).toBeNull()
    m.until(10_000)
    expect(sent.reply).toBeNull()
    m.until(10_001)
    expect(sent.at).toBe(10_001)
    expect(sent.reply.result.trades).toHaveLength(2)
    expect(sent.reply.result.order).toMatchObject({ order_state: 'open', filled_amount: 200 })
    expect(sent.reply).toMatchObject({ usOut: sent.reply.usIn + 10_000 })
    expect(m.bumps()).toEqual([
      [1, 'queued', 3],
      [10_001, 'released', 3],
    ])
  })

  test('it waits the whole time even if the opposite orders have gone, and then rests', () => {
    const m = desk()
    const sent = m.at(1).ask('taker', 'private/sell', order(50, 3980))
    expect(m.at(2).result('maker', 'private/cancel_all')).toBe(2)
    m.until(20_000)
    expect(sent).toMatchObject({
      at: 10_001,
      reply: { result: { order: { order_state: 'open' } } },
    })
  })

  test.each([
    ['a passive order', order(10, 3991)],
    ['a post-only order that slides', order(10, 3980, { post_only: true })],
    ['fill-or-kill that meets nothing', order(10, 3991, { time_in_force: 'fill_or_kill' })],
    ['immediate-or-cancel that meets nothing', order(10, 3991, { time_in_force: 'immediate_or_cancel' })],
  ])('%s does not wait', (_name, params) => {
    const m = desk()
    expect(m.at(1).ask('taker', 'private/sell', params).at).toBe(1)
    expect(m.bumps()).toEqual([])
  })

  test.each([
    ['of the main engine', 'BTC-PERPETUAL', { btc_usd: 100_000 }, 10, 100_000, {}],
    ['an exempt perpetual of the alternative one', 'ETH-PERPETUAL', { eth_usd: 4000 }, 10, 4000, {}],
    ['where a run switches it off', future, { eth_usd: 4000 }, 10, 4000, { speedBumps: false }],
    [
      'where a run matches the pair on the main engine',
      future,
      { eth_usd: 4000 },
      10,
      4000,
      { engines: { eth_usd: 'main' as const } },
    ],
  ])('an instrument %s has no speed bump', (_name, instrument, index, amount, price, config) => {
    const accounts = { maker: { BTC: 10, ETH: 100 }, taker: { BTC: 10, ETH: 100 } }
    const m = new TimedDesk({ instruments: [instrument], index, accounts, config })
    const params = { instrument_name: instrument, amount, price }
    m.result('maker', 'private/buy', params)
    expect(m.at(1).ask('taker', 'private/sell', params).at).toBe(1)
  })

  test('first in, first out over the books of a gateway pair; releases come before requests of their time', () => {
    const m = desk({ instruments: [future, 'ETH-26JUN26'] })
    const other = { instrument_name: 'ETH-26JUN26', amount: 100, price: 3990 }
    m.result('maker', 'private/buy', other)
    const first = m.at(1).ask('taker', 'private/sell', order(60, 3990))
    const second = m.ask('taker', 'private/sell', { ...other, amount: 10 })
    const third = m.ask('taker', 'private/sell', order(60, 3990))
    const late = m.at(10_001).ask('maker', 'private/cancel_all')
    expect([first, second, third, late].map(({ at }) => at)).toEqual([10_001, 10_001, 10_001, 10_001])
    expect(m.bumps().filter(([, change]) => change === 'released')).toEqual([
      [10_001, 'released', 4],
      [10_001, 'released', 5],
      [10_001, 'released', 6],
    ])
    expect(third.reply.result.order).toMatchObject({ order_state: 'open', filled_amount: 40 })
    expect(late.reply.result).toBe(2)
  })

  test('market orders, fired stops and the second of two linked orders wait too', () => {
    const m = desk()
    const market = m.at(1).ask('taker', 'private/sell', { instrument_name: future, amount: 10, type: 'market' })
    const pair = m.ask('taker', 'private/sell', {
      ...order(10, 3995),
      linked_order_type: 'one_cancels_other',
      otoco_config: [{ direction: 'sell', amount: 10, price: 3985 }],
    })
    m.until(30_000)
    expect(market.at).toBe(10_001)
    expect(pair.at).toBe(10_001)
    expect(m.bumps().map(([, change]) => change)).toEqual(['queued', 'queued', 'released', 'released'])
  })

  test('a Member may have a limited number of waiting orders; others are limited by the queue (S302)', () => {
    const m = desk({ config: { bumpLimits: { member: 1, queue: 2 } } })
    m.result({}, 'sim/set_permissions', { account: 'taker', member: true })
    const held = m.at(1).ask('taker', 'private/sell', order(10, 3980))
    const refused = m.refusal('taker', 'private/sell', order(10, 3980))
    expect(refused).toBe('11030 other_reject member_speed_bump_limit')
    m.result({}, 'sim/set_permissions', { account: 'taker', member: false })
    m.ask('taker', 'private/sell', order(10, 3980))
    expect(m.refusal('taker', 'private/sell', order(10, 3980))).toBe('11030 other_reject speed_bump_queue_full')
    m.until(10_001)
    expect(held.at).toBe(10_001)
    expect(m.ask('taker', 'private/sell', order(10, 3980)).reply).toBeNull()
  })

  test('margin includes it while it waits, and is not checked again (R68)', () => {
    const m = desk({ accounts: { maker: { ETH: 1000 }, taker: { ETH: 0.002 } } })
    const held = m.at(1).ask('taker', 'private/sell', order(200, 3980))
    expect(m.refusal('taker', 'private/sell', order(300, 3980))).toBe('10009 not_enough_funds')
    m.until(10_001)
    expect(held.reply.result.order).toMatchObject({ order_state: 'filled' })
  })
})

describe('amends', () => {
  test('an order that an amend makes match is listed in its old state until its release (R10)', () => {
    const m = desk()
    const { order_id } = m.at(1).result('taker', 'private/sell', order(50, 3995)).order
    const sent = m.at(2).ask('taker', 'private/edit', { order_id, amount: 70, price: 3985 })
    expect(sent.reply).toBeNull()
    const listed = m.result('taker', 'private/get_open_orders')
    expect(listed).toMatchObject([{ order_state: 'open', price: 3995, amount: 50, replaced: false }])
    expect(m.result('taker', 'private/get_order_state', { order_id })).toMatchObject({
      price: 3995,
    })
    expect(m.result({}, 'public/get_order_book', { instrument_name: future }).asks).toEqual([])
    m.until(10_002)
    expect(sent.reply.result).toMatchObject({ order: { order_state: 'filled', amount: 70 } })
    expect(sent.reply.result.trades).toHaveLength(1)
  })

  test('another amend restarts the wait at the end of the queue; both replies come at the release', () => {
    const m = desk()
    const { order_id } = m.at(1).result('taker', 'private/sell', order(50, 3995)).order
    const first = m.at(2).ask('taker', 'private/edit', { order_id, amount: 50, price: 3985 })
    const second = m.at(5_000).ask('taker', 'private/edit', { order_id, amount: 50, price: 3980 })
    m.until(20_000)
    expect([first.at, second.at]).toEqual([15_000, 15_000])
    expect(first.reply.result.order).toMatchObject({ order_state: 'filled', price: 3980 })
    // The internal state, and the terms that led to it.
    expect(first.reply.result.trades).toMatchObject([{ amount: 50 }])
    expect(first.reply.result).toEqual(second.reply.result)
    expect(m.bumps().map(([time, change]) => [time, change])).toEqual([
      [2, 'queued'],
      [5_000, 'restarted'],
      [15_000, 'released'],
    ])
  })

  test('an amend to a passive price enters the book at once', () => {
    const m = desk()
    const { order_id } = m.at(1).result('taker', 'private/sell', order(50, 3995)).order
    const first = m.at(2).ask('taker', 'private/edit', { order_id, amount: 50, price: 3985 })
    const second = m.at(5_000).ask('taker', 'private/edit', { order_id, amount: 50, price: 3999 })
    expect([first.at, second.at]).toEqual([5_000, 5_000])
    expect(m.result({}, 'public/get_order_book', { instrument_name: future }).asks).toEqual([[3999, 50]])
    m.until(20_000)
    expect(m.bumps().map(([, change]) => change)).toEqual(['queued', 'withdrawn'])
  })
})

test('an order that must not rest ends when an amend makes it passive', () => {
  const m = new TimedDesk({})
  m.result({}, 'sim/set_permissions', { account: 'taker', member: true })
  const gateway = { session: 7, type: 'direct_access', account: 'taker', gateway: 'ETH_A' }
  m.result({}, 'sim/connect', gateway)
  m.result('maker', 'private/buy', order(100, 3990))
  const by = { as: 'taker', session: 7 }
  for (const [at, client_order_id, time_in_force] of [
    [1, '1', 'IOC'],
    [11, '2', 'FOK'],
  ] as const) {
    const terms = { client_order_id, instrument_name: future, side: 'sell', time_in_force }
    m.at(at).result(by, 'sim/direct/new_order', { ...terms, amount: 10, price: 3985 })
    m.at(at + 1).result(by, 'sim/direct/amend_order', {
      ...{ client_order_id, instrument_name: future, amount: 10, price: 3980 },
    })
    m.at(at + 2).result(by, 'sim/direct/amend_order', {
      ...{ client_order_id, instrument_name: future, amount: 10, price: 3999 },
    })
  }
  expect(m.result({}, 'public/get_order_book', { instrument_name: future }).asks).toEqual([])
  expect(m.eventsOf('order cancelled').map(({ reason }) => reason)).toEqual(['time_in_force', 'time_in_force'])
  expect(m.bumps().map(([, change]) => change)).toEqual([
    ...['queued', 'restarted', 'withdrawn', 'queued', 'restarted', 'withdrawn'],
  ])
})

test('an amended order under a cancel ends at its release, even though it rested before', () => {
  const m = desk()
  const { order_id } = m.at(1).result('taker', 'private/sell', order(50, 3995)).order
  const edit = m.at(2).ask('taker', 'private/edit', { order_id, amount: 50, price: 3985 })
  m.at(3).result('taker', 'private/cancel_all')
  expect(m.result('taker', 'private/get_open_orders')).toMatchObject([
    { price: 3995, time_in_force: 'good_til_cancelled' },
  ])
  m.result('maker', 'private/cancel_all')
  m.until(10_002)
  expect(edit.reply.result.order).toMatchObject({ order_state: 'cancelled', filled_amount: 0 })
  expect(m.result('taker', 'private/get_open_orders')).toEqual([])
})

test('two orders that enter together both count for the limit of a Member', () => {
  const m = desk({ config: { bumpLimits: { member: 1, queue: 10 } } })
  m.result({}, 'sim/set_permissions', { account: 'taker', member: true })
  const pair = {
    ...order(10, 3985),
    linked_order_type: 'one_cancels_other',
    otoco_config: [{ direction: 'sell', amount: 10, price: 3980 }],
  }
  expect(m.refusal('taker', 'private/sell', pair)).toBe('11030 other_reject member_speed_bump_limit')
})

describe('rule order.visibility: a new order that waits is hidden (R10)', () => {
  test('in all lists and in queries by id', () => {
    const m = desk()
    m.at(1).ask('taker', 'private/sell', order(50, 3980, { label: 'x' }))
    const currency = 'ETH'
    expect(m.result('taker', 'private/get_open_orders')).toEqual([])
    expect(m.result('taker', 'private/get_open_orders_by_label', { currency, label: 'x' })).toEqual([])
    expect(m.result('taker', 'private/get_order_state_by_label', { currency, label: 'x' })).toEqual([])
    const order_id = 'ETH-3'
    for (const [method, params] of [
      ['private/get_order_state', { order_id }],
      ['private/cancel', { order_id }],
      ['private/edit', { order_id, amount: 10 }],
      ['private/edit_by_label', { label: 'x', instrument_name: future, amount: 10 }],
    ] as const) {
      expect(m.refusal('taker', method, params)).toBe('10004 order_not_found')
    }
    m.until(10_001)
    expect(m.result('taker', 'private/get_order_state', { order_id })).toMatchObject({
      order_state: 'filled',
    })
  })
})

describe('cancels turn waiting orders into immediate-or-cancel', () => {
  test('a bulk cancel does not count it, and its remainder ends at its release', () => {
    const m = desk()
    const sent = m.at(1).ask('taker', 'private/sell', order(300, 3980))
    expect(m.at(2).result('taker', 'private/cancel_all')).toBe(0)
    expect(m.at(3).result('taker', 'private/cancel_all')).toBe(0)
    m.until(10_001)
    expect(sent.reply.result.order).toMatchObject({
      ...{ order_state: 'cancelled', filled_amount: 200, time_in_force: 'immediate_or_cancel' },
    })
    expect(sent.reply.result.order).not.toHaveProperty('cancel_reason')
    expect(m.bumps().map(([, change]) => change)).toEqual(['queued', 'converted', 'released'])
  })

  test('the reply to a cancel of an amended order waits with it; a second cancel is refused', () => {
    const m = desk()
    const { order_id } = m.at(1).result('taker', 'private/sell', order(50, 3995)).order
    const edit = m.at(2).ask('taker', 'private/edit', { order_id, amount: 50, price: 3985 })
    const cancelled = m.at(3).ask('taker', 'private/cancel', { order_id })
    expect(cancelled.reply).toBeNull()
    expect(m.refusal('taker', 'private/cancel', { order_id })).toBe('11044 not_open_order')
    expect(m.refusal('taker', 'private/edit', { order_id, amount: 60 })).toBe('10010 already_closed')
    m.until(10_002)
    expect([edit.at, cancelled.at]).toEqual([10_002, 10_002])
    expect(cancelled.reply.result).toMatchObject({ order_state: 'filled' })
  })

  test('fill-or-kill stays fill-or-kill at its release', () => {
    const m = desk()
    const params = order(300, 3980, { time_in_force: 'fill_or_kill' })
    const sent = m.at(1).ask('taker', 'private/sell', params)
    m.at(2).result('taker', 'private/cancel_all')
    m.until(10_001)
    expect(sent.reply.result.order).toMatchObject({ order_state: 'cancelled', filled_amount: 0 })
  })
})

describe('rule order.speed-bump-release: conditions that may have changed are checked again (R68)', () => {
  test('own orders that arrived meanwhile end it', () => {
    const m = desk()
    const sent = m.at(1).ask('taker', 'private/sell', order(50, 3980))
    m.at(2).result('taker', 'private/buy', order(10, 3995))
    m.until(10_001)
    expect(sent.reply.result.order).toMatchObject({
      ...{ order_state: 'cancelled', cancel_reason: 'risk_mitigation' },
    })
  })

  test('a book that closed meanwhile ends it; a delivery ends it at once', () => {
    const m = desk()
    const sent = m.at(1).ask('taker', 'private/sell', order(50, 3980))
    const other = m.ask('taker', 'private/sell', order(50, 3980))
    m.result({}, 'sim/set_instrument_state', { instrument_name: future, state: 'locked' })
    m.until(10_001)
    expect(sent.reply.result.order).toMatchObject({ cancel_reason: 'risk_mitigation' })
    expect(other.reply.result.order).toMatchObject({ cancel_reason: 'risk_mitigation' })
    m.result({}, 'sim/set_instrument_state', { instrument_name: future, state: 'open' })
    const third = m.at(20_000).ask('taker', 'private/sell', order(50, 3980))
    m.at(21_000).result({}, 'sim/set_instrument_state', {
      ...{ instrument_name: future, state: 'inactive' },
    })
    expect(third.at).toBe(21_000)
    expect(m.bumps().at(-1)?.[1]).toBe('withdrawn')
  })

  test('the liquidation of its account ends it', () => {
    const m = desk({ accounts: { maker: { ETH: 1000 }, taker: { ETH: 1 } } })
    m.result({}, 'sim/give_position', {
      ...{ account: 'taker', instrument_name: future, amount: -80_000, price: 4000 },
    })
    const sent = m.at(999_995).ask('taker', 'private/sell', order(1, 3980))
    m.at(999_996).result({}, 'sim/set_index', { index_name: 'eth_usd', price: 4300 })
    m.until(1_010_000)
    expect(m.eventsOf('liquidation started')).toHaveLength(1)
    expect(sent.reply.result.order).toMatchObject({ cancel_reason: 'autoliquidation' })
  })
})

test('a reply shows an order that ended long before, even if the history keeps only one ended order', () => {
  const m = new TimedDesk({ config: { historyLimits: { endedOrders: 1 } } })
  m.result('maker', 'private/buy', order(100, 3990))
  // The limit order waits. The stop order before it is rejected meanwhile, and the reply shows the stop order.
  const sent = m.at(1).ask('taker', 'private/sell', {
    ...order(10, 3980, { type: 'stop_limit', trigger: 'index_price', trigger_price: 3995 }),
    ...{ post_only: true, reject_post_only: true, linked_order_type: 'one_cancels_other' },
    otoco_config: [{ amount: 10, direction: 'sell', price: 3985 }],
  })
  m.at(2).result({}, 'sim/set_index', { index_name: 'eth_usd', price: 3994 })
  const { history } = m.venue.desk
  const endOrders = (count: number): void => {
    for (let ended = 0; ended < count; ended += 1) {
      const bid = m.result('maker', 'private/buy', order(10, 3900))
      m.result('maker', 'private/cancel', { order_id: bid.order.order_id })
    }
  }
  endOrders(5)
  expect([sent.reply, history.ended.length]).toEqual([null, 6])
  m.until(10_001)
  expect(sent.reply.result.order).toMatchObject({ order_state: 'rejected', price: 3980 })
  endOrders(2)
  expect(history.ended.length).toBeLessThanOrEqual(2)
})
