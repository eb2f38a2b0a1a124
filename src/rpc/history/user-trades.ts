/**
 * Trades of an account in the form that queries return, and the parts of a Block RFQ that its taker books on other
 * accounts.
 */
import { type AccountId, type Amount, type Lots, lots } from '../../core/index.ts'
import type { EventOf, Fill, OrderChanged, Trade } from '../../model/index.ts'
import { rowsOf, type Windows } from './windows.ts'

/** Fields of the order that a user trade shows in addition to the fill. */
export type OrderTraits = Pick<
  OrderChanged,
  'type' | 'label' | 'postOnly' | 'reduceOnly' | 'replaced' | 'triggeredBy' | 'advanced' | 'liquidation' | 'extras'
>

/**
 * One account's side of a trade, with the traits of its order before the fill. Keeping whole order events instead would
 * keep them all in memory.
 */
export interface UserTrade {
  readonly trade: Trade
  readonly fill: Fill
  readonly order: OrderTraits
  /** Parts of a Block RFQ that the account booked on other accounts; omitted without such parts. */
  allocations?: TradeAllocation[]
}

/** A part of a trade that another account took. */
export interface TradeAllocation {
  readonly account: AccountId
  readonly amount: Lots
  readonly fee: Amount
}

/** Trades of each account. */
type UserTrades = Windows<AccountId, UserTrade>

/**
 * The fields of an order that its trades show. They are listed one by one for speed, because every fill of the run
 * needs them.
 */
export function traitsOf(order: OrderTraits): OrderTraits {
  return {
    type: order.type,
    label: order.label,
    postOnly: order.postOnly,
    reduceOnly: order.reduceOnly,
    replaced: order.replaced,
    triggeredBy: order.triggeredBy,
    advanced: order.advanced,
    liquidation: order.liquidation,
    extras: order.extras,
  }
}

/** Adds a part that was booked on another account to the trade of the taker of a Block RFQ. */
export function noteHandedOn(
  whole: UserTrade,
  { from, amount: moved, commission: fee }: EventOf<'position_transfer'>,
): void {
  whole.allocations ??= []
  whole.allocations.push({ account: from.account, amount: lots(Math.abs(moved)), fee })
}

/**
 * The trade of the account on which the taker of a Block RFQ booked a part. That account is `from`, because it takes
 * the opposite side. Undefined if the position changed hands for another reason, or if the history does not know the
 * whole trade.
 */
export function allocatedTrade(userTrades: UserTrades, event: EventOf<'position_transfer'>): UserTrade | undefined {
  const whole = event.reason === 'allocation' ? wholeTrade(userTrades, event) : undefined
  return whole === undefined ? undefined : partOf(whole, event)
}

/** The trade of the account on which a part was booked. */
export function partOf(whole: UserTrade, event: EventOf<'position_transfer'>): UserTrade {
  const fill: Fill = { ...whole.fill, ...event.from, fee: event.commission, baseBalance: event.fromBase }
  const trade: Trade = { ...whole.trade, amount: lots(Math.abs(event.amount)), taker: fill }
  return { trade, fill, order: whole.order }
}

/** The taker's whole trade, of which a part was booked on another account. */
export function wholeTrade(
  userTrades: UserTrades,
  { to, instrument }: EventOf<'position_transfer'>,
): UserTrade | undefined {
  return rowsOf(userTrades, to.account).findLast(({ trade }) => trade.instrument === instrument && trade.rfq !== null)
}
