/**
 * Pre-allocation of Block RFQs: spot legs, the messages to each account about its part, and the checks of funds.
 * Source: sessions document 5.2, 5.7; coverage R06.
 */
import { describe, expect, test } from 'vitest'
import type { Event, EventSink } from '../../src/model/index.ts'
import { type Desk, restoreDesk, Subscriptions, snapshotDesk, submit } from '../../src/rpc/index.ts'
import { call } from '../support/block-market.ts'
import type { Json } from '../support/desk-market.ts'
import { RfqVenue, usualAccept, usualLeg } from '../support/rfq-venue.ts'

const spot = 'BTC_USDC'
const perpetual = 'BTC-PERPETUAL'
const coins = { instrument_name: spot, ratio: 1, direction: 'buy' }
const accept = 'private/accept_block_rfq'

/** A venue whose taker has a subaccount with money. */
function market(): RfqVenue {
  const m = new RfqVenue()
  m.result(null, 'sim/deposit', { account: 'desk', currency: 'USDC', amount: 1_000_000 })
  return m
}

/** The taker asks for 2 coins, of which the desk account takes 1.5. Alpha quotes both sides. */
function asked(m: RfqVenue, of: Json = {}): Json {
  const trade_allocations = of.trade_allocations ?? [
    { user_id: m.numberOf('taker'), amount: 0.5 },
    { user_id: m.numberOf('desk'), amount: 1.5 },
  ]
  const legs = [{ instrument_name: spot, amount: 2, direction: 'buy' }]
  const rfq = m.create({ legs, trade_allocations })
  const { block_rfq_id } = rfq
  m.quote('alpha', { block_rfq_id, amount: 2, legs: [{ ...coins, price: 50_010 }] })
  const bid = { amount: 2, direction: 'buy', legs: [{ ...coins, price: 49_990 }] }
  m.quote('alpha', { block_rfq_id, ...bid })
  return rfq
}

const taken = { amount: 2, legs: [coins], time_in_force: 'fill_or_kill' }

const balances = (m: RfqVenue, account: string): readonly [number, number] => {
  const of = (currency: string): number => m.result(account, 'private/get_account_summary', { currency }).balance
  return [of('BTC'), of('USDC')]
}

describe('rule rfq.allocation-booking', () => {
  test('S143 the coins of a spot leg go to the named accounts, and each pays for its part', () => {
    const m = market()
    asked(m)
    m.grace().accept({ ...taken, price: 50_010 })
    expect(balances(m, 'taker')).toEqual([1_000.5, 10_000_000 - 25_005])
    expect(balances(m, 'desk')).toEqual([1_001.5, 1_000_000 - 75_015])
    expect(balances(m, 'alpha')).toEqual([998, 10_000_000 + 100_020])
  })

  test('S143 if the taker sells, each named account gives its part of the coins and gets the money for it', () => {
    const m = market()
    asked(m)
    m.grace().accept({ ...taken, price: 49_990, direction: 'sell' })
    expect(balances(m, 'taker')).toEqual([999.5, 10_000_000 + 24_995])
    expect(balances(m, 'desk')).toEqual([998.5, 1_000_000 + 74_985])
    expect(balances(m, 'alpha')).toEqual([1_002, 10_000_000 - 99_980])
  })

  test('S143 the hedge of a spot leg is allocated in the same proportion, as positions', () => {
    const m = market()
    const hedge = { instrument_name: perpetual, direction: 'sell', price: 50_000, amount: 1_010 }
    const legs = [{ instrument_name: spot, amount: 2, direction: 'buy' }]
    const trade_allocations = [
      { user_id: m.numberOf('desk'), amount: 1.5 },
      { user_id: m.numberOf('taker'), amount: 0.5 },
    ]
    m.create({ legs, hedge, trade_allocations })
    m.quote('alpha', { amount: 2, legs: [{ ...coins, price: 50_010 }], hedge })
    m.grace().accept({ ...taken, price: 50_010, hedge })
    // A quarter of 101 steps is 25 steps; the first account gets the remainder.
    expect([m.sizeOf('desk', perpetual), m.sizeOf('taker', perpetual)]).toEqual([-760, -250])
    expect(balances(m, 'desk')[1]).toBe(1_000_000 - 75_015)
  })

  test('a taker without funds can pay if other accounts take the whole amount', () => {
    const m = new RfqVenue()
    m.result(null, 'sim/create_account', { name: 'payer', main: 'rival' })
    m.result(null, 'sim/deposit', { account: 'payer', currency: 'USDC', amount: 100_020 })
    const legs = [{ instrument_name: spot, amount: 2, direction: 'buy' }]
    const trade_allocations = [{ user_id: m.numberOf('payer'), amount: 2 }]
    m.create({ legs, trade_allocations }, 'rival')
    m.quote('alpha', { amount: 2, legs: [{ ...coins, price: 50_010 }] })
    m.grace().accept({ ...taken, price: 50_010 }, 'rival')
    expect(balances(m, 'rival')).toEqual([1_000, 0])
    expect(balances(m, 'payer')).toEqual([2, 0])
  })

  test.each([
    ['a unit of money is missing', { USDC: 75_014.99 }, 'buy', 50_010],
    ['there are no coins to sell', { USDC: 0 }, 'sell', 49_990],
  ])('nothing happens if %s', (_, { USDC }, direction, price) => {
    const m = new RfqVenue()
    m.result(null, 'sim/create_account', { name: 'bare', main: 'taker' })
    if (USDC > 0) m.result(null, 'sim/deposit', { account: 'bare', currency: 'USDC', amount: USDC })
    asked(m, {
      trade_allocations: [
        { user_id: m.numberOf('taker'), amount: 0.5 },
        { user_id: m.numberOf('bare'), amount: 1.5 },
      ],
    })
    m.grace()
    const params = { block_rfq_id: 1, ...taken, price, direction }
    expect(m.refusal('taker', accept, params)).toMatch(/^10009 not_enough_funds/)
    expect(m.seen('taker').state).toBe('open')
    m.result(null, 'sim/deposit', { account: 'bare', currency: 'USDC', amount: 0.01 })
    m.result(null, 'sim/deposit', { account: 'bare', currency: 'BTC', amount: 1.5 })
    m.accept(params)
  })

  test('a locked account among the named ones prevents the whole trade', () => {
    const m = market()
    asked(m)
    m.grace()
    m.result(null, 'sim/lock_positions', { account: 'desk' })
    const params = { block_rfq_id: 1, ...taken, price: 50_010, direction: 'buy' }
    expect(m.refusal('taker', accept, params)).toMatch(/^10009 /)
    expect(balances(m, 'taker')).toEqual([1_000, 10_000_000])
  })
})

/** A copy of a venue that continues with channels; they receive events after the history. */
class Heard {
  private readonly subscriptions: Subscriptions
  private readonly desk: Desk
  private readonly m: RfqVenue

  constructor(m: RfqVenue) {
    let subscriptions: Subscriptions | undefined
    const watch: EventSink = { emit: (event) => subscriptions?.events.emit(event) }
    const copy = restoreDesk(
      snapshotDesk(m.venue.desk),
      { emit: () => undefined },
      { watch, methods: m.venue.desk.methods },
    )
    if (!copy.ok) throw new Error(JSON.stringify(copy.error))
    subscriptions = new Subscriptions(copy.value)
    this.subscriptions = subscriptions
    this.desk = copy.value
    this.m = m
  }

  /** Messages that an account receives at channels from now on. */
  listen(account: string, names: readonly string[]): Json[] {
    const heard: Json[] = []
    const send = (text: string): void => {
      const { channel, data } = JSON.parse(text).params
      heard.push([channel, data])
    }
    const number = this.m.numberOf(account)
    for (const name of names) {
      const who = { link: number, account: number as never, allows: () => true, send }
      expect(this.subscriptions.subscribe(who, name, null)).toBe(true)
    }
    this.subscriptions.flush()
    heard.splice(0)
    return heard
  }

  ask(account: string, method: string, params: Json): Json {
    const replies: Json[] = []
    const time = (this.m.venue.now + 1) as never
    submit(this.desk, { time, method, params, account, session: 0 }, (reply) => replies.push(reply))
    expect(replies).toMatchObject([{ ok: true }])
    return replies[0].result
  }

  /** The taker accepts the RFQ, and all channels report it. */
  accept(params: Json): Json {
    const result = this.ask('taker', accept, { ...usualAccept, ...params })
    this.subscriptions.flush()
    this.subscriptions.flushIntervals(Math.ceil(this.m.venue.now / 1_000_000 + 1) * 1_000_000)
    return result
  }
}

describe('messages to accounts about their parts', () => {
  const channels = ['user.trades.any.any.raw', 'user.changes.any.any.raw', 'user.orders.any.any.raw']

  test('S143 an account with a part receives its trade and its position, as for its own trades', () => {
    const m = market()
    const legs = [{ instrument_name: call, amount: 100, direction: 'buy' }]
    const trade_allocations = [
      { user_id: m.numberOf('taker'), amount: 40 },
      { user_id: m.numberOf('desk'), amount: 60 },
    ]
    m.create({ legs, trade_allocations })
    m.quote('alpha', { amount: 100 })
    m.grace()
    const heard = new Heard(m)
    const [desk, taker] = ['desk', 'taker'].map((name) => heard.listen(name, channels))
    const { block_trades } = heard.accept({ amount: 100, legs: [usualLeg] })
    const own = heard.ask('desk', 'private/get_user_trades_by_instrument', {
      instrument_name: call,
    })
    expect(desk).toEqual([
      ['user.trades.any.any.raw', own.trades],
      [
        'user.changes.any.any.raw',
        {
          ...{ instrument_name: call, trades: own.trades, orders: [] },
          positions: [expect.objectContaining({ size: 60, direction: 'buy' })],
        },
      ],
    ])
    expect(own.trades).toMatchObject([
      {
        ...{ amount: 60, direction: 'buy', liquidity: 'T', block_rfq_id: 1 },
        ...{ block_trade_id: block_trades[0].id, block_trade_leg_count: 1 },
        ...{ user_id: m.numberOf('desk'), fee: 0.018 },
      },
    ])
    // The message does not show the parts of other accounts.
    expect(JSON.stringify(desk)).not.toContain('trade_allocations')
    const reported = (name: string): Json => taker?.find(([channel]) => channel === name)?.[1]
    expect(reported('user.trades.any.any.raw')).toMatchObject([
      {
        ...{ amount: 100, fee: 0.03 },
        trade_allocations: [
          { user_id: m.numberOf('taker'), amount: 40, fee: 0.012 },
          { user_id: m.numberOf('desk'), amount: 60, fee: 0.018 },
        ],
      },
    ])
    expect(reported('user.changes.any.any.raw').positions).toMatchObject([{ size: 40 }])
  })

  test('S143 parts of coins are reported too; instruments without a subscription are not', () => {
    const m = market()
    asked(m)
    m.grace()
    const heard = new Heard(m)
    const trades = heard.listen('desk', [`user.trades.${spot}.raw`, `user.trades.${call}.raw`])
    heard.accept({ ...taken, price: 50_010 })
    expect(trades).toMatchObject([
      [`user.trades.${spot}.raw`, [{ amount: 1.5, price: 50_010, fee: 0, profit_loss: null }]],
    ])
  })

  test('S143 the figures of the account are updated within a second', () => {
    const m = market()
    asked(m)
    m.grace()
    const heard = new Heard(m)
    const figures = heard.listen('desk', ['user.portfolio.usdc'])
    heard.accept({ ...taken, price: 50_010 })
    expect(figures).toMatchObject([['user.portfolio.usdc', { balance: 1_000_000 - 75_015 }]])
  })

  test('S143 the broker’s trade names the broker’s client, but not the client’s account', () => {
    const m = market()
    m.party('rival', { broker: 'taker' })
    m.result(null, 'sim/deposit', { account: 'rival', currency: 'USDC', amount: 1_000_000 })
    const client = { client_id: 7, client_link_id: m.numberOf('rival'), name: 'First' }
    const legs = [{ instrument_name: spot, amount: 2, direction: 'buy' }]
    m.create({ legs, trade_allocations: [{ client_info: client, amount: 2 }] })
    m.quote('alpha', { amount: 2, legs: [{ ...coins, price: 50_010 }] })
    m.grace()
    const heard = new Heard(m)
    const [rival, taker] = ['rival', 'taker'].map((name) => heard.listen(name, ['user.trades.any.any.raw']))
    heard.accept({ ...taken, price: 50_010 })
    expect(taker?.[0]?.[1][0].trade_allocations).toEqual([{ client_info: client, amount: 2, fee: 0 }])
    expect(rival?.[0]?.[1]).toMatchObject([{ amount: 2, user_id: m.numberOf('rival') }])
    const { balance } = heard.ask('rival', 'private/get_account_summary', { currency: 'USDC' })
    expect(balance).toBe(1_000_000 - 100_020)
  })
})

test('S143 the log of an account has one row for the coins of its part and one for the money', () => {
  const m = market()
  asked(m)
  m.grace().accept({ ...taken, price: 50_010 })
  const rows = (currency: string): Json[] =>
    m.result('desk', 'private/get_transaction_log', {
      ...{ currency, start_timestamp: 0, end_timestamp: m.venue.now / 1000 + 1 },
    }).logs
  expect(rows('BTC')[0]).toMatchObject({ type: 'transfer', change: 1.5, balance: 1_001.5 })
  expect(rows('USDC')[0]).toMatchObject({
    ...{ type: 'transfer', change: -75_015, balance: 1_000_000 - 75_015 },
  })
})

test('D12 the first named account pays the part of the fee that rounding leaves', () => {
  const events: Event[] = []
  const m = new RfqVenue({}, { sink: { emit: (event) => events.push(event) } })
  for (const name of ['second', 'third']) {
    m.result(null, 'sim/create_account', { name, main: 'taker' })
    m.result(null, 'sim/deposit', { account: name, currency: 'BTC', amount: 100 })
  }
  const names = ['desk', 'second', 'third']
  const trade_allocations = names.map((name, at) => ({
    ...{ user_id: m.numberOf(name), amount: at === 0 ? 100_010 : 100_000 },
  }))
  const leg = { instrument_name: perpetual, direction: 'buy' }
  m.create({ legs: [{ ...leg, amount: 300_010 }], trade_allocations })
  const quoted = { amount: 300_010, legs: [{ ...leg, ratio: 1, price: 50_010.5 }] }
  m.quote('alpha', quoted)
  m.grace().accept({ ...quoted, legs: [{ ...leg, ratio: 1 }], price: 50_010.5 })
  const [trade] = events.filter((event) => event.kind === 'trade')
  const fee: bigint = trade?.taker.fee ?? 0n
  const given = events.filter((event) => event.kind === 'position_transfer')
  const paid = given.map(({ commission }) => commission)
  const share = (lots: bigint): bigint => (fee * lots) / 30_001n
  const rest = fee - share(10_001n) - 2n * share(10_000n)
  expect(rest).toBeGreaterThan(0n)
  expect(paid).toEqual([share(10_001n) + rest, share(10_000n), share(10_000n)])
  expect(given.map(({ commissionToTarget }) => commissionToTarget)).toEqual(paid)
})
