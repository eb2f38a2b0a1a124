/**
 * Binary searches in lists with rising times, and map entries that are created on first use.
 */

/** The value of a key, created on first use. */
export function entryOf<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const found = map.get(key)
  if (found !== undefined) return found
  const made = make()
  map.set(key, made)
  return made
}

/**
 * Number of times at or before `time` in a list of rising times. The entry before that position is the one in force at
 * `time`.
 */
export function countUntil(times: readonly number[], time: number): number {
  return countOf(times.length, (at) => (times[at] as number) <= time)
}

/** `countUntil` for records with a time. */
export function recordsUntil(records: readonly { readonly time: number }[], time: number): number {
  return countOf(records.length, (at) => (records[at]?.time ?? time) <= time)
}

/** Number of leading positions for which `isEarlier` is true; it must be false for all later positions. */
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
