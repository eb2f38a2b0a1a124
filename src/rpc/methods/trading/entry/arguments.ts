/**
 * Rules for the arguments of an order: each argument alone, in combination, and with the instrument. They apply to
 * requests and to the entries of `otoco_config`.
 *
 * Rule: order.arguments. Source: trading.md 4.1 (C09); interface document, "Third-party spot routing"; coverage R37,
 * R47, R48, R71.
 */
import {
  type AdvancedType,
  entryTypeOf,
  type Fault,
  type Instrument,
  isTrailing,
  isTriggerType,
  type OrderType,
  type PlainReason,
  type TimeInForce,
} from '../../../../model/index.ts'
import { paramFault } from '../../params.ts'
import type { TriggerParams } from './order-terms.ts'

/** The arguments that the rules check. */
interface OrderArguments extends TriggerParams {
  readonly time_in_force: TimeInForce
  readonly post_only: boolean
  readonly reject_post_only: boolean
  readonly reduce_only: boolean
}

/**
 * Parameters that are wrong for every instrument, listed or not: step 5. `path` is the prefix of the names of an
 * entry's parameters.
 */
export function misuseFault(args: OrderArguments, path: string): Fault | null {
  if (args.reject_post_only && !args.post_only) {
    return paramFault(`${path}reject_post_only`, 'only_with_post_only')
  }
  if (!isTriggerType(args.type)) return null
  if (args.trigger === undefined) return paramFault(`${path}trigger`, 'required')
  if (isTrailing(args.type)) {
    return args.trigger_offset === undefined ? paramFault(`${path}trigger_offset`, 'required') : null
  }
  return args.trigger_price === undefined ? paramFault(`${path}trigger_price`, 'required') : null
}

/** The reason why arguments do not fit each other or the instrument: step 10. */
export function combinationReason(instrument: Instrument, args: OrderArguments): PlainReason | undefined {
  if (isTriggerType(args.type)) {
    if (instrument.kind === 'option' || instrument.kind === 'option_combo') return 'invalid_args_for_instrument'
    if (instrument.kind === 'future_combo' && args.trigger === 'index_price') {
      return 'invalid_args_for_instrument'
    }
  } else if ((args.trigger ?? args.trigger_price ?? args.trigger_offset) !== undefined) {
    return 'unsupported_arg_combination'
  }
  if (args.post_only) {
    if (entryTypeOf(args.type) !== 'limit') return 'post_only_not_allowed'
    if (args.time_in_force !== 'good_til_cancelled') return 'unsupported_arg_combination'
  }
  if (args.reduce_only) {
    const reason = reduceOnlyReason(instrument)
    if (reason !== undefined) return reason
  }
  return instrument.routeDelay === null ? undefined : routedReason(args)
}

/** Only futures and options have positions, so only they allow reduce-only orders. */
export function reduceOnlyReason({ kind }: Instrument): PlainReason | undefined {
  return kind === 'future' || kind === 'option' ? undefined : 'invalid_args_for_instrument'
}

/** Options and combos do not allow icebergs, whatever the visible size is. */
export function displayReason({ kind }: Instrument): PlainReason | undefined {
  if (kind === 'option') return 'wrong_max_show_for_option'
  return kind === 'future_combo' || kind === 'option_combo' ? 'invalid_max_show_amount' : undefined
}

/** Only limit orders without links can have market-maker protection (S219). */
export function mmpReason(type: OrderType, linked: boolean): PlainReason | undefined {
  const plain = type === 'limit' && !linked
  return plain ? undefined : 'unsupported_arg_combination'
}

/**
 * The reason why an order cannot be an advanced order. Advanced orders are limit orders of options, and a price in USD
 * requires an option that is not linear.
 */
export function advancedReason(
  instrument: Instrument,
  type: OrderType,
  advanced: AdvancedType,
  post_only?: boolean | undefined,
): PlainReason | undefined {
  if (instrument.kind !== 'option') return 'no_adv_for_futures'
  if (type !== 'limit') return 'unsupported_arg_combination'
  if (post_only === true) return 'no_adv_postonly'
  const linear = instrument.counterCurrency !== 'USD'
  return advanced === 'usd' && linear ? 'invalid_args_for_instrument' : undefined
}

/** The refusal of an order of a spot pair that a third party matches, or undefined (S225-S228). */
function routedReason(args: OrderArguments): PlainReason | undefined {
  if (args.type !== 'market' && args.type !== 'limit' && args.type !== 'stop_limit') {
    return 'invalid_args_for_instrument'
  }
  if (args.time_in_force === 'good_til_day') return 'invalid_args_for_instrument'
  if (args.type === 'stop_limit' && args.trigger !== 'last_price') return 'invalid_args_for_instrument'
  return args.post_only && !args.reject_post_only ? 'post_only_not_allowed' : undefined
}
