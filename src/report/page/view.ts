/** The shown part of a report (a run, an account, a currency), and functions that the sections share. */
import type { Account, FigureRow, Line, Report, Run, Wallet } from '../payload.ts'
import type { ChartSpec, Part } from './plot.ts'

/** The selection of the shown data. */
export interface View {
  readonly report: Report
  readonly run: Run
  readonly account: Account | null
  readonly wallet: Wallet | null
  /** The whole time range of the run. */
  readonly span: Part
  /** Adds a chart to the page. */
  readonly chart: (spec: ChartSpec) => HTMLElement
}

/** The figure of an account's orders (currency null), or in a currency. */
export function figureOf(account: Account | null, metric: string, currency: string | null): FigureRow | null {
  const rows = account?.figures ?? []
  return rows.find((row) => row.metric === metric && row.currency === currency && row.label === null) ?? null
}

/** A line of values at the integers 0, 1, 2, … */
export function countedLine(values: readonly number[]): Line {
  const value = Float64Array.from(values)
  return { time: value.map((_, at) => at), value, points: value.length }
}
