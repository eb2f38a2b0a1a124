/** Commands of sessions, of market makers and of market protections. See `command.ts`. */
import type { AccountId, InstrumentId, Lots, Micros, Ticks } from '../../core/index.ts'
import type { MmpConfig, MmpKey } from '../protection/mmp.ts'
import type { GatewayId } from '../protection/sessions.ts'
import type { RiskLimits } from '../protection/standing.ts'
import type { Fault } from '../refusal.ts'
import type { Currency } from '../words/currencies.ts'
import type { InstrumentKind, TradingProduct } from '../words/instruments.ts'
import type { PostOnly, Side } from '../words/orders.ts'
import type { AccountLock, DirectMessage, DisconnectScope, SessionEnd, SessionKind } from '../words/protections.ts'
import type { CommandHeader } from './header.ts'

/**
 * Opens a session. A session of direct access first displaces the session of the same portfolio on the same gateway.
 * Events: those that end the displaced session, then `session`.
 */
export interface OpenSession extends CommandHeader {
  readonly kind: 'open_session'
  /** Number of the new session, from 1; no open session may have this number. */
  readonly opened: number
  readonly type: SessionKind
  /** Account of the session; null for a WebSocket, which belongs to the first account that sends a request over it. */
  readonly target: AccountId | null
  /** Null for a WebSocket. */
  readonly gateway: GatewayId | null
  /** Version of the binary schema (8.13). */
  readonly schemaVersion: number
  /** True if all orders of a session of direct access end with it, whatever setting the orders have (R60). */
  readonly cancelOnDisconnect: boolean
  /** True for the session of a mobile device; its orders carry that flag. */
  readonly mobile: boolean
  /** True if a session of direct access ends when its client is silent (8.4); omitted for all others. */
  readonly heartbeats?: boolean
  /**
   * `machine` if a server measures the client's silence itself, so that the market's clock does not; otherwise omitted.
   */
  readonly clock?: 'machine'
}

/**
 * Ends a session. Events: `order` cancelled of the orders that end with it, `bump` of those that become
 * immediate-or-cancel, then `session`. The `count` of `request` is the number of cancelled orders.
 */
export interface CloseSession extends CommandHeader {
  readonly kind: 'close_session'
  readonly closed: number
  readonly how: SessionEnd
  /** Reason in the client's words; omitted if the client gives none. */
  readonly words?: string
}

/**
 * Switches cancel-on-disconnect for the session of the request; with `account` also for sessions that the account opens
 * later (C49, R12). Events: `session` of the session, if there is one.
 */
export interface SetCancelOnDisconnect extends CommandHeader {
  readonly kind: 'set_cancel_on_disconnect'
  readonly scope: DisconnectScope
  readonly enabled: boolean
}

/**
 * Sets or removes the protection of a group (C37, C45). Events: `order` cancelled of orders that no longer fit, then
 * `mmp` if anything changed.
 */
export interface SetMmpConfig extends CommandHeader {
  readonly kind: 'set_mmp_config'
  readonly key: MmpKey
  readonly config: MmpConfig
}

/** Ends the freeze of a group (C41, C42). Events: `mmp` if the group was frozen. */
export interface ResetMmp extends CommandHeader {
  readonly kind: 'reset_mmp'
  readonly key: MmpKey
}

/** One side of a quote. A field that is null keeps the value of the resting quote. An amount of 0 cancels that side. */
export interface QuoteSide {
  readonly price: Ticks | null
  readonly amount: Lots | null
  readonly postOnly: PostOnly
  /** A mistake found when this side was read. It refuses only this side. */
  readonly fault: Fault | null
}

/** The quote of one instrument. */
export interface QuoteEntry {
  readonly instrument: InstrumentId
  readonly quoteSetId: string
  readonly bid: QuoteSide | null
  readonly ask: QuoteSide | null
}

/**
 * Places, changes and ends quotes of one group (trading.md 6.16, C34). Events for each side in turn: as for
 * `place_order`, `edit_order` or `cancel_order`, or `quote_refusal`.
 */
export interface MassQuote extends CommandHeader {
  readonly kind: 'mass_quote'
  readonly quoteId: string
  /** The group of the quotes: its name, or its number for direct access. */
  readonly group: string | number
  readonly quotes: readonly QuoteEntry[]
  /** True if the command first ends a freeze of the group (8.9). */
  readonly resetMmp: boolean
  /** True if the reply waits for quotes behind the speed bump. */
  readonly waits: boolean
  readonly validUntil: Micros | null
}

/** Selects quotes of an account. A quote must match all fields; null matches any value. */
export interface QuoteFilter {
  /** Number of a group. */
  readonly group: number | null
  readonly side: Side | null
  /** Range of the absolute delta in 1e-9, both ends included. It selects only options (C35). */
  readonly delta: { readonly min9: number; readonly max9: number } | null
  readonly quoteSetId: string | null
  readonly instrument: InstrumentId | null
  readonly kinds: readonly InstrumentKind[] | null
  readonly currencies: readonly Currency[] | null
  /** Price index. */
  readonly pair: string | null
}

/** Every quote of an account. */
export const anyQuote: QuoteFilter = {
  group: null,
  side: null,
  delta: null,
  quoteSetId: null,
  instrument: null,
  kinds: null,
  currencies: null,
  pair: null,
}

/**
 * Cancels quotes. With `freeze` the account cannot place new quotes for one second (C35, C12). Events: `order`
 * cancelled of each, then `standing` if it froze.
 */
export interface CancelQuotes extends CommandHeader {
  readonly kind: 'cancel_quotes'
  readonly filter: QuoteFilter
  readonly freeze: boolean
}

/**
 * Locks a portfolio for direct access, or unlocks it (8.11, R61). Events: `order` cancelled of its orders of
 * direct access, then `standing`.
 */
export interface LockPortfolio extends CommandHeader {
  readonly kind: 'lock_portfolio'
  /** Null for the portfolio of the account that sends the command. */
  readonly target: AccountId | null
  readonly locked: boolean
}

/** Sets the permissions of an account; null keeps a permission. Events: `standing` for each that changed. */
export interface SetPermissions extends CommandHeader {
  readonly kind: 'set_permissions'
  readonly target: AccountId
  readonly member: boolean | null
  readonly mmp: boolean | null
  readonly massQuotes: boolean | null
}

/**
 * Locks an account or unlocks it (R52). Events: `order` cancelled of its open orders, then
 * `standing`.
 */
export interface LockAccount extends CommandHeader {
  readonly kind: 'lock_account'
  readonly target: AccountId
  readonly lock: AccountLock
  readonly locked: boolean
}

/**
 * Sets the product groups that an account may not trade. The account may trade all other groups again. Events:
 * `standing` of each that changed.
 */
export interface SetDisabledProducts extends CommandHeader {
  readonly kind: 'set_disabled_products'
  readonly target: AccountId
  readonly products: readonly TradingProduct[]
}

/** Cancels the orders of an account under portfolio margin that raise its margin (R52). */
export interface TrimOrders extends CommandHeader {
  readonly kind: 'trim_orders'
  readonly target: AccountId
}

/** Sets limits of one account on one price index; a null account sets the limits of all accounts (R58). */
export interface SetRiskLimits extends CommandHeader {
  readonly kind: 'set_risk_limits'
  readonly target: AccountId | null
  readonly index: string
  readonly limits: RiskLimits
}

/**
 * Changes one switch: a gateway, a message of direct access, the refusal of new icebergs over direct access (8.14), the
 * maintenance of the venue, public methods without authentication, or the outage of an index. Events: `standing`, then
 * `state` of books that open at the end of an outage.
 */
export interface SetGatewaySwitch extends CommandHeader {
  readonly kind: 'set_gateway_switch'
  readonly switch:
    | { readonly type: 'gateway'; readonly gateway: GatewayId }
    | { readonly type: 'message'; readonly message: DirectMessage }
    | { readonly type: 'algo_cancel_only' }
    | { readonly type: 'maintenance' }
    | { readonly type: 'public_methods' }
    | { readonly type: 'index_outage'; readonly index: string }
  readonly on: boolean
}

/** Commands of sessions, market makers and protections. */
export type ProtectionCommand =
  | OpenSession
  | CloseSession
  | SetCancelOnDisconnect
  | SetMmpConfig
  | ResetMmp
  | MassQuote
  | CancelQuotes
  | LockPortfolio
  | SetPermissions
  | LockAccount
  | SetDisabledProducts
  | TrimOrders
  | SetRiskLimits
  | SetGatewaySwitch

/** The codes of these commands, as in `commandCodes`. */
export const protectionCodes = {
  open_session: 19,
  close_session: 20,
  set_cancel_on_disconnect: 21,
  set_mmp_config: 22,
  reset_mmp: 23,
  mass_quote: 24,
  cancel_quotes: 25,
  lock_portfolio: 26,
  set_permissions: 27,
  lock_account: 28,
  trim_orders: 29,
  set_risk_limits: 30,
  set_gateway_switch: 31,
  set_disabled_products: 32,
} as const satisfies { readonly [Kind in ProtectionCommand['kind']]: number }
