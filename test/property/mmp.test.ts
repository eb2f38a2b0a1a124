/**
 * Market-maker protection compared with a recount from events alone: fills and configurations. Laws: counters equal the
 * recount; a group trips at the fill that reaches a limit, and at no other; afterwards none of its orders rests, and a
 * frozen group accepts nothing new; a run that is cut by a snapshot continues like an uncut one.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fork, stateHash } from '../../src/engine/index.ts'
import type { Event, EventOf, Fill, MmpConfig, MmpTrigger } from '../../src/model/index.ts'
import { type Market, market } from '../support/harness.ts'
import { askedRuns, isWhole } from '../support/property-runs.ts'
import { mmpEvents, protect, protectedOrder, reset } from '../support/protection-words.ts'

const instruments = ['BTC-PERPETUAL', 'BTC-27MAR26'] as const
const names = ['left', 'right'] as const
const SECOND = 1_000_000

type Step =
  | {
      readonly kind: 'order'
      readonly name: (typeof names)[number]
      readonly instrument: (typeof instruments)[number]
      readonly side: 'buy' | 'sell'
      readonly tens: number
      readonly rise: number
      readonly mmp: boolean
    }
  | { readonly kind: 'wait'; readonly tenths: number }
  | { readonly kind: 'reset'; readonly name: (typeof names)[number] }
  | { readonly kind: 'edit'; readonly name: (typeof names)[number]; readonly mmp: boolean }
  | {
      readonly kind: 'protect'
      readonly name: (typeof names)[number]
      readonly interval: number
      readonly frozenTime: number
      readonly quantity: number
      readonly delta: number
      readonly maxQuote: number
    }

const name = fc.constantFrom(...names)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.record({
      kind: fc.constant('order' as const),
      name,
      instrument: fc.constantFrom(...instruments),
      side: fc.constantFrom('buy' as const, 'sell' as const),
      tens: fc.integer({ min: 500, max: 3000 }),
      rise: fc.integer({ min: -1, max: 1 }),
      mmp: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('wait' as const), tenths: fc.nat(30) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reset' as const), name }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('edit' as const), name, mmp: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      ...{ kind: fc.constant('protect' as const), name },
      interval: fc.integer({ min: 0, max: 3 }),
      frozenTime: fc.integer({ min: 0, max: 2 }),
      quantity: fc.integer({ min: 2, max: 8 }).map((tenths) => tenths / 10),
      delta: fc.constantFrom(0.1, 0.15),
      maxQuote: fc.integer({ min: 5, max: 15 }).map((tenths) => tenths / 10),
    }),
  },
)

function setUp(): Market {
  const m = market({
    instruments: { 'BTC-PERPETUAL': {}, 'BTC-27MAR26': {} },
    accounts: { left: { BTC: '100' }, right: { BTC: '100' } },
    index: { btc_usd: '50000' },
  })
  for (const account of names) {
    protect(m, account, { interval: 1, frozenTime: 1, quantity: 0.5, maxQuote: 5 })
  }
  return m
}

function act(m: Market, of: Step): void {
  switch (of.kind) {
    case 'order': {
      const { instrument, side, tens, rise } = of
      const words = { instrument, amount: `${tens * 10}`, price: `${50_000 + rise * 10}` }
      m[side](of.name, of.mmp ? { ...words, extras: protectedOrder } : words)
      return
    }
    case 'wait':
      m.wait((of.tenths * SECOND) / 10)
      return
    case 'reset':
      reset(m, of.name)
      return
    case 'edit': {
      const [open] = m.openOrders(of.name)
      if (open === undefined) return
      m.edit(of.name, open.order.id, { amount: `${open.order.amount * 10}`, mmp: of.mmp })
      return
    }
    case 'protect': {
      const { interval, frozenTime, quantity, delta, maxQuote } = of
      protect(m, of.name, { interval, frozenTime, quantity, delta, maxQuote })
    }
  }
}

/** A group, recounted from its events. */
interface Recount {
  config: MmpConfig | null
  fills: { readonly time: number; readonly quantity9: bigint; readonly delta9: bigint }[]
  frozen: boolean
  /** The trigger that its last fill reached; its event must come before the next trade. */
  due: MmpTrigger | null
}

/** Checks the laws on the events of a run and returns the groups by account. */
function recount(events: readonly Event[]): ReadonlyMap<number, Recount> {
  const groups = new Map<number, Recount>()
  const members = new Map<number, boolean>()
  const groupOf = (account: number): Recount => {
    const known = groups.get(account)
    if (known !== undefined) return known
    const made: Recount = { config: null, fills: [], frozen: false, due: null }
    groups.set(account, made)
    return made
  }
  for (const event of events) {
    if (event.kind === 'mmp') followGroup(groupOf(event.account), event)
    else if (event.kind === 'trade') {
      for (const group of groups.values()) expect(group.due).toBeNull()
      for (const fill of [event.maker, event.taker]) {
        if (members.get(fill.order)) countFill(groupOf(fill.account), event, fill)
      }
    } else if ('extras' in event) {
      const isMember = event.extras?.mmp != null
      const enters = (event.kind === 'order' && event.change === 'opened') || (isMember && !members.get(event.order))
      if (isMember && enters) expect(groupOf(event.account).frozen).toBe(false)
      members.set(event.order, isMember)
    }
  }
  return groups
}

function followGroup(group: Recount, event: EventOf<'mmp'>): void {
  const { change, trigger } = event
  if (change === 'triggered') {
    expect(trigger).toBe(group.due)
    group.due = null
    group.frozen = true
  } else if (change === 'removed' || change === 'reset') {
    group.fills = []
  } else if (change === 'unfrozen' && group.frozen) {
    group.fills = []
  } else if (change === 'window_opened') {
    expect(group.fills).toHaveLength(1)
  }
  if (change === 'reset' || change === 'unfrozen') group.frozen = false
  group.config = event.config
  if (group.fills.length > 0 || change === 'window_opened') expectCounters(group, event)
}

function countFill(group: Recount, trade: EventOf<'trade'>, fill: Fill): void {
  const { config } = group
  if (config === null || group.frozen) return
  const [first] = group.fills
  if (first !== undefined && trade.time >= first.time + config.interval) group.fills = []
  // Both instruments are inverse, 10 USD a lot: coins are the amount over the price.
  const quantity9 = nearest(BigInt(trade.amount) * 10n ** 19n, BigInt(trade.price))
  const delta9 = fill.side === 'buy' ? quantity9 : -quantity9
  group.fills.push({ time: trade.time, quantity9, delta9 })
  const { quantity, delta } = totals(group)
  if (config.quantity9 !== null && quantity >= config.quantity9) group.due = 'quantity'
  else if (config.delta9 !== null && Math.abs(delta) >= config.delta9) group.due = 'delta'
}

function expectCounters(
  group: Recount,
  counters: Pick<EventOf<'mmp'>, 'quantity9' | 'delta9' | 'vega9' | 'windowStart'>,
): void {
  const { quantity, delta } = totals(group)
  const { quantity9, delta9, vega9, windowStart } = counters
  expect({ quantity9, delta9, vega9, windowStart }).toEqual({
    ...{ quantity9: quantity, delta9: delta, vega9: 0 },
    windowStart: group.fills[0]?.time ?? null,
  })
}

function totals({ fills }: Recount): { readonly quantity: number; readonly delta: number } {
  return {
    quantity: Number(fills.reduce((sum, { quantity9 }) => sum + quantity9, 0n)),
    delta: Number(fills.reduce((sum, { delta9 }) => sum + delta9, 0n)),
  }
}

function nearest(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator)
}

test('counters equal a recount of fills, groups trip at the right fill, and frozen ones accept nothing', () => {
  let trips = 0
  fc.assert(
    fc.property(fc.array(step, { minLength: 10, maxLength: 60, size: 'max' }), (steps) => {
      const m = setUp()
      for (const each of steps) act(m, each)
      const groups = recount(m.events)
      for (const { change } of mmpEvents(m)) if (change === 'triggered') trips += 1
      for (const group of m.exchange.mmpGroups) {
        const found = groups.get(group.account)
        if (found === undefined) throw new Error('a group tells of itself')
        expect(found.due).toBeNull()
        expectCounters(found, group)
        expect(found.frozen).toBe(group.freeze !== null && !group.freeze.isReset)
      }
    }),
    { numRuns: askedRuns(60, 1, 8) },
  )
  if (isWhole) expect(trips).toBeGreaterThan(10)
}, 60_000)

test('a run that a snapshot cuts continues like an uncut one', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 10, maxLength: 40 }), fc.nat(40), (steps, cut) => {
      const whole = setUp()
      for (const each of steps) act(whole, each)
      const parted = setUp()
      for (const [at, each] of steps.entries()) {
        if (at === cut % steps.length) Object.assign(parted.exchange, fork(parted.exchange))
        act(parted, each)
      }
      expect(parted.events).toEqual(whole.events)
      expect(stateHash(parted.exchange)).toBe(stateHash(whole.exchange))
    }),
    { numRuns: askedRuns(25, 1, 4) },
  )
}, 60_000)
