/**
 * Positions that change hands, summed by what shares a margin.
 */
import type { Moved } from './margin-model.ts'

/** A size of an instrument, signed. */
export type MovedSize = Pick<Moved, 'row' | 'lots'>

/** Moves of each instrument, in one or more parts: margin is no sum of what its parts would need. */
export function sizesOf(moves: readonly Moved[]): readonly MovedSize[] {
  const sizes: MovedSize[] = []
  for (const parts of groupBy(moves, ({ row }) => row).values()) {
    const lots = parts.reduce((sum, part) => sum + part.lots, 0)
    const [first] = parts
    if (first !== undefined) sizes.push({ row: first.row, lots })
  }
  return sizes
}

/** Moves by a key, in the order of their first. */
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
