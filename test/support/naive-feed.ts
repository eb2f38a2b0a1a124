/**
 * A plain reader of feeds: csv-parse over the whole text, then records in plain words (`naive-record.ts`), then
 * messages, gaps and duplicates by comparing objects. It also gives batches as plain rows, with the meaning of their
 * numbers.
 */
import { parse } from 'csv-parse/sync'
import { createNumbering, type FeedBatch, markNumbers, rowFlags } from '../../src/feeds/index.ts'
import { type NaiveCells, type NaiveLayout, type NaiveText, naiveCells, naiveLayout } from './naive-record.ts'

/** A recorded row; decimals as exact text. */
export interface PlainRow {
  readonly time: number
  readonly localTime: number
  readonly flags: number
  readonly price: bigint
  readonly amount: bigint
  readonly row: number
}

/** The result of a text: rows, or the line of the first error, null if csv-parse found it. */
export type PlainResult =
  | { readonly rows: readonly PlainRow[]; readonly others: number }
  | { readonly line: number | null }

/** The rows of batches, their decimals in 1e-9. */
export function plainRows(batches: readonly FeedBatch[]): PlainRow[] {
  const numbering = createNumbering()
  return batches.flatMap((batch) => {
    const flags = batch.flags.slice(0, batch.rows)
    if (batch.ids !== null) markNumbers(numbering, { ...batch, ids: batch.ids }, flags)
    return Array.from({ length: batch.rows }, (_, at) => ({
      time: batch.time[at] ?? Number.NaN,
      localTime: batch.localTime[at] ?? Number.NaN,
      flags: flags[at] ?? Number.NaN,
      price: nano(batch.price[at] ?? Number.NaN, batch.priceDecimals),
      amount: nano(batch.amount[at] ?? Number.NaN, batch.amountDecimals),
      row: batch.row[at] ?? Number.NaN,
    }))
  })
}

/** Reads a whole text slowly. */
export function readSlowly(text: string, feed: NaiveText, wanted: string | null): PlainResult {
  let records: string[][]
  try {
    const delimiter = feed.columns?.delimiter ?? ','
    const lines = { record_delimiter: ['\r\n', '\n'], relax_column_count: true }
    // Blank lines at the end of the file are no records.
    const rows = text.replace(/(?<=\n)(?:\r?\n)+$/, '')
    // Without columns the package returns arrays of texts; its types cannot say so.
    records = parse(rows, { ...lines, delimiter, bom: true }) as string[][]
  } catch {
    return { line: null }
  }
  const [header, ...body] = records
  const layout = header === undefined ? null : naiveLayout(feed, header)
  if (layout === null) return { line: 1 }
  if (wanted !== null && !layout.at.has('symbol')) return { line: 1 }
  return readRecords(layout, body, wanted)
}

interface SlowRow extends NaiveCells {
  readonly row: number
  readonly id: string
}

function readRecords(layout: NaiveLayout, records: readonly (readonly string[])[], wanted: string | null): PlainResult {
  const rows: SlowRow[] = []
  let symbol = wanted
  let others = 0
  let line = 1
  for (const [index, cells] of records.entries()) {
    line += 1
    if (cells.length !== layout.width) return { line }
    const own = layout.at.has('symbol') ? cellOf(layout, 'symbol', cells) : null
    const isOther = own !== null && own !== symbol
    if (isOther && wanted === null && (symbol !== null || own === '')) return { line }
    if (isOther && wanted !== null) others += 1
    else {
      symbol = own
      const read = naiveCells(layout, cells)
      if (read === null) return { line }
      const row = { ...read, row: index + 1, id: cellOf(layout, 'tradeId', cells) }
      if (layout.kind !== 'index' || cellOf(layout, 'price', cells) !== '') rows.push(row)
      const columns = [rows.map(({ price }) => price), rows.map(({ amount }) => amount)]
      if (!columns.every(fits)) return { line }
    }
    line += cells.join('').split('\n').length - 1
  }
  if (wanted !== null && others > 0 && others === records.length) return { line: null }
  return { rows: withFlags(layout, rows), others }
}

/** True if all values are safe integers in the decimals of the value with the most decimals. */
function fits(values: readonly bigint[]): boolean {
  const decimals = Math.max(0, ...values.map(decimalsOf))
  const unit = 10n ** BigInt(9 - decimals)
  return values.every((value) => (value < 0n ? -value : value) / unit <= BigInt(Number.MAX_SAFE_INTEGER))
}

function decimalsOf(value: bigint): number {
  let decimals = 9
  for (let rest = value; decimals > 0 && rest % 10n === 0n; rest /= 10n) decimals -= 1
  return decimals
}

/** The text of a cell; empty if no column has that use. */
function cellOf({ at }: NaiveLayout, use: 'symbol' | 'tradeId' | 'price', cells: readonly string[]): string {
  return cells[at.get(use) ?? -1] ?? ''
}

function withFlags(layout: NaiveLayout, rows: readonly SlowRow[]): PlainRow[] {
  const isBook = layout.kind === 'book'
  return rows.map((row, index) => {
    const before = rows[index - 1]
    const isFirst = before === undefined || !isSameMessage(layout, before, row, rows.slice(0, index))
    const isGap = layout.kind === 'trades' ? isGapOfTrades(rows, index) : isFirst && isGapOfBook(rows, index)
    const isRepeated = isBook
      ? !isFirst && before !== undefined && isSameLevel(before, row)
      : layout.kind === 'trades' && isRepeatedTrade(rows, index)
    const { sequence: _, previous: __, id: ___, ...plain } = row
    const flags =
      row.flags | (isFirst ? rowFlags.first : 0) | (isGap ? rowFlags.gap : 0) | (isRepeated ? rowFlags.duplicate : 0)
    return { ...plain, flags }
  })
}

function isSameMessage(layout: NaiveLayout, before: SlowRow, row: SlowRow, earlier: readonly SlowRow[]): boolean {
  const isSnapshot = (flags: number): boolean => (flags & rowFlags.snapshot) !== 0
  if (before.localTime !== row.localTime) return false
  if (isSnapshot(before.flags) !== isSnapshot(row.flags)) return false
  if (layout.kind === 'trades' || row.sequence < 0) return true
  return earlier.findLast(({ sequence }) => sequence >= 0)?.sequence === row.sequence
}

function isSameLevel(left: SlowRow, right: SlowRow): boolean {
  const isSameSide = ((left.flags ^ right.flags) & rowFlags.sell) === 0
  return isSameSide && left.price === right.price && left.amount === right.amount
}

function isGapOfBook(rows: readonly SlowRow[], index: number): boolean {
  const row = rows[index]
  const last = rows.slice(0, index).findLast(({ sequence }) => sequence >= 0)?.sequence
  if (row === undefined || last === undefined || row.sequence < 0 || row.previous < 0) return false
  return row.previous !== last && (row.flags & rowFlags.snapshot) === 0
}

/** The greatest id of the earlier trades, if any has an id. */
function greatestBefore(rows: readonly SlowRow[], index: number): number | undefined {
  const numbers = rows.slice(0, index).flatMap(({ sequence }) => (sequence >= 0 ? [sequence] : []))
  return numbers.length === 0 ? undefined : Math.max(...numbers)
}

function isGapOfTrades(rows: readonly SlowRow[], index: number): boolean {
  const greatest = greatestBefore(rows, index)
  const own = rows[index]?.sequence ?? -1
  return greatest !== undefined && own > greatest + 1
}

function isRepeatedTrade(rows: readonly SlowRow[], index: number): boolean {
  const row = rows[index]
  if (row === undefined || row.sequence === -1) return false
  const greatest = greatestBefore(rows, index)
  if (row.sequence >= 0) return greatest !== undefined && row.sequence <= greatest
  return rows.slice(0, index).some(({ sequence, id }) => sequence === -2 && id === row.id)
}

function nano(mantissa: number, decimals: number): bigint {
  return BigInt(mantissa) * 10n ** BigInt(9 - decimals)
}
