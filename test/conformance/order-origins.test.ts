/** Origins of orders: the application of a key, a mobile device, a block trade. Source: trading.md 5.1; S105. */
import { describe, expect, test } from 'vitest'
import { BlockMarket, usualTerms } from '../support/block-market.ts'
import type { Json } from '../support/desk-market.ts'
import { RfqVenue } from '../support/rfq-venue.ts'

const perpetual = { instrument_name: 'BTC-PERPETUAL' }
const bid = { ...perpetual, amount: 100, price: 40_000 }

function market(): BlockMarket {
  const m = new BlockMarket()
  m.result(null, 'sim/create_key', { account: 'maker', name: 'desk', app_name: 'blotter' })
  m.result(null, 'sim/create_key', { account: 'maker', name: 'plain' })
  m.result(null, 'sim/connect', { session: 7, mobile: true })
  return m
}

/** The flags of an order that show its origin. */
function flagsOf({ app_name, mobile, web, api, block_trade }: Json): Json {
  return { app_name, mobile, web, api, block_trade }
}

describe('S105 app_name; mobile, frontend and block-trade flags', () => {
  test('an order shows the name of the application whose key placed it', () => {
    const m = market()
    const { order } = m.result('maker/desk', 'private/buy', bid)
    const expected = { app_name: 'blotter', web: false, api: true }
    expect(flagsOf(order)).toEqual(expected)
    const shown = m.result('maker', 'private/get_order_state', { order_id: order.order_id })
    expect(flagsOf(shown)).toEqual(expected)
    const none = m.result('maker/plain', 'private/buy', bid).order
    expect(flagsOf(none)).toEqual({ web: false, api: true })
    // Edits, including those of the protection flag, keep the origin.
    const edited = m.result('maker', 'private/edit', {
      ...{ order_id: order.order_id, price: 40_010 },
      ...{ amount: 100, mmp: false },
    }).order
    expect(flagsOf(edited)).toEqual(expected)
  })

  test('an order over the session of a mobile device shows that; an order over another session does not', () => {
    const m = market()
    const over = (session: number, account: string): Json => {
      m.session = session
      const { order } = m.result(account, 'private/buy', bid)
      m.session = 0
      return flagsOf(order)
    }
    expect(over(7, 'maker')).toEqual({ mobile: true, web: false, api: true })
    expect(over(7, 'maker/desk')).toMatchObject({ mobile: true, app_name: 'blotter' })
    expect(over(8, 'maker')).toEqual({ web: false, api: true })
    m.result(null, 'sim/disconnect', { session: 7 })
    expect(over(7, 'maker')).toEqual({ web: false, api: true })
  })

  test('the order that a trigger or a secondary becomes has the same origin', () => {
    const m = market()
    const stop = m.result('maker/desk', 'private/buy', {
      ...{ ...perpetual, amount: 100, type: 'stop_limit', price: 40_000 },
      ...{ trigger: 'index_price', trigger_price: 50_100 },
    }).order
    expect(stop).toMatchObject({ order_state: 'untriggered', app_name: 'blotter' })
    m.result(null, 'sim/set_index', { index_name: 'btc_usd', price: 50_200 })
    const [fired] = m.result('maker', 'private/get_open_orders', {}) as unknown as Json[]
    expect(fired).toMatchObject({ trigger_order_id: stop.order_id, app_name: 'blotter' })
  })

  test('orders of a block trade are marked', () => {
    const m = market()
    m.trade()
    const [leg] = m.result('taker', 'private/get_order_history_by_currency', {
      currency: 'BTC',
    }) as unknown as Json[]
    expect(leg).toMatchObject({ block_trade: true, web: false })
  })

  test('the orders of a block show which side came from a mobile device, whichever side executes it', () => {
    const m = market()
    const over = (session: number, ask: () => unknown): void => {
      m.session = session
      ask()
      m.session = 0
    }
    const named = { ...usualTerms, nonce: 'first' }
    let signature = ''
    over(7, () => {
      signature = m.sign('maker', { ...named, role: 'maker' })
    })
    const executed = { role: 'taker', counterparty_signature: signature }
    m.result('taker', 'private/execute_block_trade', { ...named, ...executed })
    const second = { ...usualTerms, nonce: 'second' }
    const plain = m.sign('maker/desk', { ...second, role: 'maker' })
    over(7, () => {
      const taken = { ...second, role: 'taker', counterparty_signature: plain }
      m.result('taker', 'private/execute_block_trade', taken)
    })
    const reported = (account: string): Json[] => {
      const orders = m.result(account, 'private/get_order_history_by_currency', { currency: 'BTC' })
      return (orders as unknown as Json[]).toReversed().map(flagsOf)
    }
    const block = { web: false, api: true, block_trade: true }
    expect(reported('maker')).toEqual([
      { ...block, mobile: true },
      { ...block, app_name: 'blotter' },
    ])
    expect(reported('taker')).toEqual([block, { ...block, mobile: true }])
    // A signature that can no longer make orders is forgotten.
    expect(m.venue.exchange.mobile.asks.size).toBe(1)
    m.venue.wait('11m')
    m.result('maker', 'private/get_open_orders', {})
    expect(m.venue.exchange.mobile.asks.size).toBe(0)
  })

  test('so do the orders of an RFQ: from quotes, from an accept, and from a trigger', () => {
    const m = new RfqVenue()
    m.result(null, 'sim/connect', { session: 7, mobile: true })
    const over = (session: number, ask: () => unknown): void => {
      m.session = session
      ask()
      m.session = 0
    }
    const reported = (account: string): Json[] => {
      const orders = m.result(account, 'private/get_order_history_by_currency', { currency: 'BTC' })
      return (orders as unknown as Json[]).toReversed().map(({ mobile }) => mobile === true)
    }
    m.create()
    over(7, () => m.quote('alpha'))
    m.grace().accept()
    m.create()
    m.quote('alpha', { block_rfq_id: 2 })
    m.grace()
    over(7, () => m.accept({ block_rfq_id: 2 }))
    m.create()
    m.grace()
    over(7, () => m.accept({ block_rfq_id: 3, time_in_force: 'good_til_cancelled' }))
    m.quote('alpha', { block_rfq_id: 3 })
    expect(reported('alpha')).toEqual([true, false, false])
    expect(reported('taker')).toEqual([false, true, true])
    // The objects of blocks, RFQs and trades do not have this field.
    const others = ['get_block_trades', 'get_block_rfqs'].map((name) => m.result('taker', `private/${name}`, {}))
    const trades = m.result('taker', 'private/get_user_trades_by_currency', { currency: 'BTC' })
    expect(JSON.stringify([others, trades])).not.toContain('mobile')
    expect(m.venue.exchange.mobile.asks.size).toBe(0)
  })

  test('a session of direct access never belongs to a mobile device', () => {
    const m = market()
    m.result(null, 'sim/set_permissions', { account: 'maker', member: true })
    const params = {
      ...{ session: 9, type: 'direct_access', account: 'maker', gateway: 'BTC_A' },
      mobile: true,
    }
    expect(m.refusal(null, 'sim/connect', params)).toContain('mobile')
  })
})
