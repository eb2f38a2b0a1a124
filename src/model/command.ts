/**
 * Commands: everything that can happen to the exchange, as a closed union. Integers only.
 *
 * The header is the same for all: `time` and `sequence` order them (both never fall), `account` is
 * who asked (`NO_ACCOUNT` for controls of the simulator), `session` the connection it came over
 * (0 for none). `fault` is what was wrong already when the request was read: the command is still
 * sequenced, and refused at the earliest failing step (C07).
 *
 * Every command ends with exactly one `request_done` event; the events before it are named below,
 * in their order.
 */
import type {
  AccountId,
  Amount,
  InstrumentId,
  Lots,
  Micros,
  OrderId,
  Price9,
  Sequence,
  Ticks,
} from '../core/index.ts'
import type { MarginModel } from './account.ts'
import type { Currency } from './currency.ts'
import type { InstrumentKind, InstrumentSpec } from './instrument.ts'
import type { QueueModel } from './market-message.ts'
import type { OrderType, PostOnly, Side, TimeInForce } from './order.ts'
import type { Fault } from './refusal.ts'

/** What every command carries. */
export interface CommandHeader {
  readonly time: Micros
  readonly sequence: Sequence
  readonly account: AccountId | -1
  readonly session: number
  /** What the reader of the request found wrong, or null. */
  readonly fault: Fault | null
}

/**
 * Places an order. `price` is null where the type needs none.
 * Events: `order_opened`, then for each match a `trade` and the maker's `order_filled`, then one of
 * the taker's `order_filled`, `order_cancelled`, `order_rested` where it changed. Refused:
 * `request_refused`.
 */
export interface PlaceOrder extends CommandHeader {
  readonly kind: 'place_order'
  readonly instrument: InstrumentId
  readonly side: Side
  readonly type: OrderType
  readonly timeInForce: TimeInForce
  readonly price: Ticks | null
  readonly amount: Lots
  readonly label: string
  readonly postOnly: PostOnly
  readonly reduceOnly: boolean
  /** Matching must begin strictly before this time, or null. */
  readonly validUntil: Micros | null
}

/**
 * Changes an open order; null leaves a field as it is.
 * Events: `order_edited`, then as for `place_order` where the new price crosses; an edit that trips
 * reject-post-only gives `order_cancelled`.
 */
export interface EditOrder extends CommandHeader {
  readonly kind: 'edit_order'
  readonly order: OrderId
  readonly amount: Lots | null
  readonly price: Ticks | null
  readonly postOnly: PostOnly | null
  readonly reduceOnly: boolean | null
  readonly validUntil: Micros | null
}

/** Cancels one order. Events: `order_cancelled`. */
export interface CancelOrder extends CommandHeader {
  readonly kind: 'cancel_order'
  readonly order: OrderId
}

/** Which of an account's orders a bulk cancel takes; null means any. All given parts must hold. */
export interface OrderFilter {
  readonly label: string | null
  readonly currency: Currency | null
  readonly instrument: InstrumentId | null
  readonly kind: InstrumentKind | null
}

/** Cancels all matching orders in the order of their creation (C12). Events: `order_cancelled` each. */
export interface CancelOrders extends CommandHeader {
  readonly kind: 'cancel_orders'
  readonly filter: OrderFilter
}

/** A read-only request, answered from views at its arrival. No events of its own. */
export interface Query extends CommandHeader {
  readonly kind: 'query'
}

/** Opens an account. Events: `account_opened`. */
export interface OpenAccount extends CommandHeader {
  readonly kind: 'open_account'
  readonly name: string
  readonly marginModel: MarginModel
}

/**
 * Lists an instrument. With a queue model its liquidity is that of a recorded feed.
 * Events: `account_opened` where it needs the account `market` first, then `instrument_listed`.
 */
export interface ListInstrument extends CommandHeader {
  readonly kind: 'list_instrument'
  readonly spec: InstrumentSpec
  readonly queue: QueueModel | null
}

/** Adds money to an account from outside (negative takes it out). Events: `cash_posted`. */
export interface Deposit extends CommandHeader {
  readonly kind: 'deposit'
  readonly target: AccountId
  readonly currency: Currency
  readonly amount: Amount
}

/**
 * Gives an account a position at a price, against the house. No fee, no order.
 * Events: `position_given`.
 */
export interface GivePosition extends CommandHeader {
  readonly kind: 'give_position'
  readonly target: AccountId
  readonly instrument: InstrumentId
  /** Signed size: positive is long. */
  readonly size: Lots
  readonly price: Price9
}

/** Sets a price index. Events: `index_changed`, then `mark_changed` for each mark that follows it. */
export interface SetIndex extends CommandHeader {
  readonly kind: 'set_index'
  readonly index: string
  readonly price: Price9
}

/**
 * Lets a price index follow the middle of an instrument's recorded book.
 * Events: `index_changed` and the marks that follow it, where the book is known already.
 */
export interface FollowMid extends CommandHeader {
  readonly kind: 'follow_mid'
  readonly index: string
  readonly instrument: InstrumentId
}

/** Pins the mark of an instrument, or with null lets it follow its index. Events: `mark_changed`. */
export interface SetMark extends CommandHeader {
  readonly kind: 'set_mark'
  readonly instrument: InstrumentId
  readonly price: Price9 | null
}

/** Moves the clock to a later time; timers due until then run, each at its own. */
export interface AdvanceTime extends CommandHeader {
  readonly kind: 'advance_time'
  readonly to: Micros
}

/** Everything that can happen to the exchange. */
export type Command =
  | PlaceOrder
  | EditOrder
  | CancelOrder
  | CancelOrders
  | Query
  | OpenAccount
  | ListInstrument
  | Deposit
  | GivePosition
  | SetIndex
  | FollowMid
  | SetMark
  | AdvanceTime

/** A command of one kind. */
export type CommandOf<K extends Command['kind']> = Extract<Command, { readonly kind: K }>
