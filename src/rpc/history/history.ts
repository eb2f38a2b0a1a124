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
  changing,
  fixed,
  type InstrumentId,
  mapOf,
  type OrderId,
  plainUnit,
  type RowOf,
  rowUnit,
  setOf,
  type Unit,
  units,
} from '../../core/index.ts'
import {
  borrowing,
  type Currency,
  type EventOf,
  type EventSink,
  type EventTakers,
  eventUnits,
  type Fill,
  type HistoryLimits,
  type Instrument,
  type OrderChanged,
  sinkOf,
  type TapeTrade,
  type Trade,
} from '../../model/index.ts'
import type { AccessRecord } from './access-log.ts'
import type { Announcement } from './announcements.ts'
import type { BlockRecord } from './blocks.ts'
import { type Candle, recordCandle } from './candles.ts'
import { KeptOrders, keptOrdersUnit } from './kept-orders.ts'
import { limitsOf } from './limits.ts'
import { entryOf } from './lists.ts'
import { logFill, logGiven, logTransferSide } from './log/fills.ts'
import { noteFunding } from './log/interest.ts'
import { logCashTransfer, logDeposit, logLoss, logSettlement } from './log/money.ts'
import { createTransactionLog, type EquityReader, transactionLogFields } from './log/transactions.ts'
import { recordPayment } from './payments.ts'
import { addHourly, addRate, addValue, createRateSeries, createSeries, type RateSeries, type Series } from './series.ts'
import { createSessionMessages, sessionMessagesFields } from './session-messages.ts'
import { noteHandedOn, type OrderTraits, partOf, traitsOf, type UserTrade, wholeTrade } from './user-trades.ts'
import { createVolatility, noteOptionMark, volatilityUnit } from './volatility.ts'
import { createWindows, keepRow, rowsOf, windowsUnit } from './windows.ts'

/** Public settlements: of an instrument, or of a currency with a bankruptcy. */
export type PublicSettlement = EventOf<'instrument_settlement' | 'currency_bankruptcy'>

/** Settlements that concern one account. */
export type AccountSettlement = EventOf<'settlement' | 'bankruptcy' | 'shared_loss'>

const series = plainUnit<Series>('series')
const rates = plainUnit<RateSeries>('series of rates')

export const historyFields = {
  limits: fixed(plainUnit<HistoryLimits>('limits')),
  /** Instruments as they were listed, with their current tick steps. */
  instruments: fixed(mapOf(units.instrumentId, eventUnits.instrument)),
  /** Accounts of the house. No query asks for them. */
  houses: fixed(setOf(units.accountId)),
  /** Opening times of all other accounts. */
  opened: fixed(mapOf(units.accountId, units.micros)),
  /** The public tape: trades of this venue and recorded trades. */
  trades: fixed(windowsUnit<InstrumentId, TapeTrade>(units.instrumentId, 'trades')),
  userTrades: fixed(windowsUnit<AccountId, UserTrade>(units.accountId, 'trades')),
  orders: fixed(keptOrdersUnit(mapOf(units.orderId, plainUnit<OrderChanged>('order')))),
  /** Ids of ended orders in the order of their end, and whether older ones were dropped. */
  ended: changing(plainUnit<OrderId[]>('orders')),
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
  /** Announcements of the venue. The request router also writes them. */
  announcements: fixed(plainUnit<Announcement[]>('announcements')),
  /** Access logs. The request router writes them, because it knows the requests. */
  accessLog: fixed(windowsUnit<AccountId, AccessRecord>(units.accountId, 'entries')),
  /**
   * Messages to sessions of direct access. `gateways` writes them from the events that the request router passes on.
   */
  messages: fixed(rowUnit('messages', sessionMessagesFields)),
}

/** The newest rows of each kind, oldest first. */
export interface History extends RowOf<typeof historyFields> {}

/** Histories in snapshots. */
export const historyUnit: Unit<History> = rowUnit('history', historyFields)

/** Creates an empty history. */
export function createHistory(given: Partial<HistoryLimits> = {}): History {
  const limits = limitsOf(given)
  return {
    limits,
    instruments: new Map(),
    houses: new Set(),
    opened: new Map(),
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
  const sink = sinkOf({
    trade: (event) => recordTrade(history, event, equityOf),
    print: (event) => recordTape(history, event),
    order: (event) => {
      history.orders.set(event)
      const { order, state } = event
      if (state !== 'open' && state !== 'untriggered') history.ended.push(order)
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
  })
  return borrowing(sink, ['order'])
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
  recordFill(history, maker, { instrument, equityOf })
  recordFill(history, taker, { instrument, equityOf })
}

function traitsIn({ orders }: History, { order: id }: Fill): OrderTraits | undefined {
  const order = orders.look(id)
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
  const { limits, candles } = history
  keepRow(history.trades, trade.instrument, { row: trade, limit: limits.trades })
  const instrument = history.instruments.get(trade.instrument)
  // A history that began after the instrument was listed cannot compute the value of its trades.
  if (instrument === undefined || isOfBlock(trade)) return
  recordCandle(candles, trade, { instrument, limit: limits.candles })
}

/** True for a trade of a block, whose price is not a price of the book. */
export function isOfBlock(trade: TapeTrade): boolean {
  return 'block' in trade && trade.block !== null
}

/** Adds a leg to its block; the first leg starts the record of the block. */
function recordBlock(history: History, trade: Trade, number: number): void {
  const { blocks, blockTrades, limits } = history
  keepRow(blockTrades, trade.instrument, { row: trade, limit: limits.trades })
  for (const { account } of [trade.maker, trade.taker]) {
    const last = rowsOf(blocks, account).at(-1)
    if (last?.number === number) last.trades.push(trade)
    else {
      const row = { number, time: trade.time, trades: [trade] }
      keepRow(blocks, account, { row, limit: limits.trades })
    }
  }
}

function recordTraits(history: History, { trade, fill, order }: Side): void {
  // A history that began after the order does not know its traits and skips the fill.
  if (order === undefined) return
  const kept = { trade, fill, order }
  keepRow(history.userTrades, fill.account, { row: kept, limit: history.limits.trades })
}

function recordFill(
  history: History,
  { trade, fill, order }: Side,
  of: { readonly instrument: Instrument; readonly equityOf: EquityReader },
): void {
  if (history.houses.has(fill.account)) return
  const liquidation = order?.liquidation ?? false
  logFill(history.transactions, { trade, fill, instrument: of.instrument, liquidation }, of.equityOf)
}

function recordIndex({ indices, indexHours, limits }: History, { index, time, price }: EventOf<'index'>): void {
  const step = { time, value: price }
  addRate(entryOf(indices, index, createRateSeries), step, limits.prices)
  addHourly(entryOf(indexHours, index, createRateSeries), step, limits.prices)
}

function recordMark(history: History, event: EventOf<'mark'>): void {
  const { time, price, option } = event
  const { prices: limit } = history.limits
  const series = entryOf(history.marks, event.instrument, createSeries)
  addValue(series, { time, value: price }, limit)
  const instrument = option === null ? undefined : history.instruments.get(event.instrument)
  if (instrument === undefined) return
  const volatility = entryOf(history.volatilities, instrument.priceIndex, createVolatility)
  noteOptionMark(volatility, event, { instrument, limit })
}

/**
 * Takers of events that move cash without a trade: they add records and log rows. Accounts of the house have no logs.
 */
function moneyTakers(history: History, equityOf: EquityReader): EventTakers {
  const isHouse = (account: AccountId): boolean => history.houses.has(account)
  return {
    cash: (event) => {
      if (!isHouse(event.account)) logDeposit(history.transactions, event, equityOf)
    },
    transfer: (event) => {
      for (const account of [event.from, event.to]) {
        if (isHouse(account)) continue
        logCashTransfer(history.transactions, { event, account }, equityOf)
        keepRow(history.transfers, account, { row: event, limit: history.limits.transactions })
      }
    },
    payment: (event) => recordPayment(history.payments, event, history.limits.transactions),
    given_position: (event) => {
      const instrument = history.instruments.get(event.instrument)
      if (instrument === undefined || isHouse(event.account)) return
      logGiven(history.transactions, { event, instrument }, equityOf)
    },
    position_transfer: (event) => {
      if (event.reason === 'allocation') noteAllocation(history, event)
      const instrument = history.instruments.get(event.instrument)
      // As for trades, a history that began after the listing does not know the currency.
      if (instrument === undefined) return
      for (const side of [event.from, event.to]) {
        if (isHouse(side.account)) continue
        logTransferSide(history.transactions, { event, side, instrument }, equityOf)
      }
    },
    funding: (event) => {
      if (!isHouse(event.account)) noteFunding(history.transactions, event)
    },
    settlement: (event) => {
      if (isHouse(event.account)) return
      const isOption = history.instruments.get(event.instrument)?.kind === 'option'
      logSettlement(history.transactions, { event, isOption }, equityOf)
      keepOwnSettlement(history, event)
    },
    bankruptcy: (event) => recordLoss(history, event, equityOf),
    shared_loss: (event) => recordLoss(history, event, equityOf),
    currency_bankruptcy: (event) => keepSettlement(history, event),
    instrument_settlement: (event) => keepSettlement(history, event),
    delivery_price: (row) => {
      const { settlements: limit } = history.limits
      keepRow(history.deliveries, row.index, { row, limit })
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
  keepRow(userTrades, event.from.account, { row, limit: limits.trades })
}

function recordLoss(history: History, event: EventOf<'bankruptcy' | 'shared_loss'>, equityOf: EquityReader): void {
  if (history.houses.has(event.account)) return
  logLoss(history.transactions, event, equityOf)
  keepOwnSettlement(history, event)
}

function keepSettlement({ settlements, limits }: History, row: PublicSettlement): void {
  keepRow(settlements, row.currency, { row, limit: limits.settlements })
}

function keepOwnSettlement({ ownSettlements, limits }: History, row: AccountSettlement): void {
  keepRow(ownSettlements, row.account, { row, limit: limits.accountSettlements })
}

/**
 * Forgets the oldest ended orders above the limit. `submit` calls it before a command, because replies read orders that
 * the command ended. It stops at the first order that a waiting reply will read, so that no later one is missing.
 */
export function forgetEndedOrders(history: History, followed: ReadonlyMap<OrderId, unknown>): void {
  const { ended, limits, orders } = history
  if (ended.length < limits.endedOrders * 2) return
  const most = ended.length - limits.endedOrders
  let gone = 0
  for (; gone < most; gone += 1) {
    const id = ended[gone] as OrderId
    if (followed.has(id)) break
    orders.delete(id)
  }
  if (gone === 0) return
  history.isEndedCut = true
  history.ended = ended.slice(gone)
}
