/**
 * Exports a finished run as a recorded feed: Tardis CSV files of its book, its trades and its prices, with a manifest.
 *
 * The folder gets `incremental_book_L2.csv.gz`, `trades.csv.gz`, `derivative_ticker.csv.gz` with index and mark prices,
 * and `manifest.json`; all instruments of the run share the files in time order, like the grouped symbols of vendors.
 * The same run gives the same text on every machine, whether its tables hold doubles or exact integers; the compressed
 * bytes may differ between versions of zlib, so hashes are those of the text.
 *
 * The export writes to a private partial folder and renames it when it is complete; a failed export removes it. Errors
 * of the operating system are thrown. Memory: one batch of a table.
 */

import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { err, formatIsoTime, type InputError, micros, ok, type Result } from '../../core/index.ts'
import type { FileRow } from '../arrow-file.ts'
import { type Manifest, readManifest } from '../manifest.ts'
import { openPlace, untilExit, writeJsonFile } from '../output-place.ts'
import { readTable } from '../run-folder.ts'
import {
  bookText,
  countWrittenMessage,
  createTextFacts,
  decimalOf,
  decimalReader,
  EXCHANGE_NAME,
  exchangeFault,
  headerLine,
  missingColumn,
  type NamedTable,
  symbolOf,
  type TextFacts,
  textByTime,
  tradesText,
} from './tardis-text.ts'

/** Options of an export as Tardis files. */
export interface TardisExportOptions {
  /** True to replace the folder of an earlier export. */
  readonly force: boolean
  /** Text of the column `exchange`. Default: `pitclock`. */
  readonly exchange?: string
}

/** One file of an export. */
export interface TardisFile {
  readonly name: string
  readonly data_type: 'incremental_book_L2' | 'trades' | 'derivative_ticker'
  /** Rows without the header. */
  readonly rows: number
  /** Rows with one symbol and time form one message of a book. Each trade and ticker is a separate message. */
  readonly messages: number
  /** ISO times of the first and the last row, null without rows. */
  readonly first: string | null
  readonly last: string | null
  /** Bytes of the text, before compression. */
  readonly text_bytes: number
  /** SHA-256 of the text, before compression. */
  readonly text_sha256: string
}

/** An instrument of an export. Decimals are exact texts. */
export interface TardisSymbol {
  readonly symbol: string
  readonly instrument: string
  readonly tick_size: string
  readonly amount_step: string
  readonly book_rows: number
  readonly trades: number
  readonly tickers: number
}

/** Contents of the `manifest.json` of an export. */
export interface TardisManifest {
  readonly format: 1
  readonly exchange: string
  /** The source run, copied from its manifest. */
  readonly run: Pick<Manifest, 'engine' | 'seed' | 'scenario' | 'from' | 'to' | 'digest'>
  readonly symbols: readonly TardisSymbol[]
  readonly files: readonly TardisFile[]
}

/** Terms of an instrument that a ticker needs. */
interface TickerInstrument {
  readonly symbol: string
  readonly index: string
  /** In microseconds; null for an instrument without expiry. */
  readonly expiration: number | null
}

/** The two prices of an instrument; null while they are unknown. */
interface Ticker {
  readonly instrument: TickerInstrument
  index: string | null
  mark: string | null
}

/** Level 9 takes four times as long and saves only a twentieth. */
const GZIP_LEVEL = 6

const manifestName = 'manifest.json'

const bookName = 'incremental_book_L2.csv.gz'

const tradesName = 'trades.csv.gz'

const tickerName = 'derivative_ticker.csv.gz'

/**
 * Writes the book, the trades and the prices of a complete run that recorded its book as Tardis CSV files. The function
 * refuses a run that is incomplete, unreadable or without a recorded book, and an output path that exists.
 */
export async function convertRunToTardis(
  runFolder: string,
  outDir: string,
  options: TardisExportOptions,
): Promise<Result<TardisManifest, InputError>> {
  const { force, exchange = EXCHANGE_NAME } = options
  const wrong = exchangeFault(exchange)
  if (wrong !== null) return err(wrong)
  const manifest = readManifest(runFolder)
  if (!manifest.ok) return manifest
  const refusal = runFault(runFolder, manifest.value)
  if (refusal !== null) return err(refusal)
  const place = openPlace(outDir, { force, content: 'an export', isOwn: isFileOfExport })
  if (!place.ok) return place
  const { partialPath: partial, take, discard } = untilExit(place.value)
  let isWhole = false
  try {
    const written = await writeExport({ runFolder, run: manifest.value, partial, exchange })
    isWhole = written.ok
    const fault = written.ok ? take() : null
    return fault === null ? written : err(fault)
  } finally {
    if (!isWhole) discard()
  }
}

interface ExportJob {
  readonly runFolder: string
  readonly run: Manifest
  readonly partial: string
  readonly exchange: string
}

async function writeExport(job: ExportJob): Promise<Result<TardisManifest, InputError>> {
  const { engine, seed, scenario, from, to, digest } = job.run
  const book = await writeText(job, 'book', bookName, bookText)
  if (!book.ok) return book
  const trades = await writeText(job, 'trades', tradesName, tradesText)
  if (!trades.ok) return trades
  const listed = await readInstruments(job)
  if (!listed.ok) return listed
  const instruments = listed.value.rows.map(tickerInstrument)
  const ticker = await writeText(job, 'marks', tickerName, (source, facts) => tickerText(source, facts, instruments))
  if (!ticker.ok) return ticker
  const counted = {
    book: book.value.facts,
    trades: trades.value.facts,
    ticker: ticker.value.facts,
  }
  const manifest: TardisManifest = {
    format: 1,
    exchange: job.exchange,
    run: { engine, seed, scenario, from, to, digest },
    symbols: symbolsOf(listed.value, counted.book, counted.trades, counted.ticker),
    files: [
      fileOf(bookName, 'incremental_book_L2', book.value),
      fileOf(tradesName, 'trades', trades.value),
      fileOf(tickerName, 'derivative_ticker', ticker.value),
    ],
  }
  writeJsonFile(join(job.partial, manifestName), manifest)
  return ok(manifest)
}

/** The reason why a run cannot be exported, or null. */
function runFault(runFolder: string, { status, tables }: Manifest): InputError | null {
  const file = join(runFolder, manifestName)
  if (status !== 'complete') {
    const hint = 'run it again to the end'
    return {
      code: 'RUN_FOLDER',
      file,
      path: 'status',
      found: status,
      expected: 'a complete run',
      hint,
    }
  }
  if (!tables.some(({ name }) => name === 'book')) {
    const hint = 'set record: { book: true } in the scenario'
    const expected = 'a run that recorded its book'
    return { code: 'RUN_FOLDER', file, path: 'tables', found: 'no table book', expected, hint }
  }
  return null
}

interface WrittenText {
  readonly facts: TextFacts
  readonly bytes: number
  readonly sha256: string
}

async function writeText(
  { runFolder, partial, exchange }: ExportJob,
  table: 'book' | 'trades' | 'marks',
  name: string,
  textOf: (source: NamedTable, facts: TextFacts) => AsyncGenerator<string>,
): Promise<Result<WrittenText, InputError>> {
  const opened = await readTable(runFolder, table)
  if (!opened.ok) return opened
  const facts = createTextFacts(exchange)
  const hash = createHash('sha256')
  let bytes = 0
  const file = join(runFolder, `${table}.arrow`)
  const measured = async function* (): AsyncGenerator<Buffer> {
    for await (const text of textOf({ file, table: opened.value }, facts)) {
      const piece = Buffer.from(text)
      hash.update(piece)
      bytes += piece.length
      if (piece.length > 0) yield piece
    }
  }
  try {
    const out = createWriteStream(join(partial, name))
    await pipeline(Readable.from(measured()), createGzip({ level: GZIP_LEVEL }), out)
  } finally {
    await opened.value.close()
  }
  if (facts.fault !== null) return err(facts.fault)
  return ok({ facts, bytes, sha256: hash.digest('hex') })
}

/** The rows of a table of instruments, and the scales of its columns. */
interface ListedInstruments {
  readonly rows: readonly FileRow[]
  readonly scales: ReadonlyMap<string, number>
}

/** The instruments of the run, in the order of their listing. */
async function readInstruments(job: ExportJob): Promise<Result<ListedInstruments, InputError>> {
  const opened = await readTable(job.runFolder, 'instruments')
  if (!opened.ok) return opened
  const scales = new Map(opened.value.columns.map(({ name, scale }) => [name, scale]))
  const rows: FileRow[] = []
  for await (const batch of opened.value.batches()) rows.push(...batch)
  await opened.value.close()
  return ok({ rows, scales })
}

/** The instruments that have rows. */
function symbolsOf(
  { rows, scales }: ListedInstruments,
  book: TextFacts,
  trades: TextFacts,
  ticker: TextFacts,
): readonly TardisSymbol[] {
  return rows.flatMap((row) => {
    const symbol = symbolOf(row)
    const stepOf = (name: string): string => decimalOf(row[name], scales.get(name) ?? 0) ?? ''
    const found = {
      symbol,
      instrument: String(row['instrument']),
      tick_size: stepOf('tick_size'),
      amount_step: stepOf('amount_step'),
      book_rows: book.rowsOf.get(symbol) ?? 0,
      trades: trades.rowsOf.get(symbol) ?? 0,
      tickers: ticker.rowsOf.get(symbol) ?? 0,
    }
    return found.book_rows + found.trades + found.tickers === 0 ? [] : [found]
  })
}

function fileOf(name: string, dataType: TardisFile['data_type'], { facts, bytes, sha256 }: WrittenText): TardisFile {
  const isoOf = (time: number | null): string | null => (time === null ? null : formatIsoTime(micros(time)))
  return {
    name,
    data_type: dataType,
    rows: facts.rows,
    messages: facts.messages,
    first: isoOf(facts.first),
    last: isoOf(facts.last),
    text_bytes: bytes,
    text_sha256: sha256,
  }
}

function isFileOfExport(name: string): boolean {
  return [bookName, tradesName, tickerName, manifestName, `${manifestName}.tmp`].includes(name)
}

/**
 * Writes index and mark prices of a run's table `marks` as the text of `derivative_ticker`.
 *
 * Each row has all changes of an instrument's two prices at one time, from its first mark to its expiry. Columns that
 * the table does not contain are empty. Memory: one batch and the last prices.
 */

const columns = ['time', 'kind', 'instrument', 'index_name', 'price', 'index_price']

/** The terms for a ticker in a row of `instruments`. */
function tickerInstrument(row: FileRow): TickerInstrument {
  const expiration = row['expiration'] ?? null
  return {
    symbol: symbolOf(row),
    index: String(row['price_index']),
    expiration: expiration === null ? null : Number(expiration),
  }
}

/** The text of `derivative_ticker`. */
async function* tickerText(
  source: NamedTable,
  facts: TextFacts,
  instruments: readonly TickerInstrument[],
): AsyncGenerator<string> {
  facts.fault = missingColumn(source, columns)
  if (facts.fault !== null) return
  yield headerLine('tardis.derivative_ticker')
  const decimal = decimalReader(source, facts)
  const tickers = instruments.map((instrument): Ticker => ({ instrument, index: null, mark: null }))
  const bySymbol = new Map(tickers.map((ticker) => [ticker.instrument.symbol, ticker]))
  const changed = new Set<Ticker>()
  const flush = (time: number): string => {
    let text = ''
    for (const { instrument, index, mark } of changed) {
      if (mark === null || index === null) continue
      if (instrument.expiration !== null && time > instrument.expiration) continue
      text += `${facts.exchange},${instrument.symbol},${time},${time},,,,,,${index},${mark}\n`
      countWrittenMessage(facts, time, instrument.symbol, 1)
    }
    changed.clear()
    return text
  }
  const take = (row: FileRow): void => {
    if (row['kind'] === 'index') {
      const index = decimal(row, 'price')
      for (const ticker of tickers) {
        if (ticker.instrument.index !== row['index_name']) continue
        ticker.index = index
        changed.add(ticker)
      }
    } else if (row['kind'] === 'mark') {
      const ticker = bySymbol.get(symbolOf(row))
      if (ticker === undefined) return
      ticker.mark = decimal(row, 'price')
      ticker.index = decimal(row, 'index_price')
      changed.add(ticker)
    }
  }
  yield* textByTime(source, facts, take, flush)
}
