/**
 * The account between recorded prints and the levels they took from.
 *
 * A feed tells a trade twice: as a print, and as rows of the book that show what the print left. Either
 * may come first, and between the two the size is gone already. So
 *
 * - a print consumes what it took of the level at its price, and all of the levels that it passed;
 * - the next row of a level tells its size anew and settles what prints consumed there;
 * - a row that made a level smaller than prints explain is kept as `shrunk` for a short while, and a print
 *   at that price consumes only what it took beyond that: the row came first.
 *
 * Assumed: no feed tells a trade more than 10 ms after the row that shows it, and a trade takes from the
 * best level. A cancel within that time looks the same, so that a print just after it consumes too
 * little until the next row.
 *
 * Sizes in lots, prices in ticks, times in microseconds. Source: DESIGN 5.
 */
import { assert } from '../core/index.ts'

/** The time within which a print belongs to a row that came before it. */
const PRINT_LAG_MICROS = 10_000
/** Shrunk levels that are kept; beyond that those whose time is over are dropped. */
const SHRUNK_MAX = 64

/** Lots by which rows have made a level smaller, and the time of the last of them. */
interface Shrunk {
  lots: number
  at: number
}

/** The account of one side. */
export interface SidePrints {
  /** Lots that prints took of a level since its last row, by price. */
  readonly printed: Map<number, number>
  readonly shrunk: Map<number, Shrunk>
}

/** The account of a recorded book. Rows are not looked at before the first print. */
export interface PrintAccount {
  seen: boolean
  readonly buy: SidePrints
  readonly sell: SidePrints
}

/** The account of one side as plain data, in the order of prices. */
export interface SidePrintsState {
  readonly printed: readonly (readonly [price: number, lots: number])[]
  readonly shrunk: readonly (readonly [price: number, lots: number, at: number])[]
}

/** An account that has seen nothing. */
export function createPrintAccount(): PrintAccount {
  return { seen: false, buy: emptySide(), sell: emptySide() }
}

/** Lots that prints took of a level since its last row. */
export function printedAt(side: SidePrints, price: number): number {
  return side.printed.size === 0 ? 0 : (side.printed.get(price) ?? 0)
}

/** Notes lots that a print took of a level. */
export function notePrinted(side: SidePrints, price: number, lots: number): void {
  assert(lots > 0, 'a print takes a size')
  side.printed.set(price, printedAt(side, price) + lots)
}

/**
 * Settles a level whose row sets it from `before` to `after` lots. Where it was the best level, what
 * prints do not explain is kept as shrunk. Returns true when that began anew: nothing kept is older.
 */
export function settleRow(
  side: SidePrints,
  row: {
    readonly price: number
    readonly before: number
    readonly after: number
    readonly isBest: boolean
    readonly now: number
  },
): boolean {
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

/** Lots of a print that a row has shown before, which are counted no second time. */
export function claimShrunk(
  side: SidePrints,
  print: { readonly price: number; readonly lots: number; readonly now: number },
): number {
  const { price, lots, now } = print
  const kept = shrunkAt(side, price, now)
  const claimed = Math.min(kept, lots)
  const { at } = side.shrunk.get(price) ?? { at: now }
  if (claimed === kept) side.shrunk.delete(price)
  else side.shrunk.set(price, { lots: kept - claimed, at })
  return claimed
}

/** Forgets both, because the book is told anew. */
export function clearPrints(account: PrintAccount): void {
  for (const side of [account.buy, account.sell]) {
    side.printed.clear()
    side.shrunk.clear()
  }
}

/** A side as plain data, for snapshots and the state hash. */
export function sidePrintsState({ printed, shrunk }: SidePrints): SidePrintsState {
  const byPrice = (left: readonly [number, ...unknown[]], right: typeof left): number => left[0] - right[0]
  return {
    printed: [...printed].sort(byPrice),
    shrunk: [...shrunk].map(([price, { lots, at }]) => [price, lots, at] as const).sort(byPrice),
  }
}

/** Puts a side of a snapshot back. */
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
