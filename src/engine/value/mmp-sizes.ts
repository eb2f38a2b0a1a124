/**
 * Sizes as market-maker protection counts them, in 1e-9: coins of orders and trades, delta, vega.
 *
 * Rule: mmp.contributions. Quantity is the amount for options and linear contracts, the amount over the price for
 * inverse futures, and the amount over the lowest mark of the legs for spreads of inverse futures; a combo counts once.
 * Options have the delta of Black and Scholes, less their price in coin if they are paid in coin. Futures have their
 * size in coins as delta. Only options have vega. Delta and vega are signed. A combo has the sums over its legs, at the
 * prices at which the legs trade. Greeks are those of the mark at the moment of the trade.
 *
 * Assumed: while no forward is known, an option adds nothing to delta and vega; each part is rounded to 1e-9, halves
 * away from zero. Source: trading.md 7.3, C40.
 */
import { divHalfAwayBig, lots as toLots } from '../../core/index.ts'
import { amount9OfLots, type Side } from '../../model/index.ts'
import { optionGreeks9 } from '../../pricing/index.ts'
import { type Exchange, type InstrumentRow, isCoinSettled, type MmpTrade } from '../state/index.ts'
import { legPrices, legSizes, lowestLegPrices } from './leg-prices.ts'
import { optionMarketOf } from './option-prices.ts'

const NANO = 1_000_000_000n
const MOST = BigInt(Number.MAX_SAFE_INTEGER)

/** A size of an instrument at a price in 1e-9. */
interface Sized {
  readonly lots: number
  readonly price9: number
}

/** One side of a trade. */
export interface SidedTrade extends Sized {
  readonly row: InstrumentRow
  readonly side: Side
}

/** A size in coin. For inverse contracts it is computed at the price; 0 while the price is unknown. */
export function mmpCoinSize9(row: InstrumentRow, size: Sized): number {
  return bounded(coins9(row, size))
}

/** Contribution of a trade to the counters of a group. */
export function tradeShare(exchange: Exchange, trade: SidedTrade): MmpTrade {
  const { row, side, lots, price9 } = trade
  const quantity9 = mmpCoinSize9(row, { lots, price9 })
  if (row.legs.length === 0) {
    const { delta9, vega9 } = greekShare(exchange, trade)
    return { quantity9, delta9: bounded(delta9), vega9: bounded(vega9) }
  }
  const prices = legPrices(row.legs, price9) ?? lowestLegPrices(row.legs)
  let delta = 0n
  let vega = 0n
  for (const [at, leg] of legSizes(row, side, lots).entries()) {
    const { delta9, vega9 } = greekShare(exchange, { ...leg, price9: prices[at] ?? 0 })
    delta += delta9
    vega += vega9
  }
  return { quantity9, delta9: bounded(delta), vega9: bounded(vega) }
}

function coins9(row: InstrumentRow, size: Sized): bigint {
  const amount9 = amount9OfLots(row.instrument, toLots(size.lots))
  if (row.instrument.payoff !== 'inverse') return amount9
  const price = row.legs.length === 0 ? size.price9 : lowestMark(row)
  return price <= 0 ? 0n : divHalfAwayBig(amount9 * NANO, BigInt(price))
}

function lowestMark({ legs }: InstrumentRow): number {
  let lowest = Number.MAX_SAFE_INTEGER
  for (const { row } of legs) lowest = Math.min(lowest, row.mark)
  return lowest
}

/** Signed delta and vega of a trade of any instrument except a combo. */
function greekShare(
  exchange: Exchange,
  { row, side, lots, price9 }: SidedTrade,
): { readonly delta9: bigint; readonly vega9: bigint } {
  const sign = side === 'buy' ? 1n : -1n
  if (row.option === null) return { delta9: sign * coins9(row, { lots, price9 }), vega9: 0n }
  if (row.option.volatility9 === 0) return noGreeks
  const greeks = optionGreeks9(row.option.contract, optionMarketOf(exchange, row.option))
  const net9 = greeks.delta9 - (isCoinSettled(row) ? row.mark : 0)
  const signed9 = sign * amount9OfLots(row.instrument, toLots(lots))
  return {
    delta9: divHalfAwayBig(signed9 * BigInt(net9), NANO),
    vega9: divHalfAwayBig(signed9 * BigInt(greeks.vega9), NANO),
  }
}

const noGreeks = { delta9: 0n, vega9: 0n } as const

function bounded(value: bigint): number {
  if (value > MOST) return Number.MAX_SAFE_INTEGER
  return value < -MOST ? -Number.MAX_SAFE_INTEGER : Number(value)
}
