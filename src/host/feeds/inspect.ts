/**
 * Inspects a file without running anything: a recorded file or tape, a table, an event log, a run folder.
 *
 * The inspection reads a recorded file to its end and counts its rows as a replay would if every policy were `keep`. It
 * omits the checks of grids and crossed books, which need an instrument and a book.
 */

import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { formatIsoTime, instrumentId, type Micros, micros, ok, type Result } from '../../core/index.ts'
import {
  createFeedCursor,
  createNumbering,
  decimalText,
  type FeedBatch,
  type FeedCursor,
  markNumbers,
  rowFlags,
  sideWords,
} from '../../feeds/index.ts'
import { type Event, type EventKind, type FeedCheck, logHead, openEventLog, recordCodes } from '../../model/index.ts'
import { digestOfLog, type TableFormat } from '../../results/index.ts'
import { type FileColumn, type FileRow, openArrowFile, unreadWords } from '../arrow-file.ts'
import { folderFaults, readManifest } from '../manifest.ts'
import { nodeSha256 } from '../sha256.ts'
import { isSystemError } from '../system-words.ts'
import { codingOf, hashOfFile } from './byte-source.ts'
import { badInput, type FeedFault, ioFault } from './feed-fault.ts'
import { type FeedFile, type FeedFileOptions, openFeedFile } from './feed-file.ts'
import { asOf, plainPlaceOf } from './special-file.ts'

/** Options of `inspect`. */
export interface InspectOptions extends FeedFileOptions {
  /** Number of rows to show, starting with the first. */
  readonly head: number
  /** True to skip the comparison of a run folder's files with its manifest. Default: false. */
  readonly trust?: boolean
}

/** One row of a recorded file, with decimals as exact texts. */
interface FeedHeadRow {
  readonly row: number
  readonly timestamp: string
  readonly local_timestamp: string
  readonly side: string | null
  readonly price: string
  /** Null for an index. */
  readonly amount: string | null
  /** The mark price recorded with an index; null if the row lacks it. */
  readonly mark: string | null
  readonly flags: readonly string[]
}

/** Contents of a recorded file or a tape. */
export interface FeedInspection {
  readonly type: 'feed' | 'tape'
  readonly file: string
  readonly packing: string
  readonly format: string
  readonly kind: string
  readonly symbol: string | null
  /** Hash of the recorded file; for a tape the hash of its source. */
  readonly source_sha256: string
  /** Rows of the symbol. */
  readonly rows: number
  readonly from: string | null
  readonly until: string | null
  readonly local_from: string | null
  readonly local_until: string | null
  readonly quality: readonly {
    readonly check: FeedCheck
    readonly count: number
    readonly first_row: number | null
  }[]
  /** Columns of a tape, read from the file; empty for text files. */
  readonly columns: readonly FileColumn[]
  readonly head: readonly FeedHeadRow[]
}

/** Contents of a table. */
export interface TableInspection {
  readonly type: 'table'
  readonly file: string
  readonly sha256: string
  readonly rows: number
  readonly columns: readonly FileColumn[]
  readonly metadata: Readonly<Record<string, string>>
  readonly head: readonly FileRow[]
}

/** Contents of a run folder. */
export interface RunInspection {
  readonly type: 'run'
  readonly file: string
  readonly status: string
  readonly title: string
  readonly seed: string
  readonly from: string
  readonly until: string
  readonly digest: string
  /** Format of the tables. Columns and rows are shown for Arrow only. */
  readonly table_format: TableFormat
  readonly tables: readonly (TableInspection & { readonly name: string; readonly digest: string })[]
}

/** A finding of `inspect`. */
export type Inspection = FeedInspection | LogInspection | TableInspection | RunInspection

/** Contents of an event log. */
export interface LogInspection {
  readonly type: 'log'
  readonly file: string
  readonly digest: string
  readonly bytes: number
  readonly events: number
  readonly from: string | null
  readonly until: string | null
  /** Number of events by family, for families with at least one event. */
  readonly families: readonly { readonly family: string; readonly events: number }[]
}

/** Checks that need an instrument, so that an inspection cannot make them. */
const uncounted: ReadonlySet<FeedCheck> = new Set([
  'crossed',
  'off_book',
  'off_grid',
  'out_of_life',
  'outside_window',
  'unknown_removal',
])

/** Inspects a file or a run folder; `-` is stdin. */
export async function inspect(path: string, options: InspectOptions): Promise<Result<Inspection, FeedFault>> {
  if (path !== '-') return await inspectPlace(path, options)
  const place = await plainPlaceOf(path, options)
  if (!place.ok) return place
  const copy = place.value.path
  try {
    const found = asOf(path, copy, await inspectPlace(copy, options))
    return found.ok ? ok({ ...found.value, file: path }) : found
  } finally {
    await place.value.remove()
  }
}

async function inspectPlace(path: string, options: InspectOptions): Promise<Result<Inspection, FeedFault>> {
  try {
    const stats = statSync(path)
    if (stats.isDirectory()) return await inspectRun(path, options)
    if (!stats.isFile()) return await inspectRecorded(path, options)
    if (isEventLog(path)) return inspectLog(path)
  } catch (error) {
    return ioFault(path, error)
  }
  const coding = await codingOf(path)
  if (!coding.ok) return coding
  if (coding.value === 'arrow' && options.format === null && !(await isTape(path))) {
    return inspectTable(path, options.head)
  }
  return await inspectRecorded(path, options)
}

async function inspectRecorded(path: string, options: InspectOptions): Promise<Result<FeedInspection, FeedFault>> {
  const opened = await openFeedFile(path, options)
  if (!opened.ok) return opened
  try {
    return await inspectFeed(opened.value, options.head)
  } finally {
    await opened.value.close()
  }
}

async function isTape(path: string): Promise<boolean> {
  const opened = await openArrowFile(path)
  // The next reader of the file reports its mistake.
  if (!opened.ok) return false
  await opened.value.close()
  return opened.value.metadata.has('pitclock.tape')
}

/** The columns of a tape that was already read. */
async function columnsOf(path: string): Promise<readonly FileColumn[]> {
  const opened = await openArrowFile(path)
  if (!opened.ok) return []
  await opened.value.close()
  return opened.value.columns
}

async function inspectRun(
  path: string,
  { head, trust = false }: InspectOptions,
): Promise<Result<RunInspection, FeedFault>> {
  const manifest = readManifest(path)
  if (!manifest.ok) return badInput(manifest.error)
  const faults = trust ? [] : folderFaults(path, manifest.value)
  const [first, ...others] = faults
  if (first !== undefined) {
    const more = others.length === 0 ? '' : `; ${others.length} more files differ from the manifest`
    return badInput({ ...first, hint: `--trust shows the folder anyway${more}` })
  }
  const { status, seed, scenario, from, to: until, digest, files } = manifest.value
  const { table_format } = manifest.value
  const tables: RunInspection['tables'][number][] = []
  for (const table of manifest.value.tables) {
    const file = join(path, table.file)
    const { name, digest, rows } = table
    if (table_format !== 'arrow') {
      const sha256 = files.find((entry) => entry.name === table.file)?.sha256 ?? ''
      tables.push({ name, digest, type: 'table', file, sha256, rows, ...unread })
      continue
    }
    const inspected = await inspectTable(file, head)
    if (!inspected.ok) return inspected
    tables.push({ name, digest, ...inspected.value })
  }
  return ok({
    type: 'run',
    file: path,
    status,
    title: scenario.title,
    seed,
    from,
    until,
    digest,
    table_format,
    tables,
  })
}

/** Replaces the contents of a table in a format that this package does not read. */
const unread = { columns: [], metadata: {}, head: [] } as const

async function inspectTable(path: string, head: number): Promise<Result<TableInspection, FeedFault>> {
  const hash = await hashOfFile(path)
  if (!hash.ok) return hash
  const opened = await openArrowFile(path)
  if (!opened.ok) return badInput(opened.error)
  const { columns, metadata, batches, close } = opened.value
  const shown: FileRow[] = []
  let rows = 0
  try {
    for await (const batch of batches()) {
      rows += batch.length
      if (shown.length < head) shown.push(...batch.slice(0, head - shown.length))
    }
  } catch (error) {
    if (isSystemError(error)) return ioFault(path, error)
    // The metadata is sound but the bodies are not.
    const expected = 'a complete Arrow file'
    return badInput({ code: 'SYNTAX', file: path, expected, ...unreadWords(error) })
  } finally {
    await close()
  }
  return ok({
    type: 'table',
    file: path,
    sha256: hash.value,
    rows,
    columns,
    head: shown,
    metadata: Object.fromEntries(metadata),
  })
}

/** First and last time of a clock; the first is infinite if there are no rows. */
interface Span {
  first: number
  last: number
}

async function inspectFeed(file: FeedFile, head: number): Promise<Result<FeedInspection, FeedFault>> {
  const cursor = countingCursor(file)
  const [exchange, local] = [emptySpan(), emptySpan()]
  const numbering = createNumbering()
  const shown: FeedHeadRow[] = []
  let rows = 0
  for (;;) {
    const next = await file.next()
    if (!next.ok) return next
    const batch = next.value
    if (batch === null) break
    rows += batch.rows
    widen(exchange, batch.time)
    widen(local, batch.localTime)
    if (shown.length < head) {
      const flags = batch.flags.slice(0, batch.rows)
      if (batch.ids !== null) markNumbers(numbering, { ...batch, ids: batch.ids }, flags)
      const marked = { ...batch, flags }
      for (let at = 0; at < batch.rows && shown.length < head; at += 1) {
        shown.push(headRow(marked, at))
      }
    }
    // These values fit every grid, whatever the decimals. An amount of 0 remains 0.
    const price = new Float64Array(batch.rows).fill(1)
    const amount = batch.amount.slice(0, batch.rows).map(Math.sign)
    const added = cursor.addBatch({ ...batch, price, amount }, 0)
    if (!added.ok) return badInput(added.error)
    while (cursor.next() !== undefined);
  }
  cursor.endFile(0, file.totals)
  return ok({
    type: file.coding === 'arrow' ? 'tape' : 'feed',
    file: file.path,
    packing: file.coding,
    format: file.format,
    kind: file.kind,
    symbol: file.symbol,
    source_sha256: file.sha256,
    rows,
    from: isoOf(exchange, 'first'),
    until: isoOf(exchange, 'last'),
    local_from: isoOf(local, 'first'),
    local_until: isoOf(local, 'last'),
    quality: cursor
      .qualityRows()
      .filter(({ check }) => !uncounted.has(check))
      .map(({ check, count, firstRow }) => ({ check, count, first_row: firstRow })),
    columns: file.coding === 'arrow' ? await columnsOf(file.path) : [],
    head: shown,
  })
}

function countingCursor(file: FeedFile): FeedCursor {
  return createFeedCursor({
    kind: file.kind,
    files: [{ feed: 0, name: file.path }],
    clock: 'exchange',
    instrument: { id: instrumentId(0), tick9: 1, amountStep9: 1 },
    policies: {
      backward: 'keep',
      disorder: 'keep',
      duplicate: 'keep',
      gap: 'keep',
      crossed: 'keep',
      off_grid: 'keep',
      empty: 'skip',
      off_book: 'keep',
      out_of_life: 'skip',
      cut: 'keep',
    },
    from: null,
    to: null,
  })
}

function headRow(batch: FeedBatch, at: number): FeedHeadRow {
  const flags = batch.flags[at] ?? 0
  const has = (flag: number): boolean => (flags & flag) !== 0
  const { snapshot, first, gap, duplicate, leftOut } = rowFlags
  const words = { snapshot, first, gap, duplicate, left_out: leftOut }
  const { buyWord, sellWord } = sideWords[batch.kind]
  const amount = decimalText(batch.amount[at] ?? 0, batch.amountDecimals)
  const side = has(rowFlags.unknownSide) ? 'unknown' : has(rowFlags.sell) ? sellWord : buyWord
  return {
    row: batch.row[at] ?? 0,
    timestamp: formatIsoTime(micros(batch.time[at] ?? 0)),
    local_timestamp: formatIsoTime(micros(batch.localTime[at] ?? 0)),
    side: batch.kind === 'index' ? null : side,
    price: decimalText(batch.price[at] ?? 0, batch.priceDecimals),
    amount: batch.kind === 'index' ? null : amount,
    mark: batch.kind === 'index' && batch.amount[at] !== 0 ? amount : null,
    flags: Object.entries(words).flatMap(([word, flag]) => (has(flag) ? [word] : [])),
  }
}

function emptySpan(): Span {
  return { first: Number.POSITIVE_INFINITY, last: 0 }
}

function widen(span: Span, times: Float64Array): void {
  for (const time of times) {
    if (time < span.first) span.first = time
    if (time > span.last) span.last = time
  }
}

function isoOf(span: Span, end: 'first' | 'last'): string | null {
  return Number.isFinite(span.first) ? formatIsoTime(micros(span[end])) : null
}

/** Inspects an event log that `run --log` wrote: the number of events of each family, their times, the digest. */

/** True if a file begins like an event log. */
function isEventLog(path: string): boolean {
  const head = logHead()
  const found = new Uint8Array(head.length)
  const descriptor = openSync(path, 'r')
  try {
    readSync(descriptor, found)
  } finally {
    closeSync(descriptor)
  }
  return Buffer.compare(found, head) === 0
}

/** The most bytes of a file that Node reads in one call. */
const LOG_BYTES_MAX = 2_147_483_647

/** Reads a log to its end. */
function inspectLog(path: string): Result<LogInspection, FeedFault> {
  const { size } = statSync(path)
  if (size > LOG_BYTES_MAX) {
    const expected = `a log of at most ${LOG_BYTES_MAX} bytes, which must fit in memory`
    return badInput({ code: 'SYNTAX', file: path, expected, found: `${size} bytes` })
  }
  const opened = openEventLog(readFileSync(path))
  if (!opened.ok) return badInput({ code: 'SYNTAX', file: path, ...opened.error })
  const counts = new Map<EventKind, number>()
  let from: Micros | null = null
  let until: Micros | null = null
  const take = ({ kind, time }: Event): void => {
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
    from ??= time
    until = time
  }
  const kinds = Object.keys(recordCodes) as EventKind[]
  opened.value.events(Object.fromEntries(kinds.map((kind) => [kind, take])))
  const families = kinds.flatMap((family) => {
    const events = counts.get(family)
    return events === undefined ? [] : [{ family, events }]
  })
  return ok({
    type: 'log',
    file: path,
    digest: digestOfLog(opened.value.records, nodeSha256),
    bytes: opened.value.records.length,
    events: families.reduce((sum, { events }) => sum + events, 0),
    from: from === null ? null : formatIsoTime(from),
    until: until === null ? null : formatIsoTime(until),
    families,
  })
}
