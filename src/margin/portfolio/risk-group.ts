/**
 * The positions of one account in one pair, as portfolio margin sees them: three matrices, of the position,
 * of the position with all open buys filled, and with all open sells filled; and their net deltas.
 *
 * What a holding adds to each cell is rounded by itself and kept, so that a change takes the old part out
 * and puts the new one in: sums are exactly those computed from nothing.
 *
 * Source: market.md 6.5.
 */
import { assert, divHalfAwayBig, mulDivHalfAway, wideToBigint } from '../../core/index.ts'
import { MARGIN_MAX } from '../standard.ts'
import { addCells, type ExpiryDelta, type RiskInput, replaceInWide } from './matrix.ts'
import {
  type FutureProfits,
  futureProfits,
  SCENARIO_CELLS,
  type ScenarioTable,
} from './scenarios.ts'

/** Matrices of a group: as it stands, with all buys, with all sells. */
export const MATRICES = 3
/** The cells of one matrix and the delta behind them. */
const PART_STRIDE = SCENARIO_CELLS + 1
const SUM_STRIDE = 2 * SCENARIO_CELLS
const ONE9 = 1_000_000_000
const SAFE_MAX = Number.MAX_SAFE_INTEGER
const PRODUCT_MAX = MARGIN_MAX * ONE9 * 0.999

/** Net deltas of one expiration in the three matrices, wide; expiration 0 stands for perpetuals. */
interface ExpiryRow {
  readonly expiration: number
  readonly deltas: Float64Array
}

/** State of a group; only this file writes it. */
export interface RiskGroup {
  readonly table: ScenarioTable
  /** Whether profits are in coin; else in quote units. */
  readonly isCoin: boolean
  readonly futures: FutureProfits
  readonly sums: Float64Array
  readonly expiries: Map<number, ExpiryRow>
  /** What each holding adds. */
  readonly parts: Map<number, Float64Array>
  /** Register for a matrix that is foreseen; its content means nothing between calls. */
  readonly foreseen: Float64Array
}

/** A group of nothing. */
export function createRiskGroup(table: ScenarioTable, isCoin: boolean): RiskGroup {
  return {
    ...{ table, isCoin, futures: futureProfits(table, isCoin) },
    sums: new Float64Array(MATRICES * SUM_STRIDE),
    expiries: new Map(),
    parts: new Map(),
    foreseen: new Float64Array(SUM_STRIDE),
  }
}

/** Sizes of a holding in the three matrices, in lots. */
export interface HeldSizes {
  readonly position: number
  readonly buys: number
  readonly sells: number
}

/** What a contract wins in the scenarios; `option` for one coin, in nano. */
export type ContractRisk =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'future'; readonly mark9: number; readonly amountStep9: number }
  | {
      readonly kind: 'option'
      readonly profits9: Float64Array
      readonly delta9: number
      readonly amountStep9: number
    }

/** A holding and when its contract ends; 0 for a perpetual. */
export interface HeldContract {
  readonly holding: number
  readonly expiration: number
  readonly risk: ContractRisk
}

/** Brings what a holding adds up to date. */
export function updateGroup(group: RiskGroup, held: HeldContract, sizes: HeldSizes): void {
  const part = partOf(group, held.risk, sizes)
  const before = group.parts.get(held.holding) ?? nothing
  const row = expiryRow(group, held.expiration)
  for (let matrix = 0; matrix < MATRICES; matrix += 1) {
    const from = matrix * PART_STRIDE
    addCells(group.sums, matrix * SUM_STRIDE, { profits: part, from, before })
    const delta = from + SCENARIO_CELLS
    replaceInWide(row.deltas, 2 * matrix, {
      now: part[delta] as number,
      before: before[delta] as number,
    })
  }
  group.parts.set(held.holding, part)
}

const nothing = new Float64Array(MATRICES * PART_STRIDE)

/** Cells and deltas of a matrix. */
export type MatrixState = Pick<RiskInput, 'cells' | 'deltas'>

/** A matrix of a group with its deltas, whose premiums move as `moveOf` says. */
export function readMatrix(
  group: RiskGroup,
  matrix: number,
  moveOf: (expiration: number) => number,
): MatrixState {
  assert(matrix >= 0 && matrix < MATRICES, 'a group has three matrices')
  const deltas: ExpiryDelta[] = []
  for (const row of group.expiries.values()) {
    const delta9 = wideToBigint(row.deltas, 2 * matrix)
    if (delta9 !== 0n) deltas.push({ delta9, move9: moveOf(row.expiration) })
  }
  return { cells: { sums: group.sums, at: matrix * SUM_STRIDE }, deltas }
}

/** A holding with another size than the group has of it; one that the group has not counts from nothing. */
export interface ForeseenSize {
  readonly held: HeldContract
  readonly lots: number
}

/** What a matrix would be if some holdings had other sizes; it stands until the next is foreseen. */
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
    const part = new Float64Array(PART_STRIDE)
    fillPart(group, held.risk, { part, from: 0, lots })
    const before = group.parts.get(held.holding) ?? nothing
    for (let cell = 0; cell < SCENARIO_CELLS; cell += 1) {
      const now = part[cell] as number
      replaceInWide(foreseen, 2 * cell, { now, before: before[from + cell] as number })
    }
    const gone = BigInt(before[from + SCENARIO_CELLS] as number)
    const more = BigInt(part[SCENARIO_CELLS] as number) - gone
    net.set(held.expiration, (net.get(held.expiration) ?? 0n) + more)
  }
  const deltas: ExpiryDelta[] = []
  for (const [expiration, delta9] of net) {
    if (delta9 !== 0n) deltas.push({ delta9, move9: moveOf(expiration) })
  }
  return { cells: { sums: foreseen, at: 0 }, deltas }
}

function partOf(group: RiskGroup, risk: ContractRisk, sizes: HeldSizes): Float64Array {
  const part = new Float64Array(MATRICES * PART_STRIDE)
  const { position, buys, sells } = sizes
  const all = [position, position + buys, position - sells]
  for (let matrix = 0; matrix < MATRICES; matrix += 1) {
    const from = matrix * PART_STRIDE
    const lots = all[matrix] ?? 0
    if (matrix > 0 && lots === position) part.copyWithin(from, 0, PART_STRIDE)
    else fillPart(group, risk, { part, from, lots })
  }
  return part
}

/** Writes what a size adds to every cell, and its delta. */
function fillPart(
  group: RiskGroup,
  risk: ContractRisk,
  target: { readonly part: Float64Array; readonly from: number; readonly lots: number },
): void {
  const { part, from, lots } = target
  if (risk.kind === 'unknown' || lots === 0) return
  if (risk.kind === 'option') {
    const { profits9, delta9, amountStep9 } = risk
    for (let cell = 0; cell < SCENARIO_CELLS; cell += 1) {
      part[from + cell] = timesAmount(profits9[cell] as number, lots, amountStep9)
    }
    part[from + SCENARIO_CELLS] = timesAmount(delta9, lots, amountStep9)
    return
  }
  const value9 = futureValue(group, risk, lots)
  const { over, under } = group.futures
  for (let cell = 0; cell < SCENARIO_CELLS; cell += 1) {
    const top = over[cell] as number
    const profit = mulDivHalfAway(value9, Math.abs(top), under[cell] as number)
    part[from + cell] = top < 0 ? 0 - profit : profit
  }
  part[from + SCENARIO_CELLS] = group.isCoin ? value9 : timesAmount(ONE9, lots, risk.amountStep9)
}

/** Signed value of a future in nano: coin of inverse contracts, quote of linear ones. */
function futureValue(
  { isCoin }: RiskGroup,
  { mark9, amountStep9 }: { readonly mark9: number; readonly amountStep9: number },
  lots: number,
): number {
  if (!isCoin) return timesAmount(mark9, lots, amountStep9)
  const exact = divHalfAwayBig(BigInt(lots) * BigInt(amountStep9) * BigInt(ONE9), BigInt(mark9))
  return saturated(exact)
}

/** A profit for one unit times a size, in nano; at most the limit of margins. */
function timesAmount(unit9: number, lots: number, amountStep9: number): number {
  const amount9 = lots * amountStep9
  const size9 = Math.abs(amount9)
  if (size9 <= SAFE_MAX && Math.abs(unit9) * size9 < PRODUCT_MAX) {
    const profit = mulDivHalfAway(unit9, size9, ONE9)
    return amount9 < 0 ? 0 - profit : profit
  }
  return saturated(divHalfAwayBig(BigInt(unit9) * BigInt(lots) * BigInt(amountStep9), BigInt(ONE9)))
}

function saturated(value: bigint): number {
  const most = BigInt(MARGIN_MAX)
  if (value > most) return MARGIN_MAX
  return value < -most ? -MARGIN_MAX : Number(value)
}

function expiryRow(group: RiskGroup, expiration: number): ExpiryRow {
  const known = group.expiries.get(expiration)
  if (known !== undefined) return known
  const made: ExpiryRow = { expiration, deltas: new Float64Array(2 * MATRICES) }
  group.expiries.set(expiration, made)
  return made
}
