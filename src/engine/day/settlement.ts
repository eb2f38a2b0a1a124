/**
 * Settlement and delivery of one settlement currency at one time: expiring instruments are delivered, the other futures
 * are settled at their marks, debts are paid, and books open again.
 *
 * Instruments are processed by ascending id, expiring options before expiring futures; see `position-settlement.ts` for
 * their holders.
 *
 * Rule: settlement.daily, settlement.delivery. Source: market.md 3.6 ; S032, S033; R23, R39, R40. The settlement of a
 * currency waits while one of its books is halted (market.md 1.5).
 */
import { type CurrencyId, currencyId, micros } from '../../core/index.ts'
import { type Exchange, type InstrumentRow, leaveIndex, setTimer, type Turn } from '../state/index.ts'
import { changeMark, followOptionMarket, settleOptions } from '../value/index.ts'
import { settleDebts } from './bankruptcy.ts'
import { setState } from './book-state.ts'
import { endDayOrders, endOrders } from './day-orders.ts'
import { listScheduled } from './listing.ts'
import { resetOption, settleAll } from './position-settlement.ts'

/** Settles every waiting currency that has no halted book. */
export function settleWaiting(turn: Turn): void {
  const { exchange } = turn
  for (const currency of [...exchange.unsettled].sort((left, right) => left - right)) {
    const rows = exchange.instruments.filter((row) => isOf(row, currency))
    if (rows.some(({ state }) => state === 'halted')) {
      // Instruments with a fixed delivery price no longer trade.
      for (const row of rows) if (isExpired(exchange, row)) closeBook(turn, row)
      continue
    }
    exchange.unsettled.delete(currency)
    settleCurrency(turn, currencyId(currency), rows)
  }
}

/** True if an instrument belongs to the currency's settlement. */
function isOf(row: InstrumentRow, currency: number): boolean {
  return row.base < 0 && row.settlement === currency && row.deliveredAt === null
}

function settleCurrency(turn: Turn, currency: CurrencyId, rows: readonly InstrumentRow[]): void {
  const { exchange } = turn
  for (const row of rows) closeBook(turn, row)
  const profits = new Map<number, bigint>()
  const expired = rows.filter((row) => isExpired(exchange, row))
  for (const row of expired) if (row.instrument.kind === 'option') deliver(turn, row, profits)
  for (const row of expired) if (row.instrument.kind !== 'option') deliver(turn, row, profits)
  for (const row of rows) {
    if (row.deliveredAt !== null || !row.hasMark) continue
    if (row.instrument.kind === 'future') settleAll(turn, row, { type: 'settlement', profits })
    if (row.instrument.kind === 'option') resetOption(exchange, row)
    if (isSettled(row)) row.settlementPrice = row.mark
  }
  settleDebts(turn, currency, profits)
  const { settlementTime } = exchange.config
  if (settlementTime === 0) reopenBooks(turn, currency)
  else {
    exchange.settling.add(currency)
    const over = micros(exchange.now + settlementTime)
    setTimer(exchange.timers, over, { kind: 'settlement_over', currency })
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
function isExpired({ now }: Exchange, row: InstrumentRow): boolean {
  const hasPrice = row.deliveryPrice > 0 || (row.index.price === 0 && !row.hasMark)
  return row.instrument.expiration <= now && hasPrice
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
      changeMark(turn, row, { price: row.deliveryPrice, source: 'delivery' })
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
