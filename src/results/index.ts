/**
 * The face of `results`: result tables, their digest, and their Arrow form on demand.
 */
import type { ArrowEncoder } from './arrow/index.ts'

export type {
  ArrowEncoder,
  ArrowFileWriter,
  ArrowOptions,
  ArrowTableWriter,
  WriteBytes,
} from './arrow/index.ts'
export type { ColumnSchema, ColumnType } from './column-schema.ts'
export { type Block, exactAt, type IdNames, isValidAt } from './columns.ts'
export { digestOfLog } from './digest.ts'
export {
  createMetrics,
  type MeasuredRun,
  type Metrics,
  type MetricsOptions,
  restoreMetrics,
} from './metrics/metrics.ts'
export { deflatedSharpeOf } from './metrics/ratios.ts'
export {
  type AccountFigures,
  type CurrencyFigures,
  figuresOf,
  type InstrumentFigures,
  type NamedFigure,
} from './metrics/report.ts'
export {
  conventionsOf,
  durationText,
  type MetricsTerms,
  periodsPerYearOf,
  usualTerms,
} from './metrics/terms.ts'
export type { MetricsViews } from './metrics/views.ts'
export type {
  AccountPerformance,
  CurrencyPerformance,
  InstrumentPerformance,
  OrderFunnel,
  Standing,
  TriggerFunnel,
} from './performance/account-performance.ts'
export {
  createPerformance,
  type EquityLookup,
  type Performance,
  type PerformanceOptions,
  restorePerformance,
} from './performance/performance.ts'
export type { EquityRecord, PositionRecord } from './rows/account-rows.ts'
export {
  type ExactRow,
  type TableName,
  tableNames,
  tableSchemas,
} from './schema.ts'
export type { Sha256, Sha256Factory } from './sha256.ts'
export { pureSha256 } from './sha256-pure.ts'
export {
  type BlockConsumer,
  createResultsSink,
  type ResultsOptions,
  type ResultsSink,
  type RunDigest,
  restoreResultsSink,
} from './sink.ts'
export type { TableDigest } from './table-hash.ts'
export type { TableSchema } from './tables/table-schema.ts'

/** Loads the encoder of Arrow files, which takes about a tenth of a second the first time. */
export async function loadArrowEncoder(): Promise<ArrowEncoder> {
  const { arrowEncoder } = await import('./arrow/index.ts')
  return arrowEncoder
}
