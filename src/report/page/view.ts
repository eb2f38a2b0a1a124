/**
 * The part of a report that is shown: a run, an account, a currency; and what sections ask of it.
 */
import type { Account, FigureRow, Line, Report, Run, Wallet } from '../payload.ts'
import type { ChartSpec, Part } from './plot.ts'

/** A choice of what is shown. */
export interface View {
  readonly report: Report
  readonly run: Run
  readonly account: Account | null
  readonly wallet: Wallet | null
  /** All of the time of the run. */
  readonly span: Part
  /** Puts a chart on the page. */
  readonly chart: (spec: ChartSpec) => HTMLElement
}

/** The figure of an account, of its orders, or in a currency. */
export function figureOf(account: Account | null, metric: string, currency: string | null): FigureRow | null {
  const rows = account?.figures ?? []
  return rows.find((row) => row.metric === metric && row.currency === currency && row.label === null) ?? null
}

/** A line of values at whole numbers: 0, 1, 2, … */
export function countedLine(values: readonly number[]): Line {
  const value = Float64Array.from(values)
  return { time: value.map((_, at) => at), value, points: value.length }
}
