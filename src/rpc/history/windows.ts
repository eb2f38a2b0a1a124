/**
 * Windows: rows by key, oldest first, of which the newest are kept. All records of the history are in windows; most
 * rows are the events themselves.
 */

import { type Micros, mapOf, millisOf, plainUnit, setOf, type Unit } from '../../core/index.ts'

/** A window for each key, which keeps between the limit and twice the limit of rows. */
export interface Windows<K, Row> {
  readonly rows: Map<K, Row[]>
  /** The keys whose oldest rows were dropped. */
  readonly cut: Set<K>
}

/** The note on a page of records that older ones are missing; empty if none is missing. */
export interface Truncation {
  /** Records before it may be missing: milliseconds, or the first stored sequence number. */
  readonly truncated_before?: number
}

/** The note of a complete page. */
export const whole: Truncation = {}

/** Creates windows without rows. */
export function createWindows<K, Row>(): Windows<K, Row> {
  return { rows: new Map(), cut: new Set() }
}

/** Windows as a field of a row: snapshots hold rows and cuts. */
export function windowsUnit<K, Row>(keys: Unit<K>, name: string): Unit<Windows<K, Row>> {
  const rows = mapOf(keys, plainUnit<Row[]>(name))
  const cut = setOf(keys)
  return {
    name: `${name} by ${keys.name}`,
    save: (windows) => [rows.save(windows.rows), cut.save(windows.cut)],
    load: (plain) => {
      // `save` wrote a list of the two.
      const [savedRows = null, savedCut = null] = plain as readonly (typeof plain)[]
      return { rows: rows.load(savedRows), cut: cut.load(savedCut) }
    },
  }
}

/** Appends a row, and drops the oldest half once twice the limit is reached. */
export function keepRow<K, Row>({ rows, cut }: Windows<K, Row>, key: K, row: Row, limit: number): void {
  const list = rows.get(key)
  if (list === undefined) {
    rows.set(key, [row])
    return
  }
  list.push(row)
  if (list.length < limit * 2) return
  list.splice(0, list.length - limit)
  cut.add(key)
}

/** The rows of a key, oldest first. */
export function rowsOf<K, Row>({ rows }: Windows<K, Row>, key: K): readonly Row[] {
  return rows.get(key) ?? []
}

/** The note on a page of a key's rows about missing rows; `from` is the earliest millisecond that the page asks for. */
export function missingOf<K, Row extends { readonly time: Micros }>(
  windows: Windows<K, Row>,
  key: K,
  from?: number,
): Truncation {
  return windows.cut.has(key) ? truncation(rowsOf(windows, key)[0], from) : whole
}

/** The note on a page whose list begins at a record; `from` is the earliest millisecond that the page asks for. */
export function truncation(first: { readonly time: Micros } | undefined, from = Number.NEGATIVE_INFINITY): Truncation {
  if (first === undefined) return whole
  const kept = millisOf(first.time)
  // Other records of the first millisecond may be missing too.
  return from > kept ? whole : { truncated_before: kept }
}

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

/** A record with its time in microseconds. */
interface TimedRecord {
  readonly time: number
}

/** `countUntil` for records with a time. */
export function recordsUntil(records: readonly TimedRecord[], time: number): number {
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
