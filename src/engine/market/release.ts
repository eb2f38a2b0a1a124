/**
 * Releases an order that has waited long enough behind the speed bump: it enters its book.
 *
 * Conditions that may have changed are checked again (R68): whether its account is being liquidated, whether it would
 * meet its own orders, whether its book is open, whether its request still allows matching to begin, and whether a
 * fill-or-kill order can be filled completely. A request whose order is too late is refused; in a mass quote only that
 * side ends.
 *
 * Rule: order.speed-bump-release. Source: sessions-blocks-gateways.md 8.8; coverage R68.
 */
import { NO_SLOT } from '../../book/index.ts'
import { accountId, type Micros, orderId } from '../../core/index.ts'
import {
  accountRow,
  type Bump,
  emitDone,
  holdingOfOrder,
  type InstrumentRow,
  type LiveOrder,
  nextEvent,
  orderAt,
  orderSlotOf,
  type Turn,
} from '../state/index.ts'
import { settleMarks } from '../value/index.ts'
import { endOrder, leaveWithoutBook } from './ending.ts'
import { enterLater } from './entering.ts'
import { isTooLate } from './order-checks.ts'
import { answerHeld, emitBump, takeWaiting } from './waiting.ts'
import { drainWork } from './work.ts'

/** Releases an order. The cause of the events that follow is the request that put the order behind the speed bump. */
export function releaseOrder(turn: Turn, id: number): void {
  const { exchange } = turn
  const slot = orderSlotOf(exchange, id)
  if (slot === NO_SLOT) return
  const { row, account } = holdingOfOrder(exchange, slot)
  const order = orderAt(exchange, slot)
  const bump = takeWaiting(exchange, orderId(id))
  const own: Turn = { exchange, log: turn.log, cause: bump.cause }
  const late = lateOf(exchange.now, order, row)
  emitBump(own, slot, bump, 'released')
  leaveWithoutBook(exchange, row, slot)
  order.stage = 'entering'
  exchange.released = orderId(id)
  if (accountRow(exchange, account).liquidations.length > 0) endOrder(own, slot, 'autoliquidation')
  else enterLater(own, row, slot)
  exchange.released = null
  settleMarks(own)
  if (late !== null) refuseLate(own, bump, { command: late.command, instrument: late.instrument, account })
  answerHeld(own, bump.held)
  drainWork(own)
}

/** A request whose order is too late. */
interface LateRequest {
  readonly command: 'place_order' | 'edit_order'
  readonly instrument: InstrumentRow['instrument']['id']
}

/** The request that is refused because matching would begin at its deadline or later; null if it is in time. */
function lateOf(now: Micros, { validUntil, replaced, extras }: LiveOrder, row: InstrumentRow): LateRequest | null {
  const isQuote = extras !== null && extras.quote !== null
  if (isQuote || !isTooLate(now, validUntil)) return null
  return { command: replaced ? 'edit_order' : 'place_order', instrument: row.instrument.id }
}

/** A late request and its account. */
interface LateOfAccount extends LateRequest {
  readonly account: number
}

/**
 * Sends the refusal as the reply that waited. Earlier requests for the same order get the state of the order as their
 * reply.
 */
function refuseLate(turn: Turn, bump: Bump, late: LateOfAccount): void {
  const at = bump.held.indexOf(bump.cause)
  const request = turn.exchange.heldRequests.get(bump.cause)
  // If another order of the request still waits, its reply covers both.
  if (at < 0 || request === undefined || request.waiting > 1) return
  bump.held.splice(at, 1)
  turn.exchange.heldRequests.delete(bump.cause)
  turn.log.append({
    kind: 'refusal',
    time: turn.exchange.now,
    number: nextEvent(turn.exchange),
    cause: bump.cause,
    command: late.command,
    account: accountId(late.account),
    instrument: late.instrument,
    refusal: { reason: 'timed_out' },
  })
  emitDone(turn, bump.cause, { outcome: 'refused', count: 0 })
}
