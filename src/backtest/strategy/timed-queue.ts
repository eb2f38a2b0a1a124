/**
 * A queue of things with times that never fall, first in first out: a ring that grows by doubling.
 *
 * A constant latency keeps the order of what passes it, so that no heap is needed. Positions count
 * from 0 and are never used twice, so that several readers can follow one queue at their own pace.
 *
 * Cost: append, read and drop O(1). Limit: `TIMED_QUEUE_MAX` things, which its owners stay below.
 */
import { assert } from '../../core/index.ts'

/** Things in the order of their times; only the functions of this file write it. */
export interface TimedQueue<T> {
  items: (T | undefined)[]
  times: Float64Array
  /** Position of the first thing. */
  first: number
  /** Position that the next thing gets. */
  end: number
}

/** More things than this are an error of whoever appends them. */
export const TIMED_QUEUE_MAX = 4_194_304

const CAPACITY_MIN = 16

/** A queue of nothing. */
export function createTimedQueue<T>(): TimedQueue<T> {
  return {
    items: new Array<T | undefined>(CAPACITY_MIN).fill(undefined),
    times: new Float64Array(CAPACITY_MIN),
    first: 0,
    end: 0,
  }
}

/** How many things wait. */
export function timedCount<T>(queue: Readonly<TimedQueue<T>>): number {
  return queue.end - queue.first
}

/** Adds a thing at a time that is not before the last one's. */
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

/** The time of the first thing, Infinity where there is none. */
export function firstTime<T>(queue: Readonly<TimedQueue<T>>): number {
  if (queue.first === queue.end) return Number.POSITIVE_INFINITY
  return queue.times[queue.first & (queue.items.length - 1)] as number
}

/** The time of the thing at a position that is in the queue. */
export function timeAt<T>(queue: Readonly<TimedQueue<T>>, position: number): number {
  return queue.times[position & (queue.items.length - 1)] as number
}

/** The thing at a position that is in the queue. */
export function itemAt<T>(queue: Readonly<TimedQueue<T>>, position: number): T {
  assert(position >= queue.first && position < queue.end, 'a position read is in the queue')
  // Positions in the queue are filled, which the type of a ring cannot say.
  return queue.items[position & (queue.items.length - 1)] as T
}

/** Takes the first thing. */
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
