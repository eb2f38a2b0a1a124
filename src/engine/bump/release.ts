/**
 * An order has waited long enough behind the speed bump: it meets its book.
 *
 * What may have changed is looked at again (R68): whether its account is liquidated, whether it would meet its
 * own orders, whether its book is open, and of a fill-or-kill order whether all of it can be had.
 *
 * Rule: order.speed-bump-release. Source: sessions-blocks-gateways.md 8.8; coverage R68.
 */
import { NO_SLOT } from '../../book/index.ts'
import { orderId } from '../../core/index.ts'
import type { Turn } from '../emit.ts'
import { endOrder, leaveWithoutBook } from '../matching/ending.ts'
import { enterLater } from '../matching/entering.ts'
import { followLegs } from '../prices/reference.ts'
import { holdingOfOrder } from '../state/holdings.ts'
import { accountRow, orderAt, slotOf } from '../state/orders.ts'
import { drainWork } from '../work.ts'
import { answerHeld, emitBump, takeWaiting } from './waiting.ts'

/** Releases an order; what follows has the cause of the request that made it wait. */
export function releaseOrder(turn: Turn, id: number): void {
  const { exchange } = turn
  const slot = slotOf(exchange, id)
  if (slot === NO_SLOT) return
  const { row, account } = holdingOfOrder(exchange, slot)
  const order = orderAt(exchange, slot)
  const bump = takeWaiting(exchange, orderId(id))
  const own: Turn = { exchange, sink: turn.sink, cause: bump.cause }
  emitBump(own, slot, bump, { change: 'released' })
  leaveWithoutBook(exchange, row, slot)
  order.stage = 'entering'
  exchange.released = orderId(id)
  if (accountRow(exchange, account).liquidations.length > 0) endOrder(own, slot, 'autoliquidation')
  else enterLater(own, row, slot)
  exchange.released = null
  followLegs(own)
  answerHeld(own, bump.held)
  drainWork(exchange, turn.sink, bump.cause)
}
