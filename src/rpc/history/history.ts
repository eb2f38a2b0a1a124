/**
 * Histories of events for queries. They are a sink of bounded size: the oldest records are dropped first, and pages of
 * records report how far back they reach. Trades, orders, prices and candles are kept by instrument; trades,
 * settlements and the cash log by account. Trigger orders need no separate list, because their last state shows their
 * outcome.
 *
 * Source: DESIGN 1 (histories live in `rpc/history`); trading.md 4.8; market.md 3.6, 5.4, 8; coverage R35.
 */

import {
  type AccountId,
  amount,
  assert,
  changing,
  fixed,
  type InstrumentId,
  type Micros,
  mapOf,
  type OrderId,
  type Plain,
  plainUnit,
  type RowOf,
  rowUnit,
  setOf,
  type Unit,
  units,
} from '../../core/index.ts'
import {
  type AccessEntry,
  borrowing,
  type Currency,
  createLogReader,
  defaultHistoryLimits,
  type Event,
  type EventOf,
  type EventSink,
  type EventTakers,
  eventUnits,
  type Fill,
  type HistoryLimits,
  type Instrument,
  logBufferOf,
  type OrderChanged,
  readRecords,
  sinkOf,
  type TapeTrade,
  type Trade,
} from '../../model/index.ts'
import { type Candle, recordCandle } from './candles.ts'
import { KeptOrders, keptOrdersUnit } from './kept-orders.ts'
import { logFill, logGiven, logTransferSide } from './log/fills.ts'
import { logCashTransfer, logDeposit, logLoss, logSettlement, noteFunding } from './log/money.ts'
import { createTransactionLog, type EquityReader, transactionLogFields } from './log/transactions.ts'
import { type HistoryFile, NoteReader } from './notes.ts'
import { addHourly, addRate, addValue, createRateSeries, createSeries, type RateSeries, type Series } from './series.ts'
import { createSessionMessages, sessionMessagesFields } from './session-messages.ts'
import { noteHandedOn, type OrderTraits, partOf, traitsOf, type UserTrade, wholeTrade } from './user-trades.ts'
import { createVolatility, noteOptionMark, volatilityUnit } from './volatility.ts'
import { createWindows, entryOf, keepRow, rowsOf, type Windows, windowsUnit } from './windows.ts'

/** Public settlements: of an instrument, or of a currency with a bankruptcy. */
export type PublicSettlement = EventOf<'instrument_settlement' | 'currency_bankruptcy'>

/** Settlements that concern one account. */
export type AccountSettlement = EventOf<'settlement' | 'bankruptcy' | 'shared_loss'>

/**
 * Block trades of each account with all their legs, and of each instrument for its statistics.
 */

/** A block trade of an account. */
export interface BlockRecord {
  readonly number: number
  readonly time: Trade['time']
  /** In the order of the legs. */
  readonly trades: Trade[]
}

/** An entry without its number and time. */
export interface AccessNote {
  readonly account: AccountId
  readonly log: AccessEntry
  /** IP address of the client. */
  readonly ip: string
  /** The object of the entry, such as the name of a key; null without one. */
  readonly data: string | null
}

/** An entry of the log of an account. */
export interface AccessRecord extends Omit<AccessNote, 'account'> {
  /** Counts the entries of its account from 1. */
  readonly id: number
  readonly time: Micros
}

/** An announcement. */
export interface Announcement {
  /** Number of the announcement, from 1. */
  readonly id: number
  readonly time: Micros
  readonly title: string
  readonly body: string
  readonly important: boolean
  /** True if readers have to confirm it. */
  readonly confirmation: boolean
  /** Number of the deletion, from 1 in the order of deletions; omitted unless deleted. */
  readonly deletion?: number
  /** Accounts that have read it; omitted before the first one. */
  readonly readers?: readonly number[]
}

const series = plainUnit<Series>('series')

const rates = plainUnit<RateSeries>('series of rates')

/** Fields that do not follow from events. */
const writtenFields = {
  limits: fixed(plainUnit<HistoryLimits>('limits')),
  /** Announcements of the venue. The request router writes them. */
  announcements: fixed(plainUnit<Announcement[]>('announcements')),
  /** Access logs. The request router writes them, because it knows the requests. */
  accessLog: fixed(windowsUnit<AccountId, AccessRecord>(units.accountId, 'entries')),
  /** Messages to sessions of direct access. `gateways` also writes them when it answers requests. */
  messages: fixed(rowUnit('messages', sessionMessagesFields)),
}

const historyFields = {
  ...writtenFields,
  /** Instruments as they were listed, with their current tick steps. */
  instruments: fixed(mapOf(units.instrumentId, eventUnits.instrument)),
  /** Accounts of the house. No query asks for them. */
  houses: fixed(setOf(units.accountId)),
  /** Opening times of all other accounts. */
  opened: fixed(mapOf(units.accountId, units.micros)),
  /** Deposits less withdrawals by currency, including the initial insurance fund, in nano. */
  deposited: fixed(mapOf(eventUnits.currency, units.money)),
  /** The public tape: trades of this venue and recorded trades. */
  trades: fixed(windowsUnit<InstrumentId, TapeTrade>(units.instrumentId, 'trades')),
  userTrades: fixed(windowsUnit<AccountId, UserTrade>(units.accountId, 'trades')),
  orders: fixed(keptOrdersUnit(mapOf(units.orderId, plainUnit<OrderChanged>('order')))),
  /** Ids of ended orders in the order of their end, and whether older ones were dropped. */
  ended: fixed(plainUnit<OrderId[]>('orders')),
  isEndedCut: changing(units.flag),
  /** Block trades of each account, and the trades of their legs by instrument. They make no candles (R65). */
  blocks: fixed(windowsUnit<AccountId, BlockRecord>(units.accountId, 'blocks')),
  blockTrades: fixed(windowsUnit<InstrumentId, Trade>(units.instrumentId, 'trades')),
  candles: fixed(windowsUnit<InstrumentId, Candle>(units.instrumentId, 'candles')),
  settlements: fixed(windowsUnit<Currency, PublicSettlement>(eventUnits.currency, 'settlements')),
  ownSettlements: fixed(windowsUnit<AccountId, AccountSettlement>(units.accountId, 'settlements')),
  deliveries: fixed(windowsUnit<string, EventOf<'delivery_price'>>(units.text, 'delivery prices')),
  indices: fixed(mapOf(units.text, rates)),
  /** Hourly values of indices, which reach further back. */
  indexHours: fixed(mapOf(units.text, rates)),
  /** Volatility indices, by the price index of their options. */
  volatilities: fixed(mapOf(units.text, volatilityUnit)),
  marks: fixed(mapOf(units.instrumentId, series)),
  funding: fixed(mapOf(units.instrumentId, rates)),
  transactions: fixed(rowUnit('log', transactionLogFields)),
  /** Transfers between accounts, listed for both accounts. */
  transfers: fixed(windowsUnit<AccountId, EventOf<'transfer'>>(units.accountId, 'transfers')),
  /** Payments in their current state, for each account that sees them. */
  payments: fixed(windowsUnit<AccountId, EventOf<'payment'>>(units.accountId, 'payments')),
}

/** The newest rows of each kind, oldest first. */
export interface History extends RowOf<typeof historyFields> {}

/** Histories in snapshots. */
export const historyUnit: Unit<History> = rowUnit('history', historyFields)

/** The part of a history that does not follow from events, in snapshots of runs that keep their log. */
export const writtenUnit: Unit<RowOf<typeof writtenFields>> = rowUnit('history', writtenFields)

/** Creates an empty history. */
export function createHistory(given: Partial<HistoryLimits> = {}): History {
  const limits = limitsOf(given)
  return {
    limits,
    instruments: new Map(),
    houses: new Set(),
    opened: new Map(),
    deposited: new Map(),
    trades: createWindows(),
    userTrades: createWindows(),
    orders: new KeptOrders(),
    ended: [],
    isEndedCut: false,
    blocks: createWindows(),
    blockTrades: createWindows(),
    candles: createWindows(),
    settlements: createWindows(),
    ownSettlements: createWindows(),
    deliveries: createWindows(),
    indices: new Map(),
    indexHours: new Map(),
    volatilities: new Map(),
    marks: new Map(),
    funding: new Map(),
    transactions: createTransactionLog(limits.transactions),
    transfers: createWindows(),
    payments: createWindows(),
    announcements: [],
    accessLog: createWindows(),
    messages: createSessionMessages(),
  }
}

/** Adds each event to its lists. */
export function historySink(history: History, equityOf: EquityReader): EventSink {
  return borrowing(sinkOf(historyTakers(history, equityOf)), ['order'])
}

/** Makes histories from their saved part (`writtenUnit`), the log and the notes of a run. */
export function rebuildHistory(saved: Plain, file: HistoryFile): History {
  const written = writtenUnit.load(saved)
  const history = Object.assign(createHistory(written.limits), written)
  const notes = new NoteReader(file.notes(), {
    forgotten: (count) => forgetOldest(history, count),
    print: (event) => recordTape(history, event),
  })
  const takers: { [kind: string]: (event: Event) => void } = {}
  for (const [kind, take] of Object.entries(historyTakers(history, () => notes.equity()))) {
    takers[kind] = (event) => {
      notes.passUntil(event.number)
      // Each taker receives only events of its family.
      ;(take as (event: Event) => void)(event)
    }
  }
  const reader = createLogReader(takers as EventTakers, { isLent: (kind) => kind === 'order' })
  for (const records of file.log()) readRecords(reader, logBufferOf(records))
  notes.end()
  return history
}

/** Takers that add each event to its lists. They do not keep events of orders. */
function historyTakers(history: History, equityOf: EquityReader): EventTakers {
  return {
    trade: (event) => recordTrade(history, event, equityOf),
    print: (event) => recordTape(history, event),
    order: (event) => {
      history.orders.set(event)
      if (event.state !== 'open' && event.state !== 'untriggered') history.ended.push(event.order)
    },
    index: (event) => recordIndex(history, event),
    mark: (event) => recordMark(history, event),
    funding_rate: ({ instrument, time, rate8 }) => {
      const series = entryOf(history.funding, instrument, createRateSeries)
      addRate(series, { time, value: rate8 }, history.limits.prices)
    },
    instrument: ({ instrument }) => {
      history.instruments.set(instrument.id, instrument)
    },
    standing: ({ instrument }) => {
      if (instrument !== null) history.instruments.set(instrument.id, instrument)
    },
    account: ({ account, house, time }) => {
      if (house) history.houses.add(account)
      else history.opened.set(account, time)
    },
    ...moneyTakers(history, equityOf),
  }
}

function recordTrade(history: History, trade: Trade, equityOf: EquityReader): void {
  recordTape(history, trade)
  if (trade.block !== null) recordBlock(history, trade, trade.block.number)
  // Each order is looked up only once: the table is large and seldom in the cache.
  const maker = { trade, fill: trade.maker, order: traitsIn(history, trade.maker) }
  const taker = { trade, fill: trade.taker, order: traitsIn(history, trade.taker) }
  recordTraits(history, maker)
  recordTraits(history, taker)
  const instrument = history.instruments.get(trade.instrument)
  if (instrument === undefined) return
  recordFill(history, maker, instrument, equityOf)
  recordFill(history, taker, instrument, equityOf)
}

function traitsIn(history: History, fill: Fill): OrderTraits | undefined {
  const order = history.orders.look(fill.order)
  return order === undefined ? undefined : traitsOf(order)
}

/** One side of a trade with the traits of its order; undefined traits if the history began after the order. */
interface Side {
  readonly trade: Trade
  readonly fill: Fill
  readonly order: OrderTraits | undefined
}

/** Adds a trade of the venue or a recorded trade to the tape and its candles. */
function recordTape(history: History, trade: TapeTrade): void {
  keepRow(history.trades, trade.instrument, trade, history.limits.trades)
  const instrument = history.instruments.get(trade.instrument)
  // A history that began after the instrument was listed cannot compute the value of its trades.
  if (instrument === undefined || isOfBlock(trade)) return
  recordCandle(history.candles, trade, instrument, history.limits.candles)
}

/** True for a trade of a block, whose price is not a price of the book. */
export function isOfBlock(trade: TapeTrade): boolean {
  return 'block' in trade && trade.block !== null
}

/** Adds a leg to its block; the first leg starts the record of the block. */
function recordBlock(history: History, trade: Trade, number: number): void {
  const { blocks, blockTrades, limits } = history
  keepRow(blockTrades, trade.instrument, trade, limits.trades)
  for (const { account } of [trade.maker, trade.taker]) {
    const last = rowsOf(blocks, account).at(-1)
    if (last?.number === number) last.trades.push(trade)
    else {
      const row = { number, time: trade.time, trades: [trade] }
      keepRow(blocks, account, row, limits.trades)
    }
  }
}

function recordTraits(history: History, { trade, fill, order }: Side): void {
  // A history that began after the order does not know its traits and skips the fill.
  if (order === undefined) return
  const kept = { trade, fill, order }
  keepRow(history.userTrades, fill.account, kept, history.limits.trades)
}

function recordFill(
  history: History,
  { trade, fill, order }: Side,
  instrument: Instrument,
  equityOf: EquityReader,
): void {
  if (history.houses.has(fill.account)) return
  const liquidation = order?.liquidation ?? false
  logFill(history.transactions, { trade, fill, instrument, liquidation }, equityOf)
}

function recordIndex({ indices, indexHours, limits }: History, { index, time, price }: EventOf<'index'>): void {
  const step = { time, value: price }
  addRate(entryOf(indices, index, createRateSeries), step, limits.prices)
  addHourly(entryOf(indexHours, index, createRateSeries), step, limits.prices)
}

function recordMark(history: History, event: EventOf<'mark'>): void {
  const limit = history.limits.prices
  const series = entryOf(history.marks, event.instrument, createSeries)
  addValue(series, { time: event.time, value: event.price }, limit)
  const instrument = event.option === null ? undefined : history.instruments.get(event.instrument)
  if (instrument === undefined) return
  const volatility = entryOf(history.volatilities, instrument.priceIndex, createVolatility)
  noteOptionMark(volatility, event, instrument, limit)
}

/**
 * Takers of events that move cash without a trade: they add records and log rows. Accounts of the house have no logs.
 */
function moneyTakers(history: History, equityOf: EquityReader): EventTakers {
  const isHouse = (account: AccountId): boolean => history.houses.has(account)
  return {
    cash: (event) => {
      const { currency, change } = event
      history.deposited.set(currency, amount((history.deposited.get(currency) ?? 0n) + change))
      if (!isHouse(event.account)) logDeposit(history.transactions, event, equityOf)
    },
    transfer: (event) => {
      for (const account of [event.from, event.to]) {
        if (isHouse(account)) continue
        logCashTransfer(history.transactions, event, account, equityOf)
        keepRow(history.transfers, account, event, history.limits.transactions)
      }
    },
    payment: (event) => recordPayment(history.payments, event, history.limits.transactions),
    given_position: (event) => {
      const instrument = history.instruments.get(event.instrument)
      if (instrument === undefined || isHouse(event.account)) return
      logGiven(history.transactions, event, instrument, equityOf)
    },
    position_transfer: (event) => {
      if (event.reason === 'allocation') noteAllocation(history, event)
      const instrument = history.instruments.get(event.instrument)
      // As for trades, a history that began after the listing does not know the currency.
      if (instrument === undefined) return
      for (const side of [event.from, event.to]) {
        if (isHouse(side.account)) continue
        logTransferSide(history.transactions, event, side, instrument, equityOf)
      }
    },
    funding: (event) => {
      if (!isHouse(event.account)) noteFunding(history.transactions, event)
    },
    settlement: (event) => {
      if (isHouse(event.account)) return
      const isOption = history.instruments.get(event.instrument)?.kind === 'option'
      logSettlement(history.transactions, event, isOption, equityOf)
      keepOwnSettlement(history, event)
    },
    bankruptcy: (event) => recordLoss(history, event, equityOf),
    shared_loss: (event) => recordLoss(history, event, equityOf),
    currency_bankruptcy: (event) => keepSettlement(history, event),
    instrument_settlement: (event) => keepSettlement(history, event),
    delivery_price: (row) => {
      const { settlements: limit } = history.limits
      keepRow(history.deliveries, row.index, row, limit)
    },
  }
}

/**
 * Notes a part of a Block RFQ that its taker booked on another account. That account gets a separate trade for its
 * part, and the taker's trade lists the part.
 */
function noteAllocation({ userTrades, limits }: History, event: EventOf<'position_transfer'>): void {
  const whole = wholeTrade(userTrades, event)
  // The history began after the trade.
  if (whole === undefined) return
  noteHandedOn(whole, event)
  const row = partOf(whole, event)
  keepRow(userTrades, event.from.account, row, limits.trades)
}

function recordLoss(history: History, event: EventOf<'bankruptcy' | 'shared_loss'>, equityOf: EquityReader): void {
  if (history.houses.has(event.account)) return
  logLoss(history.transactions, event, equityOf)
  keepOwnSettlement(history, event)
}

function keepSettlement(history: History, row: PublicSettlement): void {
  keepRow(history.settlements, row.currency, row, history.limits.settlements)
}

function keepOwnSettlement(history: History, row: AccountSettlement): void {
  keepRow(history.ownSettlements, row.account, row, history.limits.accountSettlements)
}

/**
 * Forgets the oldest ended orders above the limit and returns their count. `submit` calls it before a command, because
 * replies read orders that the command ended. It stops at the first order that a waiting reply will read, so that no
 * later one is missing.
 */
export function forgetEndedOrders(history: History, followed: ReadonlyMap<OrderId, unknown>): number {
  const { ended, limits } = history
  if (ended.length < limits.endedOrders * 2) return 0
  const most = ended.length - limits.endedOrders
  let gone = 0
  while (gone < most && !followed.has(ended[gone] as OrderId)) gone += 1
  if (gone > 0) forgetOldest(history, gone)
  return gone
}

/** Forgets the oldest ended orders. */
function forgetOldest(history: History, count: number): void {
  for (const id of history.ended.splice(0, count)) history.orders.delete(id)
  history.isEndedCut = true
}

/**
 * Deposits, withdrawals and transfers between users, each in its current state.
 */

/** Keeps a payment and replaces its previous state. The receiver of a transfer sees it once it is confirmed. */
function recordPayment(
  payments: Windows<AccountId, EventOf<'payment'>>,
  event: EventOf<'payment'>,
  limit: number,
): void {
  keepPayment(payments, event, event.account, limit)
  if (event.type !== 'transfer' || event.state !== 'confirmed' || event.counterparty === -1) return
  keepPayment(payments, event, event.counterparty, limit)
}

function keepPayment(
  payments: Windows<AccountId, EventOf<'payment'>>,
  row: EventOf<'payment'>,
  account: AccountId,
  limit: number,
): void {
  const list = payments.rows.get(account)
  const at = list?.findLastIndex(({ type, payment }) => type === row.type && payment === row.payment)
  if (list !== undefined && at !== undefined && at >= 0) list[at] = row
  else keepRow(payments, account, row, limit)
}

/**
 * Checks the limits of the history; `HistoryLimits` documents what each limit counts.
 */

/** All limits, with defaults for missing ones. */
function limitsOf(given: Partial<HistoryLimits>): HistoryLimits {
  const limits = { ...defaultHistoryLimits, ...given }
  for (const limit of Object.values(limits)) {
    // A reply reads the last record of its request, so each limit must be at least 1.
    assert(Number.isSafeInteger(limit) && limit >= 1, 'a limit of the history is at least 1')
  }
  return limits
}

/**
 * Access logs: who logged on to each account, and changes of its keys, oldest first. The newest entries are kept. The
 * log contains no secrets, tokens or signatures (R57).
 */

/** Number of entries that are kept for each account; the oldest are dropped once there are twice as many. */
const ACCESSES_KEPT = 1000

/** The address of entries without a client: the machine of the venue. */
export const LOCAL_ADDRESS = '127.0.0.1'

/** The numbered entry of a note at a time. */
export function accessRecord(
  log: Windows<AccountId, AccessRecord>,
  { account, ...note }: AccessNote,
  time: Micros,
): AccessRecord {
  const id = (rowsOf(log, account).at(-1)?.id ?? 0) + 1
  return { id, time, ...note }
}

/** Adds an entry to the log of its account. */
export function addAccess(log: Windows<AccountId, AccessRecord>, note: AccessNote, time: Micros): void {
  keepRow(log, note.account, accessRecord(log, note, time), ACCESSES_KEPT)
}

/**
 * Announcements of the venue, oldest first, with the accounts that have read them. The newest are kept.
 */

/** Number of announcements that are kept; the oldest are dropped once there are twice as many. */
const ANNOUNCEMENTS_KEPT = 1000

/** The number of the next announcement. */
export function nextAnnouncementId(announcements: readonly Announcement[]): number {
  return (announcements.at(-1)?.id ?? 0) + 1
}

/** Adds an announcement with the next number. */
export function addAnnouncement(
  announcements: Announcement[],
  { time, title, body, important, confirmation }: Omit<Announcement, 'id' | 'deletion' | 'readers'>,
): void {
  const id = nextAnnouncementId(announcements)
  announcements.push({ id, time, title, body, important, confirmation })
  if (announcements.length >= ANNOUNCEMENTS_KEPT * 2) announcements.splice(0, announcements.length - ANNOUNCEMENTS_KEPT)
}

/** Marks an announcement as deleted, which its channel reports. It keeps its place, so that no number is used twice. */
export function deleteAnnouncement(announcements: Announcement[], id: number): void {
  const at = announcements.findIndex((each) => each.id === id)
  const found = announcements[at]
  if (found === undefined) return
  announcements[at] = { ...found, deletion: lastDeletion(announcements) + 1 }
}

/** Notes that an account has read an announcement. */
export function markRead(announcements: Announcement[], id: number, account: number): void {
  const at = announcements.findIndex((each) => each.id === id)
  const found = announcements[at]
  if (found === undefined || isReadBy(found, account)) return
  announcements[at] = { ...found, readers: [...(found.readers ?? []), account] }
}

/** True if an account has read an announcement. */
export function isReadBy({ readers = [] }: Announcement, account: number): boolean {
  return readers.includes(account)
}

/** The number of the last deletion among the stored announcements; 0 if none of them is deleted. */
export function lastDeletion(announcements: readonly Announcement[]): number {
  return announcements.reduce((last, { deletion = 0 }) => Math.max(last, deletion), 0)
}
