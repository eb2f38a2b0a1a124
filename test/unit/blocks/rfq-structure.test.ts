/** Amounts, ratios, smallest amounts and prices of structures, compared with searches over every number. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { minimumTradeAmount, structureOf, structurePrice } from '../../../src/blocks/index.ts'
import { askedRuns, askedSeed } from '../../support/property-runs.ts'

test('S120 rule rfq.structure: amount times ratio is the size of each leg, and no larger amount does it', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 5 })
  const property = fc.property(sizes, fc.integer({ min: 1, max: 9 }), (each, scale) => {
    const scaled = each.map((size) => size * scale)
    const { amount, ratios } = structureOf(scaled)
    expect(ratios.map((ratio) => ratio * amount)).toEqual(scaled)
    const divisors = Array.from({ length: Math.min(...scaled) }, (_, at) => at + 1)
    expect(amount).toBe(Math.max(...divisors.filter((d) => scaled.every((s) => s % d === 0))))
  })
  fc.assert(property, { ...askedSeed(1), numRuns: askedRuns(400, 1, 200) })
})

test('rule rfq.structure: examples, also near the largest integer', () => {
  expect(structureOf([25])).toEqual({ amount: 25, ratios: [1] })
  expect(structureOf([200_000, 200_010])).toEqual({ amount: 10, ratios: [20_000, 20_001] })
  const most = Number.MAX_SAFE_INTEGER
  expect(structureOf([most, most - 1])).toEqual({ amount: 1, ratios: [most, most - 1] })
  expect(structureOf([most, most])).toEqual({ amount: most, ratios: [1, 1] })
  expect(() => structureOf([25, 0])).toThrow('positive')
  expect(() => structureOf([])).toThrow('legs')
})

test('S121 rule rfq.minimum: the smallest amount that each leg can have, found by a search', () => {
  const leg = fc.record({
    ratio: fc.integer({ min: 1, max: 6 }),
    minimum: fc.bigInt({ min: 0n, max: 40n }),
    step: fc.constantFrom(1, 2, 5, 10),
  })
  const property = fc.property(fc.array(leg, { minLength: 1, maxLength: 4 }), (legs) => {
    const fits = (amount: number) =>
      legs.every((l) => BigInt(amount * l.ratio) >= l.minimum && (amount * l.ratio) % l.step === 0)
    let least = 1
    while (!fits(least)) least += 1
    expect(minimumTradeAmount(legs)).toBe(BigInt(least))
  })
  fc.assert(property, { ...askedSeed(2), numRuns: askedRuns(600, 1, 300) })
})

test('rule rfq.minimum: an option decides for a future that is exempt', () => {
  const option = { ratio: 1, minimum: 250n, step: 1 }
  expect(minimumTradeAmount([option, { ratio: 2, minimum: 250n, step: 1 }])).toBe(250n)
  expect(minimumTradeAmount([option, { ratio: 3, minimum: 0n, step: 100 }])).toBe(300n)
  const future = { ratio: 20_000, minimum: 200_000n, step: 10 }
  expect(minimumTradeAmount([future, { ratio: 20_001, minimum: 200_000n, step: 10 }])).toBe(10n)
})

test('rule rfq.price: the cost of the bought legs less the proceeds of the sold ones', () => {
  expect(
    structurePrice([
      { buys: true, ratio: 1, price: 1_000 },
      { buys: false, ratio: 1, price: 500 },
    ]),
  ).toBe(500)
  expect(
    structurePrice([
      { buys: false, ratio: 2, price: 700 },
      { buys: true, ratio: 1, price: 1_000 },
    ]),
  ).toBe(-400)
})

test('rule rfq.price: products beyond the largest integer cancel exactly', () => {
  const price = 50_000_000_000_001
  expect(
    structurePrice([
      { buys: true, ratio: 20_001, price },
      { buys: false, ratio: 20_000, price },
    ]),
  ).toBe(price)
  expect(() => structurePrice([{ buys: true, ratio: 20_001, price }])).toThrow('safe integer')
})
