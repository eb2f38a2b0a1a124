/**
 * The rows of margin: of every holding its open orders and its margins, of every wallet the sums of them.
 *
 * A margin that is no safe integer stands beside the rows, and so does the sum of those of a wallet (`Beside`): its
 * cell says so. So no margin is too large to be counted, and the rows cost what they would without such.
 *
 * Totals are updated by the difference when a holding changes, never rescanned; the audit of the engine recomputes them.
 */
import { addToWide, assert, type Nano, withRoom } from '../core/index.ts'
import type { MarkedScale } from './standard.ts'

export const EXPOSURE_STRIDE = 7
export const BUYS = 0
export const SELLS = 1
export const INITIAL = 2
export const MAINTENANCE = 3
/** The size of the initial margin, the size of the maintenance margin, and the mark of both. */
export const WORST = 4
export const HELD = 5
export const MARK = 6

export const TOTAL_STRIDE = 8
export const TOTAL_INITIAL = 0
export const TOTAL_MAINTENANCE = 2
export const TOTAL_RESERVE = 4
export const TOTAL_PREMIUM = 6

/** Cells of a row of `premiums`: only `option-margin.ts` knows what they are. */
export const PREMIUM_STRIDE = 4

/** Stands in a cell whose value is no safe integer. */
const BESIDE = -1
/** Margin rows; only this folder knows the layout. */
export interface Margin {
  exposures: Float64Array
  totals: Float64Array
  /** Rows of `option-margin.ts`. */
  premiums: Float64Array
  readonly beside: Beside
  readonly foreseen: Foreseen
}

/** Values in nano that no cell holds, by cell; in totals by the cell that they are added to. */
interface Beside {
  readonly exposures: Map<number, bigint>
  readonly totals: Map<number, bigint>
  readonly premiums: Map<number, bigint>
}

/** Initial margin as last foreseen for an order, and what it was computed from. */
interface Foreseen {
  marked: MarkedScale | null
  size: number
  initial: Nano
}

/** Whose rows an update changes. */
export interface MarginOwner {
  readonly holding: number
  readonly wallet: number
}

/** Margin of nobody. */
export function createMargin(): Margin {
  return {
    exposures: new Float64Array(EXPOSURE_STRIDE * 16),
    totals: new Float64Array(TOTAL_STRIDE * 32),
    premiums: new Float64Array(PREMIUM_STRIDE * 16),
    beside: { exposures: new Map(), totals: new Map(), premiums: new Map() },
    foreseen: nothingForeseen(),
  }
}

function nothingForeseen(): Foreseen {
  return { marked: null, size: 0, initial: 0 }
}

/** Makes room for holdings 0..rows-1. */
export function reserveExposures(margin: Margin, rows: number): void {
  margin.exposures = withRoom(margin.exposures, rows * EXPOSURE_STRIDE)
  margin.premiums = withRoom(margin.premiums, rows * PREMIUM_STRIDE)
}

/** Makes room for wallets 0..rows-1. */
export function reserveTotals(margin: Margin, rows: number): void {
  margin.totals = withRoom(margin.totals, rows * TOTAL_STRIDE)
}

/** Sets the initial margin of a holding and carries the difference into its wallet. For this folder. */
export function setInitial(margin: Margin, owner: MarginOwner, value: Nano): void {
  const at = owner.holding * EXPOSURE_STRIDE + INITIAL
  const total = owner.wallet * TOTAL_STRIDE + TOTAL_INITIAL
  if (typeof value === 'number' && margin.exposures[at] !== BESIDE) {
    setSafe(margin.exposures, at, { totals: margin.totals, total, value })
  } else setBeside(margin, { rows: 'exposures', at, total }, value)
}

/** The same of its maintenance margin. For this folder. */
export function setMaintenance(margin: Margin, owner: MarginOwner, value: Nano): void {
  const at = owner.holding * EXPOSURE_STRIDE + MAINTENANCE
  const total = owner.wallet * TOTAL_STRIDE + TOTAL_MAINTENANCE
  if (typeof value === 'number' && margin.exposures[at] !== BESIDE) {
    setSafe(margin.exposures, at, { totals: margin.totals, total, value })
  } else setBeside(margin, { rows: 'exposures', at, total }, value)
}

/** Sets what open buys of options reserve, in a cell of `premiums`. For this folder. */
export function setReserved(margin: Margin, of: { readonly at: number; readonly wallet: number }, value: Nano): void {
  const { at, wallet } = of
  const total = wallet * TOTAL_STRIDE + TOTAL_PREMIUM
  if (typeof value === 'number' && margin.premiums[at] !== BESIDE) {
    setSafe(margin.premiums, at, { totals: margin.totals, total, value })
  } else setBeside(margin, { rows: 'premiums', at, total }, value)
}

/** Reads the same. For this folder. */
export function readReserved({ premiums, beside }: Margin, at: number): Nano {
  return cellValueAt(premiums, at, beside.premiums)
}

/** A cell and the total that its value is a part of. */
interface Cell {
  readonly rows: 'exposures' | 'premiums'
  readonly at: number
  readonly total: number
}

/** Sets a cell where its value is, and was, a safe integer. */
function setSafe(
  rows: Float64Array,
  at: number,
  of: { readonly totals: Float64Array; readonly total: number; readonly value: number },
): void {
  const before = rows[at] as number
  rows[at] = of.value
  addToWide(of.totals, of.total, of.value - before)
}

/** The same where the value is, or was, no safe integer. */
function setBeside(margin: Margin, cell: Cell, value: Nano): void {
  const { at, total } = cell
  const rows = margin[cell.rows]
  const values = margin.beside[cell.rows]
  const before = cellValueAt(rows, at, values)
  if (typeof before === 'number') addToWide(margin.totals, total, -before)
  if (typeof value === 'number') addToWide(margin.totals, total, value)
  const more = (typeof value === 'bigint' ? value : 0n) - (values.get(at) ?? 0n)
  const sum = (margin.beside.totals.get(total) ?? 0n) + more
  if (sum === 0n) margin.beside.totals.delete(total)
  else margin.beside.totals.set(total, sum)
  rows[at] = typeof value === 'number' ? value : BESIDE
  if (typeof value === 'bigint') values.set(at, value)
  else values.delete(at)
}

/** Value that a cell holds, or stands for. */
export function cellValueAt(rows: Float64Array, at: number, beside: ReadonlyMap<number, bigint>): Nano {
  const value = rows[at] as number
  return value === BESIDE ? (beside.get(at) ?? value) : value
}

/** The rows of margin as plain arrays. */
export interface MarginRows {
  readonly exposures: Float64Array
  readonly totals: Float64Array
  readonly premiums: Float64Array
  /** Values that no cell holds, with their cells. */
  readonly beside: { readonly [Rows in keyof Beside]: readonly (readonly [number, bigint])[] }
}

/** The rows of margin, for a snapshot. */
export function snapshotMargin(
  margin: Margin,
  rows: { readonly holdings: number; readonly wallets: number },
): MarginRows {
  return {
    premiums: margin.premiums.slice(0, rows.holdings * PREMIUM_STRIDE),
    exposures: margin.exposures.slice(0, rows.holdings * EXPOSURE_STRIDE),
    totals: margin.totals.slice(0, rows.wallets * TOTAL_STRIDE),
    beside: {
      exposures: inOrder(margin.beside.exposures),
      totals: inOrder(margin.beside.totals),
      premiums: inOrder(margin.beside.premiums),
    },
  }
}

/** Values by their cells, whatever the order was in which they came about. */
function inOrder(values: ReadonlyMap<number, bigint>): readonly (readonly [number, bigint])[] {
  return [...values].sort(([left], [right]) => left - right)
}

/** Margin from the rows of a snapshot. */
export function restoreMargin(rows: MarginRows): Margin {
  assert(rows.exposures.length % EXPOSURE_STRIDE === 0, 'exposures are stored in whole rows')
  assert(rows.totals.length % TOTAL_STRIDE === 0, 'totals are stored in whole rows')
  return {
    exposures: withRoom(rows.exposures, rows.exposures.length),
    totals: withRoom(rows.totals, rows.totals.length),
    premiums: withRoom(rows.premiums, rows.premiums.length),
    beside: {
      exposures: new Map(rows.beside.exposures),
      totals: new Map(rows.beside.totals),
      premiums: new Map(rows.beside.premiums),
    },
    foreseen: nothingForeseen(),
  }
}
