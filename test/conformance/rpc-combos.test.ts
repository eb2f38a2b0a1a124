/**
 * Methods of combos: create_combo, get_combos, get_combo_ids, get_combo_details, get_leg_prices, and trades of combos
 * (trading.md 4.9, 6.15; market.md 1.1, 8; coverage S046, R49, R63).
 */
import { describe, expect, test } from 'vitest'
import { defaultConfig } from '../../src/model/index.ts'
import { type DeskMarket, deskMarket, type Json } from '../support/desk-market.ts'
import { market, start } from '../support/harness.ts'

const strikes = [90_000, 95_000, 100_000] as const
const call = (strike: number): string => `BTC-30JAN26-${strike}-C`
const put = (strike: number): string => `BTC-30JAN26-${strike}-P`

function options(): DeskMarket {
  return deskMarket({
    instruments: ['BTC-PERPETUAL', 'BTC-27MAR26', ...strikes.flatMap((k) => [call(k), put(k)])],
    index: { btc_usd: 90_000 },
    accounts: { alice: { BTC: 100 }, bob: { BTC: 100 } },
  })
}

function leg(instrument_name: string, direction: 'buy' | 'sell', amount = 1): Json {
  return { instrument_name, direction, amount }
}

const spread = [leg(call(90_000), 'buy'), leg(call(95_000), 'sell')]
const name = 'BTC-CS-30JAN26-90000_95000'

describe('rule combo.create: private/create_combo (C33)', () => {
  test('lists a combo for its legs', () => {
    const m = options()
    const made = m.result('alice', 'private/create_combo', { trades: spread })
    expect(made).toEqual({
      id: name,
      instrument_id: made.instrument_id,
      state: 'active',
      state_timestamp: made.creation_timestamp,
      creation_timestamp: made.creation_timestamp,
      legs: [
        { instrument_name: call(90_000), amount: 1 },
        { instrument_name: call(95_000), amount: -1 },
      ],
    })
    const instrument = m.result(null, 'public/get_instrument', { instrument_name: name })
    expect(instrument).toMatchObject({
      ...{ kind: 'option_combo', tick_size: 0.0001, min_trade_amount: 0.1 },
      instrument_id: made.instrument_id,
    })
  })

  test.each<readonly [string, Json]>([
    ['the same legs in another order', spread.toReversed()],
    ['a multiple of them', spread.map((each: Json) => ({ ...each, amount: 2.5 }))],
    ['all signs the other way round', [leg(call(90_000), 'sell'), leg(call(95_000), 'buy')]],
  ])('finds the existing one for %s', (_title, trades) => {
    const m = options()
    const made = m.result('alice', 'private/create_combo', { trades: spread })
    expect(m.result('bob', 'private/create_combo', { trades })).toEqual(made)
    expect(m.result(null, 'public/get_combos', { currency: 'BTC' })).toEqual([made])
  })

  test('a new combo has the name of its legs, even if the signs are reversed', () => {
    const m = options()
    const trades = [leg(put(90_000), 'buy', 3), leg(put(95_000), 'sell', 3)]
    expect(m.result('alice', 'private/create_combo', { trades }).id).toBe('BTC-PS-30JAN26-95000_90000')
  })

  test('of two futures the name has the later one first, unless the other name is listed', () => {
    const trades = [leg('BTC-PERPETUAL', 'buy', 10), leg('BTC-27MAR26', 'sell', 10)]
    const m = options()
    expect(m.result('alice', 'private/create_combo', { trades }).id).toBe('BTC-FS-27MAR26_PERP')
    const other = options()
    other.result(null, 'sim/list_instrument', { instrument_name: 'BTC-FS-PERP_27MAR26' })
    expect(other.result('alice', 'private/create_combo', { trades }).id).toBe('BTC-FS-PERP_27MAR26')
  })

  test.each<readonly [string, Json, string]>([
    ['a leg that is not listed', [leg(call(90_000), 'buy'), leg(call(91_000), 'sell')], '13020 not_found'],
    [
      'legs without a code',
      [leg(call(90_000), 'buy', 1), leg(call(95_000), 'sell', 5)],
      '-32602 Invalid params trades not_a_combo',
    ],
    [
      'the same leg twice',
      [leg(call(90_000), 'buy'), leg(call(90_000), 'sell')],
      '-32602 Invalid params trades named_twice',
    ],
    ['an amount off the step', [leg(call(90_000), 'buy', 0.15), leg(call(95_000), 'sell')], '10021 invalid_amount'],
    [
      'no amount',
      [leg(call(90_000), 'buy', 0), leg(call(95_000), 'sell')],
      '-32602 Invalid params trades.0.amount too_small',
    ],
    [
      'less than the smallest amount',
      [leg(call(90_000), 'buy'), leg(call(95_000), 'sell', 0.05)],
      '-32602 Invalid params trades.1.amount too_small',
    ],
    [
      'a negative amount',
      [leg(call(90_000), 'buy'), leg(call(95_000), 'sell', -1)],
      '-32602 Invalid params trades.1.amount too_small',
    ],
    ['no legs', [], '-32602 Invalid params trades too_small'],
    ['one leg', [leg(call(90_000), 'buy')], '-32602 Invalid params trades not_a_combo'],
    [
      'legs of two currencies',
      [leg(call(90_000), 'buy'), leg('BTC-PERPETUAL', 'sell', 10)],
      '-32602 Invalid params trades not_a_combo',
    ],
  ])('refuses %s', (_title, trades, expected) => {
    expect(options().refusal('alice', 'private/create_combo', { trades })).toContain(expected)
  })

  test('refuses legs whose books take no orders', () => {
    const m = options()
    const state = { instrument_name: call(95_000), state: 'locked' }
    m.result(null, 'sim/set_instrument_state', state)
    expect(m.refusal('alice', 'private/create_combo', { trades: spread })).toBe('13036 unavailable_for_combo_books')
  })
})

describe('limits of active option combos (C33d)', () => {
  const day = 86_400_000_000
  const combos = ['BTC-CS-27FEB26-90000_95000', 'BTC-CS-27FEB26-90000_100000', 'BTC-STRD-27FEB26-90000']
  const legs = ['90000-C', '95000-C', '100000-C', '90000-P'].map((tail) => `BTC-27FEB26-${tail}`)

  function limited(soft: number, hard: number): ReturnType<typeof market> {
    return market({
      instruments: Object.fromEntries(legs.map((each) => [each, {}])),
      accounts: { alice: { BTC: '100' } },
      index: { btc_usd: '90000' },
      config: { comboLimits: { ...defaultConfig(start).comboLimits, soft, hard } },
    })
  }

  function create(m: ReturnType<typeof market>, combo: string): ReturnType<typeof m.list> {
    const other = market({ instruments: { [combo]: {} }, accounts: {}, index: {} })
    return m.send({ kind: 'create_combo', spec: other.instrument(combo) }, 'alice')
  }

  function states(m: ReturnType<typeof market>): readonly string[] {
    return m.exchange.instruments.slice(legs.length).map(({ state }) => state)
  }

  test('above the soft limit idle combos without orders become inactive, the oldest first', () => {
    const m = limited(2, 3)
    create(m, combos[0] as string)
    create(m, combos[1] as string)
    m.wait(day - 1)
    create(m, combos[2] as string)
    expect(states(m)).toEqual(['open', 'open', 'open'])
    m.list('BTC-27FEB26-95000-P')
    expect(create(m, 'BTC-STRD-27FEB26-95000').refusal).toEqual({
      reason: 'active_combo_limit_reached',
    })
    m.buy('alice', { instrument: combos[0] as string, amount: '1', price: '0.0001' })
    m.wait(1)
    expect(create(m, 'BTC-STRD-27FEB26-95000').refusal).toBeNull()
    const rows = m.exchange.instruments.filter(({ instrument }) => instrument.kind === 'option_combo')
    expect(rows.map(({ state }) => state)).toEqual(['open', 'inactive', 'open', 'open'])
  })

  test('an inactive combo opens again when it is requested', () => {
    const m = limited(1, 2)
    create(m, combos[0] as string)
    m.wait(day)
    create(m, combos[1] as string)
    expect(states(m)).toEqual(['inactive', 'open'])
    m.wait(day)
    expect(create(m, combos[0] as string).refusal).toBeNull()
    expect(states(m)).toEqual(['open', 'inactive'])
  })
})

describe('queries of combos (R63)', () => {
  test('get_combos, get_combo_ids and get_combo_details', () => {
    const m = options()
    const made = m.result('alice', 'private/create_combo', { trades: spread })
    const trades = [leg(call(90_000), 'buy'), leg(put(90_000), 'buy')]
    const straddle = m.result('alice', 'private/create_combo', { trades })
    m.result(null, 'sim/set_instrument_state', { instrument_name: name, state: 'inactive' })
    expect(m.result(null, 'public/get_combos', { currency: 'BTC' })).toEqual([straddle])
    expect(m.result(null, 'public/get_combos', { currency: 'ETH' })).toEqual([])
    const ids = (params: Json): Json => m.result(null, 'public/get_combo_ids', { currency: 'BTC', ...params })
    expect(ids({})).toEqual([made.id, straddle.id])
    expect(ids({ state: 'active' })).toEqual([straddle.id])
    expect(ids({ state: 'inactive' })).toEqual([made.id])
    const details = m.result(null, 'public/get_combo_details', { combo_id: made.id })
    expect(details).toMatchObject({ id: name, state: 'inactive', legs: made.legs })
    expect(details.state_timestamp).toBeGreaterThan(made.state_timestamp)
    const unknown = { combo_id: 'BTC-PERPETUAL' }
    expect(m.refusal(null, 'public/get_combo_details', unknown)).toBe('13020 not_found')
  })
})

describe('rule combo.leg-prices: private/get_leg_prices (C33)', () => {
  test('a call spread at 0.6', () => {
    const m = options()
    m.result(null, 'sim/set_mark', { instrument_name: call(90_000), price: 0.59 })
    m.result(null, 'sim/set_mark', { instrument_name: call(95_000), price: 0.0001 })
    const asked = { legs: spread.map((each: Json) => ({ ...each, amount: 2 })), price: 0.6 }
    expect(m.result('alice', 'private/get_leg_prices', asked)).toEqual({
      legs: [
        { ratio: 1, instrument_name: call(90_000), direction: 'buy', price: 0.6001 },
        { ratio: 1, instrument_name: call(95_000), direction: 'sell', price: 0.0001 },
      ],
      amount: 2,
    })
  })

  test('legs that are all bought cost at least one tick each', () => {
    const legs = [leg(call(90_000), 'buy'), leg(put(90_000), 'buy')]
    const m = options()
    expect(m.refusal('alice', 'private/get_leg_prices', { legs, price: 0.0001 })).toBe('10023 invalid_price')
  })

  test('A2 two futures with unequal amounts are no spread and follow the rule of other legs', () => {
    const m = options()
    m.result(null, 'sim/set_mark', { instrument_name: 'BTC-PERPETUAL', price: 90_000 })
    m.result(null, 'sim/set_mark', { instrument_name: 'BTC-27MAR26', price: 91_000 })
    const near = leg('BTC-PERPETUAL', 'sell', 20)
    const legs = [leg('BTC-27MAR26', 'buy', 10), near]
    const asked = (price: number): Json => ({ legs, price })
    expect(m.result('alice', 'private/get_leg_prices', asked(-88_000))).toEqual({
      legs: [
        { ratio: 1, instrument_name: 'BTC-27MAR26', direction: 'buy', price: 92_000 },
        { ratio: 2, instrument_name: 'BTC-PERPETUAL', direction: 'sell', price: 90_000 },
      ],
      amount: 10,
    })
  })
})

describe('rule combo.trade: trades of combos in replies', () => {
  test('S046 R49 leg trades name the combo and its trade, and the combo’s trade names its legs', () => {
    const m = options()
    m.result('alice', 'private/create_combo', { trades: spread })
    m.result(null, 'sim/set_mark', { instrument_name: call(90_000), price: 0.05 })
    m.result(null, 'sim/set_mark', { instrument_name: call(95_000), price: 0.03 })
    const order = { instrument_name: name, amount: 1, price: 0.02 }
    m.result('alice', 'private/sell', order)
    const { order: bought, trades } = m.result('bob', 'private/buy', order)
    expect(bought).toMatchObject({ order_state: 'filled', average_price: 0.02 })
    expect(trades.map((trade: Json) => trade.instrument_name)).toEqual([name])
    const legs = [
      {
        ...{ trade_id: '2', trade_seq: 1, instrument_name: call(90_000), direction: 'buy' },
        ...{ price: 0.05, amount: 1, contracts: 1 },
      },
      {
        ...{ trade_id: '3', trade_seq: 1, instrument_name: call(95_000), direction: 'sell' },
        ...{ price: 0.03, amount: 1, contracts: 1 },
      },
    ]
    expect(trades[0]).toMatchObject({ trade_id: '1', fee: 0, profit_loss: 0, legs })
    expect(trades[0].combo_id).toBeUndefined()
    const own = m.result('alice', 'private/get_user_trades_by_currency', { currency: 'BTC' })
    expect(own.trades.map((trade: Json) => trade.direction)).toEqual(['buy', 'sell', 'sell'])
    expect(own.trades[2].legs.map((each: Json) => each.direction)).toEqual(['sell', 'buy'])
    const tape = m.result(null, 'public/get_last_trades_by_instrument', {
      instrument_name: call(95_000),
    })
    expect(tape.trades[0]).toMatchObject({
      ...{ trade_id: '3', combo_id: name, combo_trade_id: '1', direction: 'sell', price: 0.03 },
    })
    expect(tape.trades[0].legs).toBeUndefined()
    const ticker = m.result(null, 'public/ticker', { instrument_name: name })
    expect(ticker).toMatchObject({ last_price: 0.02, stats: { volume: 1 } })
  })

  test('S027 a combo of futures accepts stops, also below zero', () => {
    const m = options()
    const instrument_name = 'BTC-FS-27MAR26_PERP'
    m.result(null, 'sim/list_instrument', { instrument_name })
    const { order } = m.result('alice', 'private/sell', {
      ...{ instrument_name, amount: 10, price: -10, type: 'stop_limit' },
      ...{ trigger: 'mark_price', trigger_price: -5 },
    })
    expect(order).toMatchObject({ order_state: 'untriggered', price: -10, trigger_price: -5 })
  })

  test('a combo at a negative price, and then at zero', () => {
    const m = options()
    const instrument_name = 'BTC-FS-27MAR26_PERP'
    m.result(null, 'sim/list_instrument', { instrument_name })
    for (const price of [-20, 0]) {
      m.result('alice', 'private/buy', { instrument_name, amount: 100, price })
      const { trades } = m.result('bob', 'private/sell', { instrument_name, amount: 100, price })
      expect(trades[0]).toMatchObject({ price, direction: 'sell' })
    }
    const ticker = m.result(null, 'public/ticker', { instrument_name })
    expect(ticker.last_price).toBe(0)
    expect(ticker.stats.price_change).toBe(100)
    const summary = m.result(null, 'public/get_book_summary_by_instrument', { instrument_name })
    expect(summary[0]).toMatchObject({ last: 0, low: -20, high: 0 })
    expect(m.result('bob', 'private/get_position', { instrument_name: 'BTC-27MAR26' }).size).toBe(-200)
  })
})

test('F05 the legs of a combo trade have the same fields as the leg trades, in public and for both sides', () => {
  const m = options()
  const { id } = m.result('alice', 'private/create_combo', {
    trades: [leg('BTC-27MAR26', 'buy', 10), leg('BTC-PERPETUAL', 'sell', 10)],
  })
  const of = { instrument_name: id, amount: 10, price: 50 }
  m.result('alice', 'private/buy', of)
  const { trades } = m.result('bob', 'private/sell', of)
  const own = 'private/get_user_trades_by_instrument'
  const tape = 'public/get_last_trades_by_instrument'
  for (const [account, method] of [
    [null, tape],
    ['alice', own],
    ['bob', own],
  ] as const) {
    const [combo] = m.result(account, method, { instrument_name: id }).trades
    const legs = ['BTC-27MAR26', 'BTC-PERPETUAL'].map(
      (instrument_name) => m.result(account, method, { instrument_name }).trades[0],
    )
    expect(combo.legs).toEqual(legs)
    expect(combo.legs[0]).toMatchObject({ combo_id: id, combo_trade_id: combo.trade_id })
    expect(combo.legs[0].mark_price).toBeGreaterThan(0)
  }
  // The reply shows them too.
  const sold = m.result('bob', own, { instrument_name: id }).trades
  expect(trades.find(({ instrument_name }: Json) => instrument_name === id)).toEqual(sold[0])
})

test('N1 N3 tickers of combos have their state, implied prices of the legs, and greeks for options', () => {
  const legs = ['BTC-30JAN26-50000-C', 'BTC-30JAN26-55000-C']
  const m = deskMarket({ instruments: ['BTC-PERPETUAL', ...legs, 'BTC-30JAN26'] })
  const [near = '', far = ''] = legs
  const ticker = (instrument_name: string): Json => m.result(null, 'public/ticker', { instrument_name })
  const comboOf = (amount: number, names: readonly string[]): string =>
    m.result('alice', 'private/create_combo', {
      trades: names.map((instrument_name, at) => ({
        ...{ instrument_name, amount, direction: at === 0 ? 'buy' : 'sell' },
      })),
    }).id
  const spread = comboOf(1, legs)
  const future = comboOf(10, ['BTC-30JAN26', 'BTC-PERPETUAL'])
  expect(ticker(spread)).not.toHaveProperty('implied_bid')
  const order = (side: string, instrument_name: string, price: number, amount: number): void => {
    m.result('alice', `private/${side}`, { instrument_name, price, amount })
  }
  for (const name of legs) {
    const mark = Math.floor(ticker(name).mark_price * 1000)
    order('buy', name, mark / 1000, 0.1)
    order('sell', name, (mark + 2) / 1000, 0.1)
  }
  for (const name of ['BTC-PERPETUAL', 'BTC-30JAN26']) {
    order('buy', name, 49_990, 1000)
    order('sell', name, 50_010, 1000)
  }
  const [first, second] = [ticker(near), ticker(far)]
  const found = ticker(spread)
  expect(found).toMatchObject({
    ...{ combo_state: 'active', underlying_index: 'index_price', underlying_price: 50_000 },
    ...{ mark_iv: 0, bid_iv: 0, ask_iv: 0, interest_rate: 0, stats: { volume_usd: 0 } },
  })
  expect(found.implied_bid).toBeCloseTo(first.best_bid_price - second.best_ask_price, 9)
  expect(found.implied_ask).toBeCloseTo(first.best_ask_price - second.best_bid_price, 9)
  for (const greek of ['delta', 'gamma', 'rho', 'theta', 'vega']) {
    expect(found.greeks[greek]).toBeCloseTo(first.greeks[greek] - second.greeks[greek], 4)
  }
  expect(m.result(null, 'public/get_order_book', { instrument_name: spread })).toMatchObject({
    ...{ implied_bid: found.implied_bid, greeks: found.greeks },
  })
  const dated = ticker(future)
  expect(dated).toMatchObject({ combo_state: 'active', implied_bid: -20, implied_ask: 20 })
  for (const field of ['greeks', 'mark_iv', 'bid_iv']) expect(dated).not.toHaveProperty(field)
  m.result(null, 'sim/set_instrument_state', { instrument_name: spread, state: 'inactive' })
  expect(ticker(spread).combo_state).toBe('inactive')
  const summaries = m.result(null, 'public/get_book_summary_by_currency', { currency: 'BTC' })
  for (const summary of summaries) expect(summary).toHaveProperty('volume_usd')
})
