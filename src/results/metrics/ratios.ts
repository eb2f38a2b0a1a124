/**
 * Ratios of returns from the note on metrics, each a pure function of one sample.
 *
 * x is the return above the risk-free rate, P the number of periods in a year, sd the standard deviation of a sample
 * (divided by n - 1). The risk-free rate of t periods is (1 + rf)^(t / P) - 1. A year is 365 days of 86,400 s. The
 * first and the last period may have another length than the others: `Moments` in `statistics.ts` explains how the
 * length counts.
 *
 * Source: notes/metrics.md. Where libraries differ, the sentence of the metric in `return-metrics.ts` says which form
 * is used.
 */
import { assert } from '../../core/index.ts'
import { logarithm, normalBelow, normalQuantile, power } from '../../pricing/index.ts'
import { type CurvePoint, fallsOf } from './drawdowns.ts'
import { checked, type Figure, mapFigure, ratio } from './figure.ts'
import {
  deviationOf,
  excessKurtosisOf,
  lagOneOf,
  lineOf,
  type Moments,
  meanOf,
  momentsOf,
  percentileOf,
  skewOf,
  sorted,
  sumBy,
  sumOf,
  type Weighed,
  weighedMomentsOf,
} from './statistics.ts'
import { ANNUAL_DAYS_MIN, RETURNS_MIN } from './terms.ts'

/** The input of ratios. Its returns and its curve cover the same time. */
export interface Sample {
  /** All returns in their order, with their lengths in periods. */
  readonly periods: readonly Weighed[]
  readonly returns: readonly number[]
  /** The returns less the risk-free rate of their time. */
  readonly excess: readonly Weighed[]
  readonly rising: readonly number[]
  /** Null without a return. */
  readonly moments: Moments | null
  readonly ofExcess: Moments | null
  readonly periodsPerYear: number
  /** The risk-free rate per year. */
  readonly riskFree: number
  /** The growth of one unit of money: 1 at the start, and a point at the end of every period. */
  readonly curve: readonly CurvePoint[]
  readonly falls: readonly number[]
  /** The deepest fall at any sample of equity, also inside periods; 0, or a negative part of the highest point. */
  readonly deepestFall: number
}

const MICROS_PER_YEAR = 31_536_000_000_000
const MICROS_PER_DAY = 86_400_000_000

/** The periods of a run and the figures that its ratios need. */
interface RatioSample {
  readonly periods: readonly Weighed[]
  readonly curve: readonly CurvePoint[]
  readonly deepestFall: number
  readonly periodsPerYear: number
  readonly riskFree: number
}

/** Makes a sample. Without capital the curve may be empty. */
export function sampleOf(of: RatioSample): Sample {
  const { curve, deepestFall, periodsPerYear, riskFree } = of
  assert(periodsPerYear > 0 && riskFree > -1, 'a year has periods, and a rate is above -100 %')
  // Changes at one moment, such as in a run without duration, are not returns of a period.
  const periods = of.periods.filter(({ length }) => length > 0)
  const rateOf = (length: number): number => (riskFree === 0 ? 0 : power(1 + riskFree, length / periodsPerYear) - 1)
  const excess = periods.map(({ value, length }) => ({ value: value - rateOf(length), length }))
  const returns = periods.map(({ value }) => value)
  return {
    periods,
    returns,
    excess,
    rising: sorted(returns),
    moments: returns.length === 0 ? null : weighedMomentsOf(periods),
    ofExcess: returns.length === 0 ? null : weighedMomentsOf(excess),
    periodsPerYear,
    riskFree,
    curve,
    falls: fallsOf(curve),
    deepestFall,
  }
}

/** An annual figure, or the reason why the sample is too short for one. */
function annual(sample: Sample, of: () => Figure): Figure {
  if (sample.curve.length === 0) return 'no_capital'
  return isAnnual(sample) ? of() : 'too_short'
}

/** True if a sample has enough returns, over enough days, for annual figures. */
export function isAnnual({ returns, curve }: Pick<Sample, 'returns' | 'curve'>): boolean {
  const [first, last] = [curve[0], curve.at(-1)]
  if (first === undefined || last === undefined) return false
  return returns.length >= RETURNS_MIN && last.time - first.time >= ANNUAL_DAYS_MIN * MICROS_PER_DAY
}

/** prod(1 + r) - 1 over all periods. */
export function totalReturnOf(sample: Sample): Figure {
  const last = sample.curve.at(-1)
  return last === undefined ? 'no_capital' : checked(last.value - 1)
}

/** Elapsed time of the curve in years. */
function yearsOf({ curve }: Sample): number {
  const [first, last] = [curve[0], curve.at(-1)]
  return first === undefined || last === undefined ? 0 : (last.time - first.time) / MICROS_PER_YEAR
}

/** (prod(1 + r))^(1 / years) - 1. */
export function cagrOf(sample: Sample): Figure {
  return annual(sample, () => {
    const last = sample.curve.at(-1)
    if (last === undefined) return 'no_capital'
    const years = yearsOf(sample)
    if (last.value <= 0) return 'total_loss'
    // The annual rate of a week's return may exceed the range of doubles.
    const exponent = logarithm(last.value) / years
    return exponent > 700 ? 'too_short' : checked(power(last.value, 1 / years) - 1)
  })
}

/** sd(r) sqrt(P). */
export function volatilityOf(sample: Sample): Figure {
  return annual(sample, () => {
    if (sample.moments === null || sample.moments.n < 2) return 'too_few_returns'
    return checked(deviationOf(sample.moments) * Math.sqrt(sample.periodsPerYear))
  })
}

/** mean(x) / sd(x) of one period. */
function sharpeOfPeriod({ ofExcess }: Sample): Figure {
  if (ofExcess === null || ofExcess.n < 2) return 'too_few_returns'
  return ratio(ofExcess.mean, deviationOf(ofExcess), 'no_variance')
}

/** mean(x) / sd(x) sqrt(P). */
export function sharpeOf(sample: Sample): Figure {
  return annual(sample, () => mapFigure(sharpeOfPeriod(sample), (value) => value * Math.sqrt(sample.periodsPerYear)))
}

/** Sharpe / sqrt(1 + 2 sum of ((n - j) / n) rho^j), rho the absolute lag-1 autocorrelation. */
export function smartSharpeOf(sample: Sample): Figure {
  const sharpe = sharpeOf(sample)
  if (typeof sharpe !== 'number' || sample.ofExcess === null) return sharpe
  const rho = Math.abs(lagOneOf(sample.ofExcess) ?? 0)
  let powerOfRho = 1
  let sum = 0
  for (let lag = 1; lag < sample.ofExcess.n && powerOfRho > 0; lag += 1) {
    powerOfRho *= rho
    sum += ((sample.ofExcess.n - lag) / sample.ofExcess.n) * powerOfRho
  }
  return checked(sharpe / Math.sqrt(1 + 2 * sum))
}

/** Phi((SR - 0) sqrt(n - 1) / sqrt(1 - g3 SR + (g4 - 1) / 4 SR^2)), per period; g4 is not the excess. */
export function probabilisticSharpeOf(sample: Sample): Figure {
  const threshold = 0
  const sharpe = sharpeOfPeriod(sample)
  if (typeof sharpe !== 'number') return sharpe
  if (sample.ofExcess === null || sample.ofExcess.n < 4) return 'too_few_returns'
  const [skew, excessKurtosis] = [skewOf(sample.ofExcess), excessKurtosisOf(sample.ofExcess)]
  return probabilityAbove(sharpe, threshold, sample.ofExcess.n, skew, excessKurtosis)
}

function probabilityAbove(sharpe: number, threshold: number, n: number, skew: number, excessKurtosis: number): Figure {
  const variance = 1 - skew * sharpe + ((excessKurtosis + 2) / 4) * sharpe * sharpe
  if (variance <= 0) return 'too_few_returns'
  return checked(normalBelow(((sharpe - threshold) * Math.sqrt(n - 1)) / Math.sqrt(variance)))
}

/** The ratios of all trials and the moments of the best one. */
interface SharpeTrials {
  /** The ratios of all trials. */
  readonly sharpes: readonly number[]
  readonly best: number
  readonly periodsPerYear: number
  /** The number of returns of the best trial; then their skew and excess kurtosis. */
  readonly periods: number | null
  readonly skew: number | null
  readonly excessKurtosis: number | null
}

/**
 * The probabilistic Sharpe ratio of the best of several trials, relative to the best ratio that the same number of
 * trials without skill is expected to show. Ratios are annual.
 */
export function deflatedSharpeOf(of: SharpeTrials): Figure {
  if (of.periods === null || of.skew === null || of.excessKurtosis === null) return 'too_few_returns'
  const root = Math.sqrt(of.periodsPerYear)
  const threshold = expectedBestSharpe(of.sharpes.map((sharpe) => sharpe / root))
  if (typeof threshold !== 'number') return threshold
  return probabilityAbove(of.best / root, threshold, of.periods, of.skew, of.excessKurtosis)
}

const EULER_GAMMA = 0.5772156649015329
const E_INVERSE = 0.36787944117144233

/**
 * The per-period Sharpe ratio that the best of several trials without skill is expected to show: sqrt(Var[SR]) ((1 - g)
 * Phi^-1(1 - 1 / N) + g Phi^-1(1 - 1 / (N e))), g = 0.5772….
 */
function expectedBestSharpe(sharpes: readonly number[]): Figure {
  const n = sharpes.length
  if (n < 2) return 'too_few_returns'
  const spread = deviationOf(momentsOf(sharpes))
  const low = normalQuantile(1 - 1 / n)
  const high = normalQuantile(1 - E_INVERSE / n)
  return checked(spread * ((1 - EULER_GAMMA) * low + EULER_GAMMA * high))
}

/** sqrt(mean(min(x, 0)^2 / t)) sqrt(P), the mean over all n, t the length of the period of x. */
export function downsideOf(sample: Sample): Figure {
  return annual(sample, () => {
    const squares = sumOf(sample.excess.map(({ value, length }) => (value < 0 ? value * value : 0) / length))
    return checked(Math.sqrt(squares / sample.excess.length) * Math.sqrt(sample.periodsPerYear))
  })
}

/** mean(x) P / downside deviation. */
export function sortinoOf(sample: Sample): Figure {
  return annual(sample, () =>
    sample.ofExcess === null
      ? 'too_few_returns'
      : ratio(sample.ofExcess.mean * sample.periodsPerYear, downsideOf(sample), 'no_loss'),
  )
}

/** The deepest fall below the highest point so far at the ends of periods, as a negative share of it. */
export function maxDrawdownOf({ falls }: Sample): Figure {
  return falls.length === 0 ? 'no_capital' : checked(boundsOf(falls)?.[0] ?? 0)
}

/** CAGR / |deepest fall|. */
export function calmarOf(sample: Sample): Figure {
  return ratio(cagrOf(sample), -sample.deepestFall, 'no_drawdown')
}

/** sqrt(mean(dd^2)) over the ends of periods, each weighed with the length of its period. */
export function ulcerOf({ falls, curve }: Sample): Figure {
  const [first, last] = [curve[0], curve.at(-1)]
  if (first === undefined || last === undefined || first.time === last.time) return 'too_few_returns'
  const squares = sumBy(falls.slice(1), (fall, at) => fall * fall * timeBetween(curve, at))
  return checked(Math.sqrt(squares / (last.time - first.time)))
}

function timeBetween(curve: readonly CurvePoint[], at: number): number {
  return (curve[at + 1]?.time ?? 0) - (curve[at]?.time ?? 0)
}

/** (CAGR - rf) / Ulcer index. */
export function martinOf(sample: Sample): Figure {
  const above = mapFigure(cagrOf(sample), (value) => value - sample.riskFree)
  return ratio(above, ulcerOf(sample), 'no_drawdown')
}

/** sum(max(r, 0)) / sum(max(-r, 0)). */
export function omegaOf({ returns }: Sample): Figure {
  if (returns.length === 0) return 'too_few_returns'
  const gains = sumBy(returns, (r) => (r > 0 ? r : 0))
  return ratio(
    gains,
    sumBy(returns, (r) => (r < 0 ? -r : 0)),
    'no_loss',
  )
}

/** sum(r) / |sum(r < 0)|. */
export function gainToPainOf(returns: readonly number[]): Figure {
  if (returns.length === 0) return 'too_few_returns'
  return ratio(
    sumOf(returns),
    sumBy(returns, (r) => (r < 0 ? -r : 0)),
    'no_loss',
  )
}

/** The percentile of the returns, linear between two of them. */
export function returnPercentileOf({ rising }: Sample, share: number): Figure {
  return rising.length === 0 ? 'too_few_returns' : checked(percentileOf(rising, share))
}

/** mean + z sd, z the 5th percentile of the normal distribution. */
export function normalVarOf({ moments }: Sample): Figure {
  if (moments === null || moments.n < 2) return 'too_few_returns'
  return checked(moments.mean + normalQuantile(0.05) * deviationOf(moments))
}

/** Mean of the floor((n - 1) 0.05) + 1 smallest returns. */
export function conditionalVarOf({ rising }: Sample): Figure {
  if (rising.length === 0) return 'too_few_returns'
  const tail = rising.slice(0, Math.floor((rising.length - 1) * 0.05) + 1)
  return checked(meanOf(tail))
}

/** Bias-corrected skew. */
export function sampleSkewOf({ moments }: Sample): Figure {
  if (moments === null || moments.n < 3) return 'too_few_returns'
  return moments.m2 === 0 ? 'no_variance' : checked(skewOf(moments))
}

/** Bias-corrected excess kurtosis. */
export function sampleKurtosisOf({ moments }: Sample): Figure {
  if (moments === null || moments.n < 4) return 'too_few_returns'
  return moments.m2 === 0 ? 'no_variance' : checked(excessKurtosisOf(moments))
}

/** |95th percentile| / |5th percentile|. */
export function tailRatioOf(sample: Sample): Figure {
  return ratio(
    mapFigure(returnPercentileOf(sample, 0.95), Math.abs),
    mapFigure(returnPercentileOf(sample, 0.05), Math.abs),
    'no_loss',
  )
}

/** R^2 of the line through the sums of log(1 + r) over the time since the start. */
export function stabilityOf({ periods }: Sample): Figure {
  if (periods.length < 2) return 'too_few_returns'
  if (periods.some(({ value }) => value <= -1)) return 'total_loss'
  let [sum, passed] = [0, 0]
  const points = periods.map(({ value, length }) => {
    sum += logarithm(1 + value)
    passed += length
    return { x: passed, y: sum }
  })
  const line = lineOf(momentsOf(points.map(({ x }) => x)), momentsOf(points.map(({ y }) => y)))
  return line === null ? 'no_variance' : checked(line.correlation * line.correlation)
}

/** Share of gains among the returns that are not zero. */
export function winShareOf(returns: readonly number[]): Figure {
  if (returns.length === 0) return 'too_few_returns'
  const moved = returns.filter((r) => r !== 0)
  return ratio(moved.filter((r) => r > 0).length, moved.length, 'no_variance')
}

/** The longest run of returns of one sign. */
export function longestRunOf(returns: readonly number[], isOne: (value: number) => boolean): Figure {
  if (returns.length === 0) return 'too_few_returns'
  let [longest, run] = [0, 0]
  for (const value of returns) {
    run = isOne(value) ? run + 1 : 0
    if (run > longest) longest = run
  }
  return longest
}

/** The smallest and the largest value, found in one pass. */
export function boundsOf(values: readonly number[]): readonly [number, number] | null {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const value of values) {
    if (value < least) least = value
    if (value > most) most = value
  }
  return values.length === 0 ? null : [least, most]
}
