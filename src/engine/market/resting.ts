/**
 * Orders enter, shrink in and leave a book here, with all consequences: the open orders that margin counts, the
 * reserves of spot orders, the visible level, the change id.
 *
 * The caller updates the margin of the holding once, after all changes.
 */
import {
  cutOrder,
  hiddenOf,
  hideOrder,
  levelSize,
  ownerOf,
  priceOf,
  reduceOrder,
  remainingOf,
  removeOrder,
  restOrder,
  setHidden,
  setSlot,
  shownOf,
} from '../../book/index.ts'
import { assert, price9, setWide, setWideProduct, subtractWide } from '../../core/index.ts'
import { pricedTerms, setBasis } from '../../ledger/index.ts'
import { addOpenOrders, addPremium, addReserve } from '../../margin/index.ts'
import type { Side } from '../../model/index.ts'
import {
  accountRow,
  awaitDayEnd,
  displayAt,
  type Exchange,
  emitLevel,
  extrasAt,
  type HoldingRow,
  holdingAt,
  holdingOfOrder,
  type InstrumentRow,
  orderAt,
  reducesAt,
  setStage,
  sharesPosition,
  sideAt,
  type Turn,
  timeInForceAt,
  walletRowOf,
} from '../state/index.ts'
import { legLots, modelOf, noteBookChange } from '../value/index.ts'

/** Puts a live order at the end of its queue. An iceberg shows its next part. */
export function enterBook(turn: Turn, row: InstrumentRow, slot: number): void {
  const { orders } = turn.exchange
  const side = sideAt(orders, slot)
  const display = displayAt(orders, slot)
  const remaining = remainingOf(turn.exchange.slots, slot)
  setHidden(turn.exchange.slots, slot, display > 0 ? Math.max(0, remaining - display) : 0)
  setStage(orders, slot, 'resting')
  restOrder(row.book, side, slot)
  countOpen(turn.exchange, row, slot, 0, remaining)
  if (reducesAt(orders, slot)) holdingOfOrder(turn.exchange, slot).reducing.push(slot)
  if (timeInForceAt(orders, slot) === 'good_til_day') awaitDayEnd(turn.exchange)
  levelChanged(turn, row, slot, side)
}

/** Removes a live order from its book; it stays live. */
export function leaveBook(turn: Turn, row: InstrumentRow, slot: number): void {
  const side = sideAt(turn.exchange.orders, slot)
  const remaining = remainingOf(turn.exchange.slots, slot)
  removeOrder(row.book, side, slot)
  countOpen(turn.exchange, row, slot, remaining, 0)
  if (reducesAt(turn.exchange.orders, slot)) stopReducing(turn.exchange, slot)
  levelChanged(turn, row, slot, side)
}

/** Reduces a filled resting order by `lots`, which is less than its visible size; it keeps its place. */
export function shrinkInBook(turn: Turn, row: InstrumentRow, slot: number, lots: number): void {
  const side = sideAt(turn.exchange.orders, slot)
  const remaining = remainingOf(turn.exchange.slots, slot)
  reduceOrder(row.book, side, slot, lots)
  countOpen(turn.exchange, row, slot, remaining, remaining - lots)
  levelChanged(turn, row, slot, side)
}

/** Reduces a resting order by `lots`, which is less than its size: first its hidden size. It keeps its place. */
export function cutInBook(turn: Turn, row: InstrumentRow, slot: number, lots: number): void {
  const { side } = orderAt(turn.exchange, slot)
  const remaining = remainingOf(turn.exchange.slots, slot)
  const shown = shownOf(turn.exchange.slots, slot)
  cutOrder(row.book, side, slot, lots)
  countOpen(turn.exchange, row, slot, remaining, remaining - lots)
  if (shownOf(turn.exchange.slots, slot) !== shown) levelChanged(turn, row, slot, side)
}

/** Hides `lots` of a resting order, which is less than its visible size; it keeps its place. */
export function hideInBook(turn: Turn, row: InstrumentRow, slot: number, lots: number): void {
  const { side } = orderAt(turn.exchange, slot)
  hideOrder(row.book, side, slot, lots)
  levelChanged(turn, row, slot, side)
}

/** Removes an iceberg from its queue when its whole visible part was taken; its hidden size remains. */
export function emptyTip(turn: Turn, row: InstrumentRow, slot: number): void {
  const order = orderAt(turn.exchange, slot)
  const before = remainingOf(turn.exchange.slots, slot)
  const hidden = hiddenOf(turn.exchange.slots, slot)
  removeOrder(row.book, order.side, slot)
  setSlot(turn.exchange.slots, slot, priceOf(turn.exchange.slots, slot), hidden)
  order.stage = 'emptied'
  countOpen(turn.exchange, row, slot, before, hidden)
  levelChanged(turn, row, slot, order.side)
}

/** Shows the next part of an iceberg at the end of the queue. The iceberg counts as open all the time. */
export function refillTip(turn: Turn, row: InstrumentRow, slot: number): void {
  const order = orderAt(turn.exchange, slot)
  const remaining = remainingOf(turn.exchange.slots, slot)
  setHidden(turn.exchange.slots, slot, Math.max(0, remaining - order.display))
  order.stage = 'resting'
  restOrder(row.book, order.side, slot)
  levelChanged(turn, row, slot, order.side)
}

/**
 * Sets whether an order is reduce-only. An order counts in margin, and may increase a position, unless it is
 * reduce-only.
 */
export function setReduceOnly(turn: Turn, row: InstrumentRow, slot: number, reduceOnly: boolean): void {
  const order = orderAt(turn.exchange, slot)
  if (order.reduceOnly === reduceOnly) return
  const isListed = order.stage === 'resting'
  const isCounted = isListed || order.stage === 'bumped'
  const lots = remainingOf(turn.exchange.slots, slot)
  if (isCounted) countOpen(turn.exchange, row, slot, lots, 0)
  if (isListed && !reduceOnly) stopReducing(turn.exchange, slot)
  order.reduceOnly = reduceOnly
  if (isCounted) countOpen(turn.exchange, row, slot, 0, lots)
  if (isListed && reduceOnly) holdingOfOrder(turn.exchange, slot).reducing.push(slot)
}

/**
 * Counts the change of an order's size in open orders and spot reserves. A reduce-only order does not count in margin
 * (market.md 6.1), only in the total size of its holding's reduce-only orders. Quotes do not count, because the margin
 * of their group covers them (trading.md 7.3).
 */
export function countOpen(exchange: Exchange, row: InstrumentRow, slot: number, before: number, after: number): void {
  const side = sideAt(exchange.orders, slot)
  if (reducesAt(exchange.orders, slot)) {
    if (sharesPosition(orderAt(exchange, slot))) {
      holdingOfOrder(exchange, slot).wanted[side] += after - before
    }
    return
  }
  const extras = extrasAt(exchange.orders, slot)
  if (extras !== null && extras.quote !== null) return
  addOpenOrders(exchange.margin, holdingAt(exchange.orders, slot), side, after - before)
  if (row.base < 0) {
    if (row.instrument.kind !== 'future') countPremium(exchange, row, slot, before, after)
    return
  }
  countReserve(exchange, row, slot, before, after)
}

/** Counts the change of a spot order's size in the reserves. */
function countReserve(exchange: Exchange, row: InstrumentRow, slot: number, before: number, after: number): void {
  const side = sideAt(exchange.orders, slot)
  const price = priceOf(exchange.slots, slot)
  setReserve(exchange, row, { at: 0, side, lots: after, price })
  setReserve(exchange, row, { at: 2, side, lots: before, price })
  subtractWide(exchange.scratch, 0, exchange.scratch, 2)
  const owner = ownerOf(exchange.slots, slot)
  const wallet = walletRowOf(owner, side === 'buy' ? row.settlement : row.base)
  addReserve(exchange.margin, wallet, exchange.scratch, 0, 1)
}

/**
 * Counts the open orders of combos on each leg. Under standard margin it also reserves the cost of orders of options
 * and of their combos (market.md 6.1, 6.2).
 */
function countPremium(exchange: Exchange, row: InstrumentRow, slot: number, before: number, after: number): void {
  const { side } = orderAt(exchange, slot)
  const owner = holdingOfOrder(exchange, slot)
  const size = Math.abs(after - before)
  const sign = after < before ? -1 : 1
  for (const { holding, side: legSide, lots } of legLots(exchange, owner, side, size)) {
    addOpenOrders(exchange.margin, holding, legSide, sign * lots)
  }
  if (!reservesPremium(exchange, owner)) return
  const price = priceOf(exchange.slots, slot)
  setPremium(exchange, row, { at: 0, side, lots: after, price })
  setPremium(exchange, row, { at: 2, side, lots: before, price })
  subtractWide(exchange.scratch, 0, exchange.scratch, 2)
  const lots = row.instrument.kind === 'option' && side === 'buy' ? after - before : 0
  addPremium(exchange.margin, owner.holding, exchange.scratch, 0, lots)
}

/** True if orders of a holding reserve their cost: orders of options do under standard margin. */
export function reservesPremium(exchange: Exchange, { account, row }: HoldingRow): boolean {
  const { kind } = row.instrument
  if (kind !== 'option' && kind !== 'option_combo') return false
  const owner = accountRow(exchange, account)
  return !owner.account.house && !modelOf(owner).netsPositions
}

/** An order, and the scratch register that receives its cost. */
interface OrderCost {
  readonly at: number
  readonly side: Side
  readonly lots: number
  readonly price: number
}

/**
 * Sets a scratch register to the cost of an order of options at its limit, in nano; 0 if the account would receive
 * money. The price of a combo may be below zero, and then the seller pays.
 */
export function setPremium(exchange: Exchange, row: InstrumentRow, order: OrderCost): void {
  const isPaid = order.side === 'buy' ? order.price > 0 : order.price < 0
  if (!isPaid || order.lots === 0) {
    setWide(exchange.scratch, order.at, 0)
    return
  }
  const priced = pricedTerms(row.terms, Math.abs(order.price) * row.instrument.tick9)
  setBasis(exchange.scratch, order.at, priced, order.lots)
}

/** Removes a resting reduce-only order that ends from the list of its holding. */
export function stopReducing(exchange: Exchange, slot: number): void {
  const { reducing } = holdingOfOrder(exchange, slot)
  const at = reducing.indexOf(slot)
  assert(at >= 0, 'a resting reduce-only order is listed with its holding')
  reducing.splice(at, 1)
}

/**
 * Sets a scratch register to the reserve of a spot order of this size, in nano: for a buy its price times its amount in
 * quote, for a sell its amount in base.
 */
export function setReserve(exchange: Exchange, row: InstrumentRow, reserve: OrderCost): void {
  if (reserve.side === 'sell') {
    setWideProduct(exchange.scratch, reserve.at, reserve.lots, row.instrument.amountStep9)
    return
  }
  const priced = pricedTerms(row.terms, reserve.price * row.instrument.tick9)
  setBasis(exchange.scratch, reserve.at, priced, reserve.lots)
}

function levelChanged(turn: Turn, row: InstrumentRow, slot: number, side: Side): void {
  noteBookChange(turn.exchange, row)
  const { bookEvents, closedBookEvents } = turn.exchange.config
  if (!bookEvents && (closedBookEvents !== true || row.book.recorded !== null)) return
  emitPriceLevel(turn, row, side, priceOf(turn.exchange.slots, slot))
}

/** Emits the current size of a level. The caller has checked that the run asks for the book. */
export function emitPriceLevel(turn: Turn, row: InstrumentRow, side: Side, price: number): void {
  emitLevel(turn, row, side, price9(price * row.instrument.tick9), levelSize(row.book, side, price))
}
