/**
 * Candles of one minute for each instrument. Candles of longer resolutions are made from them.
 *
 * A minute without a trade has no candle. Minutes are aligned to the epoch.
 * Source: market.md 8 (`get_tradingview_chart_data`); T105.
 */
import { type InstrumentId, modFloor, type Price9 } from '../../core/index.ts'
import { basisBig } from '../../ledger/index.ts'
import type { Instrument, TapeTrade } from '../../model/index.ts'
import { keepRow, type Windows } from './windows.ts'

/** The trades of one minute. */
export interface Candle {
  /** Its first microsecond. */
  readonly start: number
  readonly open: Price9
  high: Price9
  low: Price9
  close: Price9
  lots: number
  /** Basis of its trades: 1e-18 coin for inverse contracts, 1e-9 quote for other contracts. */
  basis: bigint
}

const MICROS_PER_MINUTE = 60_000_000

/**
 * The basis of a trade as turnover. The price of a combo is a difference, from which no coin amount follows. An inverse
 * spread therefore uses the price of its first leg, and the basis of other combos has no sign. A recorded print has no
 * legs and uses the index price; it counts 0 if the index price is unknown.
 * Assumed: no source defines the volume of a combo.
 */
export function turnoverBasis(instrument: Instrument, { amount, price, legs, index }: TapeTrade): bigint {
  if (instrument.detail.type !== 'combo') return basisBig(instrument, amount, price)
  if (instrument.payoff === 'inverse') {
    const traded = legs[0]?.price ?? index
    return traded === 0 ? 0n : basisBig(instrument, amount, traded)
  }
  const basis = basisBig(instrument, amount, price)
  return basis < 0n ? -basis : basis
}

/** Adds a trade to the candle of its minute. */
export function recordCandle(
  candles: Windows<InstrumentId, Candle>,
  trade: TapeTrade,
  instrument: Instrument,
  limit: number,
): void {
  const { time, price, amount } = trade
  const basis = turnoverBasis(instrument, trade)
  const start = time - modFloor(time, MICROS_PER_MINUTE)
  const last = candles.rows.get(trade.instrument)?.at(-1)
  if (last === undefined || last.start !== start) {
    const candle = {
      start,
      open: price,
      high: price,
      low: price,
      close: price,
      lots: amount,
      basis,
    }
    keepRow(candles, trade.instrument, candle, limit)
    return
  }
  if (price > last.high) last.high = price
  if (price < last.low) last.low = price
  last.close = price
  last.lots += amount
  last.basis += basis
}
