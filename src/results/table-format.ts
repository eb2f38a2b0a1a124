/**
 * The formats that result tables are written in, and what a writer of any of them is.
 */
import type { Block, IdNames } from './columns.ts'
import type { TableSchema } from './tables/table-schema.ts'

/** The formats of table files, the usual one first. A file is named by its table and its format: `fills.parquet`. */
export const tableFormats = ['arrow', 'parquet', 'csv', 'jsonl'] as const

/** A format of table files. */
export type TableFormat = (typeof tableFormats)[number]

/** Receives the bytes of a file in order. They are valid only during the call. */
export type WriteBytes = (bytes: Uint8Array) => void

/** How a table is written. */
export interface TableOptions {
  /** Exact figures instead of doubles: scaled 64-bit integers (Arrow), DECIMAL (Parquet). CSV and JSONL are exact anyway. */
  readonly exact: boolean
  /** Metadata of the file, such as the seed; the table's name and version are added. CSV and JSONL have none. */
  readonly metadata: ReadonlyMap<string, string>
}

/** Writes the file of one table. */
export interface TableWriter {
  /** Copies the rows of a block; all blocks but the last are full. */
  add(block: Block, names: IdNames): void
  /** Writes what is left and the end of the file. */
  close(): void
}

/** Makes writers of tables. */
export interface TableEncoder {
  createTableWriter(schema: TableSchema, options: TableOptions, write: WriteBytes): TableWriter
}

/** The metadata of a table file: what is given, then which table it is and in which form. */
export function metadataOfTable(
  { name, version }: TableSchema,
  { exact, metadata }: TableOptions,
): Map<string, string> {
  return new Map([
    ...metadata,
    ['pitclock.table', name],
    ['pitclock.schema_version', String(version)],
    ['pitclock.exact', String(exact)],
  ])
}
