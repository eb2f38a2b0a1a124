/**
 * How the engine's refusals and reasons of cancellation read to a session of direct access: each word has a
 * place in the table of the message that it answers. What has none is a system error.
 *
 * Source: sessions document 8.7; trading.md 9.2; coverage R53, R61; S303-S307.
 */
import type { CancelReason, DirectMessage, Refusal, RejectReason } from '../../../model/index.ts'
import { errorOf, type VenueError } from '../../wire/index.ts'
import { type Reason, type ReasonOf, type ReasonTable, reasonIn } from './reject-reasons.ts'

type Words<Name extends string> = { readonly [R in RejectReason]?: Name }

/** What answers a message that is refused. */
export const rejectOf: { readonly [M in DirectMessage]: Exclude<ReasonTable, 'CancelReason'> } = {
  NewOrderRequest: 'NewOrderReject',
  AmendOrderRequest: 'AmendOrderReject',
  CancelOrderRequest: 'CancelOrderReject',
  CancelOrderByIdRequest: 'CancelOrderReject',
  MassQuoteRequest: 'MassQuoteReject',
  MassCancelRequest: 'MassCancelReject',
  MassQuoteCancelRequest: 'MassCancelReject',
  GetMassQuoteMmpStatusRequest: 'MassQuoteMmpStatusReject',
  GetOrdersMmpStatusRequest: 'OrdersMmpStatusReject',
}

/**
 * Of orders, amends and single sides of quotes. Assumed: what would meet an order of its own without waiting has
 * a wrong price, as another price would be taken: it is refused before there is an order, so that it cannot be
 * told as cancelled with SELF_MATCH_PREVENTION, and nothing failed that SYSTEM_ERROR could name.
 */
export const orderWords: Words<ReasonOf<'NewOrderReject'>> = {
  not_found: 'INVALID_INSTRUMENT',
  invalid_or_unsupported_instrument: 'INVALID_INSTRUMENT',
  invalid_params: 'INVALID_FIELD',
  unsupported_arg_combination: 'INVALID_FIELD',
  invalid_args_for_instrument: 'INVALID_FIELD',
  not_implemented: 'INVALID_FIELD',
  invalid_max_show_amount: 'INVALID_FIELD',
  not_enough_funds: 'INSUFFICIENT_MARGIN',
  not_enough_funds_in_currency: 'INSUFFICIENT_MARGIN',
  duplicate_client_order_id: 'DUPLICATE_CLIENT_ORDER_ID',
  invalid_amount: 'INVALID_QUANTITY',
  qty_too_low: 'INVALID_QUANTITY',
  non_integer_contract_amount: 'INVALID_QUANTITY',
  invalid_price: 'INVALID_PRICE',
  price_wrong_tick: 'INVALID_PRICE',
  'other_reject no_opposite_price': 'INVALID_PRICE',
  order_overlap: 'INVALID_PRICE',
  book_closed: 'NOT_ALLOWED_BY_MARKET_STATE',
  settlement_in_progress: 'NOT_ALLOWED_BY_MARKET_STATE',
  locked_by_admin: 'NOT_ALLOWED_BY_MARKET_STATE',
  post_only_reject: 'POST_ONLY',
  post_only_price_modification_not_possible: 'POST_ONLY',
  pme_max_total_open_orders: 'TOO_MANY_OPEN_ORDERS',
  pme_max_future_open_orders: 'TOO_MANY_OPEN_ORDERS',
  pme_max_option_open_orders: 'TOO_MANY_OPEN_ORDERS',
  forbidden: 'PERMISSION_ERROR',
  mmp_required: 'PERMISSION_ERROR',
  mass_quotes_disabled: 'PERMISSION_ERROR',
  disabled_while_position_lock: 'PERMISSION_ERROR',
  permission_denied: 'PERMISSION_ERROR',
  position_lock: 'PERMISSION_ERROR',
  portfolio_margin_lock: 'PERMISSION_ERROR',
  'other_reject lsp_reduce_only': 'PERMISSION_ERROR',
  order_not_found: 'ORDER_NOT_FOUND',
  not_owner_of_order: 'ORDER_NOT_FOUND',
  already_closed: 'ORDER_NOT_FOUND',
  not_open_order: 'ORDER_NOT_FOUND',
  'other_reject mmp_not_configured': 'MMP_NOT_CONFIGURED',
  'other_reject unknown_mmp_group': 'MMP_NOT_CONFIGURED',
  'other_reject max_quote_quantity': 'MMP_MAX_QUOTE_QTY_EXCEEDED',
  mmp_trigger: 'MMP_GROUP_FROZEN',
  quotes_frozen: 'MMP_GROUP_FROZEN',
  account_locked: 'IN_LIQUIDATION',
  too_many_pending_replaces: 'TOO_MANY_PENDING_REPLACES',
  iceberg_not_allowed: 'ICEBERG_NOT_ALLOWED',
  price_too_high: 'PRICE_TOO_HIGH',
  price_too_low: 'PRICE_TOO_LOW',
  retry: 'PRICE_BAND_UNAVAILABLE',
  too_many_requests: 'RATE_LIMIT',
  portfolio_locked: 'PORTFOLIO_LOCKED',
  non_pme_max_future_position_size: 'POSITION_LIMIT_EXCEEDED',
  non_pme_total_short_options_positions_size: 'POSITION_LIMIT_EXCEEDED',
  pme_max_future_open_orders_size: 'ORDER_SIZE_LIMIT_EXCEEDED',
  pme_max_option_open_orders_size: 'ORDER_SIZE_LIMIT_EXCEEDED',
  'other_reject member_speed_bump_limit': 'MEMBER_SPEED_BUMP_LIMIT_EXCEEDED',
  mmp_min_freeze_time_not_elapsed: 'MMP_MIN_FREEZE_TIME_NOT_ELAPSED',
  cancel_only: 'CANCEL_ONLY',
}

/**
 * Of whole mass quotes, whose table has no number for a permission or for liquidation. Assumed: to who may not
 * quote its groups are disabled; an account that is locked, liquidated or only reduces is a locked portfolio; and
 * what its margin model does not quote is a wrong instrument.
 */
const massQuoteWords: Words<ReasonOf<'MassQuoteReject'>> = {
  'other_reject unknown_mmp_group': 'INVALID_MMP_GROUP',
  'other_reject mmp_not_configured': 'MMP_GROUP_DISABLED',
  mmp_group_disabled: 'MMP_GROUP_DISABLED',
  forbidden: 'MMP_GROUP_DISABLED',
  mass_quotes_disabled: 'MMP_GROUP_DISABLED',
  mmp_required: 'MMP_GROUP_DISABLED',
  mmp_trigger: 'MMP_GROUP_FROZEN',
  quotes_frozen: 'MMP_GROUP_FROZEN',
  too_many_quotes: 'TOO_MANY_QUOTES',
  not_found: 'INVALID_INSTRUMENT',
  invalid_or_unsupported_instrument: 'INVALID_INSTRUMENT',
  invalid_args_for_instrument: 'INVALID_INSTRUMENT',
  too_many_requests: 'RATE_LIMIT',
  portfolio_locked: 'PORTFOLIO_LOCKED',
  position_lock: 'PORTFOLIO_LOCKED',
  portfolio_margin_lock: 'PORTFOLIO_LOCKED',
  account_locked: 'PORTFOLIO_LOCKED',
  'other_reject lsp_reduce_only': 'PORTFOLIO_LOCKED',
  duplicate_instrument: 'DUPLICATE_INSTRUMENT',
  mmp_min_freeze_time_not_elapsed: 'MMP_MIN_FREEZE_TIME_NOT_ELAPSED',
}

const cancelWords: Words<ReasonOf<'CancelOrderReject'>> = {
  order_not_found: 'UNKNOWN_ORDER',
  not_owner_of_order: 'UNKNOWN_ORDER',
  already_closed: 'UNKNOWN_ORDER',
  not_open_order: 'UNKNOWN_ORDER',
  forbidden: 'CLIENT_PERMISSION_ERROR',
  book_closed: 'NOT_ALLOWED_BY_MARKET_STATE',
  settlement_in_progress: 'NOT_ALLOWED_BY_MARKET_STATE',
  cancel_pending: 'CANCEL_PENDING',
  account_locked: 'IN_LIQUIDATION',
  not_found: 'INVALID_INSTRUMENT',
  invalid_or_unsupported_instrument: 'INVALID_INSTRUMENT',
  time_in_force: 'TIME_IN_FORCE',
  speed_bump_converted_to_ioc: 'SPEED_BUMP_CONVERTED_TO_IOC',
}

const massCancelWords: Words<ReasonOf<'MassCancelReject'>> = {
  'other_reject unknown_mmp_group': 'INVALID_MMP_GROUP',
  'other_reject mmp_not_configured': 'INVALID_MMP_GROUP',
  forbidden: 'CLIENT_PERMISSION_ERROR',
  account_locked: 'CLIENT_PERMISSION_ERROR',
  book_closed: 'NOT_ALLOWED_BY_MARKET_STATE',
  settlement_in_progress: 'NOT_ALLOWED_BY_MARKET_STATE',
}

const statusWords: Words<ReasonOf<'MassQuoteMmpStatusReject'>> = {
  'other_reject unknown_mmp_group': 'INVALID_MMP_GROUP',
  'other_reject mmp_not_configured': 'INVALID_MMP_GROUP',
}

const messageWords: Words<ReasonOf<'Reject'>> = {
  method_not_found: 'INVALID_TEMPLATE_ID',
  invalid_request: 'INVALID_FIELD_VALUE',
  message_disabled: 'MESSAGE_DISABLED',
  gateway_not_active: 'GATEWAY_NOT_ACTIVE',
}

/** The words of each reject, and what stands for all others. */
export const rejectWords: {
  readonly [T in Exclude<ReasonTable, 'CancelReason'>]: {
    readonly words: Words<ReasonOf<T>>
    readonly other: ReasonOf<T>
  }
} = {
  NewOrderReject: { words: orderWords, other: 'SYSTEM_ERROR' },
  AmendOrderReject: { words: orderWords, other: 'SYSTEM_ERROR' },
  CancelOrderReject: { words: cancelWords, other: 'ERROR' },
  MassQuoteReject: { words: massQuoteWords, other: 'SYSTEM_ERROR' },
  MassCancelReject: { words: massCancelWords, other: 'ERROR' },
  MassQuoteMmpStatusReject: { words: statusWords, other: 'SYSTEM_ERROR' },
  OrdersMmpStatusReject: { words: statusWords, other: 'SYSTEM_ERROR' },
  Reject: { words: messageWords, other: 'INVALID_FIELD_VALUE' },
}

/** A refusal as the reject that answers a message tells it, to a session of a version. */
export function directError(message: DirectMessage, refusal: Refusal, version: number): VenueError {
  const { reason } = refusal
  // What has no session of its own is no message at all.
  if (reason === 'invalid_params' && refusal.param === 'session') return errorOf(refusal)
  const isOfMessage = messageWords[reason] !== undefined
  return rejectError(isOfMessage ? 'Reject' : rejectOf[message], reason, version)
}

/** A reject of a sort, for a word of the engine. */
export function rejectError(
  reject: Exclude<ReasonTable, 'CancelReason'>,
  word: RejectReason,
  version: number,
): VenueError {
  const { words, other } = rejectWords[reject]
  const { code, name } = reasonIn(reject, (words[word] ?? other) as never, version)
  return { code, message: name, data: { reason: word, reject } }
}

/** Why an order was cancelled; what staff do is `ADMIN`. */
export const cancelWordsOf: { readonly [R in CancelReason]: ReasonOf<'CancelReason'> } = {
  user_request: 'BY_REQUEST',
  risk_mitigation: 'SELF_MATCH_PREVENTION',
  edit_post_only_reject: 'POST_ONLY',
  timed_out: 'TIME_IN_FORCE',
  oco_other_closed: 'UNKNOWN',
  oto_primary_closed: 'UNKNOWN',
  settlement: 'SETTLEMENT',
  autoliquidation: 'LIQUIDATION',
  position_locked: 'ADMIN',
  pme_account_locked: 'ADMIN',
  pme_risk_reduction: 'ADMIN',
  cancel_on_disconnect: 'CLIENT_DISCONNECT',
  mmp_trigger: 'MM_PROTECTION',
  mmp_config_curtailment: 'MM_PROTECTION',
  portfolio_locked: 'PORTFOLIO_LOCKED',
  time_in_force: 'TIME_IN_FORCE',
  expiry: 'DELIVERED',
}

/**
 * Why an order was cancelled, as a session of a version is told it. `risk_mitigation` ends orders that would
 * meet their own, and those whose book is gone; a group that is deleted curtails its orders to nothing.
 */
export function cancelReasonOf(
  reason: CancelReason,
  of: { readonly isBookGone: boolean; readonly isGroupGone: boolean; readonly version: number },
): Reason {
  const isBookGone = reason === 'risk_mitigation' && of.isBookGone
  const isGroupGone = reason === 'mmp_config_curtailment' && of.isGroupGone
  const name = isBookGone
    ? 'BOOK_DEACTIVATED'
    : isGroupGone
      ? 'MMP_GROUP_DELETED'
      : cancelWordsOf[reason]
  return reasonIn('CancelReason', name, of.version)
}
