/**
 * What each request is paid from, where rates are limited.
 *
 * Requests of the matching engine pay by what they do; a bulk cancel by how much it may reach: everything
 * from `cancel_all`, a part from `trading`. The engine tells spot apart by the instrument. All else is not of
 * the matching engine. The simulator's own controls cost nothing; messages of direct access pay by their kind.
 *
 * Assumed: a bulk cancel of several named currencies pays as one of a single currency.
 *
 * Source: trading.md 8 (C47); coverage R15, R16; S316.
 */
import { configOf, type Exchange, viewSession } from '../../engine/index.ts'
import { NO_SESSION, type RateCharge } from '../../model/index.ts'
import type { CommandBody } from './method.ts'

/** Methods that are paid from a bucket of their own whatever they say. */
const charges: { readonly [method: string]: RateCharge } = {
  'public/get_instruments': 'get_instruments',
  'public/subscribe': 'subscribe',
  'private/subscribe': 'subscribe',
  'private/get_transaction_log': 'get_transaction_log',
  'private/move_positions': 'move_positions',
  'private/buy': 'trading',
  'private/sell': 'trading',
  'private/edit': 'trading',
  'private/edit_by_label': 'trading',
  'private/close_position': 'trading',
  'private/cancel': 'trading',
  'private/cancel_all': 'cancel_all',
  'private/cancel_all_by_currency': 'trading',
  'private/cancel_all_by_currency_pair': 'trading',
  'private/cancel_all_by_instrument': 'trading',
  'private/mass_quote': 'mass_quote',
}

/** Methods of the REST interface of a gateway whose number a minute is limited in every run. */
const gatewayCharges: { readonly [method: string]: RateCharge } = {
  'private/get_open_orders': 'gateway_open_orders',
  'private/get_alt_risk_limits': 'gateway_risk_limits',
}

/** What a request is paid from; undefined where nothing is to be paid. */
export function chargeOf(
  exchange: Exchange,
  request: { readonly method: string; readonly session: number },
  body: CommandBody,
): RateCharge | undefined {
  const { method, session } = request
  const isLimited = configOf(exchange).rateLimits.enabled
  if (!isLimited && session === NO_SESSION) return undefined
  const isGateway = viewSession(exchange, session)?.type === 'rest_gateway'
  const counted = isGateway && Object.hasOwn(gatewayCharges, method)
  if (counted) return gatewayCharges[method]
  if (!isLimited) return undefined
  if (method.startsWith('sim/direct/')) return 'trading'
  if (method.startsWith('sim/')) return undefined
  return Object.hasOwn(charges, method) ? charges[method] : chargeByReach(body)
}

/** Of those that say how far they reach. */
function chargeByReach(body: CommandBody): RateCharge {
  if (body.kind === 'cancel_orders') {
    const { currencies, kinds } = body.filter
    const isSpot = kinds?.every((kind) => kind === 'spot') === true
    return currencies === null && !isSpot ? 'cancel_all' : 'trading'
  }
  if (body.kind === 'cancel_quotes') {
    const isAny = Object.values(body.filter).every((part) => part === null)
    return isAny ? 'cancel_all' : 'trading'
  }
  return 'non_matching'
}
