/**
 * Mass quotes behind the speed bump: the time and content of their replies.
 * Source: trading.md 6.11, 6.16; sessions document 8.8; coverage R10.
 */
import { describe, expect, test } from 'vitest'
import type { RequestParams } from '../../src/rpc/index.ts'
import { type Sent, TimedDesk } from '../support/timed-desk.ts'

const future = 'ETH-27MAR26'
const maker = { as: 'maker', session: 1 }

/** The taker asks 100 at 4000; a maker quotes in group `one`. */
function desk(): TimedDesk {
  const accounts = { maker: { ETH: 1000 }, taker: { ETH: 1000 }, other: { ETH: 1000 } }
  const m = new TimedDesk({ accounts })
  m.result('taker', 'private/sell', { instrument_name: future, amount: 100, price: 4000 })
  m.result(maker, 'private/enable_cancel_on_disconnect')
  m.result(maker, 'private/set_mmp_config', {
    ...{ index_name: 'eth_usd', mmp_group: 'one', interval: 10, frozen_time: 10 },
    max_quote_quantity: 1000,
  })
  return m
}

function quote(m: TimedDesk, entry: object, more: RequestParams = {}): Sent {
  const quotes = [{ instrument_name: future, quote_set_id: 's', ...entry }] as never
  const params = { quote_id: 'q', mmp_group: 'one', detailed: true, quotes, ...more }
  return m.ask(maker, 'private/mass_quote', params)
}

const both = { bid: { price: 4000, amount: 300 }, ask: { price: 4010, amount: 100 } }

describe('R10 8.8: a side that would match waits 10 ms', () => {
  test('and the reply waits with it, then lists its trades', () => {
    const m = desk()
    const sent = quote(m.at(1), both)
    expect(sent.reply).toBeNull()
    m.until(10_000)
    expect(sent.reply).toBeNull()
    m.until(10_001)
    expect(sent.at).toBe(10_001)
    expect(sent.reply.result).toMatchObject({
      orders: [
        { direction: 'buy', amount: 200, filled_amount: 100 },
        { direction: 'sell', amount: 100, filled_amount: 0 },
      ],
      trades: [{ amount: 100, price: 4000, quote_id: 'q', mmp: true }],
      errors: [],
    })
  })

  test('a request without such a side is answered at once', () => {
    const m = desk()
    const sent = quote(m.at(1), both, { wait_for_response: false })
    expect(sent).toMatchObject({
      at: 1,
      reply: {
        result: {
          pending_requests: [
            { instrument_name: future, side: 'bid' },
            { instrument_name: future, side: 'ask' },
          ],
        },
      },
    })
    m.until(10_001)
    const listed = m.result('maker', 'private/get_open_orders')
    expect(listed).toMatchObject([{ amount: 200 }, { amount: 100 }])
  })

  test('a replacement starts a new wait, and both replies come at its release', () => {
    const m = desk()
    const first = quote(m.at(1), { bid: both.bid })
    const second = quote(m.at(5_001), { bid: { amount: 50 } })
    m.until(10_001)
    expect([first.at, second.at]).toEqual([null, null])
    m.until(15_001)
    expect([first.at, second.at]).toEqual([15_001, 15_001])
    expect(second.reply.result.trades).toMatchObject([{ amount: 50 }])
    expect(m.bumps()).toEqual([
      [1, 'queued', 2],
      [5_001, 'restarted', 2],
      [15_001, 'released', 2],
    ])
  })

  test('the reply to the replaced request shows the quote at the release, with its trades', () => {
    const m = desk()
    const first = quote(m.at(1), { bid: both.bid })
    const next = { bid: { price: 4001, amount: 50 } }
    const second = quote(m.at(5_001), next, { quote_id: 'b' })
    m.until(15_001)
    expect(first.reply.result).toEqual(second.reply.result)
    expect(first.reply.result).toMatchObject({
      orders: [{ order_state: 'filled', price: 4001, filled_amount: 50, quote_id: 'b' }],
      trades: [{ amount: 50, price: 4000, quote_id: 'b' }],
    })
  })

  test('a side that rests and trades while the other waits is reported with its trades', () => {
    const m = desk()
    const first = quote(m.at(1), both)
    m.at(2).ask('other', 'private/buy', { instrument_name: future, amount: 140, price: 4010 })
    const second = quote(m.at(5_000), { bid: { price: 4001, amount: 50 } })
    m.until(15_000)
    expect([first.at, second.at]).toEqual([15_000, 15_000])
    expect(first.reply.result).toMatchObject({
      orders: [
        { direction: 'buy', price: 4001, amount: 50, order_state: 'open' },
        { direction: 'sell', price: 4010, filled_amount: 40 },
      ],
      trades: [{ amount: 40, price: 4010, direction: 'sell', liquidity: 'M' }],
    })
    expect(second.reply.result.trades).toEqual([])
  })

  test('a side that is cancelled while it waits still matches at its release; its remainder ends', () => {
    const m = desk()
    const sent = quote(m.at(1), { bid: both.bid })
    const params = { cancel_type: 'all' }
    expect(m.at(2).result(maker, 'private/cancel_quotes', params)).toBe(0)
    const next = quote(m.at(3), { bid: { price: 3990, amount: 10 } })
    expect(next.at).toBe(3)
    m.until(10_001)
    expect(sent.reply.result.orders).toMatchObject([{ order_state: 'cancelled', amount: 200, filled_amount: 100 }])
    expect(m.result('maker', 'private/get_open_orders')).toMatchObject([{ price: 3990 }])
  })
})
