/**
 * sim/direct/cancel_order and cancel_order_by_id: CancelOrderRequest (120) and CancelOrderByIdRequest (125). An order
 * that waits behind the speed bump is not cancelled but becomes immediate-or-cancel, and the request is answered with a
 * reject.
 *
 * Source: sessions document 8.5, 8.6, 8.7, 8.8; S288, S305, S330.
 */
import { orderId, z } from '../core/index.ts'
import { NO_ORDER } from '../model/index.ts'
import { defineMethod, type ReplyContext, type VenueError } from '../rpc/index.ts'
import { answerFields, type Correlated, messageHead, rejectHead } from './answers.ts'
import { messageJson } from './message-json.ts'
import { clientOrderId, namedByClient } from './order-arguments.ts'
import { type CancelOrderResponse, ownOrderRecord } from './order-replies.ts'
import { versionOf } from './posting.ts'
import { rejectError, withHead } from './refusals.ts'

/** Cancels the order with the client's order id. */
const cancelDirectOrder = defineMethod({
  scope: 'direct_access:read_write',
  sessions: 'direct_access',
  command: 'cancel_order',
  charge: 'trading',
  direct: 'CancelOrderRequest',
  params: z.object({ client_order_id: clientOrderId, ...messageHead }),
  read: (context, params) => {
    const order = namedByClient(context, params.client_order_id)?.order ?? NO_ORDER
    return { body: { kind: 'cancel_order', order }, fault: null }
  },
  reply: confirmation,
  rejection: conversion,
})

/** Cancels the order with the exchange's order number. */
const cancelDirectOrderById = defineMethod({
  scope: 'direct_access:read_write',
  sessions: 'direct_access',
  command: 'cancel_order',
  charge: 'trading',
  direct: 'CancelOrderByIdRequest',
  params: z.object({
    order_id: z
      .union([z.int().min(0), z.string().regex(/^[0-9]{1,15}$/)])
      .describe('number of the order, from the reply to its request'),
    ...messageHead,
  }),
  read: (_context, params) => ({
    body: { kind: 'cancel_order', order: orderId(Number(params.order_id)) },
    fault: null,
  }),
  reply: confirmation,
  rejection: conversion,
})

function confirmation(context: ReplyContext, asked: Correlated): CancelOrderResponse {
  const record = { ...answerFields(context, asked), ...ownOrderRecord(context) }
  return messageJson<CancelOrderResponse>('CancelOrderResponse', record, versionOf(context))
}

/** The reject for a waiting order that became immediate-or-cancel, which no event of the order shows. */
function conversion(context: ReplyContext, asked: object): VenueError | null {
  if (context.order !== undefined) return null
  const version = versionOf(context)
  const error = rejectError('CancelOrderReject', 'speed_bump_converted_to_ioc', version)
  const { number, time } = context.execution
  return withHead(error, rejectHead({ reject: 'CancelOrderReject', asked, number, time }))
}

/** Methods by their names; a part of the table. */
export const directCancelMethods = {
  'sim/direct/cancel_order': cancelDirectOrder,
  'sim/direct/cancel_order_by_id': cancelDirectOrderById,
} as const
