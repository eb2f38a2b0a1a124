/**
 * The recorded files of a run: checked before it begins, read a batch at a time while it goes on. Text
 * is open only while it is read, and a file is closed at its end; tapes are open until their turn is over.
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
  /** The file as the scenario names it. */
  readonly path: string
  readonly format: string
  readonly kind: MarketKind
  readonly instrument: string
  /** The symbol of the rows; null without a symbol column. */
  readonly symbol: string | null
  readonly sha256: string
  readonly rows: number
  readonly messages: number
  /** Counts of the table `feed_quality` that are not zero, the plain ones left out. */
  readonly findings: { readonly [check: string]: number }
  /** Columns of the file that nothing reads, such as a recorded `funding_rate`. */
  readonly unused_columns: readonly string[]
}

/** The open files of a run with the market they feed. */
export interface RunFeeds {
  readonly market: RunMarket | null
  /** The feeds with the hashes of their files, for the journal. */
  readonly specs: readonly FeedSpec[]
  /** Reads more for every feed that has to have it before the run can go on. */
  refill(): Promise<Result<void, FeedFault>>
  /** Reads the beginning of every file and says what is wrong there; the run cannot go on after it. */
  probe(): Promise<readonly FeedFault[]>
  report(): readonly FeedReport[]
  /** Rows of all files that were read so far. */
  rowsRead(): number
  close(): Promise<void>
}

/** A feed with its files and the place where it is read. */
interface OpenFeed {
  readonly spec: FeedSpec
  readonly cursor: FeedCursor
  readonly files: readonly FeedFile[]
  at: number
  /** Rows that its cursor has. */
  rows: number
  /** The batch after those that the cursor has, read while the run goes on. */
  ahead: Promise<Result<FeedBatch | null, FeedFault>> | null
}

/**
 * Opens all files of some feeds. `folders` are tried in their order for each path; the faults of all
 * files are reported.
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
      const { format, symbol, columns } = feed
      const sha256 = feed.pinned?.[at] ?? null
      // What a run is asked for may say more than how files are read; its words must not stand for those of the feed.
      const { cut } = feed.policies
      const options = { ...reading, format, symbol, columns, sha256, cut }
      const file = await openFeedFile(placeOf(path, folders), options)
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

/** Where a path leads: into the first folder that has it, else where it says. */
function placeOf(path: string, folders: readonly string[]): string {
  const places = folders.flatMap((folder) => [
    isAbsolute(path) ? path : join(folder, path),
    join(folder, basename(path)),
  ])
  return places.find((place) => existsSync(place)) ?? places[0] ?? path
}

function runFeeds(specs: readonly FeedSpec[], files: readonly (readonly FeedFile[])[], reading: Reading): RunFeeds {
  // A fault of a row names the file by the path that it was opened by, as a fault of its text does.
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
          // Rows are judged by those before them, which only the first file has not.
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
      // What is being read is let come to its end, for a file is closed by nobody else.
      await Promise.all(open.map(({ ahead }) => ahead))
      await Promise.all(files.flat().map((file) => file.close()))
    },
  }
}

/**
 * The next batch of a file; a mistake where its rows are of another instrument than those of the feed. Only `symbol` of
 * the feed says that rows of one instrument stand for another.
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

/** The next batch of a feed, from its next file where one has ended. */
async function readMore(feed: OpenFeed): Promise<Result<void, FeedFault>> {
  const { spec, cursor, files } = feed
  const file = files[feed.at]
  if (file === undefined) {
    const ended = cursor.end()
    return ended.ok ? ended : err({ kind: 'input', error: ended.error })
  }
  const batch = await (feed.ahead ?? nextBatch(spec, file))
  feed.ahead = null
  if (!batch.ok) return batch
  if (batch.value === null) {
    await file.close()
    cursor.endFile(feed.at, file.totals)
    feed.at += 1
    return ok(undefined)
  }
  const added = cursor.addBatch(batch.value, feed.at)
  if (!added.ok) return err({ kind: 'input', error: added.error })
  feed.rows += batch.value.rows
  // Only now: the next batch may take the memory of this one.
  feed.ahead = nextBatch(spec, file)
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
