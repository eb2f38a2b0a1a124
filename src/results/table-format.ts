/** The file formats of result tables, and the interface of their writers. */
import type { Block, IdNames } from './columns.ts'
import type { TableSchema } from './tables/table-schema.ts'

/**
 * The formats of table files, the default first. The name of a file consists of its table and its format:
 * `fills.parquet`.
 */
export const tableFormats = ['arrow', 'parquet', 'csv', 'jsonl'] as const

/** A format of table files. */
export type TableFormat = (typeof tableFormats)[number]

/** Receives the bytes of a file in order. They are valid only during the call. */
export type WriteBytes = (bytes: Uint8Array) => void

/** Options for writing a table. */
export interface TableOptions {
  /**
   * True for exact figures instead of doubles: scaled 64-bit integers (Arrow), DECIMAL (Parquet). CSV and JSONL are
   * always exact.
   */
  readonly exact: boolean
  /**
   * Metadata of the file, such as the seed; the table's name and version are added. CSV and JSONL do not store
   * metadata.
   */
  readonly metadata: ReadonlyMap<string, string>
}

/** Writes the file of one table. */
export interface TableWriter {
  /** Copies the rows of a block. All blocks except the last must be full. */
  add(block: Block, names: IdNames): void
  /** Writes the remaining rows and the end of the file. */
  close(): void
}

/** Creates writers of tables. */
export interface TableEncoder {
  createTableWriter(schema: TableSchema, options: TableOptions, write: WriteBytes): TableWriter
}

/** The metadata of a table file: the given metadata, then the name and the form of the table. */
export function metadataOfTable(schema: TableSchema, { exact, metadata }: TableOptions): Map<string, string> {
  return new Map([
    ...metadata,
    ['pitclock.table', schema.name],
    ['pitclock.schema_version', String(schema.version)],
    ['pitclock.exact', String(exact)],
  ])
}
