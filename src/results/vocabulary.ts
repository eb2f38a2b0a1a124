/**
 * The closed vocabularies of the result tables. The position of a word is its code, which files and
 * digests contain: words are only ever added at the end, and the frequent ones stand first.
 *
 * A word that the model has and a list here lacks, or the reverse, breaks the build.
 */
import { assert } from '../core/index.ts'
import {
  type CancelReason,
  type Command,
  currencies,
  type FeedCheck,
  type FeedPolicy,
  type FillRule,
  feedChecks,
  feedPolicies,
  type InstrumentDetail,
  type InstrumentKind,
  type MarginModel,
  type MarkChanged,
  type MarketKind,
  marketKinds,
  type OrderChanged,
  type OrderState,
  type OrderType,
  type Payoff,
  type PostOnly,
  type RejectReason,
  type SettlementPeriod,
  type Side,
  type TimeInForce,
} from '../model/index.ts'

type Change<Kind extends string> = Kind extends `order_${infer Word}` ? Word : never
type OptionRight = Extract<InstrumentDetail, { readonly type: 'option' }>['right']

export const vocabulary = {
  currency: currencies,
  side: allOf<Side>()('buy', 'sell'),
  orderChange: allOf<Change<OrderChanged['kind']>>()(
    'opened',
    'filled',
    'cancelled',
    'edited',
    'rested',
  ),
  orderType: allOf<OrderType>()('limit', 'market', 'market_limit'),
  timeInForce: allOf<TimeInForce>()(
    'good_til_cancelled',
    'immediate_or_cancel',
    'fill_or_kill',
    'good_til_day',
  ),
  orderState: allOf<OrderState>()('open', 'filled', 'cancelled', 'rejected'),
  postOnly: allOf<PostOnly>()('off', 'slide', 'reject'),
  cancelReason: allOf<CancelReason>()(
    'user_request',
    'time_in_force',
    'risk_mitigation',
    'edit_post_only_reject',
    'settlement',
    'expiry',
  ),
  liquidity: ['maker', 'taker'],
  fillRule: allOf<FillRule>()(
    'book_maker',
    'book_taker',
    'print_at_price',
    'print_through',
    'level_reached',
    'level_taken',
    'recorded',
  ),
  /** Sides of public trades; a recorded one may not tell. */
  tradeSide: allOf<Side | 'unknown'>()('buy', 'sell', 'unknown'),
  marketKind: allOf<MarketKind>()(...marketKinds),
  feedCheck: allOf<FeedCheck>()(...feedChecks),
  feedPolicy: allOf<FeedPolicy>()(...feedPolicies),
  tickDirection: ['plus', 'zero_plus', 'minus', 'zero_minus'],
  markKind: ['mark', 'index'],
  markSource: allOf<MarkChanged['source']>()('index', 'set'),
  instrumentKind: allOf<InstrumentKind>()(
    'future',
    'option',
    'spot',
    'future_combo',
    'option_combo',
  ),
  payoff: allOf<Payoff>()('inverse', 'linear', 'spot'),
  settlementPeriod: allOf<SettlementPeriod>()('perpetual', 'day', 'week', 'month'),
  optionRight: allOf<OptionRight>()('call', 'put'),
  marginModel: allOf<MarginModel>()('segregated_sm', 'segregated_pm', 'cross_sm', 'cross_pm'),
  command: allOf<Command['kind']>()(
    'place_order',
    'edit_order',
    'cancel_order',
    'cancel_orders',
    'query',
    'open_account',
    'list_instrument',
    'deposit',
    'give_position',
    'set_index',
    'set_mark',
    'advance_time',
    'follow_mid',
  ),
  rejectReason: allOf<RejectReason>()(
    'not_enough_funds',
    'post_only_reject',
    'order_not_found',
    'not_open_order',
    'price_too_high',
    'price_too_low',
    'invalid_params',
    'invalid_request',
    'authorization_required',
    'qty_too_low',
    'order_overlap',
    'already_closed',
    'price_not_allowed',
    'book_closed',
    'locked_by_admin',
    'invalid_or_unsupported_instrument',
    'invalid_amount',
    'invalid_price',
    'non_integer_contract_amount',
    'not_owner_of_order',
    'invalid_args_for_instrument',
    'not_implemented',
    'retry',
    'settlement_in_progress',
    'price_wrong_tick',
    'post_only_price_modification_not_possible',
    'unsupported_arg_combination',
    'post_only_not_allowed',
    'account_locked',
    'not_found',
    'forbidden',
    'no_adv_for_futures',
    'invalid_max_show_amount',
    'timed_out',
    'method_not_found',
    'not_adv_order',
    'other_reject no_opposite_price',
    'other_reject reduce_direction',
    'pme_max_total_open_orders',
    'pme_max_future_open_orders',
    'pme_max_option_open_orders',
    'max_spot_open_orders',
    'non_pme_max_future_position_size',
    'not_enough_funds_in_currency',
    'unauthorized',
    'wrong_max_show_for_option',
  ),
} as const

/**
 * The code of a word. The lists are short and their words interned, so that a scan costs less than
 * a hash lookup.
 */
export function codeOf(words: readonly string[], word: string): number {
  for (let code = 0; code < words.length; code += 1) {
    if (words[code] === word) return code
  }
  assert(false, `a word belongs to its vocabulary, found ${word}`)
  return -1
}

/** The list of exactly the words of a union: one that is missing makes the arguments `never`. */
function allOf<Word extends string>(): <const Words extends readonly Word[]>(
  ...words: Words & ([Word] extends [Words[number]] ? unknown : never)
) => Words {
  return (...words) => words
}
