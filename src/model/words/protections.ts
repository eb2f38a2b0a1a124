/**
 * Words of protections, sessions, locks, switches and limits. The position of a word in a list or table is its code in
 * result tables: words are only ever added at the end.
 *
 * Source: trading.md 6.11, 7, 8, 10; sessions-blocks-gateways.md 2.6, 7, 8.8-8.14; coverage R12, R52.
 */
import { type WordOfSort, wordsOf } from './words-by-sort.ts'

const kindSorts = {
  lock: 'own',
  lsp: 'own',
  mmp: 'own',
  speed_bump: 'own',
  session: 'own',
  quote: 'own',
  portfolio_lock: 'standing',
  position_lock: 'standing',
  portfolio_margin_lock: 'standing',
  quote_freeze: 'standing',
  cancel_on_disconnect: 'standing',
  order_trim: 'standing',
  rate_limit: 'standing',
  gateway: 'standing',
  message: 'standing',
  algo_cancel_only: 'standing',
  member: 'standing',
  mmp_permission: 'standing',
  mass_quote_permission: 'standing',
  risk_limit: 'standing',
  trading_product: 'standing',
  maintenance: 'standing',
  index_outage: 'standing',
  public_methods: 'standing',
  rescale: 'standing',
  margin_model: 'standing',
} as const

/** Protections: those with a separate event family, and those of the family `standing`. */
export const protectionKinds = /* @__PURE__ */ wordsOf(kindSorts)

/** Locks, freezes, switches, permissions and limits, of an account or of the venue. */
export type StandingKind = WordOfSort<typeof kindSorts, 'standing'>

const changeSorts = {
  locked: 'lock',
  unlocked: 'lock',
  admitted: 'participant',
  removed: ['participant', 'mmp'],
  limit_set: 'participant',
  window_opened: ['lsp', 'mmp'],
  used: 'lsp',
  failed: 'lsp',
  window_reset: 'lsp',
  disabled: 'lsp',
  configured: 'mmp',
  triggered: 'mmp',
  unfrozen: 'mmp',
  reset: 'mmp',
  queued: 'bump',
  restarted: 'bump',
  converted: 'bump',
  released: 'bump',
  withdrawn: 'bump',
  opened: 'session',
  closed: 'session',
  cancel_on_disconnect_on: 'session',
  cancel_on_disconnect_off: 'session',
  on: 'standing',
  off: 'standing',
  acted: 'standing',
  refused: 'quote',
} as const

/** Changes of protections. */
export const protectionChanges = /* @__PURE__ */ wordsOf(changeSorts)

/**
 * A change of a participant's limit of a group.
 * - `window_opened`: the first assignment, which fixes the end of the window.
 * - `used`: a position was assigned.
 * - `failed`: a position should have been assigned, but the participant lacked margin.
 * - `window_reset`: the window ended, and the whole limit is available again.
 * - `disabled`: the participant failed too often.
 */
export type LspChange = WordOfSort<typeof changeSorts, 'lsp'>

/**
 * A change of a group of market-maker protection.
 * - `configured`, `removed`: its owner set or removed its limits.
 * - `window_opened`: the first trade after the last window ended.
 * - `triggered`: a limit was reached; the orders of the group were cancelled before this event.
 * - `unfrozen`: the time of the freeze ended. `reset`: its owner ended the freeze.
 */
export type MmpChange = WordOfSort<typeof changeSorts, 'mmp'>

/**
 * A change of an order behind the speed bump.
 * - `queued`: it would match, and waits. `restarted`: an amend restarted its waiting time.
 * - `converted`: a cancel came while it waits, so it is immediate-or-cancel after its release.
 * - `released`: it enters its book now. `withdrawn`: it left the queue before that, because an amend made it passive or
 *   because it ended.
 */
export type BumpChange = WordOfSort<typeof changeSorts, 'bump'>

/** A change of a session. */
export type SessionChange = WordOfSort<typeof changeSorts, 'session'>

/** A change of a standing protection; `acted`: it refused or cancelled something and is unchanged. */
export type StandingChange = WordOfSort<typeof changeSorts, 'standing'>

const reasonSorts = {
  user_request: 'conversion',
  mmp_trigger: 'conversion',
  mmp_config_curtailment: 'conversion',
  cancel_on_disconnect: 'conversion',
  portfolio_locked: 'conversion',
  position_locked: 'conversion',
  pme_account_locked: 'conversion',
  pme_risk_reduction: 'conversion',
  logout: 'end',
  disconnect: 'end',
  inactivity: 'end',
  heartbeat_failure: 'end',
  displaced: 'end',
  rate_limit: 'end',
  sequence_too_low: 'end',
  sequence_gap: 'end',
} as const

/** Why orders behind the speed bump became immediate-or-cancel, and how sessions ended. */
export const protectionReasons = /* @__PURE__ */ wordsOf(reasonSorts)

/** Why a pending order became immediate-or-cancel: the reasons of a cancel during its waiting time. */
export type ConversionReason = WordOfSort<typeof reasonSorts, 'conversion'>

/**
 * How a session ends.
 * - `logout`: its client logged out.
 * - `disconnect`: the connection broke.
 * - `inactivity`: no message came for too long.
 * - `heartbeat_failure`: its client did not answer.
 * - `displaced`: the same portfolio logged on to the same gateway again.
 * - `rate_limit`: the venue closed it (R15).
 * - `sequence_too_low`, `sequence_gap`: the number of a message of direct access was not the next one.
 */
export type SessionEnd = WordOfSort<typeof reasonSorts, 'end'>

/** Limits of market-maker protection. The first three have codes of the binary gateway: 0, 1, 2. */
export const mmpTriggers = ['quantity', 'delta', 'vega', 'trade_count'] as const

/** The limit that was reached. */
export type MmpTrigger = (typeof mmpTriggers)[number]

/**
 * Kinds of connections.
 * - `web_socket`: JSON-RPC over a WebSocket. A request that names an unknown session opens it.
 * - `direct_access`: the binary order entry of one portfolio on one gateway.
 * - `rest_gateway`: the REST interface of a gateway, for one portfolio.
 */
export const sessionKinds = ['web_socket', 'direct_access', 'rest_gateway'] as const

/** A kind of connection. */
export type SessionKind = (typeof sessionKinds)[number]

/**
 * Locks that staff put on an account (R52). Each cancels its open orders with a separate reason.
 * - `positions`: no order may open or increase a position; reason `position_locked`.
 * - `portfolio_margin`: an account under portfolio margin may not trade; reason `pme_account_locked`.
 */
export const accountLocks = ['positions', 'portfolio_margin'] as const

/** A lock that staff put on an account. */
export type AccountLock = (typeof accountLocks)[number]

/** Messages of the binary order entry that staff can switch off, with their numbers (8.5). */
export const directMessages = {
  NewOrderRequest: 100,
  AmendOrderRequest: 110,
  CancelOrderRequest: 120,
  CancelOrderByIdRequest: 125,
  MassQuoteRequest: 130,
  MassCancelRequest: 140,
  MassQuoteCancelRequest: 145,
  GetMassQuoteMmpStatusRequest: 155,
  GetOrdersMmpStatusRequest: 156,
} as const

/** A message of the binary order entry that staff can switch off. */
export type DirectMessage = keyof typeof directMessages

/** Scopes of cancel-on-disconnect: the session of the request, or also the later sessions of its account. */
export const disconnectScopes = ['connection', 'account'] as const

/** A scope of cancel-on-disconnect. */
export type DisconnectScope = (typeof disconnectScopes)[number]
