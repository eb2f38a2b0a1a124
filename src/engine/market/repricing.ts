/**
 * Advanced orders follow their market: at each whole second, after the marks, each gets its price anew, oldest
 * order first. A new price is an edit: the place in the queue is lost, and it may take. An order that its
 * account could not place anew, or that would meet an order of its own, keeps its price this time.
 *
 * Rule: order.advanced-repricing. Source: trading.md 6.12 (C30), 6.9; R02.
 */
import { NO_SLOT, priceOf, remainingOf, setSlot } from '../../book/index.ts'
import { type OrderId, ticks } from '../../core/index.ts'
import { type Exchange, emitOrder, instrumentOf, orderAt, orderSlotOf, type Turn } from '../state/index.ts'
import { advancedTicks, awaitSecond, isPastVolatility } from '../value/index.ts'
import { liveCandidate } from './candidate.ts'
import { endOrder } from './ending.ts'
import { resendOrder } from './entering.ts'
import { leaveBook } from './resting.ts'
import { admit } from './steps.ts'
import { termsBefore } from './waiting.ts'

/** An advanced order is live: it is looked at each second from now on. */
export function followAdvanced(exchange: Exchange, order: OrderId): void {
  exchange.advancedOrders.push(order)
  awaitSecond(exchange)
}

/** Prices every advanced order anew. */
export function repriceAdvanced(turn: Turn): void {
  const { exchange } = turn
  if (exchange.advancedOrders.length === 0) return
  const followed = exchange.advancedOrders
  exchange.advancedOrders = followed.filter((id) => orderSlotOf(exchange, id) !== NO_SLOT)
  for (const id of [...exchange.advancedOrders]) {
    const slot = orderSlotOf(exchange, id)
    // One before it may have taken it.
    if (slot !== NO_SLOT) repriceOrder(turn, slot)
  }
  if (exchange.advancedOrders.length > 0) awaitSecond(exchange)
}

function repriceOrder(turn: Turn, slot: number): void {
  const { exchange } = turn
  const { slots } = exchange
  const order = orderAt(exchange, slot)
  const { advanced, side } = order
  const row = instrumentOf(exchange, slot)
  if (advanced === null || order.stage !== 'resting') return
  const ends = advanced.type === 'implv' && isPastVolatility(exchange, row)
  // A locked book cancels, but takes nothing (C22).
  if (ends && (row.state === 'open' || row.state === 'locked')) {
    endOrder(turn, slot, 'risk_mitigation')
    return
  }
  if (row.state !== 'open') return
  const price = advancedTicks(exchange, row, { side, advanced })
  const before = ticks(priceOf(slots, slot))
  if (price === null || price === before) return
  const remaining = remainingOf(slots, slot)
  const moved = liveCandidate(exchange, 'move', { slot, rest: remaining, price })
  if (!admit(exchange, moved).ok) return
  const terms = termsBefore(exchange, slot)
  leaveBook(turn, row, slot)
  order.stage = 'entering'
  order.replaced = true
  order.autoReplaced = true
  setSlot(slots, slot, { price, remaining })
  emitOrder(turn, row, slot, { change: 'edited', state: 'open', rested: true, reason: null })
  resendOrder(turn, row, { slot, terms, waited: null })
}
