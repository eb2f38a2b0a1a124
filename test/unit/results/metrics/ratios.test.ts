/**
 * The golden values of the ratios, computed by an independent program (pandas, SciPy, empyrical-reloaded), and the
 * reasons that replace a ratio without a value.
 */
import { describe, expect, test } from 'vitest'
import * as ratios from '../../../../src/results/metrics/ratios.ts'

const DAY = 86_400_000_000

function sampleOf(returns: readonly number[], { periodsPerYear = 365, riskFree = 0 } = {}): ratios.Sample {
  let value = 1
  const curve = [{ time: 0, value }]
  for (const [at, r] of returns.entries()) {
    value *= 1 + r
    curve.push({ time: (at + 1) * DAY, value })
  }
  const periods = returns.map((r) => ({ value: r, length: 1 }))
  const deepestFall = Math.min(
    ...curve.map(({ value: now }, at) => now / Math.max(...curve.slice(0, at + 1).map((one) => one.value)) - 1),
  )
  return ratios.sampleOf({ periods, curve, deepestFall, periodsPerYear, riskFree })
}

const golden = Array.from({ length: 365 }, (_, i) => 0.0001 * (((7919 * i) % 401) - 195))

test('a loss of a partial period counts in proportion to its length', () => {
  const periods = golden.map((value, at) => ({ value, length: at === 0 ? 0.25 : 1 }))
  const { curve, deepestFall } = sampleOf(golden)
  const sample = ratios.sampleOf({ periods, curve, deepestFall, periodsPerYear: 365, riskFree: 0 })
  // sqrt(mean(min(r, 0)^2 / t)) sqrt(P), with t of the first period 1/4.
  const squares = periods.map(({ value, length }) => Math.min(value, 0) ** 2 / length)
  const expected = Math.sqrt(squares.reduce((sum, square) => sum + square, 0))
  expect(ratios.downsideOf(sample)).toBeCloseTo(expected, 12)
  expect(golden[0]).toBeLessThan(0)
})

describe('golden values', () => {
  const sample = sampleOf(golden)
  test.each<readonly [string, ReturnType<typeof ratios.sharpeOf>, number]>([
    ['total return', ratios.totalReturnOf(sample), 0.33209973013061944],
    ['CAGR', ratios.cagrOf(sample), 0.33209973013061944],
    ['volatility', ratios.volatilityOf(sample), 0.22097840354922657],
    ['Sharpe, 365', ratios.sharpeOf(sample), 1.4082824158455607],
    ['Sharpe, 252', ratios.sharpeOf(sampleOf(golden, { periodsPerYear: 252 })), 1.1701555445377172],
    ['Sortino', ratios.sortinoOf(sample), 2.1285760335576183],
    ['downside deviation', ratios.downsideOf(sample), 0.146201025988192],
    ['maximum drawdown', ratios.maxDrawdownOf(sample), -0.14187582441237073],
    ['Calmar', ratios.calmarOf(sample), 2.3407774475047374],
    ['Omega', ratios.omegaOf(sample), 1.1857688634192936],
    ['tail ratio', ratios.tailRatioOf(sample), 1.1079478054567025],
    ['stability', ratios.stabilityOf(sample), 0.586801911579602],
    ['VaR 95', ratios.returnPercentileOf(sample, 0.05), -0.01686],
    ['CVaR 95', ratios.conditionalVarOf(sample), -0.01822105263157895],
    ['skew', ratios.sampleSkewOf(sample), -0.003746236239235983],
    ['excess kurtosis', ratios.sampleKurtosisOf(sample), -1.2076059920281328],
    ['probabilistic Sharpe', ratios.probabilisticSharpeOf(sample), 0.9200490892769279],
    ['Ulcer index', ratios.ulcerOf(sample), 0.049301865643760066],
  ])('%s', (_, found, expected) => {
    expect(typeof found).toBe('number')
    expect(Math.abs(Number(found) - expected)).toBeLessThanOrEqual(1e-12 * Math.abs(expected))
  })
})
