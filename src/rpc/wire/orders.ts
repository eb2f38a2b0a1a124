/**
 * Orders and user trades as JSON.
 *
 * Source: trading.md 5.1 (C16, C17: what is always there), 5.2; coverage R06 (own side), R29, R49, R51.
 */
import { defined } from '../../core/index.ts'
import type { OrderView } from '../../engine/index.ts'
import type { Fill, Instrument, OrderChanged, Trade } from '../../model/index.ts'
import type { OrderTraits } from '../history.ts'
import { instrumentIdOut, orderIdOut, tradeIdOut } from './ids.ts'
import { amountOut, contractsOut, moneyOut, priceOut, timeOut } from './numbers.ts'

/** The facts of an order that its JSON needs, `time` being its last change: any event of it. */
export type OrderFacts = Omit<OrderChanged, 'kind' | 'number' | 'cause'>

/** An order as JSON. Optional fields are present only under the rule of trading.md 5.1. */
export interface WireOrder {
  readonly order_id: string
  readonly order_state: string
  readonly order_type: string
  readonly original_order_type?: 'market' | 'market_limit'
  readonly time_in_force: string
  readonly instrument_name: string
  readonly instrument_id?: number
  readonly product_group?: string
  readonly creation_timestamp: number
  readonly last_update_timestamp: number
  readonly direction: 'buy' | 'sell'
  readonly price: number
  readonly label: string
  readonly post_only: boolean
  readonly reject_post_only?: boolean
  readonly api: boolean
  readonly web: boolean
  readonly amount: number
  readonly contracts: number
  readonly filled_amount: number
  readonly average_price: number
  readonly max_show: number
  readonly mmp: boolean
  readonly risk_reducing: boolean
  readonly replaced: boolean
  readonly reduce_only?: boolean
  readonly is_rebalance?: boolean
  readonly cancel_reason?: string
}

/** A trade on the public tape as JSON. */
export interface WireTrade {
  readonly trade_id: string
  readonly trade_seq: number
  readonly instrument_name: string
  readonly timestamp: number
  /** The taker's side. */
  readonly direction: 'buy' | 'sell'
  readonly tick_direction: number
  readonly index_price: number
  readonly mark_price: number
  readonly price: number
  readonly amount: number
  readonly contracts: number
}

/** One account's side of a trade as JSON. */
export interface WireUserTrade extends WireTrade {
  /** The user's own side (R06). */
  readonly direction: 'buy' | 'sell'
  readonly order_id: string
  readonly order_type: 'limit' | 'market'
  readonly original_order_type?: 'market' | 'market_limit'
  readonly matching_id: null
  readonly state: string
  readonly fee: number
  readonly fee_currency: string
  readonly liquidity: 'M' | 'T'
  readonly reduce_only: boolean
  readonly post_only: boolean
  readonly api: boolean
  readonly mmp: boolean
  readonly risk_reducing: boolean
  readonly self_trade: boolean
  readonly profit_loss: number | null
  readonly label?: string
}

/** The facts of a live order as a view shows it. */
export function factsOfView(view: OrderView): OrderFacts {
  const { order } = view
  return {
    time: view.updatedAt,
    order: order.id,
    account: view.account,
    instrument: order.instrument,
    side: order.side,
    type: order.type,
    timeInForce: order.timeInForce,
    price: view.price,
    amount: order.amount,
    filled: view.filled,
    averagePrice: view.averagePrice,
    state: 'open',
    postOnly: order.postOnly,
    reduceOnly: order.reduceOnly,
    // Whatever lives between commands stands in a book.
    rested: true,
    replaced: order.replaced,
    label: order.label,
    createdAt: view.createdAt,
    reason: null,
  }
}

/** An order as JSON. The optional fields come last, set one by one: spreading them costs a microsecond. */
export function orderOut(facts: OrderFacts, instrument: Instrument): WireOrder {
  const amount = amountOut(instrument, facts.amount)
  const out: Mutable<WireOrder> = {
    order_id: orderIdOut(instrument, facts.order),
    order_state: facts.state,
    order_type: shownType(facts.type, hasRested(facts)),
    time_in_force: facts.timeInForce,
    instrument_name: instrument.name,
    creation_timestamp: timeOut(facts.createdAt),
    last_update_timestamp: timeOut(facts.time),
    direction: facts.side,
    price: priceOut(facts.price),
    label: facts.label,
    post_only: facts.postOnly !== 'off',
    api: true,
    web: false,
    amount,
    contracts: contractsOut(instrument, facts.amount),
    filled_amount: amountOut(instrument, facts.filled),
    average_price: priceOut(facts.averagePrice),
    max_show: amount,
    mmp: false,
    risk_reducing: false,
    replaced: facts.replaced,
  }
  if (instrument.kind === 'spot') out.is_rebalance = false
  else out.reduce_only = facts.reduceOnly
  if (facts.postOnly !== 'off') out.reject_post_only = facts.postOnly === 'reject'
  const original = originalType(facts.type, hasRested(facts))
  if (original !== undefined) out.original_order_type = original
  const reason = shownReason(facts)
  if (reason !== undefined) out.cancel_reason = reason
  return out
}

/** An order in the lists of open orders, which name the instrument's number and group (R51). */
export function listedOrderOut(facts: OrderFacts, instrument: Instrument): WireOrder {
  return {
    ...orderOut(facts, instrument),
    instrument_id: instrumentIdOut(instrument.id),
    product_group: instrument.productGroup,
  }
}

/** A fill as its account sees it; `order` tells the facts the trade does not carry. */
export function userTradeOut(
  trade: Trade,
  fill: Fill,
  of: { readonly order: OrderTraits; readonly instrument: Instrument },
): WireUserTrade {
  const { order, instrument } = of
  const maker = fill.rule !== 'book_taker' && fill.rule !== 'level_taken'
  const rested = maker || order.replaced
  const out: Mutable<WireUserTrade> = {
    trade_id: tradeIdOut(instrument, trade.trade),
    trade_seq: trade.tradeSeq,
    instrument_name: instrument.name,
    timestamp: timeOut(trade.time),
    direction: fill.side,
    tick_direction: trade.tickDirection,
    index_price: priceOut(trade.index),
    mark_price: priceOut(trade.mark),
    price: priceOut(trade.price),
    amount: amountOut(instrument, trade.amount),
    contracts: contractsOut(instrument, trade.amount),
    order_id: orderIdOut(instrument, fill.order),
    order_type: shownType(order.type, rested),
    matching_id: null,
    state: fill.remaining === 0 ? 'filled' : 'open',
    fee: moneyOut(fill.fee),
    fee_currency: fill.feeCurrency,
    liquidity: maker ? 'M' : 'T',
    reduce_only: order.reduceOnly,
    post_only: order.postOnly !== 'off',
    api: true,
    mmp: false,
    risk_reducing: false,
    self_trade: trade.maker.account === trade.taker.account,
    profit_loss: instrument.kind === 'spot' ? null : moneyOut(fill.realized),
  }
  const original = originalType(order.type, rested)
  if (original !== undefined) out.original_order_type = original
  if (order.label !== '') out.label = order.label
  return out
}

/** A trade on the public tape. */
export function publicTradeOut(trade: Trade, instrument: Instrument): WireTrade {
  return {
    trade_id: tradeIdOut(instrument, trade.trade),
    trade_seq: trade.tradeSeq,
    instrument_name: instrument.name,
    timestamp: timeOut(trade.time),
    direction: trade.side,
    tick_direction: trade.tickDirection,
    index_price: priceOut(trade.index),
    mark_price: priceOut(trade.mark),
    price: priceOut(trade.price),
    amount: amountOut(instrument, trade.amount),
    contracts: contractsOut(instrument, trade.amount),
  }
}

/** Only an order that stood in the book could be edited, even where the edit made it a taker. */
function hasRested(facts: OrderFacts): boolean {
  return facts.rested || facts.replaced
}

/** A market order is shown as a limit order once it rests; a market-limit order always is (C16). */
function shownType(type: OrderFacts['type'], rested: boolean): 'limit' | 'market' {
  return type === 'market' && !rested ? 'market' : 'limit'
}

/** The type as entered, where it is not the type shown (C16). */
function originalType(
  type: OrderFacts['type'],
  rested: boolean,
): 'market' | 'market_limit' | undefined {
  if (type === 'limit' || (type === 'market' && !rested)) return undefined
  return type
}

/** The venue shows no reason for what time in force or expiry ended (S095). */
function shownReason({ state, reason }: OrderFacts): string | undefined {
  if (state !== 'cancelled' || reason === 'time_in_force' || reason === 'expiry') return undefined
  return defined(reason ?? undefined, 'a cancelled order has a reason')
}

/** An object of one's own while it is built. */
type Mutable<T> = { -readonly [K in keyof T]: T[K] }
