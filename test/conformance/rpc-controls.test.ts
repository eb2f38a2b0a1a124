/**
 * The simulator's own methods: accounts, instruments, money, positions, reference prices, the clock.
 * Source: coverage R24, R44, R64; DESIGN 1 and 6.
 */
import { describe, expect, test } from 'vitest'
import { audit } from '../../src/engine/index.ts'
import { openVenue, type Venue } from '../../src/program/index.ts'
import type { RequestParams } from '../../src/rpc/index.ts'
import { type DeskMarket, deskMarket, type Json } from '../support/desk-market.ts'

/** Sends the requests of a trade, and returns their answers. */
type Trading = (venue: Venue, price: number, side: 'buy' | 'sell') => readonly { readonly ok?: boolean | undefined }[]

const perpetual = { instrument_name: 'BTC-PERPETUAL' }
const first = 1_767_603_600_000

const apart = 'the exchange cannot compute exactly with this amount step, tick size and fees'
const tiny = { tick_size: 1e-9, min_trade_amount: 1e-9, contract_size: 1e-9 }

describe('sim/create_account and sim/deposit', () => {
  test('an account is opened once, and its name has no dots', () => {
    const m = deskMarket()
    const open = (params: RequestParams): Json => m.ask(null, 'sim/create_account', params)
    expect(open({ name: 'carol' }).result).toBe('ok')
    const refused = (params: RequestParams): string => m.refusal(null, 'sim/create_account', params)
    const wrong = '-32602 Invalid params name '
    expect(refused({ name: 'carol' })).toBe(`${wrong}the account carol already exists`)
    expect(refused({ name: 'a.b' })).toBe(`${wrong}expected a name without dots`)
    expect(refused({ name: '' })).toBe('-32602 Invalid params name too_small')
    expect(refused({})).toBe('-32602 Invalid params name required')
  })

  test('S022 R44 deposits and withdrawals in any of the twelve currencies', () => {
    const m = deskMarket()
    const deposit = (params: RequestParams): Json => m.ask(null, 'sim/deposit', { account: 'alice', ...params })
    for (const currency of 'BTC ETH USDC USDT EURR SOL XRP STETH USYC PAXG BNB USDE'.split(' ')) {
      expect(deposit({ currency, amount: 0.000000001 }).result).toBe('ok')
    }
    expect(deposit({ currency: 'BTC', amount: -9 }).result).toBe('ok')
    const summary = m.result('alice', 'private/get_account_summary', { currency: 'BTC' })
    expect(summary.balance).toBe(1)
    expect(deposit({ currency: 'BTC', amount: -2 }).error.code).toBe(10009)
  })

  test('one deposit may exceed nine million units, but a balance may not exceed nine billion', () => {
    const m = deskMarket()
    const deposit = { account: 'alice', currency: 'USDC' }
    m.result(null, 'sim/deposit', { ...deposit, amount: 5e9 })
    m.result(null, 'sim/deposit', { ...deposit, amount: { decimal: '1234567890.123456789' } })
    const summary = m.result('alice', 'private/get_account_summary', { currency: 'USDC' })
    expect(summary.balance).toBe(6_234_567_890.123457)
    const refused = (amount: Json): string => m.refusal(null, 'sim/deposit', { ...deposit, amount })
    const tooMuch = '-32602 Invalid params amount the balance would be above 9 billion units'
    for (const amount of [2_765_432_110, 1e12, 1e300]) expect(refused(amount)).toBe(tooMuch)
    for (const amount of [-6_234_567_891, -1e12, -1e300]) {
      expect(refused(amount)).toBe('10009 not_enough_funds')
    }
    m.result(null, 'sim/deposit', { ...deposit, amount: { decimal: '2765432109.876543211' } })
    expect(refused(0.000000001)).toBe(tooMuch)
    expect(refused(0.0000000001)).toBe('-32602 Invalid params amount too_many_decimals')
    expect(refused(null)).toBe('-32602 Invalid params amount required')
    expect(refused('5')).toBe('-32602 Invalid params amount wrong_type')
  })

  test('an unknown account or currency', () => {
    const m = deskMarket()
    const nobody = { account: 'nobody', currency: 'BTC', amount: 1 }
    const refused = (params: RequestParams): string => m.refusal(null, 'sim/deposit', params)
    expect(refused(nobody)).toBe('-32602 Invalid params account unknown_account')
    expect(refused({ ...nobody, currency: 'DOGE' })).toBe('-32602 Invalid params currency unknown_value')
  })
})

describe('subaccounts: sim/create_account with main', () => {
  test('an account belongs to another one, its main account', () => {
    const m = deskMarket()
    expect(m.result(null, 'sim/create_account', { name: 'desk', main: 'alice' })).toBe('ok')
    const summary = (account: string): Json =>
      m.result(account, 'private/get_account_summary', { currency: 'BTC', extended: true })
    expect(summary('desk')).toMatchObject({ type: 'subaccount', username: 'desk' })
    expect(summary('alice')).toMatchObject({ type: 'main', username: 'alice' })
  })

  test('the main account exists in the run and is no subaccount', () => {
    const m = deskMarket()
    m.result(null, 'sim/create_account', { name: 'desk', main: 'alice' })
    const refused = (main: Json): string => m.refusal(null, 'sim/create_account', { name: 'other', main })
    const wrong = '-32602 Invalid params main '
    expect(refused('nobody')).toBe(`${wrong}unknown_account`)
    expect(refused('house.fees')).toBe(`${wrong}unknown_account`)
    expect(refused('desk')).toBe(`${wrong}is_a_subaccount`)
    expect(refused(5)).toBe(`${wrong}wrong_type`)
    expect(m.result(null, 'sim/create_account', { name: 'other', main: null })).toBe('ok')
  })
})

describe('sim/set_instrument_state (R64, trading.md 6.4)', () => {
  const set = (m: ReturnType<typeof deskMarket>, state: string): void => {
    expect(m.result(null, 'sim/set_instrument_state', { ...perpetual, state })).toBe('ok')
  }
  const order = { ...perpetual, amount: 10, price: 49_500 }
  const reason = (m: ReturnType<typeof deskMarket>): Json => {
    const { order_state, cancel_reason } = m.result('alice', 'private/get_order_state', {
      order_id: '1',
    })
    return [order_state, cancel_reason]
  }

  test('the ticker and the list of instruments show it', () => {
    const m = deskMarket()
    for (const state of ['locked', 'halted', 'settlement', 'open'] as const) {
      set(m, state)
      expect(m.result(null, 'public/ticker', perpetual).state).toBe(state)
      const [instrument] = m.result(null, 'public/get_instruments', { state })
      expect(instrument).toMatchObject({ state, is_active: state === 'open' })
    }
  })

  test.each([
    ['settlement', 'good_til_day', ['cancelled', 'settlement']],
    ['settlement', 'good_til_cancelled', ['open', undefined]],
    ['locked', 'good_til_day', ['open', undefined]],
    ['delivered', 'good_til_cancelled', ['cancelled', undefined]],
    ['inactive', 'good_til_cancelled', ['cancelled', 'risk_mitigation']],
  ])('R52 S095 S096 entering %s, an order %s', (state, time_in_force, expected) => {
    const m = deskMarket()
    m.result('alice', 'private/buy', { ...order, time_in_force })
    set(m, state)
    expect(reason(m)).toEqual(expected)
  })

  test('C31h untriggered orders end without a reason at delivery', () => {
    const m = deskMarket()
    const stop = { type: 'stop_market', trigger: 'mark_price', trigger_price: 50_500 }
    m.result('alice', 'private/buy', { ...order, ...stop })
    set(m, 'delivered')
    const ended = m.result('alice', 'private/get_order_state', { order_id: 'SLMB-1' })
    expect(ended).toMatchObject({ order_state: 'cancelled', triggered: false })
    expect(ended).not.toHaveProperty('cancel_reason')
  })

  test('its parameters', () => {
    const m = deskMarket()
    const refused = (params: RequestParams): string => m.refusal(null, 'sim/set_instrument_state', params)
    const wrong = '-32602 Invalid params '
    expect(refused({ state: 'open' })).toBe(`${wrong}instrument_name required`)
    expect(refused(perpetual)).toBe(`${wrong}state required`)
    expect(refused({ ...perpetual, state: 'closed' })).toBe(`${wrong}state unknown_value`)
    expect(refused({ instrument_name: 'NO', state: 'open' })).toBe('13020 not_found')
  })
})

describe('sim/list_instrument', () => {
  test('tiny ticks require small amount steps', () => {
    const m = deskMarket()
    const params = { instrument_name: 'ETH-PERPETUAL', tick_size: 1e-9, min_trade_amount: 0.001 }
    const listed = m.result(null, 'sim/list_instrument', params)
    expect(listed).toMatchObject({ tick_size: 1e-9, min_trade_amount: 0.001 })
  })

  test('lists by name with replaced fields, and answers like get_instruments', () => {
    const m = deskMarket()
    const params = { instrument_name: 'ETH-PERPETUAL', tick_size: 0.1, taker_commission: 0.001 }
    const listed = m.result(null, 'sim/list_instrument', params)
    expect(listed).toMatchObject({ instrument_id: 1001, tick_size: 0.1, taker_commission: 0.001 })
    const [, second] = m.result(null, 'public/get_instruments')
    expect(second).toEqual(listed)
  })

  test.each([
    [{ instrument_name: 'BTC-PERPETUAL' }, 'instrument_name BTC-PERPETUAL is already listed'],
    [{ instrument_name: 'nonsense' }, 'instrument_name expected'],
    [{ instrument_name: 'ETH-PERPETUAL', tick_size: 0 }, 'tick_size expected'],
    [{ instrument_name: 'ETH-PERPETUAL', tick_size: 1e-9 }, `instrument_name ${apart}`],
    [{ instrument_name: 'BTC-27MAR26', tick_size: 1e-9, min_trade_amount: 1_000_000 }, `instrument_name ${apart}`],
    [{ ...tiny, instrument_name: 'SOL_USDC-PERPETUAL', taker_commission: 1e-9 }, `instrument_name ${apart}`],
    [{ instrument_name: 'ETH-PERPETUAL', tick_size: true }, 'tick_size wrong_type'],
    [{ instrument_name: 'ETH-PERPETUAL', price_index: 'ETH' }, 'price_index expected'],
    [{}, 'instrument_name required'],
  ])('%j is refused', (params, expected) => {
    const refusal = deskMarket().refusal(null, 'sim/list_instrument', params)
    expect(refusal).toContain(`-32602 Invalid params ${expected}`)
  })
})

describe('sim/set_index and sim/set_mark', () => {
  const marks = (m: ReturnType<typeof deskMarket>): readonly number[] => {
    const { index_price, mark_price } = m.result(null, 'public/ticker', perpetual)
    return [index_price, mark_price]
  }

  test('R24 an index takes effect at once; a pinned mark stays until a call without a price unpins it', () => {
    const m = deskMarket()
    expect(m.result(null, 'sim/set_index', { index_name: 'btc_usd', price: 51_000 })).toBe('ok')
    expect(marks(m)).toEqual([51_000, 51_000])
    const set = { ...perpetual, price: 50_500.25 }
    expect(m.result(null, 'sim/set_mark', set)).toEqual({ mark_price: 50_500.25 })
    m.result(null, 'sim/set_index', { index_name: 'btc_usd', price: 52_000 })
    expect(marks(m)).toEqual([52_000, 50_500.25])
    expect(m.result(null, 'sim/set_mark', perpetual)).toEqual({ mark_price: 52_000 })
    expect(m.result(null, 'sim/set_mark', { ...perpetual, price: null })).toEqual({
      mark_price: 52_000,
    })
  })

  test('wrong prices and names', () => {
    const m = deskMarket()
    const index = (params: RequestParams): string => m.refusal(null, 'sim/set_index', params)
    const name = { index_name: 'btc_usd' }
    expect(index({ ...name, price: 0 })).toContain('-32602 Invalid params price')
    expect(index({ ...name, price: -5 })).toContain('-32602 Invalid params price')
    expect(index({ ...name, price: 1e8 })).toContain('price not_a_price')
    expect(index({ ...name, price: 0.0000000001 })).toContain('price not_a_price')
    expect(index(name)).toContain('price required')
    expect(index({ index_name: 'BTC', price: 1 })).toBe('-32602 Invalid params index_name invalid')
    const mark = (params: RequestParams): string => m.refusal(null, 'sim/set_mark', params)
    expect(mark({ instrument_name: 'X', price: 1 })).toBe('13020 not_found')
    expect(mark({ ...perpetual, price: 0 })).toContain('-32602 Invalid params price')
    expect(mark({ instrument_name: 'X', price: 1e8 })).toContain('price not_a_price')
  })
})

describe('sim/set_index from constituents (market.md 3.1)', () => {
  const three: Json = [
    { price: 100, weight: 25 },
    { price: 101, weight: 50 },
    { price: 120, weight: 25 },
  ]
  const set = (m: DeskMarket, constituents: Json): Json => {
    m.result(null, 'sim/set_index', { index_name: 'sol_usd', constituents })
    return m.result(null, 'public/get_index_price', { index_name: 'sol_usd' }).index_price
  }

  test('T22 prices are clamped to half a percent of their median, then weighted', () => {
    const m = deskMarket()
    expect(set(m, three)).toBe(101)
    expect(set(m, three.slice(0, 1))).toBe(100)
    expect(
      set(m, [
        { price: 100, weight: 1 },
        { price: 101, weight: 2 },
      ]),
    ).toBe(100.67)
  })

  test.each([
    [{ constituents: [] }, 'constituents too_small'],
    [{ constituents: 5 }, 'constituents wrong_type'],
    [{ constituents: [{ price: 1 }] }, 'constituents.0.weight required'],
    [{ constituents: [three[0], { price: 0, weight: 1 }] }, 'constituents.1.price not_above_zero'],
    [{ constituents: [{ price: 1, weight: -1 }] }, 'constituents.0.weight not_above_zero'],
    [{ constituents: [{ price: 1e8, weight: 1 }] }, 'constituents.0.price too_large'],
    [{ constituents: [{ price: 1, weight: 1e-10 }] }, 'constituents.0.weight too_many_decimals'],
    [{ constituents: [{ price: 1e-9, weight: 1 }] }, 'constituents too_small'],
    [{ constituents: three, instrument_name: 'BTC-PERPETUAL' }, 'instrument_name not_without_from'],
    [{ price: 5, instrument_name: 'BTC-PERPETUAL' }, 'instrument_name not_without_from'],
    [{ constituents: three, price: 5 }, 'price not_with_constituents'],
    [{ constituents: three, from: 'mid', instrument_name: 'BTC-PERPETUAL' }, 'constituents not_with_from'],
  ])('%j is refused', (params: Json, problem) => {
    const asked = { index_name: 'sol_usd', ...params }
    expect(deskMarket().refusal(null, 'sim/set_index', asked)).toBe(`-32602 Invalid params ${problem}`)
  })
})

describe('sim/create_account with a fee factor (market.md 4)', () => {
  const feeOf = (fee_factor: Json): Json => {
    const m = deskMarket()
    m.result(null, 'sim/create_account', { name: 'desk', fee_factor })
    m.result(null, 'sim/deposit', { account: 'desk', currency: 'BTC', amount: 10 })
    m.result('alice', 'private/sell', { ...perpetual, amount: 50_000, price: 50_000 })
    const { trades } = m.result('desk', 'private/buy', {
      ...{ ...perpetual, amount: 50_000, price: 50_000 },
    })
    return trades[0].fee
  }

  test('the account pays that fraction of its fees', () => {
    expect([feeOf(null), feeOf(1), feeOf(0.5), feeOf(0)]).toEqual([0.0005, 0.0005, 0.00025, 0])
    expect(feeOf(0.123456)).toBe(0.00006173)
  })

  test.each([-0.1, 1.1, 0.1234567, 2])('%j is not a fee factor', (fee_factor) => {
    const asked = { name: 'desk', fee_factor }
    expect(deskMarket().refusal(null, 'sim/create_account', asked)).toBe(
      '-32602 Invalid params fee_factor expected a fraction from 0 to 1 with up to 6 decimals',
    )
  })

  test('a string is not a fee factor', () => {
    const asked = { name: 'desk', fee_factor: '1' }
    expect(deskMarket().refusal(null, 'sim/create_account', asked)).toContain('fee_factor wrong_type')
  })
})

describe('sim/give_position', () => {
  const give = { account: 'alice', ...perpetual, amount: -20_000, price: 40_000 }

  test('a position without a trade, against the house account', () => {
    const m = deskMarket()
    expect(m.result(null, 'sim/give_position', give)).toBe('ok')
    expect(m.result('alice', 'private/get_position', perpetual)).toMatchObject({
      ...{ size: -20_000, average_price: 40_000, direction: 'sell' },
    })
  })

  test.each([
    [{ account: 'nobody' }, '-32602 Invalid params account unknown_account'],
    [{ instrument_name: 'X' }, '13020 not_found'],
    [{ amount: 0 }, '10021 invalid_amount'],
    [{ amount: 15 }, '10027 non_integer_contract_amount'],
    [{ amount: -15 }, '10027 non_integer_contract_amount'],
    [{ price: 0 }, '10023 invalid_price'],
    [{ price: -1 }, '10023 invalid_price'],
    [{ price: 1e8 }, '-32602 Invalid params price not_a_price'],
    [{ price: null }, '-32602 Invalid params price required'],
  ])('%j is refused', (params, expected) => {
    expect(deskMarket().refusal(null, 'sim/give_position', { ...give, ...params })).toBe(expected)
  })

  test.each([
    ['bought low, sold high', 1_900_000, 0.5, 60_000],
    ['sold low, bought high', -1_900_000, 0.5, 60_000],
    ['bought high, sold low', 1_900_000, 60_000, 0.5],
  ])('A2 positions %s add up to what the ledger can hold, and no further', (_, amount, first, second) => {
    const m = deskMarket()
    const given = (size: number, price: number): Json =>
      m.ask(null, 'sim/give_position', { account: 'alice', ...perpetual, amount: size, price })
    const prices = Array.from({ length: 6 }, () => [first, second]).flat()
    const answers = prices.map((price, turn) => given(turn % 2 === 0 ? amount : -amount, price))
    // Two pairs would realize 7.6 million coin, and three more than a wide integer can hold.
    expect(answers.slice(0, 2).map(({ result }) => result)).toEqual(['ok', 'ok'])
    expect(answers[2].error ?? answers[3].error).toMatchObject({ code: 10021, message: 'invalid_amount' })
    audit(m.venue.desk.exchange)
    // The positions of other accounts, and other instruments, are free.
    expect(m.ask(null, 'sim/give_position', { ...give, account: 'bob' }).result).toBe('ok')
  })

  test('A2 profits of trades at very different marks add up to what the ledger can hold, and no further', () => {
    const m = deskMarket()
    for (const account of ['alice', 'bob']) {
      m.result(null, 'sim/deposit', { account, currency: 'BTC', amount: 8_000_000 })
    }
    const order = { ...perpetual, amount: 3_000_000_000 }
    const move = (price: number): number => {
      const index = m.ask(null, 'sim/set_index', { index_name: 'btc_usd', price }).error?.code ?? 0
      return index === 0 ? (m.ask(null, 'sim/set_mark', { ...perpetual, price }).error?.code ?? 0) : index
    }
    const moved: number[] = []
    for (let round = 0; round < 4; round += 1) {
      moved.push(move(5_000_000))
      m.ask('bob', 'private/buy', { ...order, price: 5_000_000 })
      m.ask('alice', 'private/sell', { ...order, price: 5_000_000 })
      moved.push(move(1000))
      m.ask('bob', 'private/sell', { ...order, price: 1000 })
      m.ask('alice', 'private/buy', { ...order, price: 1000 })
    }
    expect(moved.slice(0, 4)).toEqual([0, 0, 0, 0])
    expect(moved).toContain(-32602)
    audit(m.venue.desk.exchange)
  })

  /** Buys dear and sells cheap until a request is refused; returns its error and the number of rounds before. */
  function tradedAtSwings(bands: boolean, trade: Trading): readonly [number, object] {
    const venue = openVenue({
      start: '2026-01-05T09:00:00Z',
      instruments: ['BTC-PERPETUAL'],
      index: { btc_usd: 5_000_000 },
      config: { priceBands: bands },
      accounts: { ann: { BTC: 500_000_000 }, bob: { BTC: 500_000_000 }, eve: { BTC: 1000 } },
    })
    for (let round = 0; round < 400; round += 1) {
      for (const [price, side] of [
        [5_000_000, 'buy'],
        [1000, 'sell'],
      ] as const) {
        const refused = trade(venue, price, side).find(({ ok }) => ok !== true)
        if (refused === undefined) continue
        audit(venue.exchange)
        return [round, refused]
      }
    }
    return [400, {}]
  }

  const small = { ...perpetual, amount: 30_000_000 }
  const other = { buy: 'sell', sell: 'buy' } as const

  test('A2 profits of small positions at swings add up to half of what the ledger can hold', () => {
    const [rounds, refused] = tradedAtSwings(true, (venue, price, side) => [
      venue.request('sim/set_index', { index_name: 'btc_usd', price }),
      venue.request('sim/set_mark', { ...perpetual, price }),
      venue.as('bob').request(`private/${other[side]}`, { ...small, price }),
      venue.as('ann').request(`private/${side}`, { ...small, price }),
    ])
    expect(rounds).toBe(134)
    expect(refused).toMatchObject({ error: { code: -32602, data: { param: 'price' } } })
  })

  test('A2 profits of orders far from the mark add up to no more', () => {
    const [rounds, refused] = tradedAtSwings(false, (venue, price, side) => [
      venue.as('bob').request(`private/${other[side]}`, { ...small, price }),
      venue.as('ann').request(`private/${side}`, { ...small, price }),
    ])
    expect(rounds).toBe(134)
    expect(refused).toMatchObject({ error: { code: 10009 } })
  })

  test('A2 profits of block trades far from the mark add up to no more', () => {
    let count = 0
    const [rounds, refused] = tradedAtSwings(false, (venue, price, side) => {
      count += 1
      const trades = [{ ...small, price, direction: side }]
      const block = { timestamp: venue.now / 1000, nonce: `${count}`, trades }
      const signed = venue.as('ann').request('private/verify_block_trade', { ...block, role: 'taker' })
      if (!signed.ok) return [signed]
      const signature = { counterparty_signature: signed.result.signature }
      return [venue.as('bob').request('private/execute_block_trade', { ...block, ...signature, role: 'maker' })]
    })
    expect(rounds).toBe(134)
    expect(refused).toMatchObject({ error: { code: 10009, data: { reason: 'self' } } })
  })

  test('A2 profits of moves far from the mark add up to no more', () => {
    let part: number | undefined
    const [rounds, refused] = tradedAtSwings(false, (venue, price, side) => {
      const ann = venue.as('ann')
      if (part === undefined) {
        const made = ann.request('private/create_subaccount', {})
        if (!made.ok) return [made]
        part = made.result.id
        const asked = { account: made.result.username, currency: 'BTC', amount: 500_000_000 } as const
        const opened = [venue.as('bob').request('private/sell', { ...small, price })]
        return [...opened, ann.request('private/buy', { ...small, price }), venue.request('sim/deposit', asked)]
      }
      const summary = ann.request('private/get_account_summary', { currency: 'BTC', extended: true })
      if (!summary.ok) return [summary]
      const [whole, trades] = [Number(summary.result.id), [{ ...small, price }]]
      // The part gets the position at the low price, and returns it at the high one.
      const between =
        side === 'sell' ? { source_uid: whole, target_uid: part } : { source_uid: part, target_uid: whole }
      return [ann.request('private/move_positions', { ...between, trades })]
    })
    expect(rounds).toBe(134)
    expect(refused).toMatchObject({ error: { code: 10009 } })
  })

  test('A2 profits of liquidations far from the mark add up to no more', () => {
    const [rounds, refused] = tradedAtSwings(false, (venue, price, side) => {
      const [bob, eve] = [venue.as('bob'), venue.as('eve')]
      const set = (): readonly { readonly ok: boolean }[] => [
        venue.request('sim/set_index', { index_name: 'btc_usd', price }),
        venue.request('sim/set_mark', { ...perpetual, price }),
      ]
      if (side === 'buy') {
        const summary = eve.request('private/get_account_summary', { currency: 'BTC' })
        const equity = summary.ok ? summary.result.equity : 0
        const asked = { account: 'eve', currency: 'BTC', amount: Math.max(1, Math.ceil(1000 - equity)) } as const
        const funded = [...set(), venue.request('sim/deposit', asked)]
        const sold = bob.request('private/sell', { ...small, price })
        return [...funded, sold, eve.request('private/buy', { ...small, price })]
      }
      const bid = bob.request('private/buy', { ...small, price })
      const fallen = set()
      venue.wait('10m')
      const position = eve.request('private/get_position', perpetual)
      expect(position).toMatchObject({ result: { size: 0 } })
      return [bid, ...fallen, bob.request('private/cancel_all', {})]
    })
    expect(rounds).toBe(134)
    expect(refused).toMatchObject({ error: { code: -32602, data: { param: 'price' } } })
  })

  test('A2 the premium of a given option may not raise a balance above 9 billion units', () => {
    const m = deskMarket()
    const option = { instrument_name: 'BTC-6JAN26-100000-C' }
    const sold = { account: 'alice', ...option, amount: -1_000_000_000, price: 4 }
    m.result(null, 'sim/list_instrument', option)
    m.result(null, 'sim/set_mark', { ...option, price: 0.1 })
    const codes = [1, 2, 3].map(() => m.ask(null, 'sim/give_position', sold).error?.code ?? 0)
    expect(codes).toEqual([0, 0, 10021])
  })

  test('A2 a basis that grows over many gifts is bounded', () => {
    const m = deskMarket()
    const more = { account: 'alice', ...perpetual, amount: 100_000, price: 0.5 }
    const codes = Array.from({ length: 60 }, () => m.ask(null, 'sim/give_position', more).error?.code ?? 0)
    expect(codes).toEqual([...Array.from({ length: 19 }, () => 0), ...Array.from({ length: 41 }, () => 10021)])
  })
})

describe('sim/advance', () => {
  test('moves the clock and answers with its time; it never goes back', () => {
    const m = deskMarket()
    expect(m.result(null, 'sim/advance', { to: first + 500 })).toBe(first + 500)
    expect(m.result(null, 'public/get_time')).toBe(first + 501)
    const back = m.refusal(null, 'sim/advance', { to: first })
    expect(back).toBe('-32602 Invalid params to the clock never goes back')
    expect(m.refusal(null, 'sim/advance')).toBe('-32602 Invalid params to required')
  })
})
