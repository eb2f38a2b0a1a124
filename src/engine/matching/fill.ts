/**
 * What every fill does, whoever is on the other side: the resting order gives up its lots, the hooks
 * run in the order of C06, and one event tells where the resting order stands.
 *
 * After each single fill, and before the next resting order is looked at, the hooks run: the trade and
 * its postings, linked-order cancels, reduce-only re-allocation, protection counters. Placements caused
 * by a fill would queue behind the command. Source: trading.md 6.1, C06; DESIGN 4.
 */
import { remainingOf, setSlot } from '../../book/index.ts'
import { emitOrder, type Turn } from '../emit.ts'
import type { InstrumentRow } from '../state/exchange.ts'
import { closeOrder } from '../state/orders.ts'
import { bookTrade, type FillContext } from './book-trade.ts'
import { leaveBook, shrinkInBook } from './resting.ts'

/** A hook whose mechanism is not there yet. */
function idle(_fill: FillContext): void {}

/** What runs after each single fill, in this order (C06, DESIGN 4). */
const fillHooks = {
  bookTrade,
  cancelLinkedOrders: idle,
  reallocateReduceOnly: idle,
  countProtection: idle,
} as const

/** Runs the hooks of a fill whose sizes are already taken off. */
export function runFillHooks(fill: FillContext): void {
  fillHooks.bookTrade(fill)
  fillHooks.cancelLinkedOrders(fill)
  fillHooks.reallocateReduceOnly(fill)
  fillHooks.countProtection(fill)
}

/** Takes lots off a resting order, which leaves the book when nothing is left; returns what is left. */
export function takeOffMaker(
  turn: Turn,
  row: InstrumentRow,
  change: { readonly slot: number; readonly lots: number },
): number {
  const { slot, lots } = change
  const { slots } = turn.exchange
  const rest = remainingOf(slots, slot) - lots
  if (rest > 0) {
    shrinkInBook(turn, row, change)
  } else {
    const price = slots.price[slot] as number
    leaveBook(turn, row, slot)
    setSlot(slots, slot, { price, remaining: 0 })
  }
  return rest
}

/** Tells where the resting order of a fill stands, and ends it when nothing is left. */
export function finishMaker(
  turn: Turn,
  row: InstrumentRow,
  maker: { readonly slot: number; readonly rest: number },
): void {
  const { slot, rest } = maker
  emitOrder(turn, row, slot, {
    kind: 'order_filled',
    state: rest > 0 ? 'open' : 'filled',
    rested: true,
    reason: null,
  })
  if (rest === 0) closeOrder(turn.exchange, slot)
}
