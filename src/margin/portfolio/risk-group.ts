/**
 * The positions of one account in one pair for portfolio margin: three matrices, of the position, of the position with
 * all open buys filled, and of the position with all open sells filled; and their net deltas.
 *
 * The contribution of a holding to each cell is rounded separately and stored, so that a change subtracts the old
 * contribution and adds the new one: sums are exactly those computed from nothing.
 *
 * Source: market.md 6.5. Assumed: the worse side of the open orders counts, for each index separately (6.5.5 may be
 * read as the worse side of the account).
 */

import {
  addToWide,
  addUnitsToWide,
  assert,
  divHalfAwayBig,
  divNearest,
  divTruncBig,
  mulDivHalfAway,
  wideToBigint,
} from '../../core/index.ts'
import type { HeldSizes } from '../standard.ts'
import type { ExpiryDelta, RiskInput } from './matrix.ts'
import { type FutureProfits, NANO_MAX, SCENARIO_CELLS, type ScenarioTable } from './scenarios.ts'

/** Figures for some sizes of a holding, one size after the other; only this file writes them. */
interface RiskPart {
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
interface FutureCount {
  /** True if profits are in coin; otherwise they are in quote units. */
  readonly isCoin: boolean
  readonly futures: FutureProfits
}

/** The cells of one matrix and the delta after them. */
const PART_STRIDE = SCENARIO_CELLS + 1

/** The place of the delta. */
const DELTA_CELL = SCENARIO_CELLS

const ONE9 = 1_000_000_000

const NANO = 1_000_000_000n

/** The largest product before its division by 1e9, minus the error of rounding in doubles. */
const PRODUCT_MAX = NANO_MAX * ONE9 * 0.999

const FIGURE_MAX = 10_000_000_000_000n * NANO

/** Matrices of a group: position only, with all buys, with all sells. */
export const MATRICES = 3

const SUM_STRIDE = 2 * SCENARIO_CELLS

/** Net deltas of one expiration in the three matrices, wide; expiration 0 means perpetuals. */
interface ExpiryRow {
  readonly expiration: number
  readonly deltas: Float64Array
}

/** State of a group; only this file writes it. */
export interface RiskGroup extends FutureCount {
  readonly table: ScenarioTable
  readonly sums: Float64Array
  readonly expiries: Map<number, ExpiryRow>
  /** Contribution of each holding. */
  readonly parts: Map<number, RiskPart>
  /** Register for a hypothetical matrix; its content has no meaning between calls. */
  readonly foreseen: Float64Array
}

/** An empty group. */
export function createRiskGroup(table: ScenarioTable, isCoin: boolean): RiskGroup {
  return {
    table,
    isCoin,
    futures: isCoin ? table.coinFutures : table.quoteFutures,
    sums: new Float64Array(MATRICES * SUM_STRIDE),
    expiries: new Map(),
    parts: new Map(),
    foreseen: new Float64Array(SUM_STRIDE),
  }
}

/** A holding and the expiration of its contract; 0 for a perpetual. */
export interface HeldContract {
  readonly holding: number
  readonly expiration: number
  readonly risk: ContractRisk
}

/** Updates the contribution of a holding. */
export function updateGroup(group: RiskGroup, held: HeldContract, sizes: HeldSizes): void {
  const part = riskPartOf(group, held.risk, [sizes.position, sizes.position + sizes.buys, sizes.position - sizes.sells])
  const before = group.parts.get(held.holding) ?? nothing
  const row = expiryRow(group, held.expiration)
  for (let matrix = 0; matrix < MATRICES; matrix += 1) {
    const from = matrix * PART_STRIDE
    addCells(group.sums, matrix * SUM_STRIDE, { part, from, before, beforeFrom: from })
    const cell = from + DELTA_CELL
    addDifference(row.deltas, 2 * matrix, { part, cell, before, beforeCell: cell })
  }
  group.parts.set(held.holding, part)
}

const nothing: RiskPart = { nano: new Float64Array(MATRICES * PART_STRIDE), units: null }

/** Cells and deltas of a matrix. */
export type MatrixState = Pick<RiskInput, 'cells' | 'deltas'>

/** A matrix of a group with its deltas; `moveOf` gives the move of each expiration's premium. */
export function readMatrix(group: RiskGroup, matrix: number, moveOf: (expiration: number) => number): MatrixState {
  assert(matrix >= 0 && matrix < MATRICES, 'a group has three matrices')
  const deltas: ExpiryDelta[] = []
  for (const row of group.expiries.values()) {
    const delta9 = wideToBigint(row.deltas, 2 * matrix)
    if (delta9 !== 0n) deltas.push({ delta9, move9: moveOf(row.expiration) })
  }
  return { cells: { sums: group.sums, at: matrix * SUM_STRIDE }, deltas }
}

/** True if a matrix equals the matrix of the positions, so that open orders do not change it. */
export function isFirstMatrix({ sums, expiries }: RiskGroup, matrix: number): boolean {
  const at = matrix * SUM_STRIDE
  for (let limb = 0; limb < SUM_STRIDE; limb += 1) {
    if (sums[at + limb] !== sums[limb]) return false
  }
  for (const { deltas } of expiries.values()) {
    if (deltas[2 * matrix] !== deltas[0] || deltas[2 * matrix + 1] !== deltas[1]) return false
  }
  return true
}

/** A holding with a hypothetical size; a holding that the group does not have starts at 0. */
export interface ForeseenSize {
  readonly held: HeldContract
  readonly lots: number
}

/** Computes a matrix with hypothetical sizes of some holdings. The result is valid until the next call. */
export function foreseeMatrix(
  group: RiskGroup,
  matrix: number,
  sizes: readonly ForeseenSize[],
  moveOf: (expiration: number) => number,
): MatrixState {
  const from = matrix * PART_STRIDE
  const { foreseen, sums } = group
  const at = matrix * SUM_STRIDE
  for (let limb = 0; limb < SUM_STRIDE; limb += 1) foreseen[limb] = sums[at + limb] as number
  const net = new Map<number, bigint>()
  for (const row of group.expiries.values()) {
    net.set(row.expiration, wideToBigint(row.deltas, 2 * matrix))
  }
  for (const { held, lots } of sizes) {
    const part = riskPartOf(group, held.risk, [lots])
    const before = group.parts.get(held.holding) ?? nothing
    addCells(foreseen, 0, { part, from: 0, before, beforeFrom: from })
    const cells = { part, cell: DELTA_CELL, before, beforeCell: from + DELTA_CELL }
    const more = differenceOf(cells)
    net.set(held.expiration, (net.get(held.expiration) ?? 0n) + more)
  }
  const deltas: ExpiryDelta[] = []
  for (const [expiration, delta9] of net) {
    if (delta9 !== 0n) deltas.push({ delta9, move9: moveOf(expiration) })
  }
  return { cells: { sums: foreseen, at: 0 }, deltas }
}

function expiryRow(group: RiskGroup, expiration: number): ExpiryRow {
  const known = group.expiries.get(expiration)
  if (known !== undefined) return known
  const made: ExpiryRow = { expiration, deltas: new Float64Array(2 * MATRICES) }
  group.expiries.set(expiration, made)
  return made
}

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

/** Contribution of a contract for some sizes, in lots. */
function riskPartOf(count: FutureCount, risk: ContractRisk, sizes: readonly number[]): RiskPart {
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
interface Difference {
  readonly part: RiskPart
  readonly cell: number
  readonly before: RiskPart
  readonly beforeCell: number
}

/** The new figure minus the old one. */
function differenceOf({ part, cell, before, beforeCell }: Difference): bigint {
  const nano = (part.nano[cell] as number) - (before.nano[beforeCell] as number)
  const units = unitsOf(part, cell) - unitsOf(before, beforeCell)
  return units === 0 ? BigInt(nano) : BigInt(units) * NANO + BigInt(nano)
}

/** Adds the new figure minus the old one to a wide value. */
function addDifference(target: Float64Array, at: number, of: Difference): void {
  const nano = (of.part.nano[of.cell] as number) - (of.before.nano[of.beforeCell] as number)
  if (nano !== 0) addToWide(target, at, nano)
  if (of.part.units === null && of.before.units === null) return
  const units = unitsOf(of.part, of.cell) - unitsOf(of.before, of.beforeCell)
  if (units !== 0) addUnitsToWide(target, at, units)
}

/** The cells that change and their values before. */
interface CellRanges {
  readonly part: RiskPart
  readonly from: number
  readonly before: RiskPart
  readonly beforeFrom: number
}

/** Adds the differences of all cells of one size to wide sums, from an index on. */
function addCells(sums: Float64Array, at: number, of: CellRanges): void {
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
function valueInNano(count: FutureCount, mark9: number, size9: number): number {
  if (!count.isCoin) return mark9 * size9 < PRODUCT_MAX ? mulDivHalfAway(mark9, size9, ONE9) : -1
  const isLarge = divNearest(size9 * ONE9, mark9) >= NANO_MAX
  return isLarge ? -1 : mulDivHalfAway(size9, ONE9, mark9)
}

/** Fills the same figures exactly, with whole units separately. */
function fillInUnits(nano: Float64Array, units: Float64Array, of: Size): void {
  const amount9 = BigInt(of.lots) * BigInt(of.risk.amountStep9)
  const put = (cell: number, figure: bigint): void => {
    const counted = figure > FIGURE_MAX ? FIGURE_MAX : figure < -FIGURE_MAX ? -FIGURE_MAX : figure
    const whole = divTruncBig(counted, NANO)
    units[of.from + cell] = Number(whole)
    nano[of.from + cell] = Number(counted - whole * NANO)
  }
  if (of.risk.kind === 'option') {
    const { profits9, delta9 } = of.risk
    for (let cell = 0; cell < SCENARIO_CELLS; cell += 1) {
      put(cell, divHalfAwayBig(BigInt(profits9[cell] as number) * amount9, NANO))
    }
    put(DELTA_CELL, divHalfAwayBig(BigInt(delta9) * amount9, NANO))
    return
  }
  const { isCoin, futures } = of.count
  const mark9 = BigInt(of.risk.mark9)
  const value = isCoin ? divHalfAwayBig(amount9 * NANO, mark9) : divHalfAwayBig(amount9 * mark9, NANO)
  for (let cell = 0; cell < SCENARIO_CELLS; cell += 1) {
    const over = BigInt(futures.over[cell] as number)
    put(cell, divHalfAwayBig(value * over, BigInt(futures.under[cell] as number)))
  }
  put(DELTA_CELL, isCoin ? value : amount9)
}
