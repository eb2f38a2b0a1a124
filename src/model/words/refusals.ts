/**
 * Refusals: the reasons for which the venue refuses a request, as values. One table contains everything about a
 * refusal. A new refusal is a row at its end, and needs no other change in `src`.
 *
 * The position of a row is the code of its word in files and digests, so rows are only ever added at the end; the
 * frequent ones come first.
 * Source: trading.md 9.1 (words, codes, messages), 9.2, C19, C27; sessions-blocks-gateways.md 1.3 (HTTP), 8.7 (direct
 * access); coverage R14, R33, R45, R53, R61.
 */

import type { Price9 } from '../../core/index.ts'
import {
  type DirectNames,
  frozenGroup,
  groupWithoutTerms,
  inLiquidation,
  lockedByStaff,
  marketState,
  mayNotQuote,
  noPermission,
  ofJsonRpc,
  ofOrders,
  ofOrdersAndQuotes,
  unknownGroup,
  unknownOrder,
  withoutName,
  wrongInstrument,
} from './direct-names.ts'
import type { RejectionReason } from './orders.ts'

/** The values that a refusal has in addition to its word. */
interface Carried {
  readonly none: unknown
  readonly price: { readonly limit: Price9 }
  readonly count: { readonly limit: number }
  readonly currency: { readonly currency: string }
  /** Seconds until the request may be repeated. */
  readonly seconds: { readonly wait: number }
  /** A parameter and the problem with it. */
  readonly parameter: { readonly param: string; readonly problem: string }
  readonly problem: { readonly problem: string }
}

/** A row of the table. All columns are required. */
export type RefusalRow = readonly [
  carries: keyof Carried,
  /** The code of JSON-RPC. */
  code: number,
  /** The status of HTTP (R14). */
  status: 400 | 401 | 403 | 429 | 500 | 503,
  /** The message of JSON-RPC: `{word}` is replaced by the word, `{value}` by the value of the refusal. */
  message: string,
  direct: DirectNames,
  /**
   * The word in the history and the tables if an accepted order is refused when it becomes active (C19); null if the
   * check happens only at placement.
   */
  history: RejectionReason | null,
]

/** All columns of a word by name; see `RefusalRow`. */
interface RefusalTerms {
  readonly carries: keyof Carried
  readonly code: number
  readonly status: RefusalRow[2]
  readonly message: string
  readonly direct: DirectNames
  readonly history: RejectionReason | null
}

const word = '{word}'

const wordAndValue = '{word} {value}'

/**
 * JSON-RPC has no number for a refusal that exists only in direct access, so it gets one of the rare rejections (9.1).
 */
const otherReject = 'other_reject {word}'

/** The columns of a row are in the order of `RefusalRow`. No word is a number, so that keys keep this order. */
// biome-ignore format: a row of the table is a line.
const rows = {
  not_enough_funds: ['none', 10009, 400, word, ofOrders('INSUFFICIENT_MARGIN'), 'not_enough_funds'],
  post_only_reject: ['none', 11054, 400, word, ofOrders('POST_ONLY'), 'post_only'],
  order_not_found: ['none', 10004, 400, word, unknownOrder, null],
  not_open_order: ['none', 11044, 400, word, unknownOrder, null],
  price_too_high: ['price', 10007, 400, wordAndValue, ofOrders('PRICE_TOO_HIGH'), 'price_too_high'],
  price_too_low: ['price', 10005, 400, wordAndValue, ofOrders('PRICE_TOO_LOW'), 'price_too_low'],
  invalid_params: ['parameter', -32602, 400, 'Invalid params', ofOrders('INVALID_FIELD'), null],
  invalid_request: ['problem', -32600, 400, 'Invalid Request', { ...withoutName, message: 'INVALID_FIELD_VALUE' }, null],
  authorization_required: ['none', 10000, 401, word, withoutName, null],
  qty_too_low: ['none', 10002, 400, word, ofOrders('INVALID_QUANTITY'), null],
  // Assumed: over direct access an order that would match another order of its account has a wrong price, because the
  // venue would accept another price. It is refused before the order exists, so SELF_MATCH_PREVENTION, a cancel reason,
  // does not fit, and no failure occurred that SYSTEM_ERROR could name.
  order_overlap: ['none', 10003, 400, word, ofOrders('INVALID_PRICE'), 'order_overlap'],
  already_closed: ['none', 10010, 400, word, unknownOrder, null],
  price_not_allowed: ['none', 10011, 400, word, withoutName, null],
  book_closed: ['none', 10012, 400, word, marketState, 'book_closed'],
  locked_by_admin: ['none', 10019, 400, word, ofOrders('NOT_ALLOWED_BY_MARKET_STATE'), 'book_closed'],
  invalid_or_unsupported_instrument: ['none', 10020, 400, word, wrongInstrument, null],
  invalid_amount: ['none', 10021, 400, word, ofOrders('INVALID_QUANTITY'), null],
  invalid_price: ['none', 10023, 400, word, ofOrders('INVALID_PRICE'), null],
  non_integer_contract_amount: ['none', 10027, 400, word, ofOrders('INVALID_QUANTITY'), null],
  not_owner_of_order: ['none', 10029, 400, word, unknownOrder, null],
  invalid_args_for_instrument: ['none', 10031, 400, word, ofOrdersAndQuotes('INVALID_FIELD', 'INVALID_INSTRUMENT'), null],
  not_implemented: ['none', 10033, 400, word, ofOrders('INVALID_FIELD'), null],
  retry: ['none', 10040, 400, word, ofOrders('PRICE_BAND_UNAVAILABLE'), 'no_mark_price'],
  settlement_in_progress: ['none', 10041, 400, word, marketState, 'book_closed'],
  price_wrong_tick: ['none', 10043, 400, word, ofOrders('INVALID_PRICE'), null],
  post_only_price_modification_not_possible: ['none', 11021, 400, word, ofOrders('POST_ONLY'), 'post_only'],
  unsupported_arg_combination: ['none', 11047, 400, word, ofOrders('INVALID_FIELD'), null],
  post_only_not_allowed: ['none', 11055, 400, word, withoutName, null],
  account_locked: ['none', 11098, 400, word, inLiquidation, 'reduce_direction'],
  not_found: ['none', 13020, 400, word, wrongInstrument, null],
  forbidden: ['none', 13021, 403, word, noPermission, null],
  no_adv_for_futures: ['none', 11038, 400, word, ofJsonRpc, null],
  invalid_max_show_amount: ['none', 10036, 400, word, ofOrders('INVALID_FIELD'), null],
  timed_out: ['none', 13888, 400, word, withoutName, null],
  method_not_found: ['none', -32601, 400, 'Method not found', { ...withoutName, message: 'INVALID_TEMPLATE_ID' }, null],
  not_adv_order: ['none', 11041, 400, word, ofJsonRpc, null],
  outdated_instrument: ['none', 11046, 400, word, withoutName, null],
  outdated_instrument_for_IV_order: ['none', 11037, 400, word, ofJsonRpc, null],
  'other_reject no_opposite_price': ['none', 11030, 400, word, ofOrders('INVALID_PRICE'), 'no_opposite_price'],
  'other_reject reduce_direction': ['none', 11030, 400, word, withoutName, 'reduce_direction'],
  pme_max_total_open_orders: ['count', 10013, 400, wordAndValue, ofOrders('TOO_MANY_OPEN_ORDERS'), 'max_open_orders'],
  pme_max_future_open_orders: ['count', 10014, 400, wordAndValue, ofOrders('TOO_MANY_OPEN_ORDERS'), 'max_open_orders'],
  pme_max_option_open_orders: ['count', 10015, 400, wordAndValue, ofOrders('TOO_MANY_OPEN_ORDERS'), 'max_open_orders'],
  max_spot_open_orders: ['count', 11013, 400, wordAndValue, withoutName, 'max_open_orders'],
  non_pme_max_future_position_size: ['count', 10018, 400, wordAndValue, ofOrders('POSITION_LIMIT_EXCEEDED'), 'max_open_orders'],
  not_enough_funds_in_currency: ['currency', 10039, 400, wordAndValue, ofOrders('INSUFFICIENT_MARGIN'), 'not_enough_funds'],
  unauthorized: ['none', 13009, 401, word, withoutName, null],
  wrong_max_show_for_option: ['none', 11048, 400, word, withoutName, null],
  'other_reject no_position': ['none', 11030, 400, word, withoutName, null],
  'other_reject not_lsp_participant': ['none', 11030, 400, word, ofJsonRpc, null],
  trigger_price_wrong_tick: ['none', 10044, 400, word, ofJsonRpc, null],
  trigger_price_too_high: ['none', 10034, 400, word, ofJsonRpc, 'trigger_price_too_high'],
  trigger_price_too_low: ['none', 10035, 400, word, ofJsonRpc, 'trigger_price_too_low'],
  invalid_trigger_price: ['none', 11036, 400, word, ofJsonRpc, 'invalid_trigger_price'],
  non_unique_order_label: ['none', 13032, 400, word, withoutName, null],
  active_combo_limit_reached: ['none', 13035, 400, word, ofJsonRpc, null],
  unavailable_for_combo_books: ['none', 13036, 400, word, withoutName, null],
  no_more_triggers: ['count', 11035, 400, wordAndValue, ofJsonRpc, 'max_open_orders'],
  no_more_oto_orders: ['count', 13901, 400, word, ofJsonRpc, null],
  no_adv_postonly: ['none', 11039, 400, word, ofJsonRpc, null],
  'other_reject lsp_reduce_only': ['none', 11030, 400, word, lockedByStaff, 'reduce_direction'],
  unavailable_in_subaccount: ['none', 13012, 400, word, ofJsonRpc, null],
  too_many_subaccounts: ['none', 12001, 400, word, ofJsonRpc, null],
  too_many_requests: ['none', 10028, 429, word, ofOrdersAndQuotes('RATE_LIMIT', 'RATE_LIMIT'), null],
  must_be_websocket_request: ['none', 10030, 400, word, ofJsonRpc, null],
  disabled_while_position_lock: ['none', 10072, 400, word, ofOrders('PERMISSION_ERROR'), 'reduce_direction'],
  mmp_trigger: ['none', 13030, 400, word, frozenGroup, null],
  mmp_required: ['none', 13040, 400, word, mayNotQuote, null],
  cod_not_enabled: ['none', 13042, 400, word, ofJsonRpc, null],
  quotes_frozen: ['none', 13043, 400, word, frozenGroup, null],
  mass_quotes_disabled: ['none', 13902, 400, word, mayNotQuote, null],
  too_many_quotes: ['none', 13903, 400, word, { ...withoutName, massQuote: 'TOO_MANY_QUOTES' }, null],
  quote_crossed: ['none', 13910, 400, word, withoutName, null],
  'other_reject unknown_mmp_group': ['none', 11030, 400, word, unknownGroup, null],
  'other_reject mmp_not_configured': ['none', 11030, 400, word, groupWithoutTerms, null],
  'other_reject max_quote_quantity': ['none', 11030, 400, word, ofOrders('MMP_MAX_QUOTE_QTY_EXCEEDED'), null],
  'other_reject member_speed_bump_limit': ['none', 11030, 400, word, ofOrders('MEMBER_SPEED_BUMP_LIMIT_EXCEEDED'), 'max_open_orders'],
  'other_reject speed_bump_queue_full': ['none', 11030, 400, word, withoutName, 'max_open_orders'],
  gateway_not_active: ['none', 11030, 400, otherReject, { ...withoutName, message: 'GATEWAY_NOT_ACTIVE' }, null],
  message_disabled: ['none', 11030, 400, otherReject, { ...withoutName, message: 'MESSAGE_DISABLED' }, null],
  portfolio_locked: ['none', 11030, 400, otherReject, ofOrdersAndQuotes('PORTFOLIO_LOCKED', 'PORTFOLIO_LOCKED'), null],
  position_lock: ['none', 11030, 400, otherReject, lockedByStaff, null],
  portfolio_margin_lock: ['none', 11030, 400, otherReject, lockedByStaff, null],
  cancel_only: ['none', 11030, 400, otherReject, ofOrders('CANCEL_ONLY'), null],
  duplicate_client_order_id: ['none', 11030, 400, otherReject, ofOrders('DUPLICATE_CLIENT_ORDER_ID'), null],
  mmp_min_freeze_time_not_elapsed: ['none', 11030, 400, otherReject, ofOrdersAndQuotes('MMP_MIN_FREEZE_TIME_NOT_ELAPSED', 'MMP_MIN_FREEZE_TIME_NOT_ELAPSED'), null],
  mmp_group_disabled: ['none', 11030, 400, otherReject, { ...withoutName, massQuote: 'MMP_GROUP_DISABLED' }, null],
  duplicate_instrument: ['none', 11030, 400, otherReject, { ...withoutName, massQuote: 'DUPLICATE_INSTRUMENT' }, null],
  too_many_pending_replaces: ['none', 11030, 400, otherReject, ofOrders('TOO_MANY_PENDING_REPLACES'), null],
  iceberg_not_allowed: ['none', 11030, 400, otherReject, ofOrders('ICEBERG_NOT_ALLOWED'), null],
  cancel_pending: ['none', 11030, 400, otherReject, { ...withoutName, cancel: 'CANCEL_PENDING' }, null],
  speed_bump_converted_to_ioc: ['none', 11030, 400, otherReject, { ...withoutName, cancel: 'SPEED_BUMP_CONVERTED_TO_IOC' }, null],
  time_in_force: ['none', 11030, 400, otherReject, { ...withoutName, cancel: 'TIME_IN_FORCE' }, null],
  non_pme_total_short_options_positions_size: ['count', 10037, 400, wordAndValue, ofOrders('POSITION_LIMIT_EXCEEDED'), 'max_open_orders'],
  pme_max_future_open_orders_size: ['count', 10016, 400, wordAndValue, ofOrders('ORDER_SIZE_LIMIT_EXCEEDED'), 'max_open_orders'],
  pme_max_option_open_orders_size: ['count', 10017, 400, wordAndValue, ofOrders('ORDER_SIZE_LIMIT_EXCEEDED'), 'max_open_orders'],
  move_positions_over_limit: ['seconds', 13780, 400, wordAndValue, ofJsonRpc, null],
  permission_denied: ['none', 11042, 400, word, ofOrders('PERMISSION_ERROR'), null],
  matching_engine_queue_full: ['none', 10047, 400, word, withoutName, null],
  lock_time_exceeded: ['none', 10050, 400, word, withoutName, null],
  request_cancelled_by_user: ['none', 13666, 400, word, ofJsonRpc, null],
  replaced: ['none', 13777, 400, word, ofJsonRpc, null],
  invalid_arguments: ['parameter', 11029, 400, word, ofJsonRpc, null],
  side_not_enough_funds: ['problem', 10009, 400, 'not_enough_funds', ofJsonRpc, null],
  transfer_not_found: ['none', 11053, 400, word, ofJsonRpc, null],
  invalid_addr: ['none', 11090, 400, word, ofJsonRpc, null],
  invalid_transfer_address: ['none', 11091, 400, word, ofJsonRpc, null],
  address_already_exist: ['none', 11092, 400, word, ofJsonRpc, null],
  max_addr_count_exceeded: ['none', 11093, 400, word, ofJsonRpc, null],
  disabled_deposit_address_creation: ['none', 11095, 400, word, ofJsonRpc, null],
  address_belongs_to_user: ['none', 11096, 400, word, ofJsonRpc, null],
  no_deposit_address: ['none', 11097, 400, word, ofJsonRpc, null],
  transfer_not_allowed: ['none', 12100, 400, word, ofJsonRpc, null],
  too_many_quotes_per_block_rfq: ['none', 13905, 400, word, ofJsonRpc, null],
  too_many_quotes_per_block_rfq_side: ['none', 13906, 400, word, ofJsonRpc, null],
  not_fully_filled: ['none', 13907, 400, word, ofJsonRpc, null],
  too_many_open_block_rfqs: ['none', 13907, 400, word, ofJsonRpc, null],
  account_quote_limit_crossed: ['none', 13917, 400, word, ofJsonRpc, null],
  inverse_future_cross_trading: ['none', 13918, 400, word, ofJsonRpc, null],
  'other_reject grace_period': ['none', 11030, 400, word, ofJsonRpc, null],
  system_maintenance: ['none', 11051, 503, word, withoutName, null],
  temporarily_unavailable: ['none', 13028, 503, word, withoutName, null],
  scope_exceeded: ['none', 13403, 400, word, ofJsonRpc, null],
  wrong_subaccount_name: ['none', 12002, 400, word, ofJsonRpc, null],
} as const satisfies { readonly [word: string]: RefusalRow }

/** The word of a refusal. */
export type RejectReason = keyof typeof rows

type Carrying<C> = {
  [R in RejectReason]: (typeof rows)[R][0] extends C ? R : never
}[RejectReason]

/** A refusal of the venue. */
export type Refusal = {
  [C in keyof Carried]: { readonly reason: Carrying<C> } & Carried[C]
}[keyof Carried]

/** Refusals without further values. */
export type PlainReason = Carrying<'none'>

/** Words of refusals in the order of their codes. The table has only the keys of its type. */
export const rejectReasons = Object.keys(rows) as readonly RejectReason[]

/** The columns of each word. Each entry comes from the row with the same key. */
export const refusals = Object.fromEntries(rejectReasons.map((reason) => [reason, termsOf(rows[reason])])) as {
  readonly [R in RejectReason]: RefusalTerms
}

/** Refusals of requests that wait for the matching engine (C05), in the order of journals. */
const queueReasons = [
  'matching_engine_queue_full',
  'lock_time_exceeded',
  'request_cancelled_by_user',
  'replaced',
] as const satisfies readonly PlainReason[]

/** A refusal of a request that waits. */
export type QueueReason = (typeof queueReasons)[number]

/** Refusals by injected faults, in the order of journals. */
export const faultReasons = [
  'too_many_requests',
  'temporarily_unavailable',
  'system_maintenance',
] as const satisfies readonly PlainReason[]

/** A refusal by an injected fault. */
export type FaultReason = (typeof faultReasons)[number]

/**
 * Refusals of requests before they reach the engine, in the order of journals: by the queue of an account; by a server,
 * because a scope is missing, because the server does not offer the controls of the simulator, or, in strict mode,
 * because the method has no such parameter; for `sim/restore`, because the run has feeds or strategies, which a restore
 * does not rewind; or by an injected fault.
 */
export const requestRefusals = [
  ...queueReasons,
  'forbidden',
  'method_not_found',
  'unknown_parameter',
  'cannot_go_back',
  ...faultReasons,
] as const satisfies readonly (PlainReason | 'unknown_parameter' | 'cannot_go_back')[]

/** A refusal of a request before it reaches the engine. */
export type RequestRefusal = (typeof requestRefusals)[number]

/**
 * The columns of the table of refusals. Source: trading.md 9.1, C19; sessions-blocks-gateways.md 1.3; coverage R14.
 */

/** The columns of a row by name. */
function termsOf([carries, code, status, message, direct, history]: RefusalRow): RefusalTerms {
  return { carries, code, status, message, direct, history }
}
