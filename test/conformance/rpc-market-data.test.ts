/**
 * Market data as JSON: instruments and their filters, ticker, order book, statistics, time.
 * Source: interface document, public/get_instruments; market.md 1.2, 8; coverage R18, R19, R42, R43.
 */
import { describe, expect, test } from 'vitest'
import { instrumentId, lots, price9 } from '../../src/core/index.ts'
import type { RequestParams } from '../../src/rpc/index.ts'
import { type DeskMarket, deskMarket, type Json } from '../support/desk-market.ts'

const perpetual = { instrument_name: 'BTC-PERPETUAL' }
const first = 1_767_603_600_000
const spotExpiry = 32_503_708_800_000

const names = [
  'BTC-PERPETUAL',
  'ETH-27MAR26',
  'BTC-27MAR26-50000-C',
  'SOL_USDC-PERPETUAL',
  'BTC_USDC',
  'ETH_BTC',
  'BTC-FS-27MAR26_PERP',
  'AAVE_USDC-PERPETUAL',
]

describe('public/get_instruments (market.md 1.2)', () => {
  const m = deskMarket({ instruments: names })
  const listed = (params: RequestParams = {}): Json => m.result(null, 'public/get_instruments', params)
  const namesOf = (params: RequestParams): Json => listed(params).map((instrument: Json) => instrument.instrument_name)
  const one = (name: string): Json => listed().find((instrument: Json) => instrument.instrument_name === name)

  test('S019 all listed instruments, in the order of listing, numbered from 1000', () => {
    expect(namesOf({})).toEqual(names)
    expect(listed().map((instrument: Json) => instrument.instrument_id)).toEqual(names.map((_name, at) => 1000 + at))
  })

  test('an inverse perpetual, exactly', () => {
    expect(one('BTC-PERPETUAL')).toEqual({
      instrument_name: 'BTC-PERPETUAL',
      instrument_id: 1000,
      kind: 'future',
      future_type: 'reversed',
      instrument_type: 'reversed',
      base_currency: 'BTC',
      quote_currency: 'USD',
      counter_currency: 'USD',
      settlement_currency: 'BTC',
      settlement_period: 'perpetual',
      contract_size: 10,
      lot_size: 10,
      min_trade_amount: 10,
      tick_size: 0.5,
      tick_size_steps: [],
      maker_commission: 0,
      taker_commission: 0.0005,
      block_trade_commission: 0.00025,
      block_trade_min_trade_amount: 200_000,
      block_trade_tick_size: 0.01,
      max_liquidation_commission: 0.0075,
      max_leverage: 50,
      price_index: 'btc_usd',
      expiration_timestamp: spotExpiry,
      creation_timestamp: first,
      is_active: true,
      state: 'open',
      product_group: 'BTC',
      underlying_type: 'crypto',
    })
  })

  test('an option has strike, type and tick steps; neither leverage nor future_type', () => {
    const option = one('BTC-27MAR26-50000-C')
    expect(option).toMatchObject({
      ...{ kind: 'option', option_type: 'call', strike: 50_000, instrument_type: 'reversed' },
      ...{ base_currency: 'BTC', quote_currency: 'BTC', counter_currency: 'USD' },
      tick_size_steps: [{ above_price: 0.005, tick_size: 0.0005 }],
      ...{ tick_size: 0.0001, settlement_period: 'month', min_trade_amount: 0.1 },
      expiration_timestamp: Date.UTC(2026, 2, 27, 8),
    })
    for (const key of ['future_type', 'max_leverage', 'max_liquidation_commission']) {
      expect(option).not.toHaveProperty(key)
    }
  })

  test.each([
    ['BTC-PERPETUAL', 200_000, 0.01],
    ['ETH_USDC-PERPETUAL', 100_000, 0.01],
    ['SOL_USDC-PERPETUAL', 50_000, 0.01],
    ['BTC-27MAR26-50000-C', 25, 0.0001],
    ['BTC_USDC-27MAR26-50000-C', 25, 5],
    ['SOL_USDC-27MAR26-100-C', 1500, 0.1],
  ])('F06 the minimum block trade of %s and its tick (market.md 1.4)', (instrument, least, tick) => {
    const m = deskMarket({ instruments: [instrument], accounts: {}, index: {} })
    expect(m.result(null, 'public/get_instrument', { instrument_name: instrument })).toMatchObject({
      block_trade_min_trade_amount: least,
      block_trade_tick_size: tick,
    })
  })

  test('spot has no settlement and ends in the year 3000; combos are no futures', () => {
    const spot = one('BTC_USDC')
    expect(spot).toMatchObject({ kind: 'spot', expiration_timestamp: spotExpiry })
    for (const key of ['settlement_currency', 'settlement_period', 'future_type', 'max_leverage']) {
      expect(spot).not.toHaveProperty(key)
    }
    expect(one('BTC-FS-27MAR26_PERP')).not.toHaveProperty('future_type')
  })

  test('R43 S020 by currency: the settlement currency; for spot, base and quote', () => {
    const spot = ['BTC_USDC', 'ETH_BTC']
    expect(namesOf({ currency: 'BTC' })).toEqual([names[0], names[2], ...spot, names[6]])
    expect(namesOf({ currency: 'ETH' })).toEqual(['ETH-27MAR26', 'ETH_BTC'])
    expect(namesOf({ currency: 'USDC' })).toEqual([names[3], 'BTC_USDC', names[7]])
    expect(namesOf({ currency: 'USDT' })).toEqual([])
    expect(namesOf({ currency: 'any' })).toEqual(names)
    expect(namesOf({ currency: 'SOL' })).toEqual([])
    expect(m.refusal(null, 'public/get_instruments', { currency: 'DOGE' })).toBe(
      '-32602 Invalid params currency unknown_value',
    )
  })

  test('S026 by kind', () => {
    expect(namesOf({ kind: 'spot' })).toEqual(['BTC_USDC', 'ETH_BTC'])
    expect(namesOf({ kind: 'future_combo' })).toEqual(['BTC-FS-27MAR26_PERP'])
    expect(namesOf({ kind: 'option_combo' })).toEqual([])
    expect(m.refusal(null, 'public/get_instruments', { kind: 'perpetual' })).toContain('kind')
  })

  test('S200 product_group in any case; another is -32602 (R42)', () => {
    expect(namesOf({ product_group: 'tier_2' })).toEqual(['SOL_USDC-PERPETUAL'])
    expect(namesOf({ product_group: 'Tier_3' })).toEqual(['AAVE_USDC-PERPETUAL'])
    expect(namesOf({ product_group: 'eth' })).toEqual(['ETH-27MAR26', 'ETH_BTC'])
    const unknown = '-32602 Invalid params product_group unknown_value'
    expect(m.refusal(null, 'public/get_instruments', { product_group: 'rwa' })).toBe(unknown)
    const wrong = '-32602 Invalid params product_group wrong_type'
    expect(m.refusal(null, 'public/get_instruments', { product_group: 2 })).toBe(wrong)
  })

  test('S201 state in any case, six values (R42)', () => {
    expect(namesOf({ state: 'OPEN' })).toEqual(names)
    for (const state of ['inactive', 'Settlement', 'delivered', 'locked', 'HALTED']) {
      expect([state, namesOf({ state })]).toEqual([state, []])
    }
    for (const state of ['archivized', 'closed']) {
      expect(m.refusal(null, 'public/get_instruments', { state })).toContain('unknown_value')
    }
  })

  test('S199 the filters combine; an unknown instrument_id gives an empty list', () => {
    expect(namesOf({ instrument_id: 1003 })).toEqual(['SOL_USDC-PERPETUAL'])
    expect(namesOf({ instrument_id: 1003, state: 'open', product_group: 'TIER_2' })).toHaveLength(1)
    expect(namesOf({ instrument_id: 1003, product_group: 'BTC' })).toEqual([])
    expect(namesOf({ instrument_id: 5 })).toEqual([])
  })

  test('R42 delivered instruments: left out, with expired, with state', () => {
    const late = deskMarket({ instruments: names })
    const row = late.venue.exchange.instruments[1]
    if (row !== undefined) row.state = 'delivered'
    const found = (params: RequestParams): Json =>
      late
        .result(null, 'public/get_instruments', params)
        .map((instrument: Json) => [instrument.instrument_name, instrument.is_active])
    expect(found({})).toHaveLength(names.length - 1)
    const delivered = [['ETH-27MAR26', false]]
    expect(found({ expired: true })).toEqual(delivered)
    expect(found({ state: 'Delivered' })).toEqual(delivered)
    expect(found({ state: 'delivered', expired: false })).toEqual([])
    expect(found({ state: 'open', expired: true })).toEqual([])
  })
})

describe('public/ticker and public/get_order_book (market.md 8)', () => {
  function quoted(): DeskMarket {
    const m = deskMarket()
    const levels = [
      ['buy', 49_900, 100],
      ['buy', 49_900, 50],
      ['buy', 49_800, 20],
      ['sell', 50_100, 30],
      ['sell', 50_200.5, 10],
    ] as const
    for (const [side, price, amount] of levels) {
      m.result('alice', `private/${side}`, { ...perpetual, amount, price })
    }
    return m
  }

  const noStats = { volume: 0, volume_usd: 0, volume_notional: 0 }

  test('R19 empty sides are 0, last and statistics null', () => {
    expect(deskMarket().result(null, 'public/ticker', perpetual)).toEqual({
      instrument_name: 'BTC-PERPETUAL',
      timestamp: first + 1,
      state: 'open',
      stats: { ...noStats, low: null, high: null, price_change: null },
      open_interest: 0,
      best_bid_price: 0,
      best_bid_amount: 0,
      best_ask_price: 0,
      best_ask_amount: 0,
      index_price: 50_000,
      mark_price: 50_000,
      last_price: null,
      min_price: 49_250,
      max_price: 50_750,
      estimated_delivery_price: 50_000,
      settlement_price: 50_000,
      funding_8h: 0,
      current_funding: 0,
      interest_value: 0,
    })
  })

  test('best prices and amounts of both sides, one side empty', () => {
    const m = quoted()
    expect(m.result(null, 'public/ticker', perpetual)).toMatchObject({
      ...{ best_bid_price: 49_900, best_bid_amount: 150 },
      ...{ best_ask_price: 50_100, best_ask_amount: 30 },
    })
    m.result('bob', 'private/buy', { ...perpetual, amount: 40, price: 50_200.5 })
    expect(m.result(null, 'public/ticker', perpetual)).toMatchObject({
      ...{ best_bid_price: 49_900, best_ask_price: 0, best_ask_amount: 0 },
      ...{ last_price: 50_200.5, open_interest: 40 },
    })
  })

  test('the book: the ticker with change_id and levels, bids descending, asks ascending', () => {
    const m = quoted()
    const { bids, asks, change_id, ...rest } = m.result(null, 'public/get_order_book', perpetual)
    expect(bids).toEqual([
      [49_900, 150],
      [49_800, 20],
    ])
    expect(asks).toEqual([
      [50_100, 30],
      [50_200.5, 10],
    ])
    expect(change_id).toBe(5)
    const ticker = m.result(null, 'public/ticker', perpetual)
    expect({ ...rest, timestamp: rest.timestamp + 1 }).toEqual(ticker)
    const empty = deskMarket().result(null, 'public/get_order_book', perpetual)
    expect([empty.bids, empty.asks, empty.change_id]).toEqual([[], [], 0])
  })

  test('the same book by the number of its instrument', () => {
    const m = quoted()
    const method = 'public/get_order_book_by_instrument_id'
    const [{ instrument_id }] = m.result(null, 'public/get_instruments')
    const named = m.result(null, 'public/get_order_book', { ...perpetual, depth: 1 })
    const book = m.result(null, method, { instrument_id, depth: 1 })
    expect({ ...book, timestamp: named.timestamp }).toEqual(named)
    expect(book.bids).toEqual([[49_900, 150]])
    for (const unknown of [0, instrument_id - 1, instrument_id + 1]) {
      expect(m.refusal(null, method, { instrument_id: unknown })).toBe('13020 not_found')
    }
    expect(m.refusal(null, method)).toBe('-32602 Invalid params instrument_id required')
    expect(m.refusal(null, method, { instrument_id, depth: 2 })).toBe('-32602 Invalid params depth unknown_value')
  })

  test('R18 change_id changes with the levels and only with them', () => {
    const m = quoted()
    const change = (): number => m.result(null, 'public/get_order_book', perpetual).change_id
    const before = change()
    m.result('alice', 'private/edit', { order_id: '1', amount: 100, post_only: true })
    expect(change()).toBe(before)
    m.result('alice', 'private/edit', { order_id: '1', amount: 90 })
    expect(change()).toBe(before + 1)
  })

  test('depth: eight values, 20 if none is given', () => {
    const m = deskMarket()
    for (let level = 0; level < 25; level += 1) {
      m.result('alice', 'private/buy', { ...perpetual, amount: 10, price: 49_900 - level })
    }
    const bids = (params: RequestParams): number =>
      m.result(null, 'public/get_order_book', { ...perpetual, ...params }).bids.length
    expect(bids({})).toBe(20)
    for (const depth of [1, 5, 10, 20]) expect(bids({ depth })).toBe(depth)
    for (const depth of [50, 100, 1000, 10_000]) expect(bids({ depth })).toBe(25)
    for (const depth of [0, 2, 15, 10_001, '5', 5.5]) {
      const refusal = m.refusal(null, 'public/get_order_book', { ...perpetual, depth })
      expect(refusal).toBe('-32602 Invalid params depth unknown_value')
    }
  })

  test('spot has no open interest and no estimated delivery price', () => {
    const m = deskMarket({ instruments: ['BTC_USDC'], index: { btc_usdc: 50_000 } })
    const ticker = m.result(null, 'public/ticker', { instrument_name: 'BTC_USDC' })
    expect(ticker).not.toHaveProperty('open_interest')
    expect(ticker).not.toHaveProperty('estimated_delivery_price')
    expect(ticker.stats).toHaveProperty('volume_usd')
  })

  test('N2 before there is an index, prices are 0 and limits are at the ends of the range', () => {
    const m = deskMarket({ index: {} })
    expect(m.result(null, 'public/ticker', perpetual)).toMatchObject({
      ...{ index_price: 0, mark_price: 0, min_price: 0.5, max_price: 9_007_199 },
    })
    const order = { ...perpetual, amount: 10, price: 50_000 }
    expect(m.refusal('alice', 'private/buy', order)).toBe('10040 retry')
  })

  test('an instrument that is not listed: 13020', () => {
    for (const method of ['public/ticker', 'public/get_order_book']) {
      const m = deskMarket()
      expect(m.refusal(null, method, { instrument_name: 'BTC-27MAR26' })).toBe('13020 not_found')
      expect(m.refusal(null, method)).toBe('-32602 Invalid params instrument_name required')
    }
  })
})

describe('statistics of the last 24 hours (market.md 8)', () => {
  function trade(m: DeskMarket, amount: number, price: number): void {
    m.result('alice', 'private/sell', { ...perpetual, amount, price })
    m.result('bob', 'private/buy', { ...perpetual, amount, price })
  }

  const statsOf = (m: DeskMarket): Json => m.result(null, 'public/ticker', perpetual).stats
  const market = (): DeskMarket => deskMarket({ index: { btc_usd: 87_500 } })
  const day = 86_400_000

  test('T105 volume of inverse trades in coin, rounded to 8 decimals', () => {
    const m = market()
    trade(m, 8370, 87_456)
    expect(statsOf(m)).toEqual({
      ...{ volume: 0.09570527, volume_usd: 8370, volume_notional: 8370 },
      ...{ low: 87_456, high: 87_456, price_change: 0 },
    })
  })

  test('T104 price_change from the last trade before the 24 hours, in percent', () => {
    const m = market()
    trade(m, 10, 87_000)
    trade(m, 10, 87_730)
    m.result(null, 'sim/advance', { to: first + day + 100 })
    trade(m, 20, 87_002.5)
    expect(statsOf(m)).toMatchObject({
      ...{ price_change: -0.8292, volume_usd: 20, low: 87_002.5, high: 87_002.5 },
    })
  })

  test('price_change from the first trade in the window if no earlier one exists', () => {
    const m = market()
    trade(m, 10, 87_000)
    trade(m, 10, 88_000)
    trade(m, 10, 87_500)
    expect(statsOf(m)).toMatchObject({ price_change: 0.5747, low: 87_000, high: 88_000 })
  })

  test('a day after the last trade the statistics are empty, and the last price stays', () => {
    const m = market()
    trade(m, 10, 87_000)
    m.result(null, 'sim/advance', { to: first + day + 100 })
    const none = { volume: 0, volume_usd: 0, volume_notional: 0 }
    expect(statsOf(m)).toEqual({ ...none, low: null, high: null, price_change: null })
    expect(m.result(null, 'public/ticker', perpetual).last_price).toBe(87_000)
  })

  test('linear trades: volume in base coin, notional in quote; options have no volume in USD', () => {
    const m = deskMarket({
      instruments: ['BTC_USDC-PERPETUAL', 'BTC-27MAR26-50000-C'],
      index: { btc_usd: 50_000, btc_usdc: 50_000 },
      accounts: { alice: { BTC: 10, USDC: 100_000 }, bob: { BTC: 10, USDC: 100_000 } },
    })
    const linear = { instrument_name: 'BTC_USDC-PERPETUAL', amount: 0.02, price: 50_100 }
    m.result('alice', 'private/sell', linear)
    m.result('bob', 'private/buy', linear)
    expect(m.result(null, 'public/ticker', linear).stats).toMatchObject({
      ...{ volume: 0.02, volume_usd: 1002, volume_notional: 1002 },
    })
    const option = { instrument_name: 'BTC-27MAR26-50000-C' }
    // Options do not trade yet, so the test adds a trade of one to the history.
    const { trades } = m.venue.desk.history
    const [seen] = trades.rows.get(instrumentId(0)) ?? []
    if (seen === undefined) throw new Error('the linear trade is in the history')
    const sold = {
      ...seen,
      instrument: instrumentId(1),
      amount: lots(5),
      price: price9(20_000_000),
    }
    trades.rows.set(instrumentId(1), [sold])
    const { stats } = m.result(null, 'public/ticker', option)
    expect(stats).toMatchObject({ volume: 0.5, volume_notional: 0.01 })
    // N3: 0.01 BTC at the index.
    expect(stats.volume_usd).toBe(500)
  })
})

test('S018 public/get_time is the clock in whole milliseconds', () => {
  const m = deskMarket()
  expect(m.result(null, 'public/get_time')).toBe(first + 1)
  m.venue.wait('999us')
  expect(m.result(null, 'public/get_time')).toBe(first + 2)
})
