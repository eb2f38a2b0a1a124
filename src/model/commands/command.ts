/**
 * Commands: everything that can happen to the exchange, as a closed union. Integers only.
 *
 * The header is the same for all: `time` and `sequence` order them (both never fall), `account` is
 * who asked (`NO_ACCOUNT` for controls of the simulator), `session` the connection it came over
 * (0 for none). `fault` is what was wrong already when the request was read: the command is still
 * sequenced, and refused at the earliest failing step (C07).
 *
 * Every command ends with exactly one `request` event; the events before it are named below,
 * in their order. What a command sets off but does not do itself (trigger orders that fire, secondaries
 * whose turn comes) follows after `request`, first in first out, each as a command of the engine
 * with the same cause (C06).
 */
import {
  type AccountId,
  type Amount,
  assert,
  type InstrumentId,
  type Lots,
  type Micros,
  type OrderId,
  type Price9,
  type Ticks,
} from '../../core/index.ts'
import type { InstrumentSpec } from '../instrument.ts'
import type { AdvancedTerms, LinkedTerms, OrderTerms } from '../order.ts'
import type { PlacementExtras } from '../protection/order-extras.ts'
import type { MarginModel, SelfMatchMode } from '../words/accounts.ts'
import type { Currency } from '../words/currencies.ts'
import type { QueueModel } from '../words/feeds.ts'
import type { InstrumentKind, InstrumentState } from '../words/instruments.ts'
import type { LspGroup } from '../words/liquidations.ts'
import type { OrderOrigin, PostOnly, Side, TriggerOrderType } from '../words/orders.ts'
import { type BlockCommand, blockCodes } from './block-commands.ts'
import type { CommandHeader } from './header.ts'
import { type ProfileCommand, profileCodes } from './profile-commands.ts'
import { type ProtectionCommand, protectionCodes } from './protection-commands.ts'
import { type RfqCommand, rfqCodes } from './rfq-commands.ts'
import { type WalletCommand, walletCodes } from './wallet-commands.ts'

/**
 * Places an order, and with `linked` others that depend on it.
 * Events: `order` opened of the order and of each linked one; `order` resized or `order` cancelled of
 * reduce-only orders that no longer fit the position; for each match a `trade`, what the fill does to
 * other orders (linked orders, then reduce-only ones) and the maker's `order` filled; `order` refreshed
 * of icebergs; then one of the taker's `order` filled, `order` cancelled, `order` rested where it
 * changed. The second of two that cancel each other matches after the first. Refused: `refusal`.
 */
export interface PlaceOrder extends CommandHeader, OrderTerms {
  readonly kind: 'place_order'
  readonly instrument: InstrumentId
  /** Size that an iceberg shows at a time; 0 shows all. */
  readonly display: Lots
  readonly linked: LinkedTerms | null
  /** Matching must begin strictly before this time, or null. */
  readonly validUntil: Micros | null
  /** Extras that few orders ask for; null for most. */
  readonly extras: PlacementExtras | null
}

/**
 * Changes an open, untriggered or dormant order; null leaves a field as it is.
 * Events: `order` edited, then as for `place_order` where the new price crosses; an edit that trips
 * reject-post-only gives `order` cancelled.
 */
export interface EditOrder extends CommandHeader {
  readonly kind: 'edit_order'
  readonly order: OrderId
  readonly amount: Lots | null
  readonly price: Ticks | null
  /** A new price of an advanced order, which has to repeat what it is; null for others. */
  readonly advanced: AdvancedTerms | null
  readonly postOnly: PostOnly | null
  readonly reduceOnly: boolean | null
  /** Size that an iceberg shows at a time; 0 shows all from now on. */
  readonly display: Lots | null
  readonly triggerPrice: Ticks | null
  readonly triggerOffset: Ticks | null
  /** True if it is protected as a market maker's from now on. */
  readonly mmp: boolean | null
  readonly validUntil: Micros | null
}

/** Cancels one order. Events: `order` cancelled, then of the orders that end with it. */
export interface CancelOrder extends CommandHeader {
  readonly kind: 'cancel_order'
  readonly order: OrderId
}

/** Selects live orders of an account. Null selects any value. All given parts must hold. */
export interface OrderFilter {
  readonly label: string | null
  /** A spot order belongs to its base and to its quote (R43). */
  readonly currencies: readonly Currency[] | null
  readonly instrument: InstrumentId | null
  /** True if combos that have the instrument as a leg are meant too. */
  readonly includeCombos: boolean
  readonly kinds: readonly InstrumentKind[] | null
  /** Price index of the instrument, which names its currency pair. */
  readonly pair: string | null
  /** `in_book`: orders in a book or on their way to it. The other words: untriggered orders by type. */
  readonly types: 'in_book' | readonly TriggerOrderType[] | null
  /** Who placed them. */
  readonly origin: OrderOrigin | null
  readonly side: Side | null
}

/** Every live order of an account. */
export const anyOrder: OrderFilter = {
  label: null,
  currencies: null,
  instrument: null,
  includeCombos: false,
  kinds: null,
  pair: null,
  types: null,
  origin: null,
  side: null,
}

/**
 * Cancels all matching orders in the order of their creation (C12). Events: `order` cancelled of each,
 * and of the orders that end with it.
 */
export interface CancelOrders extends CommandHeader {
  readonly kind: 'cancel_orders'
  readonly filter: OrderFilter
  /** True if no new quotes of the filter's currencies are taken for a second (C12). */
  readonly freezesQuotes: boolean
}

/** A read-only request, answered from views at its arrival. No events of its own. */
export interface Query extends CommandHeader {
  readonly kind: 'query'
}

/**
 * A request whose parameters cannot be read, or are not looked at: its fault says why, and it is refused. It is
 * sequenced and paid for as what it is `of`. An earlier step of the order of validation (C07) that needs none of what
 * could not be read decides before its fault. Refused always: `refusal`.
 */
export interface Unreadable extends CommandHeader {
  readonly kind: 'unreadable'
  /** The kind of command that it would have become, by which it is paid for and told of. */
  readonly of: CommandKind
  /** The instrument that it names, where that could be read; -1 for none. */
  readonly instrument: InstrumentId | -1
  /** The time that it had to be carried out before, where that could be read; null for none. */
  readonly validUntil: Micros | null
}

/** Opens an account, or a subaccount of a main account. Events: `account`. */
export interface OpenAccount extends CommandHeader {
  readonly kind: 'open_account'
  readonly name: string
  readonly marginModel: MarginModel
  /** The main account of a subaccount; null for a main account. */
  readonly main: AccountId | null
  /** Share of its fees that it pays, in parts per million. */
  readonly feePpm: number
}

/**
 * Sets what happens when orders of the asking account meet their own, or with `extended` those of
 * any account of the same main account that is extended too (C27). Events: `self_trading`.
 */
export interface SetSelfTrading extends CommandHeader {
  readonly kind: 'set_self_trading'
  readonly mode: SelfMatchMode
  readonly extended: boolean
  /** True keeps Block RFQs from trading between accounts of one owner; left out where nothing is said of them. */
  readonly blockRfq?: boolean
}

/**
 * Sets the state of an instrument's book. Events: `state`, then `order` cancelled
 * of the orders that the state ends (trading.md 6.4).
 */
export interface SetInstrumentState extends CommandHeader {
  readonly kind: 'set_instrument_state'
  readonly instrument: InstrumentId
  readonly state: InstrumentState
}

/**
 * Changes the steps of prices and sizes of a listed instrument; null leaves one as it is. Events: `order` cancelled of
 * each live order that no longer fits, then `standing`. `request` counts the orders that ended.
 */
export interface RescaleInstrument extends CommandHeader {
  readonly kind: 'rescale_instrument'
  readonly instrument: InstrumentId
  /** Step of prices in 1e-9 quote units. */
  readonly tick9: number | null
  /** Step of sizes in 1e-9 of the amount unit. */
  readonly amountStep9: number | null
}

/**
 * Lists an instrument. With a queue model its liquidity is that of a recorded feed.
 * Events: `account` where it needs the account `market` first, then `instrument`.
 */
export interface ListInstrument extends CommandHeader {
  readonly kind: 'list_instrument'
  readonly spec: InstrumentSpec
  readonly queue: QueueModel | null
}

/** Adds money to an account from outside (negative takes it out). Events: `cash`. */
export interface Deposit extends CommandHeader {
  readonly kind: 'deposit'
  readonly target: AccountId
  readonly currency: Currency
  readonly amount: Amount
}

/**
 * Gives an account a position at a price, against the house. No fee, no order.
 * Events: `given_position`.
 */
export interface GivePosition extends CommandHeader {
  readonly kind: 'give_position'
  readonly target: AccountId
  readonly instrument: InstrumentId
  /** Signed size: positive is long. */
  readonly size: Lots
  readonly price: Price9
}

/** Sets a price index. Events: `index`, then `mark` for each mark that follows it. */
export interface SetIndex extends CommandHeader {
  readonly kind: 'set_index'
  readonly index: string
  readonly price: Price9
}

/**
 * Lets a price index follow the middle of an instrument's recorded book.
 * Events: `index` and the marks that follow it, where the book is known already.
 */
export interface FollowMid extends CommandHeader {
  readonly kind: 'follow_mid'
  readonly index: string
  readonly instrument: InstrumentId
}

/** Pins the mark of an instrument, or with null lets the venue compute it again. Events: `mark`. */
export interface SetMark extends CommandHeader {
  readonly kind: 'set_mark'
  readonly instrument: InstrumentId
  readonly price: Price9 | null
}

/**
 * Lists a combo for its legs, or finds the one there is. Events: `instrument` where it is new.
 * `request` counts 1.
 */
export interface CreateCombo extends CommandHeader {
  readonly kind: 'create_combo'
  readonly spec: InstrumentSpec
}

/** A position, or a part of it, that is moved. */
export interface MovedPosition {
  readonly instrument: InstrumentId
  /** How much of it, without a sign. */
  readonly amount: Lots
  /** Null takes the average price of the position. */
  readonly price: Price9 | null
}

/**
 * Moves positions between two accounts of the same main account, all of them or none. Asked by the main
 * account or one of the two. Events: `position_transfer` of each.
 */
export interface MovePositions extends CommandHeader {
  readonly kind: 'move_positions'
  readonly source: AccountId
  readonly target: AccountId
  readonly positions: readonly MovedPosition[]
}

/** Moves money between two accounts of the same main account. Events: `transfer`. */
export interface TransferCash extends CommandHeader {
  readonly kind: 'transfer_cash'
  readonly source: AccountId
  readonly target: AccountId
  readonly currency: Currency
  readonly amount: Amount
  /** The name that its sender gave it, or null; the event repeats it. */
  readonly nonce: string | null
}

/**
 * Makes an account a participant of the liquidity support programme, changes its limits, or with
 * `enabled: false` ends that. Events: `lsp_participant`.
 */
export interface SetLspParticipant extends CommandHeader {
  readonly kind: 'set_lsp_participant'
  readonly target: AccountId
  readonly enabled: boolean
  /** Limits of its own in parts per million of its equity; groups that are left out have the default. */
  readonly limitsPpm: { readonly [G in LspGroup]?: number }
}

/** Moves the clock to a later time; timers due until then run, each at its own. */
export interface AdvanceTime extends CommandHeader {
  readonly kind: 'advance_time'
  readonly to: Micros
}

/** All inputs of the exchange. */
export type Command =
  | PlaceOrder
  | EditOrder
  | CancelOrder
  | CancelOrders
  | Query
  | OpenAccount
  | SetSelfTrading
  | SetInstrumentState
  | RescaleInstrument
  | ListInstrument
  | Deposit
  | GivePosition
  | SetIndex
  | FollowMid
  | SetMark
  | CreateCombo
  | MovePositions
  | TransferCash
  | SetLspParticipant
  | AdvanceTime
  | ProtectionCommand
  | BlockCommand
  | WalletCommand
  | RfqCommand
  | ProfileCommand
  | Unreadable

/** A kind of command that can be carried out. */
export type CommandKind = Exclude<Command['kind'], 'unreadable'>

/** A command of one kind. */
export type CommandOf<K extends Command['kind']> = Extract<Command, { readonly kind: K }>

/** The codes of kinds in result tables. One that is given is never changed: a new kind takes the next. */
const commandCodes: { readonly [Kind in CommandKind]: number } = {
  place_order: 0,
  edit_order: 1,
  cancel_order: 2,
  cancel_orders: 3,
  query: 4,
  open_account: 5,
  list_instrument: 6,
  deposit: 7,
  give_position: 8,
  set_index: 9,
  set_mark: 10,
  advance_time: 11,
  follow_mid: 12,
  set_self_trading: 13,
  set_instrument_state: 14,
  create_combo: 15,
  move_positions: 16,
  transfer_cash: 17,
  set_lsp_participant: 18,
  ...protectionCodes,
  ...blockCodes,
  ...walletCodes,
  ...rfqCodes,
  ...profileCodes,
  rescale_instrument: 60,
}

/** Kinds of commands, each at its code. */
export const commandKinds: readonly CommandKind[] = kindsByCode()

function kindsByCode(): readonly CommandKind[] {
  // The keys of the table are the kinds.
  const kinds = Object.keys(commandCodes) as CommandKind[]
  kinds.sort((left, right) => commandCodes[left] - commandCodes[right])
  const isDense = kinds.every((kind, code) => commandCodes[kind] === code)
  assert(isDense, 'each code of a command is used once, without gaps')
  return kinds
}
