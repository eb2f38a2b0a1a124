/** Exports of `results/formats`: writes tables as Parquet, CSV and JSONL. Load it on demand. */

import type { TableEncoder, TableFormat } from '../table-format.ts'
import type { CellEncoder } from './block-cells.ts'
import { csvEncoder, jsonlEncoder } from './text.ts'

export type { Cell, CellEncoder } from './block-cells.ts'

/** Loads the encoder of a format; loads hyparquet-writer only for Parquet. */
export async function loadEncoder(format: Exclude<TableFormat, 'arrow'>): Promise<TableEncoder & CellEncoder> {
  if (format === 'csv') return csvEncoder
  if (format === 'jsonl') return jsonlEncoder
  const { parquetEncoder } = await import('./parquet.ts')
  return parquetEncoder
}
