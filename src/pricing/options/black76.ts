/**
 * Black-76 without interest: the value of an option on a forward, and its derivatives.
 *
 * Doubles, only for this folder; `option-price.ts` rounds all results that leave it.
 * Rule: option.model. Source: market.md 7 (T89-T96); R20 (theta).
 */
import type { OptionRight } from '../../model/index.ts'
import { logarithm } from './elementary.ts'
import { normalBelow, normalDensity } from './normal.ts'

/** An option and its market: prices in quote units, time in years of 365 days, volatility as 0.6. */
export interface Valued {
  readonly right: OptionRight
  readonly forward: number
  readonly strike: number
  readonly years: number
  readonly volatility: number
}

/** Value and greeks of an option on one coin. */
export interface Valuation {
  /** Value in quote units, and in coin, which is the value divided by the forward. */
  readonly usd: number
  readonly coin: number
  readonly delta: number
  /** Change of delta per quote unit. */
  readonly gamma: number
  /** Quote units per percentage point of volatility. */
  readonly vega: number
  /** Quote units per day. */
  readonly theta: number
  /** Quote units per percent of interest. */
  readonly rho: number
}

/** Days in a year, for time and theta. */
const YEAR_DAYS = 365

/** Value of an option in quote units; its intrinsic value if no time is left. */
export function optionValue({ right, forward, strike, years, volatility }: Valued): number {
  if (years <= 0) return intrinsicValue({ right, forward, strike })
  return optionValueAt(optionCurve({ right, forward, strike }), volatility * Math.sqrt(years))
}

/** Value of an option at its immediate expiry, in quote units. */
export function intrinsicValue({ right, forward, strike }: Pick<Valued, 'right' | 'forward' | 'strike'>): number {
  return Math.max(0, right === 'call' ? forward - strike : strike - forward)
}

/** The parts that do not depend on the volatility; `moneyness` is ln(forward / strike). */
export interface Curve {
  readonly right: OptionRight
  readonly forward: number
  readonly strike: number
  readonly moneyness: number
}

/** The curve of an option. */
export function optionCurve({ right, forward, strike }: Omit<Curve, 'moneyness'>): Curve {
  return { right, forward, strike, moneyness: logarithm(forward / strike) }
}

/** Value at a deviation, which is volatility times the square root of the time. */
export function optionValueAt({ right, forward, strike, moneyness }: Curve, deviation: number): number {
  const d1 = moneyness / deviation + 0.5 * deviation
  const d2 = d1 - deviation
  const value =
    right === 'call'
      ? forward * normalBelow(d1) - strike * normalBelow(d2)
      : strike * normalBelow(-d2) - forward * normalBelow(-d1)
  // Far out of the money the difference of two tiny numbers may be slightly negative.
  return Math.max(value, 0)
}

/** Derivative of `optionValueAt` by the deviation. */
export function slopeAt({ forward, moneyness }: Curve, deviation: number): number {
  return forward * normalDensity(moneyness / deviation + 0.5 * deviation)
}

/** Value and greeks. Without time left the greeks are those of the intrinsic value. */
export function black76(of: Valued): Valuation {
  const { right, forward, strike, years, volatility } = of
  if (years <= 0) return expiredValuation(of)
  const root = Math.sqrt(years)
  const deviation = volatility * root
  const curve = optionCurve({ right, forward, strike })
  const d1 = curve.moneyness / deviation + 0.5 * deviation
  const d2 = d1 - deviation
  const density = normalDensity(d1)
  const usd = optionValueAt(curve, deviation)
  const isCall = right === 'call'
  const day = (forward * density * volatility) / (2 * root) / YEAR_DAYS
  // Rule: option.theta. The loss of one day is at most the value of the option (R20).
  const theta = Math.min(day * Math.min(1, years * YEAR_DAYS), usd)
  return {
    usd,
    coin: usd / forward,
    delta: isCall ? normalBelow(d1) : -normalBelow(-d1),
    gamma: density / (forward * deviation),
    vega: (forward * density * root) / 100,
    theta: theta === 0 ? 0 : -theta,
    rho: (isCall ? strike * years * normalBelow(d2) : -strike * years * normalBelow(-d2)) / 100,
  }
}

function expiredValuation({ right, forward, strike }: Valued): Valuation {
  const usd = intrinsicValue({ right, forward, strike })
  const slope = right === 'call' ? 1 : -1
  return {
    usd,
    coin: usd / forward,
    delta: usd > 0 ? slope : 0,
    gamma: 0,
    vega: 0,
    theta: 0,
    rho: 0,
  }
}
