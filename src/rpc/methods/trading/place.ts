/**
 * private/buy and private/sell. Source: trading.md 4.1 (C09), 5; coverage R46, R47, R48.
 */
import { z } from 'zod'
import { instrumentId, lots, ticks } from '../../../core/index.ts'
import { findInstrument } from '../../../engine/index.ts'
import {
  type Fault,
  type Instrument,
  type PlaceOrder,
  type PlainReason,
  type PostOnly,
  type Side,
  validationStep,
} from '../../../model/index.ts'
import { type CommandBody, defineMethod, type ReadContext, type ReadRequest } from '../../method.ts'
import {
  decimal,
  instrumentName,
  label,
  paramFault,
  readPrice,
  readSize,
  readTime,
  timestamp,
} from '../../params.ts'
import { type OrderResult, orderResult } from './order-result.ts'

const triggerTypes = [
  'stop_limit',
  'take_limit',
  'stop_market',
  'take_market',
  'trailing_stop',
] as const
const orderTypes = ['limit', 'market', 'market_limit', ...triggerTypes] as const

/** Parameters of buy and sell. */
const placeParams = z.object({
  instrument_name: instrumentName,
  amount: decimal.optional().describe('size in the unit of the instrument; or give contracts'),
  contracts: decimal.optional(),
  type: z.enum(orderTypes).default('limit'),
  label: label.default(''),
  price: decimal.optional(),
  time_in_force: z
    .enum(['good_til_cancelled', 'good_til_day', 'fill_or_kill', 'immediate_or_cancel'])
    .default('good_til_cancelled'),
  post_only: z.boolean().default(false),
  reject_post_only: z.boolean().default(false),
  reduce_only: z.boolean().default(false),
  valid_until: timestamp.optional(),
  display_amount: decimal.optional(),
  trigger_price: decimal.optional(),
  trigger_offset: decimal.optional(),
  trigger: z.enum(['index_price', 'mark_price', 'last_price']).optional(),
  advanced: z.enum(['usd', 'implv']).optional(),
  mmp: z.boolean().default(false),
  linked_order_type: z
    .enum(['one_triggers_other', 'one_cancels_other', 'one_triggers_one_cancels_other'])
    .optional(),
  trigger_fill_condition: z.enum(['first_hit', 'complete_fill', 'incremental']).optional(),
  otoco_config: z.array(z.record(z.string(), z.unknown())).optional(),
})

type PlaceParams = z.output<typeof placeParams>

/** Places a buy order. */
export const buy = defineMethod({
  kind: 'place_order',
  params: placeParams,
  read: (context, params) => readPlace(context, params, 'buy'),
  reply: (context): OrderResult => orderResult(context),
})

/** Places a sell order. */
export const sell = defineMethod({
  kind: 'place_order',
  params: placeParams,
  read: (context, params) => readPlace(context, params, 'sell'),
  reply: (context): OrderResult => orderResult(context),
})

/** A placement with nothing in it, for requests that cannot be read. */
export const unreadPlace: CommandBody & { readonly kind: 'place_order' } = {
  kind: 'place_order',
  instrument: instrumentId(Number.MAX_SAFE_INTEGER),
  side: 'buy',
  type: 'limit',
  timeInForce: 'good_til_cancelled',
  price: null,
  amount: lots(0),
  label: '',
  postOnly: 'off',
  reduceOnly: false,
  validUntil: null,
}

function readPlace(context: ReadContext, params: PlaceParams, side: Side): ReadRequest {
  const instrument = findInstrument(context.exchange, params.instrument_name)
  const validUntil = params.valid_until === undefined ? null : readTime(params.valid_until)
  const misused = misuseFault(params)
  if (instrument === undefined) {
    const fault: Fault = { step: validationStep.instrument, refusal: { reason: 'not_found' } }
    return { body: { ...unreadPlace, side, validUntil }, fault: misused ?? fault }
  }
  const size = readSize(instrument, params)
  const { type } = params
  const priced = type === 'limit' && params.price !== undefined
  const price = priced ? readPrice(instrument, params.price ?? 0) : undefined
  const faults: (Fault | undefined)[] = [
    misused,
    lackingPrice(params),
    combinationFault(instrument, params),
    size.ok ? undefined : size.fault,
    price === undefined || price.ok ? undefined : price.fault,
  ]
  const body: Omit<PlaceOrder, 'time' | 'sequence' | 'account' | 'session' | 'fault'> = {
    kind: 'place_order',
    instrument: instrument.id,
    side,
    type: isTrigger(type) ? 'limit' : type,
    timeInForce: params.time_in_force,
    price: type === 'limit' ? (price?.ok === true ? price.value : ticks(0)) : null,
    amount: size.ok ? size.value : lots(0),
    label: params.label,
    postOnly: postOnlyOf(params),
    reduceOnly: params.reduce_only,
    validUntil,
  }
  return { body, fault: earliest(faults) }
}

/** What `post_only` and `reject_post_only` mean together. */
function postOnlyOf(params: {
  readonly post_only: boolean
  readonly reject_post_only: boolean
}): PostOnly {
  if (!params.post_only) return 'off'
  return params.reject_post_only ? 'reject' : 'slide'
}

/** The fault of the earliest step; the first of equals. */
export function earliest(faults: readonly (Fault | undefined)[]): Fault | null {
  let first: Fault | null = null
  for (const fault of faults) {
    if (fault !== undefined && (first === null || fault.step < first.step)) first = fault
  }
  return first
}

function isTrigger(type: PlaceParams['type']): type is (typeof triggerTypes)[number] {
  return (triggerTypes as readonly string[]).includes(type)
}

function lackingPrice({ type, price }: PlaceParams): Fault | undefined {
  if (type !== 'limit' || price !== undefined) return undefined
  return { step: validationStep.price, refusal: { reason: 'invalid_price' } }
}

/** Parameters that are wrong for every instrument, listed or not: step 5 (C09, R47). */
function misuseFault(params: PlaceParams): Fault | undefined {
  if (params.amount === undefined && params.contracts === undefined) {
    return paramFault('amount', 'required')
  }
  if (params.reject_post_only && !params.post_only) {
    return paramFault('reject_post_only', 'only_with_post_only')
  }
  if (params.trigger_fill_condition !== undefined && params.linked_order_type === undefined) {
    return paramFault('trigger_fill_condition', 'only_with_linked_order_type')
  }
  return undefined
}

/**
 * Rule: order.arguments. Arguments that do not go together, or that the simulator does not serve yet
 * (C09, R47).
 */
function combinationFault(instrument: Instrument, params: PlaceParams): Fault | undefined {
  const reason = combinationReason(instrument, params)
  if (reason === undefined) return undefined
  return { step: validationStep.argumentCombination, refusal: { reason } }
}

function combinationReason(instrument: Instrument, params: PlaceParams): PlainReason | undefined {
  const { type } = params
  const { kind } = instrument
  const trigger = isTrigger(type)
  if (trigger && (kind === 'option' || kind === 'option_combo'))
    return 'invalid_args_for_instrument'
  if (!trigger && hasTriggerFields(params)) return 'unsupported_arg_combination'
  if (params.post_only) {
    if (type === 'market' || type === 'market_limit' || (trigger && !type.endsWith('limit'))) {
      return 'post_only_not_allowed'
    }
    if (params.time_in_force !== 'good_til_cancelled') return 'unsupported_arg_combination'
  }
  if (params.advanced !== undefined) return advancedReason(instrument, params)
  if (params.mmp && (type !== 'limit' || params.linked_order_type !== undefined)) {
    return 'unsupported_arg_combination'
  }
  if (params.reduce_only && kind !== 'future' && kind !== 'option') {
    return 'invalid_args_for_instrument'
  }
  return unserved(instrument, params)
}

/** Advanced orders are limit orders of options, in USD only where the option is not linear. */
function advancedReason(instrument: Instrument, params: PlaceParams): PlainReason {
  if (instrument.kind !== 'option') return 'no_adv_for_futures'
  if (params.type !== 'limit') return 'unsupported_arg_combination'
  const linear = instrument.counterCurrency !== 'USD'
  return params.advanced === 'usd' && linear ? 'invalid_args_for_instrument' : 'not_implemented'
}

/** What is part of the venue and not of the simulator yet: refused, never ignored. */
function unserved(instrument: Instrument, params: PlaceParams): PlainReason | undefined {
  if (params.display_amount !== undefined) return displayReason(instrument)
  const later =
    isTrigger(params.type) ||
    params.mmp ||
    params.reduce_only ||
    params.linked_order_type !== undefined ||
    params.otoco_config !== undefined
  return later ? 'not_implemented' : undefined
}

/** Icebergs are not served yet, and never for options and combos (C09). */
export function displayReason({ kind }: Instrument): PlainReason {
  if (kind === 'option') return 'wrong_max_show_for_option'
  return kind.endsWith('combo') ? 'invalid_max_show_amount' : 'not_implemented'
}

function hasTriggerFields(params: PlaceParams): boolean {
  return (
    params.trigger !== undefined ||
    params.trigger_price !== undefined ||
    params.trigger_offset !== undefined
  )
}
