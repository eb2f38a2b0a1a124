/**
 * Block RFQs, with a small test of each part of the engine. Source: sessions document 5; coverage S115-S143, S170,
 * S171, S260, S261.
 */
import { describe, expect, test } from 'vitest'
import { Subscriptions } from '../../src/rpc/index.ts'
import type { Json } from '../support/desk-market.ts'
import { acceptTerms, call, hedgeFuture, put, quoteTerms, RfqMarket, usualLegs } from '../support/rfq-market.ts'

const create = 'private/create_block_rfq'
const add = 'private/add_block_rfq_quote'

describe('creation and end', () => {
  test('Rule: rfq.create Rule: rfq.units amount and ratios come from the greatest common divisor', () => {
    const m = new RfqMarket()
    const rfq = m.create({ label: 'one' })
    expect(rfq).toMatchObject({
      ...{ block_rfq_id: 1, role: 'taker', state: 'open', amount: 25, min_trade_amount: 25 },
      ...{ label: 'one', makers: [], disclosed: true, taker: 'FUND', taker_rating: '0-1' },
      ...{ combo_id: null, bids: [], asks: [] },
    })
    expect(rfq.expiration_timestamp - rfq.creation_timestamp).toBe(300_000)
    expect(rfq.legs).toEqual([
      { instrument_name: call, ratio: 1, direction: 'buy' },
      { instrument_name: put, ratio: 2, direction: 'sell' },
    ])
    expect(m.seen('m1', rfq)).toMatchObject({ role: 'maker', state: 'open', taker: 'FUND' })
    expect(m.seen('m1', rfq)).not.toHaveProperty('label')
    expect(m.seen('other', rfq)).toBeUndefined()
  })

  test('Rule: rfq.states only its taker can cancel it, and it expires after five minutes', () => {
    const m = new RfqMarket()
    const rfq = m.create()
    const { block_rfq_id } = rfq
    expect(m.refusal('m1', 'private/cancel_block_rfq', { block_rfq_id })).toBe('13021 forbidden')
    const over = m.result('taker', 'private/cancel_block_rfq', { block_rfq_id })
    expect(over).toMatchObject({ state: 'cancelled', included_in_taker_rating: false })
    expect(m.refusal('taker', 'private/cancel_block_rfq', { block_rfq_id })).toBe('10010 already_closed')
    const next = m.create()
    m.pass('5m')
    expect(m.seen('taker', next).state).toBe('expired')
    expect(m.refusal('taker', 'private/cancel_block_rfq', { block_rfq_id: 9 })).toBe('13020 not_found')
  })

  test('Rule: rfq.alias Rule: rfq.target targets are named by alias, and other accounts do not see the RFQ', () => {
    const m = new RfqMarket()
    const rfq = m.create({ makers: ['M1'] })
    expect(rfq.makers).toEqual(['M1'])
    expect(m.seen('m1', rfq)).toBeDefined()
    expect(m.seen('m2', rfq)).toBeUndefined()
    expect(m.refusal('m2', add, quoteTerms(rfq, { prices: [0.05, 0.02] }))).toBe('13020 not_found')
    expect(m.refusal('taker', create, { legs: usualLegs, makers: ['NONE'] })).toBe(
      '11029 invalid_arguments makers unknown_maker',
    )
    expect(m.refusal('taker', create, { legs: usualLegs, makers: ['M1'], disclosed: false })).toBe(
      '11029 invalid_arguments disclosed too_few_makers',
    )
    expect(m.result('taker', 'private/get_block_rfq_makers')).toEqual(['M1', 'M2', 'M3', 'POOR'])
  })

  test('Rule: rfq.instrument it is cancelled when a leg is closed', () => {
    const m = new RfqMarket()
    const rfq = m.create()
    m.result(null, 'sim/set_instrument_state', { instrument_name: put, state: 'halted' })
    expect(m.seen('taker', rfq).state).toBe('cancelled')
  })
})

describe('quotes', () => {
  test('Rule: rfq.quote Rule: rfq.price the price is the signed sum of the legs', () => {
    const m = new RfqMarket()
    const rfq = m.create()
    const quote = m.quote('m1', rfq, { prices: [0.05, 0.02], label: 'one' })
    expect(quote).toMatchObject({
      ...{ block_rfq_quote_id: 1, block_rfq_id: 1, quote_state: 'open', price: 0.01, amount: 25 },
      ...{ direction: 'sell', filled_amount: 0, replaced: false, label: 'one' },
      ...{ execution_instruction: 'any_part_of', expires_at: rfq.expiration_timestamp },
    })
    expect(m.refusal('m1', add, quoteTerms(rfq, { prices: [0.05, 0.02], label: 'one' }))).toBe(
      '11029 invalid_arguments label duplicate_label',
    )
    expect(m.refusal('m1', add, quoteTerms(rfq, { prices: [0.05, 0.02], direction: 'buy' }))).toBe(
      '13910 quote_crossed',
    )
    const edited = m.result('m1', 'private/edit_block_rfq_quote', {
      ...quoteTerms(rfq, { prices: [0.051, 0.02] }),
      ...{ label: 'one' },
    })
    expect(edited).toMatchObject({ block_rfq_quote_id: 1, price: 0.011, replaced: true })
    const list = m.result('m1', 'private/get_block_rfq_quotes', { block_rfq_id: 1 })
    expect(list).toEqual([edited])
    expect(m.result('m1', 'private/cancel_block_rfq_quote', { block_rfq_quote_id: 1 })).toMatchObject({
      quote_state: 'cancelled',
      quote_state_reason: 'user_request',
    })
    expect(m.refusal('m1', 'private/cancel_block_rfq_quote', { block_rfq_quote_id: 1 })).toBe('10010 already_closed')
    expect(m.refusal('taker', add, quoteTerms(rfq, { prices: [0.05, 0.02] }))).toBe('13021 forbidden')
  })

  test('Rule: rfq.quote-margin a quote that exceeds the margin of its maker is refused', () => {
    const m = new RfqMarket()
    expect(m.refusal('poor', add, quoteTerms(m.create(), { prices: [0.05, 0.02] }))).toBe('10009 not_enough_funds')
  })

  test('at most five quotes per side and ten in all; each ends at its end time', () => {
    const m = new RfqMarket()
    const rfq = m.create()
    for (const at of [0.051, 0.052, 0.053, 0.054, 0.055]) m.quote('m1', rfq, { prices: [at, 0.02] })
    expect(m.refusal('m1', add, quoteTerms(rfq, { prices: [0.07, 0.02] }))).toBe(
      '13906 too_many_quotes_per_block_rfq_side',
    )
    for (const at of [0.041, 0.042, 0.043, 0.044, 0.045]) {
      m.quote('m1', rfq, { prices: [at, 0.02], direction: 'buy' })
    }
    expect(m.result('m1', 'private/cancel_all_block_rfq_quotes', {})).toBe(10)
    const expires_at = rfq.creation_timestamp + 60_000
    m.quote('m1', rfq, { prices: [0.05, 0.02], expires_at })
    m.pass('1m')
    expect(m.result('m1', 'private/get_block_rfq_quotes')).toEqual([])
  })
})

describe('trading', () => {
  test('Rule: rfq.fill Rule: rfq.accept Rule: rfq.display several makers share one fill, each at its own prices', () => {
    const m = new RfqMarket()
    const rfq = m.create({ legs: usualLegs.map((leg) => ({ ...leg, amount: leg.amount * 2 })) })
    expect(rfq).toMatchObject({ amount: 50, min_trade_amount: 25 })
    m.quote('m1', rfq, { prices: [0.05, 0.02], amount: 25 })
    m.quote('m2', rfq, { prices: [0.051, 0.02], amount: 30 })
    const accept = { price: 0.011, time_in_force: 'fill_or_kill' }
    expect(m.seen('taker', rfq).asks).toEqual([])
    m.pass('5s')
    expect(m.seen('taker', rfq).asks).toMatchObject([{ maker: 'M1', makers: ['M1', 'M2'], price: 0.011, amount: 50 }])
    const { block_trades } = m.accept(rfq, accept)
    expect(block_trades).toHaveLength(2)
    expect(block_trades[0].trades).toMatchObject([
      { instrument_name: call, price: 0.05, amount: 25, block_rfq_id: 1 },
      { instrument_name: put, price: 0.02, amount: 50, block_rfq_id: 1 },
    ])
    const { logs } = m.result('taker', 'private/get_transaction_log', {
      ...{ currency: 'BTC', start_timestamp: 0, end_timestamp: 2_000_000_000_000 },
    })
    expect(logs[0]).toMatchObject({ type: 'trade', block_rfq_id: 1 })
    expect([m.sizeOf('taker', call), m.sizeOf('taker', put)]).toEqual([50, -100])
    expect([m.sizeOf('m1', call), m.sizeOf('m2', call)]).toEqual([-25, -25])
    const filled = m.seen('taker', rfq)
    expect(filled).toMatchObject({ state: 'filled', included_in_taker_rating: true })
    expect(filled.trades).toEqual([
      { direction: 'buy', price: 0.01, amount: 25, maker: 'M1' },
      { direction: 'buy', price: 0.011, amount: 25, maker: 'M2' },
    ])
    expect(m.seen('m1', rfq).trades).toEqual([
      { direction: 'buy', price: 0.01, amount: 25, maker: 'M1' },
      { direction: 'buy', price: 0.011, amount: 25 },
    ])
    const tape = m.result(null, 'public/get_block_rfq_trades', { currency: 'BTC' })
    expect(tape).toMatchObject({
      block_rfqs: [{ id: 1, direction: 'buy', amount: 50, index_prices: { btc_usd: 50_000 } }],
      continuation: null,
    })
    expect(JSON.stringify(tape)).not.toMatch(/M1|M2|FUND/)
    expect(m.result('taker', 'private/get_block_rfq_user_info').users[0]).toMatchObject({
      ...{ taker_rating: 100, identity: 'FUND', is_maker: false },
    })
  })

  test('no trade in the first five seconds, and none without quotes for the whole amount', () => {
    const m = new RfqMarket()
    const rfq = m.create()
    m.quote('m1', rfq, { prices: [0.05, 0.02] })
    const terms = {
      ...{ block_rfq_id: 1, price: 0.01, amount: 25, direction: 'buy', legs: rfq.legs },
      time_in_force: 'fill_or_kill',
    }
    const accept = 'private/accept_block_rfq'
    expect(m.refusal('taker', accept, terms)).toBe('11030 other_reject grace_period')
    m.pass('5s')
    expect(m.refusal('taker', accept, { ...terms, price: 0.009 })).toBe('13907 not_fully_filled')
    expect(m.refusal('taker', accept, { ...terms, amount: 30 })).toMatch(/^11029 .* amount/)
    expect(m.refusal('m1', accept, terms)).toBe('13021 forbidden')
    m.result('taker', accept, terms)
    expect(m.refusal('taker', accept, terms)).toBe('10010 already_closed')
  })

  test('Rule: rfq.trigger a trigger waits for quotes, and the hedge trades together with the legs', () => {
    const m = new RfqMarket()
    const hedge = { instrument_name: hedgeFuture, direction: 'sell', price: 50_000, amount: 1_000 }
    const rfq = m.create({ hedge })
    m.pass('5s')
    const accept = { price: 0.01, time_in_force: 'good_til_cancelled' }
    expect(m.accept(rfq, accept)).toEqual({
      block_trades: [],
      trade_trigger: { state: 'untriggered', price: 0.01, direction: 'buy' },
    })
    const cancelled = m.result('taker', 'private/cancel_block_rfq_trigger', { block_rfq_id: 1 })
    expect(cancelled.trade_trigger).toMatchObject({
      ...{ state: 'cancelled', cancel_reason: 'User cancelled' },
    })
    m.accept(rfq, accept)
    m.quote('m1', rfq, { prices: [0.05, 0.0201] })
    expect(m.seen('taker', rfq).state).toBe('filled')
    expect(m.sizeOf('taker', hedgeFuture)).toBe(-1_000)
    expect(m.sizeOf('m1', hedgeFuture)).toBe(1_000)
    expect(m.seen('taker', rfq).trades[0].hedge_amount).toBe(1_000)
  })

  test('all_or_none comes first at one price', () => {
    const m = new RfqMarket()
    const rfq = m.create()
    m.quote('m1', rfq, { prices: [0.05, 0.02] })
    m.quote('m2', rfq, { prices: [0.05, 0.02], execution_instruction: 'all_or_none' })
    m.pass('5s')
    m.accept(rfq, { price: 0.01 })
    expect(m.sizeOf('m2', call)).toBe(-25)
    expect(m.sizeOf('m1', call)).toBe(0)
  })
})

describe('owners, protection and ratings', () => {
  test('Rule: rfq.allocation-sum Rule: rfq.allocation-booking named accounts get their parts and their fees', () => {
    const m = new RfqMarket()
    const desk = m.result(null, 'sim/create_account', { name: 'desk', main: 'taker' })
    expect(desk).toBe('ok')
    m.result(null, 'sim/deposit', { account: 'desk', currency: 'BTC', amount: 100 })
    const user_id = m.result('desk', 'private/get_account_summary', {
      ...{ currency: 'BTC', extended: true },
    }).id
    const own = m.result('taker', 'private/get_account_summary', {
      ...{ currency: 'BTC', extended: true },
    }).id
    const parts = [
      { user_id, amount: 10 },
      { user_id: own, amount: 15 },
    ]
    expect(m.refusal('taker', create, { legs: usualLegs, trade_allocations: parts.slice(1) })).toMatch(
      /^11029 invalid_arguments trade_allocations/,
    )
    const rfq = m.create({ trade_allocations: parts })
    expect(rfq.trade_allocations).toEqual(parts)
    expect(m.seen('m1', rfq)).not.toHaveProperty('trade_allocations')
    m.quote('m1', rfq, { prices: [0.05, 0.02] })
    m.pass('5s')
    m.accept(rfq, { price: 0.01 })
    expect([m.sizeOf('taker', call), m.sizeOf('desk', call)]).toEqual([15, 10])
    expect([m.sizeOf('taker', put), m.sizeOf('desk', put)]).toEqual([-30, -20])
    const trades = (account: string): Json =>
      m.result(account, 'private/get_user_trades_by_instrument', { instrument_name: call }).trades
    const [whole] = trades('taker')
    const [part] = trades('desk')
    const [handed, kept] = whole.trade_allocations
    expect(handed).toEqual({ user_id, amount: 10, fee: part.fee })
    expect(kept).toMatchObject({ user_id: own, amount: 15 })
    expect(handed.fee + kept.fee).toBeCloseTo(whole.fee, 9)
    expect(part).toMatchObject({ amount: 10, block_rfq_id: 1, trade_id: whole.trade_id })
    expect(part.fee).toBeCloseTo(whole.fee * 0.4, 9)
    expect(trades('m1')[0]).not.toHaveProperty('trade_allocations')
  })

  test('Rule: rfq.mmp trades that reach a limit cancel all quotes and bar new ones', () => {
    const m = new RfqMarket()
    m.result('m1', 'private/set_mmp_config', {
      ...{ index_name: 'all', block_rfq: true, interval: 60, frozen_time: 30 },
      ...{ trade_count_limit: 1, max_quote_quantity: 100 },
    })
    const [one, two] = [m.create(), m.create()]
    m.quote('m1', one, { prices: [0.05, 0.02] })
    m.quote('m1', two, { prices: [0.05, 0.02] })
    m.pass('5s')
    m.accept(one, { price: 0.01 })
    expect(m.result('m1', 'private/get_block_rfq_quotes')).toEqual([])
    expect(m.refusal('m1', add, quoteTerms(two, { prices: [0.05, 0.02] }))).toBe('13030 mmp_trigger')
    expect(m.result('m1', 'private/get_mmp_status', { block_rfq: true })).toMatchObject([
      { index_name: 'all', block_rfq: true },
    ])
    m.result('m1', 'private/reset_mmp', { index_name: 'all', block_rfq: true })
    m.quote('m1', two, { prices: [0.05, 0.02] })
  })

  test('Rule: rfq.self-match if the account says so, quotes of the same owner are neither seen nor traded', () => {
    const m = new RfqMarket()
    m.result(null, 'sim/create_account', { name: 'sister', main: 'taker' })
    m.result(null, 'sim/deposit', { account: 'sister', currency: 'BTC', amount: 1_000 })
    m.result(null, 'sim/set_block_rfq_role', { account: 'sister', maker: true })
    const rfq = m.create()
    m.quote('sister', rfq, { prices: [0.05, 0.02] })
    m.pass('5s')
    expect(m.seen('taker', rfq).asks).toHaveLength(1)
    m.result('sister', 'private/set_self_trading_config', {
      ...{ mode: 'reject_taker', extended_to_subaccounts: false },
      block_rfq_self_match_prevention: true,
    })
    expect(m.seen('taker', rfq).asks).toEqual([])
    expect(m.refusal('taker', 'private/accept_block_rfq', acceptTerms(rfq, { price: 0.01 }))).toBe(
      '13907 not_fully_filled',
    )
  })

  test('Rule: rfq.rating-included an RFQ whose quotes the taker saw for a second counts, even without a trade', () => {
    const m = new RfqMarket()
    const rfq = m.create()
    m.quote('m1', rfq, { prices: [0.05, 0.02] })
    m.pass('6s')
    m.result('taker', 'private/cancel_block_rfq', { block_rfq_id: 1 })
    expect(m.seen('taker', rfq).included_in_taker_rating).toBe(true)
    expect(m.result('taker', 'private/get_block_rfq_user_info').users[0].taker_rating).toBe(0)
  })

  test('Rule: rfq.viewer Rule: rfq.quote-limits a quote above a limit is refused with its name', () => {
    const m = new RfqMarket()
    m.result(null, 'sim/set_block_rfq_role', {
      account: 'm1',
      quote_limits: [{ kind: 'option', currency_pair: 'BTC_USD', amount: 30 }],
    })
    const rfq = m.create()
    expect(m.refusal('m1', add, quoteTerms(rfq, { prices: [0.05, 0.02] }))).toBe('13917 account_quote_limit_crossed')
  })
})

test('channels send takers, makers and all others only the fields that each may see', () => {
  const heard: Json[] = []
  let subscriptions: Subscriptions | undefined
  const m = new RfqMarket({}, { sink: { emit: (event) => subscriptions?.events.emit(event) } })
  subscriptions = new Subscriptions(m.venue.desk)
  const listen = (account: string, name: string): void => {
    const id = m.result(account, 'private/get_account_summary', {
      ...{ currency: 'BTC', extended: true },
    }).id
    const who = { link: heard.length + id, account: id, allows: () => true } as const
    const send = (text: string): void => {
      const { channel, data } = JSON.parse(text).params
      heard.push([account, channel, data])
    }
    expect(subscriptions?.subscribe({ ...who, send }, name, null), name).toBe(true)
  }
  listen('taker', 'block_rfq.taker.any')
  listen('m1', 'block_rfq.maker.BTC')
  listen('m2', 'block_rfq.maker.quotes.BTC')
  listen('other', 'block_rfq.trades.any')
  listen('m3', 'block_rfq.maker.ETH')
  const reported = (): Json => {
    subscriptions?.flush()
    return heard.splice(0).map(([account, , data]) => [account, data.state ?? data])
  }
  const rfq = m.create()
  expect(reported()).toEqual([
    ['taker', 'open'],
    ['m1', 'open'],
  ])
  m.quote('m2', rfq, { prices: [0.05, 0.02] })
  expect(reported()).toMatchObject([['m2', [{ quote_state: 'open' }]]])
  m.pass('5s')
  m.accept(rfq, { price: 0.01 })
  expect(reported()).toMatchObject([
    ['taker', 'open'],
    ['taker', 'filled'],
    ['m1', 'filled'],
    ['m2', [{ quote_state: 'filled' }]],
    ['other', { id: 1, trades: [{ price: 0.01 }] }],
  ])
})
