/**
 * User trades of block trades, exactly: in the reply that executes a block, and in the lists of both sides.
 * Source: interface document, User trade; sessions document 4.1, 4.2; coverage R07, R65.
 */
import { describe, expect, test } from 'vitest'
import { BlockMarket, call, START } from '../support/block-market.ts'

const perpetual = { instrument_name: 'BTC-PERPETUAL' }
const tape = 'public/get_last_trades_by_instrument'
const own = 'private/get_user_trades_by_instrument'

/** Fields of the public trade, as listed in the interface document. */
const common = {
  trade_id: '1',
  trade_seq: 1,
  instrument_name: 'BTC-PERPETUAL',
  timestamp: START + 2,
  tick_direction: 1,
  index_price: 50_000,
  mark_price: 50_000,
  price: 50_000,
  amount: 200_000,
  contracts: 20_000,
  block_trade_id: 'BLOCK-1',
  block_trade_leg_count: 1,
}

/** Fields that a user trade of either side has in addition. */
const beside = {
  ...{ order_type: 'limit', matching_id: null, state: 'filled', fee_currency: 'BTC' },
  ...{ reduce_only: false, post_only: false, api: true, mmp: false },
  ...{ risk_reducing: false, self_trade: false, profit_loss: 0 },
}

describe('S049 S050 a block as user trades', () => {
  test('S049 S050 S055 the reply to an execution has a user trade per leg, with the fields of the public trade', () => {
    const m = new BlockMarket()
    const { trades } = m.trade()
    const { user_id } = trades[0]
    expect(trades).toEqual([
      {
        ...{ ...common, ...beside, user_id, order_id: '1', liquidity: 'T', fee: 0.001 },
        // The reply to an execution shows the maker's side to both accounts (R07).
        direction: 'buy',
      },
    ])
    const [printed] = m.result(null, tape, perpetual).trades
    expect(printed).toEqual({ ...common, direction: 'sell' })
    for (const field of Object.keys(printed)) expect(trades[0]).toHaveProperty(field)
  })

  test('S050 S055 in the lists of both sides liquidity is M or T, and the direction is the account’s own', () => {
    const m = new BlockMarket()
    m.trade()
    const [maker] = m.result('maker', own, perpetual).trades
    const [taker] = m.result('taker', own, perpetual).trades
    const { user_id: makerId } = maker
    expect(maker).toEqual({
      ...{ ...common, ...beside, user_id: makerId, order_id: '2' },
      ...{ liquidity: 'M', fee: 0, direction: 'buy' },
    })
    expect(taker).toMatchObject({ ...common, liquidity: 'T', direction: 'sell', order_id: '1' })
    expect(taker.user_id).not.toBe(makerId)
  })

  test('S055 an ordinary trade after the block shows M and T too', () => {
    const m = new BlockMarket()
    m.trade()
    m.result('maker', 'private/sell', { ...perpetual, amount: 10, price: 50_000 })
    m.result('taker', 'private/buy', { ...perpetual, amount: 10, type: 'market' })
    const words = ['maker', 'taker'].map((account) =>
      m.result(account, own, perpetual).trades.map((each: { liquidity: string }) => each.liquidity),
    )
    expect(words).toEqual([
      ['M', 'M'],
      ['T', 'T'],
    ])
  })

  test('S050 the trade of an option also shows its volatility and underlying', () => {
    const m = new BlockMarket()
    const trades = [{ instrument_name: call, price: 0.05, amount: 25, direction: 'sell' }]
    const block = m.trade({ trades })
    const [printed] = m.result(null, tape, { instrument_name: call }).trades
    expect(block.trades[0]).toMatchObject({
      ...{ iv: printed.iv, underlying_price: 50_000 },
      ...{ price: 0.05, direction: 'sell', liquidity: 'T' },
    })
    expect(printed.iv).toBeGreaterThan(0)
  })
})
