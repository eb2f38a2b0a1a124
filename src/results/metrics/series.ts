/**
 * The equity of an account over time, in one currency or in USD: one point at the end of each period.
 *
 * - Periods end at the whole multiples of the run's period since the epoch (UTC midnights for a day), and at the end
 *   of the run. The first begins when money first comes in. The first and the last may be shorter: they count in the
 *   curve, and so in total return and drawdowns; ratios are computed of whole periods alone.
 * - Returns are time-weighted: a period is cut where money comes in or leaves, each piece is equity before the flow
 *   over equity after the one before, and the pieces are multiplied. Deposits are therefore no return.
 * - Where equity is zero or less at the beginning of a piece, the series has no returns any more (`equity_nonpositive`);
 *   its points stay.
 * - A request that moves the clock over several points (`sim/advance`) gives them the equity of its end.
 *
 * Equity and flows are doubles, each nearest to the exact value. Memory: four doubles a point. All series of a run
 * have at most `POINTS_MAX` points together; what comes after is not kept, and figures of such a run have a reason
 * in the place of a value.
 */
import { changing, fixed, listOf, type RowOf, units } from '../../core/index.ts'
import { double } from './double.ts'
import type { CurvePoint } from './drawdowns.ts'

/** Points of all series of a run together: 64 MB. */
export const POINTS_MAX = 2_000_000

export const seriesFields = {
  /** When money first came in, or -1. */
  start: changing(double),
  /** Equity at the beginning of the piece that runs. */
  base: changing(double),
  /** Product of the pieces of the period that runs. */
  growth: changing(double),
  /** Money that came in during the period that runs, less what left. */
  flow: changing(double),
  /** True once a piece began with nothing or less. */
  isBroken: changing(units.flag),
  /** Price of the benchmark when money first came in; 0 while it has none. */
  benchmark: changing(double),
  /** Points: end of the period, equity there, return of the period, and flow during it. */
  times: fixed(listOf(double)),
  equities: fixed(listOf(double)),
  returns: fixed(listOf(double)),
  flows: fixed(listOf(double)),
}

/** The series of one account in one currency. */
export interface Series extends RowOf<typeof seriesFields> {}

/** A series before any money came in. */
export function createSeries(): Series {
  return {
    start: -1,
    base: 0,
    growth: 1,
    flow: 0,
    isBroken: false,
    benchmark: 0,
    times: [],
    equities: [],
    returns: [],
    flows: [],
  }
}

/** Money came in (`flow`, negative where it left) and left `equity` behind. */
export function followFlow(
  series: Series,
  at: { readonly time: number; readonly equity: number; readonly flow: number },
): void {
  const { time, equity, flow } = at
  if (series.start < 0) series.start = time
  else endPiece(series, equity - flow)
  series.base = equity
  series.flow += flow
}

/** Ends the period that runs at `time`, with the equity of that time. */
export function endPeriod(
  series: Series,
  at: { readonly time: number; readonly equity: number },
): void {
  const { time, equity } = at
  endPiece(series, equity)
  series.times.push(time)
  series.equities.push(equity)
  series.returns.push(series.growth - 1)
  series.flows.push(series.flow)
  series.base = equity
  series.growth = 1
  series.flow = 0
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

/** The places of those points that end a whole period. */
export function wholePeriods(series: Series, every: number): readonly number[] {
  return series.times.flatMap((time, at) => {
    const from = at === 0 ? series.start : (series.times[at - 1] as number)
    return time - from === every && time % every === 0 ? [at] : []
  })
}

function endPiece(series: Series, equity: number): void {
  // What was taken out whole leaves nothing that could grow.
  if (series.base === 0 && equity === 0) return
  if (series.base <= 0) series.isBroken = true
  else series.growth *= equity / series.base
}
