/**
 * Quotes as a plain table: after any requests the live quotes of a maker equal a map from group, instrument and side to
 * price and size, and the open size of each group is their sum.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Market } from '../support/harness.ts'
import { protect } from '../support/protection-words.ts'
import { cancelQuotes, type EntryWords, quote, quotedMarket } from '../support/quote-words.ts'

/** One side of a request: prices are steps from 50,000, sizes hundreds of USD; null fields are left out. */
interface Side {
  readonly step: number | null
  readonly size: number | null
}

type Action =
  | {
      readonly type: 'quote'
      readonly group: 'one' | 'two'
      readonly instrument: string
      readonly bid: Side | null
      readonly ask: Side | null
    }
  | { readonly type: 'take'; readonly side: 'buy' | 'sell'; readonly size: number }
  | { readonly type: 'cancel'; readonly group: 1 | 2 }

interface Resting {
  readonly step: number
  readonly size: number
}

const instruments = ['BTC-PERPETUAL', 'BTC-27MAR26'] as const

const sideOf = fc.record({
  step: fc.option(fc.integer({ min: 1, max: 5 }), { nil: null }),
  size: fc.option(fc.integer({ min: 0, max: 9 }), { nil: null }),
})

const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('quote' as const),
      group: fc.constantFrom('one' as const, 'two' as const),
      instrument: fc.constantFrom(...instruments),
      bid: fc.option(sideOf, { nil: null }),
      ask: fc.option(sideOf, { nil: null }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('take' as const),
      side: fc.constantFrom('buy' as const, 'sell' as const),
      size: fc.integer({ min: 1, max: 6 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('cancel' as const),
      group: fc.constantFrom(1 as const, 2 as const),
    }),
  },
)

/** The price of a step: bids are below 50,000 and asks above, so that quotes never match. */
function priceAt(side: 'bid' | 'ask', step: number): number {
  return side === 'bid' ? 50_000 - step * 10 : 50_000 + step * 10
}

function wordsOf(side: 'bid' | 'ask', words: Side): NonNullable<EntryWords['bid']> {
  return {
    ...(words.step === null ? {} : { price: String(priceAt(side, words.step)) }),
    ...(words.size === null ? {} : { amount: String(words.size * 100) }),
  }
}

/** Applies a side to the table; a side with a missing part and no resting quote does nothing. */
function setSide(table: Map<string, Resting>, key: string, words: Side): void {
  const before = table.get(key)
  const size = words.size ?? before?.size
  const step = words.step ?? before?.step
  if (size === 0) table.delete(key)
  else if (size !== undefined && step !== undefined) table.set(key, { step, size })
}

/** A taker matches the best price first, and among equal prices the oldest quote. */
function act(m: Market, table: Map<string, Resting>, what: Action): void {
  if (what.type === 'cancel') {
    cancelQuotes(m, { group: what.group })
    for (const key of [...table.keys()]) {
      if (key.startsWith(what.group === 1 ? 'one' : 'two')) table.delete(key)
    }
    return
  }
  if (what.type === 'take') {
    const price = what.side === 'buy' ? '50050' : '49950'
    const words = { amount: String(what.size * 100), price, timeInForce } as const
    const { trades } = m[what.side]('taker', words)
    for (const { maker, amount } of trades) {
      const key = keyOfOrder(m, maker.order)
      const before = table.get(key)
      const size = (before?.size ?? 0) - amount / 10
      if (size === 0) table.delete(key)
      else table.set(key, { step: before?.step ?? 0, size })
    }
    return
  }
  const { group, instrument, bid, ask } = what
  if (bid === null && ask === null) return
  quote(
    m,
    {
      instrument,
      ...(bid === null ? {} : { bid: wordsOf('bid', bid) }),
      ...(ask === null ? {} : { ask: wordsOf('ask', ask) }),
    },
    { group },
  )
  if (bid !== null) setSide(table, `${group} ${instrument} buy`, bid)
  if (ask !== null) setSide(table, `${group} ${instrument} sell`, ask)
}

const timeInForce = 'immediate_or_cancel' as const

/** Group, instrument and side of an order, from the event that opened it. */
function keyOfOrder(m: Market, order: number): string {
  for (const event of m.events) {
    if (event.kind !== 'order' || event.change !== 'opened' || event.order !== order) continue
    const { name } = m.instrument(m.exchange.instruments[event.instrument]?.instrument.name ?? '')
    return `${event.extras?.mmp?.name} ${name} ${event.side}`
  }
  throw new Error('an order that is met was opened')
}

test('S073 C34: live quotes equal a plain table', () => {
  fc.assert(
    fc.property(fc.array(action, { minLength: 1, maxLength: 40 }), (actions) => {
      const m = quotedMarket()
      protect(m, 'maker', { name: 'two' })
      const table = new Map<string, Resting>()
      for (const what of actions) {
        act(m, table, what)
        const live = m.openOrders('maker').map(({ order, instrument, price, filled }) => {
          const key = `${order.extras?.mmp?.name} ${instrument.name} ${order.side}`
          return `${key} ${(order.amount - filled) * 10}@${price / 1_000_000_000}`
        })
        const expected = [...table].map(([key, { step, size }]) => {
          const side = key.endsWith('buy') ? 'bid' : 'ask'
          return `${key} ${size * 100}@${priceAt(side, step)}`
        })
        expect(live.sort()).toEqual(expected.sort())
        const open = [...m.exchange.mmpGroups].map(({ quotes }) => quotes.size)
        expect(open.reduce((sum, each) => sum + each, 0)).toBe(table.size)
      }
    }),
    { numRuns: 60 },
  )
})
