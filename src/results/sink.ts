/**
 * The results sink: it turns events into rows of the result tables and their digest.
 *
 * Events are copied into blocks of 4,096 rows. A full block is hashed, shown to `onBlock`, and used
 * again, so that a run of any length needs the memory of one block for each table. Instruments and
 * accounts are learnt from `instrument_listed` and `account_opened`.
 */
import {
  assert,
  decodeValue,
  defined,
  encodeValue,
  err,
  ok,
  type Plain,
  type Result,
  type TextFault,
  unreachable,
} from '../core/index.ts'
import {
  type AccountOpened,
  type CashPosted,
  type Currency,
  type Event,
  type EventSink,
  type FundingAccrued,
  type FundingRateChanged,
  houseAccountNames,
  type Instrument,
  type InstrumentListed,
  type InstrumentStateChanged,
  isCurrency,
  type PositionGiven,
  type SelfTradingSet,
} from '../model/index.ts'
import {
  type Block,
  createBlock,
  endRow,
  type IdNames,
  type NamedBlock,
  nextBlock,
} from './columns.ts'
import {
  createBlockHasher,
  digestRun,
  firstHash,
  type RunDigest,
  type Sha256Factory,
} from './digest.ts'
import {
  accountWriter,
  cashWriter,
  type EquityRecord,
  equityWriter,
  type FeedQualityRecord,
  feedQualityWriter,
  givenPositionWriter,
  instrumentWriter,
  type PositionRecord,
  positionWriter,
  stateWriter,
} from './rows/account-rows.ts'
import {
  fundingRateWriter,
  fundingWriter,
  type SettlementEvent,
  settlementWriter,
} from './rows/settlement-rows.ts'
import {
  fillWriter,
  levelWriter,
  markWriter,
  orderWriter,
  rejectWriter,
  tradeWriter,
} from './rows/trading-rows.ts'
import { type TableName, tableNames, tableSchemas, WIRE_INSTRUMENT_ID_MIN } from './schema.ts'
import { isRecord, restoreBlock, snapshotBlock } from './snapshot.ts'

/**
 * Sees each block once, when it is complete, in the order of its rows. The block is emptied
 * afterwards: what is not copied is gone. A sink that was restored hands out its first blocks whole,
 * rows from before the snapshot included; `firstRow` says where they belong.
 */
export type BlockConsumer = (block: Block, names: IdNames) => void

/** What a results sink needs. */
export interface ResultsOptions {
  readonly sha256: Sha256Factory
  readonly onBlock: BlockConsumer | null
}

/** Where the events of a run become tables. */
export interface ResultsSink extends EventSink {
  /** Adds a row to `positions`. */
  recordPosition(record: PositionRecord): void
  /** Adds a row to `equity`. */
  recordEquity(record: EquityRecord): void
  /** Adds a row to `feed_quality`. */
  recordFeedQuality(record: FeedQualityRecord): void
  /** Completes the last blocks; no event may follow. */
  finish(): RunDigest
  /** Everything that the rest of the run needs to reach the same digest. */
  snapshot(): Uint8Array
}

type Blocks = { readonly [Name in TableName]: NamedBlock<Name> }

interface State {
  readonly blocks: Blocks
  readonly hashes: Map<string, Uint8Array>
  /** Amount of one lot by instrument id. */
  readonly steps: number[]
  /** Settlement currency by instrument id. */
  readonly currencies: Currency[]
  readonly names: IdNames
}

const SNAPSHOT_VERSION = 3

/** A sink at the start of a run. */
export function createResultsSink(options: ResultsOptions): ResultsSink {
  return sinkOf(createState(), options)
}

/** The sink that continues where `snapshot()` gave `bytes`. */
export function restoreResultsSink(
  bytes: Uint8Array,
  options: ResultsOptions,
): Result<ResultsSink, TextFault> {
  const decoded = decodeValue(bytes)
  const state = createState()
  if (!decoded.ok || !restoreState(state, decoded.value)) {
    const expected = `results of a run, snapshot version ${SNAPSHOT_VERSION}`
    return err({ found: decoded.ok ? 'other data' : 'damaged data', expected })
  }
  return ok(sinkOf(state, options))
}

function sinkOf(state: State, options: ResultsOptions): ResultsSink {
  const { blocks, steps, names } = state
  const hashBlock = createBlockHasher(options.sha256)
  let isFinished = false

  const seal = (block: Block): void => {
    const previous = defined(state.hashes.get(block.schema.name), 'every table has a hash')
    state.hashes.set(block.schema.name, hashBlock(previous, block))
    options.onBlock?.(block, names)
    nextBlock(block)
  }

  const emit = emitter(state, seal)
  const writePosition = positionWriter(blocks.positions, steps)
  const writeEquity = equityWriter(blocks.equity)
  const writeFeedQuality = feedQualityWriter(blocks.feed_quality)
  return {
    emit: (event) => {
      assert(!isFinished, 'no event follows the end of a run')
      emit(event)
    },
    recordPosition: (record) => {
      assert(!isFinished, 'no position follows the end of a run')
      writePosition(record)
      endRow(blocks.positions, seal)
    },
    recordEquity: (record) => {
      assert(!isFinished, 'no equity follows the end of a run')
      writeEquity(record)
      endRow(blocks.equity, seal)
    },
    recordFeedQuality: (record) => {
      assert(!isFinished, 'no count of a feed follows the end of a run')
      writeFeedQuality(record)
      endRow(blocks.feed_quality, seal)
    },
    finish: () => {
      assert(!isFinished, 'a run ends once')
      isFinished = true
      for (const name of tableNames) if (blocks[name].rows > 0) seal(blocks[name])
      return digestRun(hashedTables(state), options.sha256)
    },
    snapshot: () => {
      assert(!isFinished, 'a run that ended has no snapshot')
      return encodeValue(snapshotState(state))
    },
  }
}

/** Copies each event to the rows of its kind; the frequent kinds stand first. */
function emitter(state: State, seal: (block: Block) => void): (event: Event) => void {
  const { blocks, steps } = state
  const writeOrder = orderWriter(blocks.orders, steps)
  const writeTrade = tradeWriter(blocks.trades, steps)
  const writeFill = fillWriter(blocks.fills, steps)
  const writeReject = rejectWriter(blocks.rejects)
  const writeMark = markWriter(blocks.marks)
  const writeLevel = levelWriter(blocks.book, steps)
  const emitMoney = moneyEmitter(state, seal)

  return (event) => {
    switch (event.kind) {
      case 'order_opened':
      case 'order_filled':
      case 'order_cancelled':
      case 'order_edited':
      case 'order_rested':
      case 'order_resized':
      case 'order_refreshed':
      case 'order_triggered':
      case 'order_rejected':
        writeOrder(event)
        endRow(blocks.orders, seal)
        return
      case 'request_done':
        return
      case 'trade':
        writeTrade(event)
        endRow(blocks.trades, seal)
        writeFill(event, event.maker, event.taker)
        endRow(blocks.fills, seal)
        writeFill(event, event.taker, event.maker)
        endRow(blocks.fills, seal)
        return
      case 'print':
        writeTrade(event)
        endRow(blocks.trades, seal)
        return
      case 'level_changed':
        writeLevel(event)
        endRow(blocks.book, seal)
        return
      case 'request_refused':
        writeReject(event)
        endRow(blocks.rejects, seal)
        return
      case 'mark_changed':
      case 'index_changed':
      case 'delivery_price_fixed':
        writeMark(event)
        endRow(blocks.marks, seal)
        return
      default:
        emitMoney(event)
    }
  }
}

/** What the venue does to money by itself. */
type MoneyEvent = FundingRateChanged | FundingAccrued | SettlementEvent

/** Copies the events of funding and settlements. */
function moneyEmitter(
  state: State,
  seal: (block: Block) => void,
): (event: MoneyEvent | StandingEvent) => void {
  const { blocks, steps } = state
  const writeRate = fundingRateWriter(blocks.funding_rates)
  const writeFunding = fundingWriter(blocks.funding, state)
  const writeSettlement = settlementWriter(blocks.settlements, steps)
  const emitStanding = standingEmitter(state, seal)

  return (event) => {
    switch (event.kind) {
      case 'funding_rate_changed':
        writeRate(event)
        endRow(blocks.funding_rates, seal)
        return
      case 'funding_accrued':
        writeFunding(event)
        endRow(blocks.funding, seal)
        return
      case 'position_settled':
      case 'instrument_settled':
      case 'account_bankrupt':
      case 'loss_shared':
      case 'bankruptcy_settled':
        writeSettlement(event)
        endRow(blocks.settlements, seal)
        return
      default:
        emitStanding(event)
    }
  }
}

type RiskEvent = Extract<
  Event,
  {
    readonly kind:
      | 'liquidation_started'
      | 'liquidation_step'
      | 'liquidation_ended'
      | 'position_transferred'
      | 'cash_transferred'
      | 'lsp_participant_set'
      | 'lsp_changed'
  }
>

/** What accounts and instruments are and are given. */
type StandingEvent =
  | AccountOpened
  | CashPosted
  | InstrumentListed
  | InstrumentStateChanged
  | PositionGiven
  | SelfTradingSet
  | RiskEvent

/** Copies the rare events, which are not of trading itself. */
function standingEmitter(
  state: State,
  seal: (block: Block) => void,
): (event: StandingEvent) => void {
  const { blocks, steps, names } = state
  const writeInstrument = instrumentWriter(blocks.instruments)
  const writeState = stateWriter(blocks.states)
  const writeAccount = accountWriter(blocks.accounts)
  const writeCash = cashWriter(blocks.cash)
  const writeGiven = givenPositionWriter(blocks.given_positions, steps)

  return (event) => {
    switch (event.kind) {
      case 'instrument_listed':
        learnInstrument(state, event.instrument)
        writeInstrument(event)
        endRow(blocks.instruments, seal)
        return
      case 'account_opened':
        names.account_id[event.account] = event.name
        writeAccount(event)
        endRow(blocks.accounts, seal)
        return
      case 'cash_posted':
        writeCash(event)
        endRow(blocks.cash, seal)
        return
      case 'position_given':
        writeGiven(event)
        endRow(blocks.given_positions, seal)
        return
      case 'instrument_state_changed':
        writeState(event)
        endRow(blocks.states, seal)
        return
      case 'liquidation_started':
      case 'liquidation_step':
      case 'liquidation_ended':
      case 'position_transferred':
      case 'cash_transferred':
      case 'lsp_participant_set':
      case 'lsp_changed':
      case 'self_trading_set':
        // No table has settings: the journal says who chose them, and `orders` what they ended.
        return
      default:
        unreachable(event)
    }
  }
}

function learnInstrument(state: State, instrument: Instrument): void {
  assert(instrument.id === state.steps.length, 'instruments are listed in the order of their ids')
  state.steps.push(instrument.amountStep9)
  state.currencies.push(instrument.settlementCurrency)
  state.names.instrument_id[WIRE_INSTRUMENT_ID_MIN + instrument.id] = instrument.name
}

function createState(): State {
  return {
    blocks: {
      instruments: createBlock(tableSchemas.instruments),
      accounts: createBlock(tableSchemas.accounts),
      trades: createBlock(tableSchemas.trades),
      orders: createBlock(tableSchemas.orders),
      fills: createBlock(tableSchemas.fills),
      positions: createBlock(tableSchemas.positions),
      equity: createBlock(tableSchemas.equity),
      cash: createBlock(tableSchemas.cash),
      given_positions: createBlock(tableSchemas.given_positions),
      rejects: createBlock(tableSchemas.rejects),
      marks: createBlock(tableSchemas.marks),
      states: createBlock(tableSchemas.states),
      funding_rates: createBlock(tableSchemas.funding_rates),
      funding: createBlock(tableSchemas.funding),
      settlements: createBlock(tableSchemas.settlements),
      feed_quality: createBlock(tableSchemas.feed_quality),
      book: createBlock(tableSchemas.book),
    },
    hashes: new Map(tableNames.map((name) => [name, firstHash()])),
    steps: [],
    currencies: [],
    // House accounts exist from the start; all others are opened by an event.
    names: { instrument_id: [], account_id: [...houseAccountNames] },
  }
}

function hashedTables(state: State): { schema: Block['schema']; rows: number; hash: Uint8Array }[] {
  return tableNames.map((name) => ({
    schema: state.blocks[name].schema,
    rows: state.blocks[name].firstRow,
    hash: defined(state.hashes.get(name), 'every table has a hash'),
  }))
}

function snapshotState(state: State): Plain {
  return {
    version: SNAPSHOT_VERSION,
    steps: state.steps,
    currencies: state.currencies,
    instruments: state.names.instrument_id.slice(WIRE_INSTRUMENT_ID_MIN),
    accounts: state.names.account_id,
    hashes: tableNames.map((name) => defined(state.hashes.get(name), 'every table has a hash')),
    blocks: tableNames.map((name) => snapshotBlock(state.blocks[name])),
  }
}

function restoreState(state: State, saved: Plain): boolean {
  if (!isRecord(saved) || saved['version'] !== SNAPSHOT_VERSION) return false
  const { steps, currencies, instruments, accounts, hashes, blocks } = saved
  if (!isListOf(steps, isNumber) || !isListOf(hashes, isHash)) return false
  if (!isListOf(currencies, isCurrencyName) || currencies.length !== steps.length) return false
  if (!isListOf(instruments, isText) || !isListOf(accounts, isText)) return false
  if (!Array.isArray(blocks) || blocks.length !== tableNames.length) return false
  if (hashes.length !== tableNames.length || instruments.length !== steps.length) return false
  state.steps.push(...steps)
  state.currencies.push(...currencies)
  for (const [at, name] of instruments.entries()) {
    state.names.instrument_id[WIRE_INSTRUMENT_ID_MIN + at] = name
  }
  for (const [at, name] of accounts.entries()) state.names.account_id[at] = name
  return tableNames.every((name, at) => {
    state.hashes.set(name, defined(hashes[at], 'the lists are of one length'))
    return restoreBlock(state.blocks[name], blocks[at])
  })
}

function isListOf<Item extends Plain>(
  value: Plain | undefined,
  isItem: (item: Plain) => item is Item,
): value is readonly Item[] {
  return Array.isArray(value) && value.every((item: Plain) => isItem(item))
}

function isNumber(value: Plain): value is number {
  return typeof value === 'number'
}

function isText(value: Plain): value is string {
  return typeof value === 'string'
}

function isCurrencyName(value: Plain): value is Currency {
  return typeof value === 'string' && isCurrency(value)
}

function isHash(value: Plain): value is Uint8Array {
  return value instanceof Uint8Array && value.length === firstHash().length
}
