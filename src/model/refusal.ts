/**
 * Refusals: why the venue says no, as values. `rpc` gives each its code and message.
 *
 * Source: trading.md 9.1 (words) and C07 (order of validation).
 */
import type { Price9 } from '../core/index.ts'

/**
 * The order of validation: the first failing step decides the error (C07). Requests of people fail
 * where they are read (steps 1 to 5, and what cannot be expressed in ticks and lots later on); the
 * engine merges those faults with its own findings and lets the earliest step win. The limit of the speed
 * bump comes last, just before the book (8.7).
 */
export const validationStep = {
  envelope: 1,
  authentication: 2,
  scope: 3,
  rateLimit: 4,
  parameters: 5,
  validUntil: 6,
  instrument: 7,
  bookState: 8,
  accountLocks: 9,
  argumentCombination: 10,
  amount: 11,
  price: 12,
  triggerPrice: 13,
  postOnly: 14,
  priceBand: 15,
  reduceOnly: 16,
  openOrderLimits: 17,
  mmp: 18,
  margin: 19,
  selfMatch: 20,
  fillOrKill: 21,
  speedBump: 22,
} as const

/** A step of the order of validation. */
export type ValidationStep = (typeof validationStep)[keyof typeof validationStep]

/** Refusals that a word says completely. */
export type PlainReason =
  | 'authorization_required'
  | 'unauthorized'
  | 'qty_too_low'
  | 'order_overlap'
  | 'order_not_found'
  | 'not_enough_funds'
  | 'already_closed'
  | 'price_not_allowed'
  | 'book_closed'
  | 'locked_by_admin'
  | 'invalid_or_unsupported_instrument'
  | 'invalid_amount'
  | 'invalid_price'
  | 'non_integer_contract_amount'
  | 'not_owner_of_order'
  | 'invalid_args_for_instrument'
  | 'not_implemented'
  | 'retry'
  | 'settlement_in_progress'
  | 'price_wrong_tick'
  | 'post_only_price_modification_not_possible'
  | 'not_open_order'
  | 'unsupported_arg_combination'
  | 'post_only_reject'
  | 'post_only_not_allowed'
  | 'account_locked'
  | 'not_found'
  | 'forbidden'
  | 'no_adv_for_futures'
  | 'no_adv_postonly'
  | 'invalid_max_show_amount'
  | 'wrong_max_show_for_option'
  | 'timed_out'
  | 'method_not_found'
  | 'not_adv_order'
  | 'outdated_instrument'
  | 'outdated_instrument_for_IV_order'
  | 'other_reject no_opposite_price'
  | 'other_reject reduce_direction'
  | 'other_reject no_position'
  | 'other_reject lsp_reduce_only'
  | 'other_reject not_lsp_participant'
  | 'trigger_price_wrong_tick'
  | 'trigger_price_too_high'
  | 'trigger_price_too_low'
  | 'invalid_trigger_price'
  | 'non_unique_order_label'
  | 'active_combo_limit_reached'
  | 'unavailable_for_combo_books'
  | 'unavailable_in_subaccount'
  | 'too_many_subaccounts'
  | 'too_many_requests'
  | 'must_be_websocket_request'
  | 'disabled_while_position_lock'
  | 'permission_denied'
  | QueueReason
  | 'mmp_trigger'
  | 'mmp_required'
  | 'cod_not_enabled'
  | 'quotes_frozen'
  | 'mass_quotes_disabled'
  | 'too_many_quotes'
  | 'quote_crossed'
  | 'other_reject unknown_mmp_group'
  | 'other_reject mmp_not_configured'
  | 'other_reject max_quote_quantity'
  | 'other_reject member_speed_bump_limit'
  | 'other_reject speed_bump_queue_full'
  | DirectReason

/** Refusals of requests that wait for the matching engine (C05). */
export const queueReasons = [
  'matching_engine_queue_full',
  'lock_time_exceeded',
  'request_cancelled_by_user',
  'replaced',
] as const

/** A refusal of a request that waits. */
export type QueueReason = (typeof queueReasons)[number]

/** Refusals that only direct access knows, where each has a number of its own (8.4, 8.7). */
export type DirectReason =
  | 'gateway_not_active'
  | 'message_disabled'
  | 'portfolio_locked'
  | 'position_lock'
  | 'portfolio_margin_lock'
  | 'cancel_only'
  | 'duplicate_client_order_id'
  | 'mmp_min_freeze_time_not_elapsed'
  | 'mmp_group_disabled'
  | 'duplicate_instrument'
  | 'too_many_pending_replaces'
  | 'iceberg_not_allowed'
  | 'cancel_pending'
  | 'speed_bump_converted_to_ioc'
  | 'time_in_force'

/** A refusal of the venue. */
export type Refusal =
  | { readonly reason: PlainReason }
  | { readonly reason: 'price_too_high' | 'price_too_low'; readonly limit: Price9 }
  | {
      readonly reason:
        | 'pme_max_total_open_orders'
        | 'pme_max_future_open_orders'
        | 'pme_max_option_open_orders'
        | 'max_spot_open_orders'
        | 'non_pme_max_future_position_size'
        | 'non_pme_total_short_options_positions_size'
        | 'pme_max_future_open_orders_size'
        | 'pme_max_option_open_orders_size'
        | 'no_more_triggers'
        | 'no_more_oto_orders'
      readonly limit: number
    }
  | { readonly reason: 'not_enough_funds_in_currency'; readonly currency: string }
  /** Seconds until it may be asked again. */
  | { readonly reason: 'move_positions_over_limit'; readonly wait: number }
  | { readonly reason: 'invalid_params'; readonly param: string; readonly problem: string }
  | { readonly reason: 'invalid_request'; readonly problem: string }

/** The word of a refusal. */
export type RejectReason = Refusal['reason']

/** A refusal found while a request was read, with the step at which it counts. */
export interface Fault {
  readonly step: ValidationStep
  readonly refusal: Refusal
}
