/**
 * private/cancel. Source: trading.md 4.4, 6.10 (C28).
 */

import { z } from '../../../../core/index.ts'
import type { WireOrder } from '../../../wire/index.ts'
import { defineMethod } from '../../method.ts'
import { orderIdIn } from '../../params.ts'
import { namedOrder } from '../named-order.ts'
import { orderReport, ownOrder } from '../order-reports.ts'

/** Cancels one order; the result is the cancelled order. */
const cancel = defineMethod({
  scope: 'trade:read_write',
  sessions: 'json_rpc',
  command: 'cancel_order',
  charge: 'trading',
  queue: 'cancel',
  params: z.object({ order_id: orderIdIn }),
  read: (context, params) => {
    const { order, fault } = namedOrder(context, params.order_id)
    return { body: { kind: 'cancel_order', order }, fault }
  },
  reply: (context): WireOrder => orderReport(context, ownOrder(context)),
})

/** Methods by their names; a part of the table. */
export const cancelMethods = {
  'private/cancel': cancel,
} as const
