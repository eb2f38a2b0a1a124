/**
 * Levels of a book whose recorded prices are finer than the grid that they are moved to (`off_grid: keep`): each keeps
 * the identity of its recorded price, and a price of the grid shows the sum of its levels.
 *
 * Cost: only with that policy, two map operations a row.
 */
import { rowSide } from '../../model/index.ts'

/** Lots at each recorded price, by price of the grid, of one side. */
type MergedSide = Map<number, Map<number, number>>

/** The levels of both sides. */
export interface MergedLevels {
  readonly bids: MergedSide
  readonly asks: MergedSide
}

/** No levels. */
export function createMergedLevels(): MergedLevels {
  return { bids: new Map(), asks: new Map() }
}

/** Forgets all levels. */
export function clearMerged({ bids, asks }: MergedLevels): void {
  bids.clear()
  asks.clear()
}

/** Sets the lots at a recorded price; returns the sum at its price of the grid. */
export function mergeLevel(
  { bids, asks }: MergedLevels,
  row: {
    readonly side: number
    /** The price of the grid, in ticks. */
    readonly price: number
    /** The price as recorded. */
    readonly recorded: number
    readonly lots: number
  },
): number {
  const side = row.side === rowSide.sell ? asks : bids
  const levels = side.get(row.price) ?? new Map<number, number>()
  if (row.lots === 0) levels.delete(row.recorded)
  else levels.set(row.recorded, row.lots)
  if (levels.size === 0) side.delete(row.price)
  else side.set(row.price, levels)
  let lots = 0
  for (const each of levels.values()) lots += each
  return lots
}
