/**
 * A map from non-negative safe integers to 32-bit slots: open addressing in a typed array, with each key next to its
 * slot, linear probing, and deletion by shifting back, so that no tombstones accumulate.
 *
 * It exists because with `Map<number, number>` the book has half its speed and needs 40 bytes for an entry; `Map` is
 * its oracle in the tests. Callers must not rely on the iteration order.
 */
import { assert } from './assert.ts'

/** State of an integer map; only this file uses the array. */
export interface IntMap {
  /** Each key followed by its slot, so that a lookup touches one cache line. */
  cells: Float64Array
  size: number
  mask: number
}

const EMPTY = -1
const CAPACITY_MIN = 16
/** Multiplier of Fibonacci hashing: 2^32 / golden ratio. */
const MULTIPLIER = 0x9e3779b1
const TWO_32 = 4_294_967_296
const INVERSE_TWO_32 = 2.3283064365386963e-10

/** An empty map. */
export function createIntMap(): IntMap {
  return { cells: emptyCells(CAPACITY_MIN), size: 0, mask: CAPACITY_MIN - 1 }
}

function emptyCells(capacity: number): Float64Array {
  return new Float64Array(capacity * 2).fill(EMPTY)
}

/** The slot of `key`, or -1. */
export function intMapGet(map: IntMap, key: number): number {
  const { cells, mask } = map
  let at = homeOf(key, mask)
  for (;;) {
    const found = cells[2 * at] as number
    // An empty cell has -1 both as key and as slot.
    if (found === key || found === EMPTY) return cells[2 * at + 1] as number
    at = (at + 1) & mask
  }
}

/** Sets the slot of `key`; the slot is a non-negative 32-bit integer. */
export function intMapSet(map: IntMap, key: number, slot: number): void {
  assert(key >= 0 && slot >= 0, 'keys and slots of an integer map are not negative')
  // Three quarters full is a good compromise between memory and the length of probes.
  if (map.size * 4 >= (map.mask + 1) * 3) grow(map)
  const { cells, mask } = map
  let at = homeOf(key, mask)
  for (;;) {
    const found = cells[2 * at] as number
    if (found === key) break
    if (found === EMPTY) {
      cells[2 * at] = key
      map.size += 1
      break
    }
    at = (at + 1) & mask
  }
  cells[2 * at + 1] = slot
}

/** Removes `key`; returns true if it was there. */
export function intMapDelete(map: IntMap, key: number): boolean {
  const { cells, mask } = map
  let hole = homeOf(key, mask)
  while (cells[2 * hole] !== key) {
    if (cells[2 * hole] === EMPTY) return false
    hole = (hole + 1) & mask
  }
  let next = (hole + 1) & mask
  while (cells[2 * next] !== EMPTY) {
    const home = homeOf(cells[2 * next] as number, mask)
    // An entry moves back only if its home is not between the hole (exclusive) and itself.
    if (((next - home) & mask) >= ((next - hole) & mask)) {
      cells[2 * hole] = cells[2 * next] as number
      cells[2 * hole + 1] = cells[2 * next + 1] as number
      hole = next
    }
    next = (next + 1) & mask
  }
  cells[2 * hole] = EMPTY
  cells[2 * hole + 1] = EMPTY
  map.size -= 1
  return true
}

function homeOf(key: number, mask: number): number {
  const high = key < TWO_32 ? 0 : Math.floor(key * INVERSE_TWO_32)
  const mixed = Math.imul((key | 0) ^ Math.imul(high, 0x85ebca6b), MULTIPLIER)
  return ((mixed >>> 15) ^ mixed) & mask
}

function grow(map: IntMap): void {
  const { cells } = map
  map.cells = emptyCells(cells.length)
  map.mask = cells.length - 1
  map.size = 0
  for (let at = 0; at < cells.length; at += 2) {
    const key = cells[at] as number
    if (key !== EMPTY) intMapSet(map, key, cells[at + 1] as number)
  }
}
