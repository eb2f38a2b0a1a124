/**
 * Notifications compared with queries: a book that is built from its changes is the book, whenever the subscription
 * began; orders, trades and positions of an account agree with the queries.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { defined, micros } from '../../src/core/index.ts'
import { findAccount } from '../../src/engine/index.ts'
import { defaultConfig, type Event } from '../../src/model/index.ts'
import { Venue } from '../../src/program/index.ts'
import { createDesk, ownMethods, type Subscriber, Subscriptions } from '../../src/rpc/index.ts'
import { askedRuns } from '../support/property-runs.ts'

interface Told {
  readonly params: { readonly channel: string; readonly data: unknown; readonly label?: string }
}

interface BookMessage {
  readonly type: 'snapshot' | 'change'
  readonly change_id: number
  readonly prev_change_id?: number
  readonly bids: readonly (readonly [string, number, number])[]
  readonly asks: readonly (readonly [string, number, number])[]
}

/** A book in a client. */
class ClientBook {
  readonly bids = new Map<number, number>()
  readonly asks = new Map<number, number>()
  changeId = -1

  hear(message: BookMessage): void {
    if (message.type === 'snapshot') {
      this.bids.clear()
      this.asks.clear()
    } else {
      expect(message.prev_change_id).toBe(this.changeId)
    }
    this.changeId = message.change_id
    for (const [side, changes] of [
      [this.bids, message.bids],
      [this.asks, message.asks],
    ] as const) {
      for (const [action, price, amount] of changes) {
        expect({ action, was: side.has(price) }).toEqual({ action, was: action !== 'new' })
        if (action === 'delete') side.delete(price)
        else side.set(price, amount)
      }
    }
  }

  sorted(): { readonly bids: readonly unknown[]; readonly asks: readonly unknown[] } {
    return {
      bids: [...this.bids].sort(([left], [right]) => right - left),
      asks: [...this.asks].sort(([left], [right]) => left - right),
    }
  }
}

interface Step {
  readonly who: string
  readonly side: string
  /** Distance from the index, in ticks. */
  readonly offset: number
  readonly amount: number
  readonly what: string
}

const step: fc.Arbitrary<Step> = fc.record({
  who: fc.constantFrom('alice', 'bob', 'carol'),
  side: fc.constantFrom('private/buy', 'private/sell'),
  offset: fc.integer({ min: -8, max: 8 }),
  amount: fc.integer({ min: 1, max: 30 }),
  what: fc.constantFrom('order', 'order', 'order', 'market', 'cancel', 'wait', 'subscribe', 'leave'),
})

interface World {
  readonly venue: Venue
  readonly subscriptions: Subscriptions
  readonly reported: Told[]
}

function openWorld(): World {
  let subscriptions: Subscriptions | undefined
  // The history takes each event before the channels do.
  const watch = { emit: (event: Event): void => subscriptions?.events.emit(event) }
  const config = defaultConfig(micros(Date.parse('2026-01-05T09:00:00Z') * 1000))
  const desk = createDesk({ config, controls: true, methods: ownMethods, watch }, { emit: () => undefined })
  const venue = new Venue(desk)
  venue.request('sim/list_instrument', { instrument_name: 'BTC-PERPETUAL' })
  venue.request('sim/set_index', { index_name: 'btc_usd', price: 60_000 })
  for (const account of ['alice', 'bob', 'carol']) {
    venue.request('sim/create_account', { name: account })
    venue.request('sim/deposit', { account, currency: 'BTC', amount: 100 })
  }
  subscriptions = new Subscriptions(desk)
  return { venue, subscriptions, reported: [] }
}

function subscriberOf({ venue, reported }: World, account: string, link: number): Subscriber {
  const { id } = defined(findAccount(venue.exchange, account), 'the account is open')
  return {
    link,
    account: id,
    allows: () => true,
    send: (text) => reported.push(JSON.parse(text) as Told),
  }
}

/** The book in the answer of a query. */
function bookNow(venue: Venue): { readonly bids: unknown; readonly asks: unknown } {
  const asked = venue.request('public/get_order_book', {
    instrument_name: 'BTC-PERPETUAL',
    depth: 10_000,
  })
  if (!asked.ok) throw new Error('there is a book')
  const { bids, asks } = asked.result
  return { bids, asks }
}

function act({ venue }: World, { who, side, offset, amount, what }: Step): void {
  const asker = venue.as(who)
  const order = { instrument_name: 'BTC-PERPETUAL', amount: amount * 10 }
  if (what === 'order') {
    asker.request(side as 'private/buy', { ...order, type: 'limit', price: 60_000 + offset * 0.5 })
  } else if (what === 'market') asker.request(side as 'private/buy', { ...order, type: 'market' })
  else if (what === 'cancel') asker.request('private/cancel_all', {})
  else if (what === 'wait') venue.wait('130ms')
}

describe('channels', () => {
  test.each(['raw', '100ms'])('a book built from its %s changes is the book', (interval) => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), (steps) => {
        const world = openWorld()
        const { venue, subscriptions, reported } = world
        const name = `book.BTC-PERPETUAL.${interval}`
        const books = new Map<number, ClientBook>()
        let links = 0
        for (const each of steps) {
          if (each.what === 'subscribe') {
            links += 1
            const book = new ClientBook()
            books.set(links, book)
            const subscriber = {
              ...subscriberOf(world, 'alice', links),
              send: (text: string) => book.hear((JSON.parse(text) as Told).params.data as BookMessage),
            }
            expect(subscriptions.subscribe(subscriber, name, null)).toBe(true)
          } else if (each.what === 'leave') {
            const [first] = books.keys()
            if (first !== undefined) {
              subscriptions.leave(first)
              books.delete(first)
            }
          } else act(world, each)
          subscriptions.flush()
          if (interval === '100ms') {
            // All messages wait for the end of their interval.
            const boundary = subscriptions.nextFlush(venue.now)
            if (boundary === Number.POSITIVE_INFINITY) continue
            subscriptions.flushIntervals(micros(boundary))
          }
          const now = bookNow(venue)
          for (const book of books.values()) expect(book.sorted()).toEqual(now)
        }
        expect(reported).toEqual([])
      }),
      { numRuns: askedRuns(1000, 1, 30) },
    )
  })

  test('S286 the messages to an account add up to the answers of its queries', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), (steps) => {
        const world = openWorld()
        const { venue, subscriptions, reported } = world
        const subscriber = subscriberOf(world, 'alice', 1)
        for (const sort of ['orders', 'trades', 'changes']) {
          expect(subscriptions.subscribe(subscriber, `user.${sort}.any.any.raw`, 'own')).toBe(true)
        }
        for (const each of steps) {
          if (each.what === 'subscribe' || each.what === 'leave') continue
          act(world, each)
          subscriptions.flush()
        }
        const of = (name: string): readonly unknown[] =>
          reported.flatMap(({ params }) => (params.channel === `user.${name}.any.any.raw` ? [params.data] : []))
        const orders = new Map(
          (of('orders') as readonly { readonly order_id: string; readonly order_state: string }[]).map((order) => [
            order.order_id,
            order,
          ]),
        )
        const live = [...orders.values()].filter(({ order_state }) => order_state === 'open')
        const asked = venue.as('alice').request('private/get_open_orders', {})
        const open = asked.ok ? asked.result : []
        expect(live.map(({ order_id }) => order_id).sort()).toEqual(open.map(({ order_id }) => order_id).sort())
        const trades = of('trades').flat() as readonly {
          readonly trade_id: string
          readonly direction: string
          readonly amount: number
        }[]
        const size = trades.reduce((sum, { direction, amount }) => sum + (direction === 'buy' ? amount : -amount), 0)
        const position = venue.as('alice').request('private/get_position', {
          instrument_name: 'BTC-PERPETUAL',
        })
        expect(position.ok && position.result.size).toBe(size)
        // Changes of one instant are in one message, and no change is sent twice.
        const changes = of('changes') as readonly { readonly trades: readonly unknown[] }[]
        expect(changes.flatMap((change) => change.trades)).toEqual(trades)
        expect(new Set(trades.map(({ trade_id }) => trade_id)).size).toBe(trades.length)
        for (const { params } of reported) expect(params.label).toBe('own')
      }),
      { numRuns: askedRuns(1000, 1, 30) },
    )
  })
})
