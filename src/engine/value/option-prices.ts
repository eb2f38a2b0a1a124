/**
 * Converts between the price and the volatility of an option, at the current forward and time.
 */

import type { Price9 } from '../../core/index.ts'
import type { OptionTrade } from '../../model/index.ts'
import { boundedVolatility9, impliedVolatility9, type OptionMarket, optionGreeks9 } from '../../pricing/index.ts'
import type { Exchange, InstrumentRow, OptionState } from '../state/index.ts'

/**
 * The delta of options and of their combos by the model, without the premium.
 *
 * Source: market.md 7; trading.md C35.
 */

/** Delta of one coin of an option, or of a combo of options, in 1e-9; null if no forward is known. */
export function deltaOf9(exchange: Exchange, { option, legs, instrument }: InstrumentRow): number | null {
  if (option !== null) {
    if (option.volatility9 === 0) return null
    return optionGreeks9(option.contract, optionMarketOf(exchange, option)).delta9
  }
  if (instrument.kind !== 'option_combo' || legs.length === 0) return null
  let sum = 0
  for (const leg of legs) {
    const delta9 = deltaOf9(exchange, leg.row)
    if (delta9 === null) return null
    sum += leg.ratio * delta9
  }
  return sum
}

/** Current inputs of the price of an option. Its forward must be known. */
export function optionMarketOf(exchange: Exchange, option: OptionState): OptionMarket {
  return { forward9: option.series.forward, volatility9: option.volatility9, time: exchange.now }
}

/** The volatility at which an option would now have this price; 0 if there is none, or while no forward is known. */
export function volatilityAt9(exchange: Exchange, option: OptionState, price: number): number {
  const { forward } = option.series
  if (forward === 0) return 0
  return impliedVolatility9(option.contract, { price9: price, forward9: forward, time: exchange.now })
}

/** Volatility and forward of a trade of an option; null for other instruments and while no forward is known. */
export function optionTradeOf(exchange: Exchange, { option }: InstrumentRow, price: Price9): OptionTrade | null {
  if (option === null || option.series.forward === 0) return null
  return { volatility9: volatilityAt9(exchange, option, price), forward: option.series.forward }
}

/** Sets the volatility of an option with a set or recorded mark to that of its mark, within the bounds. */
export function pinVolatility(exchange: Exchange, { option, mark }: InstrumentRow): void {
  if (option === null || option.series.forward === 0 || mark === 0) return
  option.volatility9 = boundedVolatility9(volatilityAt9(exchange, option, mark))
  option.isTold = true
}
