/**
 * Converts a recorded file or a tape to a Tardis CSV file: `incremental_book_L2`, `trades` or `derivative_ticker`,
 * depending on the kind of its rows. The reader of this package reads the same rows back, including messages, snapshots
 * and times.
 *
 * - Decimals are exact and keep the decimal places of the source. Times are microseconds, as they were read.
 * - Trades keep ids that are numbers. Trades with other ids are numbered from 1; a repeated trade gets the number of
 *   the one before it.
 * - Rows of a book that share a local time are one message in this form. If a source separates messages by their
 *   numbers, messages with the same time become one, and gaps in the numbers no longer show; the report counts both.
 *
 * The file is compressed with gzip if its name ends with `.gz`. It is written to a partial file next to the output path
 * and renamed when it is complete. Errors of the operating system are returned as faults. Memory: one batch.
 */
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { err, type InputError, ok, type Result } from '../../core/index.ts'
import {
  createNumbering,
  decimalText,
  type FeedBatch,
  markNumbers,
  type Numbering,
  type PublishedFormat,
  rowFlags,
} from '../../feeds/index.ts'
import type { MarketKind } from '../../model/index.ts'
import { isSameFile } from '../feeds/convert.ts'
import { badInput, type FeedFault, ioFault } from '../feeds/feed-fault.ts'
import { type FeedFile, type FeedFileOptions, openFeedFile } from '../feeds/feed-file.ts'
import { type OutputPlace, openFilePlace, untilExit } from '../output-place.ts'
import { EXCHANGE_NAME, exchangeFault, headerLine } from './tardis-text.ts'

/** Options of a conversion to Tardis CSV. */
export interface TardisFeedOptions extends FeedFileOptions {
  /** Text of the column `exchange`. Default: `pitclock`. */
  readonly exchange?: string
  /** True to replace an existing file. */
  readonly force: boolean
}

/** Report of a conversion to Tardis CSV. */
export interface TardisFeedReport {
  readonly input: string
  readonly output: string
  /** Format that was written. */
  readonly format: PublishedFormat
  readonly kind: MarketKind
  readonly exchange: string
  /** Null for a file without rows. */
  readonly symbol: string | null
  readonly source_sha256: string
  readonly rows: number
  readonly other_symbol_rows: number
  /** Messages that were merged into the message before them. */
  readonly joined_messages: number
  /** Gaps in the messages of the source, which the format cannot express. */
  readonly untold_gaps: number
  /** SHA-256 of the text, before compression. */
  readonly text_sha256: string
}

/** Level 9 takes four times as long and saves only a twentieth. */
const GZIP_LEVEL = 6

const formatOfKind: { readonly [K in MarketKind]: PublishedFormat } = {
  book: 'tardis.incremental_book_L2',
  trades: 'tardis.trades',
  index: 'tardis.derivative_ticker',
}

/**
 * Writes a recorded file (`-` for stdin) or a tape as Tardis CSV. `symbol` selects rows in a file with several symbols,
 * and names the rows of a file without a symbol column.
 */
export async function convertFeedToTardis(
  input: string,
  output: string,
  options: TardisFeedOptions,
): Promise<Result<TardisFeedReport, FeedFault>> {
  const exchange = options.exchange ?? EXCHANGE_NAME
  const wrong = exchangeFault(exchange)
  if (wrong !== null) return badInput(wrong)
  if (isSameFile(input, output)) {
    const error = {
      code: 'FILE' as const,
      file: output,
      expected: 'a path other than the recorded file',
      found: 'that file',
    }
    return err({ kind: 'io', error })
  }
  let place: OutputPlace | null = null
  try {
    const opened = openFilePlace(output, options.force, 'a new file of rows')
    if (!opened.ok) return err({ kind: 'io', error: opened.error })
    place = untilExit(opened.value)
    const target = { output, partial: place.partialPath, exchange }
    const written = await writeFeed(input, target, options)
    if (!written.ok) return written
    const taken = place.take()
    // The file is complete: `finally` must not remove it.
    place = null
    return taken === null ? written : err({ kind: 'io', error: taken })
  } catch (error) {
    return ioFault(output, error, 'a writable path')
  } finally {
    place?.discard()
  }
}

/** A text that is being written. */
interface FeedText {
  readonly exchange: string
  /** Symbol for the rows of a file without symbols. */
  readonly given: string | null
  symbol: string | null
  rows: number
  joined: number
  gaps: number
  readonly numbering: Numbering
  /** Number of the last trade whose source gives no number. */
  trade: number
  /** Local time of the last row, and whether it was part of a snapshot. */
  localTime: number
  isSnapshot: boolean
  fault: FeedFault | null
}

/** The file that an export writes, and its exchange. */
interface ExportTarget {
  readonly output: string
  readonly partial: string
  readonly exchange: string
}

async function writeFeed(
  input: string,
  target: ExportTarget,
  options: TardisFeedOptions,
): Promise<Result<TardisFeedReport, FeedFault>> {
  const isUnnamed = options.columns !== null && options.columns.symbol === undefined
  const opened = await openFeedFile(input, isUnnamed ? { ...options, symbol: null } : options)
  if (!opened.ok) return opened
  const file = opened.value
  const text: FeedText = {
    exchange: target.exchange,
    given: isUnnamed ? options.symbol : null,
    symbol: null,
    rows: 0,
    joined: 0,
    gaps: 0,
    numbering: createNumbering(),
    trade: 0,
    localTime: -1,
    isSnapshot: false,
    fault: null,
  }
  const hash = createHash('sha256')
  const pieces = async function* (): AsyncGenerator<Buffer> {
    for await (const piece of textOf(file, text)) {
      const bytes = Buffer.from(piece)
      hash.update(bytes)
      yield bytes
    }
  }
  try {
    const out = createWriteStream(target.partial)
    const source = Readable.from(pieces())
    if (target.output.endsWith('.gz')) await pipeline(source, createGzip({ level: GZIP_LEVEL }), out)
    else await pipeline(source, out)
  } finally {
    await file.close()
  }
  if (text.fault !== null) return err(text.fault)
  return ok({
    input,
    output: target.output,
    format: formatOfKind[file.kind],
    kind: file.kind,
    exchange: target.exchange,
    symbol: text.symbol,
    source_sha256: file.sha256,
    rows: text.rows,
    other_symbol_rows: file.totals.otherSymbols,
    joined_messages: text.joined,
    untold_gaps: text.gaps,
    text_sha256: hash.digest('hex'),
  })
}

/** The text, a batch at a time; it ends at a fault of the file. */
async function* textOf(file: FeedFile, text: FeedText): AsyncGenerator<string> {
  yield headerLine(formatOfKind[file.kind])
  for (;;) {
    const batch = await file.next()
    if (!batch.ok) {
      text.fault = batch.error
      return
    }
    if (batch.value === null) return
    text.symbol ??= file.symbol ?? text.given
    text.fault = symbolFault(file.path, text.symbol) ?? magnitudeFault(file.path, batch.value)
    if (text.fault !== null) return
    yield rowsOf(batch.value, text)
  }
}

function symbolFault(file: string, symbol: string | null): FeedFault | null {
  const error: InputError | null =
    symbol === null
      ? {
          code: 'VALUE',
          file,
          expected: 'a symbol for the rows',
          found: 'no symbol column',
          hint: 'set it with --symbol',
        }
      : /[",\r\n]/.test(symbol)
        ? {
            code: 'VALUE',
            file,
            expected: 'a symbol without commas, quotes and newlines',
            found: symbol,
          }
        : null
  return error === null ? null : { kind: 'input', error }
}

/** A tape may hold numbers that are too large for exact integers. */
function magnitudeFault(file: string, { rows, price, amount, row }: FeedBatch): FeedFault | null {
  for (let at = 0; at < rows; at += 1) {
    if (Number.isSafeInteger(price[at]) && Number.isSafeInteger(amount[at])) continue
    const expected = 'prices and amounts of at most 15 digits'
    const found = `a longer number in row ${row[at]}`
    return { kind: 'input', error: { code: 'VALUE', file, expected, found } }
  }
  return null
}

function rowsOf(batch: FeedBatch, text: FeedText): string {
  const { kind, rows, time, localTime, ids } = batch
  const marked = batch.flags.slice(0, rows)
  if (ids !== null) markNumbers(text.numbering, { ...batch, ids }, marked)
  let lines = ''
  for (let at = 0; at < rows; at += 1) {
    const flags = marked[at] as number
    noteMessage(text, flags, kind, localTime[at] as number)
    const price = decimalText(batch.price[at] as number, batch.priceDecimals)
    const mantissa = batch.amount[at] as number
    const amount = decimalText(mantissa, batch.amountDecimals)
    lines += `${text.exchange},${text.symbol},${time[at]},${localTime[at]},`
    if (kind === 'book') {
      const side = (flags & rowFlags.sell) === 0 ? 'bid' : 'ask'
      lines += `${(flags & rowFlags.snapshot) !== 0},${side},${price},${amount}\n`
    } else if (kind === 'trades') {
      lines += `${numberOfTrade(text, flags, ids?.number[at] ?? -1)},${takerOf(flags)},${price},${amount}\n`
    } else lines += `,,,,,${price},${mantissa === 0 ? '' : amount}\n`
  }
  text.rows += rows
  return lines
}

/** Counts properties of a message that the format cannot express. */
function noteMessage(text: FeedText, flags: number, kind: MarketKind, localTime: number): void {
  const isSnapshot = (flags & rowFlags.snapshot) !== 0
  const isReported = localTime !== text.localTime || isSnapshot !== text.isSnapshot
  if ((flags & rowFlags.first) !== 0 && !isReported) text.joined += 1
  if (kind !== 'trades' && (flags & rowFlags.gap) !== 0) text.gaps += 1
  text.localTime = localTime
  text.isSnapshot = isSnapshot
}

function numberOfTrade(text: FeedText, flags: number, recorded: number): number {
  if (recorded >= 0) return recorded
  if ((flags & rowFlags.duplicate) === 0) text.trade += 1
  return text.trade
}

function takerOf(flags: number): string {
  if ((flags & rowFlags.unknownSide) !== 0) return 'unknown'
  return (flags & rowFlags.sell) === 0 ? 'buy' : 'sell'
}
