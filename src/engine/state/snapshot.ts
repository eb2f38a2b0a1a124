/**
 * Snapshots: the whole state of an exchange as bytes, and back.
 *
 * Sections: `engine` (clock, counters, configuration, accounts, instruments, indices, holdings),
 * `orders` (live orders by account, and the queues of every book in match order; what waits for a price
 * is put back from them), `ledger`, `margin`,
 * `timers`. Slots are not kept: a restored exchange gives new ones, and nothing observable depends on
 * them. Each section has its own checksum (core/bytes/sections.ts).
 */
import {
  addTrigger,
  aheadOf,
  hiddenOf,
  ownerOf,
  priceOf,
  type RecordedLevel,
  recordedLevels,
  remainingOf,
  restOrder,
  restoreRecorded,
  setAhead,
  setHidden,
  visitOrders,
} from '../../book/index.ts'
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
  price9,
  type Result,
  restoreTimerQueue,
  type SectionFault,
  snapshotTimerQueue,
  ticks,
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
  type FundingState,
  type InstrumentRow,
  indexRow,
  instrumentRow,
  linkSpreads,
  setMark,
  type TimerTask,
} from './exchange.ts'
import { addHolding } from './holdings.ts'
import { creationTimeAt, type LiveOrder, setUpdateTime, updateTimeAt } from './order-records.ts'
import {
  listOrder,
  newRecord,
  orderAt,
  rowOfInstrument,
  takeOrderSlot,
  visitAccountOrders,
} from './orders.ts'

const MAGIC = 'PITCLOCK'
const VERSION = 4

/** What only changes about an instrument, as plain data. */
type InstrumentState = {
  readonly instrument: Instrument
  readonly queue: QueueModel | null
  readonly recorded: readonly (readonly RecordedLevel[])[]
  readonly state: InstrumentRow['state']
  readonly mark: number
  readonly markRule: InstrumentRow['markRule']
  readonly ema9: number
  readonly sleeps: boolean
  readonly funding: FundingState | null
  readonly settlementPrice: number
  readonly deliveryPrice: number
  readonly isDelivered: boolean
  readonly deliveredAt: number
  readonly stateBefore: InstrumentRow['stateBefore']
  readonly bandMin: number
  readonly bandMax: number
  readonly tradeSeq: number
  readonly lastPrice: number
  readonly lastMove: InstrumentRow['lastMove']
  readonly changeId: number
}

/** An account and its settings. */
type AccountState = Pick<AccountRow, 'account' | 'selfMatch' | 'selfMatchExtended'>

/** A live order as plain data. */
type OrderState = {
  readonly order: LiveOrder
  readonly account: number
  readonly price: number
  readonly remaining: number
  readonly hidden: number
  readonly ahead: number
  readonly createdAt: number
  readonly updatedAt: number
}

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
  readonly gridScheduled: boolean
  readonly unsettled: readonly number[]
  readonly settling: readonly number[]
  readonly roundings: readonly number[]
}

type OrdersSection = {
  /** Every live order, by account in the order of creation. */
  readonly live: readonly OrderState[]
  /** Ids of resting orders, book by book, bids then asks, each in match order. */
  readonly queues: readonly (readonly [readonly number[], readonly number[]])[]
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
    instruments: exchange.instruments.map((row) => ({
      instrument: row.instrument,
      queue: row.queue,
      recorded: recordedLevelsOf(row),
      state: row.state,
      mark: row.mark,
      markRule: row.markRule,
      ema9: row.ema9,
      sleeps: row.sleeps,
      funding: row.funding === null ? null : { ...row.funding },
      settlementPrice: row.settlementPrice,
      deliveryPrice: row.deliveryPrice,
      isDelivered: row.isDelivered,
      deliveredAt: row.deliveredAt,
      stateBefore: row.stateBefore,
      bandMin: row.bandMin,
      bandMax: row.bandMax,
      tradeSeq: row.tradeSeq,
      lastPrice: row.lastPrice,
      lastMove: row.lastMove,
      changeId: row.changeId,
    })),
    holdingAccount: exchange.holdings.map(({ account }) => account),
    holdingInstrument: exchange.holdings.map(({ row }) => row.instrument.id),
    holdingFunded: exchange.holdings.map(({ funded }) => funded),
    orderNumbers: exchange.orderNumbers,
    tradeNumbers: exchange.tradeNumbers,
    sessionEndScheduled: exchange.sessionEndScheduled,
    gridScheduled: exchange.gridScheduled,
    unsettled: [...exchange.unsettled],
    settling: [...exchange.settling],
    roundings: exchange.roundings,
  }
}

function ordersSection(exchange: Exchange): OrdersSection {
  const live: OrderState[] = []
  for (const { account } of exchange.accounts) {
    visitAccountOrders(exchange, account.id, (slot) => {
      live.push({
        order: orderAt(exchange, slot),
        account: ownerOf(exchange.slots, slot),
        price: priceOf(exchange.slots, slot),
        remaining: remainingOf(exchange.slots, slot),
        hidden: hiddenOf(exchange.slots, slot),
        ahead: aheadOf(exchange.slots, slot),
        createdAt: creationTimeAt(exchange.orders, slot),
        updatedAt: updateTimeAt(exchange.orders, slot),
      })
    })
  }
  const queueOf = (row: InstrumentRow, side: 'buy' | 'sell'): number[] => {
    const ids: number[] = []
    visitOrders(row.book, side, (slot) => ids.push(orderAt(exchange, slot).id))
    return ids
  }
  const queues = exchange.instruments.map(
    (row) => [queueOf(row, 'buy'), queueOf(row, 'sell')] as const,
  )
  return { live, queues }
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
  exchange.gridScheduled = engine.gridScheduled
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
  row.state = state.state
  setMark(row, price9(state.mark))
  row.markRule = state.markRule
  row.ema9 = state.ema9
  row.sleeps = state.sleeps
  if (row.funding !== null && state.funding !== null) Object.assign(row.funding, state.funding)
  row.settlementPrice = price9(state.settlementPrice)
  row.deliveryPrice = price9(state.deliveryPrice)
  row.isDelivered = state.isDelivered
  row.deliveredAt = micros(state.deliveredAt)
  row.stateBefore = state.stateBefore
  row.bandMin = ticks(state.bandMin)
  row.bandMax = ticks(state.bandMax)
  row.tradeSeq = state.tradeSeq
  row.lastPrice = price9(state.lastPrice)
  row.lastMove = state.lastMove
  row.changeId = state.changeId
  exchange.instruments.push(row)
  exchange.instrumentIds.set(row.instrument.name, row.instrument.id)
  linkSpreads(exchange, row)
  if (!row.isDelivered) row.index.followers.push(row.instrument.id)
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

function restoreOrders(exchange: Exchange, orders: OrdersSection): void {
  const slots = new Map<number, number>()
  for (const state of orders.live) {
    const { order } = state
    const row = rowOfInstrument(exchange, order.instrument)
    const slot = takeOrderSlot(exchange, state)
    Object.assign(newRecord(exchange, slot, state.createdAt), order)
    listOrder(exchange, slot)
    setHidden(exchange.slots, slot, state.hidden)
    setUpdateTime(exchange.orders, slot, state.updatedAt)
    slots.set(order.id, slot)
    const { stage, trigger, holding } = order
    if (stage === 'untriggered' && trigger !== null) {
      addTrigger(row.triggers[trigger.source], trigger.waiting)
    }
    if (stage === 'resting' && order.reduceOnly) {
      defined(exchange.holdings[holding], 'an order has a holding').reducing.push(slot)
    }
  }
  orders.queues.forEach(([bids, asks], instrument) => {
    const { book } = defined(exchange.instruments[instrument], 'a queue is of a listed instrument')
    for (const id of bids) restOrder(book, 'buy', defined(slots.get(id), 'a queued order lives'))
    for (const id of asks) restOrder(book, 'sell', defined(slots.get(id), 'a queued order lives'))
  })
  // Resting gave each order a place of its own; it had another.
  for (const { order, ahead } of orders.live) {
    setAhead(exchange.slots, defined(slots.get(order.id), 'an order that lives has a slot'), ahead)
  }
  for (const { id, payload } of snapshotTimerQueue(exchange.timers).timers) {
    if (payload.kind === 'order_arrival') exchange.arrivals.set(payload.order, id)
  }
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
