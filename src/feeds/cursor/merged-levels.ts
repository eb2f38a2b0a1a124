/**
 * Levels of a book whose recorded prices are finer than the grid (`off_grid: keep`). Each level keeps its recorded
 * price as its identity, and a grid price shows the sum of its levels.
 *
 * Cost: two map operations per row, only with that policy.
 */
import { rowSide } from '../../model/index.ts'

/** Lots at each recorded price, by grid price, of one side. */
type MergedSide = Map<number, Map<number, number>>

/** The levels of both sides. */
export interface MergedLevels {
  readonly bids: MergedSide
  readonly asks: MergedSide
}

/** A book without levels. */
export function createMergedLevels(): MergedLevels {
  return { bids: new Map(), asks: new Map() }
}

/** Removes all levels. */
export function clearMerged({ bids, asks }: MergedLevels): void {
  bids.clear()
  asks.clear()
}

/** Sets the lots at a recorded price; returns the sum at its grid price. */
export function mergeLevel(
  { bids, asks }: MergedLevels,
  row: {
    readonly side: number
    /** The grid price, in ticks. */
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
