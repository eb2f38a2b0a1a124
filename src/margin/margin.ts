/**
 * Margin in force: open orders and margin of every holding, totals of every wallet.
 *
 * For each holding (account, instrument): open buys and open sells in lots, initial and maintenance
 * margin in nano. Initial margin is that of the worst of three sizes: the position, the position plus
 * all open buys, the position minus all open sells (market.md 6.1, T68, T69); orders that may only
 * reduce count for nothing. Since margin rises with size, only the largest is computed.
 *
 * A margin that is no safe integer stands beside the rows, and so does the sum of those of a wallet (`Beside`): its
 * cell says so. So no margin is too large to be counted, and the rows cost what they would without such.
 *
 * For each wallet (account, currency): the sums of both over its holdings, what open spot orders reserve, and
 * the part of initial margin that open buys of options reserve (`option-margin.ts`). Totals are updated by the difference when a holding changes, never rescanned; the audit of
 * the engine recomputes them.
 *
 * Most commands leave one or both of the sizes of a margin as they were. So each holding keeps the sizes and the mark that its margins were computed from, and the answer of
 * the check before an order is kept for the commit that follows it.
 */
import {
  addToWide,
  addWide,
  assert,
  compareWide,
  isNegativeWide,
  type Nano,
  setWideBigint,
  subtractNano,
  subtractWide,
  wideNear,
  wideToBigint,
  withRoom,
} from '../core/index.ts'
import type { Side } from '../model/index.ts'
import {
  type HeldSizes,
  initialMargin,
  type MarkedScale,
  maintenanceMargin,
  worstSize,
} from './standard.ts'

const EXPOSURE_STRIDE = 7
const BUYS = 0
const SELLS = 1
const INITIAL = 2
const MAINTENANCE = 3
/** The size of the initial margin, the size of the maintenance margin, and the mark of both. */
const WORST = 4
const HELD = 5
const MARK = 6

const TOTAL_STRIDE = 8
const TOTAL_INITIAL = 0
const TOTAL_MAINTENANCE = 2
const TOTAL_RESERVE = 4
const TOTAL_PREMIUM = 6

/** Cells of a row of `premiums`: only `option-margin.ts` knows what they are. */
export const PREMIUM_STRIDE = 4

/** Stands in a cell whose value is no safe integer. */
const BESIDE = -1
/** Amount taken off a balance that no account has: half of what a wide value holds. */
const BORNE_BY_NONE = 4_000_000_000_000_000_000_000_000n

/** Margin rows; only this file knows the layout of the first two. */
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

/** Inputs of the margin of a holding, beside its open orders. */
export interface MarginInput {
  readonly marked: MarkedScale
  /** Signed position in lots. */
  readonly position: number
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

/** Adds lots (negative: takes off) to the open orders of a side; margin follows by `updateMargin`. */
export function addOpenOrders(
  margin: Margin,
  holding: number,
  change: { readonly side: Side; readonly lots: number },
): void {
  const at = holding * EXPOSURE_STRIDE + (change.side === 'buy' ? BUYS : SELLS)
  const open = (margin.exposures[at] as number) + change.lots
  assert(open >= 0, 'open orders of a holding are not negative')
  margin.exposures[at] = open
}

/**
 * Recomputes the margin of a holding where the position, its open orders or the mark changed, and
 * carries the difference into the totals of its wallet.
 */
export function updateMargin(
  margin: Margin,
  owner: MarginOwner,
  marked: MarkedScale,
  position: number,
): void {
  const { exposures } = margin
  const at = owner.holding * EXPOSURE_STRIDE
  const worst = worstAt(margin, at, { position, buys: 0, sells: 0 })
  const held = Math.abs(position)
  const remarked = exposures[at + MARK] !== marked.mark9
  exposures[at + MARK] = marked.mark9
  if (remarked || exposures[at + WORST] !== worst) {
    exposures[at + WORST] = worst
    setInitial(margin, owner, initialMarginAt(margin, marked, worst))
  }
  if (remarked || exposures[at + HELD] !== held) {
    exposures[at + HELD] = held
    setMaintenance(margin, owner, maintenanceMargin(marked, held))
  }
}

/**
 * By how much the initial margin of a holding would rise (in nano, 0 or less: not at all) if so many
 * lots more were open on each side.
 */
export function initialMarginIncrease(
  margin: Margin,
  owner: MarginOwner,
  input: MarginInput,
  more: { readonly buys: number; readonly sells: number },
): Nano {
  const { exposures, foreseen } = margin
  const { marked, position } = input
  const at = owner.holding * EXPOSURE_STRIDE
  const size = worstAt(margin, at, { position, buys: more.buys, sells: more.sells })
  if (size <= (exposures[at + WORST] as number) && marked.mark9 === exposures[at + MARK]) return 0
  const initial = initialMargin(marked, size)
  foreseen.marked = marked
  foreseen.size = size
  foreseen.initial = initial
  return subtractNano(initial, valueAt(exposures, at + INITIAL, margin.beside.exposures))
}

/** Initial margin of a size, computed unless it was foreseen. */
function initialMarginAt(margin: Margin, marked: MarkedScale, size: number): Nano {
  const { foreseen } = margin
  const known = foreseen.marked === marked && foreseen.size === size
  return known ? foreseen.initial : initialMargin(marked, size)
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
export function setReserved(
  margin: Margin,
  of: { readonly at: number; readonly wallet: number },
  value: Nano,
): void {
  const { at, wallet } = of
  const total = wallet * TOTAL_STRIDE + TOTAL_PREMIUM
  if (typeof value === 'number' && margin.premiums[at] !== BESIDE) {
    setSafe(margin.premiums, at, { totals: margin.totals, total, value })
  } else setBeside(margin, { rows: 'premiums', at, total }, value)
}

/** Reads the same. For this folder. */
export function readReserved({ premiums, beside }: Margin, at: number): Nano {
  return valueAt(premiums, at, beside.premiums)
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
  const before = valueAt(rows, at, values)
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
function valueAt(rows: Float64Array, at: number, beside: ReadonlyMap<number, bigint>): Nano {
  const value = rows[at] as number
  return value === BESIDE ? (beside.get(at) ?? value) : value
}

/** Reserves a wide nano amount for open spot orders, or with sign -1 frees it. */
export function addReserve(
  margin: Margin,
  wallet: number,
  change: { readonly source: Float64Array; readonly from: number; readonly sign: 1 | -1 },
): void {
  const at = wallet * TOTAL_STRIDE + TOTAL_RESERVE
  if (change.sign === 1) addWide(margin.totals, at, change.source, change.from)
  else subtractWide(margin.totals, at, change.source, change.from)
  assert(!isNegativeWide(margin.totals, at), 'a spot reserve is not negative')
}

/**
 * Takes initial margin and spot reserve of a wallet off a wide value. Where the margin is more than any account
 * has, what is left only says so.
 */
export function subtractCommitted(
  target: Float64Array,
  at: number,
  owner: { readonly margin: Margin; readonly wallet: number },
): void {
  const { totals, beside } = owner.margin
  const initial = owner.wallet * TOTAL_STRIDE + TOTAL_INITIAL
  subtractWide(target, at, totals, initial)
  subtractWide(target, at, totals, owner.wallet * TOTAL_STRIDE + TOTAL_RESERVE)
  if (beside.totals.size === 0) return
  const more = beside.totals.get(initial)
  if (more === undefined) return
  const left = wideToBigint(target, at) - more
  setWideBigint(target, at, left < -BORNE_BY_NONE ? -BORNE_BY_NONE : left)
}

/** More than what doubles lose of a few sums, as a share of what is summed. */
const LOST = 1e-14

/** An amount in nano that initial margin and spot reserve of a wallet surely do not exceed, next to them. */
export function committedAtMost({ totals, beside }: Margin, wallet: number): number {
  if (beside.totals.size > 0) return Number.POSITIVE_INFINITY
  const initial = wideNear(totals, wallet * TOTAL_STRIDE + TOTAL_INITIAL)
  const reserve = wideNear(totals, wallet * TOTAL_STRIDE + TOTAL_RESERVE)
  return (initial + reserve) * (1 + LOST)
}

/** The same of its maintenance margin. */
export function maintenanceAtMost({ totals, beside }: Margin, wallet: number): number {
  if (beside.totals.size > 0) return Number.POSITIVE_INFINITY
  return wideNear(totals, wallet * TOTAL_STRIDE + TOTAL_MAINTENANCE) * (1 + LOST)
}

/** True if a wallet has maintenance margin at all. */
export function hasMaintenance({ totals, beside }: Margin, wallet: number): boolean {
  const at = wallet * TOTAL_STRIDE + TOTAL_MAINTENANCE
  return totals[at] !== 0 || totals[at + 1] !== 0 || beside.totals.has(at)
}

/** True if a wide value is less than the maintenance margin of a wallet. */
export function isBelowMaintenance(
  source: Float64Array,
  at: number,
  owner: { readonly margin: Margin; readonly wallet: number },
): boolean {
  const { totals, beside } = owner.margin
  const total = owner.wallet * TOTAL_STRIDE + TOTAL_MAINTENANCE
  const more = beside.totals.get(total)
  if (more === undefined) return compareWide(source, at, totals, total) < 0
  return wideToBigint(source, at) < wideToBigint(totals, total) + more
}

/** By how much a wide value exceeds the maintenance margin of a wallet, rounded to a double. */
export function slackNear(
  source: Float64Array,
  at: number,
  owner: { readonly margin: Margin; readonly wallet: number },
): number {
  const { totals, beside } = owner.margin
  const total = owner.wallet * TOTAL_STRIDE + TOTAL_MAINTENANCE
  // What stands beside the rows is more than any account has.
  if (beside.totals.has(total)) return Number.NEGATIVE_INFINITY
  return wideNear(source, at) - wideNear(totals, total)
}

/** Margin of a holding: open orders in lots, margins in nano. */
export interface Exposure {
  readonly buys: number
  readonly sells: number
  readonly initial: Nano
  readonly maintenance: Nano
}

/** Reads the margin of a holding. */
export function readExposure(margin: Margin, holding: number): Exposure {
  const { exposures, beside } = margin
  const at = holding * EXPOSURE_STRIDE
  return {
    buys: exposures[at + BUYS] as number,
    sells: exposures[at + SELLS] as number,
    initial: valueAt(exposures, at + INITIAL, beside.exposures),
    maintenance: valueAt(exposures, at + MAINTENANCE, beside.exposures),
  }
}

/** Totals of a wallet in nano. */
export interface MarginTotals {
  readonly initial: bigint
  readonly maintenance: bigint
  readonly reserve: bigint
  /** The part of `initial` that open buys of options reserve. */
  readonly premium: bigint
}

/** Reads the totals of a wallet. */
export function readTotals(margin: Margin, wallet: number): MarginTotals {
  const at = wallet * TOTAL_STRIDE
  return {
    initial: totalAt(margin, at + TOTAL_INITIAL),
    maintenance: totalAt(margin, at + TOTAL_MAINTENANCE),
    reserve: wideToBigint(margin.totals, at + TOTAL_RESERVE),
    premium: totalAt(margin, at + TOTAL_PREMIUM),
  }
}

function totalAt({ totals, beside }: Margin, at: number): bigint {
  const sum = wideToBigint(totals, at)
  return beside.totals.size === 0 ? sum : sum + (beside.totals.get(at) ?? 0n)
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
  assert(rows.exposures.length % EXPOSURE_STRIDE === 0, 'exposures come in whole rows')
  assert(rows.totals.length % TOTAL_STRIDE === 0, 'totals come in whole rows')
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

/** The worst size of a row, with so much more open on either side. */
function worstAt({ exposures }: Margin, at: number, more: HeldSizes): number {
  return worstSize({
    position: more.position,
    buys: (exposures[at + BUYS] as number) + more.buys,
    sells: (exposures[at + SELLS] as number) + more.sells,
  })
}
