/**
 * private/edit. Source: trading.md 4.2 (C10), 6.10 (C28); S231-S236.
 */
import { z } from 'zod'
import { type Lots, lots, orderId } from '../../../core/index.ts'
import type { OrderView } from '../../../engine/index.ts'
import { type EditOrder, type Fault, type PostOnly, validationStep } from '../../../model/index.ts'
import { type CommandBody, defineMethod, type ReadContext, type ReadRequest } from '../../method.ts'
import {
  decimal,
  paramFault,
  type Read,
  readPrice,
  readSize,
  readTime,
  timestamp,
} from '../../params.ts'
import { type OrderResult, orderResult } from './order-result.ts'
import { namedOrder } from './orders.ts'
import { displayReason, earliest } from './place.ts'

/** Parameters of edit; what is absent stays as it is. */
const editParams = z.object({
  order_id: z.string(),
  amount: decimal.optional(),
  contracts: decimal.optional(),
  price: decimal.optional(),
  post_only: z.boolean().optional(),
  reject_post_only: z.boolean().optional(),
  reduce_only: z.boolean().optional(),
  mmp: z.boolean().optional(),
  advanced: z.enum(['usd', 'implv']).optional(),
  trigger_price: decimal.optional(),
  trigger_offset: decimal.optional(),
  display_amount: decimal.optional(),
  valid_until: timestamp.optional(),
})

type EditParams = z.output<typeof editParams>

/** Changes an open order. */
export const edit = defineMethod({
  kind: 'edit_order',
  params: editParams,
  read: readEdit,
  reply: (context): OrderResult => orderResult(context),
})

/** An edit with nothing in it, for requests that cannot be read. */
export const unreadEdit: CommandBody & { readonly kind: 'edit_order' } = {
  kind: 'edit_order',
  order: orderId(0),
  amount: null,
  price: null,
  postOnly: null,
  reduceOnly: null,
  validUntil: null,
}

function readEdit(context: ReadContext, params: EditParams): ReadRequest {
  const validUntil = params.valid_until === undefined ? null : readTime(params.valid_until)
  const sizeless = params.amount === undefined && params.contracts === undefined
  const lacking = sizeless ? paramFault('amount', 'required') : undefined
  const { order, view, fault } = namedOrder(context, params.order_id)
  if (view === undefined) {
    return { body: { ...unreadEdit, order, validUntil }, fault: lacking ?? fault }
  }
  const { instrument } = view
  const size = sizeless ? undefined : readSize(instrument, params)
  const price = params.price === undefined ? undefined : readPrice(instrument, params.price)
  const body: Omit<EditOrder, 'time' | 'sequence' | 'account' | 'session' | 'fault'> = {
    kind: 'edit_order',
    order,
    amount: size === undefined ? null : size.ok ? size.value : lots(0),
    price: price?.ok === true ? price.value : null,
    postOnly: postOnlyAfter(view, params),
    reduceOnly: null,
    validUntil,
  }
  const faults = [
    lacking,
    combinationFault(view, params),
    sizeFault(view, size),
    price === undefined || price.ok ? undefined : price.fault,
  ]
  return { body, fault: earliest(faults) }
}

/** Not above what is filled is the engine's 10021 (C28); of an unfilled order it is too low. */
function sizeFault(view: OrderView, size: Read<Lots> | undefined): Fault | undefined {
  if (size === undefined) return undefined
  if (!size.ok) return size.fault
  if (size.value > 0 || view.filled > 0) return undefined
  return { step: validationStep.amount, refusal: { reason: 'qty_too_low' } }
}

/** Each flag that is absent stays as it is (C10). */
function postOnlyAfter({ order }: OrderView, params: EditParams): PostOnly | null {
  if (params.post_only === undefined && params.reject_post_only === undefined) return null
  if (!(params.post_only ?? order.postOnly !== 'off')) return 'off'
  return (params.reject_post_only ?? order.postOnly === 'reject') ? 'reject' : 'slide'
}

function combinationFault(view: OrderView, params: EditParams): Fault | undefined {
  const step = validationStep.argumentCombination
  const wanted = params.post_only ?? view.order.postOnly !== 'off'
  if (params.reject_post_only === true && !wanted) {
    return paramFault('reject_post_only', 'only_with_post_only')
  }
  if (params.advanced !== undefined) return { step, refusal: { reason: 'not_adv_order' } }
  if (wanted && view.order.timeInForce !== 'good_til_cancelled') {
    return { step, refusal: { reason: 'unsupported_arg_combination' } }
  }
  if (params.trigger_price !== undefined || params.trigger_offset !== undefined) {
    return { step, refusal: { reason: 'unsupported_arg_combination' } }
  }
  const { kind } = view.instrument
  if (params.reduce_only === true && kind !== 'future' && kind !== 'option') {
    return { step, refusal: { reason: 'invalid_args_for_instrument' } }
  }
  // Part of the venue and not of the simulator yet: refused, never ignored.
  if (params.display_amount !== undefined) {
    return { step, refusal: { reason: displayReason(view.instrument) } }
  }
  const later = params.mmp === true || params.reduce_only === true
  return later ? { step, refusal: { reason: 'not_implemented' } } : undefined
}
