/**
 * Trades of an account as queries tell them, and the parts of those on Block RFQs that their taker hands on.
 */
import { type AccountId, type Amount, type Lots, lots } from '../../core/index.ts'
import type { EventOf, Fill, OrderChanged, Trade } from '../../model/index.ts'
import { rowsOf, type Windows } from './windows.ts'

/** Fields of its order that a user trade shows beside the fill. */
export type OrderTraits = Pick<
  OrderChanged,
  'type' | 'label' | 'postOnly' | 'reduceOnly' | 'replaced' | 'triggeredBy' | 'advanced' | 'liquidation' | 'extras'
>

/**
 * One account's side of a trade, with the traits of its order before the fill: they alone are kept,
 * because the whole event of each fill would stay alive with them.
 */
export interface UserTrade {
  readonly trade: Trade
  readonly fill: Fill
  readonly order: OrderTraits
  /** Parts of a Block RFQ that the account handed on; left out where there are none. */
  allocations?: TradeAllocation[]
}

/** A part of a trade that another account took. */
export interface TradeAllocation {
  readonly account: AccountId
  readonly amount: Lots
  readonly fee: Amount
}

/** Trades of each account. */
export type UserTrades = Windows<AccountId, UserTrade>

/** Fields of its order that a trade tells, written out as every fill of the run has one. */
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

/** Adds to a trade of the taker of a Block RFQ what it handed on. */
export function noteHandedOn(
  whole: UserTrade,
  { from, amount: moved, commission: fee }: EventOf<'position_transfer'>,
): void {
  whole.allocations ??= []
  whole.allocations.push({ account: from.account, amount: lots(Math.abs(moved)), fee })
}

/**
 * The trade of an account that the taker of a Block RFQ booked a part on: `from`, as it gives the opposite. Undefined
 * where a position changed hands for another reason, or the history does not know the whole.
 */
export function allocatedTrade(userTrades: UserTrades, event: EventOf<'position_transfer'>): UserTrade | undefined {
  const whole = event.reason === 'allocation' ? wholeTrade(userTrades, event) : undefined
  return whole === undefined ? undefined : partOf(whole, event)
}

/** The trade of the account that a part of a trade was booked on. */
export function partOf(whole: UserTrade, event: EventOf<'position_transfer'>): UserTrade {
  const { from, commission: fee, fromBase: baseBalance } = event
  const fill: Fill = { ...whole.fill, ...from, fee, baseBalance }
  const trade: Trade = { ...whole.trade, amount: lots(Math.abs(event.amount)), taker: fill }
  return { trade, fill, order: whole.order }
}

/** The trade of a taker that a part was handed on of. */
export function wholeTrade(
  userTrades: UserTrades,
  { to, instrument }: EventOf<'position_transfer'>,
): UserTrade | undefined {
  return rowsOf(userTrades, to.account).findLast(({ trade }) => trade.instrument === instrument && trade.rfq !== null)
}
