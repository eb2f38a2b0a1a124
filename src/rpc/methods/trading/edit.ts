/**
 * private/edit. Source: trading.md 4.2 (C10), 6.10 (C28); S231-S236.
 */
import { z } from 'zod'
import { lots, orderId } from '../../../core/index.ts'
import { type OrderView, viewOrder } from '../../../engine/index.ts'
import { type EditOrder, type Fault, type PostOnly, validationStep } from '../../../model/index.ts'
import { type CommandBody, defineMethod, type ReadContext, type ReadRequest } from '../../method.ts'
import { decimal, paramFault, readPrice, readSize, readTime, timestamp } from '../../params.ts'
import { orderIdIn, orderIdOut } from '../../wire/ids.ts'
import { type OrderResult, orderResult } from './order-result.ts'
import { earliest } from './place.ts'

/** Parameters of edit; what is absent stays as it is. */
export const editParams = z.object({
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
  const id = orderIdIn(params.order_id)
  const view = id === undefined ? undefined : viewOrder(context.exchange, id)
  // Another prefix names another order, which does not exist.
  const named = view !== undefined && orderIdOut(view.instrument, view.order.id) === params.order_id
  if (view === undefined || !named) {
    const order = view === undefined ? (id ?? orderId(0)) : orderId(0)
    return { body: { ...unreadEdit, order, validUntil }, fault: lacking ?? null }
  }
  const { instrument } = view
  const size = sizeless ? undefined : readSize(instrument, params)
  const price = params.price === undefined ? undefined : readPrice(instrument, params.price)
  const body: Omit<EditOrder, 'time' | 'sequence' | 'account' | 'session' | 'fault'> = {
    kind: 'edit_order',
    order: view.order.id,
    amount: size === undefined ? null : size.ok ? size.value : lots(0),
    price: price?.ok === true ? price.value : null,
    postOnly: postOnlyAfter(view, params),
    reduceOnly: null,
    validUntil,
  }
  const faults = [
    lacking,
    combinationFault(view, params),
    size === undefined || size.ok ? undefined : size.fault,
    price === undefined || price.ok ? undefined : price.fault,
  ]
  return { body, fault: earliest(faults) }
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
  // Part of the venue and not of the simulator yet: refused, never ignored.
  if (params.display_amount !== undefined || params.mmp === true || params.reduce_only === true) {
    return { step, refusal: { reason: 'not_implemented' } }
  }
  return undefined
}
