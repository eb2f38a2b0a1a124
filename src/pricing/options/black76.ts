/**
 * Black-76 without interest: what an option on a forward is worth, and how that moves.
 *
 * Doubles, for this folder only; what leaves it is rounded in `option-price.ts`.
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
  /** In quote units, and in coin, which is the value over the forward. */
  readonly usd: number
  readonly coin: number
  readonly delta: number
  /** Change of delta for one quote unit. */
  readonly gamma: number
  /** Quote units for one point of volatility. */
  readonly vega: number
  /** Quote units for a day. */
  readonly theta: number
  /** Quote units for one percent of interest. */
  readonly rho: number
}

/** Days of a year, in which time and theta are counted. */
const YEAR_DAYS = 365

/** Worth of an option in quote units; its intrinsic value where no time is left. */
export function optionValue({ right, forward, strike, years, volatility }: Valued): number {
  if (years <= 0) return intrinsicValue({ right, forward, strike })
  return optionValueAt(optionCurve({ right, forward, strike }), volatility * Math.sqrt(years))
}

/** Worth of an option if it ended now, in quote units. */
export function intrinsicValue({ right, forward, strike }: Pick<Valued, 'right' | 'forward' | 'strike'>): number {
  return Math.max(0, right === 'call' ? forward - strike : strike - forward)
}

/** The parts that stay the same from one volatility to the next: `moneyness` is ln(forward / strike). */
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

/** Worth at a deviation, which is volatility times the root of the time. */
export function optionValueAt({ right, forward, strike, moneyness }: Curve, deviation: number): number {
  const d1 = moneyness / deviation + 0.5 * deviation
  const d2 = d1 - deviation
  const value =
    right === 'call'
      ? forward * normalBelow(d1) - strike * normalBelow(d2)
      : strike * normalBelow(-d2) - forward * normalBelow(-d1)
  // Far out of the money the difference of two tiny numbers may come out below nothing.
  return Math.max(value, 0)
}

/** How fast that rises with the deviation. */
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
  // Rule: option.theta. No more is lost in a day than what the option is worth (R20).
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
