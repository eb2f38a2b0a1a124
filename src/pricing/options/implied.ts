/**
 * The volatility at which an option has a value: the root of a function that rises with it.
 *
 * Rule: option.implied-volatility. Bisection from 0.0001 to 5, 60 halvings, the middle of what is left.
 * Most roots are found by Newton's steps instead, which take a fifth of the time: what these find is
 * checked from both sides, closely enough that bisection could end nowhere else, and bisection has the last
 * word where that cannot be told. Doubles, for this folder only. Source: market.md 7 (T97-T99).
 */
import { type Curve, optionValueAt, slopeAt } from './black76.ts'
import { nearestInteger } from './nearest.ts'

/** Where implied volatilities are sought, and how often the range is halved. */
const SOUGHT_MIN = 0.0001
const SOUGHT_MAX = 5
const HALVINGS = 60

const ONE9 = 1_000_000_000

/** Where Newton's steps start at least, how many there are, and the step that is too small to be told. */
const START_LEAST = 0.01
const STEPS_MAX = 8
const STEP_LEAST = 1e-11

/** How far from what was found the root may be, in counts of 1e-9 that are rounded to it. */
const REACH = 0.49
/** The least rise of the value between both ends, as a part of the forward, that stands out from roundings. */
const RISE_LEAST = 1e-12

/** A value that is sought, in quote units, and the root of the time that is left. */
export interface SoughtValue {
  readonly curve: Curve
  readonly root: number
  readonly target: number
}

/** The volatility in counts of 1e-9; 500 % where no volatility up to that reaches the value. */
export function soughtVolatility9(sought: SoughtValue): number {
  const found = foundByNewton(sought)
  return found > 0 ? found : foundByHalving(sought)
}

/** The volatility that Newton's steps find, where it is certain; else 0. */
function foundByNewton({ curve, root, target }: SoughtValue): number {
  const { forward, moneyness } = curve
  // From where the slope is steepest no step goes beyond the root; at the money that is at 0.
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
    // Doubles have nothing between the ends: further halvings would change nothing.
    if (volatility === low || volatility === high) break
    if (optionValueAt(curve, volatility * root) < target) low = volatility
    else high = volatility
  }
  return nearestInteger(0.5 * (low + high) * ONE9)
}
