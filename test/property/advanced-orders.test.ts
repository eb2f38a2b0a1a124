/**
 * Law: at each whole second, the price of every advanced order in an open book is the tick nearest to its value in USD
 * at the index, or nearest to Black-76 at its volatility, computed independently in doubles. No order with a volatility
 * remains in the last quarter of an hour (trading.md 6.12, C30). All accounts have enough funds, and self-matches
 * cancel the maker.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openOrders } from '../../src/engine/index.ts'
import { type AdvancedTerms, anyOrder, type Side } from '../../src/model/index.ts'
import { type Market, market, priceText } from '../support/harness.ts'
import { worthOf } from '../support/naive-black.ts'
import { askedRuns, isWhole } from '../support/property-runs.ts'

const second = 1_000_000
const year = 365 * 86_400 * second
/** It expires 23 hours after the clock starts; the runs begin 20 minutes before that. */
const names = ['BTC-6JAN26-60000-C', 'BTC-6JAN26-61000-P', 'BTC-27MAR26-65000-C']
const accounts = ['alice', 'bob'] as const

interface Placing {
  readonly kind: 'place'
  readonly option: number
  readonly account: number
  readonly side: Side
  readonly advanced: AdvancedTerms | null
  /** In ticks, for a plain order. */
  readonly price: number
}

type Step =
  | Placing
  | { readonly kind: 'wait'; readonly seconds: number }
  | { readonly kind: 'index'; readonly cents: number }
  | { readonly kind: 'cancel'; readonly account: number }

const advanced: fc.Arbitrary<AdvancedTerms | null> = fc.oneof(
  fc.integer({ min: 1, max: 900_000 }).map((cents) => ({
    ...{ type: 'usd' as const, value9: cents * 10_000_000 },
  })),
  fc.integer({ min: 1, max: 3_000 }).map((mille) => ({
    ...{ type: 'implv' as const, value9: mille * 1_000_000 },
  })),
  fc.constant(null),
)

const stepArbitrary: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: placing() },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      seconds: fc.integer({ min: 1, max: 180 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('index' as const),
      cents: fc.integer({ min: 5_700_000, max: 6_300_000 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const), account: fc.nat(1) }) },
)

function placing(): fc.Arbitrary<Placing> {
  return fc.record({
    kind: fc.constant('place' as const),
    option: fc.nat(names.length - 1),
    account: fc.nat(1),
    side: fc.constantFrom('buy', 'sell'),
    advanced,
    price: fc.integer({ min: 1, max: 200 }).map((ticks) => ticks * 5),
  })
}

function take(m: Market, step: Step): void {
  switch (step.kind) {
    case 'wait':
      m.wait(step.seconds * second)
      return
    case 'index':
      m.index('btc_usd', `${step.cents / 100}`)
      return
    case 'cancel':
      m.cancelAll(accounts[step.account] ?? 'alice')
      return
    case 'place': {
      const price = `${step.price / 10_000}`
      const what = step.advanced === null ? { price } : { advanced: step.advanced }
      const instrument = names[step.option] ?? ''
      m[step.side](accounts[step.account] ?? 'alice', { instrument, amount: '1', ...what })
    }
  }
}

/** The exact price of an advanced order, before it is put on the grid. */
function exactPrice(m: Market, name: string, { type, value9 }: AdvancedTerms): number {
  const index = (m.exchange.indices.get('btc_usd')?.price ?? 0) / 1e9
  if (type === 'usd') return value9 / 1e9 / index
  const { detail, expiration } = m.instrument(name)
  if (detail.type !== 'option') throw new Error('an advanced order is of an option')
  const years = (expiration - m.exchange.now) / year
  const option = { right: detail.right, strike: detail.strike / 1e9 }
  return worthOf(option, { forward: index, years, volatility: value9 / 1e9 }, true)
}

/** Checks the price of every live advanced order, and returns their number. */
function standingOf(m: Market): number {
  let standing = 0
  for (const name of accounts) {
    for (const view of openOrders(m.exchange, m.account(name), anyOrder)) {
      const { advanced: terms } = view.order
      if (terms === null) continue
      const exact = exactPrice(m, view.instrument.name, terms)
      const price = Number(priceText(view.price))
      const left = view.instrument.expiration - m.exchange.now
      if (terms.type === 'implv') expect(left).toBeGreaterThan(900 * second)
      // The grid is finer below 0.005.
      const half = exact < 0.005 ? 0.00005 : 0.00025
      if (exact > half) expect(Math.abs(price - exact)).toBeLessThan(half + 1e-9)
      else expect(price).toBe(0.0001)
      standing += 1
    }
  }
  return standing
}

test('rule order.advanced-repricing: orders follow their terms', () => {
  let standing = 0
  let trades = 0
  fc.assert(
    fc.property(fc.array(stepArbitrary, { minLength: 5, maxLength: 25 }), (steps) => {
      const m = market({
        instruments: Object.fromEntries(names.map((name) => [name, {}])),
        accounts: { alice: { BTC: '100000' }, bob: { BTC: '100000' } },
        index: { btc_usd: '60000' },
        config: { priceBands: false },
      })
      for (const name of accounts) m.selfTrading(name, 'cancel_maker')
      m.wait((23 * 3_600 - 1_200) * second)
      for (const step of steps) {
        take(m, step)
        if (step.kind === 'wait') standing += standingOf(m)
      }
      trades += m.events.filter(({ kind }) => kind === 'trade').length
    }),
    { numRuns: askedRuns(60, 1, 8) },
  )
  if (!isWhole) return
  expect(standing).toBeGreaterThan(50)
  expect(trades).toBeGreaterThan(3)
})
