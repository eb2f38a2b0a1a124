/**
 * The rows of margin: the open orders and margins of every holding, and their sums for every wallet.
 *
 * A margin that is not a safe integer is stored outside the rows (`Beside`), and so is the sum of such margins of a
 * wallet; a marker in its cell shows that. So margins have no upper limit, and the rows cost no more than without large
 * margins.
 *
 * Totals are updated by the difference when a holding changes, never rescanned; the audit of the engine recomputes
 * them.
 */
import { addToWide, assert, type Nano, withRoom } from '../core/index.ts'
import type { MarkedScale } from './standard.ts'

export const EXPOSURE_STRIDE = 7
export const BUYS = 0
export const SELLS = 1
export const INITIAL = 2
export const MAINTENANCE = 3
/** Cells of the size behind the initial margin, the size behind the maintenance margin, and the mark of both. */
export const WORST = 4
export const HELD = 5
export const MARK = 6

export const TOTAL_STRIDE = 8
export const TOTAL_INITIAL = 0
export const TOTAL_MAINTENANCE = 2
export const TOTAL_RESERVE = 4
export const TOTAL_PREMIUM = 6

/** Cells of a row of `premiums`; only `option-margin.ts` uses them. */
export const PREMIUM_STRIDE = 4
const RESERVE = 3

/** Marker in a cell whose value is not a safe integer. */
const BESIDE = -1
/** Margin rows; only this folder uses their layout. */
export interface Margin {
  exposures: Float64Array
  totals: Float64Array
  /** Rows of `option-margin.ts`. */
  premiums: Float64Array
  readonly beside: Beside
  readonly foreseen: Foreseen
}

/** Values in nano that do not fit into cells, by cell; `totals` has their sums by the cell of the total. */
interface Beside {
  readonly exposures: Map<number, bigint>
  readonly totals: Map<number, bigint>
  readonly premiums: Map<number, bigint>
}

/** Initial margin that was last computed for the check of an order, and its inputs. */
interface Foreseen {
  marked: MarkedScale | null
  size: number
  initial: Nano
}

/** The rows of the holding and the wallet that an update changes. */
export interface MarginOwner {
  readonly holding: number
  readonly wallet: number
}

/** Margin without holdings. */
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

/** Sets the initial margin of a holding, and adds the difference to its wallet. Only for this folder. */
export function setInitial(margin: Margin, owner: MarginOwner, value: Nano): void {
  const at = owner.holding * EXPOSURE_STRIDE + INITIAL
  const total = owner.wallet * TOTAL_STRIDE + TOTAL_INITIAL
  if (typeof value === 'number' && margin.exposures[at] !== BESIDE) {
    setSafe(margin.exposures, at, margin.totals, total, value)
  } else setBeside(margin, { rows: 'exposures', at, total }, value)
}

/** Sets the maintenance margin of a holding, and adds the difference to its wallet. Only for this folder. */
export function setMaintenance(margin: Margin, owner: MarginOwner, value: Nano): void {
  const at = owner.holding * EXPOSURE_STRIDE + MAINTENANCE
  const total = owner.wallet * TOTAL_STRIDE + TOTAL_MAINTENANCE
  if (typeof value === 'number' && margin.exposures[at] !== BESIDE) {
    setSafe(margin.exposures, at, margin.totals, total, value)
  } else setBeside(margin, { rows: 'exposures', at, total }, value)
}

/** Sets the reserve of a holding's open buys of options. Only for this folder. */
export function setReserved(margin: Margin, owner: MarginOwner, value: Nano): void {
  const at = owner.holding * PREMIUM_STRIDE + RESERVE
  const total = owner.wallet * TOTAL_STRIDE + TOTAL_PREMIUM
  if (typeof value === 'number' && margin.premiums[at] !== BESIDE) {
    setSafe(margin.premiums, at, margin.totals, total, value)
  } else setBeside(margin, { rows: 'premiums', at, total }, value)
}

/** Reads the reserve of a holding's open buys of options. Only for this folder. */
export function readReserved(margin: Margin, holding: number): Nano {
  return cellValueAt(margin.premiums, holding * PREMIUM_STRIDE + RESERVE, margin.beside.premiums)
}

/** A cell and the total that includes its value. */
interface Cell {
  readonly rows: 'exposures' | 'premiums'
  readonly at: number
  readonly total: number
}

/** Sets a cell whose old and new values are safe integers. */
function setSafe(rows: Float64Array, at: number, totals: Float64Array, total: number, value: number): void {
  const before = rows[at] as number
  rows[at] = value
  addToWide(totals, total, value - before)
}

/** Sets a cell whose old or new value is not a safe integer. */
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

/** Value of a cell, also if it is stored outside the rows. */
export function cellValueAt(rows: Float64Array, at: number, beside: ReadonlyMap<number, bigint>): Nano {
  const value = rows[at] as number
  return value === BESIDE ? (beside.get(at) ?? value) : value
}

/** The rows of margin as plain arrays. */
interface MarginRows {
  readonly exposures: Float64Array
  readonly totals: Float64Array
  readonly premiums: Float64Array
  /** Values that do not fit into cells, with their cells. */
  readonly beside: { readonly [Rows in keyof Beside]: readonly (readonly [number, bigint])[] }
}

/** The rows of margin, for a snapshot. */
export function snapshotMargin(margin: Margin, holdings: number, wallets: number): MarginRows {
  return {
    premiums: margin.premiums.slice(0, holdings * PREMIUM_STRIDE),
    exposures: margin.exposures.slice(0, holdings * EXPOSURE_STRIDE),
    totals: margin.totals.slice(0, wallets * TOTAL_STRIDE),
    beside: {
      exposures: inOrder(margin.beside.exposures),
      totals: inOrder(margin.beside.totals),
      premiums: inOrder(margin.beside.premiums),
    },
  }
}

/** Values in the order of their cells, whatever the order of their insertion. */
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
