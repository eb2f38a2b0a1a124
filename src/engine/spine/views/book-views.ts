/** Frequently used read-only views of a book: its mid price, and places in its queues. */
import { aheadOf, bestPrice } from '../../../book/index.ts'
import type { InstrumentId, OrderId } from '../../../core/index.ts'
import { type Exchange, instrumentOf, orderAt, orderSlotOf } from '../../state/index.ts'
import { rowOf } from './market-views.ts'

/** The mid of the best prices in 1e-9 quote units, which may contain a half; 0 if a side is empty. */
export function midOf(exchange: Exchange, instrument: InstrumentId): number {
  const row = rowOf(exchange, instrument)
  const [bid, ask] = [bestPrice(row.book, 'buy'), bestPrice(row.book, 'sell')]
  return bid === undefined || ask === undefined ? 0 : (bid + ask) * row.instrument.tick9 * 0.5
}

/** Recorded size in lots ahead of a resting order; -1 without such an order or without a recorded book. */
export function queueAheadOf(exchange: Exchange, order: OrderId): number {
  const slot = orderSlotOf(exchange, order)
  if (slot < 0 || instrumentOf(exchange, slot).book.recorded === null) return -1
  return orderAt(exchange, slot).stage === 'resting' ? aheadOf(exchange.slots, slot) : -1
}
