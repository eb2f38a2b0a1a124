/**
 * Live orders: records and times under the slots of the book, ids, and each account's list in the
 * order of creation.
 */
import { NO_SLOT, ownerOf, priceOf, releaseSlot, remainingOf, takeSlot } from '../../book/index.ts'
import {
  defined,
  divHalfAwayBig,
  intMapDelete,
  intMapGet,
  intMapSet,
  type Price9,
  price9,
  wideToBigint,
} from '../../core/index.ts'
import type { InstrumentKind, Order } from '../../model/index.ts'
import type { AccountRow, Exchange, InstrumentRow } from './exchange.ts'

/** Takes an order into the exchange; it is live, but in no book yet. Returns its slot. */
export function openOrder(
  exchange: Exchange,
  order: Order,
  live: { readonly account: number; readonly price: number; readonly remaining: number },
): number {
  const { orders, slots } = exchange
  const slot = takeSlot(slots, {
    owner: live.account,
    price: live.price,
    remaining: live.remaining,
  })
  if (slot >= orders.createdAt.length) growColumns(exchange, slots.capacity)
  orders.records[slot] = order
  orders.createdAt[slot] = exchange.now
  orders.updatedAt[slot] = exchange.now
  intMapSet(exchange.slotOfOrder, order.id, slot)
  const owner = accountRow(exchange, live.account)
  orders.nextOfAccount[slot] = NO_SLOT
  orders.previousOfAccount[slot] = owner.lastOrder
  if (owner.lastOrder === NO_SLOT) owner.firstOrder = slot
  else orders.nextOfAccount[owner.lastOrder] = slot
  owner.lastOrder = slot
  countOrders(owner, instrumentOf(exchange, order).instrument.kind, 1)
  return slot
}

/** Ends a live order that has left its book. */
export function closeOrder(exchange: Exchange, slot: number): void {
  const { orders, slots } = exchange
  const order = orderAt(exchange, slot)
  const owner = accountRow(exchange, ownerOf(slots, slot))
  const before = orders.previousOfAccount[slot] as number
  const after = orders.nextOfAccount[slot] as number
  if (before === NO_SLOT) owner.firstOrder = after
  else orders.nextOfAccount[before] = after
  if (after === NO_SLOT) owner.lastOrder = before
  else orders.previousOfAccount[after] = before
  countOrders(owner, instrumentOf(exchange, order).instrument.kind, -1)
  intMapDelete(exchange.slotOfOrder, order.id)
  exchange.mixedFills.delete(order.id)
  orders.records[slot] = undefined
  releaseSlot(slots, slot)
}

/** The slot of a live order, or NO_SLOT. */
export function slotOf(exchange: Exchange, order: number): number {
  return intMapGet(exchange.slotOfOrder, order)
}

/** The record in a slot that is in use. */
export function orderAt(exchange: Exchange, slot: number): Order {
  return defined(exchange.orders.records[slot], 'a live order has a record')
}

/** The row of an account that exists. */
export function accountRow(exchange: Exchange, account: number): AccountRow {
  return defined(exchange.accounts[account], 'an account exists')
}

/** The row of an order's instrument. */
export function instrumentOf(exchange: Exchange, order: Order): InstrumentRow {
  return defined(exchange.instruments[order.instrument], 'an instrument exists')
}

/** Size filled so far, in lots. */
export function filledOf(exchange: Exchange, slot: number): number {
  return orderAt(exchange, slot).amount - remainingOf(exchange.slots, slot)
}

/**
 * Average price of an order's fills, 0 before the first. Inverse contracts: total amount over total
 * coin; the others the weighted mean; 8 decimals, half away from zero (C03, R27).
 */
export function averagePrice(exchange: Exchange, slot: number): Price9 {
  const order = orderAt(exchange, slot)
  const filled = filledOf(exchange, slot)
  if (filled === 0) return price9(0)
  const row = instrumentOf(exchange, order)
  const mixed = exchange.mixedFills.get(order.id)
  if (mixed === undefined) return price9(order.fillPrice * row.instrument.tick9)
  const basis = wideToBigint(mixed, 0)
  const amount9 = BigInt(filled) * BigInt(row.instrument.amountStep9)
  // 1e-8 quote: amount9 / 1e9 over basis / 1e18 coin, or basis / 1e9 quote over amount9 / 1e9.
  const price8 =
    row.terms.payoff === 'inverse'
      ? divHalfAwayBig(amount9 * 100_000_000_000_000_000n, basis)
      : divHalfAwayBig(basis * 100_000_000n, amount9)
  return price9(Number(price8 * 10n))
}

/** Calls `visit` for each live order of an account in the order of creation; it may close that one. */
export function visitAccountOrders(
  exchange: Exchange,
  account: number,
  visit: (slot: number, order: Order) => void,
): void {
  let slot = accountRow(exchange, account).firstOrder
  while (slot !== NO_SLOT) {
    const next = exchange.orders.nextOfAccount[slot] as number
    visit(slot, orderAt(exchange, slot))
    slot = next
  }
}

/** The price of a live order in 1e-9. */
export function orderPrice9(exchange: Exchange, slot: number): Price9 {
  const row = instrumentOf(exchange, orderAt(exchange, slot))
  return price9(priceOf(exchange.slots, slot) * row.instrument.tick9)
}

function countOrders(owner: AccountRow, kind: InstrumentKind, change: 1 | -1): void {
  owner.openTotal += change
  if (kind === 'future') owner.openFuture += change
  else if (kind === 'option') owner.openOption += change
  else if (kind === 'spot') owner.openSpot += change
}

function growColumns(exchange: Exchange, capacity: number): void {
  const { orders } = exchange
  const createdAt = new Float64Array(capacity)
  createdAt.set(orders.createdAt)
  orders.createdAt = createdAt
  const updatedAt = new Float64Array(capacity)
  updatedAt.set(orders.updatedAt)
  orders.updatedAt = updatedAt
  const next = new Int32Array(capacity)
  next.set(orders.nextOfAccount)
  orders.nextOfAccount = next
  const previous = new Int32Array(capacity)
  previous.set(orders.previousOfAccount)
  orders.previousOfAccount = previous
}
