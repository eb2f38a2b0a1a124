/**
 * The price of an advanced order of an option: its value in USD at the index, or Black-76 at its volatility and the
 * forward of its expiry, on the nearest tick away from the market, within the band.
 *
 * Rule: order.advanced-price. Source: trading.md 6.12 (C30); market.md 7 (T101).
 */
import { divFloorBig, PRICE9_MAX, type Price9, price9, safeNumber, type Ticks, ticks } from '../../core/index.ts'
import { type AdvancedTerms, nearestOnGrid, type Refusal, type Side } from '../../model/index.ts'
import { optionPrice9 } from '../../pricing/index.ts'
import type { Exchange, InstrumentRow } from '../state/index.ts'
import { bandOf } from './mark.ts'
import { optionMarketOf } from './option-prices.ts'

/** The venue cancels and refuses volatility orders from this time before the option expires. */
const IMPLV_LAST_MICROS = 900_000_000

/** True if it is too late for orders at a volatility. */
export function isPastVolatility(exchange: Exchange, row: InstrumentRow): boolean {
  return exchange.now >= row.instrument.expiration - IMPLV_LAST_MICROS
}

/** The reason why an option accepts no such order now, or null. */
export function advancedRefusal(exchange: Exchange, row: InstrumentRow, advanced: AdvancedTerms): Refusal | null {
  if (advanced.type === 'usd') return null
  const { expiration } = row.instrument
  if (exchange.now >= expiration) return { reason: 'outdated_instrument_for_IV_order' }
  return isPastVolatility(exchange, row) ? { reason: 'outdated_instrument' } : null
}

/** The current price of an advanced order, or null while the index or the forward is unknown. */
export function advancedTicks(
  exchange: Exchange,
  row: InstrumentRow,
  side: Side,
  advanced: AdvancedTerms,
): Ticks | null {
  const exact = exactPrice(exchange, row, advanced)
  if (exact === null) return null
  const price = nearestOnGrid(row.instrument, exact, side)
  const { min: bandMin, max: bandMax } = bandOf(row)
  const most = side === 'buy' && bandMax > 0 ? Math.min(price, bandMax) : price
  return ticks(Math.max(1, most, side === 'sell' ? bandMin : 1))
}

/**
 * The price before rounding to the grid, as exactly as a price can be. A value in USD is rounded to the odd one of the
 * two neighbouring multiples of 1e-9, so that a price seems to be exactly between two ticks only if it is.
 */
function exactPrice(exchange: Exchange, row: InstrumentRow, { type, value9 }: AdvancedTerms): Price9 | null {
  if (type === 'usd') {
    const index9 = row.index.price
    if (index9 === 0) return null
    const scaled = BigInt(value9) * 1_000_000_000n
    const below = divFloorBig(scaled, BigInt(index9))
    const isExact = below * BigInt(index9) === scaled
    const odd = isExact || below % 2n === 1n ? below : below + 1n
    return price9(odd > BigInt(PRICE9_MAX) ? PRICE9_MAX : safeNumber(odd))
  }
  if (row.option === null || row.option.series.forward === 0) return null
  const market = optionMarketOf(exchange, row.option)
  return price9(optionPrice9(row.option.contract, { ...market, volatility9: value9 }, 1))
}
