/** Frequently used read-only views of a book: its mid price, and places in its queues. */

import { aheadOf, bestPrice } from '../../../book/index.ts'
import type { InstrumentId, OrderId, Price9 } from '../../../core/index.ts'
import { type Greeks9, optionGreeks9 } from '../../../pricing/index.ts'
import { type Exchange, instrumentOf, orderAt, orderSlotOf } from '../../state/index.ts'
import { legPrices, optionMarketOf, underlyingOf, volatilityAt9 } from '../../value/index.ts'
import { rowOf } from './market-views.ts'

/** An option now. */
export interface OptionView {
  /** Forward price of its expiration; 0 while unknown. */
  readonly forward: Price9
  /** The name of the underlying: a future, a synthetic one, or `index_price`. */
  readonly underlying: string
  /** Volatility of its mark; 0 while the forward is unknown. */
  readonly mark9: number
  /** Volatilities of its best prices; 0 if a side is empty or its price implies none (R19). */
  readonly bid9: number
  readonly ask9: number
  /** Greeks for one coin, with the volatility of the mark; null while the forward is unknown. */
  readonly greeks: Greeks9 | null
}

/** The inputs of an option's mark. */
type OptionMarkView = Pick<OptionView, 'forward' | 'underlying' | 'mark9'>

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

/** A leg of a combo: its instrument and ratio. */
interface RatioLeg {
  readonly instrument: InstrumentId
  readonly ratio: number
}

/** Read-only views of combos: the prices at which their legs would trade. Prices are 1e-9 quote units. */

/**
 * The prices of legs that trade together at a price, in their order (C33b). `unmarked` if a mark is unknown,
 * `unreachable` if no prices of the legs have that sum.
 */
export function viewLegPrices(
  exchange: Exchange,
  legs: readonly RatioLeg[],
  price: Price9,
): readonly Price9[] | 'unmarked' | 'unreachable' {
  const rows = legs.map(({ instrument, ratio }) => ({ row: rowOf(exchange, instrument), ratio }))
  if (!rows.every(({ row }) => row.hasMark)) return 'unmarked'
  return legPrices(rows, price) ?? 'unreachable'
}

/**
 * Read-only views of options: the inputs of their mark, the volatilities implied by their best prices, and their
 * greeks.
 *
 * Volatilities and greeks are counts of 1e-9 (0.6 is 60 %). Source: market.md 7, 8; coverage R19, R20.
 */

/** The current inputs of an option's mark; null for other instruments and after the delivery. */
export function viewOptionMark(exchange: Exchange, instrument: InstrumentId): OptionMarkView | null {
  const row = rowOf(exchange, instrument)
  if (row.option === null || row.deliveredAt !== null) return null
  const { forward } = row.option.series
  return { forward, underlying: underlyingOf(exchange, row), mark9: row.option.volatility9 }
}

/** The present view of an option; null for other instruments and after the delivery. */
export function viewOption(exchange: Exchange, instrument: InstrumentId): OptionView | null {
  const row = rowOf(exchange, instrument)
  const mark = viewOptionMark(exchange, instrument)
  const { option, book } = row
  if (option === null || mark === null) return null
  const impliedBy = (price: number | undefined): number =>
    price === undefined ? 0 : volatilityAt9(exchange, option, price * row.instrument.tick9)
  return {
    ...mark,
    bid9: impliedBy(bestPrice(book, 'buy')),
    ask9: impliedBy(bestPrice(book, 'sell')),
    greeks: option.volatility9 === 0 ? null : optionGreeks9(option.contract, optionMarketOf(exchange, option)),
  }
}
