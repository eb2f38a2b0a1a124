/**
 * The price grid of an instrument: the prices that a book may hold, and rounding onto it.
 *
 * The grid is the multiples of the base tick. From the price `above` of a step upward it is only the multiples of that
 * step's tick, which is a multiple of the base tick, as is `above`. Steps are in ascending order. Positions on the grid
 * are base ticks, prices off it are 1e-9 quote units. All instruments except inverse options have grids without steps,
 * for which the functions return early and allocate nothing.
 *
 * Rule: prices.grid, prices.band. Source: market.md 1.2, 1.3; trading.md 6.5, 6.6 (C24), C30; R03, R05.
 */
import {
  assert,
  divCeil,
  divFloor,
  modFloor,
  mulDivFloor,
  mulSub,
  PRICE9_MAX,
  type Price9,
  price9,
  type Ticks,
  ticks,
} from '../../core/index.ts'
import type { InstrumentSpec } from '../instrument.ts'
import type { Side } from '../words/orders.ts'

/** The part of a specification that defines its grid. */
export type PriceGrid = Pick<InstrumentSpec, 'tick9' | 'tickSteps'>

/** The greatest tick of a grid, 1000 quote units, so that rounding up stays a safe integer. */
export const TICK9_MAX = 1_000_000_000_000

const PPM = 1_000_000

/** True if a book may hold this price. */
export function isOnGrid(grid: PriceGrid, price: Ticks): boolean {
  if (grid.tickSteps.length === 0) return true
  const exact = price9OfTicks(grid, price)
  return modFloor(exact, tickAt(grid, exact)) === 0
}

/** The greatest grid price at or below `price`. */
export function floorToGrid(grid: PriceGrid, price: Price9): Ticks {
  if (grid.tickSteps.length === 0) return ticks(divFloor(price, grid.tick9))
  const tick9 = tickAt(grid, price)
  return ticks(divFloor(price, tick9) * divFloor(tick9, grid.tick9))
}

/** The smallest grid price at or above `price`. */
export function ceilToGrid(grid: PriceGrid, price: Price9): Ticks {
  if (grid.tickSteps.length === 0) return ticks(divCeil(price, grid.tick9))
  const tick9 = tickAt(grid, price)
  return ticks(divCeil(price, tick9) * divFloor(tick9, grid.tick9))
}

/** The smallest grid price at or above `price`, or the greatest of all grid prices if there is none. */
function ceilWithin(grid: PriceGrid, price: Price9): Ticks {
  const tick9 = grid.tickSteps.length === 0 ? grid.tick9 : tickAt(grid, price)
  const isBeyond = price > Number.MAX_SAFE_INTEGER - tick9
  return isBeyond ? floorToGrid(grid, price9(Number.MAX_SAFE_INTEGER)) : ceilToGrid(grid, price)
}

/**
 * The grid price nearest to `price`. Exactly between two prices a buy is rounded down and a sell up, away from the
 * market (C30).
 */
export function nearestOnGrid(grid: PriceGrid, price: Price9, side: Side): Ticks {
  const below = floorToGrid(grid, price)
  const above = ceilWithin(grid, price)
  const down = price - price9OfTicks(grid, below)
  const up = price9OfTicks(grid, above) - price
  if (down === up) return side === 'buy' ? below : above
  return down < up ? below : above
}

/** The greatest grid price below `price`. Post-only moves a buy to it under the best ask (C24). */
export function nextTickBelow(grid: PriceGrid, price: Ticks): Ticks {
  if (grid.tickSteps.length === 0) return ticks(price - 1)
  return floorToGrid(grid, price9(price9OfTicks(grid, price) - 1))
}

/** The smallest grid price above `price`. Post-only moves a sell to it over the best bid (C24). */
export function nextTickAbove(grid: PriceGrid, price: Ticks): Ticks {
  if (grid.tickSteps.length === 0) return ticks(price + 1)
  return ceilToGrid(grid, price9(price9OfTicks(grid, price) + 1))
}

/** The mark price and the largest price of an instrument. */
interface BandPrices {
  readonly mark: Price9
  readonly whole: Price9
}

/**
 * The lowest price of a sell and the highest price of a buy around a mark that is not negative: the mark minus and plus
 * the band, rounded outward to the grid, in favour of the account that places the order (R05). The band is a share of
 * `whole`: the mark, or the underlying. The instrument must have a band. The upper end stays within `Price9`.
 */
export function priceBand(
  spec: PriceGrid & Pick<InstrumentSpec, 'bandPpm'>,
  { mark, whole }: BandPrices,
): { readonly min: Ticks; readonly max: Ticks } {
  assert(spec.bandPpm > 0, 'the instrument has a price band')
  assert(mark >= 0, 'the mark of an instrument with a band is not negative')
  const floor = mulDivFloor(whole, spec.bandPpm, PPM)
  const rest = mulSub(whole, spec.bandPpm, floor, PPM)
  // Rounded up: the ends of the exact band are within one unit inside, so no grid price is lost.
  const width = rest === 0 ? floor : floor + 1
  const high = Math.min(mark + width, Number.MAX_SAFE_INTEGER)
  return { min: floorToGrid(spec, price9(mark - width)), max: ceilWithin(spec, price9(high)) }
}

/** True if prices may be 0 or negative. Prices of a combo with a short leg are differences. */
export function hasNegativePrices({ detail }: Pick<InstrumentSpec, 'detail'>): boolean {
  return detail.type === 'combo' && detail.legs.some(({ ratio }) => ratio < 0)
}

/** The worst price that a market order accepts without a price band. */
export function endOfPrices(spec: Pick<InstrumentSpec, 'tick9' | 'detail'>, side: Side): Ticks {
  const highest = divFloor(PRICE9_MAX, spec.tick9)
  if (side === 'buy') return ticks(highest)
  return ticks(spec.detail.type === 'combo' ? -highest : 0)
}

/**
 * The lowest price of a sell or the highest price of a buy without a price band: at least one tick, unless the
 * instrument has negative prices.
 */
export function farthestPrice(spec: Pick<InstrumentSpec, 'tick9' | 'tickSteps' | 'detail'>, side: Side): Price9 {
  const end = endOfPrices(spec, side)
  return price9OfTicks(spec, ticks(hasNegativePrices(spec) ? end : Math.max(1, end)))
}

/** A grid position as a price. */
export function price9OfTicks(grid: PriceGrid, price: Ticks): Price9 {
  return price9(price * grid.tick9)
}

/** A price as base ticks, or undefined if it is not a whole number of them. */
export function ticksOfPrice9(grid: PriceGrid, price: Price9): Ticks | undefined {
  const quotient = divFloor(price, grid.tick9)
  return quotient * grid.tick9 === price ? ticks(quotient) : undefined
}

/** The tick valid at a price, in 1e-9. */
export function tickAt(grid: PriceGrid, price: Price9): number {
  let tick9 = grid.tick9
  for (const step of grid.tickSteps) {
    if (price < step.above) break
    tick9 = step.tick9
  }
  return tick9
}
