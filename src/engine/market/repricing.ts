/**
 * Advanced orders follow their market: at each whole second, after the marks, each gets a new price, oldest order
 * first. A new price is an edit: the order loses its place in the queue, and it may take. An order keeps its price this
 * time if its account could not place it at the new price, or if it would meet an order of the same account.
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

/** Registers a new advanced order, which is repriced each second from now on. */
export function followAdvanced(exchange: Exchange, order: OrderId): void {
  exchange.advancedOrders.push(order)
  awaitSecond(exchange)
}

/** Reprices every advanced order. */
export function repriceAdvanced(turn: Turn): void {
  const { exchange } = turn
  if (exchange.advancedOrders.length === 0) return
  const followed = exchange.advancedOrders
  exchange.advancedOrders = followed.filter((id) => orderSlotOf(exchange, id) !== NO_SLOT)
  for (const id of [...exchange.advancedOrders]) {
    const slot = orderSlotOf(exchange, id)
    // An order repriced earlier may have filled or ended it.
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
  // A locked book accepts cancels, but no orders (C22).
  if (ends && (row.state === 'open' || row.state === 'locked')) {
    endOrder(turn, slot, 'risk_mitigation')
    return
  }
  if (row.state !== 'open') return
  const price = advancedTicks(exchange, row, side, advanced)
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
  setSlot(slots, slot, price, remaining)
  emitOrder(turn, row, slot, { change: 'edited', state: 'open', rested: true, reason: null })
  resendOrder(turn, row, slot, terms, null)
}
