/**
 * Black-76 and its derived figures, straight from market.md 6.5 and 7 with the platform's own functions: the oracle of
 * the option formulas of `src/pricing`. Doubles; prices in units, volatilities as fractions (0.6 is 60 %), times in
 * years of 365 days.
 */

/** A European option. */
export interface NaiveOption {
  readonly right: 'call' | 'put'
  readonly strike: number
}

/** Inputs of the price of an option. */
export interface NaiveState76 {
  readonly forward: number
  readonly years: number
  readonly volatility: number
}

/** Value, and sensitivities in the units of the venue. */
export interface NaiveGreeks {
  readonly usd: number
  readonly coin: number
  readonly delta: number
  readonly gamma: number
  readonly vega: number
  readonly theta: number
  readonly rho: number
}

/** The normal density. */
export function density(x: number): number {
  return Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)
}

/**
 * The normal distribution: a series near the middle, where it has no cancellation, and a continued fraction in the
 * tails.
 */
export function normal(x: number): number {
  if (x > 0) return 1 - normal(-x)
  if (x < -38) return 0
  const z = -x
  if (z < 1) {
    let term = z
    let sum = z
    for (let n = 3; Math.abs(term) > 1e-18 * sum; n += 2) {
      term *= (z * z) / n
      sum += term
    }
    return 0.5 - density(z) * sum
  }
  let fraction = z
  for (let n = 400; n > 0; n -= 1) fraction = z + n / fraction
  return density(z) / fraction
}

/** Value in USD. */
function usdOf({ right, strike }: NaiveOption, { forward, years, volatility }: NaiveState76): number {
  const isCall = right === 'call'
  if (years <= 0) return Math.max(isCall ? forward - strike : strike - forward, 0)
  const width = volatility * Math.sqrt(years)
  const d1 = Math.log(forward / strike) / width + width / 2
  const d2 = d1 - width
  return isCall ? forward * normal(d1) - strike * normal(d2) : strike * normal(-d2) - forward * normal(-d1)
}

/** Value and greeks. Theta has the venue's two limits (R20). */
export function black76(option: NaiveOption, state: NaiveState76): NaiveGreeks {
  const { forward, years, volatility } = state
  const isCall = option.right === 'call'
  const usd = usdOf(option, state)
  if (years <= 0) {
    const delta = usd > 0 ? (isCall ? 1 : -1) : 0
    return { usd, coin: usd / forward, delta, gamma: 0, vega: 0, theta: 0, rho: 0 }
  }
  const width = volatility * Math.sqrt(years)
  const d1 = Math.log(forward / option.strike) / width + width / 2
  const d2 = d1 - width
  const day = (forward * density(d1) * volatility) / (2 * Math.sqrt(years)) / 365
  const days = years * 365
  return {
    usd,
    coin: usd / forward,
    delta: isCall ? normal(d1) : -normal(-d1),
    gamma: density(d1) / (forward * width),
    vega: (forward * density(d1) * Math.sqrt(years)) / 100,
    theta: -Math.min(day * Math.min(1, days), usd),
    rho: ((isCall ? 1 : -1) * option.strike * years * normal(isCall ? d2 : -d2)) / 100,
  }
}

/** The value of an option in USD, or in coin if its price is in coin. */
export function worthOf(option: NaiveOption, state: NaiveState76, inCoin: boolean): number {
  const usd = usdOf(option, state)
  return inCoin ? usd / state.forward : usd
}

/**
 * The volatility of a price by bisection between 0.01 % and 500 %: 0 if the price is not above the intrinsic value, 5
 * if it is above every value.
 */
export function impliedVolatility(
  option: NaiveOption,
  at: { readonly forward: number; readonly years: number; readonly inCoin: boolean },
  price: number,
): number {
  const { forward, years, inCoin } = at
  const intrinsic = option.right === 'call' ? forward - option.strike : option.strike - forward
  const scale = inCoin ? forward : 1
  if (years <= 0 || price <= 0 || price * scale <= intrinsic) return 0
  let low = 0.0001
  let high = 5
  for (let halving = 0; halving < 60; halving += 1) {
    const volatility = (low + high) / 2
    if (worthOf(option, { forward, years, volatility }, inCoin) < price) low = volatility
    else high = volatility
  }
  return (low + high) / 2
}

/** The volatility of a smile at a strike. */
export function smileAt(
  smile: { readonly atm9: number; readonly skew9: number; readonly curvature9: number },
  strike: number,
  forward: number,
): number {
  const k = Math.log(strike / forward)
  return (smile.atm9 + smile.skew9 * k + smile.curvature9 * k * k) / 1e9
}

/** A future of the term structure: its time to expiry and its mark. */
export interface NaiveFuture {
  readonly years: number
  readonly mark: number
}

/** The forward for an expiry without a future: the annualised basis, linear between its neighbours (market.md 7). */
export function syntheticForward(index: number, years: number, futures: readonly NaiveFuture[]): number {
  const known = futures
    .filter((future) => future.years > 0)
    .sort((a, b) => a.years - b.years)
    .map((future) => ({ ...future, basis: Math.log(future.mark / index) / future.years }))
  const before = known.filter((future) => future.years <= years).at(-1)
  const after = known.find((future) => future.years >= years)
  const left = before ?? after
  const right = after ?? before
  if (left === undefined || right === undefined) return index
  const part = right.years === left.years ? 0 : (years - left.years) / (right.years - left.years)
  return index * Math.exp((left.basis + (right.basis - left.basis) * part) * years)
}
