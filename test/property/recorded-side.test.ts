/**
 * A side of a recorded book in pages agrees with a Map of levels: after every step each query has the same answer.
 * Prices are near each other, pages apart and below zero.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  auditRecorded,
  bestLeft,
  bestRecorded,
  clearRecorded,
  createRecordedSide,
  nextLeft,
  type RecordedLevel,
  type RecordedSide,
  recordedLeft,
  recordedLevels,
  recordedSize,
  recordedSource,
  restoreRecorded,
  setRecorded,
  takeRecorded,
  visitLeft,
  visitRecorded,
} from '../../src/book/recorded-side.ts'
import { askedRuns } from '../support/property-runs.ts'

const runs = askedRuns(300, 1, 40)

/** Around the edges of words and pages, far away, and below zero. */
const priceArbitrary = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: -4, max: 4 }) },
  { weight: 3, arbitrary: fc.integer({ min: 250, max: 262 }) },
  { weight: 2, arbitrary: fc.integer({ min: -262, max: -250 }) },
  { weight: 2, arbitrary: fc.integer({ min: -20, max: 20 }).map((page) => page * 256 + 31) },
  { weight: 1, arbitrary: fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 }) },
)
const stepArbitrary = fc.record({
  kind: fc.constantFrom('set', 'set', 'set', 'set', 'remove', 'remove', 'take', 'take', 'clear'),
  price: priceArbitrary,
  lots: fc.integer({ min: 1, max: 5 }),
  pick: fc.nat({ max: 999 }),
})
type Step = typeof stepArbitrary extends fc.Arbitrary<infer T> ? T : never

/** The plain version: levels by price, sorted at each query. */
class Twin {
  readonly levels = new Map<number, { size: number; taken: number; source: number }>()
  private readonly sign: 1 | -1

  constructor(sign: 1 | -1) {
    this.sign = sign
  }

  sorted(): RecordedLevel[] {
    return [...this.levels]
      .map(([price, level]) => ({ price, ...level }))
      .sort((a, b) => (b.price - a.price) * this.sign)
  }

  left(): RecordedLevel[] {
    return this.sorted().filter(({ size, taken }) => size > taken)
  }

  /** The first price worse than this one with remaining size. */
  leftAfter(price: number): number | undefined {
    return this.left().find((level) => (price - level.price) * this.sign > 0)?.price
  }
}

function applyStep(side: RecordedSide, twin: Twin, { step, at }: { step: Step; at: number }): void {
  const { kind, lots, pick } = step
  const known = twin.sorted()[pick % Math.max(1, twin.levels.size)]
  // A known level in two of three cases, so that steps interact.
  const price = known !== undefined && pick % 3 !== 0 ? known.price : step.price
  const level = twin.levels.get(price)
  if (kind === 'clear') {
    // Rarely, because otherwise the book would never grow.
    if (pick % 5 !== 0) return
    clearRecorded(side)
    twin.levels.clear()
  } else if (kind === 'set') {
    expect(setRecorded(side, price, lots, at)).toBe(level?.size ?? 0)
    twin.levels.set(price, { size: lots, taken: 0, source: at })
  } else if (kind === 'remove') {
    expect(setRecorded(side, price, 0, at)).toBe(level?.size ?? 0)
    twin.levels.delete(price)
  } else if (level !== undefined && level.size > level.taken) {
    const taken = Math.min(lots, level.size - level.taken)
    takeRecorded(side, price, taken)
    level.taken += taken
  }
}

/** The number of requested levels, and the number after which the visitor stops. */
const visits = [
  [0, 9],
  [2, 9],
  [Number.POSITIVE_INFINITY, 3],
  [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
] as const

function compare(side: RecordedSide, twin: Twin, asked: number): void {
  auditRecorded(side)
  const levels = twin.sorted()
  expect(recordedLevels(side)).toEqual(levels)
  expect(bestRecorded(side)).toBe(levels[0]?.price)
  expect(bestLeft(side)).toBe(twin.left()[0]?.price)
  for (const price of [asked, asked + 1, ...levels.map((level) => level.price)]) {
    const level = twin.levels.get(price)
    expect(nextLeft(side, price)).toBe(twin.leftAfter(price))
    expect(recordedSize(side, price)).toBe(level?.size ?? 0)
    expect(recordedLeft(side, price)).toBe(level === undefined ? 0 : level.size - level.taken)
    expect(recordedSource(side, price)).toBe(level?.source ?? 0)
  }
  const visited: [number, number][] = []
  visitRecorded(side, 3, (price, size) => visited.push([price, size]))
  expect(visited).toEqual(levels.slice(0, 3).map(({ price, size }) => [price, size]))
  for (const [depth, until] of visits) {
    const left: [number, number][] = []
    visitLeft(side, depth, (price, size) => left.push([price, size]) < until)
    const expected = twin.left().map(({ price, size, taken }) => [price, size - taken])
    expect(left).toEqual(expected.slice(0, Math.min(depth, until)))
  }
}

test('a recorded side in pages answers like a Map of levels', () => {
  const steps = fc.array(stepArbitrary, { maxLength: 60, size: 'max' })
  fc.assert(
    fc.property(fc.constantFrom(1 as const, -1 as const), steps, (sign, stream) => {
      const side = createRecordedSide(sign)
      const twin = new Twin(sign)
      stream.forEach((step, at) => {
        applyStep(side, twin, { step, at: at + 1 })
        compare(side, twin, step.price)
      })
      const copy = createRecordedSide(sign)
      for (const level of recordedLevels(side)) restoreRecorded(copy, level)
      compare(copy, twin, 0)
    }),
    { numRuns: runs, endOnFailure: false },
  )
})
