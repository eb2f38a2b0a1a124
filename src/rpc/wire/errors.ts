/**
 * Codes and messages of refusals. Source: trading.md 9.1; coverage R14, R33, R45.
 */
import { formatScaledNumber } from '../../core/index.ts'
import type { DirectReason, Refusal, RejectReason } from '../../model/index.ts'
import type { VenueError } from './request.ts'

/** JSON-RPC has no number for what only direct access knows: it is one of the rare rejections (9.1). */
const directCodes: { readonly [R in DirectReason]: number } = {
  gateway_not_active: 11030,
  message_disabled: 11030,
  portfolio_locked: 11030,
  position_lock: 11030,
  portfolio_margin_lock: 11030,
  cancel_only: 11030,
  duplicate_client_order_id: 11030,
  mmp_min_freeze_time_not_elapsed: 11030,
  mmp_group_disabled: 11030,
  duplicate_instrument: 11030,
  too_many_pending_replaces: 11030,
  iceberg_not_allowed: 11030,
  cancel_pending: 11030,
  speed_bump_converted_to_ioc: 11030,
  time_in_force: 11030,
}

/** The code of each refusal; the message is the word itself, with its value where it has one. */
const codes: { readonly [R in RejectReason]: number } = {
  authorization_required: 10000,
  qty_too_low: 10002,
  order_overlap: 10003,
  order_not_found: 10004,
  price_too_low: 10005,
  price_too_high: 10007,
  not_enough_funds: 10009,
  already_closed: 10010,
  price_not_allowed: 10011,
  book_closed: 10012,
  pme_max_total_open_orders: 10013,
  pme_max_future_open_orders: 10014,
  pme_max_option_open_orders: 10015,
  non_pme_max_future_position_size: 10018,
  locked_by_admin: 10019,
  invalid_or_unsupported_instrument: 10020,
  invalid_amount: 10021,
  invalid_price: 10023,
  non_integer_contract_amount: 10027,
  not_owner_of_order: 10029,
  invalid_args_for_instrument: 10031,
  not_implemented: 10033,
  trigger_price_too_high: 10034,
  trigger_price_too_low: 10035,
  invalid_max_show_amount: 10036,
  not_enough_funds_in_currency: 10039,
  too_many_requests: 10028,
  must_be_websocket_request: 10030,
  pme_max_future_open_orders_size: 10016,
  pme_max_option_open_orders_size: 10017,
  non_pme_total_short_options_positions_size: 10037,
  disabled_while_position_lock: 10072,
  retry: 10040,
  settlement_in_progress: 10041,
  price_wrong_tick: 10043,
  trigger_price_wrong_tick: 10044,
  max_spot_open_orders: 11013,
  post_only_price_modification_not_possible: 11021,
  'other_reject no_opposite_price': 11030,
  'other_reject reduce_direction': 11030,
  'other_reject no_position': 11030,
  'other_reject lsp_reduce_only': 11030,
  'other_reject not_lsp_participant': 11030,
  no_more_triggers: 11035,
  invalid_trigger_price: 11036,
  outdated_instrument_for_IV_order: 11037,
  no_adv_for_futures: 11038,
  no_adv_postonly: 11039,
  permission_denied: 11042,
  matching_engine_queue_full: 10047,
  lock_time_exceeded: 10050,
  request_cancelled_by_user: 13666,
  replaced: 13777,
  not_adv_order: 11041,
  outdated_instrument: 11046,
  not_open_order: 11044,
  unsupported_arg_combination: 11047,
  wrong_max_show_for_option: 11048,
  post_only_reject: 11054,
  post_only_not_allowed: 11055,
  account_locked: 11098,
  too_many_subaccounts: 12001,
  unauthorized: 13009,
  unavailable_in_subaccount: 13012,
  not_found: 13020,
  forbidden: 13021,
  non_unique_order_label: 13032,
  active_combo_limit_reached: 13035,
  unavailable_for_combo_books: 13036,
  timed_out: 13888,
  mmp_trigger: 13030,
  mmp_required: 13040,
  cod_not_enabled: 13042,
  quotes_frozen: 13043,
  move_positions_over_limit: 13780,
  no_more_oto_orders: 13901,
  mass_quotes_disabled: 13902,
  too_many_quotes: 13903,
  quote_crossed: 13910,
  'other_reject unknown_mmp_group': 11030,
  'other_reject mmp_not_configured': 11030,
  'other_reject max_quote_quantity': 11030,
  'other_reject member_speed_bump_limit': 11030,
  'other_reject speed_bump_queue_full': 11030,
  ...directCodes,
  invalid_request: -32600,
  method_not_found: -32601,
  invalid_params: -32602,
}

/** The error object of a refusal. */
export function errorOf(refusal: Refusal): VenueError {
  const code = codes[refusal.reason]
  switch (refusal.reason) {
    case 'price_too_high':
    case 'price_too_low':
      return { code, message: `${refusal.reason} ${formatScaledNumber(refusal.limit, 9)}` }
    case 'pme_max_total_open_orders':
    case 'pme_max_future_open_orders':
    case 'pme_max_option_open_orders':
    case 'max_spot_open_orders':
    case 'non_pme_max_future_position_size':
    case 'no_more_triggers':
    case 'non_pme_total_short_options_positions_size':
    case 'pme_max_future_open_orders_size':
    case 'pme_max_option_open_orders_size':
      return { code, message: `${refusal.reason} ${refusal.limit}` }
    case 'not_enough_funds_in_currency':
      return { code, message: `${refusal.reason} ${refusal.currency}` }
    case 'move_positions_over_limit':
      return { code, message: `${refusal.reason} ${refusal.wait}` }
    case 'invalid_params':
      return {
        code,
        message: 'Invalid params',
        data: { ...reasonOf(refusal.problem), param: refusal.param },
      }
    case 'invalid_request':
      return { code, message: 'Invalid Request', data: reasonOf(refusal.problem) }
    case 'method_not_found':
      return { code, message: 'Method not found' }
    case 'unauthorized':
      return {
        code,
        message: 'unauthorized',
        data: { reason: 'invalid_token', param: 'access_token' },
      }
    default: {
      const isDirect = Object.hasOwn(directCodes, refusal.reason)
      return { code, message: isDirect ? `other_reject ${refusal.reason}` : refusal.reason }
    }
  }
}

/** A problem as programs read it: a word stands by itself, a sentence explains an invalid value (sessions document 1.2). */
function reasonOf(problem: string): { readonly reason: string; readonly detail?: string } {
  const isWord = /^[a-z][a-z0-9_]*$/.test(problem)
  return isWord ? { reason: problem } : { reason: 'invalid_value', detail: problem }
}
