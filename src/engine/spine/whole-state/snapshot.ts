/**
 * Snapshots: the whole state of an exchange as bytes, and back.
 *
 * Sections: `config`, `engine` (clock, counters, accounts, instruments, indices, holdings), `orders` (see `order-snapshot.ts`), `ledger`, `margin`, `timers`, `liquidations` (see
 * `liquidation-state.ts`), `protections` (see `protection-state.ts`). Slots are not kept: a restored exchange gives new ones, and nothing observable depends on
 * them. Each section has its own checksum (core/bytes/sections.ts).
 */
import {
  type RecordedLevel,
  recordedLevels,
  restoreRecorded,
  restoreSidePrints,
  type SidePrintsState,
  sidePrintsState,
} from '../../../book/index.ts'
import {
  decodeSections,
  decodeValue,
  defined,
  encodeSections,
  encodeValue,
  err,
  micros,
  type OrderId,
  ok,
  type Plain,
  type Price9,
  price9,
  type Result,
  restoreTimerQueue,
  type SectionFault,
  snapshotTimerQueue,
} from '../../../core/index.ts'
import { restoreLedger, snapshotLedger } from '../../../ledger/index.ts'
import { restoreMargin, snapshotMargin } from '../../../margin/index.ts'
import {
  CURRENCY_SLOTS,
  type ExchangeConfig,
  type Instrument,
  type QueueModel,
} from '../../../model/index.ts'
import {
  type AccountRow,
  addAccount,
  addHolding,
  type ConnectionTask,
  type DeliveryAverage,
  type Exchange,
  emptyExchange,
  enterIndex,
  type FundingState,
  type InstrumentRow,
  indexRow,
  instrumentRow,
  linkCombos,
  type SeriesRow,
  setMark,
  type TimerTask,
} from '../../state/index.ts'
import { noteOptionMarket, rebuildMargin } from '../../value/index.ts'
import { liquidationsSection, restoreLiquidations } from './liquidation-state.ts'
import { ordersSection, restoreOrders } from './order-snapshot.ts'
import {
  type ProtectionsSection,
  protectionsSection,
  restoreProtections,
} from './protection-state.ts'

const MAGIC = 'PITCLOCK'
const VERSION = 10

const sectionNames = [
  'config',
  'engine',
  'orders',
  'ledger',
  'margin',
  'timers',
  'liquidations',
  'protections',
] as const

/**
 * What changes about an instrument and is kept as it is; its mark, its funding and its recorded book are
 * kept beside, and all else follows from the rest of the state.
 */
const keptFields = [
  'state',
  'markRule',
  'ema9',
  'sleeps',
  'settlementPrice',
  'deliveryPrice',
  'deliveredAt',
  'stateBefore',
  'hasBand',
  'bandMin',
  'bandMax',
  'tradeSeq',
  'lastPrice',
  'lastMove',
  'changeId',
  'stateSince',
  'hasLastPrice',
  'bookPrice',
  'usedAt',
] as const satisfies readonly (keyof InstrumentRow)[]

/** An instrument as plain data. */
type InstrumentState = {
  readonly instrument: Instrument
  readonly queue: QueueModel | null
  readonly recorded: RecordedState | null
  /** Null while unknown. */
  readonly mark: Price9 | null
  readonly funding: FundingState | null
  /** Of an option, else 0. */
  readonly volatility9: number
  /** Of an option that is delivered, whose series may be listed no more; else null. */
  readonly gone: SeriesState | null
  readonly kept: Pick<InstrumentRow, (typeof keptFields)[number]>
}

/** What changes about a series of options. */
type SeriesState = Pick<SeriesRow, 'forward' | 'sleeps'>

/** An account and its settings. */
type AccountState = Pick<AccountRow, 'account' | 'selfMatch' | 'selfMatchExtended'>

type EngineSection = {
  readonly now: number
  readonly lastSequence: number
  readonly eventCount: number
  readonly accounts: readonly AccountState[]
  readonly indices: readonly {
    readonly name: string
    readonly price: number
    readonly mid: number
    readonly average: DeliveryAverage
  }[]
  readonly market: number
  /** Forwards of the series of options, and whether they sleep, in the order in which they arose. */
  readonly series: readonly SeriesState[]
  readonly instruments: readonly InstrumentState[]
  readonly holdingAccount: readonly number[]
  readonly holdingInstrument: readonly number[]
  readonly holdingFunded: readonly bigint[]
  readonly orderNumbers: readonly number[]
  readonly tradeNumbers: readonly number[]
  readonly sessionEndScheduled: boolean
  readonly advancedOrders: readonly OrderId[]
  readonly unsettled: readonly number[]
  readonly settling: readonly number[]
  readonly roundings: readonly number[]
}

/** The state as bytes. */
export function snapshot(exchange: Exchange): Uint8Array {
  const sections = new Map([['config', encodeValue(plain(exchange.config))]])
  for (const [name, value] of wholeState(exchange)) sections.set(name, encodeValue(value))
  return encodeSections(MAGIC, VERSION, sections)
}

/** Everything that changes about an exchange as plain data, by section: what is kept, and what the hash sees. */
export function wholeState(exchange: Exchange): readonly (readonly [string, Plain])[] {
  const rows = {
    holdings: exchange.holdings.length,
    wallets: exchange.accounts.length * CURRENCY_SLOTS,
  }
  return [
    ['engine', plain(engineSection(exchange))],
    ['orders', plain(ordersSection(exchange))],
    ['ledger', plain(snapshotLedger(exchange.ledger, rows))],
    ['margin', plain(snapshotMargin(exchange.margin, rows))],
    ['timers', plain(snapshotTimerQueue(exchange.timers))],
    ['liquidations', plain(liquidationsSection(exchange))],
    ['protections', plain(protectionsSection(exchange))],
  ]
}

/** An exchange from the bytes of a snapshot; a fault names the section and the byte. */
export function restore(bytes: Uint8Array): Result<Exchange, SectionFault> {
  const container = decodeSections(bytes, MAGIC, VERSION)
  if (!container.ok) return container
  const values = new Map<string, Plain>()
  for (const name of sectionNames) {
    const section = container.value.get(name)
    if (section === undefined) {
      return err({
        section: name,
        offset: bytes.length,
        expected: `a section ${name}`,
        found: 'none',
      })
    }
    const value = decodeValue(section)
    if (!value.ok) return err({ section: name, ...value.error })
    values.set(name, value.value)
  }
  return ok(rebuild(values))
}

/** An independent copy: what happens to it does not touch its parent. */
export function fork(exchange: Exchange): Exchange {
  const copy = restore(snapshot(exchange))
  if (!copy.ok) throw new RangeError(`a fresh snapshot restores, found ${copy.error.found}`)
  return copy.value
}

function engineSection(exchange: Exchange): EngineSection {
  return {
    now: exchange.now,
    lastSequence: exchange.lastSequence,
    eventCount: exchange.eventCount,
    accounts: exchange.accounts.map(({ account, selfMatch, selfMatchExtended }) => ({
      account,
      selfMatch,
      selfMatchExtended,
    })),
    indices: [...exchange.indices.values()].map(({ name, price, mid, average }) => ({
      name,
      price,
      mid,
      average: { ...average },
    })),
    market: exchange.market,
    series: exchange.series.map(seriesState),
    instruments: exchange.instruments.map(instrumentState),
    holdingAccount: exchange.holdings.map(({ account }) => account),
    holdingInstrument: exchange.holdings.map(({ row }) => row.instrument.id),
    holdingFunded: exchange.holdings.map(({ funded }) => funded),
    orderNumbers: exchange.orderNumbers,
    tradeNumbers: exchange.tradeNumbers,
    sessionEndScheduled: exchange.sessionEndScheduled,
    advancedOrders: exchange.advancedOrders,
    unsettled: [...exchange.unsettled],
    settling: [...exchange.settling],
    roundings: exchange.roundings,
  }
}

function seriesState({ forward, sleeps }: SeriesRow): SeriesState {
  return { forward, sleeps }
}

function instrumentState(row: InstrumentRow): InstrumentState {
  const { instrument, queue, funding } = row
  const mark = row.hasMark ? row.mark : null
  return {
    instrument,
    queue,
    mark,
    recorded: recordedStateOf(row),
    funding: funding === null ? null : { ...funding },
    volatility9: row.option?.volatility9 ?? 0,
    gone: row.option === null || row.deliveredAt === null ? null : seriesState(row.option.series),
    // The keys are exactly those of the list.
    kept: Object.fromEntries(
      keptFields.map((field) => [field, row[field]]),
    ) as InstrumentState['kept'],
  }
}

/**
 * Builds the state from decoded sections. The checksums have shown that these are the bytes which
 * `snapshot` wrote, so their shape is our own; a defect in it would be ours and fails an assertion.
 */
function rebuild(values: ReadonlyMap<string, Plain>): Exchange {
  const engine = section<EngineSection>(values, 'engine')
  const protections = section<ProtectionsSection>(values, 'protections')
  const exchange: Exchange = {
    ...emptyExchange(section<ExchangeConfig>(values, 'config')),
    ledger: restoreLedger(section(values, 'ledger')),
    margin: restoreMargin(section(values, 'margin')),
    timers: restoreTimerQueue<TimerTask>(section(values, 'timers')),
    connectionTimers: restoreTimerQueue<ConnectionTask>(protections.connectionTimers),
    orderNumbers: [...engine.orderNumbers],
    tradeNumbers: [...engine.tradeNumbers],
    roundings: [...engine.roundings],
    unsettled: new Set(engine.unsettled),
    settling: new Set(engine.settling),
  }
  exchange.now = micros(engine.now)
  exchange.lastSequence = engine.lastSequence
  exchange.eventCount = engine.eventCount
  exchange.sessionEndScheduled = engine.sessionEndScheduled
  exchange.advancedOrders = [...engine.advancedOrders]
  exchange.market = engine.market
  for (const index of engine.indices) {
    const row = indexRow(exchange, index.name)
    row.price = price9(index.price)
    row.mid = index.mid
    Object.assign(row.average, index.average)
  }
  for (const account of engine.accounts) restoreAccount(exchange, account)
  for (const state of engine.instruments) restoreInstrument(exchange, state)
  for (const [at, series] of engine.series.entries()) restoreSeries(exchange, at, series)
  for (const { id, time, payload } of snapshotTimerQueue(exchange.timers).timers) {
    if (payload.kind === 'price_grid') exchange.tick = { timer: id, time: micros(time) }
  }
  restoreHoldings(exchange, engine)
  restoreOrders(exchange, section(values, 'orders'))
  restoreRisk(exchange)
  restoreLiquidations(exchange, section(values, 'liquidations'))
  restoreProtections(exchange, protections)
  return exchange
}

/** What margin finds from the rest of the state. */
function restoreRisk(exchange: Exchange): void {
  for (const row of exchange.instruments) noteOptionMarket(row)
  for (const owner of exchange.holdings) rebuildMargin(exchange, owner)
}

function restoreAccount(exchange: Exchange, state: AccountState): void {
  const { account, selfMatch, selfMatchExtended } = state
  const row = addAccount(exchange, account)
  row.selfMatch = selfMatch
  row.selfMatchExtended = selfMatchExtended
}

function restoreInstrument(exchange: Exchange, state: InstrumentState): void {
  const row = instrumentRow(exchange, state.instrument, state.queue)
  restoreRecordedBook(row, state.recorded)
  if (state.mark !== null) setMark(row, state.mark)
  if (row.funding !== null && state.funding !== null) Object.assign(row.funding, state.funding)
  Object.assign(row, state.kept)
  exchange.instruments.push(row)
  exchange.instrumentIds.set(row.instrument.name, row.instrument.id)
  linkCombos(exchange, row)
  if (row.option !== null) {
    row.option.volatility9 = state.volatility9
    if (state.gone !== null) Object.assign(row.option.series, state.gone)
  }
  if (row.deliveredAt === null) enterIndex(exchange, row)
  if (row.isMarkComputed && !row.sleeps) exchange.awake.push(row.instrument.id)
}

function restoreSeries({ series }: Exchange, at: number, { forward, sleeps }: SeriesState): void {
  const row = defined(series[at], 'a series has options that are not delivered')
  Object.assign(row, { forward, sleeps })
  for (const option of row.options) option.sleeps = sleeps
}

function restoreHoldings(exchange: Exchange, engine: EngineSection): void {
  engine.holdingAccount.forEach((account, holding) => {
    const instrument = defined(engine.holdingInstrument[holding], 'a holding has an instrument')
    const row = defined(exchange.instruments[instrument], 'a holding is of a listed instrument')
    const made = addHolding(exchange, account, row)
    made.funded = defined(engine.holdingFunded[holding], 'a holding was touched once')
  })
}

/** A recorded book as plain data. */
type RecordedState = {
  readonly bids: readonly RecordedLevel[]
  readonly asks: readonly RecordedLevel[]
  readonly hasPrints: boolean
  readonly bidPrints: SidePrintsState
  readonly askPrints: SidePrintsState
}

/** The recorded book of an instrument; null in a closed market. */
function recordedStateOf({ book }: InstrumentRow): RecordedState | null {
  if (book.recorded === null) return null
  const { bids, asks, prints } = book.recorded
  return {
    bids: recordedLevels(bids),
    asks: recordedLevels(asks),
    hasPrints: prints.seen,
    bidPrints: sidePrintsState(prints.buy),
    askPrints: sidePrintsState(prints.sell),
  }
}

function restoreRecordedBook(
  { book: { recorded } }: InstrumentRow,
  state: RecordedState | null,
): void {
  if (recorded === null || state === null) return
  for (const level of state.bids) restoreRecorded(recorded.bids, level)
  for (const level of state.asks) restoreRecorded(recorded.asks, level)
  recorded.prints.seen = state.hasPrints
  restoreSidePrints(recorded.prints.buy, state.bidPrints)
  restoreSidePrints(recorded.prints.sell, state.askPrints)
}

/** The interfaces of `model` hold nothing but plain data, which their types cannot say. */
function plain(value: object): Plain {
  return value as Plain
}

function section<T>(values: ReadonlyMap<string, Plain>, name: string): T {
  return defined(values.get(name), `a snapshot has a section ${name}`) as T
}
