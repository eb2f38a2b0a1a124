/**
 * Margin of a matrix of scenarios: worst case, roll shock and delta shock of the positions of one pair.
 *
 * - worst case = -min over all cells, at least 0; an extended cell counts as min(0, cell + dampener), where the
 *   dampener is (max(|m| / range, 1) - 1) * dampener / ((1 + sgn(m) range) * index) in coin;
 * - roll shock = sum over expirations of |net delta| * move of the expiration;
 * - delta shock = |D| * min(max, increase * max(|D| - threshold / index, 0)), D the net delta of the pair.
 *
 * Cells are nano; shocks and totals are computed in 1e-18 and rounded where they are used.
 *
 * For cross margin all values are in USD: a profit in coin at a move m is worth (1 + m) times the index, and the value
 * of the account's coins changes with the move too (T80).
 *
 * Rule: margin.portfolio. Source: market.md 6.5 (T81-T87). Assumed: in cross margin, equity has neither roll nor delta
 * shock, and the dampener is in USD, as published; worst cases of pairs are added, so that profits of one pair do not
 * offset losses of another (`pnl_offset` and `max_offsetable_pnl` are shown and change nothing).
 */
import { defined, divHalfAwayBig, wideNear, wideToBigint } from '../../core/index.ts'
import { dampenerOf, SCENARIO_CELLS, type ScenarioTable, STANDARD_CELLS } from './scenarios.ts'

/** Delta of one expiration, in 1e-9 coin; `move9` is the move of its premium in the roll shock, in 1e-9. */
export interface ExpiryDelta {
  readonly delta9: bigint
  readonly move9: number
}

/** Sums of the cells of a matrix: wide values from an index of an array on, in nano of the settlement currency. */
interface CellSums {
  readonly sums: Float64Array
  readonly at: number
}

/** A matrix and the other inputs of its risk. */
export interface RiskInput {
  readonly table: ScenarioTable
  /** Profits of the positions in every scenario. */
  readonly cells: CellSums
  readonly deltas: readonly ExpiryDelta[]
  /** True if profits are in coin; otherwise they are in quote units. */
  readonly isCoin: boolean
  /** The index of the pair, in quote units. */
  readonly index9: number
  /** Dampeners of the extended cells, see `dampenersOf`. */
  readonly dampeners: Float64Array
  /** Cross margin: the price of the settlement currency in USD, and the account's equity in it. Otherwise null. */
  readonly cross: { readonly usd9: number; readonly equity: bigint } | null
}

/** Margin of a matrix; nano of the settlement currency, or of USD. */
export interface MatrixRisk {
  readonly worst: bigint
  /** The cell of the worst case; -1 if no cell loses. */
  readonly cell: number
  /** In 1e-18. */
  readonly roll18: bigint
  readonly shock18: bigint
  /** Their sum. */
  readonly risk18: bigint
}

const NANO = 1_000_000_000n
const PPM = 1_000_000n
const WIDE_BASE = 1_000_000_000
const SAFE_MAX = Number.MAX_SAFE_INTEGER

/** The risk of a matrix. */
export function matrixRisk(input: RiskInput): MatrixRisk {
  const found = (input.cross === null ? worstInDoubles(input) : null) ?? worstExactly(input)
  const { roll18, shock18 } = shocksOf(input)
  return { worst: found.worst, cell: found.cell, roll18, shock18, risk18: found.worst * NANO + roll18 + shock18 }
}

interface Worst {
  readonly worst: bigint
  readonly cell: number
}

/** The worst case in doubles, exact as long as every cell is a safe integer; null otherwise. Cost: 35 cells, 0.1 us. */
function worstInDoubles({ cells: { sums, at }, dampeners }: RiskInput): Worst | null {
  let worst = 0
  let worstCell = -1
  for (let cell = 0; cell < SCENARIO_CELLS; cell += 1) {
    const value = (sums[at + 2 * cell] as number) * WIDE_BASE + (sums[at + 2 * cell + 1] as number)
    if (value > SAFE_MAX || value < -SAFE_MAX) return null
    const counted = cell < STANDARD_CELLS ? value : value + (dampeners[cell - STANDARD_CELLS] as number)
    if (counted >= worst) continue
    worst = counted
    worstCell = cell
  }
  return { worst: BigInt(0 - worst), cell: worstCell }
}

/**
 * The worst case for any size, and in USD: doubles select the cells that can be the worst, mostly one, and these are
 * computed exactly. Cost: 35 cells, 1 us.
 */
function worstExactly(input: RiskInput): Worst {
  const most = nearLosses(input)
  let worst = 0n
  let cell = -1
  for (let at = 0; at < SCENARIO_CELLS; at += 1) {
    if ((near.losses[at] as number) + (near.unsure[at] as number) < most) continue
    const loss = -countedCell(input, at)
    if (loss <= worst) continue
    worst = loss
    cell = at
  }
  return { worst, cell }
}

/** Registers of `nearLosses`: the approximate loss of each cell, and the largest error of it. */
const near = {
  losses: new Float64Array(SCENARIO_CELLS),
  unsure: new Float64Array(SCENARIO_CELLS),
}

/** A bound far above the relative error of a few operations in doubles; and the error of rounding to nano. */
const UNSURE = 1e-13
const ROUNDED = 2

/** Approximates the loss of each cell, and returns a lower bound of the worst loss. */
function nearLosses(input: RiskInput): number {
  const { cells, cross, dampeners, table, isCoin } = input
  let most = 0
  for (let at = 0; at < SCENARIO_CELLS; at += 1) {
    let value = wideNear(cells.sums, cells.at + 2 * at)
    let size = Math.abs(value)
    if (cross !== null) {
      const usd = cross.usd9 * 1e-9
      const move = isCoin ? (table.scenarios[at]?.countedPpm ?? 0) * 1e-6 : 0
      const moved = isCoin ? Number(cross.equity) * move : 0
      size = (size * Math.abs(1 + move) + Math.abs(moved)) * usd
      value = (value * (1 + move) + moved) * usd
    }
    if (at >= STANDARD_CELLS) {
      const dampener = dampeners[at - STANDARD_CELLS] as number
      // A dampener beyond doubles requires the exact computation of its cell.
      size += dampener === SAFE_MAX ? Number.POSITIVE_INFINITY : dampener
      value += dampener
    }
    const unsure = size * UNSURE + ROUNDED
    near.losses[at] = -value
    near.unsure[at] = unsure
    most = Math.max(most, -value - unsure)
  }
  return most
}

/** Cells in the form that margin uses: in the currency of the margin, dampened if they are extended. */
export function countedCells(input: RiskInput): readonly bigint[] {
  const counted: bigint[] = []
  for (let at = 0; at < SCENARIO_CELLS; at += 1) counted.push(countedCell(input, at))
  return counted
}

function countedCell(input: RiskInput, at: number): bigint {
  const own = wideToBigint(input.cells.sums, input.cells.at + 2 * at)
  const value = input.cross === null ? own : inUsdCell(input, own, at)
  if (at < STANDARD_CELLS) return value
  const dampened = value + exactDampener(input, at)
  return dampened < 0n ? dampened : 0n
}

/** The dampener of an extended cell. */
function exactDampener(input: RiskInput, at: number): bigint {
  const known = input.dampeners[at - STANDARD_CELLS] as number
  if (known < SAFE_MAX) return BigInt(known)
  return dampenerOf(input.table, at, dampedPrice(input.isCoin && input.cross === null, input.index9))
}

/** The price of the coin in which profits are, 0 if they are in USD or quote units, -1 if it is unknown. */
export function dampedPrice(isInCoin: boolean, index9: number): number {
  if (!isInCoin) return 0
  return index9 === 0 ? -1 : index9
}

/**
 * A standard cell as reports show it: a profit is multiplied with the offset of the terms, up to the largest profit
 * that may be offset (T85).
 */
export function offsetProfit(table: ScenarioTable, cell: bigint, coinUsd9: number): bigint {
  if (cell <= 0n) return cell
  const offset = divHalfAwayBig(cell * table.offsetPpm, PPM)
  if (coinUsd9 === 0) return offset
  const most = divHalfAwayBig(table.offsetMax * NANO * NANO, BigInt(coinUsd9))
  if (offset < most) return offset
  return most
}

/** A cell in USD, including the change of the account's coins. */
function inUsdCell(input: RiskInput, own: bigint, at: number): bigint {
  const { usd9, equity } = defined(input.cross ?? undefined, 'a cell in USD has a price')
  if (!input.isCoin) return divHalfAwayBig(own * BigInt(usd9), NANO)
  const move = BigInt(input.table.scenarios[at]?.countedPpm ?? 0)
  const coins = own * (PPM + move) + equity * move
  return divHalfAwayBig(coins * BigInt(usd9), NANO * PPM)
}

/** Shocks of the deltas, in 1e-18 of the currency of the margin. */
function shocksOf({ table, deltas, isCoin, index9, cross }: RiskInput): {
  readonly roll18: bigint
  readonly shock18: bigint
} {
  let roll18 = 0n
  let net = 0n
  for (const { delta9, move9 } of deltas) {
    roll18 += absolute(delta9) * BigInt(move9)
    net += delta9
  }
  const shock18 = deltaShock18(table, absolute(net), index9)
  // A coin of delta is worth the index in quote units, or in USD.
  let worth9 = isCoin ? NANO : BigInt(index9)
  if (cross !== null) worth9 = divHalfAwayBig(worth9 * BigInt(cross.usd9), NANO)
  if (worth9 === NANO) return { roll18, shock18 }
  return {
    roll18: divHalfAwayBig(roll18 * worth9, NANO),
    shock18: divHalfAwayBig(shock18 * worth9, NANO),
  }
}

/** The delta shock of a delta, in 1e-18 coin. */
export function deltaShock18(table: ScenarioTable, delta9: bigint, index9: number): bigint {
  if (index9 === 0) return 0n
  const free18 = table.threshold * NANO * NANO
  // Most deltas are below the threshold; a product shows that without a division.
  if (delta9 * BigInt(index9) <= free18) return 0n
  const free = divHalfAwayBig(free18, BigInt(index9))
  if (delta9 <= free) return 0n
  const rate18 = table.increase9 * (delta9 - free)
  const most18 = table.shockMax9 * NANO
  return divHalfAwayBig(delta9 * (rate18 < most18 ? rate18 : most18), NANO)
}

/** Sums of the cells without dampening. */
export function readCells({ sums, at }: CellSums): bigint[] {
  const cells: bigint[] = []
  for (let cell = 0; cell < SCENARIO_CELLS; cell += 1) cells.push(wideToBigint(sums, at + 2 * cell))
  return cells
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value
}
