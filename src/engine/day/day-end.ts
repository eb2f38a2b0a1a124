/**
 * The end of the trading day at 08:00 UTC: it ends good-til-day orders, fixes delivery prices, and settles each
 * settlement currency.
 *
 * Source: market.md 3.5, 3.6; trading.md C21; R02, R23, R39.
 */
import { price9 } from '../../core/index.ts'
import { indexStep9 } from '../../pricing/index.ts'
import { awaitDayEnd, deliveryMean9, eventHeader, type IndexRow, type Turn } from '../state/index.ts'
import { canValueAt, sampleIndex, ticksOfIndex } from '../value/index.ts'
import { endDayOrders } from './day-orders.ts'
import { settleWaiting } from './settlement.ts'

/** Ends the trading day. */
export function endTradingDay(turn: Turn): void {
  const { exchange } = turn
  exchange.isDayEndAwaited = false
  endDayOrders(turn, null)
  for (const index of exchange.indices.values()) fixDeliveryPrice(turn, index)
  for (const row of exchange.instruments) {
    if (row.base >= 0 || row.deliveredAt !== null) continue
    exchange.unsettled.add(row.settlement)
    awaitDayEnd(exchange)
  }
  settleWaiting(turn)
}

/**
 * Fixes the delivery price of the instruments of an index that expire now, one price for each expiry. It does so at
 * this hour even if the delivery has to wait for a halted book.
 */
function fixDeliveryPrice(turn: Turn, index: IndexRow): void {
  const { exchange } = turn
  const waiting = index.followers
    .map((id) => exchange.instruments[id])
    .filter((row) => row !== undefined && row.base < 0)
  if (waiting.length === 0) return
  sampleIndex(exchange, index)
  const { average } = index
  const step9 = indexStep9(index.name, index.price, ticksOfIndex(exchange, index))
  const mean = deliveryMean9(average, step9)
  if (average.count > 0) {
    turn.log.append({
      kind: 'delivery_price',
      ...eventHeader(turn),
      index: index.name,
      price: price9(mean),
      samples: average.count,
    })
  }
  for (const row of waiting) {
    if (row === undefined || row.deliveryPrice !== 0) continue
    if (row.instrument.expiration > exchange.now) continue
    // If the index was unknown during all samples, its current value is the delivery price. If it is still unknown, the
    // price is the mark that was set.
    const late = index.price > 0 ? index.price : row.mark
    const price = average.count > 0 ? price9(mean) : late
    row.deliveryPrice = row.mark === 0 || canValueAt(exchange, row, price) ? price : row.mark
  }
}
