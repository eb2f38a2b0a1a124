/**
 * The results sink produces the event log of a run, its digest and, if a consumer takes them, the rows of the result
 * tables.
 *
 * The sink reads the log of the engine by page. It hashes each page and converts it to rows in blocks of 4,096. A full
 * block is hashed, passed to `onBlock`, and reused, so a run of any length needs only the memory of one page and of one
 * block for each table. Recorded trades and price levels are not in the log; if a run requests them, they become rows
 * at once.
 *
 * A table maps each family of events to its rows. It must list all families, so a new family does not compile until its
 * rows are decided.
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
  type RecordTakers,
  readRecords,
  recordBytes,
  type TotalTakers,
  tradeRecords,
} from '../model/index.ts'
import { type Block, endRow, endTexts, type IdNames, type NamedBlock, nextBlock } from './columns.ts'
import {
  addToDigest,
  createLogDigest,
  digestOf,
  type LogDigest,
  restoreLogDigest,
  type SavedLogDigest,
  saveLogDigest,
} from './digest.ts'
import {
  accountCells,
  cashCells,
  type EquityRecord,
  equityCells,
  type FeedQualityRecord,
  feedQualityCells,
  givenCells,
  instrumentCells,
  movedCells,
  type PositionRecord,
  positionCells,
  stateCells,
  transferCells,
} from './rows/account-rows.ts'
import { blockCells, rfqCells, rfqQuoteCells } from './rows/block-rows.ts'
import { cellWriter } from './rows/cells.ts'
import { orderWriter } from './rows/order-rows.ts'
import {
  bumpCells,
  lockCells,
  lspCells,
  mmpCells,
  participantCells,
  quoteRefusalCells,
  rejectCells,
  sessionCells,
  standingCells,
} from './rows/protection-rows.ts'
import { handoverCells, liquidationCells, stepCells } from './rows/risk-rows.ts'
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
import {
  addressCells,
  currencyBankruptcyCells,
  fundingCells,
  fundingRateWriter,
  instrumentSettlementCells,
  lossCells,
  paymentCells,
  settlementCells,
} from './rows/settlement-rows.ts'
import { plainTradeWriter } from './rows/trade-records.ts'
import { fillWriter, levelWriter, markWriter, type RowWriter, tradeWriter } from './rows/trading-rows.ts'
import { type TableName, tableNames } from './schema.ts'
import { hexOf, type Sha256Factory } from './sha256.ts'
import { createBlockHasher, type TableDigest } from './table-hash.ts'
import {
  createTables,
  fillTables,
  learnAccount,
  learnInstrument,
  type SavedTables,
  saveTables,
  type TableState,
  tableDigests,
} from './table-state.ts'

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

type Seal = (block: Block) => void

/**
 * Functions that turn the log into rows: directly from records for the families in `records`, otherwise from events.
 */
interface RowTakers {
  readonly events: Omit<TotalTakers, 'order' | 'trade'>
  readonly records: RecordTakers
}

/** Writes each event to the rows of its family. */
function rowTakers(state: TableState, seal: Seal): RowTakers {
  const { orders } = state.blocks
  const { trade, ...frequent } = frequentTakers(state, seal)
  return {
    events: { ...frequent, ...standingTakers(state, seal), ...riskTakers(state, seal) },
    records: {
      order: rowOf(orders, orderWriter(orders, state.steps), seal),
      trade: tradeTaker(state, trade, seal),
    },
  }
}

/** Writes plain trades directly from their records. For other trades it creates an event in one reused object. */
function tradeTaker(
  { blocks, steps, houses }: TableState,
  write: TotalTakers['trade'],
  seal: Seal,
): NonNullable<RecordTakers['trade']> {
  const writePlain = plainTradeWriter(blocks.trades, blocks.fills, { steps, houses }, seal)
  const lent = tradeRecords.blankTrade()
  return (record) => {
    if (writePlain(record)) return
    lent.time = record.place.time
    lent.number = record.place.number
    lent.cause = record.place.cause
    tradeRecords.fillTrade(lent, record.buffer, record.at)
    write?.(lent)
  }
}

type FrequentKind = 'trade' | 'print' | 'level' | 'mark' | 'index' | 'delivery_price' | 'funding_rate'

/** Takes the frequent families. A trade has one row, and one more for each of its sides. */
function frequentTakers({ blocks, steps, houses }: TableState, seal: Seal): Pick<TotalTakers, FrequentKind> {
  const { trades, fills, marks } = blocks
  const writeTrade = rowOf(trades, tradeWriter(trades, steps), seal)
  const writeFill = fillWriter(fills, { steps, houses })
  const writeMark = rowOf(marks, markWriter(marks), seal)
  return {
    trade: (event) => {
      writeTrade(event)
      writeFill(event, event.maker, event.taker)
      endRow(fills, seal)
      writeFill(event, event.taker, event.maker)
      endRow(fills, seal)
    },
    print: writeTrade,
    level: rowOf(blocks.book, levelWriter(blocks.book, steps), seal),
    mark: writeMark,
    index: writeMark,
    delivery_price: writeMark,
    funding_rate: rowOf(blocks.funding_rates, fundingRateWriter(blocks.funding_rates), seal),
  }
}

type StandingKind =
  | 'refusal'
  | 'request'
  | 'account'
  | 'self_trading'
  | 'state'
  | 'instrument'
  | 'cash'
  | 'transfer'
  | 'given_position'

function standingTakers(state: TableState, seal: Seal): Pick<TotalTakers, StandingKind> {
  const writeInstrument = cellWriter(state.blocks.instruments, seal)
  const writeAccount = cellWriter(state.blocks.accounts, seal)
  const writeState = cellWriter(state.blocks.states, seal)
  const writeCash = cellWriter(state.blocks.cash, seal)
  const writeGiven = cellWriter(state.blocks.given_positions, seal)
  const writeReject = cellWriter(state.blocks.rejects, seal)
  return {
    refusal: (event) => writeReject(rejectCells(event)),
    // `orders` and `rejects` show the effects of a request.
    request: undefined,
    instrument: (event) => {
      learnInstrument(state, event.instrument)
      writeInstrument(instrumentCells(event))
    },
    account: (event) => {
      learnAccount(state, event)
      writeAccount(accountCells(event))
    },
    state: (event) => writeState(stateCells(event)),
    cash: (event) => writeCash(cashCells(event)),
    transfer: (event) => {
      for (const side of sides) writeCash(transferCells(event, side))
    },
    given_position: (event) => writeGiven(givenCells(event, state.steps)),
    // No table has settings: the journal shows who chose them, and `orders` shows the orders that they ended.
    self_trading: undefined,
  }
}

/**
 * Takes the events that move money and risk. Both sides of a transfer have a row, like both sides of a trade in
 * `fills`.
 */
function riskTakers(state: TableState, seal: Seal): Omit<TotalTakers, 'order' | FrequentKind | StandingKind> {
  const { blocks, steps } = state
  const writeFunding = cellWriter(blocks.funding, seal)
  const writeSettlement = cellWriter(blocks.settlements, seal)
  const writeLiquidation = cellWriter(blocks.liquidations, seal)
  const writeProtection = cellWriter(blocks.protections, seal)
  const writeGiven = cellWriter(blocks.given_positions, seal)
  const writeBlock = cellWriter(blocks.blocks, seal)
  const writeWallet = cellWriter(blocks.wallet, seal)
  const writeRfq = cellWriter(blocks.rfqs, seal)
  const writeRfqQuote = cellWriter(blocks.rfq_quotes, seal)
  return {
    funding: (event) => writeFunding(fundingCells(event, state.steps, state.currencies)),
    settlement: (event) => writeSettlement(settlementCells(event, steps)),
    instrument_settlement: (event) => writeSettlement(instrumentSettlementCells(event, steps)),
    bankruptcy: (event) => writeSettlement(lossCells(event)),
    shared_loss: (event) => writeSettlement(lossCells(event)),
    currency_bankruptcy: (event) => writeSettlement(currencyBankruptcyCells(event)),
    liquidation: (event) => {
      writeLiquidation(liquidationCells(event))
      writeProtection(lockCells(event))
    },
    liquidation_step: (event) => writeLiquidation(stepCells(event, steps)),
    position_transfer: (event) => {
      const { reason } = event
      for (const side of sides) {
        if (reason === 'move' || reason === 'allocation') writeGiven(movedCells(event, side, steps))
        else writeLiquidation(handoverCells(event, side, reason, state.steps, state.currencies))
      }
    },
    lsp_participant: (event) => {
      for (const cells of participantCells(event)) writeProtection(cells)
    },
    lsp: (event) => writeProtection(lspCells(event)),
    mmp: (event) => writeProtection(mmpCells(event)),
    bump: (event) => writeProtection(bumpCells(event, steps)),
    session: (event) => writeProtection(sessionCells(event)),
    quote_refusal: (event) => writeProtection(quoteRefusalCells(event)),
    standing: (event) => writeProtection(standingCells(event)),
    block_trade: (event) => {
      for (const cells of blockCells(event, steps)) writeBlock(cells)
    },
    address: (event) => writeWallet(addressCells(event)),
    payment: (event) => writeWallet(paymentCells(event)),
    block_rfq: (event) => {
      for (const cells of rfqCells(event)) writeRfq(cells)
    },
    block_rfq_quote: (event) => {
      for (const cells of rfqQuoteCells(event)) writeRfqQuote(cells)
    },
  }
}

const sides = ['from', 'to'] as const

/** Wraps a writer so that it also ends the row. */
function rowOf<Name extends TableName, Source>(
  block: NamedBlock<Name>,
  write: RowWriter<Source>,
  seal: Seal,
): RowWriter<Source> {
  return (source) => {
    write(source)
    endRow(block, seal)
  }
}
