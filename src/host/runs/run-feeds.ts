/**
 * The recorded files of a run. They are checked before the run begins and then read a batch at a time. A text file is
 * open only while it is read and is closed at its end; a tape stays open until it has been read.
 */
import { existsSync } from 'node:fs'
import { basename, isAbsolute, join } from 'node:path'
import { defined, err, ok, type Result } from '../../core/index.ts'
import type { FeedBatch, FeedCursor } from '../../feeds/index.ts'
import type { MarketKind } from '../../model/index.ts'
import { type FeedSpec, openMarket, type RunMarket } from '../../scenario/index.ts'
import { badInput, type FeedFault, interruption } from '../feeds/feed-fault.ts'
import { type FeedFile, openFeedFile } from '../feeds/feed-file.ts'
import type { Reading } from '../feeds/special-file.ts'

/** Report of a recorded file in a run. */
export interface FeedReport {
  readonly feed: number
  /** Path of the file as written in the scenario. */
  readonly path: string
  readonly format: string
  readonly kind: MarketKind
  readonly instrument: string
  /** The symbol of the rows; null without a symbol column. */
  readonly symbol: string | null
  readonly sha256: string
  readonly rows: number
  readonly messages: number
  /** Nonzero counts of the table `feed_quality`, except ordinary ones. */
  readonly findings: { readonly [check: string]: number }
  /** Columns of the file that the reader ignores, such as a recorded `funding_rate`. */
  readonly unused_columns: readonly string[]
}

/** The open files of a run and the market that they feed. */
export interface RunFeeds {
  readonly market: RunMarket | null
  /** The feeds with the hashes of their files, for the journal. */
  readonly specs: readonly FeedSpec[]
  /** Reads more rows for every feed whose next rows the run needs. */
  refill(): Promise<Result<void, FeedFault>>
  /** Reads the beginning of every file and returns the mistakes. The run cannot continue after it. */
  probe(): Promise<readonly FeedFault[]>
  report(): readonly FeedReport[]
  /** Number of rows read from all files so far. */
  rowsRead(): number
  close(): Promise<void>
}

/** A feed with its files and its reading position. */
interface OpenFeed {
  readonly spec: FeedSpec
  readonly cursor: FeedCursor
  readonly files: readonly FeedFile[]
  at: number
  /** Number of rows in its cursor. */
  rows: number
  /** The next batch after the rows of the cursor, read while the run continues. */
  ahead: Promise<Result<FeedBatch | null, FeedFault>> | null
}

/**
 * Opens all files of the feeds. Each path is tried in the `folders` in their order. The result has the faults of all
 * files.
 */
export async function openRunFeeds(
  feeds: readonly FeedSpec[],
  folders: readonly string[],
  reading: Reading = {},
): Promise<Result<RunFeeds, readonly FeedFault[]>> {
  const faults: FeedFault[] = []
  const files: FeedFile[][] = []
  for (const feed of feeds) {
    const opened: FeedFile[] = []
    for (const [at, path] of feed.paths.entries()) {
      const sha256 = feed.pinned?.[at] ?? null
      // `reading` comes first, because its caller may pass further options, and these must not override the feed's own.
      const { cut } = feed.policies
      const options = { ...reading, format: feed.format, symbol: feed.symbol, columns: feed.columns, sha256, cut }
      const file = await openFeedFile(feedPathOf(path, folders), options)
      if (file.ok) opened.push(file.value)
      else faults.push(file.error)
    }
    files.push(opened)
  }
  if (faults.length > 0) {
    await Promise.all(files.flat().map((file) => file.close()))
    return err(faults)
  }
  const specs = feeds.map((feed, index) => ({
    ...feed,
    pinned: (files[index] ?? []).map(({ sha256 }) => sha256),
  }))
  return ok(runFeeds(specs, files, reading))
}

/**
 * The first place where the file exists: in each folder its path, then its name alone. If it does not exist, the first
 * of these places.
 */
export function feedPathOf(path: string, folders: readonly string[]): string {
  const places = folders.flatMap((folder) => [
    isAbsolute(path) ? path : join(folder, path),
    join(folder, basename(path)),
  ])
  return places.find((place) => existsSync(place)) ?? places[0] ?? path
}

function runFeeds(specs: readonly FeedSpec[], files: readonly (readonly FeedFile[])[], reading: Reading): RunFeeds {
  // A fault of a row names the file by the path that was opened, like a fault of its text.
  const names = files.map((each) => each.map(({ path }) => path))
  const market = openMarket(specs, names)
  const open: readonly OpenFeed[] = specs.map((spec, index) => ({
    spec,
    cursor: defined(market?.cursors[index], 'every feed has a cursor'),
    files: files[index] ?? [],
    at: 0,
    rows: 0,
    ahead: null,
  }))
  return {
    market,
    specs,
    refill: async () => {
      for (const feed of open) {
        while (feed.cursor.isStarved) {
          if (reading.interrupted?.() === true) {
            return interruption(feed.files[feed.at]?.path ?? '')
          }
          const read = await readMore(feed)
          if (!read.ok) return read
        }
      }
      return ok(undefined)
    },
    probe: async () => {
      const faults: FeedFault[] = []
      for (const { spec, cursor, files: ownFiles } of open) {
        for (const [at, file] of ownFiles.entries()) {
          const batch = await nextBatch(spec, file)
          await file.close()
          if (!batch.ok) faults.push(batch.error)
          // Rows are judged by the rows before them, which are known only for the first file.
          if (!batch.ok || batch.value === null || at > 0) continue
          const added = cursor.addBatch(batch.value, at)
          if (!added.ok) faults.push({ kind: 'input', error: added.error })
        }
      }
      return faults
    },
    report: () => open.flatMap(reportOf),
    rowsRead: () => open.reduce((sum, feed) => sum + feed.rows, 0),
    close: async () => {
      // Waits for the reads in progress, because only this function closes the files.
      await Promise.all(open.map(({ ahead }) => ahead))
      await Promise.all(files.flat().map((file) => file.close()))
    },
  }
}

/**
 * The next batch of a file, or a mistake if its rows are of another instrument than the feed's. Only `symbol` of the
 * feed permits rows of another instrument.
 */
async function nextBatch(
  { symbol, checksSymbol, instrument }: FeedSpec,
  file: FeedFile,
): Promise<Result<FeedBatch | null, FeedFault>> {
  const batch = await file.next()
  const found = file.symbol
  if (!batch.ok || !checksSymbol || symbol !== null || found === null) return batch
  if (found.toUpperCase() === instrument.toUpperCase()) return batch
  return badInput({
    code: 'FILE',
    file: file.path,
    path: 'symbol',
    expected: `rows of ${instrument}, the instrument of the feed`,
    found: `rows of ${found}`,
    hint: `to use them for ${instrument}, set symbol: ${found} in the feed`,
  })
}

/** Reads the next batch of a feed; continues with its next file at the end of one. */
async function readMore(feed: OpenFeed): Promise<Result<void, FeedFault>> {
  const file = feed.files[feed.at]
  if (file === undefined) {
    const ended = feed.cursor.end()
    return ended.ok ? ended : err({ kind: 'input', error: ended.error })
  }
  const batch = await (feed.ahead ?? nextBatch(feed.spec, file))
  feed.ahead = null
  if (!batch.ok) return batch
  if (batch.value === null) {
    await file.close()
    feed.cursor.endFile(feed.at, file.totals)
    feed.at += 1
    return ok(undefined)
  }
  const added = feed.cursor.addBatch(batch.value, feed.at)
  if (!added.ok) return err({ kind: 'input', error: added.error })
  feed.rows += batch.value.rows
  // Only now, because the next batch may reuse the memory of this one.
  feed.ahead = nextBatch(feed.spec, file)
  return added
}

const plainChecks: ReadonlySet<string> = new Set(['rows', 'messages', 'snapshots'])

function reportOf({ spec, cursor, files }: OpenFeed): readonly FeedReport[] {
  const quality = cursor.qualityRows()
  return files.map((file, at) => {
    const feed = defined(cursor.options.files[at], 'a file of a feed has a number').feed
    const own = quality.filter((row) => row.feed === feed)
    const countOf = (check: string): number => own.find((row) => row.check === check)?.count ?? 0
    const found = own.filter(({ check, count }) => count > 0 && !plainChecks.has(check))
    return {
      feed,
      path: spec.paths[at] ?? '',
      format: spec.format,
      kind: spec.kind,
      instrument: spec.instrument,
      symbol: file.symbol,
      sha256: file.sha256,
      rows: countOf('rows'),
      messages: countOf('messages'),
      findings: Object.fromEntries(found.map(({ check, count }) => [check, count])),
      unused_columns: file.unusedColumns,
    }
  })
}
