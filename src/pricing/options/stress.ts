/**
 * Stress of options for portfolio margin: the change of an option's price with its forward and its volatility. Results
 * are counts of 1e-9 of the currency of the price, for a long option on one coin.
 *
 * Rule: margin.portfolio.option. Source: market.md 6.5 (T86).
 */
import type { PortfolioTerms } from '../../model/index.ts'
import { exponential, nearestInteger, power } from './elementary.ts'
import { modelPrice, type OptionContract, type OptionMarket, optionGreeks9 } from './option-price.ts'

/** A scenario: the forward times 1 + move, and another volatility. */
interface Shock {
  /** In parts per million: -160,000 is 16 % down. */
  readonly movePpm: number
  readonly volatility9: number
}

/** Volatilities of the scenarios of an option. */
interface ShockedVolatilities {
  readonly up9: number
  readonly same9: number
  readonly down9: number
}

const ONE9 = 1_000_000_000
const PPM = 1_000_000
const DAY_MICROS = 86_400_000_000
const YEAR_DAYS = 365
/**
 * Days to expiry at which volatility shocks have the scale 1. The short vega power applies below it, the long one from
 * there on.
 */
const SHOCK_DAYS = 30
const VOLATILITY_FLOOR = 0.01

/** The change of the option's value under each shock; the time stays the same. */
export function optionStresses9(
  contract: OptionContract,
  market: OptionMarket,
  shocks: readonly Shock[],
): readonly number[] {
  const price = modelPrice(contract, market)
  return shocks.map((shock) => stressedChange9(contract, market, shock, price))
}

/** Delta of an option on one coin for the sums of portfolio margin. */
export function optionDelta9(contract: OptionContract, market: OptionMarket): number {
  return optionGreeks9(contract, market).delta9
}

/** The volatilities of an option in the scenarios of market.md 6.5: vol_up, unchanged, vol_down. */
export function shockedVolatilities(
  terms: PortfolioTerms,
  volatility9: number,
  expiration: number,
  time: number,
): ShockedVolatilities {
  const days = daysLeft(expiration, time)
  const exponent = days < SHOCK_DAYS ? terms.shortVegaPower : terms.longVegaPower
  const scale = power(SHOCK_DAYS / days, exponent)
  const volatility = volatility9 / ONE9
  const raised = Math.max(volatility, terms.minVolatilityForShockUp) * terms.volatilityUp * scale
  const lowered = volatility * (1 - terms.volatilityDown * scale)
  return {
    up9: nearestInteger((volatility + raised) * ONE9),
    same9: volatility9,
    down9: nearestInteger(Math.max(VOLATILITY_FLOOR, lowered) * ONE9),
  }
}

/**
 * Largest move of the premium of an expiration: the greater of the least move and exp(risk * days / 365) - 1. For a
 * perpetual it is the least move.
 */
export function rollMove9(terms: PortfolioTerms, expiration: number | null, time: number): number {
  const least = terms.minAnnualisedMove
  if (expiration === null) return nearestInteger(least * ONE9)
  const risk = exponential((terms.annualisedMoveRisk * daysLeft(expiration, time)) / YEAR_DAYS) - 1
  return nearestInteger(Math.max(least, risk) * ONE9)
}

function stressedChange9(contract: OptionContract, market: OptionMarket, shock: Shock, price: number): number {
  const forward9 = (market.forward9 * (PPM + shock.movePpm)) / PPM
  const stressed = modelPrice(contract, { forward9, volatility9: shock.volatility9, time: market.time })
  return nearestInteger((stressed - price) * ONE9)
}

/** Days to an expiration, at least one. */
function daysLeft(expiration: number, time: number): number {
  return Math.max(1, (expiration - time) / DAY_MICROS)
}
