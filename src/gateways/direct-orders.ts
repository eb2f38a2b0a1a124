/**
 * sim/direct/new_order: NewOrderRequest (100) over a session of direct access.
 *
 * Source: sessions document 8.5, 8.6, 8.7; S289, S303, S333.
 */

import { lots, orderId, type Ticks, ticks, z } from '../core/index.ts'
import { findInstrument } from '../engine/index.ts'
import { NO_ORDER, sides } from '../model/index.ts'
import {
  decimal,
  defineMethod,
  instrumentName,
  ownOrder,
  plainPlacement,
  type ReadContext,
  type ReadRequest,
  type ReplyContext,
  readPrice,
  readSize,
  unchanged,
  unknownInstrument,
  unreadable,
  type VenueError,
  validRequest,
} from '../rpc/index.ts'
import { answerFields, type Correlated, messageHead, rejectHead } from './answers.ts'
import { messageJson } from './message-json.ts'
import {
  clientOrderId,
  directPlacementExtras,
  directTimeInForce,
  firstOf,
  knownFlags,
  namedByClient,
  orderFlags,
  readPostOnly,
  readShown,
  readTimeInForce,
  replaceFlags,
} from './order-arguments.ts'
import {
  type AmendOrderResponse,
  type CancelOrderResponse,
  type NewOrderResponse,
  ownOrderRecord,
} from './order-replies.ts'
import { versionOf } from './posting.ts'
import { rejectError, withHead } from './refusals.ts'

const params = z.object({
  client_order_id: clientOrderId,
  ...messageHead,
  instrument_name: instrumentName,
  side: z.enum(sides).describe('buy or sell'),
  price: decimal.optional().describe('omitted for market orders'),
  amount: decimal,
  show_amount: decimal.optional().describe('visible size of an iceberg'),
  time_in_force: directTimeInForce
    .default('GTC')
    .describe('time in force: a word, or the number of settlements after which the order ends'),
  flags: z.array(z.enum(orderFlags)).default([]).describe('flags of the protocol'),
})

/** Places an order of direct access. */
const newOrder = defineMethod({
  scope: 'direct_access:read_write',
  sessions: 'direct_access',
  command: 'place_order',
  charge: 'trading',
  direct: 'NewOrderRequest',
  params,
  read: readNewOrder,
  reply: (context, asked): NewOrderResponse =>
    messageJson<NewOrderResponse>(
      'NewOrderResponse',
      {
        ...answerFields(context, asked),
        ...ownOrderRecord(context),
        side: ownOrder(context).side,
        flags: knownFlags(context, asked.flags),
      },
      versionOf(context.history, context.session),
    ),
})

function readNewOrder(context: ReadContext, asked: z.output<typeof params>): ReadRequest {
  const flags = knownFlags(context, asked.flags)
  const { timeInForce, settlements } = readTimeInForce(asked.time_in_force)
  const extras = directPlacementExtras(context, asked.client_order_id, asked.correlation_id ?? null, flags, settlements)
  const instrument = findInstrument(context.exchange, asked.instrument_name)
  if (instrument === undefined) return { body: unreadable('place_order'), fault: unknownInstrument }
  const size = readSize(instrument, asked)
  const price = asked.price === undefined ? null : readPrice(instrument, asked.price)
  const { postOnly, fault: postOnlyFault } = readPostOnly(flags)
  const { display, fault: displayFault } = readShown(instrument, asked.show_amount)
  const market = flags.includes('market_limit') ? 'market_limit' : 'market'
  return {
    body: {
      ...plainPlacement,
      instrument: instrument.id,
      side: asked.side,
      type: price === null ? market : 'limit',
      timeInForce,
      price: price === null ? null : priceOr(price),
      amount: size.ok ? size.value : lots(0),
      postOnly,
      display,
      extras,
    },
    fault: firstOf([
      postOnlyFault,
      displayFault,
      size.ok ? null : size.fault,
      price === null || price.ok ? null : price.fault,
    ]),
  }
}

/** The price, or 0 for a price that could not be read, whose fault refuses the request. */
function priceOr(price: ReturnType<typeof readPrice>): Ticks {
  return price.ok ? price.value : ticks(0)
}

/** Methods by their names; a part of the table. */
export const newOrderMethods = {
  'sim/direct/new_order': newOrder,
} as const

/**
 * sim/direct/amend_order: AmendOrderRequest (110). Omitted fields stay unchanged.
 *
 * Source: sessions document 8.5, 8.6, 8.7; R61.
 */

const amendParams = z.object({
  client_order_id: clientOrderId,
  ...messageHead,
  price: decimal.optional(),
  amount: decimal.optional(),
  show_amount: decimal.optional().describe('visible size of an iceberg'),
  flags: z.array(z.enum(replaceFlags)).optional().describe('words of the protocol'),
})

/** Changes an order of direct access, even if another session of the portfolio placed it. */
const amendOrder = defineMethod({
  scope: 'direct_access:read_write',
  sessions: 'direct_access',
  command: 'edit_order',
  charge: 'trading',
  direct: 'AmendOrderRequest',
  params: amendParams,
  read: readAmend,
  reply: (context, asked): AmendOrderResponse =>
    messageJson<AmendOrderResponse>(
      'AmendOrderResponse',
      { ...answerFields(context, asked), ...ownOrderRecord(context) },
      versionOf(context.history, context.session),
    ),
})

function readAmend(context: ReadContext, asked: z.output<typeof amendParams>): ReadRequest {
  const named = namedByClient(context, asked.client_order_id)
  if (named === null) return validRequest({ ...unchanged, order: NO_ORDER })
  const size = asked.amount === undefined ? null : readSize(named.instrument, { amount: asked.amount })
  const price = asked.price === undefined ? null : readPrice(named.instrument, asked.price)
  const flags = asked.flags === undefined ? null : readPostOnly(asked.flags)
  const shown = readShown(named.instrument, asked.show_amount)
  return {
    body: {
      ...unchanged,
      order: named.order,
      amount: size === null ? null : size.ok ? size.value : lots(0),
      price: price === null ? null : price.ok ? price.value : ticks(0),
      postOnly: flags === null ? null : flags.postOnly,
      display: asked.show_amount === undefined ? null : shown.display,
    },
    fault: firstOf([
      flags?.fault ?? null,
      shown.fault,
      size === null || size.ok ? null : size.fault,
      price === null || price.ok ? null : price.fault,
    ]),
  }
}

/** Methods by their names; a part of the table. */
export const amendMethods = {
  'sim/direct/amend_order': amendOrder,
} as const

/**
 * sim/direct/cancel_order and cancel_order_by_id: CancelOrderRequest (120) and CancelOrderByIdRequest (125). An order
 * that waits behind the speed bump is not cancelled but becomes immediate-or-cancel, and the request is answered with a
 * reject.
 *
 * Source: sessions document 8.5, 8.6, 8.7, 8.8; S288, S305, S330.
 */

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
    return validRequest({ kind: 'cancel_order', order })
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
  read: (_context, params) => validRequest({ kind: 'cancel_order', order: orderId(Number(params.order_id)) }),
  reply: confirmation,
  rejection: conversion,
})

function confirmation(context: ReplyContext, asked: Correlated): CancelOrderResponse {
  const record = { ...answerFields(context, asked), ...ownOrderRecord(context) }
  return messageJson<CancelOrderResponse>('CancelOrderResponse', record, versionOf(context.history, context.session))
}

/** The reject for a waiting order that became immediate-or-cancel, which no event of the order shows. */
function conversion(context: ReplyContext, asked: object): VenueError | null {
  if (context.order !== undefined) return null
  const version = versionOf(context.history, context.session)
  const error = rejectError('CancelOrderReject', 'speed_bump_converted_to_ioc', version)
  const { number, time } = context.execution
  return withHead(error, rejectHead('CancelOrderReject', asked, number, time))
}

/** Methods by their names; a part of the table. */
export const directCancelMethods = {
  'sim/direct/cancel_order': cancelDirectOrder,
  'sim/direct/cancel_order_by_id': cancelDirectOrderById,
} as const
