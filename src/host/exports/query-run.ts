/**
 * SQL over the tables of a run folder with DuckDB, an optional package that users install themselves. No other file
 * needs it.
 *
 * Each table is a view with its name. DuckDB reads Parquet, CSV and JSONL files in the run folder. For Arrow tables,
 * the tables that the query names are first written as Parquet to a temporary folder, which is removed afterwards.
 * Times are TIMESTAMP WITH TIME ZONE in UTC; figures of an exact run are DECIMAL. DuckDB does not install or load
 * extensions by itself.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { assert, err, type InputError, ok, type Result } from '../../core/index.ts'
import {
  type ColumnSchema,
  loadCellEncoder,
  type TableFormat,
  type TableName,
  tableSchemas,
} from '../../results/index.ts'
import { badInput, type FeedFault, ioFault } from '../feeds/feed-fault.ts'
import type { Manifest } from '../manifest.ts'
import { removeAtExit } from '../output-place.ts'
import { isSystemError } from '../system-words.ts'
import { readTables, writeTable } from './run-tables.ts'

/**
 * A value in a query result. Decimals, and integers that a double cannot hold, are strings; times are ISO 8601 in UTC.
 */
export type QueryValue =
  | string
  | number
  | boolean
  | null
  | readonly QueryValue[]
  | { readonly [key: string]: QueryValue }

/** Result of a query. */
export interface QueryResult {
  readonly columns: readonly {
    readonly name: string
    /** The type as DuckDB names it. */
    readonly type: string
  }[]
  readonly rows: readonly (readonly QueryValue[])[]
}

/**
 * The package. The name is not a constant type, so that bundlers and compilers do not look for a package that may be
 * missing.
 */
const PACKAGE: string = '@duckdb/node-api'
const INSTALL = `npm install ${PACKAGE}`

/** The part of the package that this file uses. */
interface DuckDb {
  readonly DuckDBInstance: {
    create(path: string, settings: Readonly<Record<string, string>>): Promise<DuckDbInstance>
  }
}

interface DuckDbInstance {
  connect(): Promise<DuckDbConnection>
  closeSync(): void
}

interface DuckDbConnection {
  run(sql: string): Promise<unknown>
  runAndReadAll(sql: string): Promise<DuckDbReader>
  closeSync(): void
}

interface DuckDbReader {
  columnNames(): readonly string[]
  columnTypes(): readonly unknown[]
  getRowsJson(): readonly (readonly QueryValue[])[]
}

/**
 * Answers a query over the tables of a complete run folder. The result is a fault if the folder is damaged, incomplete
 * or of another version, or if DuckDB refuses the query. Without DuckDB the fault names the command that installs it.
 *
 * @example
 * const found = await queryRun('runs/demo', 'select account, sum(fee) from fills group by account')
 * if (found.ok) console.log(found.value.rows)
 */
export async function queryRun(folder: string, sql: string): Promise<Result<QueryResult, FeedFault>> {
  const duck = await loadDuckDb()
  if (!duck.ok) return err({ kind: 'io', error: duck.error })
  const read = readTables(folder)
  if (!read.ok) return badInput(read.error)
  let scratch: string | null = null
  let forget = (): void => {}
  try {
    const manifest = read.value
    let place: TablesPlace = { folder, format: manifest.table_format, manifest }
    if (manifest.table_format === 'arrow') {
      scratch = await mkdtemp(join(tmpdir(), 'pitclock-query-'))
      forget = removeAtExit(scratch)
      const written = await writeNamed(folder, manifest, scratch, sql)
      if (!written.ok) return badInput(written.error)
      place = { folder: scratch, format: 'parquet', manifest: written.value }
    }
    return await answer(duck.value, place, sql)
  } catch (error) {
    return ioFault(scratch ?? folder, error, 'a writable path')
  } finally {
    forget()
    if (scratch !== null) await rm(scratch, { recursive: true, force: true })
  }
}

async function loadDuckDb(): Promise<Result<DuckDb, InputError>> {
  try {
    return ok((await import(PACKAGE)) as DuckDb)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    const isMissing = code === 'ERR_MODULE_NOT_FOUND'
    const words = error instanceof Error ? error.message.replaceAll(/\s+/g, ' ') : String(error)
    const found = isMissing ? 'none' : words
    return err({
      code: 'FILE',
      file: PACKAGE,
      expected: 'the package that queries use',
      found,
      hint: INSTALL,
    })
  }
}

/** Tables that DuckDB can read. */
interface TablesPlace {
  readonly folder: string
  readonly format: TableFormat
  readonly manifest: Manifest
}

/** Writes the tables that a query names as Parquet. The new manifest lists only those tables. */
async function writeNamed(
  folder: string,
  manifest: Manifest,
  scratch: string,
  sql: string,
): Promise<Result<Manifest, InputError>> {
  const words = new Set(sql.toLowerCase().match(/[a-z_][a-z0-9_]*/g) ?? [])
  const tables = manifest.tables.filter(({ name }) => words.has(name))
  const encoder = await loadCellEncoder('parquet')
  const job = { folder, manifest, format: 'parquet', encoder, partialPath: scratch } as const
  for (const { name } of tables) {
    // `TableName` holds: the names were found among the tables of this version.
    const written = await writeTable(job, name as TableName)
    if (!written.ok) return written
  }
  const named = tables.map((table) => ({ ...table, file: `${table.name}.parquet` }))
  return ok({ ...manifest, tables: named })
}

async function answer(
  { DuckDBInstance }: DuckDb,
  { folder, format, manifest }: TablesPlace,
  sql: string,
): Promise<Result<QueryResult, FeedFault>> {
  const instance = await DuckDBInstance.create(':memory:', {
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  })
  const connection = await instance.connect()
  try {
    await connection.run("set timezone = 'UTC'")
    for (const { name, file } of manifest.tables) {
      // `TableName` holds: the names were found among the tables of this version.
      const { columns } = tableSchemas[name as TableName]
      const source = sourceOf(resolve(folder, file), format, columns, manifest.exact)
      const what = manifest.exact ? exactlyAll(columns) : '*'
      await connection.run(`create view ${name} as select ${what} from ${source}`)
    }
    return ok(resultOf(await connection.runAndReadAll(sql)))
  } catch (error) {
    if (isSystemError(error) || !(error instanceof Error)) throw error
    const found = error.message.replaceAll(/\s*\n\s*/g, '; ').trim()
    return badInput({ code: 'VALUE', expected: 'a query that DuckDB accepts', found })
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

/** The SQL that reads the file of a table. Text columns have the types of the table's schema. */
function sourceOf(path: string, format: TableFormat, columns: readonly ColumnSchema[], exact: boolean): string {
  assert(format !== 'arrow', 'DuckDB reads no Arrow file')
  const file = `'${path.replaceAll("'", "''")}'`
  if (format === 'parquet') return `read_parquet(${file})`
  const types = columns.map((column) => `'${column.name}': '${sqlTypeOf(column, exact)}'`)
  const typed = `columns = {${types.join(', ')}}`
  if (format === 'jsonl') return `read_json(${file}, format = 'newline_delimited', ${typed})`
  const form = `header = true, delim = ',', quote = '"', escape = '"', new_line = '\\r\\n'`
  return `read_csv(${file}, auto_detect = false, ${form}, allow_quoted_nulls = false, ${typed})`
}

/**
 * All columns, with exact figures cast to the digits that 64 bits may hold, which is one more than Parquet declares.
 */
function exactlyAll(columns: readonly ColumnSchema[]): string {
  const figures = columns.filter(({ type, scale }) => type === 'int64' && scale > 0)
  // In quotes, because the name of a column may be an SQL keyword such as limit.
  const casts = figures.map((column) => `"${column.name}"::${sqlTypeOf(column, true)} as "${column.name}"`)
  return casts.length === 0 ? '*' : `* replace (${casts.join(', ')})`
}

function sqlTypeOf({ type, scale }: ColumnSchema, exact: boolean): string {
  switch (type) {
    case 'time':
      return 'TIMESTAMPTZ'
    case 'int64':
      if (scale === 0) return 'BIGINT'
      return exact ? `DECIMAL(19, ${scale})` : 'DOUBLE'
    case 'int32':
      return 'INTEGER'
    case 'float64':
      return 'DOUBLE'
    case 'boolean':
      return 'BOOLEAN'
    case 'dictionary':
    case 'utf8':
      return 'VARCHAR'
  }
}

function resultOf(reader: DuckDbReader): QueryResult {
  const names = reader.columnNames()
  const types = reader.columnTypes().map(String)
  const columns = names.map((name, at) => ({ name, type: types[at] ?? '' }))
  const rows = reader.getRowsJson().map((row) => row.map((value, at) => plainValueOf(value, types[at] ?? '')))
  return { columns, rows }
}

/** DuckDB returns 64-bit integers as texts, and times with a blank and an offset. */
function plainValueOf(value: QueryValue, type: string): QueryValue {
  if (typeof value !== 'string') return value
  if (type === 'BIGINT' || type === 'HUGEINT' || type === 'UBIGINT') {
    const double = Number(value)
    return Number.isSafeInteger(double) ? double : value
  }
  if (type === 'TIMESTAMP WITH TIME ZONE') return value.replace(' ', 'T').replace(/\+00$/, 'Z')
  return value
}
