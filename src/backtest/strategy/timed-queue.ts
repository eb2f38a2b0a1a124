/**
 * A first-in-first-out queue of items with non-decreasing times: a ring that grows by doubling.
 *
 * A constant latency keeps the order of messages, so no heap is needed. Positions count from 0 and are never reused, so
 * that several readers can follow one queue at their own pace.
 *
 * Cost: append, read and drop O(1). Limit: `TIMED_QUEUE_MAX` items; the owners of a queue stay below it.
 */
import { assert } from '../../core/index.ts'

/** Items in the order of their times; only the functions of this file write it. */
export interface TimedQueue<T> {
  items: (T | undefined)[]
  times: Float64Array
  /** Position of the first item. */
  first: number
  /** Position of the next appended item. */
  end: number
}

/** Code that appends more items than this has a defect. */
export const TIMED_QUEUE_MAX = 4_194_304

const CAPACITY_MIN = 16

/** An empty queue. */
export function createTimedQueue<T>(): TimedQueue<T> {
  return {
    items: new Array<T | undefined>(CAPACITY_MIN).fill(undefined),
    times: new Float64Array(CAPACITY_MIN),
    first: 0,
    end: 0,
  }
}

/** Number of waiting items. */
export function timedCount<T>(queue: Readonly<TimedQueue<T>>): number {
  return queue.end - queue.first
}

/** Appends an item. Its time must not be before the time of the last item. */
export function appendTimed<T>(queue: TimedQueue<T>, time: number, item: T): void {
  const { first, end } = queue
  if (end - first === queue.items.length) grow(queue)
  const mask = queue.items.length - 1
  if (end > first) {
    assert((queue.times[(end - 1) & mask] as number) <= time, 'times of a queue never fall')
  }
  queue.items[end & mask] = item
  queue.times[end & mask] = time
  queue.end = end + 1
}

/** The time of the first item; Infinity for an empty queue. */
export function firstTime<T>(queue: Readonly<TimedQueue<T>>): number {
  if (queue.first === queue.end) return Number.POSITIVE_INFINITY
  return queue.times[queue.first & (queue.items.length - 1)] as number
}

/** The time of the item at a position, which must be in the queue. */
export function timeAt<T>(queue: Readonly<TimedQueue<T>>, position: number): number {
  return queue.times[position & (queue.items.length - 1)] as number
}

/** The item at a position, which must be in the queue. */
export function itemAt<T>(queue: Readonly<TimedQueue<T>>, position: number): T {
  assert(position >= queue.first && position < queue.end, 'a position read is in the queue')
  // Positions in the queue are filled, which the type of a ring cannot express.
  return queue.items[position & (queue.items.length - 1)] as T
}

/** Removes and returns the first item. */
export function takeFirst<T>(queue: TimedQueue<T>): T {
  const item = itemAt(queue, queue.first)
  dropUntil(queue, queue.first + 1)
  return item
}

/** Drops everything before a position. */
export function dropUntil<T>(queue: TimedQueue<T>, position: number): void {
  assert(position <= queue.end, 'only added items are dropped')
  const mask = queue.items.length - 1
  for (let at = queue.first; at < position; at += 1) queue.items[at & mask] = undefined
  queue.first = position
}

function grow<T>(queue: TimedQueue<T>): void {
  const { items, times, first, end } = queue
  assert(end - first < TIMED_QUEUE_MAX, 'the length of a queue is limited')
  const mask = items.length - 1
  const capacity = items.length * 2
  queue.items = new Array<T | undefined>(capacity).fill(undefined)
  queue.times = new Float64Array(capacity)
  for (let at = first; at < end; at += 1) {
    queue.items[at & (capacity - 1)] = items[at & mask]
    queue.times[at & (capacity - 1)] = times[at & mask] as number
  }
}
