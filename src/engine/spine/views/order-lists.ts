/**
 * The orders of an account that JSON-RPC shows: not those of direct access, and not new ones that wait behind the speed
 * bump. An order that was in its book and waits because of an amend is shown in its previous state.
 *
 * Rule: order.visibility. Source: sessions-blocks-gateways.md 8.2, 8.8; coverage R10.
 */

import {
  type AccountId,
  defined,
  type Micros,
  micros,
  type OrderId,
  price9,
  type Sequence,
} from '../../../core/index.ts'
import { type Instrument, type OrderFilter, originOf, type RiskLimits } from '../../../model/index.ts'
import { riskLimitsOf, waitingAt } from '../../market/index.ts'
import { matches } from '../../requests/index.ts'
import {
  accountRow,
  copyOfOrder,
  type Exchange,
  instrumentOf,
  orderAt,
  orderSlotOf,
  visitAccountOrders,
} from '../../state/index.ts'
import { lentView, type OrderView, viewOrder } from './order-views.ts'

/** A live order that JSON-RPC shows, or undefined. The caller must read it before the next command. */
export function seenOrder(exchange: Exchange, order: OrderId): OrderView | undefined {
  const slot = orderSlotOf(exchange, order)
  return slot < 0 ? undefined : seenSlot(exchange, slot)
}

/** The instrument of a live order that JSON-RPC shows, or undefined; a cancel needs nothing more. */
export function seenInstrument(exchange: Exchange, order: OrderId): Instrument | undefined {
  const slot = orderSlotOf(exchange, order)
  return slot >= 0 && isSeen(exchange, slot) ? instrumentOf(exchange, slot).instrument : undefined
}

/**
 * An account's live orders that match a filter and that JSON-RPC shows, in the order of creation (C14). The caller must
 * read them before the next command.
 */
export function seenOrders(exchange: Exchange, account: AccountId, filter: OrderFilter): readonly OrderView[] {
  const found: OrderView[] = []
  visitAccountOrders(exchange, account, (slot) => {
    if (!matches(exchange, orderAt(exchange, slot), filter)) return
    const view = seenSlot(exchange, slot)
    if (view !== undefined) found.push(view)
  })
  return found
}

function isSeen(exchange: Exchange, slot: number): boolean {
  if (originOf(orderAt(exchange, slot)) === 'direct_access') return false
  return waitingAt(exchange, slot)?.before !== null
}

function seenSlot(exchange: Exchange, slot: number): OrderView | undefined {
  if (!isSeen(exchange, slot)) return undefined
  const view = lentView(exchange, slot)
  const before = waitingAt(exchange, slot)?.before
  if (before == null) return view
  const { price, updatedAt, ...terms } = before
  return {
    ...view,
    order: { ...copyOfOrder(orderAt(exchange, slot)), ...terms },
    price: price9(price * view.instrument.tick9),
    updatedAt,
    rested: true,
  }
}

/** Orders behind the speed bump, and requests whose reply waits for them. */

/** The release time of the last order for which a request's reply waits; undefined if the reply does not wait. */
export function heldUntil({ bumps }: Exchange, request: Sequence): Micros | undefined {
  let until: number | undefined
  for (const { held, releaseAt } of bumps.values()) {
    if (held.includes(request)) until = Math.max(until ?? 0, releaseAt)
  }
  return until === undefined ? undefined : micros(until)
}

/** True while a request's reply waits for orders behind the speed bump. */
export function isHeld(exchange: Exchange, request: Sequence): boolean {
  return exchange.heldRequests.has(request)
}

/** True while the reply of any request waits for orders behind the speed bump. */
export function isAnyHeld(exchange: Exchange): boolean {
  return exchange.heldRequests.size > 0
}

/** True while an order waits behind the speed bump. */
export function isQueued(exchange: Exchange, order: OrderId): boolean {
  return exchange.bumps.has(order)
}

/** Views of orders of direct access and of risk limits. Views only read. */

/** The live order of a portfolio with a client order id, or undefined. */
export function orderOfClient(
  exchange: Exchange,
  account: AccountId,
  clientOrderId: string,
): { readonly order: OrderId; readonly instrument: Instrument } | undefined {
  const order = accountRow(exchange, account).clientOrders.get(clientOrderId)
  if (order === undefined) return undefined
  return { order, instrument: instrumentOf(exchange, orderSlotOf(exchange, order)).instrument }
}

/** The limits of a portfolio by price index, in alphabetical order. Indices without a limit are omitted. */
export function viewRiskLimits(
  exchange: Exchange,
  account: AccountId,
): readonly (readonly [index: string, limits: RiskLimits])[] {
  const own = accountRow(exchange, account).standing.riskLimits
  const names = new Set([...own.keys(), ...exchange.venue.riskLimits.keys()])
  return [...names]
    .sort((left, right) => (left < right ? -1 : left > right ? 1 : 0))
    .map((name) => [name, riskLimitsOf(exchange, account, name)] as const)
}

/** The open quotes of the group with a number; none if the group does not exist. */
export function liveQuotes(exchange: Exchange, group: number): readonly OrderView[] {
  const quotes = exchange.mmpGroups[group - 1]?.quotes.values() ?? []
  return [...quotes].map((order) => defined(viewOrder(exchange, order), 'the open quotes of a group are live'))
}
