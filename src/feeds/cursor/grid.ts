/**
 * Recorded decimals to the units of an instrument: prices to ticks, amounts to lots, an index to 1e-9.
 *
 * A mantissa m in D decimals is m / 10^D; in units of u * 1e-9 that is m * 10^(9-D) / u, computed as
 * m * multiplier / divisor with the fraction in lowest terms. Both are integers, and the quotient is
 * taken only where it is exact.
 */
import { divFloor, modFloor, powerOfTen } from '../../core/index.ts'

const NANO_DECIMALS = 9

/** How a mantissa becomes units: times `multiplier`, by `divisor`. */
export interface UnitScale {
  readonly multiplier: number
  readonly divisor: number
}

/** The scale of mantissas with so many decimals into units of `unit9` * 1e-9. */
export function unitScale(decimals: number, unit9: number): UnitScale {
  const multiplier = powerOfTen(NANO_DECIMALS - decimals)
  const common = greatestCommonDivisor(multiplier, unit9)
  return { multiplier: divFloor(multiplier, common), divisor: divFloor(unit9, common) }
}

/**
 * Writes the units of the first `rows` mantissas; NaN where one is no whole number of units, or too
 * large for a safe integer. One multiplication, one division and one comparison a row.
 */
export function toUnits(
  mantissas: Float64Array,
  target: Float64Array,
  scale: UnitScale & { readonly rows: number },
): void {
  const { multiplier, divisor, rows } = scale
  for (let row = 0; row < rows; row += 1) {
    const scaled = (mantissas[row] as number) * multiplier
    const units = divisor === 1 ? scaled : Math.floor(scaled / divisor)
    const isExact = units * divisor === scaled && scaled <= Number.MAX_SAFE_INTEGER
    target[row] = isExact ? units : Number.NaN
  }
}

/** The units of a mantissa rounded down or up; NaN where it is too large for a safe integer. */
export function roundedUnits(mantissa: number, scale: UnitScale, rounding: 'down' | 'up'): number {
  const scaled = mantissa * scale.multiplier
  if (scaled > Number.MAX_SAFE_INTEGER) return Number.NaN
  const units = divFloor(scaled, scale.divisor)
  return rounding === 'up' && units * scale.divisor !== scaled ? units + 1 : units
}

function greatestCommonDivisor(left: number, right: number): number {
  let [a, b] = [left, right]
  while (b !== 0) [a, b] = [b, modFloor(a, b)]
  return a
}
