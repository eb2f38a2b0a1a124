/**
 * The part of each request in the queue of its account: the queue it waits in, the order it edits, and the requests it
 * withdraws.
 *
 * | Requests | Place | Withdrawn by |
 * |---|---|---|
 * | orders, edits, mass quotes, `close_position` | queue of their currency | `cancel_all`; `cancel_by_label` with their label |
 * | cancels of one order, instrument or currency | queue of their currency | nothing |
 * | bulk cancels over several currencies | none: they are split | nothing |
 *
 * The currency is the settlement currency, or the quote currency for spot (R43). A request has no part if it cannot be
 * read, or if it names no possible instrument or order; it is refused for that.
 *
 * Assumed: only the two methods that the rule names withdraw requests, and not the other bulk cancels. A mass quote
 * waits in the queue of its first instrument. Only the parameters of a request identify it: an edit by id is neither
 * withdrawn by the label of its order, nor overtaken by an edit of that label.
 * Source: trading.md 3 (C05), 4.5; coverage R43.
 */

import { configOf, type Exchange, findInstrument } from '../../engine/index.ts'
import { type Currency, currencyOf, currencyOfId, isCurrency, type RateCharge } from '../../model/index.ts'
import { orderIdIn, type RequestParams } from '../wire/index.ts'
import type { CommandBody, Method } from './method.ts'
import { ownMethods } from './method-set.ts'
import { isParams } from './params.ts'

/** The part of a request in the queue of its account; plain data. */
export interface QueuePart {
  /** The currency of the queue in which it takes a place; null if it takes no place. */
  readonly currency: Currency | null
  /** True if it places or edits orders, so that a cancel withdraws it while it waits. */
  readonly isOrder: boolean
  /** The label that it sets or names; null without one. */
  readonly label: string | null
  /** The order that it edits, as the request names it; null for other requests. */
  readonly edits: string | null
  /** The waiting requests that it withdraws (a null label or currency matches all); null if it withdraws none. */
  readonly withdraws: { readonly label: string | null; readonly currency: Currency | null } | null
}

/** The parameters that decide the queue, for methods that use a queue. */
interface NamingParams {
  readonly instrument_name?: string
  readonly order_id?: string
  readonly label?: string
  readonly currency?: string | readonly string[]
  readonly quotes?: readonly { readonly instrument_name: string }[]
}

/** The part of a request in the queue of its account; null without one. */
export function queuePartOf(exchange: Exchange, method: string, params: RequestParams): QueuePart | null {
  const known = ownMethods.find(method)
  if (known?.queue === undefined || !isParams(params)) return null
  const sort = known.queue
  const read = known.reader(params)
  if (!read.ok) return null
  // Parameters that match the schema of one of these methods have these names and types.
  const naming = read.value as NamingParams
  const currency = currencyMeant(exchange, naming)
  const label = naming.label ?? null
  if (sort === 'withdrawal') {
    const withdraws = { label, currency }
    return { currency, isOrder: false, label, edits: null, withdraws }
  }
  if (currency === null) return null
  const isOrder = sort !== 'cancel'
  const edits = sort === 'edit' ? orderNamed(naming) : null
  return { currency, isOrder, label, edits, withdraws: null }
}

/** The one currency of the parameters; null if they name none or several. */
function currencyMeant(exchange: Exchange, naming: NamingParams): Currency | null {
  const instrument = naming.instrument_name ?? naming.quotes?.[0]?.instrument_name
  if (instrument !== undefined) {
    return findInstrument(exchange, instrument)?.settlementCurrency ?? null
  }
  if (naming.order_id !== undefined) {
    const order = orderIdIn(naming.order_id)
    return order === undefined ? null : currencyOf(currencyOfId(order))
  }
  return typeof naming.currency === 'string' && isCurrency(naming.currency) ? naming.currency : null
}

/** An order by its id, or by its label and instrument; the first word distinguishes the two. */
function orderNamed({ order_id, label = '', instrument_name = '' }: NamingParams): string {
  return order_id === undefined ? `label ${instrument_name} ${label}` : `id ${order_id}`
}

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

/** The charge of a request; undefined if it costs nothing. */
export function chargeOf(
  exchange: Exchange,
  name: string,
  method: Pick<Method, 'charge'> | undefined,
  body: CommandBody,
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
