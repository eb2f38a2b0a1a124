/**
 * The rate-limit buckets that requests use.
 *
 * Most methods declare their bucket. A bulk cancel without one is charged by its possible reach: `cancel_all` for
 * everything, `trading` for a part. All other requests do not belong to the matching engine. The engine recognizes spot
 * by the instrument. The simulator's own controls cost nothing.
 *
 * Assumed: a bulk cancel of several named currencies is charged like that of a single currency.
 *
 * Source: trading.md 8 (C47); coverage R15, R16; S316.
 */
import { configOf, type Exchange } from '../../engine/index.ts'
import type { RateCharge } from '../../model/index.ts'
import type { CommandBody, Method } from './method.ts'

/** The charge of a request; undefined if it costs nothing. */
export function chargeOf(
  exchange: Exchange,
  name: string,
  { method, body }: { readonly method: Pick<Method, 'charge'> | undefined; readonly body: CommandBody },
): RateCharge | undefined {
  const charge = method?.charge
  if (!configOf(exchange).rateLimits.enabled) return isOfEveryRun(charge) ? charge : undefined
  if (charge !== undefined) return charge
  return name.startsWith('sim/') ? undefined : chargeByReach(body)
}

/** True for methods of the REST interface of a gateway whose requests per minute are limited in every run. */
function isOfEveryRun(charge: RateCharge | undefined): boolean {
  return charge === 'gateway_open_orders' || charge === 'gateway_risk_limits'
}

/** The charge of a bulk cancel by its reach. One that cannot be read might have reached everything. */
function chargeByReach(body: CommandBody): RateCharge {
  if (body.kind === 'unreadable') {
    return body.of === 'cancel_orders' || body.of === 'cancel_quotes' ? 'cancel_all' : 'non_matching'
  }
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
