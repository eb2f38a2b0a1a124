/**
 * Orders of every kind with recorded liquidity, at random: triggers, icebergs, reduce-only and linked orders. There is
 * no oracle here; these laws are checked after every step: the whole-state audit; fills from one recorded row never
 * exceed its size; no order rests while recorded liquidity remains at its price; reduce-only orders together never
 * exceed the position, and never execute beyond it; sizes sum to zero and cash does not change; and a run that was
 * saved in the middle continues as before.
 *
 * PITCLOCK_RUNS sets the number of runs; the seed of a failure is printed and replays it.
 */

import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bestLeft, firstInBook, NO_SLOT, priceOf, recordedOf } from '../../src/book/index.ts'
import { assert, defined, type Lots, lots, type Ticks, ticks } from '../../src/core/index.ts'
import {
  apply,
  applyMarketMessage,
  audit,
  openOrders,
  restore,
  snapshot,
  stateHash,
  viewPosition,
} from '../../src/engine/index.ts'
import {
  accepts,
  anyOrder,
  type CommandOf,
  type Event,
  fillConditions,
  isTriggerType,
  linkedOrderTypes,
  NO_ORDER,
  type OrderTerms,
  type OrderType,
  opposite,
  type Side,
  triggerOrderTypes,
} from '../../src/model/index.ts'
import { wordOf } from '../support/event-words.ts'
import { askedRuns, unreached } from '../support/property-runs.ts'
import { ReplayMarket, type WrittenRow } from '../support/replay-market.ts'

const runs = askedRuns(150, 1, 20)
const accounts = ['ann', 'bob']

const side = fc.constantFrom<Side>('buy', 'sell')
/** Icebergs display at least 100 lots, so some sizes are larger. */
const size = fc.constantFrom(1, 10, 60, 100, 101, 150, 250, 400)
const near = fc.integer({ min: 96, max: 106 })

const row = fc.record({ side, depth: fc.nat({ max: 3 }), lots: size, gone: fc.nat({ max: 9 }) })

const types = ['market', 'market_limit', ...triggerOrderTypes] as const

const termsArbitrary = fc.record({
  side,
  type: fc.constantFrom<OrderType>('limit', 'limit', 'limit', ...types),
  timeInForce: fc.oneof(
    { weight: 3, arbitrary: fc.constant('good_til_cancelled' as const) },
    { weight: 1, arbitrary: fc.constantFrom('immediate_or_cancel', 'fill_or_kill') },
  ),
  price: near,
  amount: size,
  postOnly: fc.constantFrom<OrderTerms['postOnly']>('off', 'off', 'off', 'slide', 'reject'),
  reduceOnly: fc.constantFrom(false, false, true),
  source: fc.constantFrom('index_price' as const, 'mark_price' as const, 'last_price' as const),
  trigger: near,
  offset: fc.integer({ min: 1, max: 4 }),
})
type Drawn = typeof termsArbitrary extends fc.Arbitrary<infer T> ? T : never

const stepArbitrary = fc.record({
  kind: fc.constantFrom(
    ...['book', 'book', 'snapshot', 'prints', 'prints', 'index'],
    ...['place', 'place', 'place', 'linked', 'linked', 'linked', 'cancel', 'edit', 'edit'],
  ),
  centre: fc.integer({ min: 99, max: 103 }),
  rows: fc.array(row, { minLength: 1, maxLength: 4 }),
  uncross: fc.boolean(),
  who: fc.nat({ max: 1 }),
  terms: termsArbitrary,
  display: fc.constantFrom(0, 0, 100, 120),
  linkedType: fc.constantFrom(...linkedOrderTypes),
  condition: fc.constantFrom(...fillConditions),
  secondaries: fc.tuple(termsArbitrary, termsArbitrary),
  pick: fc.nat({ max: 999 }),
})
type Step = typeof stepArbitrary extends fc.Arbitrary<infer T> ? T : never

function termsOf(drawn: Drawn): OrderTerms {
  const { type, price, amount, source, trigger, offset } = drawn
  const isTrailing = type === 'trailing_stop'
  return {
    ...{ side: drawn.side, type, timeInForce: drawn.timeInForce, label: '' },
    ...{ postOnly: drawn.postOnly, reduceOnly: drawn.reduceOnly, advanced: null },
    price: price as Ticks,
    amount: amount as Lots,
    trigger: isTriggerType(type)
      ? {
          source,
          price: isTrailing ? null : ticks(trigger),
          offset: isTrailing ? ticks(offset) : null,
        }
      : null,
  }
}

function place(market: ReplayMarket, step: Step, account: string): void {
  const { linkedType: type, condition, display } = step
  const terms = termsOf(step.terms)
  const [first, second] = step.secondaries.map(termsOf)
  const secondaries = [first, second].filter((each) => each !== undefined)
  const linked: CommandOf<'place_order'>['linked'] =
    step.kind === 'place'
      ? null
      : {
          ...{ type, condition },
          secondaries: type === 'one_cancels_other' ? secondaries.slice(0, 1) : secondaries,
        }
  const at = { side: terms.side, price: step.terms.price, lots: step.terms.amount }
  market.order(account, at, { ...terms, display: lots(display), linked })
}

/** Cancels or edits one of the account's live orders, at any stage. */
function change(market: ReplayMarket, step: Step, account: string): void {
  const live = openOrders(market.exchange, market.account(account), anyOrder)
  const view = live[step.pick % Math.max(1, live.length)]
  if (view === undefined) return
  const { id } = view.order
  if (step.kind === 'cancel') {
    market.cancel(account, id)
    return
  }
  const { price, amount, trigger, offset, reduceOnly } = step.terms
  market.edit(
    account,
    id,
    { price, lots: amount },
    {
      display: step.pick % 3 === 0 ? lots(step.display) : null,
      reduceOnly: step.pick % 5 === 0 ? reduceOnly : null,
      price: step.pick % 2 === 0 ? null : ticks(price),
      triggerPrice: step.pick % 7 < 3 ? ticks(trigger) : null,
      triggerOffset: step.pick % 7 < 3 ? ticks(offset) : null,
    },
  )
}

/** Applies a step and returns the sizes of its rows. */
function applyStep(market: ReplayMarket, step: Step): readonly number[] {
  const { kind, centre, uncross } = step
  const account = accounts[step.who] ?? ''
  const rows = step.rows.map(({ side: where, depth, lots: many, gone }): WrittenRow => {
    const away = kind === 'prints' ? -depth : depth
    const shown = kind === 'book' && gone < 2 ? 0 : many
    return [where, where === 'buy' ? centre - away : centre + 1 + away, shown]
  })
  switch (kind) {
    case 'book':
    case 'snapshot':
      market.report('book', rows, { snapshot: kind === 'snapshot', uncross })
      return rows.map(([, , many]) => many)
    case 'prints':
      market.report('trades', rows)
      return rows.map(([, , many]) => many)
    case 'index':
      market.setIndex(centre)
      return []
    case 'place':
    case 'linked':
      place(market, step, account)
      return []
    default:
      change(market, step, account)
      return []
  }
}

/** The size of each row, less the fills since then. */
class Room {
  private readonly left = new Map<number, number>()
  private rows = 0
  private seen = 0

  add(sizes: readonly number[]): void {
    for (const each of sizes) {
      this.rows += 1
      this.left.set(this.rows, each)
    }
  }

  use(events: readonly Event[]): void {
    for (const event of events.slice(this.seen)) {
      if (event.kind !== 'trade') continue
      const source = event.maker.source ?? event.taker.source
      if (source === null) continue
      const room = (this.left.get(source.row) ?? 0) - event.amount
      assert(room >= 0, 'what one row fills is never more than its size')
      this.left.set(source.row, room)
    }
    this.seen = events.length
  }
}

/** A reduce-only order never opens or reverses a position: it only fills size that the position has. */
class Reducing {
  private readonly orders = new Set<number>()
  private seen = 0

  follow(events: readonly Event[]): void {
    for (const event of events.slice(this.seen)) {
      if ('reduceOnly' in event) {
        if (event.reduceOnly) this.orders.add(event.order)
        else this.orders.delete(event.order)
      } else if (event.kind === 'trade') {
        for (const { order, side, position } of [event.maker, event.taker]) {
          if (!this.orders.has(order)) continue
          const beyond = side === 'buy' ? position : -position
          assert(beyond <= 0, 'a reduce-only order never executes beyond the position')
        }
      }
    }
    this.seen = events.length
  }
}

function checkLaws(market: ReplayMarket, cash: bigint): void {
  const { exchange, instrument } = market
  const { book } = defined(exchange.instruments[0], 'an instrument')
  const recorded = defined(book.recorded ?? undefined, 'a replay book')
  for (const makers of ['buy', 'sell'] as const) {
    const first = firstInBook(book, makers)
    const other = bestLeft(recordedOf(recorded, opposite(makers)))
    if (first === NO_SLOT || other === undefined) continue
    const price = priceOf(exchange.slots, first)
    assert(!accepts(makers, price, other), 'nothing is left for an order that rests')
  }
  let total = viewPosition(exchange, market.account('market'), instrument).size + 0
  for (const name of accounts) {
    const { size: held } = viewPosition(exchange, market.account(name), instrument)
    total += held
    const reducing = { buy: 0, sell: 0 }
    // Two partners share one part of the position: a fill of one ends or cuts the other.
    const shares = new Map<string, number>()
    for (const view of openOrders(exchange, market.account(name), anyOrder)) {
      const { order, links } = view
      if (!order.reduceOnly || !view.rested) continue
      const left = order.amount - view.filled
      const link = `${order.side} ${links.pair}`
      const shared = links.pair === NO_ORDER ? 0 : (shares.get(link) ?? 0)
      shares.set(link, Math.max(shared, left))
      reducing[order.side] += Math.max(0, left - shared)
    }
    assert(reducing.buy <= Math.max(0, -held), 'reduce-only bids are no more than a short position')
    assert(reducing.sell <= Math.max(0, held), 'reduce-only asks are no more than a long position')
  }
  assert(total === 0, 'sizes sum to zero with the recorded market')
  assert(market.cash() === cash, 'cash changes only by deposits')
}

test('the laws of recorded liquidity hold for orders of every kind', () => {
  const kinds = new Map<string, number>()
  const world = fc.record({
    selfMatch: fc.constantFrom('reject_taker' as const, 'cancel_maker' as const, 'off' as const),
    bookEvents: fc.boolean(),
    followsMid: fc.boolean(),
    savedAt: fc.nat({ max: 50 }),
  })
  fc.assert(
    fc.property(
      world,
      fc.array(stepArbitrary, { maxLength: 50, size: 'max' }),
      ({ followsMid, savedAt, ...config }, steps) => {
        const market = new ReplayMarket(config, accounts, 101)
        if (followsMid) market.followMid()
        const cash = market.cash()
        const room = new Room()
        const reducing = new Reducing()
        let saved: { bytes: Uint8Array; inputs: number; events: number } | undefined
        for (const [at, step] of steps.entries()) {
          const { inputs, events, exchange } = market
          if (at === savedAt) {
            saved = { bytes: snapshot(exchange), inputs: inputs.length, events: events.length }
          }
          room.add(applyStep(market, step))
          room.use(events)
          reducing.follow(events)
          checkLaws(market, cash)
        }
        for (const event of market.events) {
          const rule = event.kind === 'trade' ? ` ${event.maker.rule}` : ''
          const key = `${wordOf(event)}${rule}`
          kinds.set(key, (kinds.get(key) ?? 0) + 1)
        }
        if (saved !== undefined) goOn(market, saved)
      },
    ),
    { numRuns: runs, endOnFailure: false },
  )
  // That many streams reach every listed situation.
  const missed = unreached(
    [
      ...['trade hidden', 'trade print_at_price', 'trade print_through', 'trade level_reached'],
      ...['trade book_maker', 'trade recorded', 'order triggered', 'order rejected'],
      ...['order refreshed', 'order resized', 'order cancelled', 'order edited', 'order rested'],
    ],
    kinds,
  )
  expect(missed).toEqual([])
})

/** The inputs since then give a restored copy the same events and state. */
function goOn(
  market: ReplayMarket,
  saved: { readonly bytes: Uint8Array; readonly inputs: number; readonly events: number },
): void {
  const copy = restore(saved.bytes)
  if (!copy.ok) throw new Error('a new snapshot can be restored')
  const events: Event[] = []
  const sink = { emit: (event: Event): void => void events.push(event) }
  for (const input of market.inputs.slice(saved.inputs)) {
    if ('rows' in input) applyMarketMessage(copy.value, input, sink)
    else apply(copy.value, input, sink)
  }
  audit(copy.value)
  const expected = market.events.slice(saved.events)
  if (!isDeepStrictEqual(events, expected)) expect(events).toEqual(expected)
  expect(stateHash(copy.value)).toBe(stateHash(market.exchange))
}
