/**
 * Live orders: their rows under the slots of the book, ids, and each account's list in the order of
 * creation.
 */
import { NO_SLOT, ownerOf, priceOf, releaseSlot, remainingOf, takeSlot } from '../../book/index.ts'
import {
  addWide,
  defined,
  divHalfAwayBig,
  intMapDelete,
  intMapGet,
  intMapSet,
  type Price9,
  price9,
  wideToBigint,
} from '../../core/index.ts'
import { pricedTerms, setBasis } from '../../ledger/index.ts'
import type { InstrumentKind, Order } from '../../model/index.ts'
import type { AccountRow, Exchange, InstrumentRow } from './exchange.ts'
import { holdingOfOrder } from './holdings.ts'
import {
  amountAt,
  clearOrderRow,
  fillBasisAt,
  fillPriceAt,
  idAt,
  type NewOrder,
  nextInAccount,
  previousInAccount,
  readOrderRow,
  reserveOrderRows,
  setFillBasis,
  setFillPrice,
  setNextInAccount,
  setPreviousInAccount,
  writeOrderRow,
} from './order-rows.ts'

/** Takes an order into the exchange; it is live, but in no book yet. Returns its slot. */
export function openOrder(
  exchange: Exchange,
  order: NewOrder,
  live: { readonly account: number; readonly price: number; readonly remaining: number },
): number {
  const { orders, slots } = exchange
  const slot = takeSlot(slots, {
    owner: live.account,
    price: live.price,
    remaining: live.remaining,
  })
  reserveOrderRows(orders, slots.capacity)
  writeOrderRow(orders, slot, order)
  intMapSet(exchange.slotOfOrder, order.id, slot)
  const owner = accountRow(exchange, live.account)
  setNextInAccount(orders, slot, NO_SLOT)
  setPreviousInAccount(orders, slot, owner.lastOrder)
  if (owner.lastOrder === NO_SLOT) owner.firstOrder = slot
  else setNextInAccount(orders, owner.lastOrder, slot)
  owner.lastOrder = slot
  countOrders(owner, instrumentOf(exchange, slot).instrument.kind, 1)
  return slot
}

/** Ends a live order that has left its book. */
export function closeOrder(exchange: Exchange, slot: number): void {
  const { orders, slots } = exchange
  const owner = accountRow(exchange, ownerOf(slots, slot))
  const before = previousInAccount(orders, slot)
  const after = nextInAccount(orders, slot)
  if (before === NO_SLOT) owner.firstOrder = after
  else setNextInAccount(orders, before, after)
  if (after === NO_SLOT) owner.lastOrder = before
  else setPreviousInAccount(orders, after, before)
  countOrders(owner, instrumentOf(exchange, slot).instrument.kind, -1)
  intMapDelete(exchange.slotOfOrder, idAt(orders, slot))
  clearOrderRow(orders, slot)
  releaseSlot(slots, slot)
}

/** The slot of a live order, or NO_SLOT. */
export function slotOf(exchange: Exchange, order: number): number {
  return intMapGet(exchange.slotOfOrder, order)
}

/** The order in a slot that is in use, as a record. For what is not hot; `order-rows` has the rest. */
export function orderAt(exchange: Exchange, slot: number): Order {
  return readOrderRow(exchange.orders, slot, instrumentOf(exchange, slot).instrument.id)
}

/** The row of an account that exists. */
export function accountRow(exchange: Exchange, account: number): AccountRow {
  return defined(exchange.accounts[account], 'an account exists')
}

/** The row of a live order's instrument. */
export function instrumentOf(exchange: Exchange, slot: number): InstrumentRow {
  return holdingOfOrder(exchange, slot).row
}

/** The row of an instrument that is listed. */
export function rowOfInstrument(exchange: Exchange, instrument: number): InstrumentRow {
  return defined(exchange.instruments[instrument], 'an instrument is listed')
}

/** Size filled so far, in lots. */
export function filledOf(exchange: Exchange, slot: number): number {
  return amountAt(exchange.orders, slot) - remainingOf(exchange.slots, slot)
}

/**
 * Remembers what an order paid. One price needs no sum; at the second the basis of all fills is
 * kept, which the average is computed from. The size is already taken off.
 */
export function noteFillPrice(
  exchange: Exchange,
  row: InstrumentRow,
  fill: { readonly slot: number; readonly lots: number; readonly price: number },
): void {
  const { slot, lots, price } = fill
  const { orders, scratch } = exchange
  const before = filledOf(exchange, slot) - lots
  if (before === 0) {
    setFillPrice(orders, slot, price)
    return
  }
  let basis = fillBasisAt(orders, slot)
  if (basis < 0) {
    const first = fillPriceAt(orders, slot)
    if (first === price) return
    const priced = pricedTerms(row.terms, first * row.instrument.tick9)
    setBasis(scratch, 0, { priced, lots: before })
    basis = setFillBasis(orders, slot, { source: scratch, from: 0 })
  }
  const priced = pricedTerms(row.terms, price * row.instrument.tick9)
  setBasis(scratch, 0, { priced, lots })
  addWide(orders.cells, basis, scratch, 0)
}

/**
 * Average price of an order's fills, 0 before the first. Inverse contracts: total amount over total
 * coin; the others the weighted mean; 8 decimals, half away from zero (C03, R27).
 */
export function averagePrice(exchange: Exchange, row: InstrumentRow, slot: number): Price9 {
  const { orders } = exchange
  const filled = filledOf(exchange, slot)
  if (filled === 0) return price9(0)
  const at = fillBasisAt(orders, slot)
  if (at < 0) return price9(fillPriceAt(orders, slot) * row.instrument.tick9)
  const basis = wideToBigint(orders.cells, at)
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
  visit: (slot: number) => void,
): void {
  let slot = accountRow(exchange, account).firstOrder
  while (slot !== NO_SLOT) {
    const next = nextInAccount(exchange.orders, slot)
    visit(slot)
    slot = next
  }
}

/** The price of a live order in 1e-9. */
export function orderPrice9(exchange: Exchange, row: InstrumentRow, slot: number): Price9 {
  return price9(priceOf(exchange.slots, slot) * row.instrument.tick9)
}

function countOrders(owner: AccountRow, kind: InstrumentKind, change: 1 | -1): void {
  owner.openTotal += change
  if (kind === 'future') owner.openFuture += change
  else if (kind === 'option') owner.openOption += change
  else if (kind === 'spot') owner.openSpot += change
}
