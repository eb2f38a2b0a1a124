/**
 * Writes rows of a run's tables as the text of Tardis CSV files, a batch at a time.
 *
 * - `timestamp` and `local_timestamp` are the virtual time in microseconds; `symbol` is the name of the instrument in
 *   upper case. Several instruments share a file, in the order of time.
 * - One message of the book contains all changes of one instrument at one time. A level that changed several times
 *   appears once, at the place of its first change, with its last size. So no message leaves the book crossed, even if
 *   an order swept through it.
 * - A book starts empty, so the first message of an instrument is its snapshot. A level that appeared and disappeared
 *   at one time becomes the removal (amount 0) of an unknown level, which readers ignore.
 * - `id` of a trade counts within its instrument, from 1 without gaps; it is empty for a trade of a recorded feed,
 *   which has no such number. `side` is the taker's.
 *
 * Prices and amounts are exact decimals without trailing zeros, from tables of doubles and from exact tables. A double
 * identifies its decimal up to 15 digits; a double that shows more digits is a fault, because digits were lost. Known
 * limit: a value of 16 digits may show as one of 15, which needs a price or an amount of 1e15 steps; exact tables have
 * no such limit.
 *
 * Memory: one batch and one message. Source: docs.tardis.dev/downloadable-csv-files/data-types.
 */
import { decimalTextOf, formatScaled, type InputError } from '../../core/index.ts'
import { headerOf, type PublishedFormat } from '../../feeds/index.ts'
import type { ArrowFile, FileCell, FileRow } from '../arrow-file.ts'

/** Default name of the venue in the column `exchange`. */
export const EXCHANGE_NAME = 'pitclock'

/** The mistake in a name of an exchange, or null. */
export function exchangeFault(name: string): InputError | null {
  if (/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name)) return null
  const expected = 'a name of lowercase letters, digits and dashes, such as deribit'
  return { code: 'VALUE', path: 'exchange', expected, found: name }
}

/** Facts about a text, collected while the rows are read. */
export interface TextFacts {
  /** Text of the column `exchange`. */
  readonly exchange: string
  rows: number
  /** Messages of a book, or rows of trades. */
  messages: number
  /** Times of the first and last row in microseconds, or null without rows. */
  first: number | null
  last: number | null
  /** Rows by symbol, in the order of each symbol's first row. */
  readonly rowsOf: Map<string, number>
  /** Why the text ends before its table does. */
  fault: InputError | null
}

/** A table with its name in messages of faults. */
export interface NamedTable {
  readonly file: string
  readonly table: ArrowFile
}

/** A level that changed at the current time. */
interface LevelChange {
  readonly side: 'bid' | 'ask'
  readonly price: string
  amount: string
}

/** A decimal with up to this many digits and its nearest double identify each other. */
const EXACT_DIGITS = 15

const bookColumns = ['time', 'instrument', 'side', 'price', 'amount']
const tradeColumns = ['time', 'trade_seq', 'instrument', 'side', 'price', 'amount']

/** The facts before the first row. */
export function createTextFacts(exchange: string = EXCHANGE_NAME): TextFacts {
  const counts = { rows: 0, messages: 0, first: null, last: null }
  return { exchange, ...counts, rowsOf: new Map(), fault: null }
}

/** The text of `incremental_book_L2`. */
export async function* bookText(source: NamedTable, facts: TextFacts): AsyncGenerator<string> {
  facts.fault = missingColumn(source, bookColumns)
  if (facts.fault !== null) return
  yield headerLine('tardis.incremental_book_L2')
  const decimal = decimalReader(source, facts)
  const changes = new Map<string, Map<string, LevelChange>>()
  const flush = (time: number): string => {
    let text = ''
    for (const [symbol, levels] of changes) {
      const isSnapshot = !facts.rowsOf.has(symbol)
      const head = `${facts.exchange},${symbol},${time},${time},${isSnapshot},`
      for (const { side, price, amount } of levels.values()) {
        text += `${head}${side},${price},${amount}\n`
      }
      countWrittenMessage(facts, time, symbol, levels.size)
    }
    changes.clear()
    return text
  }
  const take = (row: FileRow): void => {
    const symbol = symbolOf(row)
    const levels = changes.get(symbol) ?? new Map<string, LevelChange>()
    changes.set(symbol, levels)
    const side = row['side'] === 'buy' ? 'bid' : 'ask'
    const price = decimal(row, 'price')
    const amount = decimal(row, 'amount')
    const known = levels.get(`${side} ${price}`)
    if (known === undefined) levels.set(`${side} ${price}`, { side, price, amount })
    else known.amount = amount
  }
  yield* textByTime(source, facts, take, flush)
}

/**
 * The text of a table whose rows with the same time belong together, a batch at a time. `take` receives each row. When
 * a row with another time comes, `flush` returns the text of the finished time. The text ends at a faulty row.
 */
export async function* textByTime(
  { table }: NamedTable,
  facts: TextFacts,
  take: (row: FileRow) => void,
  flush: (time: number) => string,
): AsyncGenerator<string> {
  let time = -1
  for await (const batch of table.batches()) {
    let text = ''
    for (const row of batch) {
      const rowTime = Number(row['time'])
      if (rowTime !== time) text += flush(time)
      time = rowTime
      take(row)
      if (facts.fault !== null) return
    }
    yield text
  }
  yield flush(time)
}

/** The text of `trades`. */
export async function* tradesText(source: NamedTable, facts: TextFacts): AsyncGenerator<string> {
  facts.fault = missingColumn(source, tradeColumns)
  if (facts.fault !== null) return
  yield headerLine('tardis.trades')
  const decimal = decimalReader(source, facts)
  for await (const batch of source.table.batches()) {
    let text = ''
    for (const row of batch) {
      const time = Number(row['time'])
      const symbol = symbolOf(row)
      const price = decimal(row, 'price')
      const amount = decimal(row, 'amount')
      if (facts.fault !== null) return
      const sequence = Number(row['trade_seq'])
      const id = sequence === 0 ? '' : String(sequence)
      text += `${facts.exchange},${symbol},${time},${time},${id},${row['side']},`
      text += `${price},${amount}\n`
      countWrittenMessage(facts, time, symbol, 1)
    }
    yield text
  }
}

/** The first line of a file of a format. */
export function headerLine(format: PublishedFormat): string {
  return `${headerOf(format).join(',')}\n`
}

/** The symbol of an instrument. */
export function symbolOf(row: FileRow): string {
  return String(row['instrument']).toUpperCase()
}

/** The exact decimal of a cell, or null if a double has lost digits of it. */
export function decimalOf(cell: FileCell | undefined, scale: number): string | null {
  if (typeof cell === 'bigint') return formatScaled(cell, scale)
  if (typeof cell !== 'number' || !Number.isFinite(cell)) return null
  const text = decimalTextOf(cell)
  const digits = text.replace(/^-?[0.]*/, '').replace('.', '')
  return digits.replace(/0+$/, '').length <= EXACT_DIGITS ? text : null
}

/** Reads exact decimals from a table; a cell that has lost digits becomes the fault of the text. */
export function decimalReader({ file, table }: NamedTable, facts: TextFacts): (row: FileRow, name: string) => string {
  const scales = new Map(table.columns.map(({ name, scale }) => [name, scale]))
  return (row, name) => {
    const text = decimalOf(row[name], scales.get(name) ?? 0)
    if (text !== null) return text
    facts.fault ??= {
      code: 'VALUE',
      file,
      path: name,
      found: String(row[name]),
      expected: `a number of at most ${EXACT_DIGITS} digits`,
      hint: 'run with --exact to write exact decimals',
    }
    return ''
  }
}

/** The mistake of a table that lacks a column, or null. */
export function missingColumn({ file, table }: NamedTable, names: readonly string[]): InputError | null {
  const missing = names.find((name) => !table.columns.some((column) => column.name === name))
  if (missing === undefined) return null
  return {
    code: 'SHAPE',
    file,
    found: `no column ${missing}`,
    expected: `the columns ${names.join(', ')}`,
  }
}

/** Counts a message that was written. */
export function countWrittenMessage(facts: TextFacts, time: number, symbol: string, rows: number): void {
  facts.rows += rows
  facts.messages += 1
  facts.first ??= time
  facts.last = time
  facts.rowsOf.set(symbol, (facts.rowsOf.get(symbol) ?? 0) + rows)
}
