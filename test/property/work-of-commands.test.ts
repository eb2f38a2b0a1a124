/**
 * The work of a command does not grow with unrelated state: books that an account trades, resting or waiting orders,
 * holders of an instrument, idle strategies. Work is counted in executed blocks of code.
 */
import { expect, test } from 'vitest'
import type { StrategyVenue } from '../../src/backtest/index.ts'
import { countWork } from '../support/counted-work.ts'

const counter = countWork()
// Imported after counting began, because V8 counts only code that it compiles then.
const { openVenue } = await import('../../src/program/index.ts')
const { runLoop } = await import('../../src/backtest/index.ts')
const { marketOf, seatOf, strategyRun } = await import('../support/strategy-run.ts')

type Venue = ReturnType<typeof openVenue>
type Accounts = Record<string, Record<string, number>>

const PERPETUAL = 'BTC-PERPETUAL'
const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']

/** The given number of dated futures of a coin. */
function futures(coin: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => `${coin}-${(at % 28) + 1}${months[Math.floor(at / 28)]}27`)
}

function opened(instruments: readonly string[] = [], accounts: Accounts = {}): Venue {
  return openVenue({
    start: '2026-01-05T09:00:00Z',
    instruments: [PERPETUAL, ...instruments],
    index: { btc_usd: 50_000, eth_usd: 3000 },
    accounts: { alice: { BTC: 1000, ETH: 1000 }, bob: { BTC: 1000, ETH: 1000 }, ...accounts },
  })
}

function ask(venue: Venue, account: string, method: string, params: object): unknown {
  const reply = venue.as(account).request(method as 'private/buy', params as never)
  if (!reply.ok) throw new Error(`${method} ${JSON.stringify(params)}: ${JSON.stringify(reply)}`)
  return reply.result
}

function buy(venue: Venue, account: string, params: object): string {
  const order = { instrument_name: PERPETUAL, amount: 10, price: 50_000, ...params }
  const placed = ask(venue, account, 'private/buy', order) as { order: { order_id: string } }
  return placed.order.order_id
}

function sell(venue: Venue, account: string, params: object): string {
  const order = { instrument_name: PERPETUAL, amount: 10, price: 50_000, ...params }
  const placed = ask(venue, account, 'private/sell', order) as { order: { order_id: string } }
  return placed.order.order_id
}

/** A placement, a fill of it, another placement and its cancel. */
function everyday(venue: Venue): void {
  buy(venue, 'alice', {})
  sell(venue, 'bob', {})
  ask(venue, 'alice', 'private/cancel', { order_id: buy(venue, 'alice', { price: 49_000 }) })
}

/** Markets that differ in the amount of something, and an action that is repeated in them. */
interface Case {
  open(size: number): Venue
  act(venue: Venue): void
}

const cases: Readonly<Record<string, Case>> = {
  'books that its account trades': {
    open: (size) => {
      const names = futures('BTC', size)
      const venue = opened(names)
      for (const instrument_name of names) {
        buy(venue, 'alice', { instrument_name })
        sell(venue, 'bob', { instrument_name })
      }
      return venue
    },
    act: everyday,
  },
  'levels of the book': {
    open: (size) => {
      const venue = opened()
      for (let at = 0; at < size; at += 1) buy(venue, 'bob', { price: 48_000 - at })
      return venue
    },
    act: everyday,
  },
  'orders at its price': {
    open: (size) => {
      const venue = opened()
      for (let at = 0; at < size; at += 1) buy(venue, 'alice', { price: 49_000 })
      return venue
    },
    act: everyday,
  },
  'reduce-only orders of its account': {
    open: (size) => {
      const venue = opened()
      sell(venue, 'bob', { amount: 100_000 })
      buy(venue, 'alice', { amount: 100_000 })
      for (let at = 0; at < size; at += 1) {
        sell(venue, 'alice', { price: 51_000, reduce_only: true })
      }
      return venue
    },
    act: (venue) => {
      const order_id = sell(venue, 'alice', { price: 51_000, reduce_only: true })
      ask(venue, 'alice', 'private/cancel', { order_id })
      everyday(venue)
    },
  },
  'stop orders beside it': {
    open: (size) => {
      const venue = opened()
      for (let at = 0; at < size; at += 1) {
        const price = 40_000 - at
        sell(venue, 'bob', {
          type: 'stop_market',
          trigger: 'mark_price',
          trigger_price: price,
          price: undefined,
        })
      }
      return venue
    },
    act: everyday,
  },
  'holders of its instrument': { open: holders, act: everyday },
  'accounts next to the one of a deposit': {
    open: (size) => opened([], Object.fromEntries(Array.from({ length: size }, (_, at) => [`other${at}`, { BTC: 1 }]))),
    act: (venue) => {
      const added = venue.request('sim/deposit', { account: 'alice', currency: 'BTC', amount: 1 })
      if (!added.ok) throw new Error(JSON.stringify(added))
      everyday(venue)
    },
  },
  'orders that wait behind the speed bump of another pair': {
    open: (size) => {
      const names = Array.from({ length: size }, (_, at) => `trader${at}`)
      const accounts = Object.fromEntries(names.map((name) => [name, { BTC: 10 }]))
      const venue = opened([], accounts)
      for (const [instrument_name, speed_bump_ms] of bumped) {
        const terms = { instrument_name, engine: 'alt', speed_bump_ms }
        const listed = venue.request('sim/list_instrument', terms)
        if (!listed.ok) throw new Error(JSON.stringify(listed))
      }
      sell(venue, 'bob', { instrument_name: bumped[0][0], amount: 100_000 })
      for (const name of names) {
        venue.as(name).request('private/buy', { ...waits, instrument_name: bumped[0][0] })
      }
      return venue
    },
    act: (venue) => {
      everyday(venue)
      const order = { ...waits, instrument_name: bumped[1][0], price: 3000 }
      sell(venue, 'bob', order)
      venue.as('alice').request('private/buy', order)
      venue.wait('10ms')
    },
  },
}

/** Futures with a speed bump, by its length in milliseconds. */
const bumped = [
  ['BTC-25DEC26', 1000],
  ['ETH-25DEC26', 1],
] as const
const waits = { amount: 10, price: 50_000 }

/** A market with the given number of long holders of the perpetual. */
function holders(size: number): Venue {
  const venue = opened()
  const reported = (method: 'sim/create_account' | 'sim/deposit', params: object): void => {
    if (!venue.request(method, params as never).ok) throw new Error(`${method} is refused`)
  }
  for (let at = 0; at < size; at += 1) {
    const name = `holder${at}`
    reported('sim/create_account', { name, margin_model: 'segregated_sm' })
    reported('sim/deposit', { account: name, currency: 'BTC', amount: 10 })
    sell(venue, 'bob', {})
    buy(venue, name, {})
  }
  return venue
}

/** Moves of the index there and back. */
function moveIndex(venue: Venue): void {
  for (const price of [50_010, 50_000]) {
    const moved = venue.request('sim/set_index', { index_name: 'btc_usd', price })
    if (!moved.ok) throw new Error(JSON.stringify(moved))
    venue.wait('1s')
  }
}

/** The work of a case with a given amount: the minimum of several runs, after a first one. */
function workOf({ open, act }: Case, size: number): number {
  const venue = open(size)
  for (let round = 0; round < 4; round += 1) act(venue)
  return Math.min(...Array.from({ length: 4 }, () => counter.during(() => act(venue))))
}

/** Hash tables look up orders and accounts, and hashes may collide. */
const SLACK = 1.1

test.each(Object.entries(cases))('the work of a command does not grow with %s', (_, given) => {
  const few = workOf(given, 10)
  expect(few).toBeGreaterThan(1000)
  expect(workOf(given, 80)).toBeLessThan(few * SLACK)
})

test('a move of the index does not check holders of segregated standard margin that it cannot harm', () => {
  const given: Case = { open: holders, act: moveIndex }
  const few = workOf(given, 40)
  expect(workOf(given, 320)).toBeLessThan(few * SLACK)
})

test('hourly marks skip holders of a perpetual, too', () => {
  let price = 50_200
  const act = (venue: Venue): void => {
    price = 100_410 - price
    ask(venue, 'bob', 'sim/set_mark', { instrument_name: PERPETUAL, price })
    venue.wait('1h')
  }
  const looks = (skipFrom: number | null): number => {
    const open = (size: number): Venue => {
      const venue = holders(size)
      if (skipFrom !== null) venue.exchange.skipFrom = skipFrom
      return venue
    }
    return workOf({ open, act }, 160)
  }
  expect(looks(null)).toBeLessThan(looks(Number.POSITIVE_INFINITY) / 2)
})

/** The work of recorded messages for a strategy that follows them, among others that each wait for a timer. */
function workOfMessages(others: number): number {
  const names = Array.from({ length: others }, (_, at) => `other${at}`)
  const waiting = { onStart: (venue: StrategyVenue) => venue.setTimer('much later', '1h') }
  const messages = Array.from({ length: 200 }, (_, at) => ({
    at: 1_000 + at,
    rows: [['buy', 99_000 + (at % 7), 5] as const],
  }))
  let heard = 0
  const run = strategyRun({
    seats: [seatOf('alice', { onBook: () => (heard += 1) }), ...names.map((name) => seatOf(name, waiting))],
    wishes: names.map((name) => [0, null, 'sim/create_account', { name }]),
    market: marketOf(messages),
    until: 1_300,
  })
  while (heard < 100) runLoop(run.loop, 1)
  return counter.during(() => {
    while (heard < 150) runLoop(run.loop, 1)
  })
}

test('the work of a recorded message does not grow with strategies that do not follow it', () => {
  workOfMessages(10)
  const few = workOfMessages(10)
  expect(few).toBeGreaterThan(1000)
  expect(workOfMessages(80)).toBeLessThan(few * SLACK)
})

test('a walk over all objects would be detected', () => {
  const venue = opened()
  const walk = (orders: number): number => {
    for (let at = 0; at < orders; at += 1) buy(venue, 'alice', { price: 40_000 })
    const params = { instrument_name: PERPETUAL }
    return counter.during(() => ask(venue, 'alice', 'private/get_open_orders_by_instrument', params))
  }
  expect(walk(10) * 3).toBeLessThan(walk(70))
})
