/**
 * The volatility at which an option has a value: the root of a rising function.
 *
 * Rule: option.implied-volatility. Bisection from 0.0001 to 5, 60 halvings, the middle of the remaining interval.
 * Newton's steps find most roots in a fifth of the time. Such a root is checked on both sides, closely enough that
 * bisection would give the same result; if that is not certain, bisection is used. Doubles, only for this folder.
 * Source: market.md 7 (T97-T99).
 */
import { type Curve, optionValueAt, slopeAt } from './black76.ts'
import { nearestInteger } from './nearest.ts'

/** Range of implied volatilities, and the number of its halvings. */
const SOUGHT_MIN = 0.0001
const SOUGHT_MAX = 5
const HALVINGS = 60

const ONE9 = 1_000_000_000

/** Lowest start of Newton's steps, their largest number, and the size of a negligible step. */
const START_LEAST = 0.01
const STEPS_MAX = 8
const STEP_LEAST = 1e-11

/** Largest distance of the root from the result of Newton's steps, in counts of 1e-9 before rounding. */
const REACH = 0.49
/** Least difference of the values at both ends, as a share of the forward, that is larger than rounding errors. */
const RISE_LEAST = 1e-12

/** A target value in quote units, and the square root of the remaining time. */
export interface SoughtValue {
  readonly curve: Curve
  readonly root: number
  readonly target: number
}

/** The volatility in counts of 1e-9; 500 % if no volatility up to 500 % reaches the value. */
export function soughtVolatility9(sought: SoughtValue): number {
  const found = foundByNewton(sought)
  return found > 0 ? found : foundByHalving(sought)
}

/** The volatility that Newton's steps find, if it is certain; otherwise 0. */
function foundByNewton({ curve, root, target }: SoughtValue): number {
  const { forward, moneyness } = curve
  // Steps that start at the steepest slope never pass the root; at the money the steepest slope is at 0.
  const distance = moneyness < 0 ? -moneyness : moneyness
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
  const isBetween = below < target && target <= above && above - below > forward * RISE_LEAST
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
