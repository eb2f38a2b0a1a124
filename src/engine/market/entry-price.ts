/**
 * The price at which an order enters its book.
 *
 * Source: trading.md 6.2 (C20), 6.12 (C30).
 */
import { bestPrice } from '../../book/index.ts'
import { type Price9, price9, type Ticks, ticks } from '../../core/index.ts'
import { endOfPrices, entryTypeOf, isOnGrid, type OrderTerms, opposite } from '../../model/index.ts'
import type { Exchange, InstrumentRow } from '../state/index.ts'
import { advancedTicks, bandOf } from '../value/index.ts'
import { mayBePrice, type Valued } from './order-checks.ts'

/** Without a mark there is neither a band nor a margin (C20, C23: 10040). */
export const noMark = { reason: 'retry' } as const

/**
 * Rule: order.market-price. A limit order enters at its own price, a market order at the limit of the band, a
 * market-limit order at the best opposite price (C20), and an advanced order at the price of its terms (C30).
 */
export function entryPrice(
  exchange: Exchange,
  row: InstrumentRow,
  terms: Pick<OrderTerms, 'price' | 'side' | 'advanced' | 'type'>,
): Valued<Ticks> {
  if (terms.advanced !== null) {
    const found = advancedTicks(exchange, row, terms.side, terms.advanced)
    return found === null ? { ok: false, refusal: noMark } : { ok: true, value: found }
  }
  // Each type has its case, so that a new type does not compile without one.
  switch (entryTypeOf(terms.type)) {
    case 'limit':
      return limitPrice(row, terms.price)
    case 'market':
      if (row.hasBand) {
        const { min: bandMin, max: bandMax } = bandOf(row)
        return { ok: true, value: terms.side === 'buy' ? bandMax : bandMin }
      }
      // Without bands the only limit of a market order is the end of the price range.
      return { ok: true, value: endOfPrices(row.instrument, terms.side) }
    case 'market_limit': {
      const best = bestPrice(row.book, opposite(terms.side))
      if (best !== undefined) return { ok: true, value: ticks(best) }
      return { ok: false, refusal: { reason: 'other_reject no_opposite_price' } }
    }
  }
}

function limitPrice(row: InstrumentRow, price: Ticks | null): Valued<Ticks> {
  if (price === null) return { ok: false, refusal: { reason: 'invalid_price' } }
  if (mayBePrice(row, price) && isOnGrid(row.instrument, price)) return { ok: true, value: price }
  return { ok: false, refusal: { reason: 'price_wrong_tick' } }
}

/** Converts a price from ticks to 1e-9; 0 without a price. */
export function price9Of(row: InstrumentRow, price: Ticks | null): Price9 {
  return price9((price ?? 0) * row.instrument.tick9)
}
