/** Price grids, compared with a slow version that walks the grid tick by tick; bands compared with exact bigints. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { divCeilBig, divFloorBig, type Price9, price9, ticks } from '../../../../src/core/index.ts'
import {
  ceilToGrid,
  floorToGrid,
  isOnGrid,
  nearestOnGrid,
  nextTickAbove,
  nextTickBelow,
  type PriceGrid,
  price9OfTicks,
  priceBand,
  ticksOfPrice9,
} from '../../../../src/model/index.ts'

const seed = 7
const flat: PriceGrid = { tick9: 5, tickSteps: [] }
/** Ticks of 1 below 20, of 5 from 20, of 10 from 40. */
const stepped: PriceGrid = {
  tick9: 1,
  tickSteps: [
    { above: price9(20), tick9: 5 },
    { above: price9(40), tick9: 10 },
  ],
}
const grids = [flat, stepped]

/** Every price of the grid from -100 to 200, in base ticks. */
function walk(grid: PriceGrid): readonly number[] {
  const found: number[] = []
  for (let at = -100; at <= 200; at += 1) {
    const step = grid.tickSteps.findLast(({ above }) => at >= above)?.tick9 ?? grid.tick9
    if (at % step === 0) found.push(at)
  }
  return found.map((at) => (at === 0 ? 0 : at) / grid.tick9)
}

test('A2 the nearest price and the band stay below the greatest number', () => {
  const half: PriceGrid = { tick9: 500_000_000, tickSteps: [] }
  const most = price9(Number.MAX_SAFE_INTEGER)
  const highest = 18_014_398
  expect(ceilToGrid(half, price9(9_007_198_500_000_001))).toBe(highest)
  expect(nearestOnGrid(half, most, 'sell')).toBe(highest)
  expect(priceBand({ ...half, bandPpm: 100_000 }, { mark: most, whole: most }).max).toBe(highest)
})

describe('rule prices.grid: the grid equals the one walked tick by tick', () => {
  test.each(grids)('grid %#', (grid) => {
    const walked = walk(grid)
    for (let at = -90; at <= 90; at += 1) {
      const below = walked.findLast((tick) => tick * grid.tick9 <= at)
      const above = walked.find((tick) => tick * grid.tick9 >= at)
      expect(floorToGrid(grid, price9(at))).toBe(below)
      expect(ceilToGrid(grid, price9(at))).toBe(above)
      const position = ticksOfPrice9(grid, price9(at))
      expect(position).toBe(at % grid.tick9 === 0 ? (at + 0) / grid.tick9 + 0 : undefined)
      if (position !== undefined) {
        expect(isOnGrid(grid, position)).toBe(walked.includes(position))
        expect(price9OfTicks(grid, position)).toBe(at + 0)
        expect(nextTickBelow(grid, position)).toBe(walked.findLast((tick) => tick < position))
        expect(nextTickAbove(grid, position)).toBe(walked.find((tick) => tick > position))
      }
    }
  })

  test('post-only slides over the seam of two ticks', () => {
    expect(nextTickBelow(stepped, ticks(20))).toBe(19)
    expect(nextTickBelow(stepped, ticks(40))).toBe(35)
    expect(nextTickAbove(stepped, ticks(19))).toBe(20)
    expect(nextTickAbove(stepped, ticks(35))).toBe(40)
    expect(nextTickAbove(stepped, ticks(40))).toBe(50)
  })

  test('C30 a price exactly between two goes away from the market', () => {
    expect(nearestOnGrid(stepped, price9(45), 'buy')).toBe(40)
    expect(nearestOnGrid(stepped, price9(45), 'sell')).toBe(50)
    expect(nearestOnGrid(stepped, price9(46), 'buy')).toBe(50)
    expect(nearestOnGrid(stepped, price9(44), 'sell')).toBe(40)
    expect(nearestOnGrid(stepped, price9(40), 'sell')).toBe(40)
  })

  test('a price beyond 1e-9 units that a safe integer counts is a defect', () => {
    expect(() => price9OfTicks(flat, ticks(Number.MAX_SAFE_INTEGER))).toThrow('safe integer')
  })
})

/** A mark whose band is a part of itself. */
function around(mark: number): { readonly mark: Price9; readonly whole: Price9 } {
  return { mark: price9(mark), whole: price9(mark) }
}

describe('rule prices.band: outward, exactly', () => {
  test('the ends are the first grid prices at or beyond the exact band', () => {
    const law = fc.property(
      fc.integer({ min: 0, max: 8_000_000_000_000_000 }),
      fc.integer({ min: 1, max: 100_000 }),
      fc.constantFrom(1, 5, 500_000_000, 2_500_000_000),
      (mark, bandPpm, tick9) => {
        const band = priceBand({ tick9, tickSteps: [], bandPpm }, around(mark))
        const denominator = 1_000_000n * BigInt(tick9)
        const exact = (sign: bigint): bigint => BigInt(mark) * (1_000_000n + sign * BigInt(bandPpm))
        expect(BigInt(band.min)).toBe(divFloorBig(exact(-1n), denominator))
        expect(BigInt(band.max)).toBe(divCeilBig(exact(1n), denominator))
      },
    )
    fc.assert(law, { seed, numRuns: 500 })
  })

  test('the steps of the grid hold at both ends', () => {
    const band = priceBand({ ...stepped, bandPpm: 100_000 }, around(42))
    expect(band).toEqual({ min: 35, max: 50 })
  })

  test('the greatest mark has a band that still is a price', () => {
    const spec = { tick9: 500_000_000, tickSteps: [], bandPpm: 15_000 }
    const { max } = priceBand(spec, around(Number.MAX_SAFE_INTEGER))
    expect(price9OfTicks(spec, max)).toBe(9_007_199_000_000_000)
  })

  test('the band of an option is a part of its underlying: 0.04 coin, or 4 % of the index', () => {
    const coin = { tick9: 100_000, bandPpm: 40_000 }
    const tickSteps = [{ above: price9(5_000_000), tick9: 500_000 }]
    const band = priceBand({ ...coin, tickSteps }, { mark: price9(41_581_114), whole: price9(1_000_000_000) })
    expect(band).toEqual({ min: 15, max: 820 })
    const linear = { tick9: 5_000_000_000, tickSteps: [], bandPpm: 40_000 }
    const wide = { mark: price9(2_237_868_200_000), whole: price9(60_000_000_000_000) }
    expect(priceBand(linear, wide)).toEqual({ min: -33, max: 928 })
  })

  test('an instrument without a band, or a negative mark, is a defect', () => {
    expect(() => priceBand({ ...flat, bandPpm: 0 }, around(1))).toThrow('has a price band')
    expect(() => priceBand({ ...flat, bandPpm: 1 }, around(-1))).toThrow('not negative')
  })
})
