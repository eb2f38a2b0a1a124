/** Named random streams: repeatability, independence, fairness, snapshots. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AssertionFailure } from '../../../src/core/assert.ts'
import { type RandomStream, randomStream, restoreRandomStream } from '../../../src/core/random.ts'

function draws(stream: RandomStream, count: number): number[] {
  return Array.from({ length: count }, () => stream.nextUint32())
}

/** Chi-square over equally likely cells. */
function chiSquare(counts: readonly number[]): number {
  const total = counts.reduce((sum, count) => sum + count, 0)
  const expected = total / counts.length
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
}

describe('randomStream', () => {
  test('gives the known draws of version 1', () => {
    const stream = randomStream(7, 'latency')
    expect(draws(stream, 4)).toEqual([3363196257, 3267608230, 838386732, 2961856536])
    expect(stream.nextDouble()).toBe(0.5447440795536511)
    expect(stream.int(1, 6)).toBe(3)
    expect(stream.int(0, Number.MAX_SAFE_INTEGER)).toBe(8_664_633_426_619_518)
    expect(stream.exponentialMicros(1_000_000)).toBe(190_091)
    expect(stream.snapshot()).toEqual({
      carry: 397_602,
      lag0: 2_703_315_676,
      lag1: 2_816_216_651,
      lag2: 2_001_315_485,
    })
  })

  test('a numeric seed and its text are one seed', () => {
    expect(draws(randomStream(7, 'a'), 9)).toEqual(draws(randomStream('7', 'a'), 9))
  })

  test('other seeds and names give other streams', () => {
    const firsts = ['1', '2', '12'].flatMap((seed) =>
      ['a', 'b', '1a'].map((name) => draws(randomStream(seed, name), 2).join()),
    )
    expect(new Set(firsts).size).toBe(9)
  })

  test('first draws of neighbouring seeds are not clustered', () => {
    const counts = new Array<number>(256).fill(0)
    for (let seed = 0; seed < 8192; seed += 1) {
      const cell = randomStream(seed, 'a').nextUint32() >>> 24
      counts[cell] = (counts[cell] ?? 0) + 1
    }
    // 255 degrees of freedom: mean 255, standard deviation 22.6.
    expect(chiSquare(counts)).toBeLessThan(350)
  })

  test('refuses ambiguous names and seeds that are not exact', () => {
    for (const name of ['', 'a|b']) expect(() => randomStream(1, name)).toThrow(AssertionFailure)
    for (const seed of [0.5, Number.NaN, 2 ** 53]) {
      expect(() => randomStream(seed, 'a')).toThrow(AssertionFailure)
    }
  })
})

describe('draws', () => {
  test('int covers exactly its range, evenly', () => {
    const stream = randomStream(1, 'dice')
    const counts = new Array<number>(6).fill(0)
    for (let draw = 0; draw < 60_000; draw += 1) {
      const face = stream.int(-2, 3) + 2
      counts[face] = (counts[face] ?? 0) + 1
    }
    expect(counts).toHaveLength(6)
    expect(chiSquare(counts)).toBeLessThan(20)
  })

  test('int stays within its bounds, whatever they are', () => {
    const stream = randomStream(1, 'bounds')
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.maxSafeInteger(), (a, b) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)]
        fc.pre(Number.isSafeInteger(high - low))
        const value = stream.int(low, high)
        expect(Number.isSafeInteger(value) && value >= low && value <= high).toBe(true)
        expect(stream.int(low, low)).toBe(low)
      }),
    )
  })

  test('a wide int reaches both of its halves and odd values', () => {
    const stream = randomStream(1, 'wide')
    const values = Array.from({ length: 200 }, () => stream.int(0, 2 ** 53 - 1))
    expect(values.filter((value) => value >= 2 ** 52).length).toBeGreaterThan(60)
    expect(values.filter((value) => value % 2 === 1).length).toBeGreaterThan(60)
  })

  test('int refuses an empty or too wide range', () => {
    const stream = randomStream(1, 'a')
    expect(() => stream.int(1, 0)).toThrow(AssertionFailure)
    expect(() => stream.int(0.5, 1)).toThrow(AssertionFailure)
    expect(() => stream.int(-(2 ** 53) + 1, 2 ** 53 - 1)).toThrow(AssertionFailure)
  })

  test('chance is never at zero, always at one, and fair between', () => {
    const stream = randomStream(1, 'chance')
    const hits = (numerator: number): number =>
      Array.from({ length: 10_000 }, () => stream.chance(numerator, 4)).filter(Boolean).length
    expect(hits(0)).toBe(0)
    expect(hits(4)).toBe(10_000)
    expect(Math.abs(hits(1) - 2500)).toBeLessThan(200)
    expect(() => stream.chance(2, 1)).toThrow(AssertionFailure)
    expect(() => stream.chance(-1, 1)).toThrow(AssertionFailure)
    expect(() => stream.chance(0, 0)).toThrow(AssertionFailure)
  })

  test('pick reaches every member and refuses an empty list', () => {
    const stream = randomStream(1, 'pick')
    const picked = new Set(Array.from({ length: 100 }, () => stream.pick(['a', 'b', undefined])))
    expect(picked).toEqual(new Set(['a', 'b', undefined]))
    expect(() => stream.pick([])).toThrow(AssertionFailure)
  })

  test('nextDouble is in [0, 1) and uses 53 bits', () => {
    const stream = randomStream(1, 'double')
    const values = Array.from({ length: 1000 }, () => stream.nextDouble())
    expect(values.every((value) => value >= 0 && value < 1)).toBe(true)
    expect(values.every((value) => Number.isInteger(value * 2 ** 53))).toBe(true)
    expect(values.some((value) => !Number.isInteger(value * 2 ** 33))).toBe(true)
  })

  test('exponentialMicros has the exponential distribution', () => {
    const stream = randomStream(1, 'waits')
    const mean = 1_000_000
    const counts = new Array<number>(20).fill(0)
    let sum = 0
    for (let draw = 0; draw < 100_000; draw += 1) {
      const wait = stream.exponentialMicros(mean)
      sum += wait
      // The distribution function maps waits to a uniform variable: twenty equally likely cells.
      const cell = Math.floor(20 * (1 - Math.exp(-wait / mean)))
      counts[cell] = (counts[cell] ?? 0) + 1
    }
    // 19 degrees of freedom; the mean of 100,000 has a standard deviation of 3,162.
    expect(chiSquare(counts)).toBeLessThan(45)
    expect(Math.abs(sum / 100_000 - mean)).toBeLessThan(13_000)
  })

  test('exponentialMicros keeps to integers at the ends of its range', () => {
    const stream = randomStream(1, 'waits')
    expect(stream.exponentialMicros(0)).toBe(0)
    for (let draw = 0; draw < 1000; draw += 1) {
      expect(Number.isSafeInteger(stream.exponentialMicros(2 ** 46))).toBe(true)
    }
    for (const mean of [-1, 0.5, 2 ** 46 + 1]) {
      expect(() => stream.exponentialMicros(mean)).toThrow(AssertionFailure)
    }
  })
})

describe('snapshot', () => {
  test('a restored stream continues, also through JSON', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat({ max: 50 }), (seed, skipped) => {
        const stream = randomStream(seed, 'a')
        draws(stream, skipped)
        const state = stream.snapshot()
        const restored = restoreRandomStream(JSON.parse(JSON.stringify(state)))
        expect(Object.values(state).every(Number.isSafeInteger)).toBe(true)
        expect(restored.snapshot()).toEqual(state)
        expect(draws(restored, 20)).toEqual(draws(stream, 20))
      }),
    )
  })

  test('taking one changes nothing', () => {
    const stream = randomStream(1, 'a')
    stream.snapshot()
    expect(draws(stream, 3)).toEqual(draws(randomStream(1, 'a'), 3))
  })

  test('refuses a state that no stream has', () => {
    const state = randomStream(1, 'a').snapshot()
    for (const odd of [{ carry: -1 }, { carry: 2_091_639 }, { lag0: 0.5 }, { lag2: 2 ** 32 }]) {
      expect(() => restoreRandomStream({ ...state, ...odd })).toThrow(AssertionFailure)
    }
  })
})
