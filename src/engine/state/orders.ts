/**
 * Live orders: their records under the slots of the book, ids, and each account's list in the order
 * of creation.
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
  ticks,
  wideToBigint,
} from '../../core/index.ts'
import { type PricedTerms, pricedTerms, setBasis } from '../../ledger/index.ts'
import type { InstrumentKind } from '../../model/index.ts'
import type { AccountRow, Exchange, InstrumentRow } from './exchange.ts'
import { holdingOfOrder } from './holdings.ts'
import {
  dropOrder,
  type LiveOrder,
  nextInAccount,
  previousInAccount,
  putOrder,
  recordAt,
  setNextInAccount,
  setPreviousInAccount,
} from './order-records.ts'

/** Takes an order into the exchange; it is live, but in no book yet. Returns its slot. */
export function openOrder(
  exchange: Exchange,
  order: LiveOrder,
  live: {
    readonly account: number
    readonly price: number
    readonly remaining: number
    readonly createdAt: number
  },
): number {
  const { orders, slots } = exchange
  const slot = takeSlot(slots, {
    owner: live.account,
    price: live.price,
    remaining: live.remaining,
  })
  putOrder(orders, slot, { order, time: live.createdAt, capacity: slots.capacity })
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
  intMapDelete(exchange.slotOfOrder, recordAt(orders, slot).id)
  dropOrder(orders, slot)
  releaseSlot(slots, slot)
}

/** The slot of a live order, or NO_SLOT. */
export function slotOf(exchange: Exchange, order: number): number {
  return intMapGet(exchange.slotOfOrder, order)
}

/** The live order in a slot. */
export function orderAt(exchange: Exchange, slot: number): LiveOrder {
  return recordAt(exchange.orders, slot)
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
  return orderAt(exchange, slot).amount - remainingOf(exchange.slots, slot)
}

/**
 * Remembers what an order paid. One price needs no sum; at the second the basis of all fills is
 * kept, which the average is computed from. The size is already taken off.
 */
export function noteFillPrice(
  exchange: Exchange,
  row: InstrumentRow,
  fill: {
    readonly slot: number
    readonly lots: number
    readonly price: number
    readonly priced: PricedTerms
  },
): void {
  const { slot, lots, price, priced } = fill
  const { scratch } = exchange
  const order = orderAt(exchange, slot)
  const before = filledOf(exchange, slot) - lots
  if (order.fills === null) {
    order.fills = ticks(price)
    return
  }
  if (order.fills === price) return
  if (typeof order.fills === 'number') {
    const first = pricedTerms(row.terms, order.fills * row.instrument.tick9)
    order.fills = new Float64Array(2)
    setBasis(order.fills, 0, { priced: first, lots: before })
  }
  setBasis(scratch, 0, { priced, lots })
  addWide(order.fills, 0, scratch, 0)
}

/**
 * Average price of an order's fills, 0 before the first. Inverse contracts: total amount over total
 * coin; the others the weighted mean; 8 decimals, half away from zero (C03, R27).
 */
export function averagePrice(exchange: Exchange, row: InstrumentRow, slot: number): Price9 {
  const { fills } = orderAt(exchange, slot)
  if (fills === null) return price9(0)
  if (typeof fills === 'number') return price9(fills * row.instrument.tick9)
  const filled = filledOf(exchange, slot)
  const basis = wideToBigint(fills, 0)
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
