/**
 * Histories beside the engine: a bounded sink of events; the oldest records go first, and queries say
 * what they hold. Trades, orders, prices and candles by instrument; trades, settlements and the log of
 * cash by account. What trigger orders became is told by their last state, so that they need no list
 * of their own.
 *
 * Source: DESIGN 1 (histories live in `rpc/history`); trading.md 4.8; market.md 3.6, 5.4, 8; coverage
 * R35.
 */
import type { AccountId, InstrumentId, Micros, OrderId } from '../../core/index.ts'
import {
  type AccountBankrupt,
  type DeliveryPriceFixed,
  type EventOf,
  type EventSink,
  type EventTakers,
  type Fill,
  type HistoryLimits,
  type IndexChanged,
  type Instrument,
  type LossShared,
  type MarkChanged,
  type OrderChanged,
  sinkOf,
  type TapeTrade,
  type Trade,
} from '../../model/index.ts'
import { type Candle, recordCandle } from './candles.ts'
import { type Cuts, createCuts } from './cuts.ts'
import { limitsOf } from './limits.ts'
import { append, entryOf } from './lists.ts'
import { logFill, logGiven, logTransferSide } from './log/fills.ts'
import { noteFunding } from './log/interest.ts'
import { logCashTransfer, logDeposit, logLoss, logSettlement } from './log/money.ts'
import { createTransactionLog, type EquityReader, type TransactionLog } from './log/transactions.ts'
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
  readonly transactions: TransactionLog
  /** Money between accounts, of each that gave or received it. */
  readonly transfers: Map<AccountId, EventOf<'transfer'>[]>
  /** Of sessions of direct access; the desk writes them, which knows who asked. */
  readonly messages: SessionMessages
  /** Which of the lists are no longer whole. */
  readonly cuts: Cuts
}

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
    transactions: createTransactionLog(limits.transactions),
    transfers: new Map(),
    messages: createSessionMessages(),
    cuts: createCuts(),
  }
}

/** Records each event where it belongs. */
export function historySink(history: History, equityOf: EquityReader): EventSink {
  return sinkOf({
    trade: (event) => recordTrade(history, event, equityOf),
    print: (event) => recordTape(history, event),
    order: (event) => {
      history.orders.set(event.order, event)
      if (event.state !== 'open' && event.state !== 'untriggered') endOrder(history, event.order)
    },
    index: (event) =>
      recordPrice(entryOf(history.indices, event.index, createSeries), event, history.limits),
    mark: (event) =>
      recordPrice(entryOf(history.marks, event.instrument, createSeries), event, history.limits),
    funding_rate: ({ instrument, time, rate8 }) => {
      const series = entryOf(history.funding, instrument, createRateSeries)
      addRate(series, { time, value: rate8 }, history.limits.prices)
    },
    instrument: ({ instrument }) => {
      history.instruments.set(instrument.id, instrument)
    },
    account: ({ account, house, time }) => {
      if (house) history.houses.add(account)
      else history.opened.set(account, time)
    },
    ...moneyTakers(history, equityOf),
  })
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
  if (history.houses.has(of.fill.account)) return
  const liquidation = history.orders.get(of.fill.order)?.liquidation ?? false
  logFill(history.transactions, { ...of, liquidation }, equityOf)
}

function recordPrice(
  series: Series,
  { time, price }: IndexChanged | MarkChanged,
  limits: HistoryLimits,
): void {
  addValue(series, { time, value: price }, limits.prices)
}

/** What moves cash beside trades: records and logs. Accounts of the house have no logs. */
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
        append(history.transfers, account, event, history.limits.transactions)
      }
    },
    given_position: (event) => {
      const instrument = history.instruments.get(event.instrument)
      if (instrument === undefined || isHouse(event.account)) return
      logGiven(history.transactions, { event, instrument }, equityOf)
    },
    position_transfer: (event) => {
      const instrument = history.instruments.get(event.instrument)
      // As of a trade: a history that began later cannot tell the currency.
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
    delivery_price: (event) => keepSettlement(history, event),
  }
}

function recordLoss(
  history: History,
  event: AccountBankrupt | LossShared,
  equityOf: EquityReader,
): void {
  if (history.houses.has(event.account)) return
  logLoss(history.transactions, event, equityOf)
  keepOwnSettlement(history, event)
}

function keepSettlement(
  { settlements, limits, cuts }: History,
  event: PublicSettlement | DeliveryPriceFixed,
): void {
  const isCut = recordSettlement(settlements, event, limits.settlements)
  if (isCut && event.kind !== 'delivery_price') cuts.settlements.add(event.currency)
}

function keepOwnSettlement({ settlements, limits, cuts }: History, event: AccountSettlement): void {
  const isCut = recordAccountSettlement(settlements, event, limits.accountSettlements)
  if (isCut) cuts.accountSettlements.add(event.account)
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
