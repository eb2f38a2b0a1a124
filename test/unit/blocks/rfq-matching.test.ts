/** Matching of a Block RFQ compared with a brute force over every part of every quote, and the laws of its splits. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { allocatePro, matchRfq, type RfqFill, type RfqQuote, splitHedge } from '../../../src/blocks/index.ts'
import { bestSubset } from '../../support/naive-rfq-matching.ts'
import { askedRuns, askedSeed, unreached } from '../../support/property-runs.ts'

const ask = (id: number, price: number, amount: number, more: Partial<RfqQuote> = {}) => ({
  ...{ id, price, amount, allOrNone: false, updatedAt: id },
  ...more,
})

const allOrNone = { allOrNone: true }

/** A way to fill the amount: how much of each quote, in the order of their priority. */
interface Solution {
  readonly worst: number
  readonly isPartial: boolean
  readonly cost: number
  readonly taken: readonly number[]
}

/**
 * The best of all ways to fill the amount: by its worst price, then all or none, then by cost, then by the size from
 * the first quotes. Prices of a seller are negated, so that less is better.
 */
function bruteForce(
  buys: boolean,
  amount: number,
  quotes: readonly RfqQuote[],
  limit: number | undefined,
): readonly RfqFill[] | undefined {
  const sign = buys ? 1 : -1
  const cost = (quote: RfqQuote) => sign * quote.price
  const ranked = [...quotes].sort(
    (a, b) =>
      cost(a) - cost(b) || Number(b.allOrNone) - Number(a.allOrNone) || a.updatedAt - b.updatedAt || a.id - b.id,
  )
  const solutions: Solution[] = []
  const extend = (taken: readonly number[]): void => {
    const quote = ranked[taken.length]
    if (quote === undefined) {
      const used = ranked.filter((_, at) => taken[at] !== 0)
      const sum = taken.reduce((total, each) => total + each, 0)
      if (sum !== amount) return
      const worst = Math.max(...used.map(cost))
      if (limit !== undefined && worst > sign * limit) return
      const total = ranked.reduce((so, each, at) => so + cost(each) * (taken[at] ?? 0), 0)
      solutions.push({ worst, isPartial: !used.some((u) => u.allOrNone), cost: total, taken })
      return
    }
    const choices = quote.allOrNone ? [0, quote.amount] : Array.from({ length: quote.amount + 1 }, (_, each) => each)
    for (const choice of choices) extend([...taken, choice])
  }
  extend([])
  const [best] = solutions.sort(
    (a, b) =>
      a.worst - b.worst || Number(a.isPartial) - Number(b.isPartial) || a.cost - b.cost || firstMore(a.taken, b.taken),
  )
  return best && fillsOf(ranked, best.taken)
}

function firstMore(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((each, index) => each !== b[index])
  return at < 0 ? 0 : (b[at] ?? 0) - (a[at] ?? 0)
}

function fillsOf(ranked: readonly RfqQuote[], taken: readonly number[]): RfqFill[] {
  return ranked.flatMap(({ id, price }, at) => {
    const amount = taken[at] ?? 0
    return amount === 0 ? [] : [{ quote: id, price, amount }]
  })
}

const world = fc
  .record({
    buys: fc.boolean(),
    amount: fc.integer({ min: 1, max: 5 }),
    limit: fc.option(fc.integer({ min: -2, max: 2 }), { nil: undefined }),
    quotes: fc.array(
      fc.record({
        price: fc.integer({ min: -2, max: 2 }),
        amount: fc.integer({ min: 1, max: 4 }),
        allOrNone: fc.boolean(),
        updatedAt: fc.nat(2),
      }),
      { maxLength: 5 },
    ),
    ids: fc.shuffledSubarray([1, 2, 3, 4, 5], { minLength: 5 }),
  })
  .map(({ quotes, ids, amount, ...rest }) => ({
    ...rest,
    amount,
    quotes: quotes.map(
      (quote, at): RfqQuote => ({
        ...quote,
        id: ids[at] ?? 0,
        // The venue refuses any other amount of a quote that is all or none.
        amount: quote.allOrNone ? amount : quote.amount,
      }),
    ),
  }))

test('rule rfq.matching: the fills equal a brute force over every part of every quote', () => {
  const seen = new Map<string, number>()
  const note = (word: string) => seen.set(word, (seen.get(word) ?? 0) + 1)
  const property = fc.property(world, ({ buys, amount, quotes, limit }) => {
    const before = structuredClone(quotes)
    const fills = matchRfq(buys, amount, quotes, limit)
    expect(fills).toEqual(bruteForce(buys, amount, quotes, limit))
    expect(quotes).toEqual(before)
    if (fills === undefined) note('none')
    else if (fills.length > 1) note('shared')
    else if (quotes.some(({ id, allOrNone: is }) => is && id === fills[0]?.quote)) note('whole')
    else note('single')
  })
  fc.assert(property, { ...askedSeed(5), numRuns: askedRuns(3_000, 1, 400) })
  expect(unreached(['none', 'shared', 'whole', 'single'], seen)).toEqual([])
})

test('rule rfq.matching: the fills equal the best of all subsets of many quotes of any size', () => {
  const large = fc.record({
    buys: fc.boolean(),
    amount: fc.integer({ min: 1, max: 1_000 }),
    limit: fc.option(fc.integer({ min: 95, max: 105 }), { nil: undefined }),
    quotes: fc.array(
      fc.record({
        price: fc.integer({ min: 98, max: 102 }),
        amount: fc.integer({ min: 1, max: 500 }),
        allOrNone: fc.boolean(),
        updatedAt: fc.nat(3),
      }),
      { minLength: 3, maxLength: 9 },
    ),
  })
  const property = fc.property(large, ({ buys, amount, limit, quotes }) => {
    const named = quotes.map((quote, id) => ({ ...quote, id }))
    expect(matchRfq(buys, amount, named, limit)).toEqual(bestSubset(buys, amount, { quotes: named, limit }))
  })
  fc.assert(property, { ...askedSeed(10), numRuns: askedRuns(400, 1, 100) })
})

test('rule rfq.matching: the whole amount is filled, no quote beyond its amount, none outside the limit', () => {
  const property = fc.property(world, ({ buys, amount, quotes, limit }) => {
    const fills = matchRfq(buys, amount, quotes, limit) ?? []
    if (fills.length > 0) expect(fills.reduce((sum, fill) => sum + fill.amount, 0)).toBe(amount)
    expect(new Set(fills.map(({ quote }) => quote)).size).toBe(fills.length)
    for (const fill of fills) {
      const quote = quotes.find(({ id }) => id === fill.quote)
      expect(quote?.price).toBe(fill.price)
      expect(fill.amount).toBeLessThanOrEqual(quote?.amount ?? 0)
      if (limit === undefined) continue
      if (buys) expect(fill.price).toBeLessThanOrEqual(limit)
      else expect(fill.price).toBeGreaterThanOrEqual(limit)
    }
  })
  fc.assert(property, { ...askedSeed(6), numRuns: askedRuns(2_000, 1, 300) })
})

test('rule rfq.matching: the order of the quotes does not matter', () => {
  const property = fc.property(world, ({ buys, amount, quotes, limit }) => {
    const reversed = matchRfq(buys, amount, [...quotes].reverse(), limit)
    expect(reversed).toEqual(matchRfq(buys, amount, quotes, limit))
  })
  fc.assert(property, { ...askedSeed(7), numRuns: askedRuns(1_000, 1, 200) })
})

test('S133 rule rfq.matching: at one price a quote that is all or none goes first', () => {
  const quotes = [ask(1, 100, 50), ask(2, 100, 50), ask(3, 100, 100, allOrNone)]
  expect(matchRfq(true, 100, quotes)).toEqual([{ quote: 3, price: 100, amount: 100 }])
})

test('rule rfq.matching: all or none at a worse price than the parts need is left', () => {
  const quotes = [ask(1, 100, 60), ask(2, 101, 60), ask(3, 102, 100, allOrNone)]
  expect(matchRfq(true, 100, quotes)).toEqual([
    { quote: 1, price: 100, amount: 60 },
    { quote: 2, price: 101, amount: 40 },
  ])
})

test('rule rfq.matching: all or none at the worst price of the parts wins, though they cost less in sum', () => {
  const quotes = [ask(1, 100, 99), ask(2, 101, 60), ask(3, 101, 100, allOrNone)]
  expect(matchRfq(true, 100, quotes)).toEqual([{ quote: 3, price: 101, amount: 100 }])
})

test('rule rfq.matching: a seller takes the highest bids, the earlier first, then the lower id', () => {
  const quotes = [ask(1, 99, 40), ask(4, 101, 40), ask(3, 101, 40, { updatedAt: 4 }), ask(2, 100, 40)]
  expect(matchRfq(false, 100, quotes, 100)).toEqual([
    { quote: 3, price: 101, amount: 40 },
    { quote: 4, price: 101, amount: 40 },
    { quote: 2, price: 100, amount: 20 },
  ])
  expect(matchRfq(false, 100, quotes, 101)).toBeUndefined()
})

test('rule rfq.matching: of an amount near the largest integer nothing is lost', () => {
  const most = Number.MAX_SAFE_INTEGER
  expect(matchRfq(true, most, [ask(1, 1, most - 1), ask(2, 2, most)])).toEqual([
    { quote: 1, price: 1, amount: most - 1 },
    { quote: 2, price: 2, amount: 1 },
  ])
})

const fills = fc.uniqueArray(
  fc.record({ quote: fc.nat(20), price: fc.integer(), amount: fc.integer({ min: 1, max: 1e12 }) }),
  { minLength: 1, maxLength: 6, selector: ({ quote }) => quote },
)
const steps = fc.integer({ min: 1, max: 1000 })

test('rule rfq.hedge: its parts sum to it, and each except one is within a step below its share', () => {
  const property = fc.property(fills, steps, fc.nat(1e9), (split, step, count) => {
    const amount = step * count
    const parts = splitHedge(amount, step, split)
    expect(parts.reduce((sum, part) => sum + part, 0)).toBe(amount)
    const whole = split.reduce((sum, fill) => sum + BigInt(fill.amount), 0n)
    const [first] = [...split].sort((a, b) => b.amount - a.amount || a.quote - b.quote)
    for (const [at, fill] of split.entries()) {
      const part = BigInt(parts[at] ?? -1)
      expect(part % BigInt(step)).toBe(0n)
      // part <= share < part + step, without a division.
      const share = BigInt(amount) * BigInt(fill.amount)
      if (fill !== first) expect(part * whole <= share).toBe(true)
      expect((part + BigInt(step)) * whole > share).toBe(true)
    }
  })
  fc.assert(property, { ...askedSeed(8), numRuns: askedRuns(1_000, 1, 150) })
})

test('rule rfq.hedge: the remainder goes to the largest fill, among equals to the lowest id', () => {
  const fill = (quote: number, amount: number): RfqFill => ({ quote, price: 1, amount })
  expect(splitHedge(100, 10, [fill(1, 1), fill(2, 2), fill(3, 1)])).toEqual([20, 60, 20])
  expect(splitHedge(100, 10, [fill(9, 1), fill(4, 1), fill(7, 1)])).toEqual([30, 40, 30])
  expect(splitHedge(0, 10, [fill(9, 1), fill(4, 1)])).toEqual([0, 0])
})

test('rule rfq.allocation: parts sum to the amount, the remainder goes to the first', () => {
  expect(allocatePro(100, 10, [1, 1, 1])).toEqual([40, 30, 30])
  expect(allocatePro(9, 10, [5, 5])).toEqual([9, 0])
  const shares = fc.array(fc.integer({ min: 1, max: 1e12 }), { minLength: 1, maxLength: 8 })
  const property = fc.property(shares, steps, fc.nat(1e9), (each, step, count) => {
    const amount = step * count
    const parts = allocatePro(amount, step, each)
    const whole = each.reduce((sum, share) => sum + BigInt(share), 0n)
    expect(parts.reduce((sum, part) => sum + part, 0)).toBe(amount)
    for (const [at, share] of each.entries()) {
      const exact = (BigInt(amount) * BigInt(share)) / whole
      if (at > 0) expect(parts[at]).toBe(Number(exact / BigInt(step)) * step)
    }
  })
  fc.assert(property, { ...askedSeed(9), numRuns: askedRuns(1_000, 1, 150) })
})
