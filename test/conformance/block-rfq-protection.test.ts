/**
 * Market-maker protection of Block RFQs: limits on the amount that the quotes of a maker trade.
 * Source: sessions document 5.5, 5.11.
 */
import { describe, expect, test } from 'vitest'
import type { Event } from '../../src/model/index.ts'
import { call, put } from '../support/block-market.ts'
import type { Json } from '../support/desk-market.ts'
import { quoteOf, RfqVenue } from '../support/rfq-venue.ts'

const add = 'private/add_block_rfq_quote'
const edit = 'private/edit_block_rfq_quote'
const frozen = '13030 mmp_trigger'

/** A market in which alpha is protected. */
function protectedMarket(limits: Json, options = {}): RfqVenue {
  const m = new RfqVenue({}, options)
  m.result('alpha', 'private/set_mmp_config', {
    ...{ index_name: 'btc_usd', block_rfq: true, interval: 60, frozen_time: 30 },
    ...{ max_quote_quantity: 1_000, ...limits },
  })
  return m
}

/** Lets alpha sell 25 calls on a separate RFQ, and returns the number of the RFQ. */
function trade(m: RfqVenue, params: Json = {}): number {
  const { block_rfq_id } = m.create()
  m.quote('alpha', { block_rfq_id, ...params })
  const direction = params.direction === 'buy' ? 'sell' : 'buy'
  m.grace().accept({ block_rfq_id, direction })
  return block_rfq_id
}

const openQuotes = (m: RfqVenue, account = 'alpha'): Json[] => m.result(account, 'private/get_block_rfq_quotes', {})

describe('rule rfq.mmp', () => {
  test('fills that exceed the quantity within the interval cancel all quotes and bar new ones in the freeze', () => {
    const events: Event[] = []
    const m = protectedMarket({ quantity_limit: 50 }, { sink: { emit: (e: Event) => events.push(e) } })
    const first = m.create({}, 'rival').block_rfq_id
    m.quote('alpha', { block_rfq_id: first, label: 'kept' })
    m.quote('bravo', { block_rfq_id: first, price: 0.06 })
    trade(m)
    expect(openQuotes(m)).toHaveLength(1)
    trade(m)
    expect(openQuotes(m)).toEqual([])
    expect(openQuotes(m, 'bravo')).toHaveLength(1)
    const pulled = events.filter((event) => event.kind === 'block_rfq_quote' && event.reason === 'mmp_trigger')
    expect(pulled).toMatchObject([{ change: 'cancelled', label: 'kept' }])
    const id = m.create().block_rfq_id
    expect(m.refusal('alpha', add, quoteOf({ block_rfq_id: id }))).toBe(frozen)
    m.quote('bravo', { block_rfq_id: id })
    m.venue.wait('30s')
    m.quote('alpha', { block_rfq_id: id })
  })

  test('fills of another interval do not add up with it', () => {
    const m = protectedMarket({ quantity_limit: 50 })
    trade(m)
    m.venue.wait('61s')
    trade(m)
    m.quote('alpha', { block_rfq_id: m.create().block_rfq_id })
  })

  test('a freeze bars edits but not cancels, and a reset ends it', () => {
    const m = protectedMarket({ quantity_limit: 25, frozen_time: 0 })
    const id = m.create().block_rfq_id
    trade(m)
    expect(m.refusal('alpha', add, quoteOf({ block_rfq_id: id }))).toBe(frozen)
    expect(m.result('alpha', 'private/cancel_all_block_rfq_quotes', {})).toBe(0)
    // Without a frozen time the freeze lasts until the reset.
    m.venue.wait('4m')
    expect(m.refusal('alpha', add, quoteOf({ block_rfq_id: id }))).toBe(frozen)
    expect(m.result('alpha', 'private/get_mmp_status', { block_rfq: true })).toMatchObject([
      { index_name: 'btc_usd', block_rfq: true },
    ])
    m.result('alpha', 'private/reset_mmp', { index_name: 'btc_usd', block_rfq: true })
    m.quote('alpha', { block_rfq_id: id })
    expect(m.result('alpha', 'private/get_mmp_status', { block_rfq: true })).toEqual([])
  })

  test('a frozen maker cannot edit its earlier quotes', () => {
    const m = protectedMarket({ quantity_limit: 25 })
    const id = m.create().block_rfq_id
    trade(m)
    const params = {
      ...{ block_rfq_id: id, label: 'none', amount: 25 },
      legs: [{ instrument_name: call, ratio: 1, direction: 'buy', price: 0.05 }],
    }
    expect(m.refusal('alpha', edit, params)).toMatch(/^(13030|13020) /)
  })

  test('deltas add up with their signs', () => {
    const m = protectedMarket({ delta_limit: 3 })
    const perpetual = { instrument_name: 'BTC-PERPETUAL', ratio: 1, direction: 'buy' }
    const deal = (direction: string): void => {
      const { block_rfq_id } = m.create({
        legs: [{ instrument_name: 'BTC-PERPETUAL', amount: 200_000, direction: 'buy' }],
      })
      const quoted = { block_rfq_id, amount: 200_000, direction }
      m.quote('alpha', { ...quoted, legs: [{ ...perpetual, price: 50_000 }] })
      m.grace().accept({
        ...{ ...quoted, direction: direction === 'buy' ? 'sell' : 'buy' },
        ...{ price: 50_000, legs: [perpetual] },
      })
    }
    // 200,000 USD are 4 BTC. The sign does not matter.
    const waiting = m.create().block_rfq_id
    m.quote('alpha', { block_rfq_id: waiting })
    deal('buy')
    expect(openQuotes(m)).toEqual([])
    const balanced = protectedMarket({ delta_limit: 5 })
    expect(openQuotes(balanced)).toEqual([])
  })

  test('a fill counts once for trade_count_limit whatever its size and legs, and all indices count together', () => {
    const m = protectedMarket({ index_name: 'all', trade_count_limit: 2 })
    trade(m)
    m.quote('alpha', { block_rfq_id: m.create().block_rfq_id })
    trade(m)
    expect(openQuotes(m)).toEqual([])
    const id = m.create().block_rfq_id
    expect(m.refusal('alpha', add, quoteOf({ block_rfq_id: id }))).toBe(frozen)
  })

  test('it is independent of the protection of orders', () => {
    const m = protectedMarket({ quantity_limit: 25 })
    const limits = { interval: 60, frozen_time: 30, quantity_limit: 1, max_quote_quantity: 10 }
    m.result('alpha', 'private/set_mmp_config', { index_name: 'btc_usd', ...limits })
    const order = { instrument_name: 'BTC-PERPETUAL', amount: 10, price: 49_000, mmp: true }
    m.result('alpha', 'private/buy', order)
    trade(m)
    // The fill of the RFQ froze only quotes on RFQs.
    expect(m.result('alpha', 'private/get_open_orders', {})).toHaveLength(1)
    m.result('alpha', 'private/buy', order)
    const id = m.create().block_rfq_id
    expect(m.refusal('alpha', add, quoteOf({ block_rfq_id: id }))).toBe(frozen)
    for (const block_rfq of [false, true]) {
      const records = m.result('alpha', 'private/get_mmp_config', { block_rfq })
      expect(records).toMatchObject([{ block_rfq, quantity_limit: block_rfq ? 25 : 1 }])
    }
  })

  test('a group of another index is not affected', () => {
    const m = protectedMarket({ index_name: 'eth_usd', quantity_limit: 1 })
    trade(m)
    m.quote('alpha', { block_rfq_id: m.create().block_rfq_id })
    expect(openQuotes(m)).toHaveLength(1)
  })
})

describe('rule rfq.mmp-quantity', () => {
  const tooMuch = '11030 other_reject max_quote_quantity'

  test('open quotes of one instrument and side may add up over RFQs to the maximum quote quantity', () => {
    const m = protectedMarket({ max_quote_quantity: 60 })
    m.create()
    m.create({}, 'rival')
    m.quote('alpha')
    m.quote('alpha', { block_rfq_id: 2 })
    expect(m.refusal('alpha', add, quoteOf({ price: 0.06 }))).toBe(tooMuch)
    // The other side and other makers have separate sums.
    m.quote('alpha', { direction: 'buy', price: 0.04 })
    m.quote('bravo', { price: 0.06 })
    m.result('alpha', 'private/cancel_block_rfq_quote', { block_rfq_quote_id: 1 })
    m.quote('alpha', { price: 0.06 })
  })

  test('an edited quote replaces its old amount in the sum', () => {
    const m = protectedMarket({ max_quote_quantity: 60 })
    m.create({ legs: [{ instrument_name: call, amount: 100, direction: 'buy' }] })
    m.quote('alpha', { amount: 50 })
    const edited = (amount: number): Json => ({
      ...{ block_rfq_quote_id: 1, amount },
      legs: [{ instrument_name: call, ratio: 1, direction: 'buy', price: 0.05 }],
    })
    m.result('alpha', edit, edited(60))
    expect(m.refusal('alpha', edit, edited(60.1))).toBe(tooMuch)
    expect(openQuotes(m)).toMatchObject([{ amount: 60 }])
  })

  test('legs count by their ratios and sides, inverse futures and the maker’s part of a hedge in coins', () => {
    const m = protectedMarket({ max_quote_quantity: 50 })
    const hedge = { instrument_name: 'BTC-PERPETUAL', direction: 'sell', price: 50_000 }
    const legs = [
      { instrument_name: call, amount: 50, direction: 'buy' },
      { instrument_name: put, amount: 25, direction: 'sell' },
    ]
    const quoted = (terms: Json): Json => ({
      amount: 25,
      legs: [
        { instrument_name: call, ratio: 2, direction: 'buy', price: 0.05 },
        { instrument_name: put, ratio: 1, direction: 'sell', price: 0.04 },
      ],
      ...terms,
    })
    m.create({ legs })
    m.quote('alpha', quoted({}))
    m.create({ legs: [{ ...legs[0], amount: 25 }], hedge: { ...hedge, amount: 2_500_000 } })
    const own = { block_rfq_id: 2, hedge: { ...hedge, amount: 2_500_000 } }
    // 50 calls are already sold. A bid buys the calls and sells 50 coins of the future.
    expect(m.refusal('alpha', add, quoteOf(own))).toBe(tooMuch)
    m.quote('alpha', { ...own, direction: 'buy', price: 0.04 })
    m.create({ legs: [{ instrument_name: 'BTC-PERPETUAL', amount: 200_000, direction: 'buy' }] })
    const future = { instrument_name: 'BTC-PERPETUAL', ratio: 1, direction: 'buy', price: 50_000 }
    const third = { block_rfq_id: 3, amount: 200_000, legs: [future] }
    expect(m.refusal('alpha', add, quoteOf(third))).toBe(tooMuch)
    m.quote('alpha', { ...third, direction: 'buy' })
  })

  test('a lower maximum cancels the newest quotes until the rest fits; removing the maximum cancels none', () => {
    const m = protectedMarket({ max_quote_quantity: 1_000 })
    m.create()
    m.create({}, 'rival')
    for (const [block_rfq_id, price] of [
      [1, 0.05],
      [2, 0.05],
      [1, 0.06],
    ] as const) {
      m.quote('alpha', { block_rfq_id, price })
    }
    m.quote('alpha', { direction: 'buy', price: 0.04 })
    const to = (interval: number, max_quote_quantity: number): void => {
      const limits = { interval, frozen_time: 30, max_quote_quantity }
      m.result('alpha', 'private/set_mmp_config', {
        ...{ index_name: 'btc_usd', block_rfq: true },
        ...limits,
      })
    }
    m.grace()
    expect(m.seen('rival', 2).asks).toHaveLength(1)
    to(60, 25)
    expect(
      openQuotes(m)
        .map((each) => each.block_rfq_quote_id)
        .sort(),
    ).toEqual([1, 4])
    expect(m.seen('rival', 2).asks).toEqual([])
    to(0, 0)
    expect(openQuotes(m)).toHaveLength(2)
    m.quote('alpha', { block_rfq_id: 2, amount: 25 })
  })

  test('the configuration for all indices limits every leg; that of another index does not', () => {
    const all = protectedMarket({ index_name: 'all', max_quote_quantity: 20 })
    all.create()
    expect(all.refusal('alpha', add, quoteOf({}))).toBe(tooMuch)
    const other = protectedMarket({ index_name: 'eth_usd', max_quote_quantity: 20 })
    other.create()
    other.quote('alpha')
  })

  test('a quote that the engine cancels for the limit ends with that reason', () => {
    const events: Event[] = []
    const m = protectedMarket({}, { sink: { emit: (event: Event) => events.push(event) } })
    m.create()
    m.quote('alpha', { label: 'large' })
    m.result('alpha', 'private/set_mmp_config', {
      ...{ index_name: 'btc_usd', block_rfq: true, interval: 60, frozen_time: 30 },
      max_quote_quantity: 24.9,
    })
    expect(events.filter((event) => event.kind === 'block_rfq_quote').at(-1)).toMatchObject({
      ...{ change: 'cancelled', reason: 'mmp_config_curtailment', label: 'large' },
    })
    expect(events.filter((event) => event.kind === 'mmp').at(-1)).toMatchObject({
      ...{ change: 'configured', cancelled: 1, blockRfq: true },
    })
  })
})

describe('rule rfq.quote-limits', () => {
  test('the maker’s part of the hedge counts against the limit of futures of its pair', () => {
    const m = new RfqVenue()
    const quote_limits = [{ kind: 'future', currency_pair: 'BTC_USD', amount: 1_000 }]
    m.party('alpha', { maker: true, quote_limits })
    const hedge = { instrument_name: 'BTC-PERPETUAL', direction: 'sell', price: 50_000 }
    m.create({ hedge: { ...hedge, amount: 1_000 } })
    m.create({ hedge: { ...hedge, amount: 1_010 } })
    m.quote('alpha', { hedge: { ...hedge, amount: 1_000 } })
    const over = quoteOf({ block_rfq_id: 2, hedge: { ...hedge, amount: 1_010 } })
    expect(m.refusal('alpha', add, over)).toBe('13917 account_quote_limit_crossed')
  })

  const limit = (kind: string, amount: number, currency_pair = 'BTC_USD'): Json => ({
    ...{ maker: true, quote_limits: [{ kind, currency_pair, amount }] },
  })

  test('a leg above the limit of its kind and pair is refused by name; a leg at the limit is accepted', () => {
    const m = new RfqVenue()
    m.party('alpha', limit('option', 30))
    m.create({ legs: [{ instrument_name: call, amount: 100, direction: 'buy' }] })
    const refused = (amount: number): string => m.refusal('alpha', add, quoteOf({ amount }))
    expect(refused(30.1)).toBe('13917 account_quote_limit_crossed')
    m.quote('alpha', { amount: 30 })
    const over = {
      ...{ block_rfq_quote_id: 1, amount: 40 },
      legs: [{ instrument_name: call, ratio: 1, direction: 'buy', price: 0.05 }],
    }
    expect(m.refusal('alpha', edit, over)).toBe('13917 account_quote_limit_crossed')
    m.quote('bravo', { amount: 100 })
  })

  test('limits of other kinds and pairs do not count', () => {
    const m = new RfqVenue()
    m.party('alpha', limit('future', 10))
    m.party('bravo', limit('option', 10, 'ETH_USD'))
    m.create()
    m.quote('alpha')
    m.quote('bravo')
  })
})
