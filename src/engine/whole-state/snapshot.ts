/**
 * Snapshots: the whole state of an exchange as bytes, and back.
 *
 * Sections: `engine` (clock, counters, configuration, accounts, instruments, indices, holdings),
 * `orders` (see `order-snapshot.ts`), `ledger`, `margin`, `timers`. Slots are not kept: a restored exchange
 * gives new ones, and nothing observable depends on them. Each section has its own checksum
 * (core/bytes/sections.ts).
 */
import { type RecordedLevel, recordedLevels, restoreRecorded } from '../../book/index.ts'
import {
  decodeSections,
  decodeValue,
  defined,
  encodeSections,
  encodeValue,
  err,
  micros,
  ok,
  type Plain,
  type Price9,
  price9,
  type Result,
  restoreTimerQueue,
  type SectionFault,
  snapshotTimerQueue,
} from '../../core/index.ts'
import { restoreLedger, snapshotLedger } from '../../ledger/index.ts'
import { restoreMargin, snapshotMargin } from '../../margin/index.ts'
import {
  CURRENCY_SLOTS,
  type ExchangeConfig,
  type Instrument,
  type QueueModel,
} from '../../model/index.ts'
import type { DeliveryAverage } from '../../settlement/index.ts'
import {
  type AccountRow,
  addAccount,
  type Exchange,
  emptyExchange,
  type TimerTask,
} from '../state/exchange.ts'
import { addHolding } from '../state/holdings.ts'
import {
  type FundingState,
  type InstrumentRow,
  indexRow,
  instrumentRow,
  setMark,
} from '../state/instrument-row.ts'
import { linkSpreads } from '../state/spreads.ts'
import { ordersSection, restoreOrders } from './order-snapshot.ts'

const MAGIC = 'PITCLOCK'
const VERSION = 5

/**
 * What changes about an instrument and is kept as it is; its mark, its funding and its recorded book are
 * kept beside, and all else follows from the rest of the state.
 */
const keptFields = [
  ...['state', 'markRule', 'ema9', 'sleeps', 'settlementPrice', 'deliveryPrice', 'deliveredAt'],
  ...['stateBefore', 'bandMin', 'bandMax', 'tradeSeq', 'lastPrice', 'lastMove', 'changeId'],
] as const satisfies readonly (keyof InstrumentRow)[]

/** An instrument as plain data. */
type InstrumentState = {
  readonly instrument: Instrument
  readonly queue: QueueModel | null
  readonly recorded: readonly (readonly RecordedLevel[])[]
  readonly mark: Price9
  readonly funding: FundingState | null
  readonly kept: Pick<InstrumentRow, (typeof keptFields)[number]>
}

/** An account and its settings. */
type AccountState = Pick<AccountRow, 'account' | 'selfMatch' | 'selfMatchExtended'>

type EngineSection = {
  readonly config: ExchangeConfig
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
  readonly instruments: readonly InstrumentState[]
  readonly holdingAccount: readonly number[]
  readonly holdingInstrument: readonly number[]
  readonly holdingFunded: readonly bigint[]
  readonly orderNumbers: readonly number[]
  readonly tradeNumbers: readonly number[]
  readonly sessionEndScheduled: boolean
  readonly unsettled: readonly number[]
  readonly settling: readonly number[]
  readonly roundings: readonly number[]
}

/** The state as bytes. */
export function snapshot(exchange: Exchange): Uint8Array {
  const rows = {
    holdings: exchange.holdings.length,
    wallets: exchange.accounts.length * CURRENCY_SLOTS,
  }
  const sections: readonly (readonly [string, Plain])[] = [
    ['engine', plain(engineSection(exchange))],
    ['orders', plain(ordersSection(exchange))],
    ['ledger', plain(snapshotLedger(exchange.ledger, rows))],
    ['margin', plain(snapshotMargin(exchange.margin, rows))],
    ['timers', plain(snapshotTimerQueue(exchange.timers))],
  ]
  return encodeSections(
    MAGIC,
    VERSION,
    new Map(sections.map(([name, value]) => [name, encodeValue(value)])),
  )
}

/** An exchange from the bytes of a snapshot; a fault names the section and the byte. */
export function restore(bytes: Uint8Array): Result<Exchange, SectionFault> {
  const container = decodeSections(bytes, MAGIC, VERSION)
  if (!container.ok) return container
  const values = new Map<string, Plain>()
  for (const name of ['engine', 'orders', 'ledger', 'margin', 'timers']) {
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
    config: exchange.config,
    now: exchange.now,
    lastSequence: exchange.lastSequence,
    eventCount: exchange.eventCount,
    accounts: exchange.accounts.map(({ account, selfMatch, selfMatchExtended }) => ({
      ...{ account, selfMatch, selfMatchExtended },
    })),
    indices: [...exchange.indices.values()].map(({ name, price, mid, average }) => ({
      ...{ name, price, mid, average: { ...average } },
    })),
    market: exchange.market,
    instruments: exchange.instruments.map(instrumentState),
    holdingAccount: exchange.holdings.map(({ account }) => account),
    holdingInstrument: exchange.holdings.map(({ row }) => row.instrument.id),
    holdingFunded: exchange.holdings.map(({ funded }) => funded),
    orderNumbers: exchange.orderNumbers,
    tradeNumbers: exchange.tradeNumbers,
    sessionEndScheduled: exchange.sessionEndScheduled,
    unsettled: [...exchange.unsettled],
    settling: [...exchange.settling],
    roundings: exchange.roundings,
  }
}

function instrumentState(row: InstrumentRow): InstrumentState {
  const { instrument, queue, mark, funding } = row
  return {
    ...{ instrument, queue, mark, recorded: recordedLevelsOf(row) },
    funding: funding === null ? null : { ...funding },
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
  const exchange: Exchange = {
    ...emptyExchange(engine.config),
    ledger: restoreLedger(section(values, 'ledger')),
    margin: restoreMargin(section(values, 'margin')),
    timers: restoreTimerQueue<TimerTask>(section(values, 'timers')),
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
  exchange.market = engine.market
  for (const index of engine.indices) {
    const row = indexRow(exchange, index.name)
    row.price = price9(index.price)
    row.mid = index.mid
    Object.assign(row.average, index.average)
  }
  for (const account of engine.accounts) restoreAccount(exchange, account)
  for (const state of engine.instruments) restoreInstrument(exchange, state)
  restoreHoldings(exchange, engine)
  restoreOrders(exchange, section(values, 'orders'))
  return exchange
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
  setMark(row, state.mark)
  if (row.funding !== null && state.funding !== null) Object.assign(row.funding, state.funding)
  Object.assign(row, state.kept)
  exchange.instruments.push(row)
  exchange.instrumentIds.set(row.instrument.name, row.instrument.id)
  linkSpreads(exchange, row)
  if (row.deliveredAt === null) row.index.followers.push(row.instrument.id)
  if (row.isMarkComputed && !row.sleeps) exchange.awake.push(row.instrument.id)
}

function restoreHoldings(exchange: Exchange, engine: EngineSection): void {
  engine.holdingAccount.forEach((account, holding) => {
    const instrument = defined(engine.holdingInstrument[holding], 'a holding has an instrument')
    const row = defined(exchange.instruments[instrument], 'a holding is of a listed instrument')
    const made = addHolding(exchange, account, row)
    made.funded = defined(engine.holdingFunded[holding], 'a holding was touched once')
  })
}

/** The recorded levels of both sides, bids first; nothing in a closed market. */
function recordedLevelsOf({ book }: InstrumentRow): readonly (readonly RecordedLevel[])[] {
  if (book.recorded === null) return []
  return [recordedLevels(book.recorded.bids), recordedLevels(book.recorded.asks)]
}

function restoreRecordedBook(
  { book }: InstrumentRow,
  [bids = [], asks = []]: readonly (readonly RecordedLevel[])[],
): void {
  if (book.recorded === null) return
  for (const level of bids) restoreRecorded(book.recorded.bids, level)
  for (const level of asks) restoreRecorded(book.recorded.asks, level)
}

/** The interfaces of `model` hold nothing but plain data, which their types cannot say. */
function plain(value: object): Plain {
  return value as Plain
}

function section<T>(values: ReadonlyMap<string, Plain>, name: string): T {
  return defined(values.get(name), `a snapshot has a section ${name}`) as T
}
