/**
 * Writes tables as text: CSV (RFC 4180) and JSON Lines.
 *
 * - Prices, amounts, rates and money are exact decimals of any length, such as `50000.5`. Read as doubles, they equal
 *   the doubles of an Arrow file. With `exact`, JSON Lines have them as texts, because most readers of JSON read
 *   numbers as doubles.
 * - Times are ISO 8601 in UTC with six decimals, so that they have equal length and sort as texts:
 *   `2026-01-05T08:00:00.000000Z`. Durations are integers of microseconds.
 * - CSV begins with the names of the columns, its lines end with CR LF, null is an empty field, an empty text is `""`.
 *   A text that a spreadsheet would run as a formula has an apostrophe in front (OWASP, CSV injection): one that begins
 *   with `=`, `+`, `-`, `@`, a tab or a carriage return and is no number. A line of JSONL is an object with all columns
 *   in their order; null is null.
 */
import { assert, formatIsoTime, formatScaled, formatScaledNumber, micros } from '../../core/index.ts'
import type { ColumnSchema } from '../column-schema.ts'
import type { TableEncoder, TableOptions, WriteBytes } from '../table-format.ts'
import type { TableSchema } from '../tables/table-schema.ts'
import { blockWriter, type Cell, type CellEncoder, type CellWriter } from './block-cells.ts'

/** The syntax of a format. */
interface TextForm {
  /** The first line, or an empty text. */
  readonly head: (schema: TableSchema) => string
  /** Builds a line from the texts of its cells in column order; null for a missing value. */
  readonly lineOf: (schema: TableSchema) => (texts: readonly (string | null)[]) => string
  /** Quotes a text or a time. Numbers and flags are written unquoted. */
  readonly quote: (text: string) => string
}

/** The encoder of CSV files. */
export const csvEncoder: TableEncoder & CellEncoder = textEncoder({
  head: ({ columns }) => `${columns.map(({ name }) => name).join(',')}\r\n`,
  lineOf: () => (texts) => `${texts.map((text) => text ?? '').join(',')}\r\n`,
  quote: (text) => {
    const safe = /^[=+\-@\t\r]/.test(text) && !/^[+-]?\d+(?:\.\d+)?$/.test(text) ? `'${text}` : text
    return /^$|[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
  },
})

/** The encoder of JSONL files. */
export const jsonlEncoder: TableEncoder & CellEncoder = textEncoder({
  head: () => '',
  lineOf: ({ columns }) => {
    const keys = columns.map(({ name }) => JSON.stringify(name))
    return (texts) => `{${keys.map((key, at) => `${key}:${texts[at] ?? 'null'}`).join(',')}}\n`
  },
  quote: (text) => JSON.stringify(text),
})

function textEncoder(form: TextForm): TableEncoder & CellEncoder {
  const createCellWriter: CellEncoder['createCellWriter'] = (schema, options, write) =>
    createTextWriter(form, schema, options, write)
  return {
    createCellWriter,
    createTableWriter: (schema, options, write) => blockWriter(createCellWriter(schema, options, write)),
  }
}

function createTextWriter(form: TextForm, schema: TableSchema, options: TableOptions, write: WriteBytes): CellWriter {
  const encoder = new TextEncoder()
  const textsOf = schema.columns.map((column) => textOf(column, options.exact, form.quote))
  const lineOf = form.lineOf(schema)
  let isClosed = false
  write(encoder.encode(form.head(schema)))
  return {
    write: (columns) => {
      assert(!isClosed, 'a closed file accepts no rows')
      assert(columns.length === textsOf.length, 'rows have the columns of the table')
      const lines = Array.from({ length: columns[0]?.length ?? 0 }, (_, row) =>
        lineOf(textsOf.map((toText, at) => cellText(columns[at]?.[row] ?? null, toText))),
      )
      write(encoder.encode(lines.join('')))
    },
    close: () => {
      assert(!isClosed, 'a file is closed once')
      isClosed = true
    },
  }
}

type ToText = (cell: Exclude<Cell, null>) => string

function cellText(cell: Cell, toText: ToText): string | null {
  return cell === null ? null : toText(cell)
}

function textOf({ type, scale }: ColumnSchema, exact: boolean, quote: TextForm['quote']): ToText {
  switch (type) {
    case 'time':
      return (cell) => quote(formatTime(Number(cell)))
    case 'int64':
      if (scale === 0) return String
      return (cell) => {
        const text = typeof cell === 'bigint' ? formatScaled(cell, scale) : formatScaledNumber(Number(cell), scale)
        return exact ? quote(text) : text
      }
    case 'int32':
    case 'float64':
    case 'boolean':
      return String
    case 'dictionary':
    case 'utf8':
      return (cell) => quote(String(cell))
  }
}

const SECOND_LENGTH = '2026-01-05T08:00:00'.length

/** The ISO time with six decimals. */
function formatTime(time: number): string {
  const text = formatIsoTime(micros(time)).slice(0, -1)
  const fraction = text.slice(SECOND_LENGTH + 1).padEnd(6, '0')
  return `${text.slice(0, SECOND_LENGTH)}.${fraction}Z`
}
