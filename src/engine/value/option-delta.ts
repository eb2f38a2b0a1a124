/**
 * The delta of options and of their combos by the model, without the premium.
 *
 * Source: market.md 7; trading.md C35.
 */
import { optionGreeks9 } from '../../pricing/index.ts'
import type { Exchange, InstrumentRow } from '../state/index.ts'
import { optionMarketOf } from './option-prices.ts'

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
