/**
 * Rows of `metrics`.
 */
import type { AccountId, InstrumentId, Micros } from '../../core/index.ts'
import type { LiquidationCurrency } from '../../model/index.ts'
import type { NamedFigure } from '../metrics/report.ts'
import type { Cells } from './cells.ts'
import { wireIdOf } from './trading-rows.ts'

/** A figure of an account at the end of a run, after event `number`. */
export interface MetricRecord extends NamedFigure {
  readonly time: Micros
  readonly number: number
  readonly account: AccountId
  /** Null for figures without a currency. */
  readonly currency: LiquidationCurrency | null
  readonly instrument: InstrumentId | null
}

/** A figure. */
export function metricCells(source: MetricRecord): Cells<'metrics'> {
  const { figure, instrument } = source
  return {
    time: source.time,
    event: source.number,
    account_id: source.account,
    currency: source.currency,
    instrument_id: instrument === null ? null : wireIdOf(instrument),
    metric: source.metric,
    label: source.label,
    unit: source.unit,
    value: typeof figure === 'number' ? figure : null,
    exact: source.exact,
    reason: typeof figure === 'number' ? null : figure,
  }
}
