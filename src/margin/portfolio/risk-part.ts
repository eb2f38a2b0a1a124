/**
 * Contribution of one holding to the matrices of its pair: for each of its sizes the profit in every scenario, and its
 * delta, each rounded separately.
 *
 * A figure is nano plus whole units. Only parts with a figure that would not be a safe integer of nano (some million
 * coins or quote units) have units; all others stay in doubles. For any size of a position, its value is exact until a
 * scenario is applied to it.
 *
 * Limit: a figure beyond ten trillion units counts as ten trillion, which no account can cover.
 * Source: market.md 6.5.
 */
import { addToWide, addUnitsToWide, divHalfAwayBig, divNearest, divTruncBig, mulDivHalfAway } from '../../core/index.ts'
import { type FutureProfits, NANO_MAX, SCENARIO_CELLS } from './scenarios.ts'

/** The cells of one matrix and the delta after them. */
export const PART_STRIDE = SCENARIO_CELLS + 1
/** The place of the delta. */
export const DELTA_CELL = SCENARIO_CELLS

const ONE9 = 1_000_000_000
const NANO = 1_000_000_000n
/** The largest product before its division by 1e9, minus the error of rounding in doubles. */
const PRODUCT_MAX = NANO_MAX * ONE9 * 0.999
const FIGURE_MAX = 10_000_000_000_000n * NANO

/** Figures for some sizes of a holding, one size after the other; only this file writes them. */
export interface RiskPart {
  readonly nano: Float64Array
  /** Whole units of the figures; null if all figures fit into nano. */
  units: Float64Array | null
}

/** Profit of a contract in the scenarios; `option` for one coin, in nano. */
export type ContractRisk =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'future'; readonly mark9: number; readonly amountStep9: number }
  | {
      readonly kind: 'option'
      readonly profits9: Float64Array
      readonly delta9: number
      readonly amountStep9: number
    }

/** The kind of computation for profits of futures. */
export interface FutureCount {
  /** True if profits are in coin; otherwise they are in quote units. */
  readonly isCoin: boolean
  readonly futures: FutureProfits
}

/** Contribution of a contract for some sizes, in lots. */
export function riskPartOf(count: FutureCount, risk: ContractRisk, sizes: readonly number[]): RiskPart {
  const part: RiskPart = { nano: new Float64Array(sizes.length * PART_STRIDE), units: null }
  for (let matrix = 0; matrix < sizes.length; matrix += 1) {
    const from = matrix * PART_STRIDE
    const lots = sizes[matrix] as number
    if (matrix > 0 && lots === sizes[0]) {
      part.nano.copyWithin(from, 0, PART_STRIDE)
      part.units?.copyWithin(from, 0, PART_STRIDE)
      continue
    }
    if (risk.kind === 'unknown' || lots === 0) continue
    if (!fillInNano(part.nano, { count, risk, from, lots })) {
      part.units ??= new Float64Array(part.nano.length)
      fillInUnits(part.nano, part.units, { count, risk, from, lots })
    }
  }
  return part
}

/** A figure of a part, and the figure of another part that it replaces. */
export interface Difference {
  readonly part: RiskPart
  readonly cell: number
  readonly before: RiskPart
  readonly beforeCell: number
}

/** The new figure minus the old one. */
export function differenceOf({ part, cell, before, beforeCell }: Difference): bigint {
  const nano = (part.nano[cell] as number) - (before.nano[beforeCell] as number)
  const units = unitsOf(part, cell) - unitsOf(before, beforeCell)
  return units === 0 ? BigInt(nano) : BigInt(units) * NANO + BigInt(nano)
}

/** Adds the new figure minus the old one to a wide value. */
export function addDifference(target: Float64Array, at: number, of: Difference): void {
  const { part, cell, before, beforeCell } = of
  const nano = (part.nano[cell] as number) - (before.nano[beforeCell] as number)
  if (nano !== 0) addToWide(target, at, nano)
  if (part.units === null && before.units === null) return
  const units = unitsOf(part, cell) - unitsOf(before, beforeCell)
  if (units !== 0) addUnitsToWide(target, at, units)
}

/** Adds the differences of all cells of one size to wide sums, from an index on. */
export function addCells(
  sums: Float64Array,
  at: number,
  of: {
    readonly part: RiskPart
    readonly from: number
    readonly before: RiskPart
    readonly beforeFrom: number
  },
): void {
  const { part, from, before, beforeFrom } = of
  for (let cell = 0; cell < SCENARIO_CELLS; cell += 1) {
    const nano = (part.nano[from + cell] as number) - (before.nano[beforeFrom + cell] as number)
    if (nano !== 0) addToWide(sums, at + 2 * cell, nano)
  }
  if (part.units === null && before.units === null) return
  for (let cell = 0; cell < SCENARIO_CELLS; cell += 1) {
    const units = unitsOf(part, from + cell) - unitsOf(before, beforeFrom + cell)
    if (units !== 0) addUnitsToWide(sums, at + 2 * cell, units)
  }
}

function unitsOf({ units }: RiskPart, cell: number): number {
  return units === null ? 0 : (units[cell] as number)
}

/** A size of a contract to fill in, from an index of the part on. */
interface Size {
  readonly count: FutureCount
  readonly risk: Exclude<ContractRisk, { readonly kind: 'unknown' }>
  readonly from: number
  readonly lots: number
}

/** Fills figures in doubles; returns false if one is too large, and then the figures are invalid. */
function fillInNano(nano: Float64Array, { count, risk, from, lots }: Size): boolean {
  const amount9 = lots * risk.amountStep9
  const size9 = Math.abs(amount9)
  if (size9 > NANO_MAX) return false
  const isShort = amount9 < 0
  if (risk.kind === 'option') {
    const { profits9, delta9 } = risk
    for (let cell = 0; cell <= DELTA_CELL; cell += 1) {
      const unit9 = cell === DELTA_CELL ? delta9 : (profits9[cell] as number)
      if (Math.abs(unit9) * size9 >= PRODUCT_MAX) return false
      const figure = mulDivHalfAway(unit9, size9, ONE9)
      nano[from + cell] = isShort ? 0 - figure : figure
    }
    return true
  }
  const { over, under, valueMax } = count.futures
  const value9 = valueInNano(count, risk.mark9, size9)
  if (value9 < 0 || value9 > valueMax) return false
  for (let cell = 0; cell < SCENARIO_CELLS; cell += 1) {
    const top = over[cell] as number
    const profit = mulDivHalfAway(value9, Math.abs(top), under[cell] as number)
    nano[from + cell] = top < 0 === isShort ? profit : 0 - profit
  }
  const delta9 = count.isCoin ? value9 : size9
  nano[from + DELTA_CELL] = isShort ? 0 - delta9 : delta9
  return true
}

/** The value of a future in nano: in coin for inverse contracts, in quote for linear ones; -1 if it is too large. */
function valueInNano({ isCoin }: FutureCount, mark9: number, size9: number): number {
  if (!isCoin) return mark9 * size9 < PRODUCT_MAX ? mulDivHalfAway(mark9, size9, ONE9) : -1
  const isLarge = divNearest(size9 * ONE9, mark9) >= NANO_MAX
  return isLarge ? -1 : mulDivHalfAway(size9, ONE9, mark9)
}

/** Fills the same figures exactly, with whole units separately. */
function fillInUnits(nano: Float64Array, units: Float64Array, of: Size): void {
  const { count, risk, from, lots } = of
  const amount9 = BigInt(lots) * BigInt(risk.amountStep9)
  const put = (cell: number, figure: bigint): void => {
    const counted = figure > FIGURE_MAX ? FIGURE_MAX : figure < -FIGURE_MAX ? -FIGURE_MAX : figure
    const whole = divTruncBig(counted, NANO)
    units[from + cell] = Number(whole)
    nano[from + cell] = Number(counted - whole * NANO)
  }
  if (risk.kind === 'option') {
    const { profits9, delta9 } = risk
    for (let cell = 0; cell < SCENARIO_CELLS; cell += 1) {
      put(cell, divHalfAwayBig(BigInt(profits9[cell] as number) * amount9, NANO))
    }
    put(DELTA_CELL, divHalfAwayBig(BigInt(delta9) * amount9, NANO))
    return
  }
  const { isCoin, futures } = count
  const mark9 = BigInt(risk.mark9)
  const value = isCoin ? divHalfAwayBig(amount9 * NANO, mark9) : divHalfAwayBig(amount9 * mark9, NANO)
  for (let cell = 0; cell < SCENARIO_CELLS; cell += 1) {
    const over = BigInt(futures.over[cell] as number)
    put(cell, divHalfAwayBig(value * over, BigInt(futures.under[cell] as number)))
  }
  put(DELTA_CELL, isCoin ? value : amount9)
}
