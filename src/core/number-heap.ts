/**
 * Numbers with a value each, the smallest first: a binary heap in flat arrays.
 *
 * Only the smallest entry can be removed. A caller with an outdated entry ignores it when it comes out, or clears the
 * heap and fills it again. Cost: push and pop O(log n), peek O(1), 12 bytes for an entry.
 */
import { assert } from './assert.ts'

/** The entries; only the functions of this file write it. */
export interface NumberHeap {
  keys: Float64Array
  values: Int32Array
  size: number
}

const FIRST_ROOM = 16

/** A heap without entries. */
export function createNumberHeap(): NumberHeap {
  return { keys: new Float64Array(0), values: new Int32Array(0), size: 0 }
}

/** Adds a key, which may be infinite, with its value, an integer of 32 bits. */
export function pushNumber(heap: NumberHeap, key: number, value: number): void {
  assert(!Number.isNaN(key) && (value | 0) === value, 'a heap holds numbers')
  if (heap.size === heap.keys.length) grow(heap)
  const { keys, values } = heap
  let at = heap.size
  heap.size += 1
  while (at > 0) {
    const parent = (at - 1) >> 1
    if ((keys[parent] as number) <= key) break
    keys[at] = keys[parent] as number
    values[at] = values[parent] as number
    at = parent
  }
  keys[at] = key
  values[at] = value
}

/** The smallest key; infinite without entries. */
export function peekNumber(heap: NumberHeap): number {
  return heap.size === 0 ? Number.POSITIVE_INFINITY : (heap.keys[0] as number)
}

/** Removes the smallest key and returns its value. */
export function popNumber(heap: NumberHeap): number {
  assert(heap.size > 0, 'a removed number is in the heap')
  const first = heap.values[0] as number
  heap.size -= 1
  sink(heap, heap.keys[heap.size] as number, heap.values[heap.size] as number)
  return first
}

/** Removes all entries. */
export function clearNumbers(heap: NumberHeap): void {
  heap.size = 0
}

/** Inserts an entry at the root and moves it down to its place. */
function sink({ keys, values, size }: NumberHeap, key: number, value: number): void {
  let at = 0
  for (;;) {
    let child = 2 * at + 1
    if (child >= size) break
    if (child + 1 < size && (keys[child + 1] as number) < (keys[child] as number)) child += 1
    if ((keys[child] as number) >= key) break
    keys[at] = keys[child] as number
    values[at] = values[child] as number
    at = child
  }
  if (size > 0) {
    keys[at] = key
    values[at] = value
  }
}

function grow(heap: NumberHeap): void {
  const room = Math.max(FIRST_ROOM, heap.keys.length * 2)
  const keys = new Float64Array(room)
  const values = new Int32Array(room)
  keys.set(heap.keys)
  values.set(heap.values)
  heap.keys = keys
  heap.values = values
}
