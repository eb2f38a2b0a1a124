/**
 * Finds the trigger orders that a price move of an instrument fires, and queues their placement.
 *
 * Rule: order.trigger. The engine checks every change of an index, a mark or a last price (R24). Fired orders are
 * placed after the command is done (C06, C31).
 */
import { takeFired } from '../../book/index.ts'
import { assert, orderId } from '../../core/index.ts'
import type { TriggerSource } from '../../model/index.ts'
import type { Exchange } from './exchange.ts'
import { type InstrumentRow, sourcePrice } from './instrument-row.ts'
import { orderAt, orderSlotOf } from './orders.ts'

/** Queues the placement of every order of an instrument that fires at the current price of a source. */
export function collectFired(exchange: Exchange, row: InstrumentRow, source: TriggerSource): void {
  const book = row.triggers[source]
  if (book.rising.length + book.falling.length + book.trailing.length > 0) {
    fire(exchange, row, source)
  }
}

function fire(exchange: Exchange, row: InstrumentRow, source: TriggerSource): void {
  const book = row.triggers[source]
  for (const { order } of takeFired(book, sourcePrice(row, source))) {
    const slot = orderSlotOf(exchange, order)
    assert(slot >= 0, 'a trigger belongs to a live order')
    orderAt(exchange, slot).stage = 'fired'
    exchange.work.push({ kind: 'activate', order: orderId(order) })
  }
}
