/**
 * Sizes, prices and legs of block trades, simulation, queries, and wrong parameters. Source: sessions document 4.1, 4.3.
 */
import { describe, expect, test } from 'vitest'
import { micros } from '../../src/core/index.ts'
import { defaultConfig } from '../../src/model/index.ts'
import { BlockMarket, call, put, START, usualTerms, usualTrade } from '../support/block-market.ts'
import type { Json } from '../support/desk-market.ts'

const verify = 'private/verify_block_trade'
const execute = 'private/execute_block_trade'
const invalidate = 'private/invalidate_block_trade_signature'
const simulate = 'private/simulate_block_trade'
const asMaker = { ...usualTerms, role: 'maker' }
const asTaker = { ...usualTerms, role: 'taker' }
const options = (...legs: readonly object[]): Json =>
  legs.map((leg) => ({ instrument_name: call, price: 0.05, amount: 25, direction: 'buy', ...leg }))

describe('Rule: block.size', () => {
  const sized = (m: BlockMarket, trades: Json): string => m.refusal('maker', verify, { ...asMaker, trades })

  test('in a block without options each leg must reach its own minimum', () => {
    const m = new BlockMarket()
    expect(sized(m, [{ ...usualTrade, amount: 199_990 }])).toBe('10002 qty_too_low')
    expect(
      sized(m, [usualTrade, { instrument_name: 'ETH-PERPETUAL', price: 2500, amount: 99_999, direction: 'buy' }]),
    ).toBe('10002 qty_too_low')
    // 250 SOL at 200 are 50,000 USDC.
    const sol = { instrument_name: 'SOL_USDC-PERPETUAL', price: 200, direction: 'buy' }
    expect(sized(m, [{ ...sol, amount: 249.9 }])).toBe('10002 qty_too_low')
    m.sign('maker', { ...asMaker, trades: [{ ...sol, amount: 250 }] })
  })

  test('in a block with options each option must reach its minimum; other legs may have any size', () => {
    const m = new BlockMarket()
    expect(sized(m, options({ amount: 24.9 }))).toBe('10002 qty_too_low')
    expect(sized(m, options({}, { instrument_name: put, amount: 1 }))).toBe('10002 qty_too_low')
    m.sign('maker', { ...asMaker, trades: [...options({}), { ...usualTrade, amount: 10 }] })
  })

  test('a size is a positive multiple of the smallest', () => {
    const m = new BlockMarket()
    for (const amount of [0, -200_000, 200_005, 200_000.5]) {
      expect(sized(m, [{ ...usualTrade, amount }])).toBe('10021 invalid_amount')
    }
  })
})

describe('Rule: block.price', () => {
  const priced = (m: BlockMarket, trades: Json): string => m.refusal('maker', verify, { ...asMaker, trades })

  test('a price is a positive multiple of the block tick, which is finer than the tick of the book', () => {
    const m = new BlockMarket()
    m.sign('maker', { ...asMaker, trades: [{ ...usualTrade, price: 50_000.01 }] })
    expect(priced(m, [{ ...usualTrade, price: 50_000.005 }])).toBe('10043 price_wrong_tick')
    expect(priced(m, options({ price: 0.05005 }))).toBe('10043 price_wrong_tick')
    for (const price of [0, -1]) {
      expect(priced(m, [{ ...usualTrade, price }])).toBe('10023 invalid_price')
    }
  })

  test('a price must be within 10 % of the mark, that of an option within 10 % of its underlying', () => {
    const m = new BlockMarket()
    for (const price of [45_000, 55_000]) {
      m.sign('maker', { ...asMaker, nonce: `${price}`, trades: [{ ...usualTrade, price }] })
    }
    expect(priced(m, [{ ...usualTrade, price: 44_999.99 }])).toBe('10005 price_too_low 45000')
    expect(priced(m, [{ ...usualTrade, price: 55_000.01 }])).toBe('10007 price_too_high 55000')
    m.result(null, 'sim/set_mark', { instrument_name: call, price: 0.2 })
    m.sign('maker', { ...asMaker, trades: options({ price: 0.3 }) })
    expect(priced(m, options({ price: 0.3001 }))).toBe('10007 price_too_high 0.3')
    expect(priced(m, options({ price: 0.0999 }))).toBe('10005 price_too_low 0.1')
  })
})

describe('Rule: block.legs', () => {
  test('a block has each instrument once, combos as their legs, and 20 legs at most', () => {
    const m = new BlockMarket()
    const refused = (trades: Json): string => m.refusal('maker', verify, { ...asMaker, trades })
    expect(refused([usualTrade, usualTrade])).toBe(
      '11029 invalid_arguments trades.1.instrument_name duplicate_instrument',
    )
    const { id } = m.result('other', 'private/create_combo', {
      trades: [
        { instrument_name: call, direction: 'buy', amount: 1 },
        { instrument_name: put, direction: 'sell', amount: 1 },
      ],
    })
    expect(refused([{ ...usualTrade, instrument_name: id, price: 0.01, amount: 25 }])).toBe(
      '10020 invalid_or_unsupported_instrument',
    )
    expect(refused([{ ...usualTrade, instrument_name: 'BTC-1JAN99' }])).toBe('13020 not_found')
    expect(refused(new Array(21).fill(usualTrade))).toMatch(/^-32602 Invalid params trades/)
    expect(refused([])).toMatch(/^-32602 Invalid params trades/)
  })
})

describe('Rule: block.simulate', () => {
  test('a simulation checks only the caller’s side, as taker if no role is named, and changes nothing', () => {
    const m = new BlockMarket()
    const trades = [usualTrade]
    expect(m.result('maker', simulate, { trades })).toBe(true)
    expect(m.result('poor', simulate, { trades, role: 'maker' })).toBe(false)
    expect(m.result('maker', simulate, { trades: [{ ...usualTrade, amount: 10 }] })).toBe(false)
    expect(m.result('maker', simulate, { trades: [{ ...usualTrade, price: 0.001 }] })).toBe(false)
    expect(m.result('maker', simulate, { trades: [{ ...usualTrade, instrument_name: 'none' }] })).toBe(false)
    expect(m.refusal('maker', simulate, { trades: [] })).toMatch(/^-32602 /)
    expect(m.sizeOf('maker', 'BTC-PERPETUAL')).toBe(0)
  })
})

describe('queries', () => {
  test('get_block_trades returns the account‘s blocks, newest first, by currency and by ids', () => {
    const m = new BlockMarket()
    m.trade()
    const spot = { instrument_name: 'BTC_USDC', price: 50_000, amount: 0.1, direction: 'buy' }
    m.trade({ nonce: 'two', trades: [spot] })
    m.trade({ nonce: 'three', trades: [{ ...usualTrade, direction: 'sell' }] })
    const ids = (account: string, params: object): string[] =>
      m.result(account, 'private/get_block_trades', params as never).map(({ id }: { id: string }) => id)
    expect(ids('maker', {})).toEqual(['BLOCK-3', 'BLOCK-2', 'BLOCK-1'])
    expect(ids('maker', { count: 1 })).toEqual(['BLOCK-3'])
    expect(ids('maker', { currency: 'USDC' })).toEqual(['BLOCK-2'])
    expect(ids('maker', { start_id: 'BLOCK-3' })).toEqual(['BLOCK-2', 'BLOCK-1'])
    expect(ids('maker', { start_id: 'BLOCK-3', end_id: 'BLOCK-2' })).toEqual(['BLOCK-2'])
    expect(ids('maker', { broker_code: 'x' })).toEqual([])
    expect(ids('maker', { block_rfq_id: 1 })).toEqual([])
    expect(ids('other', {})).toEqual([])
    const refused = (method: string, params: object): string => m.refusal('maker', method, params as never)
    expect(refused('private/get_block_trades', { end_id: 'BLOCK-1' })).toBe('-32602 Invalid params start_id required')
    expect(refused('private/get_block_trades', { start_id: '7' })).toMatch(/start_id .*BLOCK-7/)
    expect(refused('private/get_block_trades', { count: 102 })).toMatch(/^-32602 .*count/)
    expect(refused('private/get_block_trade', { id: 'x' })).toMatch(/^-32602 .*id .*BLOCK-7/)
    expect(refused('private/get_block_trade', { id: 'BLOCK-9' })).toBe('13020 not_found')
    expect(m.refusal('other', 'private/get_block_trade', { id: 'BLOCK-1' })).toBe('13020 not_found')
  })
})

test('a refusal names the wrong field, for each field of each method', () => {
  const m = new BlockMarket()
  const fields: readonly (readonly [param: string, value: unknown])[] = [
    ['timestamp', 'now'],
    ['timestamp', undefined],
    ['nonce', 5],
    ['nonce', ''],
    ['nonce', undefined],
    ['role', 'broker'],
    ['role', undefined],
    ['trades', 'all'],
    ['trades', undefined],
  ]
  for (const method of [verify, execute]) {
    const good = { ...asTaker, ...(method === execute ? { counterparty_signature: 'x' } : {}) }
    for (const [param, value] of fields) {
      const { code, data } = m.error('taker', method, { ...good, [param]: value } as never)
      expect([code, data?.['param']]).toEqual([-32602, param])
    }
    for (const field of ['instrument_name', 'price', 'amount', 'direction']) {
      const trades = [{ ...usualTrade, [field]: true }]
      const { code, data } = m.error('taker', method, { ...good, trades } as never)
      expect([code, data?.['param']]).toEqual([-32602, `trades.0.${field}`])
    }
  }
  const { counterparty_signature: _, ...without } = { ...asTaker, counterparty_signature: 'x' }
  expect(m.error('taker', execute, without).data).toMatchObject({ param: 'counterparty_signature' })
  expect(m.error('taker', invalidate, {}).data).toMatchObject({ param: 'signature' })
  for (const answer of ['private/approve_block_trade', 'private/reject_block_trade']) {
    const named = { timestamp: START, nonce: 'one', role: 'taker' }
    for (const [param, value] of fields.slice(0, 7)) {
      const { code, data } = m.error('taker', answer, { ...named, [param]: value } as never)
      expect([code, data?.['param']]).toEqual([-32602, param])
    }
  }
})

test('a run may set its own windows, bands and signing key', () => {
  const config = (terms: object): object => ({
    blockTrades: { ...defaultConfig(micros(0)).blockTrades, ...terms },
  })
  const m = new BlockMarket(config({ bandPpm: 10_000, signatureWindow: 1_000_000 }))
  const priced = (price: number): Json => ({ ...asMaker, trades: [{ ...usualTrade, price }] })
  expect(m.refusal('maker', verify, priced(50_500.01))).toBe('10007 price_too_high 50500')
  m.venue.at('2026-01-05T09:00:01Z')
  expect(m.refusal('maker', verify, priced(50_500))).toBe('11029 invalid_arguments timestamp timestamp_expired')
  const signatures = ['', 'one', 'two'].map((key) => new BlockMarket(config({ key })).sign('maker', asMaker))
  expect(new Set(signatures).size).toBe(3)
  expect(() => new BlockMarket(config({ bandPpm: -1 }))).toThrow('blockTrades.bandPpm')
  expect(() => new BlockMarket(config({ legsMax: 21 }))).toThrow('blockTrades.legsMax')
  expect(() => new BlockMarket(config({ approvalWindow: 0 }))).toThrow('blockTrades.approvalWindow')
})
