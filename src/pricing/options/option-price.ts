/**
 * The integer interface of option prices. Prices, volatilities and greeks are counts of 1e-9, times microseconds.
 *
 * Rule: option.price. A mark price has 8 decimals in BTC, 6 in other coins, 4 in a quote currency, more if the tick
 * needs them. It is at least one step, so that 0 always means unknown. A volatility is between 1 % and 500 %. Source:
 * market.md 0, 7.
 */

import { PRICE9_MAX } from '../../core/index.ts'
import type { InstrumentSpec, OptionRight } from '../../model/index.ts'
import { finerStep9 } from '../mark.ts'
import {
  black76,
  type Curve,
  intrinsicValue,
  optionCurve,
  optionValue,
  optionValueAt,
  slopeAt,
  type Valued,
} from './black76.ts'
import { nearestInteger } from './elementary.ts'

/** Terms of an option that determine its price. */
export interface OptionContract {
  readonly right: OptionRight
  readonly strike9: number
  readonly expiration: number
  /** True if its price is in coin (its value divided by the forward); otherwise it is in the quote currency. */
  readonly isCoin: boolean
  /** Precision of its mark price. */
  readonly step9: number
}

/** Market data that determine the price of an option. */
export interface OptionMarket {
  readonly forward9: number
  readonly volatility9: number
  readonly time: number
}

/** Greeks for one coin (market.md 7). */
export interface Greeks9 {
  readonly delta9: number
  readonly gamma9: number
  readonly vega9: number
  readonly theta9: number
  readonly rho9: number
}

/** A target value in quote units, and the square root of the remaining time. */
export interface SoughtValue {
  readonly curve: Curve
  readonly root: number
  readonly target: number
}

/** Bounds of every mark volatility: 1 % and 500 %. */
const VOLATILITY9_MIN = 10_000_000

const VOLATILITY9_MAX = 5_000_000_000

const ONE9 = 1_000_000_000

const YEAR_MICROS = 31_536_000_000_000

const STEP_8_DIGITS = 10

const STEP_6_DIGITS = 1_000

const STEP_4_DIGITS = 100_000

/** The terms of an instrument that determine its option price; null if it is not an option. */
export function optionContract(instrument: InstrumentSpec): OptionContract | null {
  if (instrument.detail.type !== 'option') return null
  const isCoin = instrument.quoteCurrency === instrument.baseCurrency
  const coinStep9 = instrument.baseCurrency === 'BTC' ? STEP_8_DIGITS : STEP_6_DIGITS
  return {
    right: instrument.detail.right,
    strike9: instrument.detail.strike,
    expiration: instrument.expiration,
    isCoin,
    step9: finerStep9(isCoin ? coinStep9 : STEP_4_DIGITS, instrument.tick9),
  }
}

/** The price of an option, to the precision of its marks or to another step; at least one step. */
export function optionPrice9(contract: OptionContract, market: OptionMarket, step9 = contract.step9): number {
  // If an index is nearly zero, a put in coin is worth more than the highest price.
  const price = Math.min(PRICE9_MAX, modelPrice(contract, market) * ONE9)
  return Math.max(1, nearestInteger(price / step9)) * step9
}

/** Greeks of an option for one coin. */
export function optionGreeks9(contract: OptionContract, market: OptionMarket): Greeks9 {
  const { delta, gamma, vega, theta, rho } = black76(valued(contract, market))
  return {
    delta9: nearestInteger(delta * ONE9),
    gamma9: nearestInteger(gamma * ONE9),
    vega9: nearestInteger(vega * ONE9),
    theta9: nearestInteger(theta * ONE9),
    rho9: nearestInteger(rho * ONE9),
  }
}

/** An option market with a price in 1e-9 and an unknown volatility. */
interface PricedOption extends Omit<OptionMarket, 'volatility9'> {
  readonly price9: number
}

/**
 * The volatility at which an option has a price; 0 for a price that is not above its intrinsic value, and 5 (500 %) if
 * no volatility up to 500 % reaches the price.
 */
export function impliedVolatility9(contract: OptionContract, { price9, forward9, time }: PricedOption): number {
  const of = valued(contract, { forward9, time, volatility9: 0 })
  const target = (price9 / ONE9) * (contract.isCoin ? of.forward : 1)
  if (price9 <= 0 || of.years <= 0 || target <= intrinsicValue(of)) return 0
  return soughtVolatility9({ curve: optionCurve(of), root: Math.sqrt(of.years), target })
}

/** A volatility limited to the bounds of marks. */
export function boundedVolatility9(volatility9: number): number {
  return Math.min(VOLATILITY9_MAX, Math.max(VOLATILITY9_MIN, volatility9))
}

/** The price by the model, in the currency of the contract, not rounded. Only for this folder. */
export function modelPrice(contract: OptionContract, market: OptionMarket): number {
  const of = valued(contract, market)
  const usd = optionValue(of)
  return contract.isCoin ? usd / of.forward : usd
}

/** An option and its market in doubles. Only for this folder. */
function valued(contract: OptionContract, market: OptionMarket): Valued {
  return {
    right: contract.right,
    forward: market.forward9 / ONE9,
    strike: contract.strike9 / ONE9,
    years: (contract.expiration - market.time) / YEAR_MICROS,
    volatility: market.volatility9 / ONE9,
  }
}

/**
 * The volatility at which an option has a value: the root of a rising function.
 *
 * Rule: option.implied-volatility. Bisection from 0.0001 to 5, 60 halvings, the middle of the remaining interval.
 * Newton's steps find most roots in a fifth of the time. Such a root is checked on both sides, closely enough that
 * bisection would give the same result; if that is not certain, bisection is used. Doubles, only for this folder.
 * Source: market.md 7 (T97-T99).
 */

/** Range of implied volatilities, and the number of its halvings. */
const SOUGHT_MIN = 0.0001

const SOUGHT_MAX = 5

const HALVINGS = 60

/** Lowest start of Newton's steps, their largest number, and the size of a negligible step. */
const START_LEAST = 0.01

const STEPS_MAX = 8

const STEP_LEAST = 1e-11

/** Largest distance of the root from the result of Newton's steps, in counts of 1e-9 before rounding. */
const REACH = 0.49

/** Least difference of the values at both ends, as a share of the forward, that is larger than rounding errors. */
const RISE_LEAST = 1e-12

/** The volatility in counts of 1e-9; 500 % if no volatility up to 500 % reaches the value. */
export function soughtVolatility9(sought: SoughtValue): number {
  const found = foundByNewton(sought)
  return found > 0 ? found : foundByHalving(sought)
}

/** The volatility that Newton's steps find, if it is certain; otherwise 0. */
function foundByNewton({ curve, root, target }: SoughtValue): number {
  // Steps that start at the steepest slope never pass the root; at the money the steepest slope is at 0.
  const distance = curve.moneyness < 0 ? -curve.moneyness : curve.moneyness
  let volatility = Math.max(START_LEAST, Math.sqrt(2 * distance) / root)
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const deviation = volatility * root
    const change = (target - optionValueAt(curve, deviation)) / (slopeAt(curve, deviation) * root)
    volatility += change
    if (!(volatility > SOUGHT_MIN && volatility < SOUGHT_MAX)) return 0
    if (change < STEP_LEAST && change > -STEP_LEAST) break
  }
  const nearest9 = nearestInteger(volatility * ONE9)
  const below = optionValueAt(curve, ((nearest9 - REACH) / ONE9) * root)
  const above = optionValueAt(curve, ((nearest9 + REACH) / ONE9) * root)
  const isBetween = below < target && target <= above && above - below > curve.forward * RISE_LEAST
  return isBetween ? nearest9 : 0
}

function foundByHalving({ curve, root, target }: SoughtValue): number {
  let low = SOUGHT_MIN
  let high = SOUGHT_MAX
  for (let halving = 0; halving < HALVINGS; halving += 1) {
    const volatility = 0.5 * (low + high)
    // There is no double between the ends, so further halvings would change nothing.
    if (volatility === low || volatility === high) break
    if (optionValueAt(curve, volatility * root) < target) low = volatility
    else high = volatility
  }
  return nearestInteger(0.5 * (low + high) * ONE9)
}
