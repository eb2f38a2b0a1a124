/**
 * Positions over time: their size, and how fast they return to their mean.
 *
 * Averages weigh each size exactly with its holding time. The autocorrelation uses the sizes at whole minutes since the
 * epoch, which are counted in closed form: a position held for a year costs no more than one held for a minute. A
 * position counts from the first money of its account in the settlement currency: before its first fill it is zero.
 */
import { divFloor } from '../../core/index.ts'
import { logarithm } from '../../pricing/index.ts'
import { checked, type Figure } from './figure.ts'
import type { InventoryState } from './state.ts'
import { correlationFrom } from './statistics.ts'

/** Interval between the compared sizes: a minute. */
const INVENTORY_MICROS = 60_000_000

/** Adds the size held until `time`. */
export function passInventory(inventory: InventoryState, time: number): void {
  if (inventory.at < 0) inventory.at = time
  const { size, at } = inventory
  const passed = time - at
  if (passed <= 0) return
  inventory.time += passed
  inventory.sizeTime += size * passed
  inventory.squareTime += size * size * passed
  inventory.at = time
  const minutes = divFloor(time, INVENTORY_MICROS) - divFloor(at, INVENTORY_MICROS)
  if (minutes === 0) return
  if (inventory.minutes === 0) inventory.first = size
  else inventory.products += inventory.last * size
  inventory.products += (minutes - 1) * size * size
  inventory.minutes += minutes
  inventory.sum += minutes * size
  inventory.squares += minutes * size * size
  inventory.last = size
}

/** Mean size over time, in lots. */
export function meanSizeOf({ time, sizeTime }: InventoryState): Figure {
  return time === 0 ? 'no_time' : checked(sizeTime / time)
}

/** Standard deviation of the size over time, in lots. */
export function sizeDeviationOf({ time, sizeTime, squareTime }: InventoryState): Figure {
  if (time === 0) return 'no_time'
  const mean = sizeTime / time
  return checked(Math.sqrt(Math.max(0, squareTime / time - mean * mean)))
}

/** Correlation of the sizes at neighbouring minutes. */
export function autocorrelationOf(inventory: InventoryState): Figure {
  const { minutes, sum, squares, products, first, last } = inventory
  if (minutes < 3) return 'too_few_returns'
  const mean = sum / minutes
  const variance = squares - mean * sum
  if (variance <= 0) return 'no_variance'
  const covariance = products - mean * (2 * sum - first - last) + (minutes - 1) * mean * mean
  return checked(correlationFrom(covariance / variance))
}

/** Minutes in which half of the distance to the mean disappears, according to that correlation. */
export function halfLifeOf(inventory: InventoryState): Figure {
  const rho = autocorrelationOf(inventory)
  if (typeof rho !== 'number') return rho
  if (rho <= 0 || rho >= 1) return 'not_reverting'
  return checked(-Math.LN2 / logarithm(rho))
}
