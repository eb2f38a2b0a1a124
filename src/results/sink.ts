/**
 * The results sink produces the event log of a run, its digest and, if a consumer takes them, the rows of the result
 * tables.
 *
 * The sink reads the log of the engine by page. It hashes each page and converts it to rows in blocks of 4,096. A full
 * block is hashed, passed to `onBlock`, and reused, so a run of any length needs only the memory of one page and of one
 * block for each table. Recorded trades and price levels are not in the log; if a run requests them, they become rows
 * at once.
 */
import {
  assert,
  checkOptions,
  decodeSections,
  decodeValue,
  encodeSections,
  encodeValue,
  err,
  ok,
  type Result,
  type TextFault,
} from '../core/index.ts'
import {
  createLogReader,
  type Event,
  type EventLog,
  type EventSink,
  type EventTakers,
  type LogPlace,
  type LogReader,
  logStart,
  type PageReader,
  pageSink,
  placedRecords,
  readRecords,
  recordBytes,
} from '../model/index.ts'
import { type Block, endTexts, type IdNames, nextBlock } from './columns.ts'
import {
  addToDigest,
  createLogDigest,
  digestOf,
  type LogDigest,
  restoreLogDigest,
  type SavedLogDigest,
  saveLogDigest,
} from './digest.ts'
import { rowTakers } from './row-takers.ts'
import {
  type EquityRecord,
  equityCells,
  type FeedQualityRecord,
  feedQualityCells,
  type PositionRecord,
  positionCells,
} from './rows/account-rows.ts'
import { cellWriter } from './rows/cells.ts'
import {
  type BarRecord,
  type BookLevelRecord,
  barCells,
  bookLevelCells,
  type MetricRecord,
  metricCells,
  type QuoteRecord,
  quoteCells,
} from './rows/series-rows.ts'
import { tableNames } from './schema.ts'
import { hexOf, type Sha256Factory } from './sha256.ts'
import { createBlockHasher, type TableDigest } from './table-hash.ts'
import { createTables, fillTables, type SavedTables, saveTables, type TableState, tableDigests } from './table-state.ts'

/**
 * Receives each block once, when it is complete, in the order of its rows. The block is emptied afterwards, so the
 * consumer must copy the values that it keeps. A restored sink passes its first blocks completely, including rows from
 * before the snapshot; `firstRow` gives their position.
 */
export type BlockConsumer = (block: Block, names: IdNames) => void

/** Options of a results sink. */
export interface ResultsOptions {
  readonly sha256: Sha256Factory
  /** Receives the rows of the tables; null to make no tables. */
  readonly onBlock: BlockConsumer | null
  /** Receives the log in pieces, after `logHead()`. The memory of each piece is reused afterwards. */
  readonly onLog?: (records: Uint8Array) => void
}

/** The digest of a run, and its tables if it created any. */
export interface RunDigest {
  readonly digest: string
  readonly tables: readonly TableDigest[]
}

/** Turns the events of a run into its log, its digest and its tables. */
export interface ResultsSink extends EventSink {
  /** Adds a row to `positions`. */
  recordPosition(record: PositionRecord): void
  /** Adds a row to `equity`. */
  recordEquity(record: EquityRecord): void
  /** Adds a row to `feed_quality`. */
  recordFeedQuality(record: FeedQualityRecord): void
  /** Adds a row to `metrics`. */
  recordMetric(record: MetricRecord): void
  /** Adds a row to `quotes`. */
  recordQuote(record: QuoteRecord): void
  /** Adds a row to `book_snapshots`. */
  recordBookLevel(record: BookLevelRecord): void
  /** Adds a row to `bars`. */
  recordBar(record: BarRecord): void
  /** Completes the log and the last blocks; no event may follow. */
  finish(): RunDigest
  /** Returns the state that the rest of the run needs to reach the same digest. */
  snapshot(): Uint8Array
}

const SINK_SNAPSHOT_VERSION = 11
const MAGIC = 'PITCLOCK RESULTS'
const nothing = new Uint8Array(0)

/**
 * Creates a sink for the results of a run.
 *
 * @throws RangeError with the code `OPTION` if an option does not exist.
 *
 * @example
 * const results = createResultsSink({ sha256: pureSha256, onBlock: null })
 * openVenue({ start: '2026-01-05T09:00:00Z', sink: results })
 * console.log(results.finish().digest.length) // 64
 */
export function createResultsSink(options: ResultsOptions): ResultsSink {
  checkOptions('createResultsSink', options, { sha256: 'function', onBlock: 'function | null', onLog: 'function?' })
  const tables = options.onBlock === null ? null : createTables()
  return resultsOf({ place: logStart, digest: createLogDigest(options.sha256), tables }, options)
}

/** A sink that continues from the bytes that `snapshot()` returned. */
export function restoreResultsSink(bytes: Uint8Array, options: ResultsOptions): Result<ResultsSink, TextFault> {
  const sections = decodeSections(bytes, MAGIC, SINK_SNAPSHOT_VERSION)
  const decoded = sections.ok ? decodeValue(sections.value.get('results') ?? nothing) : sections
  const expected = `results of a run, snapshot version ${SINK_SNAPSHOT_VERSION}`
  if (!decoded.ok) return err({ found: 'damaged data', expected })
  // The checksum has shown that this program wrote the data, so its shape is right.
  const { place, digest, tables: saved } = decoded.value as unknown as SavedSink
  const tables = options.onBlock === null ? null : createTables()
  if (tables !== null && saved === null) {
    return err({ found: 'results without tables', expected: `${expected}, with tables` })
  }
  if (tables !== null && saved !== null && !fillTables(tables, saved)) {
    return err({ found: 'other data', expected })
  }
  const from = { place, digest: restoreLogDigest(options.sha256, digest), tables }
  return ok(resultsOf(from, options))
}

interface SinkState {
  readonly place: LogPlace
  readonly digest: LogDigest
  /** Null without a consumer of tables. */
  readonly tables: TableState | null
}

/** The state in the form of `snapshot`. */
interface SavedSink {
  readonly place: LogPlace
  readonly digest: SavedLogDigest
  readonly tables: SavedTables | null
}

function resultsOf({ place: from, digest, tables }: SinkState, options: ResultsOptions): ResultsSink {
  const rows = tables === null ? null : openRows(tables, from, options)
  const takers: EventTakers = rows?.takers ?? {}
  let place = from
  let log: EventLog | null = null
  let isEnded = false
  const page: PageReader = {
    get place(): LogPlace {
      return place
    },
    begin: (next) => {
      assert(!isEnded, 'no event follows the end of a run')
      if (log !== next) log?.flush()
      log = next
    },
    take: (given, before, after) => {
      const records = placedRecords(given, before, place)
      const bytes = recordBytes(records)
      addToDigest(digest, bytes)
      options.onLog?.(bytes)
      if (rows !== null) readRecords(rows.reader, records)
      place = after
    },
  }
  const sink = pageSink(page, (event) => {
    // The table calls each function only with events of its family.
    const take = takers[event.kind] as ((event: Event) => void) | undefined
    if (take === undefined) return
    log?.flush()
    take(event)
  })
  /** Rows from views come after the rows of all earlier events. */
  const record = <T>(write: ((record: T) => void) | undefined): ((record: T) => void) => {
    return (given) => {
      assert(!isEnded, 'no row follows the end of a run')
      if (write === undefined) return
      log?.flush()
      write(given)
    }
  }
  return {
    ...sink,
    recordPosition: record(rows?.writePosition),
    recordEquity: record(rows?.writeEquity),
    recordFeedQuality: record(rows?.writeFeedQuality),
    recordMetric: record(rows?.writeMetric),
    recordQuote: record(rows?.writeQuote),
    recordBookLevel: record(rows?.writeBookLevel),
    recordBar: record(rows?.writeBar),
    finish: () => {
      assert(!isEnded, 'a run ends once')
      log?.flush()
      isEnded = true
      return { digest: hexOf(digestOf(digest)), tables: rows === null ? [] : rows.finish() }
    },
    snapshot: () => {
      assert(!isEnded, 'an ended run has no snapshot')
      log?.flush()
      const saved = {
        place: { ...place },
        digest: { ...saveLogDigest(digest) },
        tables: tables === null ? null : saveTables(tables),
      }
      return encodeSections(MAGIC, SINK_SNAPSHOT_VERSION, new Map([['results', encodeValue(saved)]]))
    },
  }
}

/** The conversion of the log to rows. */
interface Rows {
  readonly reader: LogReader
  readonly takers: EventTakers
  readonly writePosition: (record: PositionRecord) => void
  readonly writeEquity: (record: EquityRecord) => void
  readonly writeFeedQuality: (record: FeedQualityRecord) => void
  readonly writeMetric: (record: MetricRecord) => void
  readonly writeQuote: (record: QuoteRecord) => void
  readonly writeBookLevel: (record: BookLevelRecord) => void
  readonly writeBar: (record: BarRecord) => void
  /** Completes the last blocks. */
  readonly finish: () => RunDigest['tables']
}

function openRows(tables: TableState, from: LogPlace, options: ResultsOptions): Rows {
  const { blocks, steps, names } = tables
  const hashBlock = createBlockHasher(options.sha256)
  const seal = (block: Block): void => {
    endTexts(block)
    const { name } = block.schema
    tables.hashes.set(name, hashBlock(tables.hashes.get(name) ?? nothing, block))
    options.onBlock?.(block, names)
    nextBlock(block)
  }
  const { events, records } = rowTakers(tables, seal)
  const writePosition = cellWriter(blocks.positions, seal)
  const writeEquity = cellWriter(blocks.equity, seal)
  const writeFeedQuality = cellWriter(blocks.feed_quality, seal)
  const writeMetric = cellWriter(blocks.metrics, seal)
  const writeQuote = cellWriter(blocks.quotes, seal)
  const writeBookLevel = cellWriter(blocks.book_snapshots, seal)
  const writeBar = cellWriter(blocks.bars, seal)
  return {
    reader: createLogReader(events, { from, isLent: () => true, records }),
    takers: events,
    writePosition: (record) => writePosition(positionCells(record, steps)),
    writeEquity: (record) => writeEquity(equityCells(record, tables.houses)),
    writeFeedQuality: (record) => writeFeedQuality(feedQualityCells(record)),
    writeMetric: (record) => writeMetric(metricCells(record)),
    writeQuote: (record) => writeQuote(quoteCells(record, steps)),
    writeBookLevel: (record) => writeBookLevel(bookLevelCells(record, steps)),
    writeBar: (record) => writeBar(barCells(record)),
    finish: () => {
      for (const name of tableNames) if (blocks[name].rows > 0) seal(blocks[name])
      return tableDigests(tables)
    },
  }
}
