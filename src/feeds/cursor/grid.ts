/**
 * Converts recorded decimals to the units of an instrument: prices to ticks, amounts to lots, an index to 1e-9.
 *
 * A mantissa m in D decimals is m / 10^D; in units of u * 1e-9 that is m * 10^(9-D) / u, computed as m * multiplier /
 * divisor with the fraction in lowest terms. Both are integers. Only exact quotients are accepted.
 */

import { divFloor, modFloor, PRICE9_MAX, powerOfTen } from '../../core/index.ts'
import { rowSide } from '../../model/index.ts'

/** Lots at each recorded price, by grid price, of one side. */
type MergedSide = Map<number, Map<number, number>>

/** The levels of both sides. */
export interface MergedLevels {
  readonly bids: MergedSide
  readonly asks: MergedSide
}

const NANO_DECIMALS = 9

/** The lowest and highest permitted number of units. */
export interface UnitBounds {
  readonly least: number
  readonly most: number
}

/** Bounds of prices: above 0 unless they may be negative, and at most the highest `Price9`. */
export function priceBounds(unit9: number, mayBeNegative: boolean): UnitBounds {
  const most = divFloor(PRICE9_MAX, unit9)
  return { least: mayBeNegative ? -most : 1, most }
}

/** Bounds of the mark price in an index row; 0 means that the row does not have one. */
export function markBounds(mayBeNegative: boolean): UnitBounds {
  return { least: mayBeNegative ? -PRICE9_MAX : 0, most: PRICE9_MAX }
}

/** Bounds of sizes: at most the largest value in tables, 9 billion of the amount unit; 0 removes a level. */
export function amountBounds(unit9: number): UnitBounds {
  return { least: 0, most: Math.min(Number.MAX_SAFE_INTEGER, Math.floor(AMOUNT9_MAX / unit9)) }
}

const AMOUNT9_MAX = 9_000_000_000_000_000_000

/** Conversion of a mantissa to units: multiplied by `multiplier`, divided by `divisor`. */
export interface UnitScale {
  readonly multiplier: number
  readonly divisor: number
}

/** The scale from mantissas with this number of decimals to units of `unit9` * 1e-9. */
export function unitScale(decimals: number, unit9: number): UnitScale {
  const multiplier = powerOfTen(NANO_DECIMALS - decimals)
  const common = greatestCommonDivisor(multiplier, unit9)
  return { multiplier: divFloor(multiplier, common), divisor: divFloor(unit9, common) }
}

/** A scale with the number of rows and the bounds of the result. */
interface RowScale extends UnitScale {
  readonly rows: number
  readonly bounds: UnitBounds
}

/**
 * Writes the units of the first `rows` mantissas, and NaN for a value that is not a whole number of units or not within
 * `bounds`. Returns true if all values are valid. Cost: one multiplication, one division and some comparisons per row.
 */
export function toUnits(mantissas: Float64Array, target: Float64Array, scale: RowScale): boolean {
  const { multiplier, divisor, rows } = scale
  const { least, most } = scale.bounds
  let areExact = true
  for (let row = 0; row < rows; row += 1) {
    const scaled = (mantissas[row] as number) * multiplier
    const units = divisor === 1 ? scaled : Math.floor(scaled / divisor)
    const isWhole = units * divisor === scaled && Math.abs(scaled) <= Number.MAX_SAFE_INTEGER
    const isExact = isWhole && units >= least && units <= most
    target[row] = isExact ? units : Number.NaN
    if (!isExact) areExact = false
  }
  return areExact
}

/** A scale with the bounds of the result. */
interface BoundedScale extends UnitScale {
  readonly bounds: UnitBounds
}

/** The units of a mantissa, rounded down or up; NaN outside of the bounds. */
export function roundedUnits(mantissa: number, scale: BoundedScale, rounding: 'down' | 'up'): number {
  const scaled = mantissa * scale.multiplier
  if (Math.abs(scaled) > Number.MAX_SAFE_INTEGER) return Number.NaN
  const below = divFloor(scaled, scale.divisor)
  const units = rounding === 'up' && below * scale.divisor !== scaled ? below + 1 : below
  return units >= scale.bounds.least && units <= scale.bounds.most ? units : Number.NaN
}

function greatestCommonDivisor(left: number, right: number): number {
  let [a, b] = [left, right]
  while (b !== 0) [a, b] = [b, modFloor(a, b)]
  return a
}

/**
 * Levels of a book whose recorded prices are finer than the grid (`off_grid: keep`). Each level keeps its recorded
 * price as its identity, and a grid price shows the sum of its levels.
 *
 * Cost: two map operations per row, only with that policy.
 */

/** A book without levels. */
export function createMergedLevels(): MergedLevels {
  return { bids: new Map(), asks: new Map() }
}

/** Removes all levels. */
export function clearMerged({ bids, asks }: MergedLevels): void {
  bids.clear()
  asks.clear()
}

/** Sets the lots at a recorded price; returns the sum at its grid price. */
export function mergeLevel(
  { bids, asks }: MergedLevels,
  sideCode: number,
  /** The grid price, in ticks. */
  price: number,
  /** The price as recorded. */
  recorded: number,
  recordedLots: number,
): number {
  const side = sideCode === rowSide.sell ? asks : bids
  const levels = side.get(price) ?? new Map<number, number>()
  if (recordedLots === 0) levels.delete(recorded)
  else levels.set(recorded, recordedLots)
  if (levels.size === 0) side.delete(price)
  else side.set(price, levels)
  let lots = 0
  for (const each of levels.values()) lots += each
  return lots
}
