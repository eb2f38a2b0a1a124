/**
 * Block RFQs on products other than coin options: spot, linear futures, spreads of futures, and their fees.
 * Source: sessions document 4.2, 4.3, 5.4, 5.7; coverage R26.
 */
import { describe, expect, test } from 'vitest'
import { call, put } from '../support/block-market.ts'
import type { Json } from '../support/desk-market.ts'
import { future, RfqVenue } from '../support/rfq-venue.ts'

const spot = 'BTC_USDC'
const perpetual = 'BTC-PERPETUAL'

/** Requests the legs, lets alpha sell them at the prices, and accepts them. */
function deal(m: RfqVenue, legs: Json[], of: Json): Json {
  const { prices, ...terms } = of
  const rfq = m.create({ legs, ...terms })
  const { block_rfq_id, amount } = rfq
  m.quote('alpha', {
    ...{ block_rfq_id, amount, ...terms },
    legs: rfq.legs.map((leg: Json, at: number) => ({ ...leg, price: prices[at] })),
  })
  m.grace()
  const { asks } = m.seen('taker', block_rfq_id)
  const { price } = asks[0]
  return m.accept({ block_rfq_id, amount, price, legs: rfq.legs, ...terms })
}

const cash = (m: RfqVenue, account: string, currency: string): number =>
  m.result(account, 'private/get_account_summary', { currency }).balance

describe('products', () => {
  test('spot is paid in cash and hedged with a future of its coin', () => {
    const m = new RfqVenue()
    const hedge = { instrument_name: perpetual, direction: 'sell', price: 50_000, amount: 1_000 }
    const legs = [{ instrument_name: spot, amount: 2, direction: 'buy' }]
    const before = ['taker', 'alpha'].map((name) => cash(m, name, 'BTC'))
    const { block_trades } = deal(m, legs, { prices: [50_010], hedge })
    expect(block_trades[0].trades).toMatchObject([
      { instrument_name: spot, amount: 2, price: 50_010, fee: 0, block_rfq_id: 1 },
      { instrument_name: perpetual, amount: 1_000, direction: expect.any(String) },
    ])
    const moved = ['taker', 'alpha'].map((name, at) => cash(m, name, 'BTC') - (before[at] ?? 0))
    expect(moved[0]).toBeCloseTo(2, 5)
    expect(moved[1]).toBeCloseTo(-2, 5)
    expect(cash(m, 'alpha', 'USDC')).toBe(10_000_000 + 100_020)
    expect([m.sizeOf('taker', perpetual), m.sizeOf('alpha', perpetual)]).toEqual([-1_000, 1_000])
    expect(m.seen('taker').index_prices).toEqual([50_000, 50_000])
    const eth = { ...hedge, instrument_name: 'ETH-PERPETUAL', price: 2_500 }
    expect(m.refusal('taker', 'private/create_block_rfq', { legs, hedge: eth })).toMatch(/^11029 /)
  })

  test('a spread of futures trades at a negative price, with a price for each leg', () => {
    const m = new RfqVenue()
    const legs = [
      { instrument_name: perpetual, amount: 200_000, direction: 'buy' },
      { instrument_name: future, amount: 200_000, direction: 'sell' },
    ]
    const { block_trades } = deal(m, legs, { prices: [50_000, 50_025.5] })
    expect(m.seen('taker').trades).toMatchObject([{ price: -25.5, direction: 'buy' }])
    expect(block_trades[0].trades.map((each: Json) => each.price)).toEqual([50_000, 50_025.5])
    expect([m.sizeOf('taker', perpetual), m.sizeOf('taker', future)]).toEqual([200_000, -200_000])
  })

  test('R26 the taker pays the block rate on each leg and on the hedge; the maker pays nothing', () => {
    const m = new RfqVenue()
    const hedge = { instrument_name: perpetual, direction: 'sell', price: 50_000, amount: 100_000 }
    const legs = [{ instrument_name: call, amount: 25, direction: 'buy' }]
    const { block_trades } = deal(m, legs, { prices: [0.05], hedge })
    // 0.03 % of 25 coins; 0.025 % of 100,000 USD at 50,000.
    expect(block_trades[0].trades.map((each: Json) => each.fee)).toEqual([0.0075, 0.0005])
    const own = m.result('alpha', 'private/get_user_trades_by_currency', { currency: 'BTC' }).trades
    expect(own.map((each: Json) => [each.liquidity, each.fee])).toEqual([
      ['M', 0],
      ['M', 0],
    ])
  })

  test('S124 legs of a listed combo get its discount and show its name', () => {
    const m = new RfqVenue()
    const one = [
      { instrument_name: call, amount: 1, direction: 'buy' },
      { instrument_name: put, amount: 1, direction: 'sell' },
    ]
    const { id } = m.result('rival', 'private/create_combo', { trades: one })
    const legs = one.map((leg) => ({ ...leg, amount: 25 }))
    const { block_trades } = deal(m, legs, { prices: [0.05, 0.04] })
    expect(block_trades[0].trades).toMatchObject([{ combo_id: id }, { combo_id: id }])
    const fees = block_trades[0].trades.map((each: Json) => each.fee)
    expect(fees.toSorted()).toEqual([0, 0.0075])
    const tape = m.result(null, 'public/get_block_rfq_trades', { currency: 'BTC' })
    expect(tape.block_rfqs).toMatchObject([{ combo_id: id }])
  })

  test('options of several expiries and ratios above one can be legs of one RFQ; the mark is the sum', () => {
    const m = new RfqVenue()
    m.result(null, 'sim/set_mark', { instrument_name: call, price: 0.05 })
    m.result(null, 'sim/set_mark', { instrument_name: put, price: 0.03 })
    const legs = [
      { instrument_name: call, amount: 50, direction: 'buy' },
      { instrument_name: put, amount: 75, direction: 'sell' },
    ]
    const rfq = m.create({ legs })
    expect(rfq).toMatchObject({ amount: 25, mark_price: 0.01, legs: [{ ratio: 2 }, { ratio: 3 }] })
  })

  test('like other blocks, those of an RFQ neither set the last price nor fire triggers', () => {
    const m = new RfqVenue()
    const order = { instrument_name: perpetual, amount: 10 }
    m.result('bravo', 'private/sell', { ...order, price: 50_000 })
    m.result('charlie', 'private/buy', { ...order, type: 'market' })
    const stop = { type: 'stop_market', trigger: 'last_price', trigger_price: 50_050 }
    m.result('rival', 'private/buy', { ...order, ...stop })
    deal(m, [{ instrument_name: perpetual, amount: 200_000, direction: 'buy' }], {
      prices: [50_100],
    })
    const ticker = m.result(null, 'public/ticker', { instrument_name: perpetual })
    expect(ticker).toMatchObject({ last_price: 50_000, open_interest: 200_010 })
    expect(m.result('rival', 'private/get_open_orders', {})).toHaveLength(1)
  })
})
