/**
 * Commands: everything that can happen to the exchange, as a closed union. Commands contain only integers.
 *
 * All commands have the same header: `time` and `sequence` order them (both never fall), `account` is the account that
 * sends the command (`NO_ACCOUNT` for controls of the simulator), and `session` is its connection (0 for none). `fault`
 * is a mistake found when the request was read: the command still gets a sequence number, and the earliest step of
 * validation that fails refuses it (C07).
 *
 * Every command ends with exactly one `request` event. The docstring of each command lists the events before it, in
 * order. Some effects of a command are separate commands of the engine with the same cause: triggered orders, and
 * secondaries that become active. They follow after `request`, first in first out (C06).
 *
 * Messages of direct access become commands of a few kinds (`isDirectKind`). Source: sessions-blocks-gateways.md 8.12.
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
import type { AccountProfile } from '../account.ts'
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
import { type ProtectionCommand, protectionCodes } from './protection-commands.ts'
import { type RfqCommand, rfqCodes } from './rfq-commands.ts'
import { type WalletCommand, walletCodes } from './wallet-commands.ts'

/**
 * Places an order and, with `linked`, other orders that depend on it. Events: `order` opened of the order and of each
 * linked one; `order` resized or `order` cancelled of reduce-only orders that no longer fit the position; for each
 * match a `trade`, the events of other orders that the fill changes (linked orders, then reduce-only ones) and the
 * maker's `order` filled; `order` refreshed of icebergs; then, if it changed, one of the taker's `order` filled,
 * `order` cancelled, `order` rested. If two orders cancel each other, the second one matches after the first. Refused:
 * `refusal`.
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
 * Changes an open, untriggered or dormant order; null keeps a field. Events: `order` edited, then the events of
 * `place_order` if the new price crosses; an edit that violates reject-post-only causes `order` cancelled.
 */
export interface EditOrder extends CommandHeader {
  readonly kind: 'edit_order'
  readonly order: OrderId
  readonly amount: Lots | null
  readonly price: Ticks | null
  /** New price of an advanced order, which repeats the order's kind of advanced price; null for other orders. */
  readonly advanced: AdvancedTerms | null
  readonly postOnly: PostOnly | null
  readonly reduceOnly: boolean | null
  /** Size that an iceberg shows at a time from now on; 0 shows all. */
  readonly display: Lots | null
  readonly triggerPrice: Ticks | null
  readonly triggerOffset: Ticks | null
  /** True if market-maker protection covers the order from now on. */
  readonly mmp: boolean | null
  readonly validUntil: Micros | null
}

/** Cancels one order. Events: `order` cancelled of this order, then of the orders that end with it. */
export interface CancelOrder extends CommandHeader {
  readonly kind: 'cancel_order'
  readonly order: OrderId
}

/** Selects live orders of an account. An order must match all fields; null matches any value. */
export interface OrderFilter {
  readonly label: string | null
  /** A spot order belongs to its base currency and to its quote currency. */
  // Source: R43.
  readonly currencies: readonly Currency[] | null
  readonly instrument: InstrumentId | null
  /** True if the filter also selects orders of combos that have the instrument as a leg. */
  readonly includeCombos: boolean
  readonly kinds: readonly InstrumentKind[] | null
  /** Price index of the instrument. It names the currency pair. */
  readonly pair: string | null
  /** `in_book`: orders in a book or on their way to it. The other words: untriggered orders by type. */
  readonly types: 'in_book' | readonly TriggerOrderType[] | null
  /** The origin of the orders. */
  readonly origin: OrderOrigin | null
  readonly side: Side | null
}

/**
 * Commands of profiles. Source: coverage R56.
 */

/** Changes parts of the profile of an account. It has no event except `request`. */
export interface SetProfile extends CommandHeader {
  readonly kind: 'set_profile'
  readonly target: AccountId
  /** Omitted parts do not change. */
  readonly profile: Partial<AccountProfile>
}

/** Removes an empty subaccount. It has no event. */
export interface RemoveAccount extends CommandHeader {
  readonly kind: 'remove_account'
  readonly target: AccountId
}

/** Changes the margin model of an account. Events: `standing`. */
export interface ChangeMarginModel extends CommandHeader {
  readonly kind: 'change_margin_model'
  readonly target: AccountId
  readonly marginModel: MarginModel
  /** True if the engine only checks whether the change is possible. */
  readonly isTrial: boolean
}

/** Commands of profiles, subaccounts and margin models. */
export type ProfileCommand = SetProfile | RemoveAccount | ChangeMarginModel

/** The codes of these commands, as in `commandCodes`. */
const profileCodes = {
  set_profile: 59,
  remove_account: 63,
  change_margin_model: 64,
} as const satisfies { readonly [Kind in ProfileCommand['kind']]: number }

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
  /** True if the account cannot place new quotes in the filter's currencies for one second. */
  // Source: C12.
  readonly freezesQuotes: boolean
}

/** A read-only request, answered from views at its arrival. It has no event except `request`. */
interface Query extends CommandHeader {
  readonly kind: 'query'
}

/**
 * A request with parameters that cannot be read or were not checked. Its fault names the reason, and the engine refuses
 * it. The engine sequences it and charges it as a command of the kind in `of`. An earlier step of the order of
 * validation (C07) can refuse it first if that step does not need the unreadable part. Refused always: `refusal`.
 */
export interface Unreadable extends CommandHeader {
  readonly kind: 'unreadable'
  /** The kind of command that it would have become. Rate limits and reports treat it as this kind. */
  readonly of: CommandKind
  /** The instrument that it names; -1 if it names none or the instrument cannot be read. */
  readonly instrument: InstrumentId | -1
  /** Deadline of the request; null if the request sets no deadline or it cannot be read. */
  readonly validUntil: Micros | null
}

/** Opens an account, or a subaccount of a main account. Events: `account`. */
export interface OpenAccount extends CommandHeader {
  readonly kind: 'open_account'
  readonly name: string
  readonly marginModel: MarginModel
  /** The main account of a subaccount; null for a main account. */
  readonly main: AccountId | null
  /** Share of its fees that the account pays, in parts per million. */
  readonly feePpm: number
}

/**
 * Sets what happens when orders of this account would match each other. With `extended` this also applies to orders of
 * other accounts of the same main account that have `extended` set (C27). Events: `self_trading`.
 */
export interface SetSelfTrading extends CommandHeader {
  readonly kind: 'set_self_trading'
  readonly mode: SelfMatchMode
  readonly extended: boolean
  /** True keeps Block RFQs from trading between accounts of one owner; omitted keeps the present value. */
  readonly blockRfq?: boolean
}

/**
 * Sets the state of an instrument's book. Events: `state`, then `order` cancelled of the orders that end in this state
 * (trading.md 6.4).
 */
export interface SetInstrumentState extends CommandHeader {
  readonly kind: 'set_instrument_state'
  readonly instrument: InstrumentId
  readonly state: InstrumentState
}

/**
 * Changes the price step and size step of a listed instrument; null keeps a step. Events: `order` cancelled of each
 * live order that no longer fits, then `standing`. The `count` of `request` is the number of cancelled orders.
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
 * Lists an instrument. With a queue model, its liquidity comes from a recorded feed. Events: `account` if the account
 * `market` must be opened first, then `instrument`.
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
 * Makes a price index follow the mid price of an instrument's recorded book. Events: if the book is known, `index` and
 * the marks that follow it.
 */
export interface FollowMid extends CommandHeader {
  readonly kind: 'follow_mid'
  readonly index: string
  readonly instrument: InstrumentId
}

/** Pins the mark of an instrument; null makes the venue compute it again. Events: `mark`. */
export interface SetMark extends CommandHeader {
  readonly kind: 'set_mark'
  readonly instrument: InstrumentId
  readonly price: Price9 | null
}

/**
 * Lists a combo for its legs, or finds the existing one. Events: `instrument` if the combo is new. The `count` of
 * `request` is 1.
 */
export interface CreateCombo extends CommandHeader {
  readonly kind: 'create_combo'
  readonly spec: InstrumentSpec
}

/** A position to move, in full or in part. */
export interface MovedPosition {
  readonly instrument: InstrumentId
  /** Size to move, without a sign. */
  readonly amount: Lots
  /** Null takes the average price of the position. */
  readonly price: Price9 | null
}

/**
 * Moves positions between two accounts of the same main account, all of them or none. The main account or one of the
 * two accounts sends it. Events: `position_transfer` of each.
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
  /** Name that the sender gave the transfer, or null; the event repeats it. */
  readonly nonce: string | null
}

/**
 * Makes an account a participant of the liquidity support programme or changes its limits; `enabled: false` removes it.
 * Events: `lsp_participant`.
 */
export interface SetLspParticipant extends CommandHeader {
  readonly kind: 'set_lsp_participant'
  readonly target: AccountId
  readonly enabled: boolean
  /** Limits of this participant in parts per million of its equity; omitted groups have the default limit. */
  readonly limitsPpm: { readonly [G in LspGroup]?: number }
}

/** Moves the clock to a later time. Timers that are due until then run, each at its own time. */
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

/** The codes of kinds in result tables. A code never changes: a new kind takes the next free code. */
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

/**
 * The compiler requires that a message's kind is in this list, and that the rate limits give each listed kind a price in
 * tokens (`engine/requests/rate-limits.ts`).
 */
const directKinds = [
  'place_order',
  'edit_order',
  'cancel_order',
  'cancel_orders',
  'mass_quote',
  'cancel_quotes',
  'query',
] as const satisfies readonly CommandKind[]

/** A kind of command that a message of direct access can become. */
export type DirectKind = (typeof directKinds)[number]

/** True if messages of direct access can become commands of this kind. */
export function isDirectKind(kind: CommandKind): kind is DirectKind {
  return (directKinds as readonly CommandKind[]).includes(kind)
}
