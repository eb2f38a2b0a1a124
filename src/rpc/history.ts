/**
 * Histories beside the engine: public trades of each instrument, user trades of each account, the
 * last state of orders. A bounded sink: the oldest records go first, and queries say what they hold.
 * What trigger orders became is told by their last state, so that they need no list of their own.
 *
 * Kept per instrument and per account: `trades` records; ended orders: `endedOrders`.
 * Source: DESIGN 1 (histories live in `rpc/history`); trading.md 4.8; coverage R35.
 */
import {
  type AccountId,
  assert,
  type InstrumentId,
  type Micros,
  type OrderId,
} from '../core/index.ts'
import { type Event, type Fill, NO_ORDER, type OrderChanged, type Trade } from '../model/index.ts'

/** How much is kept at least, each from 1; up to twice as much stands before the oldest go. */
export interface HistoryLimits {
  readonly trades: number
  readonly endedOrders: number
}

/** The venue keeps more; a run that needs more reads its tables. */
export const historyDefaults: HistoryLimits = { trades: 20_000, endedOrders: 20_000 }

/** What a user trade shows of its order beside the fill. */
export type OrderTraits = Pick<
  OrderChanged,
  'type' | 'label' | 'postOnly' | 'reduceOnly' | 'replaced' | 'triggeredBy'
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
  readonly trades: Map<InstrumentId, Trade[]>
  readonly userTrades: Map<AccountId, UserTrade[]>
  readonly orders: Map<OrderId, OrderChanged>
  /** Ids of ended orders in the order of their end. */
  ended: OrderId[]
}

/** A history of nothing. */
export function createHistory(limits: HistoryLimits): History {
  for (const limit of [limits.trades, limits.endedOrders]) {
    // A request's reply reads the last record, so that one of each is the least.
    assert(Number.isSafeInteger(limit) && limit >= 1, 'a limit of the history is at least 1')
  }
  return {
    limits,
    trades: new Map(),
    userTrades: new Map(),
    orders: new Map(),
    ended: [],
  }
}

/** Records an event where it belongs. */
export function recordEvent(history: History, event: Event): void {
  switch (event.kind) {
    case 'trade':
      append(history.trades, event.instrument, event, history.limits.trades)
      recordFill(history, event, event.maker)
      recordFill(history, event, event.taker)
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
    default:
      return
  }
}

/**
 * The trades of an order, oldest first. They are looked for from the newest record back to the
 * creation of the order, so that trades need no list for each order.
 */
export function tradesOfOrder(
  history: History,
  of: { readonly account: AccountId; readonly order: OrderId; readonly createdAt: Micros },
): readonly UserTrade[] {
  const found: UserTrade[] = []
  const records = history.userTrades.get(of.account) ?? []
  for (let at = records.length - 1; at >= 0; at -= 1) {
    const record = records[at]
    if (record === undefined || record.trade.time < of.createdAt) break
    if (record.fill.order === of.order) found.push(record)
  }
  return found.reverse()
}

/**
 * The orders of an account that have ended, as they ended: the last first. Those of one instant stand
 * in the order of their end.
 */
export function endedOrdersOf(history: History, account: AccountId): readonly OrderChanged[] {
  const found: OrderChanged[] = []
  for (let at = history.ended.length - 1; at >= 0; at -= 1) {
    const id = history.ended[at]
    const order = id === undefined ? undefined : history.orders.get(id)
    if (order !== undefined && order.account === account) found.push(order)
  }
  return found
}

/**
 * Whether an order is the primary of two that cancel each other. Its own links do not tell these from
 * two that are independent; those of the two do, as long as the history knows them.
 */
export function isPairPrimary(history: History, { links }: Pick<OrderChanged, 'links'>): boolean {
  const [first] = links.secondaries
  if (first === undefined) return false
  return (history.orders.get(first)?.links.pair ?? NO_ORDER) !== NO_ORDER
}

/** A history as plain data: maps as lists of entries. */
export interface HistoryState {
  readonly limits: HistoryLimits
  readonly trades: readonly (readonly [InstrumentId, readonly Trade[]])[]
  readonly userTrades: readonly (readonly [AccountId, readonly UserTrade[]])[]
  readonly orders: readonly (readonly [OrderId, OrderChanged])[]
  readonly ended: readonly OrderId[]
}

/** The history as plain data for a snapshot. */
export function snapshotHistory(history: History): HistoryState {
  return {
    limits: history.limits,
    trades: [...history.trades],
    userTrades: [...history.userTrades],
    orders: [...history.orders],
    ended: history.ended,
  }
}

/** The history of a snapshot. */
export function restoreHistory(state: HistoryState): History {
  return {
    limits: state.limits,
    trades: new Map(state.trades.map(([key, list]) => [key, [...list]])),
    userTrades: new Map(state.userTrades.map(([key, list]) => [key, [...list]])),
    orders: new Map(state.orders),
    ended: [...state.ended],
  }
}

function recordFill(history: History, trade: Trade, fill: Fill): void {
  const order = history.orders.get(fill.order)
  // A history that began later than the order cannot tell its facts, and leaves the fill out.
  if (order === undefined) return
  const { type, label, postOnly, reduceOnly, replaced, triggeredBy } = order
  const traits: OrderTraits = { type, label, postOnly, reduceOnly, replaced, triggeredBy }
  append(history.userTrades, fill.account, { trade, fill, order: traits }, history.limits.trades)
}

/** Appends, and cuts off the oldest half once twice the limit is reached. */
function append<K, T>(lists: Map<K, T[]>, key: K, value: T, limit: number): void {
  const list = lists.get(key)
  if (list === undefined) {
    lists.set(key, [value])
    return
  }
  list.push(value)
  if (list.length >= limit * 2) list.splice(0, list.length - limit)
}

function endOrder(history: History, order: OrderId): void {
  history.ended.push(order)
  const { endedOrders } = history.limits
  if (history.ended.length < endedOrders * 2) return
  const gone = history.ended.length - endedOrders
  for (const old of history.ended.slice(0, gone)) {
    history.orders.delete(old)
  }
  history.ended = history.ended.slice(gone)
}
