/**
 * Law: a channel that shows the state of a market sends a message whenever that state changes, whichever instrument, index
 * or account the change came from. The oracle is new subscriptions after each step.
 */
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type RequestParams, Subscriptions } from '../../src/rpc/index.ts'
import { askedRuns } from '../support/property-runs.ts'
import { type ChannelWorld, channelWorld, messagesOf } from '../support/reported-channels.ts'

const CALL_SPREAD = 'BTC-CS-27FEB26-60000_65000'
const FUTURE_SPREAD = 'BTC-FS-27FEB26_PERP'
const instruments = [
  'BTC-PERPETUAL',
  'BTC-27FEB26-60000-C',
  'BTC-27FEB26-65000-C',
  CALL_SPREAD,
  'BTC-27FEB26',
  FUTURE_SPREAD,
]

const channels = [
  ...instruments.flatMap((name) => [
    `ticker.${name}.raw`,
    `ticker.${name}.agg2`,
    `incremental_ticker.${name}`,
    `quote.${name}`,
    `book.${name}.none.10.raw`,
    `book.${name}.none.10.100ms`,
  ]),
  'perpetual.BTC-PERPETUAL.raw',
  'deribit_price_index.btc_usd',
  'deribit_price_ranking.btc_usd',
  'deribit_price_statistics.btc_usd',
  'estimated_expiration_price.btc_usd',
  'markprice.options.btc_usd',
  'deribit_volatility_index.btc_usd',
  'user.portfolio.btc',
]

const bid = { instrument_name: 'BTC-27FEB26-60000-C', amount: 1 }

/** A multiple of all intervals of channels, in microseconds. */
const WIDEST = 2_000_000

type Fields = Readonly<Record<string, unknown>>

interface Step {
  /** A method, or `wait`. */
  readonly method: string
  readonly params: RequestParams
  readonly account: string | null
}

const ticks = fc.integer({ min: -3, max: 3 })
const instrument = fc.nat({ max: instruments.length - 1 })

/** Possible prices in the market of an instrument. */
function priceOf(at: number, offset: number): number {
  const prices = [60_000, 0.05, 0.03, 0.02, 60_300, 300]
  const steps = [10, 0.001, 0.001, 0.001, 10, 5]
  return Math.round(((prices[at] ?? 0) + offset * (steps[at] ?? 0)) * 10_000) / 10_000
}

const order: fc.Arbitrary<Step> = fc
  .record({ at: instrument, offset: ticks, isBuy: fc.boolean(), isAnn: fc.boolean() })
  .map(({ at, offset, isBuy, isAnn }) => ({
    method: isBuy ? 'private/buy' : 'private/sell',
    account: isAnn ? 'ann' : 'bob',
    params: {
      instrument_name: instruments[at] ?? '',
      amount: at === 0 || at > 3 ? 100 : 1,
      price: priceOf(at, offset),
    },
  }))

const control = (method: string, params: RequestParams): Step => ({ method, params, account: null })

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: order },
  fc.constantFrom('ann', 'bob').map((account) => ({ ...control('private/cancel_all', {}), account })),
  ticks.map((offset) => control('sim/set_index', { index_name: 'btc_usd', price: 60_000 + offset })),
  fc.record({ at: instrument, offset: ticks }).map(({ at, offset }) =>
    control('sim/set_mark', {
      instrument_name: instruments[at] ?? '',
      price: priceOf(at, offset),
    }),
  ),
  instrument.map((at) => control('sim/set_mark', { instrument_name: instruments[at] ?? '' })),
  fc.record({ at: fc.constantFrom(0, 1, 2, 4), isAnn: fc.boolean() }).map(({ at, isAnn }) =>
    control('sim/give_position', {
      account: isAnn ? 'ann' : 'bob',
      instrument_name: instruments[at] ?? '',
      amount: at === 0 || at > 3 ? 100 : 1,
      price: priceOf(at, 0),
    }),
  ),
  fc
    .record({ at: instrument, state: fc.constantFrom('open', 'halted') })
    .map(({ at, state }) => control('sim/set_instrument_state', { instrument_name: instruments[at] ?? '', state })),
  fc.constant(control('sim/list_instrument', { instrument_name: 'BTC-27MAR26' })),
  fc.constantFrom('300ms', '1s', '1m').map((duration) => control('wait', { duration })),
)

/** Fields that also change as time passes, which sends no message (Rule: channels.time). */
const timed = new Set([
  ...['stats', 'greeks', 'bid_iv', 'ask_iv', 'estimated_delivery_price', 'funding_8h', 'interest_value'],
  ...['interest', 'seconds'],
])

function openWorld(): ChannelWorld {
  const world = channelWorld()
  act(world, control('sim/set_index', { index_name: 'btc_usd', price: 60_000 }))
  for (const name of instruments) {
    if (name === CALL_SPREAD) continue
    act(world, control('sim/list_instrument', { instrument_name: name }))
  }
  for (const name of ['ann', 'bob']) {
    act(world, control('sim/create_account', { name }))
    act(world, control('sim/deposit', { account: name, currency: 'BTC', amount: 100 }))
  }
  const leg = { instrument_name: 'BTC-27FEB26-60000-C', amount: 1, direction: 'buy' }
  const other = { instrument_name: 'BTC-27FEB26-65000-C', amount: 1, direction: 'sell' }
  act(world, {
    method: 'private/create_combo',
    params: { trades: [leg, other] },
    account: 'ann',
  })
  return world
}

function act({ venue }: ChannelWorld, { method, params, account }: Step): void {
  if (method === 'wait') {
    venue.wait(`${params['duration']}`)
    return
  }
  const asker = account === null ? venue : venue.as(account)
  asker.request(method as 'public/test', params as never)
}

/** Subscribes to all channels; `send` gets the first message of each and all later ones. */
function subscribe(subscriptions: Subscriptions, send: (channel: string, data: Fields) => void, link = 1): void {
  const subscriber = {
    link,
    account: 0 as never,
    allows: () => true,
    send: (text: string): void => {
      const { channel, data } = JSON.parse(text).params
      send(channel, data)
    },
  }
  for (const name of channels) {
    expect([name, subscriptions.subscribe(subscriber, name, null)]).toEqual([name, true])
  }
  subscriptions.flush()
}

function statesNow({ desk }: ChannelWorld): ReadonlyMap<string, unknown> {
  const states = new Map<string, unknown>()
  subscribe(new Subscriptions(desk), (channel, data) => states.set(channel, shown(data)))
  return states
}

/** A message without its time and its kind. */
function shown(data: Fields): unknown {
  if (Array.isArray(data)) return data.map(shown)
  const { timestamp: _, type: __, change_id: ___, ...fields } = data
  return fields
}

describe('channels that show a state', () => {
  test('43 send a message whenever it changes', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 25 }), fc.boolean(), (steps, joins) => {
        const world = openWorld()
        const { subscriptions, venue } = world
        const reported = new Map<string, Fields>()
        subscribe(subscriptions, (channel, data) => {
          const isChange = channel.startsWith('incremental') && data['type'] === 'change'
          reported.set(channel, isChange ? { ...reported.get(channel), ...data } : data)
        })
        for (const each of steps) {
          const before = statesNow(world)
          act(world, each)
          // The first message to a new subscriber is not a message to the others.
          if (joins) {
            subscriptions.leave(2)
            subscribe(subscriptions, () => undefined, 2)
          }
          subscriptions.flush()
          subscriptions.flushIntervals(Math.ceil((venue.now + 1) / WIDEST) * WIDEST)
          const lastly = (name: string, value: unknown): unknown =>
            each.method === 'wait' && timed.has(name) ? undefined : value
          for (const [channel, state] of statesNow(world)) {
            const now = JSON.stringify(state, lastly)
            if (now === JSON.stringify(before.get(channel), lastly)) continue
            const last = JSON.stringify(shown(reported.get(channel) ?? {}), lastly)
            expect([each, channel, JSON.parse(last)]).toEqual([each, channel, JSON.parse(now)])
          }
        }
      }),
      { numRuns: askedRuns(300, 1, 10) },
    )
  })

  test('43 a new subscriber does not make others miss a change', () => {
    const world = openWorld()
    const reported: unknown[] = []
    const join = (link: number): void => {
      const send = (text: string): void => {
        reported.push([link, JSON.parse(text).params.data.index_price])
      }
      const subscriber = { link, account: -1 as const, allows: () => true, send }
      world.subscriptions.subscribe(subscriber, 'ticker.BTC-PERPETUAL.agg2', null)
      world.subscriptions.flush()
    }
    const moveTo = (price: number): void => act(world, control('sim/set_index', { index_name: 'btc_usd', price }))
    join(1)
    moveTo(60_010)
    join(2)
    world.subscriptions.flushIntervals(WIDEST)
    moveTo(60_020)
    join(3)
    moveTo(60_010)
    world.subscriptions.flushIntervals(2 * WIDEST)
    const all = [1, 2, 3].map((link) => [link, 60_010])
    expect(reported).toEqual([[1, 60_000], [2, 60_010], ...all.slice(0, 2), [3, 60_020], ...all])
  })

  test('Rule: channels.time: time alone changes only certain fields, and sends them with the next message', () => {
    const world = openWorld()
    const { subscriptions, venue } = world
    let sent: Fields = {}
    let count = 0
    const send = (text: string): void => {
      sent = JSON.parse(text).params.data
      count += 1
    }
    const subscriber = { link: 1, account: -1 as const, allows: () => true, send }
    subscriptions.subscribe(subscriber, 'ticker.BTC-27FEB26-60000-C.raw', null)
    const tickerNow = (): Fields => {
      const asked = venue.request('public/ticker', { instrument_name: 'BTC-27FEB26-60000-C' })
      return asked.ok ? { ...asked.result } : {}
    }
    act(world, control('sim/set_mark', { instrument_name: 'BTC-27FEB26-60000-C', price: 0.05 }))
    act(world, { ...control('private/buy', {}), account: 'ann', params: { ...bid, price: 0.04 } })
    subscriptions.flush()
    expect(sent).toEqual(tickerNow())
    const before = count
    venue.wait('59s')
    subscriptions.flush()
    expect(count).toBe(before)
    const moved = Object.entries(tickerNow()).filter(([name, value]) => !isDeepStrictEqual(value, sent[name]))
    expect(moved.map(([name]) => name)).toEqual(['timestamp', 'greeks'])
    act(world, control('sim/set_index', { index_name: 'btc_usd', price: 60_001 }))
    subscriptions.flush()
    expect(sent).toEqual(tickerNow())
  })

  test('43 marks of options are sent when only a volatility changed', () => {
    const options = ['BTC-27FEB26-60000-C', 'BTC-27FEB26-65000-C']
    const reported = messagesOf(
      [['alice', 'markprice.options.btc_usd']],
      ({ ask }) => ask(null, 'sim/set_index', { index_name: 'btc_usd', price: 50_100 }),
      ({ ask }) => {
        for (const name of options) ask(null, 'sim/list_instrument', { instrument_name: name })
        for (const name of options) ask(null, 'sim/set_mark', { instrument_name: name, price: 0.03 })
      },
    )
    const [before, after] = reported.map(({ data }) => data as unknown as readonly Fields[])
    expect(after?.map((mark) => mark['mark_price'])).toEqual([0.03, 0.03])
    expect(after?.map((mark) => mark['iv'])).not.toEqual(before?.map((mark) => mark['iv']))
  })

  test('43 the ticker of a combo follows the books and marks of its legs', () => {
    const prepare = ['BTC-25DEC26', 'BTC-FS-25DEC26_PERP']
    const reported = messagesOf(
      [['alice', 'ticker.BTC-FS-25DEC26_PERP.raw']],
      ({ ask }) => {
        const price = 50_100
        ask('alice', 'private/buy', { instrument_name: 'BTC-25DEC26', amount: 10, price })
        ask('bob', 'private/sell', { instrument_name: 'BTC-PERPETUAL', amount: 10, price: 50_000 })
        ask(null, 'sim/set_mark', { instrument_name: 'BTC-PERPETUAL', price: 50_010 })
      },
      ({ ask }) => {
        for (const name of prepare) ask(null, 'sim/list_instrument', { instrument_name: name })
      },
    )
    const [first, bid, mark] = reported.map(({ data }) => data)
    expect(reported).toHaveLength(3)
    expect(first).toMatchObject({ mark_price: 0 })
    expect(bid).toMatchObject({ implied_bid: 100 })
    expect(mark).toMatchObject({ mark_price: -10 })
  })
})
