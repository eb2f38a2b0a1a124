/**
 * Block trades in two steps: signatures, execution, repeats, order of checks. Source: sessions document 4; coverage
 * R07, R26, R65, R70, R76.
 */
import { describe, expect, test } from 'vitest'
import { eventCountOf } from '../../src/engine/index.ts'
import { BlockMarket, call, put, START, usualTerms, usualTrade } from '../support/block-market.ts'
import type { Json } from '../support/desk-market.ts'

const verify = 'private/verify_block_trade'
const execute = 'private/execute_block_trade'
const invalidate = 'private/invalidate_block_trade_signature'
const perpetual = { instrument_name: 'BTC-PERPETUAL' }
const asMaker = { ...usualTerms, role: 'maker' }
const asTaker = { ...usualTerms, role: 'taker' }
const options = (...legs: readonly object[]): Json =>
  legs.map((leg) => ({ instrument_name: call, price: 0.05, amount: 25, direction: 'buy', ...leg }))

describe('Rule: block.signature', () => {
  test('S258 Rule: block.sign a signature covers signer, role, timestamp, nonce and trades in the venue format', () => {
    const m = new BlockMarket()
    const signature = m.sign('maker', asMaker)
    expect(signature).toMatch(/^1767603600000\.[\w-]{8}\.[\w-]{43}$/)
    const others = [
      m.sign('taker', asMaker),
      m.sign('maker', asTaker),
      m.sign('maker', { ...asMaker, timestamp: START + 1 }),
      m.sign('maker', { ...asMaker, nonce: 'two' }),
      m.sign('maker', { ...asMaker, trades: [{ ...usualTrade, direction: 'sell' }] }),
      m.sign('maker', { ...asMaker, trades: [{ ...usualTrade, price: 50_000.01 }] }),
      m.sign('maker', { ...asMaker, trades: [{ ...usualTrade, amount: 200_010 }] }),
    ]
    expect(new Set([signature, ...others]).size).toBe(8)
  })

  test('the same inputs give the same signature, however numbers are written; a repeat stores no second one', () => {
    const m = new BlockMarket()
    const signature = m.sign('maker', asMaker)
    const { exchange } = m.venue
    const trades = [{ ...usualTrade, price: { decimal: '50000.00' }, amount: { decimal: '200000.0' } }]
    const events = eventCountOf(exchange)
    expect(m.sign('maker', { ...asMaker, trades })).toBe(signature)
    // Only the end of the request differs.
    expect(eventCountOf(exchange)).toBe(events + 1)
  })
})

describe('Rule: block.window', () => {
  test('S255 S283 S312 a signature is valid from 5 minutes before to 5 minutes after its timestamp, inclusive', () => {
    const m = new BlockMarket()
    // Each request moves the clock by a millisecond.
    const now = (): number => START + (m.venue.now - START * 1000) / 1000 + 1
    const at = (timestamp: number): Json => ({ ...asMaker, timestamp, nonce: `${timestamp}` })
    const late = '11029 invalid_arguments timestamp timestamp_expired'
    m.sign('maker', at(now() - 300_000))
    expect(m.refusal('maker', verify, at(now() - 300_001))).toBe(late)
    m.sign('maker', at(now() + 300_000))
    expect(m.refusal('maker', verify, at(now() + 300_001))).toBe(late)
    const signature = m.sign('maker', asMaker)
    m.venue.at('2026-01-05T09:04:59.999Z')
    expect(m.venue.now).toBe((START + 299_999) * 1000)
    m.result('taker', execute, { ...asTaker, counterparty_signature: signature })
    // The window ends before the next millisecond, also for a repeated request.
    expect(m.refused({ counterparty_signature: signature })).toBe(late)
    expect(m.refusal('maker', invalidate, { signature })).toBe('11029 invalid_arguments signature invalid_signature')
  })
})

describe('Rule: block.execute', () => {
  test('S252 S253 S254 S256 S257 all legs trade at once, and the caller gets the block from its own side', () => {
    const m = new BlockMarket()
    const trades = [
      ...options({}, { instrument_name: put, price: 0.04, amount: 30, direction: 'sell' }),
      { ...perpetual, price: 50_100, amount: 10, direction: 'sell' },
    ]
    const block = m.trade({ trades })
    expect(block.id).toBe('BLOCK-1')
    expect(block.trades).toMatchObject([
      { trade_id: '1', order_id: '1', direction: 'buy', price: 0.05, amount: 25, liquidity: 'T' },
      { trade_id: '2', order_id: '3', direction: 'sell', price: 0.04, amount: 30, liquidity: 'T' },
      { trade_id: '3', order_id: '5', direction: 'sell', price: 50_100, amount: 10 },
    ])
    for (const trade of block.trades) {
      expect(trade).toMatchObject({
        ...{ block_trade_id: 'BLOCK-1', block_trade_leg_count: 3, matching_id: null },
        ...{ order_type: 'limit', state: 'filled' },
      })
    }
    const sizes = (account: string): number[] => [call, put, 'BTC-PERPETUAL'].map((name) => m.sizeOf(account, name))
    expect(sizes('maker')).toEqual([25, -30, -10])
    expect(sizes('taker')).toEqual([-25, 30, 10])
    // The maker sees the same block with its own fees and orders.
    const made = m.result('maker', 'private/get_block_trade', { id: 'BLOCK-1' })
    expect(made).toMatchObject({
      id: 'BLOCK-1',
      trades: [
        { trade_id: '1', order_id: '2', direction: 'buy', fee: 0, liquidity: 'M' },
        { trade_id: '2', order_id: '4', direction: 'sell', fee: 0, liquidity: 'M' },
        { trade_id: '3', order_id: '6', direction: 'sell', fee: 0, liquidity: 'M' },
      ],
    })
  })

  test('the other way round: the taker signs, and the maker executes', () => {
    const m = new BlockMarket()
    const counterparty_signature = m.sign('taker', asTaker)
    const block = m.result('maker', execute, { ...asMaker, counterparty_signature })
    expect(block.trades).toMatchObject([{ direction: 'buy', liquidity: 'M', fee: 0, order_id: '2' }])
    expect(m.sizeOf('taker', 'BTC-PERPETUAL')).toBe(-200_000)
  })

  test('S044 S060 public trades show the taker‘s side, user trades the user‘s own side', () => {
    const m = new BlockMarket()
    m.trade()
    const tape = m.result(null, 'public/get_last_trades_by_instrument', perpetual)
    const marks = { block_trade_id: 'BLOCK-1', block_trade_leg_count: 1 }
    expect(tape.trades).toMatchObject([{ direction: 'sell', ...marks }])
    const own = (account: string): unknown =>
      m.result(account, 'private/get_user_trades_by_instrument', perpetual).trades
    expect(own('maker')).toMatchObject([{ direction: 'buy', liquidity: 'M', ...marks }])
    expect(own('taker')).toMatchObject([{ direction: 'sell', liquidity: 'T', ...marks }])
  })

  test('S051 S105 each side has its own filled order, marked as part of a block', () => {
    const m = new BlockMarket()
    m.trade()
    const state = (account: string, order_id: string): unknown =>
      m.result(account, 'private/get_order_state', { order_id })
    const order = { order_state: 'filled', block_trade: true, filled_amount: 200_000 }
    expect(state('taker', '1')).toMatchObject({ ...order, direction: 'sell' })
    expect(state('maker', '2')).toMatchObject({ ...order, direction: 'buy' })
    expect(m.result('maker', 'private/get_open_orders', {})).toEqual([])
  })

  test('S025 a block changes volume, open interest and tick direction, but not last price, candles or triggers', () => {
    const m = new BlockMarket()
    const ticker = (): Record<string, unknown> => m.result(null, 'public/ticker', perpetual)
    m.result('maker', 'private/sell', { ...perpetual, amount: 10, price: 50_000 })
    m.result('taker', 'private/buy', { ...perpetual, amount: 10, type: 'market' })
    const stop = { type: 'stop_market', trigger: 'last_price', trigger_price: 50_050 }
    m.result('other', 'private/buy', { ...perpetual, amount: 10, ...stop })
    m.trade({ trades: [{ ...usualTrade, price: 50_100 }] })
    expect(ticker()).toMatchObject({
      ...{ last_price: 50_000, open_interest: 199_990 },
      stats: { high: 50_000, low: 50_000, volume_usd: 200_010 },
    })
    expect(m.result('other', 'private/get_open_orders', {})).toMatchObject([{ order_state: 'untriggered' }])
    m.result('maker', 'private/sell', { ...perpetual, amount: 10, price: 50_010 })
    m.result('taker', 'private/buy', { ...perpetual, amount: 10, type: 'market' })
    // Tick directions against the previous trade: that of the first trade, the block above it, and the last trade below
    // the block.
    const tape = m.result(null, 'public/get_last_trades_by_instrument', {
      ...perpetual,
      sorting: 'asc',
    })
    const directions = tape.trades.map((each: { tick_direction: number }) => each.tick_direction)
    expect(directions).toEqual([1, 0, 2])
    const chart = m.result(null, 'public/get_tradingview_chart_data', {
      ...perpetual,
      ...{ start_timestamp: START, end_timestamp: START + 60_000, resolution: '1' },
    })
    expect([chart.high, chart.low, chart.volume]).toEqual([[50_010], [50_000], [0.00039996]])
  })
})

describe('Rule: block.fees', () => {
  test('the taker pays the block rate, the maker pays nothing', () => {
    const m = new BlockMarket()
    const trades = [
      ...options({}),
      { instrument_name: 'BTC_USDC', price: 50_000, amount: 0.01, direction: 'buy' },
      { ...perpetual, price: 50_000, amount: 1000, direction: 'buy' },
    ]
    const fees = m.trade({ trades }).trades.map((trade: { fee: number }) => trade.fee)
    // 0.03 % of 25 coins; spot is free; 0.025 % of 1000 USD.
    expect(fees).toEqual([0.0075, 0, 0.000005])
  })

  test('R26 the fee of a cheap option is at most an eighth of its premium', () => {
    const m = new BlockMarket()
    m.result(null, 'sim/set_mark', { instrument_name: call, price: 0.0001 })
    const { trades } = m.trade({ trades: options({ price: 0.0001 }) })
    expect(trades).toMatchObject([{ fee: 0.0003125 }])
  })

  test('Rule: block.combo legs of a listed option combo get its discount and show its name', () => {
    const m = new BlockMarket()
    const legs = [
      { instrument_name: call, direction: 'buy', amount: 1 },
      { instrument_name: put, direction: 'sell', amount: 1 },
    ]
    const { id } = m.result('other', 'private/create_combo', { trades: legs })
    const trades = options({}, { instrument_name: put, price: 0.05, amount: 25, direction: 'sell' })
    const block = m.trade({ trades })
    expect(block.trades).toMatchObject([{ combo_id: id }, { combo_id: id }])
    const fees = block.trades.map((trade: { fee: number }) => trade.fee)
    expect(fees.toSorted()).toEqual([0, 0.0075])
    // Legs of other sizes do not match the combo.
    const odd = m.trade({
      nonce: 'two',
      trades: options({ amount: 50 }, { instrument_name: put, price: 0.05, direction: 'sell' }),
    })
    expect(odd.trades[0]).not.toHaveProperty('combo_id')
    expect(odd.trades.map((trade: { fee: number }) => trade.fee)).toEqual([0.015, 0.0075])
  })
})

describe('Rule: block.repeat', () => {
  test('S176 S254 a repeated request does not execute again, and each side sees its view of the stored block', () => {
    const m = new BlockMarket()
    const made = m.sign('maker', asMaker)
    const taken = m.sign('taker', asTaker)
    const first = m.result('taker', execute, { ...asTaker, counterparty_signature: made })
    const again = m.result('taker', execute, { ...asTaker, counterparty_signature: made })
    expect(again).toEqual(first)
    const other = m.result('maker', execute, { ...asMaker, counterparty_signature: taken })
    expect(other).toMatchObject({ id: 'BLOCK-1', trades: [{ liquidity: 'M', order_id: '2' }] })
    expect(m.sizeOf('maker', 'BTC-PERPETUAL')).toBe(200_000)
  })

  test('a nonce cannot be used again with other trades', () => {
    const m = new BlockMarket()
    m.trade()
    const trades = [{ ...usualTrade, price: 50_001 }]
    const counterparty_signature = m.sign('maker', { ...asMaker, trades })
    expect(m.refused({ trades, counterparty_signature })).toBe('11029 invalid_arguments nonce nonce_already_used')
    // Another account may use the same timestamp and nonce.
    const other = m.sign('other', asMaker)
    expect(m.result('taker', execute, { ...asTaker, counterparty_signature: other }).id).toBe('BLOCK-2')
  })
})

describe('Rule: block.check-order', () => {
  const wrong = '11029 invalid_arguments counterparty_signature invalid_signature'

  test('S252 S253 a signature does not verify with other fields, the same role or another text', () => {
    const m = new BlockMarket()
    const counterparty_signature = m.sign('maker', asMaker)
    expect(m.refused({ counterparty_signature: 'nothing' })).toBe(wrong)
    expect(m.refused({ counterparty_signature, role: 'maker' })).toBe(wrong)
    expect(m.refused({ counterparty_signature, nonce: 'two' })).toBe(wrong)
    expect(m.refused({ counterparty_signature, timestamp: START + 1 })).toBe(wrong)
    const flipped = [{ ...usualTrade, direction: 'sell' }]
    expect(m.refused({ counterparty_signature, trades: flipped })).toBe(wrong)
    expect(m.refused({ counterparty_signature, trades: [{ ...usualTrade, amount: 1e6 }] })).toBe(wrong)
  })

  test('S175 S259 Rule: block.invalidate an invalidated signature executes nothing; a used one stays used', () => {
    const m = new BlockMarket()
    const signature = m.sign('maker', asMaker)
    const foreign = '11029 invalid_arguments signature invalid_signature'
    expect(m.refusal('taker', invalidate, { signature })).toBe(foreign)
    expect(m.refusal('maker', invalidate, { signature: 'nothing' })).toBe(foreign)
    expect(m.result('maker', invalidate, { signature })).toBe('ok')
    expect(m.result('maker', invalidate, { signature })).toBe('ok')
    expect(m.refused({ counterparty_signature: signature })).toBe(
      '11029 invalid_arguments counterparty_signature signature_invalidated',
    )
    // Signing the same block again gives the same signature, which stays invalid.
    expect(m.sign('maker', asMaker)).toBe(signature)
    const second = m.sign('maker', { ...asMaker, nonce: 'two' })
    m.result('taker', execute, { ...asTaker, nonce: 'two', counterparty_signature: second })
    expect(m.refusal('maker', invalidate, { signature: second })).toBe('10010 already_closed')
  })

  test('an account cannot trade with itself or with another account of its owner', () => {
    const m = new BlockMarket()
    const self = '11029 invalid_arguments counterparty_signature self_trade'
    const counterparty_signature = m.sign('taker', asMaker)
    expect(m.refused({ counterparty_signature })).toBe(self)
    m.result(null, 'sim/create_account', { name: 'desk', main: 'taker' })
    m.result(null, 'sim/deposit', { account: 'desk', currency: 'BTC', amount: 50 })
    const desk = m.sign('desk', asMaker)
    for (const account of ['taker', 'desk']) {
      m.result(account, 'private/set_self_trading_config', {
        ...{ mode: 'reject_taker', extended_to_subaccounts: true },
      })
    }
    expect(m.refused({ counterparty_signature: desk })).toBe(self)
    m.result('desk', 'private/set_self_trading_config', {
      ...{ mode: 'reject_taker', extended_to_subaccounts: false },
    })
    m.result('taker', execute, { ...asTaker, counterparty_signature: desk })
  })

  test('locks are checked before margin, and settlement after locks', () => {
    const m = new BlockMarket()
    const counterparty_signature = m.sign('maker', asMaker)
    m.result(null, 'sim/lock_positions', { account: 'maker', locked: true })
    expect(m.refused({ counterparty_signature })).toBe('11098 account_locked')
    expect(m.refusal('maker', verify, asMaker)).toBe('11098 account_locked')
    m.result(null, 'sim/set_instrument_state', { ...perpetual, state: 'settlement' })
    expect(m.refused({ counterparty_signature })).toBe('11098 account_locked')
    m.result(null, 'sim/lock_positions', { account: 'maker', locked: false })
    expect(m.refused({ counterparty_signature })).toBe('10041 settlement_in_progress')
    m.result(null, 'sim/set_instrument_state', { ...perpetual, state: 'locked' })
    expect(m.refused({ counterparty_signature })).toBe('10019 locked_by_admin')
    m.result(null, 'sim/set_instrument_state', { ...perpetual, state: 'halted' })
    expect(m.refused({ counterparty_signature })).toBe('10012 book_closed')
  })

  test('margin is checked for both sides with all legs together, and the refusal names the side that lacks it', () => {
    const m = new BlockMarket()
    expect(m.refusal('poor', verify, asMaker)).toBe('10009 not_enough_funds self')
    const counterparty_signature = m.sign('maker', asMaker)
    expect(m.refusal('poor', execute, { ...asTaker, counterparty_signature })).toBe('10009 not_enough_funds self')
    // The maker withdrew its funds after it had signed.
    m.result(null, 'sim/deposit', { account: 'maker', currency: 'BTC', amount: -99.99 })
    expect(m.refused({ counterparty_signature })).toBe('10009 not_enough_funds counterparty')
    expect(m.sizeOf('taker', 'BTC-PERPETUAL')).toBe(0)
  })
})
