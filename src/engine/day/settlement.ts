/**
 * The end of the trading day at 08:00 UTC, and settlement and delivery. The end of the day ends good-til-day orders,
 * fixes delivery prices, and settles each settlement currency. A settlement covers one currency at one time: expiring
 * instruments are delivered, the other futures are settled at their marks, debts are paid, and books open again.
 *
 * Instruments are processed by ascending id, expiring options before expiring futures; see `position-settlement.ts` for
 * their holders.
 *
 * The settlement of a currency waits while one of its books is halted (market.md 1.5).
 *
 * Rule: settlement.daily, settlement.delivery. Source: market.md 3.5, 3.6; trading.md C21; S032, S033; R02, R23, R39,
 * R40.
 */

import { type CurrencyId, currencyId, micros, price9 } from '../../core/index.ts'
import { indexStep9 } from '../../pricing/index.ts'
import {
  awaitDayEnd,
  deliveryMean9,
  type Exchange,
  eventHeader,
  type IndexRow,
  type InstrumentRow,
  leaveIndex,
  setTimer,
  type Turn,
} from '../state/index.ts'
import { canValueAt, changeMark, followOptionMarket, sampleIndex, settleOptions, ticksOfIndex } from '../value/index.ts'
import { settleDebts } from './bankruptcy.ts'
import { endDayOrders, endOrders } from './day-orders.ts'
import { listScheduled } from './listing.ts'
import { setState } from './outages.ts'
import { resetOption, settleAll } from './position-settlement.ts'

/** Ends the trading day. */
export function endTradingDay(turn: Turn): void {
  turn.exchange.isDayEndAwaited = false
  endDayOrders(turn, null)
  for (const index of turn.exchange.indices.values()) fixDeliveryPrice(turn, index)
  for (const row of turn.exchange.instruments) {
    if (row.base >= 0 || row.deliveredAt !== null) continue
    turn.exchange.unsettled.add(row.settlement)
    awaitDayEnd(turn.exchange)
  }
  settleWaiting(turn)
}

/**
 * Fixes the delivery price of the instruments of an index that expire now, one price for each expiry. It does so at
 * this hour even if the delivery has to wait for a halted book.
 */
function fixDeliveryPrice(turn: Turn, index: IndexRow): void {
  const waiting = index.followers
    .map((id) => turn.exchange.instruments[id])
    .filter((row) => row !== undefined && row.base < 0)
  if (waiting.length === 0) return
  sampleIndex(turn.exchange, index)
  const step9 = indexStep9(index.name, index.price, ticksOfIndex(turn.exchange, index))
  const mean = deliveryMean9(index.average, step9)
  if (index.average.count > 0) {
    turn.log.append({
      kind: 'delivery_price',
      ...eventHeader(turn),
      index: index.name,
      price: price9(mean),
      samples: index.average.count,
    })
  }
  for (const row of waiting) {
    if (row === undefined || row.deliveryPrice !== 0) continue
    if (row.instrument.expiration > turn.exchange.now) continue
    // If the index was unknown during all samples, its current value is the delivery price. If it is still unknown, the
    // price is the mark that was set.
    const late = index.price > 0 ? index.price : row.mark
    const price = index.average.count > 0 ? price9(mean) : late
    row.deliveryPrice = row.mark === 0 || canValueAt(turn.exchange, row, price) ? price : row.mark
  }
}

/** Settles every waiting currency that has no halted book. */
export function settleWaiting(turn: Turn): void {
  for (const currency of [...turn.exchange.unsettled].sort((left, right) => left - right)) {
    const rows = turn.exchange.instruments.filter((row) => isOf(row, currency))
    if (rows.some(({ state }) => state === 'halted')) {
      // Instruments with a fixed delivery price no longer trade.
      for (const row of rows) if (isExpired(turn.exchange, row)) closeBook(turn, row)
      continue
    }
    turn.exchange.unsettled.delete(currency)
    settleCurrency(turn, currencyId(currency), rows)
  }
}

/** True if an instrument belongs to the currency's settlement. */
function isOf(row: InstrumentRow, currency: number): boolean {
  return row.base < 0 && row.settlement === currency && row.deliveredAt === null
}

function settleCurrency(turn: Turn, currency: CurrencyId, rows: readonly InstrumentRow[]): void {
  for (const row of rows) closeBook(turn, row)
  const profits = new Map<number, bigint>()
  const expired = rows.filter((row) => isExpired(turn.exchange, row))
  for (const row of expired) if (row.instrument.kind === 'option') deliver(turn, row, profits)
  for (const row of expired) if (row.instrument.kind !== 'option') deliver(turn, row, profits)
  for (const row of rows) {
    if (row.deliveredAt !== null || !row.hasMark) continue
    if (row.instrument.kind === 'future') settleAll(turn, row, { type: 'settlement', profits })
    if (row.instrument.kind === 'option') resetOption(turn.exchange, row)
    if (isSettled(row)) row.settlementPrice = row.mark
  }
  settleDebts(turn, currency, profits)
  const { settlementTime } = turn.exchange.config
  if (settlementTime === 0) reopenBooks(turn, currency)
  else {
    turn.exchange.settling.add(currency)
    const over = micros(turn.exchange.now + settlementTime)
    setTimer(turn.exchange.timers, over, { kind: 'settlement_over', currency })
  }
  if (settlementTime === 0) listScheduled(turn, currency)
}

/** The time of a settlement is over: the books of its currency open again. */
export function endSettlement(turn: Turn, currency: CurrencyId): void {
  turn.exchange.settling.delete(currency)
  reopenBooks(turn, currency)
  listScheduled(turn, currency)
}

/** Closes an open or locked book for its settlement; the orders of expiring instruments end. */
function closeBook(turn: Turn, row: InstrumentRow): void {
  if (row.state === 'open' || row.state === 'locked') {
    row.stateBefore = row.state
    setState(turn, row, 'settlement')
  }
  if (isExpired(turn.exchange, row)) endOrders(turn, row, 'expiry')
  else endDayOrders(turn, row)
}

function reopenBooks(turn: Turn, currency: CurrencyId): void {
  for (const row of turn.exchange.instruments) {
    if (row.settlement !== currency || row.stateBefore === null) continue
    const before = row.stateBefore
    row.stateBefore = null
    if (row.state === 'settlement') setState(turn, row, before)
  }
}

/**
 * True if this settlement delivers an instrument: at a price fixed at 08:00, or without a price if neither index nor
 * mark was ever known. An instrument that is listed after its expiry, while the settlement waits, has no price yet and
 * is delivered at the next 08:00.
 */
function isExpired(exchange: Exchange, row: InstrumentRow): boolean {
  const hasPrice = row.deliveryPrice > 0 || (row.index.price === 0 && !row.hasMark)
  return row.instrument.expiration <= exchange.now && hasPrice
}

/** Futures and options have a settlement price; combos hold no position. */
function isSettled({ instrument }: InstrumentRow): boolean {
  return instrument.kind === 'future' || instrument.kind === 'option'
}

/** Ends an instrument: its positions become cash at the delivery price. Combos have no positions. */
function deliver(turn: Turn, row: InstrumentRow, profits: Map<number, bigint>): void {
  const { kind } = row.instrument
  if (isSettled(row) && row.deliveryPrice > 0) {
    if (kind === 'future') {
      changeMark(turn, row, row.deliveryPrice, 'delivery')
    }
    settleAll(turn, row, { type: 'delivery', profits })
  }
  row.deliveredAt = turn.exchange.now
  row.stateBefore = null
  leaveIndex(turn.exchange, row)
  settleOptions(turn, row.index)
  setState(turn, row, 'delivered')
  followOptionMarket(turn.exchange, row)
}
