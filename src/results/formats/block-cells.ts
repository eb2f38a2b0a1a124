/**
 * Rows as cells, column by column, for writing Parquet, CSV and JSONL.
 *
 * An integer is a number if a double can hold it, otherwise a bigint. In a column with a scale it is the scaled
 * integer; a time is microseconds since the epoch; a word is its text.
 */
import { assert, defined } from '../../core/index.ts'
import { type Block, type BlockColumn, exactAt, type IdNames, isValidAt, type WideColumn } from '../columns.ts'
import type { TableOptions, TableWriter, WriteBytes } from '../table-format.ts'
import type { TableSchema } from '../tables/table-schema.ts'

/** A value of a row, or null. */
export type Cell = number | bigint | boolean | string | null

/** Writes the file of a table from cells. */
export interface CellWriter {
  /** Takes rows as columns of equal length, in the order of the schema. The caller must not change them afterwards. */
  write(columns: readonly (readonly Cell[])[]): void
  /** Writes the remaining rows and the end of the file. */
  close(): void
}

/** Creates writers of one format. */
export interface CellEncoder {
  createCellWriter(schema: TableSchema, options: TableOptions, write: WriteBytes): CellWriter
}

/** A writer of blocks that uses a writer of cells. */
export function blockWriter(writer: CellWriter): TableWriter {
  return {
    add: (block, names) => writer.write(cellsOfBlock(block, names)),
    close: () => writer.close(),
  }
}

/** The rows of a block as cells, one column for each column of its schema. */
function cellsOfBlock(block: Block, names: IdNames): readonly (readonly Cell[])[] {
  return block.schema.columns.map(({ name, derivedFrom }) => {
    const stored = block.columns.find(({ schema }) => schema.name === (derivedFrom ?? name))
    const column = defined(stored, 'a column is stored, or derived from a stored column')
    const cells = cellsOfColumn(column, block.rows)
    if (derivedFrom === null) return cells
    return cells.map((id) => (id === null ? null : defined(names[derivedFrom][Number(id)], 'every id has a name')))
  })
}

function cellsOfColumn(column: BlockColumn, rows: number): Cell[] {
  const cells = valuesOf(column, rows)
  if (column.valid === null) return cells
  for (let row = 0; row < rows; row += 1) if (!isValidAt(column, row)) cells[row] = null
  return cells
}

function valuesOf(column: BlockColumn, rows: number): Cell[] {
  if (column.kind === 'wide') return integersOf(column, rows)
  if (column.kind === 'text') {
    return Array.from({ length: rows }, (_, row) => String(exactAt(column, row)))
  }
  if (column.schema.type === 'boolean') return Array.from(column.values.subarray(0, rows), (bit) => bit === 1)
  if (column.schema.type !== 'dictionary') return Array.from(column.values.subarray(0, rows))
  // A row that is null has code 0, so validity is applied separately.
  return Array.from(column.values.subarray(0, rows), (code) => column.schema.words[code] ?? null)
}

function integersOf({ values, large }: WideColumn, rows: number): Cell[] {
  // Adding zero turns -0 into 0.
  const cells: Cell[] = Array.from(values.subarray(0, rows), (value) => value + 0)
  for (let at = 0; at < large.count; at += 1) {
    const row = defined(large.rows[at], 'a large value has a row')
    assert(row < rows, 'a large value is in a row of the block')
    cells[row] = defined(large.values[at], 'a large value has a row')
  }
  return cells
}
