/**
 * The methods of the REST interface of a gateway. Some of them have names of JSON-RPC methods but a different meaning.
 *
 * Source: sessions document 1.5, 8.11, 8.15; coverage R28; S245-S249, S293.
 */
import { z } from '../../../../core/index.ts'
import { anyOrder } from '../../../../model/index.ts'
import { defineMethod, type Method, queryOf } from '../../method.ts'
import { getAltRiskLimits } from './alt-risk-limits.ts'
import { getGatewayInstruments } from './gateway-instruments.ts'
import { type GatewayOrder, gatewayOrders } from './open-orders.ts'
import { lockPortfolio, unlockPortfolio } from './portfolio-lock.ts'

/** Open orders of the portfolio in books of the alternative engine. */
const getGatewayOrders = defineMethod({
  scope: 'direct_access:read',
  sessions: 'rest_gateway',
  command: 'query',
  charge: 'gateway_open_orders',
  params: z.object({}),
  read: () => queryOf(null),
  reply: (context): readonly GatewayOrder[] => gatewayOrders(context),
})

/**
 * Rule: gateway.cancel-all. Cancels all orders and quotes of the portfolio on both engines, whichever session placed
 * them (R28).
 */
const cancelPortfolio = defineMethod({
  scope: 'direct_access:read_write',
  sessions: 'rest_gateway',
  command: 'cancel_orders',
  params: z.object({}),
  read: () => ({
    body: { kind: 'cancel_orders', filter: anyOrder, freezesQuotes: false },
    fault: null,
  }),
  reply: (context): number => context.count,
})

/** The methods by name, each with a separate type. */
export const gatewayTable = {
  'public/get_instruments': getGatewayInstruments,
  'private/get_open_orders': getGatewayOrders,
  'private/cancel_all': cancelPortfolio,
  'private/lock_portfolio': lockPortfolio,
  'private/unlock_portfolio': unlockPortfolio,
  'private/get_alt_risk_limits': getAltRiskLimits,
} as const

/** Finds a method of the REST interface of a gateway. */
export function findGatewayMethod(name: string): Method | undefined {
  const table: { readonly [name: string]: unknown } = gatewayTable
  // The methods of the table have different types, which an index signature cannot express.
  return Object.hasOwn(table, name) ? (table[name] as Method) : undefined
}
