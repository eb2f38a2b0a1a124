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
import { assert, wideToBigint } from '../../core/index.ts'
import type { HeldSizes } from '../standard.ts'
import type { ExpiryDelta, RiskInput } from './matrix.ts'
import {
  addCells,
  addDifference,
  type ContractRisk,
  DELTA_CELL,
  differenceOf,
  type FutureCount,
  PART_STRIDE,
  type RiskPart,
  riskPartOf,
} from './risk-part.ts'
import { SCENARIO_CELLS, type ScenarioTable } from './scenarios.ts'

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
  const { position, buys, sells } = sizes
  const part = riskPartOf(group, held.risk, [position, position + buys, position - sells])
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
  change: {
    readonly sizes: readonly ForeseenSize[]
    readonly moveOf: (expiration: number) => number
  },
): MatrixState {
  const { sizes, moveOf } = change
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
