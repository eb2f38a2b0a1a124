/** Rows of a run's tables as the chains of causes read them: all columns as text, decimals in full. */
import { formatIsoTime, micros } from '../../core/index.ts'
import type { ReadableRun } from '../../host/index.ts'
import { type TableName, tableSchemas } from '../../results/index.ts'
import { type Cursor, eachRow } from '../read/cursor.ts'

/** A row of a table. */
export interface Row {
  readonly event: number
  /** Microseconds since 1970. */
  readonly time: number
  /** Sequence of the request that caused the event; 0 for the venue itself. */
  readonly cause: number
  /** A cell as text; null without a value. */
  readonly cell: (column: string) => string | null
  /** A cell as text; empty without a value. */
  readonly text: (column: string) => string
  /** A cell as number; NaN without a value. */
  readonly number: (column: string) => number
}

/** The tables of a run. */
export interface Tables {
  /** The rows of a table that match, in the order of their events. */
  rows(table: TableName, isWanted: (row: Cursor) => boolean): Promise<readonly Row[]>
  /** The last row that matches, or null. */
  last(table: TableName, isWanted: (row: Cursor) => boolean): Promise<Row | null>
  /** Calls a function with each row, for walks over a whole table. */
  each(table: TableName, take: (row: Cursor) => void): Promise<void>
}

/** Reads the tables of a run. Rows of a table that the run did not write are absent. */
export function tablesOf(run: ReadableRun): Tables {
  const each = async (table: TableName, take: (row: Cursor) => void): Promise<void> => {
    await eachRow(run, table, take)
  }
  return {
    each,
    rows: async (table, isWanted) => {
      const found: Row[] = []
      await each(table, (row) => {
        if (isWanted(row)) found.push(copiedRow(table, row))
      })
      return found
    },
    last: async (table, isWanted) => {
      let found: Row | null = null
      await each(table, (row) => {
        if (isWanted(row)) found = copiedRow(table, row)
      })
      return found
    },
  }
}

/** The time of a row as text. */
export function timeText(row: Row): string {
  return formatIsoTime(micros(row.time))
}

/** A time in a column of a row as text; null without a time. */
export function timeIn(row: Row, column: string): string | null {
  const time = row.number(column)
  return Number.isNaN(time) ? null : formatIsoTime(micros(time))
}

/** Copies the current row of a cursor. */
export function copiedRow(table: TableName, row: Cursor): Row {
  const cells = new Map<string, string | null>()
  const numbers = new Map<string, number>()
  for (const { name, type } of tableSchemas[table].columns) {
    const isText = type === 'utf8' || type === 'dictionary'
    const number = isText ? Number.NaN : row.number(name)
    numbers.set(name, number)
    cells.set(name, isText ? row.text(name) : Number.isNaN(number) ? null : plainDecimal(number))
  }
  return {
    event: row.event,
    time: numbers.get('time') ?? 0,
    cause: numbers.get('cause') ?? 0,
    cell: (column) => cells.get(column) ?? null,
    text: (column) => cells.get(column) ?? '',
    number: (column) => numbers.get(column) ?? Number.NaN,
  }
}

/** Digits after the point that tables have at most. */
const PLACES = 9

/** The decimal that a double of a table stands for, without an exponent. */
export function plainDecimal(value: number): string {
  const text = String(value)
  return text.includes('e-') ? value.toFixed(PLACES).replace(/\.?0+$/, '') : text
}
