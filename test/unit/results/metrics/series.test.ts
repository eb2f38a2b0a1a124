/** Series, sketches, inventories and drawdowns, by hand; an undefined figure says why. */
import { describe, expect, test } from 'vitest'
import { accountId, instrumentId } from '../../../../src/core/index.ts'
import { normalBelow, normalQuantile } from '../../../../src/pricing/index.ts'
import { deepest, drawdownsOf } from '../../../../src/results/metrics/drawdowns.ts'
import {
  autocorrelationOf,
  halfLifeOf,
  meanSizeOf,
  passInventory,
  sizeDeviationOf,
} from '../../../../src/results/metrics/inventory.ts'
import * as ratios from '../../../../src/results/metrics/ratios.ts'
import {
  createReturnSeries,
  endDay,
  endPeriod,
  followFlow,
  lengthen,
  returnsOf,
  sampleSeries,
} from '../../../../src/results/metrics/series.ts'
import { addToSketch, quantileOf, type Sketch } from '../../../../src/results/metrics/sketch.ts'
import { createAccount, type InventoryState, inventoryOf } from '../../../../src/results/metrics/state.ts'

const DAY = 86_400_000_000
const MINUTE = 60_000_000

describe('a series', () => {
  test('a deposit in the middle of a period is no return', () => {
    const series = createReturnSeries()
    followFlow(series, { time: DAY, equity: 100, flow: 100 })
    followFlow(series, { time: DAY + 5, equity: 320, flow: 200 })
    endPeriod(series, { time: 2 * DAY, equity: 352 })
    expect(series.returns).toEqual([1.2 * 1.1 - 1])
    expect(series.flows).toEqual([300])
  })

  test('a series continues after a full withdrawal and a new deposit', () => {
    const series = createReturnSeries()
    followFlow(series, { time: 0, equity: 100, flow: 100 })
    followFlow(series, { time: 1, equity: 0, flow: -110 })
    endPeriod(series, { time: DAY, equity: 0 })
    followFlow(series, { time: DAY + 1, equity: 50, flow: 50 })
    endPeriod(series, { time: 2 * DAY, equity: 60 })
    expect(series.isBroken).toBe(false)
    expect(series.returns.map((r) => Math.round(r * 1e9) / 1e9)).toEqual([0.1, 0.2])
  })

  test('a period that begins with debt ends the returns', () => {
    const series = createReturnSeries()
    followFlow(series, { time: 0, equity: 100, flow: 100 })
    endPeriod(series, { time: DAY, equity: -5 })
    endPeriod(series, { time: 2 * DAY, equity: 5 })
    expect(series.isBroken).toBe(true)
  })

  test('d11 the returns cover all of its time, and less than half a period joins its neighbour', () => {
    const HOUR = DAY / 24
    const lengthsOf = (start: number, end: number): readonly number[] => {
      const series = createReturnSeries()
      followFlow(series, { time: start, equity: 100, flow: 100 })
      for (let time = DAY; time < end; time += DAY) {
        endPeriod(series, { time, equity: 100 + time / DAY })
      }
      endPeriod(series, { time: end, equity: 90 })
      const returns = returnsOf(series, DAY)
      expect(returns.reduce((product, { value }) => product * (1 + value), 1)).toBeCloseTo(0.9, 14)
      expect([returns[0]?.from, returns.at(-1)?.until]).toEqual([start, end])
      return returns.map(({ length }) => length)
    }
    expect(lengthsOf(0, 3 * DAY)).toEqual([1, 1, 1])
    expect(lengthsOf(12 * HOUR, 3 * DAY + 12 * HOUR)).toEqual([0.5, 1, 1, 0.5])
    expect(lengthsOf(18 * HOUR, 3 * DAY + 6 * HOUR)).toEqual([1.25, 1.25])
    expect(lengthsOf(18 * HOUR, DAY + 6 * HOUR)).toEqual([0.5])
    expect(lengthsOf(0, 6 * HOUR)).toEqual([0.25])
    expect(lengthsOf(0, 2 * DAY + 1)).toEqual([1, 1 + 1 / DAY])
  })

  test('d11 longer periods have the returns and flows of those that they are made of', () => {
    const series = createReturnSeries()
    followFlow(series, { time: 5, equity: 100, flow: 100 })
    const points = [5, 10, 20, 30, 40, 50, 60].slice(1)
    for (const [at, time] of points.entries()) {
      if (time === 50) followFlow(series, { time: 45, equity: 300, flow: 100 })
      endPeriod(series, { time, equity: 100 * (at + 2) })
    }
    lengthen(series, 0, 30)
    expect(series.times).toEqual([30, 60])
    expect(series.flows).toEqual([100, 100])
    expect(series.returns[0]).toBeCloseTo(3, 14)
    // 400, 500 and 200 before the deposit, 300 after it.
    expect(series.returns[1]).toBeCloseTo((200 / 400) * (700 / 300) - 1, 14)
  })

  test('days end at midnight wherever periods end', () => {
    const series = createReturnSeries()
    followFlow(series, { time: DAY / 2, equity: 100, flow: 100 })
    endDay(series, { time: DAY, equity: 110 })
    endPeriod(series, { time: 1.5 * DAY, equity: 121 })
    endDay(series, { time: 2 * DAY, equity: 60.5 })
    endDay(series, { time: 2 * DAY, equity: 55 })
    expect(series.dayTimes).toEqual([DAY, 2 * DAY])
    expect(series.dayCurve.map((value) => Math.round(value * 1e9) / 1e9)).toEqual([1.1, 0.55])
    expect(series.returns[0]).toBeCloseTo(0.21, 14)
  })

  test('d11 a fall inside a period is a drawdown, and a withdrawal is not', () => {
    const series = createReturnSeries()
    followFlow(series, { time: 0, equity: 100, flow: 100 })
    sampleSeries(series, 110)
    sampleSeries(series, 99)
    followFlow(series, { time: 5, equity: 60, flow: -50 })
    sampleSeries(series, 66)
    endPeriod(series, { time: DAY, equity: 72 })
    expect(series.fall).toBeCloseTo(99 / 110 - 1, 14)
    expect(series.profitFall).toBeCloseTo(11, 12)
  })
})

describe('a drawdown', () => {
  const curve = [1, 1.2, 0.9, 1.1, 1.3, 1.17, 1.235].map((value, time) => ({ time, value }))

  test('has a start, a valley and a recovery, which an open one has not', () => {
    expect(drawdownsOf(curve)).toEqual([
      { start: 1, valley: 2, recovery: 4, depth: 0.9 / 1.2 - 1 },
      { start: 4, valley: 5, recovery: null, depth: 1.17 / 1.3 - 1 },
    ])
  })

  test('D4 a curve that reaches its old peak exactly has recovered', () => {
    const back = [1, 1.2, 0.9, 1.2, 0.6].map((value, time) => ({ time, value }))
    expect(drawdownsOf(back)).toEqual([
      { start: 1, valley: 2, recovery: 3, depth: 0.9 / 1.2 - 1 },
      { start: 3, valley: 4, recovery: null, depth: -0.5 },
    ])
  })

  test('D4 of returns that only rounding keeps from the old peak has recovered too', () => {
    let value = 1
    const products = [1, 55 / 60, 60 / 55, 49 / 60, 60 / 49].map((factor, time) => {
      value *= factor
      return { time, value }
    })
    expect(drawdownsOf(products).map(({ recovery }) => recovery)).toEqual([2, 4])
    expect(
      ratios.sampleOf({
        periods: [],
        curve: products.slice(0, 1),
        deepestFall: 0,
        periodsPerYear: 365,
        riskFree: 0,
      }).falls,
    ).toEqual([0])
  })

  test('the deepest come first, of equal depth the earlier', () => {
    const all = drawdownsOf(curve)
    expect(deepest([...all].reverse(), 1)).toEqual(all.slice(0, 1))
    expect(deepest(all, 5)).toEqual(all)
  })
})

const gains = Array.from({ length: 30 }, (_, at) => (at + 1) / 64)
const equal = gains.map(() => 0.5)

describe('reasons', () => {
  const sampleOf = (returns: readonly number[]): ratios.Sample => {
    let value = 1
    const curve = [{ time: 0, value }]
    for (const [at, r] of returns.entries()) {
      value *= 1 + r
      curve.push({ time: (at + 1) * DAY, value })
    }
    const periods = returns.map((r) => ({ value: r, length: 1 }))
    return ratios.sampleOf({ periods, curve, deepestFall: 0, periodsPerYear: 365, riskFree: 0 })
  }

  test.each<readonly [string, unknown, string]>([
    ['Sharpe of 29 returns', ratios.sharpeOf(sampleOf(gains.slice(1))), 'too_short'],
    ['Sharpe of equal returns', ratios.sharpeOf(sampleOf(equal)), 'no_variance'],
    ['Sortino without a loss', ratios.sortinoOf(sampleOf(gains)), 'no_loss'],
    ['Calmar without a fall', ratios.calmarOf(sampleOf(gains)), 'no_drawdown'],
    ['CAGR of a ruin', ratios.cagrOf(sampleOf([...gains, -1])), 'total_loss'],
    ['stability of a ruin', ratios.stabilityOf(sampleOf([0.1, -1])), 'total_loss'],
    ['skew of two', ratios.sampleSkewOf(sampleOf([0.1, 0.2])), 'too_few_returns'],
    ['Omega without a loss', ratios.omegaOf(sampleOf([0.1, 0.2])), 'no_loss'],
    ['wins of nothing', ratios.winShareOf([]), 'too_few_returns'],
    [
      'no curve',
      ratios.totalReturnOf(
        ratios.sampleOf({
          periods: [],
          curve: [],
          deepestFall: 0,
          periodsPerYear: 365,
          riskFree: 0,
        }),
      ),
      'no_capital',
    ],
  ])('%s', (_, found, reason) => {
    expect(found).toBe(reason)
  })

  test('a ruin has its drawdown all the same', () => {
    expect(ratios.maxDrawdownOf(sampleOf([0.1, -1]))).toBe(-1)
  })
})

describe('a deflated Sharpe ratio', () => {
  const of = {
    sharpes: [1.2, 0.3, -0.4, 0.8],
    best: 1.2,
    periodsPerYear: 365,
    periods: 365,
    skew: -0.1,
    excessKurtosis: 1.5,
  }

  test('allows for the number of trials', () => {
    // By hand, with the expected maximum of four trials: sd 0.6849… times 1.0292….
    const sharpes = of.sharpes.map((sharpe) => sharpe / Math.sqrt(365))
    const centre = sharpes.reduce((sum, value) => sum + value, 0) / 4
    const sd = Math.sqrt(sharpes.reduce((sum, value) => sum + (value - centre) ** 2, 0) / 3)
    const gamma = 0.5772156649015329
    const threshold = sd * ((1 - gamma) * normalQuantile(1 - 1 / 4) + gamma * normalQuantile(1 - 1 / (4 * Math.E)))
    const sharpe = 1.2 / Math.sqrt(365)
    const spread = Math.sqrt(1 + 0.1 * sharpe + ((1.5 + 2) / 4) * sharpe ** 2)
    const expected = normalBelow(((sharpe - threshold) * Math.sqrt(364)) / spread)
    expect(ratios.deflatedSharpeOf(of)).toBeCloseTo(expected, 12)
    expect(expected).toBeLessThan(0.9)
  })

  test('needs more than one trial, and the moments of the best one', () => {
    expect(ratios.deflatedSharpeOf({ ...of, sharpes: [1.2] })).toBe('too_few_returns')
    expect(ratios.deflatedSharpeOf({ ...of, skew: null })).toBe('too_few_returns')
  })
})

describe('quantiles of the normal distribution', () => {
  // mpmath 1.3, 30 digits.
  test.each([
    [0.05, -1.6448536269514726],
    [0.5, 0],
    [0.975, 1.959963984540054],
    [1e-10, -6.361340902404056],
    [0.2, -0.8416212335729142],
  ])('%f', (p, expected) => {
    expect(Math.abs(normalQuantile(p) - expected)).toBeLessThanOrEqual(1e-14 * Math.abs(expected))
  })

  test('undo the distribution', () => {
    for (let p = 0.001; p < 1; p += 0.0173) expect(normalBelow(normalQuantile(p))).toBeCloseTo(p, 14)
  })
})

describe('a sketch', () => {
  test('is within 0.2 % of the value of a rank, and exact at zero', () => {
    const sketch: Sketch = new Map()
    for (let value = 1; value <= 1000; value += 1) addToSketch(sketch, value, 1)
    for (const share of [0.1, 0.5, 0.9, 1]) {
      const found = quantileOf(sketch, share) ?? 0
      expect(Math.abs(found / (1000 * share) - 1)).toBeLessThan(0.002)
    }
    addToSketch(sketch, 0, 5_000)
    expect(quantileOf(sketch, 0.5)).toBe(0)
  })

  test('has no quantile of nothing, and counts no weight of zero', () => {
    const sketch: Sketch = new Map()
    addToSketch(sketch, 5, 0)
    expect(quantileOf(sketch, 0.5)).toBeNull()
  })
})

describe('an inventory', () => {
  const held = (sizes: readonly (readonly [time: number, size: number])[], end: number): InventoryState => {
    const account = createAccount(accountId(0), 'a', false)
    const inventory = inventoryOf(account, instrumentId(0))
    for (const [time, size] of sizes) {
      passInventory(inventory, time)
      inventory.size = size
    }
    passInventory(inventory, end)
    return inventory
  }

  test('has the mean and deviation of its size over time', () => {
    const inventory = held(
      [
        [10, 4],
        [30, -2],
      ],
      40,
    )
    expect(meanSizeOf(inventory)).toBeCloseTo((4 * 20 - 2 * 10) / 30, 12)
    expect(sizeDeviationOf(inventory)).toBeCloseTo(Math.sqrt((16 * 20 + 4 * 10) / 30 - 4), 12)
    expect(autocorrelationOf(inventory)).toBe('too_few_returns')
  })

  test('has the autocorrelation of its sizes at whole minutes', () => {
    // At minutes 1 to 6: 3, 3, 1, 1, 1, 5.
    const inventory = held(
      [
        [1, 3],
        [2 * MINUTE + 5, 1],
        [5 * MINUTE + 9, 5],
      ],
      6 * MINUTE,
    )
    const sizes = [3, 3, 1, 1, 1, 5]
    const mean = 14 / 6
    const difference = sizes.map((size) => size - mean)
    const products = difference.slice(1).map((d, at) => d * (difference[at] ?? 0))
    const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0)
    const expected = sum(products) / sum(difference.map((d) => d * d))
    expect(autocorrelationOf(inventory)).toBeCloseTo(expected, 12)
    const half = halfLifeOf(inventory)
    expect(half).toBe(expected > 0 ? half : 'not_reverting')
  })

  test('has a half-life if it returns to its mean', () => {
    const sizes = Array.from({ length: 40 }, (_, at): readonly [number, number] => [
      at * 3 * MINUTE + 1,
      at % 2 === 0 ? 5 : -5,
    ])
    const inventory = held(sizes, 120 * MINUTE)
    const rho = autocorrelationOf(inventory)
    if (typeof rho !== 'number') throw new Error(rho)
    expect(halfLifeOf(inventory)).toBeCloseTo(Math.log(0.5) / Math.log(rho), 12)
  })
})
