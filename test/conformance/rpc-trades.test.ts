/**
 * Public trades and user trades: fields, ranges, sorting, pages.
 * Source: interface document, Public trade, User trade and both trade queries; trading.md 4.8, 5.2; market.md 8;
 * coverage R06, R08, R34, R35, R38, R49.
 */
import { describe, expect, test } from 'vitest'
import type { RequestParams } from '../../src/rpc/index.ts'
import { type DeskMarket, deskMarket, type Json } from '../support/desk-market.ts'

const perpetual = { instrument_name: 'BTC-PERPETUAL' }
const tape = 'public/get_last_trades_by_instrument'
const byTime = 'public/get_last_trades_by_instrument_and_time'
const own = 'private/get_user_trades_by_instrument'
const first = 1_767_603_600_000

/** `count` trades of 10 USD at 50000; the maker's request k is at 2k - 1 ms, the trade at 2k ms. */
function traded(count: number): DeskMarket {
  const m = deskMarket()
  for (let trade = 0; trade < count; trade += 1) {
    m.result('alice', 'private/sell', { ...perpetual, amount: 10, price: 50_000 })
    m.result('bob', 'private/buy', { ...perpetual, amount: 10, type: 'market' })
  }
  return m
}

describe('one trade seen from all sides', () => {
  function one(): { m: DeskMarket; reply: Json } {
    const m = deskMarket()
    m.result('alice', 'private/sell', { ...perpetual, amount: 30, price: 50_010, label: 'ask' })
    const reply = m.result('bob', 'private/buy', { ...perpetual, amount: 20, type: 'market' })
    return { m, reply }
  }

  const common = {
    trade_id: '1',
    trade_seq: 1,
    instrument_name: 'BTC-PERPETUAL',
    timestamp: first + 2,
    tick_direction: 1,
    index_price: 50_000,
    mark_price: 50_000,
    price: 50_010,
    amount: 20,
    contracts: 2,
  }

  test('S035-S041 R49 in the public list, exactly: the direction is the taker’s (S038)', () => {
    const { m } = one()
    expect(m.result(null, tape, perpetual)).toEqual({
      trades: [{ ...common, direction: 'buy' }],
      has_more: false,
    })
  })

  test('S049-S057 in the reply to the taker, exactly', () => {
    const { reply } = one()
    expect(reply.trades).toEqual([
      {
        ...{ ...common, direction: 'buy', user_id: 5, order_id: '2', order_type: 'market' },
        // 20 USD / 50010 = 0.00039992 BTC. The fee is 0.05 % of it, in 1e-8.
        ...{ matching_id: null, state: 'filled', fee: 0.0000002, fee_currency: 'BTC' },
        ...{ liquidity: 'T', reduce_only: false, post_only: false, api: true, mmp: false },
        ...{ risk_reducing: false, self_trade: false, profit_loss: 0 },
      },
    ])
    expect(reply.order).toMatchObject({ order_state: 'filled', filled_amount: 20 })
  })

  test('R06 S050 for the maker the direction is its own side, and the order is still open', () => {
    const { m } = one()
    const { trades, has_more } = m.result('alice', own, perpetual)
    expect(has_more).toBe(false)
    expect(trades).toEqual([
      {
        ...{ ...common, direction: 'sell', user_id: 4, order_id: '1', order_type: 'limit' },
        label: 'ask',
        ...{ matching_id: null, state: 'open', fee: 0, fee_currency: 'BTC', liquidity: 'M' },
        ...{ reduce_only: false, post_only: false, api: true, mmp: false },
        ...{ risk_reducing: false, self_trade: false, profit_loss: 0 },
      },
    ])
  })

  test('the reply, the list by instrument and the list by order show the same trade', () => {
    const { m, reply } = one()
    expect(m.result('bob', own, perpetual).trades).toEqual(reply.trades)
    const byOrder = m.result('bob', 'private/get_user_trades_by_order', { order_id: '2' })
    expect(byOrder).toEqual(reply.trades)
  })

  test('profit_loss is the profit that the fill realized', () => {
    const { m } = one()
    m.result('alice', 'private/buy', { ...perpetual, amount: 20, price: 50_000 })
    const { trades } = m.result('bob', 'private/sell', { ...perpetual, amount: 20, type: 'market' })
    // 20 USD from 50010 to 50000 at the mark of 50000: 20 / 50010 - 20 / 50000.
    expect(trades[0].profit_loss).toBeCloseTo(20 / 50_010 - 20 / 50_000, 9)
  })

  test('a spot trade has no profit and its fee in the currency received (S054)', () => {
    const m = deskMarket({
      ...{ instruments: ['BTC_USDC'], index: { btc_usdc: 50_000 } },
      accounts: { alice: { BTC: 1 }, bob: { USDC: 100_000 } },
    })
    const spot = { instrument_name: 'BTC_USDC', amount: 0.5, price: 50_000 }
    m.result('alice', 'private/sell', spot)
    const { trades } = m.result('bob', 'private/buy', spot)
    expect(trades).toMatchObject([
      { trade_id: 'BTC_USDC-1', profit_loss: null, fee: 0, fee_currency: 'BTC', contracts: 5000 },
    ])
    expect(m.result('alice', own, { instrument_name: 'BTC_USDC' }).trades).toMatchObject([
      { fee_currency: 'USDC', direction: 'sell' },
    ])
  })

  test('T102 T103 S039 tick_direction in the public list: the observed chain, the first is 1', () => {
    const m = deskMarket({ index: { btc_usd: 77_300 } })
    const prices = [77_315.5, 77_304.5, 77_304.5, 77_303, 77_303, 77_303, 77_304]
    for (const price of prices) {
      m.result('alice', 'private/sell', { ...perpetual, amount: 10, price })
      m.result('bob', 'private/buy', { ...perpetual, amount: 10, price })
    }
    const { trades } = m.result(null, tape, { ...perpetual, sorting: 'asc' })
    expect(trades.map((trade: Json) => trade.price)).toEqual(prices)
    expect(trades.map((trade: Json) => trade.tick_direction)).toEqual([1, 2, 3, 2, 3, 3, 0])
  })

  test('S040 index and mark are those at the time of the trade', () => {
    const m = deskMarket()
    const of = { ...perpetual, amount: 10, price: 50_000 }
    m.result('alice', 'private/sell', of)
    m.result(null, 'sim/set_index', { index_name: 'btc_usd', price: 50_020 })
    m.result(null, 'sim/set_mark', { ...perpetual, price: 50_010.25 })
    m.result('bob', 'private/buy', of)
    m.result(null, 'sim/set_index', { index_name: 'btc_usd', price: 49_000 })
    const [trade] = m.result(null, tape, perpetual).trades
    expect(trade).toMatchObject({ index_price: 50_020, mark_price: 50_010.25 })
  })

  test('R08 S035 one counter of trades per settlement currency, one sequence per instrument', () => {
    const m = deskMarket({
      instruments: ['BTC-PERPETUAL', 'BTC-27MAR26', 'BTC_USDC-PERPETUAL'],
      index: { btc_usd: 50_000, btc_usdc: 50_000 },
      accounts: { alice: { BTC: 10, USDC: 100_000 }, bob: { BTC: 10, USDC: 100_000 } },
    })
    const ids: unknown[] = []
    for (const [instrument_name, amount] of [
      ['BTC-PERPETUAL', 10],
      ['BTC-27MAR26', 10],
      ['BTC_USDC-PERPETUAL', 0.001],
      ['BTC-PERPETUAL', 10],
    ] as const) {
      m.result('alice', 'private/sell', { instrument_name, amount, price: 50_000 })
      const { trades } = m.result('bob', 'private/buy', { instrument_name, amount, type: 'market' })
      ids.push([trades[0].trade_id, trades[0].trade_seq])
    }
    expect(ids).toEqual([
      ['1', 1],
      ['2', 1],
      ['BTC_USDC-1', 1],
      ['3', 2],
    ])
  })
})

describe.each([
  ['the tape', tape, null],
  ['user trades', own, 'bob'],
] as const)('ranges of %s (R35, S180-S184)', (_title, method, account) => {
  const m = traded(12)

  function seqs(params: RequestParams = {}): [readonly number[], boolean] {
    const { trades, has_more } = m.result(account, method, { ...perpetual, ...params })
    return [trades.map((trade: Json) => trade.trade_seq), has_more]
  }

  /** The time of a trade. */
  const at = (seq: number): number => first + 2 * seq

  test('S181 without bounds: the newest ten, newest first, and has_more is true', () => {
    expect(seqs()).toEqual([[12, 11, 10, 9, 8, 7, 6, 5, 4, 3], true])
    expect(seqs({ count: 12 })[1]).toBe(false)
    expect(seqs({ count: 1000 })[0]).toHaveLength(12)
  })

  test('S182 S023 asc starts with the lowest, desc with the highest', () => {
    expect(seqs({ sorting: 'asc', count: 3 })).toEqual([[1, 2, 3], true])
    expect(seqs({ sorting: 'desc', count: 3 })).toEqual([[12, 11, 10], true])
    expect(seqs({ sorting: 'default', count: 3 })).toEqual([[12, 11, 10], true])
  })

  test('S183 sequence bounds are inclusive', () => {
    expect(seqs({ start_seq: 4, end_seq: 6 })).toEqual([[4, 5, 6], false])
    expect(seqs({ end_seq: 3 })).toEqual([[3, 2, 1], false])
    expect(seqs({ start_seq: 11 })).toEqual([[11, 12], false])
    expect(seqs({ start_seq: 5, end_seq: 5 })).toEqual([[5], false])
    expect(seqs({ start_seq: 13 })).toEqual([[], false])
  })

  test('S180 times are inclusive, in milliseconds', () => {
    expect(seqs({ start_timestamp: at(4), end_timestamp: at(6) })).toEqual([[4, 5, 6], false])
    expect(seqs({ start_timestamp: at(4) + 1, end_timestamp: at(6) - 1 })).toEqual([[5], false])
    expect(seqs({ end_timestamp: at(2) })).toEqual([[2, 1], false])
    expect(seqs({ start_timestamp: at(12) })).toEqual([[12], false])
  })

  test('with a start the default order is ascending, from the lowest on', () => {
    expect(seqs({ start_timestamp: at(3), count: 2 })).toEqual([[3, 4], true])
    expect(seqs({ start_seq: 3, count: 2 })).toEqual([[3, 4], true])
    expect(seqs({ end_seq: 8, count: 2 })).toEqual([[8, 7], true])
    expect(seqs({ start_seq: 3, end_seq: 8, sorting: 'desc', count: 2 })).toEqual([[8, 7], true])
  })

  test('all bounds apply together', () => {
    const bounds = { start_seq: 2, end_seq: 9, start_timestamp: at(4), end_timestamp: at(11) }
    expect(seqs(bounds)).toEqual([[4, 5, 6, 7, 8, 9], false])
  })

  test('has_more is true if the range has more trades than were returned', () => {
    expect(seqs({ start_seq: 3, end_seq: 5, count: 3 })[1]).toBe(false)
    expect(seqs({ start_seq: 3, end_seq: 5, count: 2 })[1]).toBe(true)
  })

  test('a start after its end: -32602', () => {
    const asked = (params: RequestParams): string => m.refusal(account, method, { ...perpetual, ...params })
    const sequence = { start_seq: 5, end_seq: 4 }
    expect(asked(sequence)).toBe('-32602 Invalid params start_seq start_after_end')
    const times = { start_timestamp: 5, end_timestamp: 4 }
    expect(asked(times)).toBe('-32602 Invalid params start_timestamp start_after_end')
  })

  test.each([
    [0, 'too_small'],
    [-1, 'too_small'],
    [1001, 'too_large'],
    [1.5, 'wrong_type'],
    ['10', 'wrong_type'],
  ])('R38 S310 count %j is refused, not clamped', (count, problem) => {
    const refusal = m.refusal(account, method, { ...perpetual, count })
    expect(refusal).toBe(`-32602 Invalid params count ${problem}`)
  })

  test('include_old is accepted and has no effect; an unknown sorting is refused', () => {
    expect(seqs({ include_old: true, count: 1 })).toEqual([[12], true])
    const refusal = m.refusal(account, method, { ...perpetual, sorting: 'none' })
    expect(refusal).toBe('-32602 Invalid params sorting unknown_value')
  })

  test('S179 an instrument that is not listed: 13020, after wrong parameters', () => {
    const instrument_name = 'BTC-27MAR26'
    expect(m.refusal(account, method, { instrument_name })).toBe('13020 not_found')
    const crossed = { instrument_name, start_seq: 2, end_seq: 1 }
    expect(m.refusal(account, method, crossed)).toContain('-32602')
    const required = '-32602 Invalid params instrument_name required'
    expect(m.refusal(account, method)).toBe(required)
  })
})

describe('trades by instrument and time (S186, S187, R34)', () => {
  const m = traded(12)
  const seqs = (params: RequestParams): Json =>
    m.result(null, byTime, { ...perpetual, ...params }).trades.map((trade: Json) => trade.trade_seq)

  test('both times, as the schema requires', () => {
    expect(seqs({ start_timestamp: first + 4, end_timestamp: first + 8 })).toEqual([2, 3, 4])
  })

  test('one time, as the text allows: from the first trade, or until now', () => {
    expect(seqs({ start_timestamp: first + 20 })).toEqual([10, 11, 12])
    expect(seqs({ end_timestamp: first + 6 })).toEqual([3, 2, 1])
  })

  test('neither: -32602 with the parameter', () => {
    const required = '-32602 Invalid params start_timestamp required'
    expect(m.refusal(null, byTime, perpetual)).toBe(required)
    expect(m.refusal(null, byTime, { instrument_name: 'NO' })).toBe(required)
  })

  test('S187 count, sorting and result are the same as above', () => {
    const from = { start_timestamp: first }
    expect(seqs(from)).toHaveLength(10)
    expect(seqs({ ...from, sorting: 'desc', count: 2 })).toEqual([12, 11])
    expect(m.refusal(null, byTime, { ...perpetual, ...from, count: 0 })).toContain('count too_small')
    const reply = m.result(null, byTime, { ...perpetual, ...from, count: 1 })
    expect(reply.has_more).toBe(true)
    expect(m.refusal(null, byTime, { ...from, instrument_name: 'NO' })).toBe('13020 not_found')
    const crossed = { ...perpetual, start_timestamp: 5, end_timestamp: 4 }
    expect(m.refusal(null, byTime, crossed)).toContain('start_after_end')
  })
})

test('times of trades count in whole milliseconds, truncated', () => {
  const m = deskMarket()
  m.result('alice', 'private/sell', { ...perpetual, amount: 10, price: 50_000 })
  m.venue.wait('900us')
  const { trades } = m.result('bob', 'private/buy', { ...perpetual, amount: 10, type: 'market' })
  const at = trades[0].timestamp
  const range = { start_timestamp: at, end_timestamp: at }
  const page = 'public/get_last_trades_by_instrument_and_time'
  expect(m.result(null, page, { ...perpetual, ...range }).trades).toHaveLength(1)
  const later = { start_timestamp: at + 1, end_timestamp: at + 1 }
  expect(m.result(null, page, { ...perpetual, ...later }).trades).toEqual([])
})

describe('user trades of one order and of other days (C15, S053)', () => {
  function filledInParts(): DeskMarket {
    const m = deskMarket()
    m.result('alice', 'private/sell', { ...perpetual, amount: 30, price: 50_000 })
    for (let part = 0; part < 3; part += 1) {
      m.venue.wait('10ms')
      m.result('bob', 'private/buy', { ...perpetual, amount: 10, type: 'market' })
    }
    return m
  }

  const seqs = (trades: Json): Json => trades.map((trade: Json) => trade.trade_seq)
  const byOrder = 'private/get_user_trades_by_order'

  test('a bare list, newest first unless asc', () => {
    const m = filledInParts()
    const order_id = '1'
    expect(seqs(m.result('alice', byOrder, { order_id }))).toEqual([3, 2, 1])
    expect(seqs(m.result('alice', byOrder, { order_id, sorting: 'desc' }))).toEqual([3, 2, 1])
    expect(seqs(m.result('alice', byOrder, { order_id, sorting: 'asc' }))).toEqual([1, 2, 3])
    const states = m.result('alice', byOrder, { order_id }).map((trade: Json) => trade.state)
    expect(states).toEqual(['filled', 'open', 'open'])
  })

  test('an order without trades has an empty list', () => {
    const m = deskMarket()
    m.result('alice', 'private/sell', { ...perpetual, amount: 30, price: 50_000 })
    expect(m.result('alice', byOrder, { order_id: '1' })).toEqual([])
  })

  test('after 24 hours a trade is historical and in the archive, always in exactly one of the two', () => {
    const m = filledInParts()
    const ask = (historical: boolean): Json =>
      m.result('alice', own, { ...perpetual, historical, sorting: 'asc' }).trades
    const day = 86_400_000
    expect([seqs(ask(false)), seqs(ask(true))]).toEqual([[1, 2, 3], []])
    // The trades were at 12, 23 and 34 ms.
    m.result(null, 'sim/advance', { to: first + day + 25 })
    expect([seqs(ask(true)), seqs(ask(false))]).toEqual([[1, 2], [3]])
    expect(ask(true).map((trade: Json) => trade.state)).toEqual(['archive', 'archive'])
    // A request moves the clock by 1 ms, so the next one is sent exactly 24 hours after the third trade.
    m.result(null, 'sim/advance', { to: first + day + 33 })
    expect([seqs(ask(true)), seqs(ask(false))]).toEqual([[1, 2, 3], []])
    m.result(null, 'sim/advance', { to: first + day + 40 })
    expect(m.result('alice', byOrder, { order_id: '1' })).toEqual([])
    expect(seqs(m.result('alice', byOrder, { order_id: '1', historical: true }))).toEqual([3, 2, 1])
  })

  test('with self-match switched off both sides belong to the account, and the trade shows that', () => {
    const m = deskMarket({ config: { selfMatch: 'off' } })
    m.result('alice', 'private/sell', { ...perpetual, amount: 10, price: 50_000 })
    m.result('alice', 'private/buy', { ...perpetual, amount: 10, price: 50_000 })
    const { trades } = m.result('alice', own, perpetual)
    expect(trades).toMatchObject([
      { liquidity: 'T', direction: 'buy', self_trade: true, order_id: '2' },
      { liquidity: 'M', direction: 'sell', self_trade: true, order_id: '1' },
    ])
  })
})

describe('public trades of a currency (R63, R43)', () => {
  const byCurrency = 'public/get_last_trades_by_currency'
  const currencyAndTime = 'public/get_last_trades_by_currency_and_time'
  const m = deskMarket({
    instruments: ['BTC-PERPETUAL', 'BTC-27MAR26', 'BTC_USDC-PERPETUAL', 'BTC_USDC'],
    index: { btc_usd: 50_000, btc_usdc: 50_000 },
    accounts: { alice: { BTC: 10, USDC: 100_000 }, bob: { BTC: 10, USDC: 100_000 } },
  })
  for (const [instrument_name, amount] of [
    ['BTC-PERPETUAL', 10],
    ['BTC-27MAR26', 10],
    ['BTC_USDC-PERPETUAL', 0.001],
    ['BTC_USDC', 0.001],
    ['BTC-PERPETUAL', 20],
  ] as const) {
    m.result('alice', 'private/sell', { instrument_name, amount, price: 50_000 })
    m.result('bob', 'private/buy', { instrument_name, amount, price: 50_000 })
  }
  const ids = (params: RequestParams, method = byCurrency): Json =>
    m.result(null, method, params).trades.map((trade: Json) => trade.trade_id)

  test('all instruments of a currency in one order; a spot trade is in base and quote', () => {
    expect(ids({ currency: 'BTC' })).toEqual(['3', 'BTC_USDC-2', '2', '1'])
    expect(ids({ currency: 'USDC', sorting: 'asc' })).toEqual(['BTC_USDC-1', 'BTC_USDC-2'])
    expect(ids({ currency: 'ETH' })).toEqual([])
    expect(ids({ currency: 'BTC', kind: 'future' })).toEqual(['3', '2', '1'])
    expect(ids({ currency: 'BTC', kind: 'spot' })).toEqual(['BTC_USDC-2'])
  })

  test('by ids and times, with has_more', () => {
    const futures = { currency: 'BTC', kind: 'future' }
    expect(ids({ ...futures, start_id: '2', sorting: 'asc' })).toEqual(['2', '3'])
    expect(ids({ ...futures, end_id: '2' })).toEqual(['2', '1'])
    expect(ids({ ...futures, start_timestamp: first + 3 })).toEqual(['2', '3'])
    expect(m.result(null, byCurrency, { ...futures, count: 2 }).has_more).toBe(true)
    expect(m.result(null, byCurrency, { ...futures, count: 3 }).has_more).toBe(false)
  })

  test('R08 a bound applies to the counter that its prefix names; other trades are out of range', () => {
    const btc = { currency: 'BTC' }
    expect(ids({ ...btc, start_id: '1', end_id: '1' })).toEqual(['1'])
    expect(ids({ ...btc, start_id: '1' })).toEqual(['1', '2', '3'])
    expect(ids({ ...btc, end_id: '3' })).toEqual(['3', '2', '1'])
    expect(ids({ ...btc, start_id: 'BTC_USDC-1' })).toEqual(['BTC_USDC-2'])
    expect(ids({ ...btc, end_id: 'ETH-9' })).toEqual([])
    // Ids of two counters form no range in either order.
    expect(ids({ ...btc, start_id: '3', end_id: 'BTC_USDC-1' })).toEqual([])
    expect(m.refusal(null, byCurrency, { ...btc, start_id: 'DAI-1' })).toContain('start_id invalid')
  })

  test('R34 the form by time requires one of the two times', () => {
    const asked = { currency: 'BTC', end_timestamp: first + 4 }
    expect(ids(asked, currencyAndTime)).toEqual(['2', '1'])
    expect(m.refusal(null, currencyAndTime, { currency: 'BTC' })).toBe('-32602 Invalid params start_timestamp required')
  })

  test('a listed currency without trades has an empty list', () => {
    expect(ids({ currency: 'SOL' })).toEqual([])
  })

  test.each([
    [{ currency: 'DOGE' }, 'currency unknown_value'],
    [{ currency: null }, 'currency required'],
    [{ kind: 'perpetual' }, 'kind unknown_value'],
    [{ count: 0 }, 'count too_small'],
    [{ count: 1001 }, 'count too_large'],
    [{ start_timestamp: 5, end_timestamp: 4 }, 'start_timestamp start_after_end'],
  ])('R38 R44 %j is refused', (params, problem) => {
    for (const method of [byCurrency, currencyAndTime]) {
      const asked = { currency: 'BTC', start_timestamp: 1, ...params }
      expect(m.refusal(null, method, asked)).toBe(`-32602 Invalid params ${problem}`)
    }
    const crossed = { currency: 'BTC', start_id: '3', end_id: '2' }
    expect(m.refusal(null, byCurrency, crossed)).toContain('start_id start_after_end')
    const wrong = { currency: 'BTC', start_id: 'x y' }
    expect(m.refusal(null, byCurrency, wrong)).toContain('start_id invalid')
  })
})
