/**
 * The numbers of trades, and the last price with the direction of its move.
 *
 * Source: market.md 8 (tick direction); coverage R65.
 */
import type { Price9, TradeId } from '../../core/index.ts'
import { makeTradeId, type TickDirection } from '../../model/index.ts'
import type { Exchange, InstrumentRow } from '../state/index.ts'

/**
 * The numbers of an instrument's next trade, of this venue or recorded: the number within its currency, and the number
 * within the instrument.
 */
export function nextTrade(
  exchange: Exchange,
  row: InstrumentRow,
): { readonly trade: TradeId; readonly tradeSeq: number } {
  row.tradeSeq += 1
  const number = (exchange.tradeNumbers[row.settlement] as number) + 1
  exchange.tradeNumbers[row.settlement] = number
  return { trade: makeTradeId(row.settlement, number), tradeSeq: row.tradeSeq }
}

/**
 * The number of a match in the book of an instrument; 0 unless the alternative engine matches it. The leg of a combo
 * trades in the book of the combo, and a block trade in no book (S047, S048).
 */
export function nextAltMatch(exchange: Exchange, row: InstrumentRow): number {
  if (row.instrument.engine === 'main') return 0
  exchange.altMatches += 1
  return exchange.altMatches
}

/** Records a trade of the instrument's own book as the last trade and returns its direction. */
export function noteLastPrice(exchange: Exchange, row: InstrumentRow, price: Price9): TickDirection {
  row.bookPrice = price
  return noteLegPrice(exchange, row, price)
}

/**
 * Records a trade that affects no trigger, such as that of a leg, as the last trade (R65), and returns its direction.
 */
export function noteLegPrice(exchange: Exchange, row: InstrumentRow, price: Price9): TickDirection {
  const { tapePrices } = exchange.blocks
  const tape = tapePrices.size === 0 ? undefined : tapePrices.get(row.instrument.id)
  const direction = noteMove(row, price, tape)
  if (tape !== undefined) tapePrices.delete(row.instrument.id)
  row.lastPrice = price
  row.hasLastPrice = true
  return direction
}

/** Records a trade of a block, which is public but does not change the last price (R65), and returns its direction. */
export function noteBlockPrice(exchange: Exchange, row: InstrumentRow, price: Price9): TickDirection {
  const { tapePrices } = exchange.blocks
  const direction = noteMove(row, price, tapePrices.get(row.instrument.id))
  tapePrices.set(row.instrument.id, price)
  return direction
}

/** The direction compared with the previous trade. `tape` is the price of that trade if it was part of a block. */
function noteMove(row: InstrumentRow, price: Price9, tape: Price9 | undefined): TickDirection {
  const direction = tickDirectionAt(row, price, tape)
  if (direction === 0) row.lastMove = 'up'
  else if (direction === 2) row.lastMove = 'down'
  return direction
}

/** 0 up, 2 down; an equal price keeps the last move as 1 or 3; the first trade is 1 (T102, T103). */
function tickDirectionAt(row: InstrumentRow, price: Price9, tape: Price9 | undefined): TickDirection {
  const last = tape ?? (row.hasLastPrice ? row.lastPrice : price)
  if (price === last) return row.lastMove === 'down' ? 3 : 1
  return price > last ? 0 : 2
}
