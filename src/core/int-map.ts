/**
 * A map from non-negative safe integers to 32-bit slots: open addressing in two typed arrays, with
 * linear probing and deletion by shifting back, so that no tombstones pile up.
 *
 * It exists because `Map<number, number>` costs the book half its speed and 40 bytes an entry
 * (notes/performance.md); `Map` is its oracle in the tests. Iteration order is not part of its face.
 */
import { assert } from './assert.ts'

/** State of an integer map; only this file touches the arrays. */
export interface IntMap {
  keys: Float64Array
  slots: Int32Array
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
  return {
    keys: new Float64Array(CAPACITY_MIN).fill(EMPTY),
    slots: new Int32Array(CAPACITY_MIN),
    size: 0,
    mask: CAPACITY_MIN - 1,
  }
}

/** The slot of `key`, or -1. */
export function intMapGet(map: IntMap, key: number): number {
  const { keys, mask } = map
  let at = homeOf(key, mask)
  for (;;) {
    const found = keys[at] as number
    if (found === key) return map.slots[at] as number
    if (found === EMPTY) return EMPTY
    at = (at + 1) & mask
  }
}

/** Sets the slot of `key`; the slot is a non-negative 32-bit integer. */
export function intMapSet(map: IntMap, key: number, slot: number): void {
  assert(key >= 0 && slot >= 0, 'keys and slots of an integer map are not negative')
  // Three quarters full is a fair trade of memory against the length of probes.
  if (map.size * 4 >= (map.mask + 1) * 3) grow(map)
  const { keys, mask } = map
  let at = homeOf(key, mask)
  for (;;) {
    const found = keys[at] as number
    if (found === key) break
    if (found === EMPTY) {
      keys[at] = key
      map.size += 1
      break
    }
    at = (at + 1) & mask
  }
  map.slots[at] = slot
}

/** Removes `key`; returns whether it was there. */
export function intMapDelete(map: IntMap, key: number): boolean {
  const { keys, slots, mask } = map
  let hole = homeOf(key, mask)
  while (keys[hole] !== key) {
    if (keys[hole] === EMPTY) return false
    hole = (hole + 1) & mask
  }
  let next = (hole + 1) & mask
  while (keys[next] !== EMPTY) {
    const home = homeOf(keys[next] as number, mask)
    // An entry moves back only if its home is not between the hole (exclusive) and itself.
    if (((next - home) & mask) >= ((next - hole) & mask)) {
      keys[hole] = keys[next] as number
      slots[hole] = slots[next] as number
      hole = next
    }
    next = (next + 1) & mask
  }
  keys[hole] = EMPTY
  map.size -= 1
  return true
}

function homeOf(key: number, mask: number): number {
  const high = key < TWO_32 ? 0 : Math.floor(key * INVERSE_TWO_32)
  const mixed = Math.imul((key | 0) ^ Math.imul(high, 0x85ebca6b), MULTIPLIER)
  return ((mixed >>> 15) ^ mixed) & mask
}

function grow(map: IntMap): void {
  const { keys, slots } = map
  const capacity = keys.length * 2
  map.keys = new Float64Array(capacity).fill(EMPTY)
  map.slots = new Int32Array(capacity)
  map.mask = capacity - 1
  map.size = 0
  for (let at = 0; at < keys.length; at += 1) {
    const key = keys[at] as number
    if (key !== EMPTY) intMapSet(map, key, slots[at] as number)
  }
}
