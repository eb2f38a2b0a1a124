/**
 * Positions that change hands, summed by instrument and grouped by shared margin.
 */
import type { Moved } from './margin-model.ts'

/** A signed size of an instrument. */
type MovedSize = Pick<Moved, 'row' | 'lots'>

/**
 * The total move of each instrument. Margins need the total: the margin of a sum is not the sum of its parts' margins.
 */
export function sizesOf(moves: readonly Moved[]): readonly MovedSize[] {
  const sizes: MovedSize[] = []
  for (const parts of groupBy(moves, ({ row }) => row).values()) {
    const lots = parts.reduce((sum, part) => sum + part.lots, 0)
    const [first] = parts
    if (first !== undefined) sizes.push({ row: first.row, lots })
  }
  return sizes
}

/** Groups moves by a key, in the order of each group's first move. */
export function groupBy<K, M extends MovedSize>(
  moves: readonly M[],
  keyOf: (move: M) => K,
): ReadonlyMap<K, readonly M[]> {
  const groups = new Map<K, M[]>()
  for (const move of moves) {
    const key = keyOf(move)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [move])
    else group.push(move)
  }
  return groups
}
