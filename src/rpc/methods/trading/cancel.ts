/**
 * private/cancel, cancel_all and cancel_by_label. Source: trading.md 4.4, 4.5 (C12), 6.10; S242-S244;
 * coverage R43, R46, R69.
 */
import { z } from 'zod'
import { orderId } from '../../../core/index.ts'
import { type OrderFilter, validationStep } from '../../../model/index.ts'
import { type CommandBody, defineMethod } from '../../method.ts'
import { label, requestCurrency } from '../../params.ts'
import type { WireOrder } from '../../wire/orders.ts'
import { orderResult } from './order-result.ts'
import { namedOrder } from './orders.ts'

const anyOrder: OrderFilter = { label: null, currency: null, instrument: null, kind: null }

/** Cancels one order; the result is the order, cancelled. */
export const cancel = defineMethod({
  kind: 'cancel_order',
  params: z.object({ order_id: z.string() }),
  read: (context, params) => {
    const { order, fault } = namedOrder(context, params.order_id)
    return { body: { kind: 'cancel_order', order }, fault }
  },
  reply: (context): WireOrder => orderResult(context).order,
})

/** Cancels all orders of the account; the result is their number. */
export const cancelAll = defineMethod({
  kind: 'cancel_orders',
  params: z.object({
    detailed: z.boolean().default(false).describe('reports for each order are not served yet'),
    freeze_quotes: z.boolean().default(false).describe('there are no quotes yet'),
  }),
  read: (_context, params) => ({
    body: { kind: 'cancel_orders', filter: anyOrder },
    fault:
      params.detailed || params.freeze_quotes
        ? {
            step: validationStep.argumentCombination,
            refusal: { reason: 'not_implemented' },
          }
        : null,
  }),
  reply: (context): number => context.count,
})

/** Cancels all orders of the account with a label; the result is their number. */
export const cancelByLabel = defineMethod({
  kind: 'cancel_orders',
  params: z.object({ label: label.min(1), currency: requestCurrency.optional() }),
  read: (_context, params) => ({
    body: {
      kind: 'cancel_orders',
      filter: { ...anyOrder, label: params.label, currency: params.currency ?? null },
    },
    fault: null,
  }),
  reply: (context): number => context.count,
})

/** A cancel with nothing in it, for requests that cannot be read. */
export const unreadCancel: CommandBody & { readonly kind: 'cancel_order' } = {
  kind: 'cancel_order',
  order: orderId(0),
}

/** A bulk cancel for requests that cannot be read; its fault keeps it from doing anything. */
export const unreadCancelAll: CommandBody & { readonly kind: 'cancel_orders' } = {
  kind: 'cancel_orders',
  filter: anyOrder,
}
