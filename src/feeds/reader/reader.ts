/**
 * Converts recorded text to batches: the caller pushes bytes and gets batches of complete messages.
 *
 * Chunks may be cut anywhere. The fast reader reads the lines that it supports. Each other record goes to the injected
 * CSV parser and from there to the slow reader. Such a record ends at the first newline with an even number of quotes
 * before it.
 *
 * A byte order mark, CRLF and blank lines at the end are accepted. A last line without a newline may be cut in its last
 * cell, which looks like a complete one, so a policy decides: the line is refused, omitted or read unchanged. A mistake
 * ends the reading. The reader drops the earlier rows of the same chunk, because a feed with a mistake is refused.
 *
 * Limits: a record of `RECORD_BYTES_MAX` bytes. Memory: a chunk and the unread rest of the previous one.
 */
import {
  assert,
  checkOptions,
  coded,
  err,
  type InputError,
  type OptionKinds,
  ok,
  type Result,
} from '../../core/index.ts'
import type { FeedPolicy, MarketKind } from '../../model/index.ts'
import type { FeedBatch } from '../batch.ts'
import { type FeedText, idScopeOf, mappingOf, needsColumns } from '../format.ts'
import type { LineScan } from './cell-scan.ts'
import { type FeedLayout, layoutOf, shortened } from './layout.ts'
import { createLineScan, noteOther, scanLines } from './line-scan.ts'
import { type CellFault, countFault, likelyUnit, readRecord } from './record.ts'
import {
  commitRow,
  createRowBuilder,
  draftSlot,
  type RowBuilder,
  type RowFault,
  sealRows,
  takeBatches,
} from './row-builder.ts'

/** Parses the text of one CSV record into its cells, or returns the mistake in its form. */
type ParseRecord = (text: string, delimiter: string) => Result<readonly string[], string>

/** Options of a reader. */
export interface FeedReaderOptions extends FeedText {
  /** Name of the file, for messages. */
  readonly file: string
  /** The symbol whose rows are read; null for a file with only one symbol. */
  readonly symbol: string | null
  readonly parseRecord: ParseRecord
  /** Policy for a last line that has no newline. Default: `fail`. */
  readonly cut?: FeedPolicy
}

const readerKinds: OptionKinds<FeedReaderOptions> = {
  format: 'string',
  columns: 'object | null',
  file: 'string',
  symbol: 'string | null',
  parseRecord: 'function',
  cut: 'string?',
}

/** Totals that only the reader of a whole file knows. */
export interface FeedTotals {
  /** Number of records without the header. */
  readonly records: number
  /** Number of skipped records of other symbols. */
  readonly otherSymbols: number
  /** Number of the first of them, or null. */
  readonly firstOtherSymbol: number | null
  /** Number of the last record if it has no newline and the policy lets it pass. */
  readonly cutRecord?: number
}

/** A reader of one file. */
export interface FeedReader {
  /** The kind of market data in the rows; null until the header was read. */
  readonly kind: MarketKind | null
  /** The symbol that the reader reads; null before the first one, or without a symbol column. */
  readonly symbol: string | null
  readonly totals: FeedTotals
  /** Columns of the file that the reader ignores; empty until the header was read. */
  readonly unusedColumns: readonly string[]
  /** Takes the next bytes, which it copies, and returns the batches that they complete. */
  push(bytes: Uint8Array): Result<readonly FeedBatch[], InputError>
  /** Ends the file and returns the last batches. */
  end(): Result<readonly FeedBatch[], InputError>
}

const RECORD_BYTES_MAX = 1_048_576
const NEWLINE = 10
const RETURN = 13
const QUOTE = 34
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]
const BUFFER_BYTES_MIN = 65_536
const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** State of a reader in its file. */
interface Reading {
  readonly options: FeedReaderOptions
  buffer: Uint8Array
  /** Position of the first unread byte in the buffer, and end of the filled part. */
  from: number
  to: number
  /** Number of newlines inside quotes, which is the difference between line numbers and record numbers. */
  innerLines: number
  symbol: string | null
  layout: FeedLayout | null
  scan: LineScan | null
  builder: RowBuilder | null
  /** True once the times of the first row were checked. */
  isTimed: boolean
  /** True once the sequence of the file's ids is known. */
  isScoped: boolean
  isEnded: boolean
  cutRecord: number | null
}

/**
 * Creates a reader of one file, from its first byte.
 *
 * @throws RangeError with the code `OPTION` if an option does not exist, or if the format needs `columns` or accepts
 * none; AssertionFailure with the code `DEFECT` if `push` or `end` is called after `end`.
 *
 * @example
 * const reader = createFeedReader({
 *   format: 'tardis.trades',
 *   symbol: null,
 *   columns: null,
 *   file: 'trades.csv',
 *   parseRecord: (line, delimiter) => ({ ok: true, value: line.split(delimiter) }),
 * })
 * const head = 'exchange,symbol,timestamp,local_timestamp,id,side,price,amount\n'
 * const row = 'deribit,BTC-PERPETUAL,1767603600000000,1767603600001000,1,buy,60000,10\n'
 * console.log(reader.push(new TextEncoder().encode(head + row)).ok) // true
 * const rest = reader.end()
 * if (rest.ok) console.log(rest.value.map(({ rows }) => rows)) // [ 1 ]
 */
export function createFeedReader(options: FeedReaderOptions): FeedReader {
  checkOptions('createFeedReader', options, readerKinds)
  const { format, columns } = options
  if (needsColumns(format) !== (columns !== null)) {
    const expected = columns === null ? `a description for format ${format}` : `null for format ${format}`
    const found = columns === null ? 'null' : 'a description'
    throw coded(new RangeError(`createFeedReader: columns: expected ${expected}, found ${found}`), 'OPTION')
  }
  const reading: Reading = {
    options,
    buffer: new Uint8Array(BUFFER_BYTES_MIN),
    from: 0,
    to: 0,
    innerLines: 0,
    symbol: options.symbol,
    layout: null,
    scan: null,
    builder: null,
    isTimed: false,
    isScoped: false,
    isEnded: false,
    cutRecord: null,
  }
  return {
    get kind(): MarketKind | null {
      return reading.layout?.kind ?? null
    },
    get symbol(): string | null {
      return reading.symbol
    },
    get unusedColumns(): readonly string[] {
      return options.columns?.header === false ? [] : (reading.layout?.unused ?? [])
    },
    get totals(): FeedTotals {
      const { records = 0, others = 0, firstOther = 0 } = reading.scan ?? {}
      const firstOtherSymbol = firstOther === 0 ? null : firstOther
      const cut = reading.cutRecord === null ? {} : { cutRecord: reading.cutRecord }
      return { records, otherSymbols: others, firstOtherSymbol, ...cut }
    },
    push: (bytes) => {
      assert(!reading.isEnded, 'a file that ended takes no bytes')
      append(reading, bytes)
      return read(reading)
    },
    end: () => {
      assert(!reading.isEnded, 'a file ends once')
      reading.isEnded = true
      return readEnd(reading)
    },
  }
}

/** Appends bytes after the unread ones, which move to the front if there is not enough room. */
function append(reading: Reading, bytes: Uint8Array): void {
  const { buffer, from, to } = reading
  const kept = to - from
  if (to + bytes.length > buffer.length) {
    let capacity = buffer.length
    while (capacity < kept + bytes.length) capacity *= 2
    const target = capacity === buffer.length ? buffer : new Uint8Array(capacity)
    target.set(buffer.subarray(from, to))
    reading.buffer = target
    reading.from = 0
    reading.to = kept
  }
  reading.buffer.set(bytes, reading.to)
  reading.to += bytes.length
}

/** Reads all complete records of the buffer. */
function read(reading: Reading): Result<readonly FeedBatch[], InputError> {
  if (reading.scan === null) {
    const header = readHeader(reading)
    if (!header.ok) return header
  }
  const { scan, builder } = reading
  if (scan === null || builder === null) return ok([])
  scan.bytes = reading.buffer
  findIdScope(reading)
  const limit = endOfLines(reading)
  while (reading.from < limit) {
    reading.from = scanLines(scan, reading.from, limit)
    if (scan.stop === 'limit') break
    if (scan.stop !== 'odd') return err(rowFault(reading, scan.stop))
    const end = recordEnd(reading, reading.from)
    if (end < 0) break
    const fault = readOdd(reading, end)
    if (fault !== null) return err(fault)
    reading.from = end
  }
  if (reading.to - reading.from > RECORD_BYTES_MAX) {
    const found = 'a longer line, or an unclosed quote'
    return err(errorAt(reading, { expected: 'a line of at most 1 MiB', found }))
  }
  const odd = unitFault(reading)
  return odd === null ? ok(takeBatches(builder)) : err(odd)
}

/** Determines the sequence of the file's ids at the first record, because it may depend on the exchange named there. */
function findIdScope(reading: Reading): void {
  const { builder, layout, options } = reading
  if (reading.isScoped || builder === null || layout === null) return
  const end = recordEnd(reading, reading.from)
  if (end < 0) return
  reading.isScoped = true
  const cells = options.parseRecord(textOf(reading, reading.from, end), layout.delimiter)
  const exchange = cells.ok ? cells.value[layout.at.exchange] : undefined
  builder.idScope = idScopeOf(layout.idScope, exchange ?? '')
}

/**
 * The end of the complete lines of the buffer. Trailing blank lines wait for the next bytes: they are a mistake before
 * a later row, but not at the end of the file.
 */
function endOfLines({ buffer, from, to }: Reading): number {
  let end = buffer.subarray(0, to).lastIndexOf(NEWLINE) + 1
  while (end > from) {
    const hasReturn = end - 2 >= from && buffer[end - 2] === RETURN
    const start = hasReturn ? end - 2 : end - 1
    if (start > from && buffer[start - 1] !== NEWLINE) return end
    end = start
  }
  return end
}

/** True if only blank lines remain. */
function isBlank(reading: Reading): boolean {
  return reading.buffer.subarray(reading.from, reading.to).every((byte) => byte === NEWLINE || byte === RETURN)
}

/**
 * The mistake in the times of the first row. It tries the numbers in every unit, because milliseconds read as
 * microseconds would be in 1970.
 */
function unitFault(reading: Reading): InputError | null {
  const { builder, layout, isTimed, options } = reading
  if (isTimed || builder === null || layout === null) return null
  const [first = builder] = builder.done
  if (first.rows === 0) return null
  reading.isTimed = true
  const columns = [
    ['time', first.time, layout.timeUnit],
    ['localTime', first.localTime, layout.localTimeUnit],
  ] as const
  for (const [role, times, unit] of columns) {
    const time = times[0] as number
    const looksLike = layout.at[role] < 0 ? null : likelyUnit(BigInt(time), unit)
    if (looksLike === null) continue
    const line = (first.row[0] as number) + 1 + reading.innerLines
    const path = layout.names[layout.at[role]] ?? role
    const expected = `a time since the epoch in ${unit}`
    const hint = options.columns === null ? {} : { hint: 'set the unit of the column in columns' }
    const found = `a number that looks like ${looksLike}`
    return { code: 'ROW', file: options.file, line, path, expected, found, ...hint }
  }
  return null
}

function readEnd(reading: Reading): Result<readonly FeedBatch[], InputError> {
  const last = reading.buffer[reading.to - 1]
  const isOpen = reading.to > reading.from && last !== NEWLINE
  // Adds a missing newline to a header or a row.
  if (isOpen) append(reading, Uint8Array.of(NEWLINE))
  // A carriage return before the newline shows that the last cell is complete.
  if (isOpen && last !== RETURN) {
    const fault = judgeCut(reading)
    if (fault !== null) return err(fault)
  }
  const batches = read(reading)
  if (!batches.ok) return batches
  const { builder, scan, options } = reading
  if (builder === null || scan === null) {
    const expected = needsColumns(options.format) ? 'a header' : `the header of ${options.format}`
    const found = reading.to === 0 ? 'an empty file' : 'an unclosed quote'
    return err({ code: 'SYNTAX', file: options.file, line: 1, expected, found })
  }
  if (!isBlank(reading)) {
    const found = 'an unclosed quote'
    return err(errorAt(reading, { expected: 'a CSV record', found }))
  }
  if (options.symbol !== null && scan.records > 0 && scan.others === scan.records) {
    const found = `${scan.others} rows of other symbols`
    return err({ code: 'VALUE', file: options.file, expected: `rows of ${options.symbol}`, found })
  }
  sealRows(builder)
  return ok([...batches.value, ...takeBatches(builder)])
}

/** Applies the policy to a last line without a newline: keep it, skip it, or report it as the mistake of the file. */
function judgeCut(reading: Reading): InputError | null {
  if (reading.scan === null) {
    const header = readHeader(reading)
    if (!header.ok) return header.error
  }
  const { options, scan, layout, from, to } = reading
  // A file with only a header has no rows that could be incomplete.
  if (scan === null || layout === null || from === to) return null
  const { cut = 'fail' } = options
  if (cut !== 'fail') {
    reading.cutRecord = scan.records + 1
    if (cut === 'skip') reading.to = from
    return null
  }
  const text = textOf(reading, from, to)
  const row = text.replace(/^[\r\n]+/, '')
  // Blank lines before the record are not records, and their newlines are not part of one.
  reading.innerLines += newlinesIn(text) - newlinesIn(row)
  const cells = options.parseRecord(row, layout.delimiter)
  const [has, needs] = [cells.ok ? cells.value.length : 0, layout.names.length]
  const part = has === needs ? 'whose last cell may be incomplete' : `with ${has} of ${needs} cells`
  const expected = 'a newline at the end of the last line'
  return {
    ...errorAt(reading, { expected, found: `a line without a newline, ${part}` }),
    hint: 'policy: { cut: skip } or --cut skip skips the line; keep reads it',
  }
}

/** Reads the header if it is complete, and prepares for the rows. */
function readHeader(reading: Reading): Result<void, InputError> {
  const { options, buffer } = reading
  const { file, symbol } = options
  // Three bytes are needed to recognize a byte order mark; no header is shorter.
  if (reading.to < BYTE_ORDER_MARK.length && !reading.isEnded) return ok(undefined)
  const from = BYTE_ORDER_MARK.every((byte, at) => buffer[at] === byte) ? 3 : 0
  const end = recordEnd(reading, from)
  if (end < 0) {
    if (reading.to <= RECORD_BYTES_MAX) return ok(undefined)
    return err({
      code: 'SYNTAX',
      file,
      line: 1,
      expected: 'a header of at most 1 MiB',
      found: 'a longer line',
    })
  }
  const text = textOf(reading, from, end)
  const cells = options.parseRecord(text, mappingOf(options).delimiter)
  if (!cells.ok) return err({ code: 'SYNTAX', file, line: 1, expected: 'a header', found: cells.error })
  const hasHeader = options.columns?.header !== false
  const names = hasHeader ? cells.value : cells.value.map((_, at) => String(at + 1))
  const layout = layoutOf(options, names, file)
  if (!layout.ok) return layout
  if (symbol !== null && layout.value.at.symbol < 0) {
    const found = 'a mapping without a symbol'
    return err({ code: 'SHAPE', file, expected: `a column for the symbol ${symbol}`, found })
  }
  reading.layout = layout.value
  const { at } = layout.value
  const hasIds = at.tradeId >= 0 || at.sequence >= 0
  reading.builder = createRowBuilder(layout.value.kind, hasIds)
  reading.scan = createLineScan(layout.value, reading.builder, symbol)
  if (!hasHeader) {
    // Without a header the first line is a row, and every line number is one lower.
    reading.innerLines = -1
    reading.from = from
    return ok(undefined)
  }
  reading.innerLines += newlinesIn(text)
  reading.from = end
  return ok(undefined)
}

/** Reads the record that ends at `end` with the CSV parser and the slow reader. */
function readOdd(reading: Reading, end: number): InputError | null {
  const { layout, scan, builder, options } = reading
  assert(layout !== null && scan !== null && builder !== null, 'rows come after the header')
  const text = textOf(reading, reading.from, end)
  const parsed = options.parseRecord(text, layout.delimiter)
  if (!parsed.ok) return errorAt(reading, { expected: 'a CSV record', found: parsed.error })
  const cells = parsed.value
  const miscount = countFault(layout, cells)
  if (miscount !== null) return errorAt(reading, miscount)
  const symbol = layout.at.symbol < 0 ? null : (cells[layout.at.symbol] ?? '')
  if (symbol !== null && symbol !== reading.symbol) {
    if (options.symbol !== null) {
      noteOther(scan)
      reading.innerLines += newlinesIn(text)
      return null
    }
    if (reading.symbol !== null || symbol === '') return symbolFault(reading, symbol)
    reading.symbol = symbol
    scan.symbol = encoder.encode(symbol)
  }
  const fault = readRecord(layout, cells, builder.draft)
  if (fault !== null) return errorAt(reading, fault)
  scan.records += 1
  const isEmpty = Number.isNaN(builder.draft.numbers[draftSlot.price])
  const misfit = isEmpty ? null : commitRow(builder, scan.records)
  // A mistake is reported at the first line of its record.
  if (misfit !== null) return rowFault(reading, misfit)
  reading.innerLines += newlinesIn(text)
  return null
}

function symbolFault(reading: Reading, found: string): InputError {
  const column = reading.layout?.names[reading.layout.at.symbol] ?? ''
  if (reading.symbol === null) return errorAt(reading, { column, expected: 'a symbol', found: 'nothing' })
  return {
    ...errorAt(reading, { column, expected: `rows of ${reading.symbol} only`, found: shortened(found) }),
    hint: 'set symbol to choose one of several',
  }
}

/** The end of the record that begins at `from`, after its newline; -1 if the record is incomplete. */
function recordEnd(reading: Reading, from: number): number {
  const { buffer, to } = reading
  let isQuoted = false
  for (let at = from; at < to; at += 1) {
    const byte = buffer[at]
    if (byte === QUOTE) isQuoted = !isQuoted
    else if (byte === NEWLINE && !isQuoted) return at + 1
  }
  return -1
}

/** The text of a record without its newline. */
function textOf(reading: Reading, from: number, end: number): string {
  const last = reading.buffer[end - 2] === RETURN && end - 2 >= from ? end - 2 : end - 1
  return decoder.decode(reading.buffer.subarray(from, last))
}

function newlinesIn(text: string): number {
  return text.split('\n').length - 1
}

/** A mistake in the next record. */
function errorAt(reading: Reading, fault: CellFault): InputError {
  const { file, columns } = reading.options
  const line = (reading.scan?.records ?? 0) + 2 + reading.innerLines
  const path = fault.column === undefined ? {} : { path: fault.column }
  const way = fault.hint === undefined || columns === null ? {} : { hint: fault.hint }
  return { code: 'ROW', file, line, ...path, found: fault.found, expected: fault.expected, ...way }
}

/** The mistake in the record just read. */
function rowFault(reading: Reading, misfit: RowFault): InputError {
  const line = (reading.scan?.records ?? 0) + 1 + reading.innerLines
  const { file } = reading.options
  if (misfit === 'message') {
    const found = 'more rows with one local timestamp'
    return { code: 'ROW', file, line, expected: 'a message of at most 4,000,000 rows', found }
  }
  const column = reading.layout?.names[reading.layout.at[misfit]] ?? misfit
  const expected = 'at most 15 digits in the decimals of the rows around it'
  return { code: 'ROW', file, line, path: column, expected, found: 'a number with more digits' }
}
