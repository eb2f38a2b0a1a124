/** Exports of `results`: result tables, their digest, and on demand their Arrow form. */

import type { ArrowEncoder } from './arrow/index.ts'
import type { CellEncoder } from './formats/index.ts'
import type { TableEncoder, TableFormat } from './table-format.ts'

export type { ColumnSchema } from './column-schema.ts'
export { type Block, exactAt, type IdNames, isValidAt } from './columns.ts'
export { digestOfLog } from './digest.ts'
export type { Cell, CellEncoder } from './formats/index.ts'
export * from './metrics/metrics.ts'
export type {
  AccountPerformance,
  CurrencyPerformance,
  InstrumentPerformance,
  OrderFunnel,
  TriggerFunnel,
} from './metrics/performance.ts'
export { deflatedSharpeOf } from './metrics/ratios.ts'
export * from './metrics/report.ts'
export {
  conventionsOf,
  durationText,
  type MetricsTerms,
  metricsSettings,
  periodsPerYearOf,
  usualTerms,
} from './metrics/terms.ts'
export type { MetricsViews } from './metrics/views.ts'
export type { EquityRecord, PositionRecord } from './rows/account-rows.ts'
export type { BarRecord, BookLevelRecord, QuoteRecord } from './rows/series-rows.ts'
export { type ExactRow, type TableName, tableNames, tableSchemas } from './schema.ts'
export type { Sha256, Sha256Factory } from './sha256.ts'
export * from './sha256-pure.ts'
export * from './sink.ts'
export { type TableFormat, type TableWriter, tableFormats, type WriteBytes } from './table-format.ts'
export { createBlockDecoder, encodeBlock } from './table-state.ts'
export type { TableSchema } from './tables/table-schema.ts'

/** Loads the encoder of Arrow files, which takes about a tenth of a second the first time. */
export async function loadArrowEncoder(): Promise<ArrowEncoder> {
  const { arrowEncoder } = await import('./arrow/index.ts')
  return arrowEncoder
}

/** Loads the encoder of a table format; the Arrow encoder takes about a tenth of a second the first time. */
export async function loadTableEncoder(format: TableFormat): Promise<TableEncoder> {
  return format === 'arrow' ? await loadArrowEncoder() : await loadCellEncoder(format)
}

/** Loads the encoder of a format that is written from cells. */
export async function loadCellEncoder(format: Exclude<TableFormat, 'arrow'>): Promise<TableEncoder & CellEncoder> {
  const { loadEncoder } = await import('./formats/index.ts')
  return await loadEncoder(format)
}
