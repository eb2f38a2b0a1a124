/**
 * Searches in lists whose times rise, and entries that are made when they are first asked for.
 */

/** The value of a key, made when it is first asked for. */
export function entryOf<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const found = map.get(key)
  if (found !== undefined) return found
  const made = make()
  map.set(key, made)
  return made
}

/** How many of the times, which rise, are at or before `time`: where to look for what held then. */
export function countUntil(times: readonly number[], time: number): number {
  return countOf(times.length, (at) => (times[at] as number) <= time)
}

/** `countUntil` for records with their times. */
export function recordsUntil(records: readonly { readonly time: number }[], time: number): number {
  return countOf(records.length, (at) => (records[at]?.time ?? time) <= time)
}

/** How many positions from the first are of the earlier part, which all later ones are not of. */
function countOf(length: number, isEarlier: (at: number) => boolean): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (isEarlier(middle)) low = middle + 1
    else high = middle
  }
  return low
}
