/**
 * Histories beside the engine: a bounded sink of events; the oldest records go first, and queries say
 * what they hold. Trades, orders, prices and candles by instrument; trades, settlements and the log of
 * cash by account. What trigger orders became is told by their last state, so that they need no list
 * of their own.
 *
 * Source: DESIGN 1 (histories live in `rpc/history`); trading.md 4.8; market.md 3.6, 5.4, 8; coverage
 * R35.
 */
import type { AccountId, Amount, InstrumentId, Micros, OrderId } from '../../core/index.ts'
import type {
  Currency,
  DeliveryPriceFixed,
  Event,
  EventOf,
  Fill,
  HistoryLimits,
  Instrument,
  OrderChanged,
  TapeTrade,
  Trade,
} from '../../model/index.ts'
import { type Candle, recordCandle } from './candles.ts'
import { type Cuts, createCuts } from './cuts.ts'
import { limitsOf } from './limits.ts'
import { append, entryOf } from './lists.ts'
import {
  type Cash,
  postCashTransfer,
  postDeposit,
  postFill,
  postGiven,
  postLoss,
  postSettlement,
  postShared,
  postTransferSide,
} from './log/cash.ts'
import { logFill, logGiven, logTransferSide } from './log/fills.ts'
import { noteFunding } from './log/interest.ts'
import { logCashTransfer, logDeposit, logLoss, logSettlement } from './log/money.ts'
import { createTransactionLog, type TransactionLog } from './log/transactions.ts'
import {
  addRate,
  addValue,
  createRateSeries,
  createSeries,
  type RateSeries,
  type Series,
} from './series.ts'
import { createSessionMessages, type SessionMessages } from './session-messages.ts'
import {
  type AccountSettlement,
  createSettlements,
  type PublicSettlement,
  recordAccountSettlement,
  recordSettlement,
  type Settlements,
} from './settlements.ts'

/** What a user trade shows of its order beside the fill. */
export type OrderTraits = Pick<
  OrderChanged,
  | 'type'
  | 'label'
  | 'postOnly'
  | 'reduceOnly'
  | 'replaced'
  | 'triggeredBy'
  | 'advanced'
  | 'liquidation'
  | 'extras'
>

/**
 * One account's side of a trade, with the traits of its order before the fill: they alone are kept,
 * because the whole event of each fill would stay alive with them.
 */
export interface UserTrade {
  readonly trade: Trade
  readonly fill: Fill
  readonly order: OrderTraits
}

/** What has been, oldest first. */
export interface History {
  readonly limits: HistoryLimits
  /** Instruments as they were listed. */
  readonly instruments: Map<InstrumentId, Instrument>
  /** Accounts of the house, which nobody asks for. */
  readonly houses: Set<AccountId>
  /** When the others were opened. */
  readonly opened: Map<AccountId, Micros>
  /** The public tape: matches of this venue and recorded trades. */
  readonly trades: Map<InstrumentId, TapeTrade[]>
  readonly userTrades: Map<AccountId, UserTrade[]>
  readonly orders: Map<OrderId, OrderChanged>
  /** Ids of ended orders in the order of their end. */
  ended: OrderId[]
  readonly candles: Map<InstrumentId, Candle[]>
  readonly settlements: Settlements
  readonly indices: Map<string, Series>
  readonly marks: Map<InstrumentId, Series>
  readonly funding: Map<InstrumentId, RateSeries>
  readonly cash: Cash
  readonly transactions: TransactionLog
  /** Money between accounts, of each that gave or received it. */
  readonly transfers: Map<AccountId, EventOf<'cash_transferred'>[]>
  /** Of sessions of direct access; the desk writes them, which knows who asked. */
  readonly messages: SessionMessages
  /** Which of the lists are no longer whole. */
  readonly cuts: Cuts
}

/** What an account is worth in a currency at the moment of an event. */
export type EquityReader = (account: AccountId, currency: Currency) => Amount

/** A history of nothing. */
export function createHistory(given: Partial<HistoryLimits> = {}): History {
  const limits = limitsOf(given)
  return {
    limits,
    instruments: new Map(),
    houses: new Set(),
    opened: new Map(),
    trades: new Map(),
    userTrades: new Map(),
    orders: new Map(),
    ended: [],
    candles: new Map(),
    settlements: createSettlements(),
    indices: new Map(),
    marks: new Map(),
    funding: new Map(),
    cash: new Map(),
    transactions: createTransactionLog(limits.transactions),
    transfers: new Map(),
    messages: createSessionMessages(),
    cuts: createCuts(),
  }
}

/** Records an event where it belongs. */
export function recordEvent(history: History, event: Event, equityOf: EquityReader): void {
  switch (event.kind) {
    case 'trade':
      recordTrade(history, event, equityOf)
      return
    case 'print':
      recordTape(history, event)
      return
    case 'order_opened':
    case 'order_filled':
    case 'order_rested':
    case 'order_edited':
    case 'order_resized':
    case 'order_refreshed':
    case 'order_triggered':
    case 'order_rejected':
    case 'order_cancelled':
      history.orders.set(event.order, event)
      if (event.state !== 'open' && event.state !== 'untriggered') endOrder(history, event.order)
      return
    case 'index_changed':
      recordPrice(history, history.indices, { key: event.index, event })
      return
    case 'mark_changed':
      recordPrice(history, history.marks, { key: event.instrument, event })
      return
    case 'funding_rate_changed': {
      const series = entryOf(history.funding, event.instrument, createRateSeries)
      addRate(series, { time: event.time, value: event.rate8 }, history.limits.prices)
      return
    }
    case 'instrument_listed':
      history.instruments.set(event.instrument.id, event.instrument)
      return
    case 'account_opened':
      if (event.house) history.houses.add(event.account)
      else history.opened.set(event.account, event.time)
      return
    default:
      recordMoney(history, event, equityOf)
  }
}

function recordTrade(history: History, trade: Trade, equityOf: EquityReader): void {
  recordTape(history, trade)
  recordTraits(history, trade, trade.maker)
  recordTraits(history, trade, trade.taker)
  const instrument = history.instruments.get(trade.instrument)
  if (instrument === undefined) return
  recordFill(history, { trade, fill: trade.maker, instrument }, equityOf)
  recordFill(history, { trade, fill: trade.taker, instrument }, equityOf)
}

/** The tape and its candles, of matches and of recorded trades. */
function recordTape(history: History, trade: TapeTrade): void {
  const { limits, candles, cuts } = history
  const isCut = append(history.trades, trade.instrument, trade, limits.trades)
  if (isCut) cuts.trades.add(trade.instrument)
  const instrument = history.instruments.get(trade.instrument)
  // A history that began later than the instrument cannot tell what its trades were worth.
  if (instrument === undefined) return
  recordCandle(candles, trade, { instrument, limit: limits.candles })
}

function recordTraits(history: History, trade: Trade, fill: Fill): void {
  const order = history.orders.get(fill.order)
  // A history that began later than the order cannot tell its facts, and leaves the fill out.
  if (order === undefined) return
  const kept = { trade, fill, order: traitsOf(order) }
  const isCut = append(history.userTrades, fill.account, kept, history.limits.trades)
  if (isCut) history.cuts.userTrades.add(fill.account)
}

/** What a trade tells of its order, written out as every fill of the run has one. */
export function traitsOf(order: OrderTraits): OrderTraits {
  const { type, label, postOnly, reduceOnly, replaced, triggeredBy } = order
  const { advanced, liquidation, extras } = order
  return {
    type,
    label,
    postOnly,
    reduceOnly,
    replaced,
    triggeredBy,
    advanced,
    liquidation,
    extras,
  }
}

function recordFill(
  history: History,
  of: { readonly trade: Trade; readonly fill: Fill; readonly instrument: Instrument },
  equityOf: EquityReader,
): void {
  const { cash, transactions } = history
  if (history.houses.has(of.fill.account)) {
    postFill(cash, of, of.instrument)
    return
  }
  const liquidation = history.orders.get(of.fill.order)?.liquidation ?? false
  logFill(
    transactions,
    { trade: of.trade, fill: of.fill, instrument: of.instrument, liquidation },
    { cash, equityOf },
  )
}

function recordPrice<K>(
  history: History,
  lists: Map<K, Series>,
  { key, event }: { readonly key: K; readonly event: EventOf<'index_changed' | 'mark_changed'> },
): void {
  const { time, price } = event
  addValue(entryOf(lists, key, createSeries), { time, value: price }, history.limits.prices)
}

/** What moves cash beside trades: records, running balances, logs. */
function recordMoney(history: History, event: Event, equityOf: EquityReader): void {
  const { cash, transactions, houses, limits } = history
  switch (event.kind) {
    case 'cash_posted':
      postDeposit(cash, event)
      if (!houses.has(event.account)) logDeposit(transactions, event, { cash, equityOf })
      return
    case 'cash_transferred':
      postCashTransfer(cash, event)
      for (const account of [event.from, event.to]) {
        if (houses.has(account)) continue
        logCashTransfer(transactions, { event, account }, { cash, equityOf })
        append(history.transfers, account, event, limits.transactions)
      }
      return
    case 'position_given':
      recordGiven(history, event, equityOf)
      return
    case 'position_transferred':
      recordTransfer(history, event, equityOf)
      return
    case 'funding_accrued':
      if (!houses.has(event.account)) noteFunding(transactions, event)
      return
    case 'position_settled':
      postSettlement(cash, event)
      if (houses.has(event.account)) return
      logSettlement(transactions, { event, isOption: isOption(history, event) }, { cash, equityOf })
      keepOwnSettlement(history, event)
      return
    case 'account_bankrupt':
    case 'loss_shared':
      postLoss(cash, event)
      if (houses.has(event.account)) return
      logLoss(transactions, event, { cash, equityOf })
      keepOwnSettlement(history, event)
      return
    case 'bankruptcy_settled':
      postShared(cash, event)
      keepSettlement(history, event)
      return
    case 'instrument_settled':
    case 'delivery_price_fixed':
      keepSettlement(history, event)
      return
    default:
      return
  }
}

function keepSettlement(
  { settlements, limits, cuts }: History,
  event: PublicSettlement | DeliveryPriceFixed,
): void {
  const isCut = recordSettlement(settlements, event, limits.settlements)
  if (isCut && event.kind !== 'delivery_price_fixed') cuts.settlements.add(event.currency)
}

function keepOwnSettlement({ settlements, limits, cuts }: History, event: AccountSettlement): void {
  const isCut = recordAccountSettlement(settlements, event, limits.accountSettlements)
  if (isCut) cuts.accountSettlements.add(event.account)
}

function isOption({ instruments }: History, of: { readonly instrument: InstrumentId }): boolean {
  return instruments.get(of.instrument)?.kind === 'option'
}

/** A position that a scenario gave. */
function recordGiven(
  history: History,
  event: EventOf<'position_given'>,
  equityOf: EquityReader,
): void {
  const { cash, transactions, houses } = history
  const instrument = history.instruments.get(event.instrument)
  if (instrument === undefined) return
  if (houses.has(event.account)) postGiven(cash, event, instrument)
  else logGiven(transactions, { event, instrument }, { cash, equityOf })
}

/** A position that changed hands: both sides move cash, and those that are no house's have logs. */
function recordTransfer(
  history: History,
  event: EventOf<'position_transferred'>,
  equityOf: EquityReader,
): void {
  const { cash, transactions, houses } = history
  const instrument = history.instruments.get(event.instrument)
  // As of a trade: a history that began later cannot tell the currency.
  if (instrument === undefined) return
  const currency = instrument.settlementCurrency
  for (const side of [event.from, event.to]) {
    if (houses.has(side.account)) postTransferSide(cash, event, { side, currency })
    else logTransferSide(transactions, { event, side, instrument }, { cash, equityOf })
  }
}

function endOrder(history: History, order: OrderId): void {
  history.ended.push(order)
  const { endedOrders } = history.limits
  if (history.ended.length < endedOrders * 2) return
  const gone = history.ended.length - endedOrders
  history.cuts.orders = true
  for (const old of history.ended.slice(0, gone)) {
    history.orders.delete(old)
  }
  history.ended = history.ended.slice(gone)
}
