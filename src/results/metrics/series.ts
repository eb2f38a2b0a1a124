/**
 * The equity of an account over time, in one currency or in USD: one point at the end of each period.
 *
 * - The first period begins with the run, and all periods of a run have the same length. A series begins when money
 *   first comes in and ends with the run, so its first and last period may be shorter.
 * - Returns are time-weighted: a period is cut when money comes in or leaves. The factor of a piece is the equity
 *   before the flow divided by the equity after the previous flow, and the factors are multiplied. So deposits are not
 *   returns.
 * - Days end at midnight UTC, independent of periods; months consist of days.
 * - Falls below the highest point so far are found at every sample of equity, also inside periods.
 * - If equity is zero or less at the beginning of a piece, the series has no returns from then on
 *   (`equity_nonpositive`); its points stay.
 * - A request that moves the clock over several points (`sim/advance`) gives them the equity of its end.
 *
 * Equity and flows are doubles, each nearest to the exact value. Memory: four doubles per point, two per day. All
 * series of a run together have at most `POINTS_MAX` points; later points are not stored, and figures of such a run
 * have a reason instead of a value.
 */
import { changing, fixed, listOf, type RowOf, units } from '../../core/index.ts'
import { type CurvePoint, fallFrom } from './drawdowns.ts'
import { double } from './figure.ts'

/** Maximum number of points in all series of a run together: 64 MB. */
export const POINTS_MAX = 2_000_000
/** A period at an end of a series that is shorter than this part of a period is joined with the neighbouring one. */
const PERIOD_PART_MIN = 0.5

export const seriesFields = {
  /** Time at which money first came in, or -1. */
  start: changing(double),
  /** Equity at the beginning of the current piece. */
  base: changing(double),
  /** Product of the pieces of the current period, and of all periods before it. */
  growth: changing(double),
  curve: changing(double),
  /** The highest value of the curve so far, and the deepest fall below it: 0 or negative, as a share of it. */
  peak: changing(double),
  fall: changing(double),
  /** Money that came in less money that left, the highest equity less that money, and its largest fall, in money. */
  paidIn: changing(double),
  profitPeak: changing(double),
  profitFall: changing(double),
  /** Money that came in during the current period, less money that left. */
  flow: changing(double),
  /** True once a piece began with zero or negative equity. */
  isBroken: changing(units.flag),
  /** Price of the benchmark when money first came in; 0 until it is known. */
  benchmark: changing(double),
  /** Points: end of the period, equity there, return of the period, and flow during it. */
  times: fixed(listOf(double)),
  equities: fixed(listOf(double)),
  returns: fixed(listOf(double)),
  flows: fixed(listOf(double)),
  /** Ends of days in UTC, and the curve there. */
  dayTimes: fixed(listOf(double)),
  dayCurve: fixed(listOf(double)),
}

/** The series of one account in one currency. */
export interface Series extends RowOf<typeof seriesFields> {}

interface EquityAt {
  readonly time: number
  readonly equity: number
}

/** A return, with its time; `length` is in periods. */
export interface PeriodReturn {
  readonly from: number
  readonly until: number
  readonly length: number
  readonly value: number
}

/** Creates a series before any money came in. */
export function createReturnSeries(): Series {
  return {
    start: -1,
    base: 0,
    growth: 1,
    curve: 1,
    peak: 1,
    fall: 0,
    paidIn: 0,
    profitPeak: 0,
    profitFall: 0,
    flow: 0,
    isBroken: false,
    benchmark: 0,
    times: [],
    equities: [],
    returns: [],
    flows: [],
    dayTimes: [],
    dayCurve: [],
  }
}

/** The equity at a time and the flow of money into the account. */
interface FlowAt extends EquityAt {
  readonly flow: number
}

/** Cuts a series at a flow of money (`flow`, negative for money that left), with the `equity` after it. */
export function followFlow(series: Series, at: FlowAt): void {
  if (series.start < 0) series.start = at.time
  else endPiece(series, at.equity - at.flow)
  series.base = at.equity
  series.flow += at.flow
  series.paidIn += at.flow
}

/** Updates the fall of a series below its highest point. */
export function sampleSeries(series: Series, equity: number): void {
  if (series.start < 0) return
  const profit = equity - series.paidIn
  if (profit > series.profitPeak) series.profitPeak = profit
  else if (series.profitPeak - profit > series.profitFall) {
    series.profitFall = series.profitPeak - profit
  }
  if (series.isBroken || series.base <= 0) return
  const value = curveAt(series, equity)
  if (value > series.peak) series.peak = value
  else series.fall = Math.min(series.fall, fallFrom(series.peak, value))
}

/** Ends the current period at `time`, with the equity at that time. */
export function endPeriod(series: Series, { time, equity }: EquityAt): void {
  endPiece(series, equity)
  series.times.push(time)
  series.equities.push(equity)
  series.returns.push(series.growth - 1)
  series.flows.push(series.flow)
  series.curve *= series.growth
  series.base = equity
  series.growth = 1
  series.flow = 0
}

/** Ends a day, or the last part of one. */
export function endDay(series: Series, { time, equity }: EquityAt): void {
  // A day that ended at exactly this time is reported again and replaced.
  if (series.dayTimes.at(-1) === time) series.dayTimes.length = series.dayCurve.length = series.dayTimes.length - 1
  series.dayTimes.push(time)
  series.dayCurve.push(curveAt(series, equity))
}

/** The curve of a series: 1 at the start, the product of 1 + r after each period. */
export function curveOf(series: Series): readonly CurvePoint[] {
  if (series.start < 0) return []
  let value = 1
  const curve: CurvePoint[] = [{ time: series.start, value }]
  for (const [at, time] of series.times.entries()) {
    value *= 1 + (series.returns[at] as number)
    curve.push({ time, value })
  }
  return curve
}

/**
 * All returns of a series with the time that each covers; together they cover the time from its start to its end. Less
 * than half a period at an end is joined with the neighbouring period, so that no return covers only a moment.
 */
export function returnsOf(series: Series, every: number): readonly PeriodReturn[] {
  const all = series.times.map((until, at): PeriodReturn => {
    const from = at === 0 ? series.start : (series.times[at - 1] as number)
    return { from, until, length: (until - from) / every, value: series.returns[at] as number }
  })
  const [first, second] = all
  if (first !== undefined && second !== undefined && first.length < PERIOD_PART_MIN) {
    all.splice(0, 2, joined(first, second))
  }
  const [before, last] = all.slice(-2)
  if (before !== undefined && last !== undefined && last.length < PERIOD_PART_MIN) {
    all.splice(-2, 2, joined(before, last))
  }
  return all
}

/** Lengthens periods by joining a whole number of them into one. All periods so far must be complete. */
export function lengthen(series: Series, start: number, every: number): void {
  const { times, equities, returns, flows } = series
  let [growth, flow, kept] = [1, 0, 0]
  for (const [at, time] of times.entries()) {
    growth *= 1 + (returns[at] as number)
    flow += flows[at] as number
    if ((time - start) % every !== 0) continue
    times[kept] = time
    equities[kept] = equities[at] as number
    returns[kept] = growth - 1
    flows[kept] = flow
    kept += 1
    growth = 1
    flow = 0
  }
  for (const list of [times, equities, returns, flows]) list.length = kept
}

function joined(left: PeriodReturn, right: PeriodReturn): PeriodReturn {
  return {
    from: left.from,
    until: right.until,
    length: left.length + right.length,
    value: (1 + left.value) * (1 + right.value) - 1,
  }
}

function curveAt({ curve, growth, base }: Series, equity: number): number {
  return base > 0 ? (curve * growth * equity) / base : curve * growth
}

function endPiece(series: Series, equity: number): void {
  sampleSeries(series, equity)
  // After a complete withdrawal there is no equity that could grow.
  if (series.base === 0 && equity === 0) return
  if (series.base <= 0) series.isBroken = true
  else series.growth *= equity / series.base
}
