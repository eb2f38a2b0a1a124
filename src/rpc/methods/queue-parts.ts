/**
 * The part of each request in the queue of its account: the queue it waits in, the order it edits, and the requests it
 * withdraws.
 *
 * | Requests | Place | Withdrawn by |
 * |---|---|---|
 * | orders, edits, mass quotes, `close_position` | in the queue of their currency | `cancel_all`; `cancel_by_label`
 * with their label |
 * | cancels of one order, instrument or currency | in the queue of their currency | nothing |
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
import { type Exchange, findInstrument } from '../../engine/index.ts'
import { type Currency, currencyOf, currencyOfId, isCurrency } from '../../model/index.ts'
import { orderIdIn, type RequestParams } from '../wire/index.ts'
import { ownMethods } from './method-set.ts'
import { isParams, readParams } from './parameter-shape.ts'

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
  const read = readParams(known, params)
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
  const { order_id, currency, quotes } = naming
  const instrument = naming.instrument_name ?? quotes?.[0]?.instrument_name
  if (instrument !== undefined) {
    return findInstrument(exchange, instrument)?.settlementCurrency ?? null
  }
  if (order_id !== undefined) {
    const order = orderIdIn(order_id)
    return order === undefined ? null : currencyOf(currencyOfId(order))
  }
  return typeof currency === 'string' && isCurrency(currency) ? currency : null
}

/** An order by its id, or by its label and instrument; the first word distinguishes the two. */
function orderNamed({ order_id, label = '', instrument_name = '' }: NamingParams): string {
  return order_id === undefined ? `label ${instrument_name} ${label}` : `id ${order_id}`
}
