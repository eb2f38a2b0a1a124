/**
 * Relates recorded prints to the levels that they took from.
 *
 * A feed reports a trade twice: as a print, and as rows of the book with the size that the print left. Either may come
 * first, and between the two the size is already gone. So
 *
 * - a print consumes the size that it took of the level at its price, and all size of the levels that it passed;
 * - the next row of a level sets its size again and settles the size that prints consumed there;
 * - if a row reduces a level by more than prints explain, the difference is kept as `shrunk` for a short time, and a
 *   print at that price consumes only its size beyond that difference, because the row came first.
 *
 * Assumed: no feed reports a trade more than 10 ms after the row that shows it, and a trade takes from the best level.
 * A cancel within that time looks the same, so a print just after it consumes too little until the next row.
 *
 * Sizes in lots, prices in ticks, times in microseconds. Source: DESIGN 5.
 */
import { assert } from '../core/index.ts'

/** The time within which a print can belong to a row before it. */
const PRINT_LAG_MICROS = 10_000
/** Number of shrunk levels above which expired ones are dropped. */
const SHRUNK_MAX = 64

/** Lots by which rows reduced a level, and the time of the last of them. */
interface Shrunk {
  lots: number
  at: number
}

/** The state of one side. */
export interface SidePrints {
  /** Lots that prints took of a level since its last row, by price. */
  readonly printed: Map<number, number>
  readonly shrunk: Map<number, Shrunk>
}

/** The state of a recorded book. Rows are ignored before the first print. */
export interface PrintAccount {
  seen: boolean
  readonly buy: SidePrints
  readonly sell: SidePrints
}

/** The state of one side as plain data, in the order of prices. */
export interface SidePrintsState {
  readonly printed: readonly (readonly [price: number, lots: number])[]
  readonly shrunk: readonly (readonly [price: number, lots: number, at: number])[]
}

/** The initial state. */
export function createPrintAccount(): PrintAccount {
  return { seen: false, buy: emptySide(), sell: emptySide() }
}

/** Lots that prints took of a level since its last row. */
export function printedAt(side: SidePrints, price: number): number {
  return side.printed.size === 0 ? 0 : (side.printed.get(price) ?? 0)
}

/** Records lots that a print took of a level. */
export function notePrinted(side: SidePrints, price: number, lots: number): void {
  assert(lots > 0, 'a print takes a size')
  side.printed.set(price, printedAt(side, price) + lots)
}

/** A recorded level that a row changes: its price, its lots before and after, and the current time. */
interface ChangedRow {
  readonly price: number
  readonly before: number
  readonly after: number
  readonly isBest: boolean
  readonly now: number
}

/**
 * Settles a level when its row changes it from `before` to `after` lots. If it was the best level, the size that prints
 * do not explain is kept as shrunk. Returns true if that started a new entry, so that no earlier rows count.
 */
export function settleRow(side: SidePrints, row: ChangedRow): boolean {
  const { price, before, after, isBest, now } = row
  const unexplained = before - after - printedAt(side, price)
  if (side.printed.size > 0) side.printed.delete(price)
  if (!isBest || unexplained <= 0) return false
  if (side.shrunk.size >= SHRUNK_MAX) dropOld(side, now)
  const known = side.shrunk.get(price)
  if (known === undefined) {
    side.shrunk.set(price, { lots: unexplained, at: now })
    return true
  }
  const kept = now - known.at > PRINT_LAG_MICROS ? 0 : known.lots
  known.lots = kept + unexplained
  known.at = now
  return kept === 0
}

/** Lots of a print that an earlier row has already shown. They must not be consumed twice. */
export function claimShrunk(side: SidePrints, price: number, lots: number, now: number): number {
  const kept = shrunkAt(side, price, now)
  const claimed = Math.min(kept, lots)
  const { at } = side.shrunk.get(price) ?? { at: now }
  if (claimed === kept) side.shrunk.delete(price)
  else side.shrunk.set(price, { lots: kept - claimed, at })
  return claimed
}

/** Clears both sides, because a snapshot replaces the book. */
export function clearPrints(account: PrintAccount): void {
  for (const side of [account.buy, account.sell]) {
    side.printed.clear()
    side.shrunk.clear()
  }
}

/** A side as plain data, for snapshots and the state hash. */
export function sidePrintsState(side: SidePrints): SidePrintsState {
  const byPrice = (left: readonly [number, ...unknown[]], right: typeof left): number => left[0] - right[0]
  return {
    printed: [...side.printed].sort(byPrice),
    shrunk: [...side.shrunk].map(([price, { lots, at }]) => [price, lots, at] as const).sort(byPrice),
  }
}

/** Restores a side from a snapshot. */
export function restoreSidePrints(side: SidePrints, state: SidePrintsState): void {
  for (const [price, lots] of state.printed) side.printed.set(price, lots)
  for (const [price, lots, at] of state.shrunk) side.shrunk.set(price, { lots, at })
}

function emptySide(): SidePrints {
  return { printed: new Map(), shrunk: new Map() }
}

function shrunkAt(side: SidePrints, price: number, now: number): number {
  if (side.shrunk.size === 0) return 0
  const kept = side.shrunk.get(price)
  return kept === undefined || now - kept.at > PRINT_LAG_MICROS ? 0 : kept.lots
}

function dropOld(side: SidePrints, now: number): void {
  for (const [price, { at }] of side.shrunk) {
    if (now - at > PRINT_LAG_MICROS) side.shrunk.delete(price)
  }
}
