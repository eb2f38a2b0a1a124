/**
 * Recorded files as batches. Text and tapes, packed or not, have the same interface.
 *
 * Batches are read on request, and memory does not grow with the file. The SHA-256 covers the recorded bytes on the
 * disk (not unpacked). A tape has the SHA-256 of its source, so that a run from a tape and a run from its source are
 * the same run.
 */
import { basename } from 'node:path'
import { defined, type InputError, ok, type Result } from '../../core/index.ts'
import {
  createFeedReader,
  type FeedBatch,
  type FeedColumns,
  type FeedFormat,
  type FeedReader,
  type FeedTotals,
  formatOfHeader,
  kindOfText,
  publishedFormats,
  type TextFormat,
} from '../../feeds/index.ts'
import type { FeedPolicy, MarketKind } from '../../model/index.ts'
import {
  type ByteSource,
  codingOf,
  type FileCoding,
  hashOfFile,
  openByteSource,
  unreadableSort,
} from './byte-source.ts'
import { badInput, type FeedFault, interruption } from './feed-fault.ts'
import { parseCsvRecord } from './record-parser.ts'
import { asOf, plainPlaceOf, type Reading } from './special-file.ts'
import { openTape, type TapeFile } from './tape-file.ts'

/** Options of an open file. */
export interface FeedFileOptions extends Reading {
  /** Null for a tape or a file whose header identifies its format. */
  readonly format: FeedFormat | null
  /** The symbol to read; null for a file with only one symbol. */
  readonly symbol: string | null
  /** Description of the columns, for a format that needs one; otherwise null. */
  readonly columns: FeedColumns | null
  /** The SHA-256 that the file, or the source of the tape, must have; null for any. */
  readonly sha256: string | null
  /** Policy for a last line without a newline, which may be incomplete. Default: `fail`. */
  readonly cut?: FeedPolicy
}

/** An open recorded file. */
export interface FeedFile {
  readonly path: string
  readonly coding: FileCoding
  /** Format of the recorded text, also if a tape of it is read. */
  readonly format: TextFormat
  readonly kind: MarketKind
  /** SHA-256 of the recorded file. */
  readonly sha256: string
  /** The symbol of the file; null before the first row, or without a symbol column. */
  readonly symbol: string | null
  /** Complete at the end of the file. */
  readonly totals: FeedTotals
  /** Columns that the reader ignores. Empty before the first row, and for a tape, which has no such columns. */
  readonly unusedColumns: readonly string[]
  /** The next batch, null at the end. */
  next(): Promise<Result<FeedBatch | null, FeedFault>>
  close(): Promise<void>
}

/** Opens a file at its first batch. */
export async function openFeedFile(path: string, options: FeedFileOptions): Promise<Result<FeedFile, FeedFault>> {
  const place = await plainPlaceOf(path, options)
  if (!place.ok) return place
  const copy = place.value.path
  const opened = await openPlainFile(copy, options)
  if (copy === path) return opened
  if (!opened.ok) {
    await place.value.remove()
    return asOf(path, copy, opened)
  }
  const { close, next } = opened.value
  const removing = async (): Promise<void> => {
    await close()
    await place.value.remove()
  }
  const named = async (): ReturnType<FeedFile['next']> => asOf(path, copy, await next())
  return ok(Object.assign(opened.value, { path, close: removing, next: named }))
}

async function openPlainFile(path: string, options: FeedFileOptions): Promise<Result<FeedFile, FeedFault>> {
  const coding = await codingOf(path)
  if (!coding.ok) return coding
  if (coding.value === 'arrow') return openTapeFile(path, options)
  if (options.format === 'tape') {
    return badInput({
      code: 'FILE',
      file: path,
      expected: 'a tape',
      found: `a ${coding.value} file`,
    })
  }
  const hash = await hashOfFile(path, options)
  if (!hash.ok) return hash
  const wrong = hashFault(path, options.sha256, hash.value)
  if (wrong !== null) return badInput(wrong)
  const header = await headerOf(path, coding.value)
  if (!header.ok) return header
  const format = options.format === null ? formatOfText(path, header.value) : ok(options.format)
  if (!format.ok) return format
  const liquidations = liquidationsFault(path, format.value)
  if (liquidations !== null) return badInput(liquidations)
  return ok(textFile(path, { ...options, format: format.value, coding: coding.value }, hash.value))
}

function hashFault(path: string, pinned: string | null, found: string): InputError | null {
  if (pinned === null || pinned === found) return null
  return {
    code: 'FILE',
    file: path,
    expected: `recorded data with SHA-256 ${pinned}`,
    found: `SHA-256 ${found}`,
  }
}

async function openTapeFile(path: string, options: FeedFileOptions): Promise<Result<FeedFile, FeedFault>> {
  const opened = await openTape(path)
  if (!opened.ok) return opened
  const tape = opened.value
  const wrong = tapeFault(path, tape, options)
  if (wrong !== null) {
    await tape.close()
    return badInput(wrong)
  }
  return ok({
    path,
    coding: 'arrow',
    ...tape.source,
    totals: tape.totals,
    unusedColumns: [],
    next: tape.next,
    close: tape.close,
  })
}

function tapeFault(path: string, tape: TapeFile, options: FeedFileOptions): InputError | null {
  const { format, symbol, sha256, cut } = options
  const { records, cutRecord = 0 } = tape.totals
  const made = records < cutRecord ? 'skip' : 'keep'
  if (cutRecord > 0 && cut !== undefined && cut !== made) {
    return {
      code: 'FILE',
      file: path,
      expected: `a tape made with cut: ${cut}`,
      found: `a tape made with cut: ${made}`,
      hint: `set policy: { cut: ${made} } to accept this tape`,
    }
  }
  if (format !== null && format !== 'tape' && format !== tape.source.format) {
    return {
      code: 'FILE',
      file: path,
      expected: `a ${format} file`,
      found: `a tape of ${tape.source.format}`,
    }
  }
  if (symbol !== null && symbol !== tape.source.symbol) {
    const found = tape.source.symbol === null ? 'a tape without a symbol' : `a tape of ${tape.source.symbol}`
    return { code: 'FILE', file: path, expected: `rows of ${symbol}`, found }
  }
  return hashFault(path, sha256, tape.source.sha256)
}

/** The first line of a text; null for an empty file. A file whose first bytes are not text is refused. */
async function headerOf(path: string, coding: FileCoding): Promise<Result<string | null, FeedFault>> {
  const source = openByteSource(path, coding)
  const chunk = await source.next()
  const head = chunk.ok ? Buffer.from(chunk.value ?? []) : null
  await source.close()
  if (!chunk.ok || head === null) return chunk.ok ? ok(null) : chunk
  const unreadable = unreadableSort(head)
  if (unreadable !== null) {
    return badInput({
      code: 'FILE',
      file: path,
      expected: 'text in UTF-8 or a tape',
      ...unreadable,
    })
  }
  const [header = ''] = head.toString('utf8').split('\n', 1)
  return ok(head.length === 0 ? null : header)
}

/** Tardis liquidations have the header of Tardis trades and repeat trades of that file. Only the file name differs. */
function liquidationsFault(path: string, format: TextFormat): InputError | null {
  if (format !== 'tardis.trades' || !/(?:^|[^a-z])liquidations?(?:[^a-z]|$)/i.test(basename(path))) {
    return null
  }
  return {
    code: 'FILE',
    file: path,
    expected: 'a tardis.trades file',
    found: 'a liquidations file, according to its name',
    hint: 'the trades of the same day include them; to read this file as trades, rename it',
  }
}

/** The format that a text's header identifies. */
function formatOfText(path: string, line: string | null): Result<TextFormat, FeedFault> {
  const header = line ?? ''
  const format = formatOfHeader(header)
  if (format !== undefined) return ok(format)
  return badInput({
    code: 'FILE',
    file: path,
    line: 1,
    expected: `the header of one of the formats ${publishedFormats.join(', ')}`,
    found: line === null ? 'an empty file' : header.trimEnd().slice(0, 200),
    hint: 'for any other CSV, map its columns: format: csv with columns: in a scenario, --columns on the command line; each row must have one side, one price and one amount, not both bid and ask',
  })
}

interface TextOptions extends FeedFileOptions {
  readonly format: TextFormat
  readonly coding: FileCoding
}

function textFile(path: string, options: TextOptions, sha256: string): FeedFile {
  const { format, symbol, columns, coding, cut = 'fail' } = options
  let reader: FeedReader | null = createFeedReader({
    format,
    symbol,
    columns,
    file: path,
    parseRecord: parseCsvRecord,
    cut,
  })
  // The facts that remain after the reader and its columns are released at the end of the file.
  let reported = factsOf(reader)
  const source = openByteSource(path, coding)
  const batches: FeedBatch[] = []
  return {
    path,
    coding,
    format,
    sha256,
    kind: defined(kindOfText(format, columns), 'a file that can be read has one kind of rows'),
    get symbol(): string | null {
      return reported.symbol
    },
    get totals(): FeedTotals {
      return reported.totals
    },
    get unusedColumns(): readonly string[] {
      return reported.unusedColumns
    },
    next: async () => {
      while (batches.length === 0 && reader !== null) {
        if (options.interrupted?.() === true) return interruption(path)
        const more = await readMore(reader, source)
        if (!more.ok) return more
        batches.push(...more.value.batches)
        reported = factsOf(reader)
        if (more.value.isOver) reader = null
      }
      return ok(batches.shift() ?? null)
    },
    close: () => source.close(),
  }
}

function factsOf(reader: FeedReader): Pick<FeedFile, 'symbol' | 'totals' | 'unusedColumns'> {
  return { symbol: reader.symbol, totals: reader.totals, unusedColumns: reader.unusedColumns }
}

async function readMore(
  reader: FeedReader,
  source: ByteSource,
): Promise<Result<{ readonly batches: readonly FeedBatch[]; readonly isOver: boolean }, FeedFault>> {
  const chunk = await source.next()
  if (!chunk.ok) return chunk
  const isOver = chunk.value === null
  const batches = chunk.value === null ? reader.end() : reader.push(chunk.value)
  return batches.ok ? ok({ batches: batches.value, isOver }) : badInput(batches.error)
}
