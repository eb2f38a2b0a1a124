/**
 * The queue of timers: it returns the next due timer in the total order (time, rank, sequence).
 *
 * A binary heap that knows the slot of each entry, so that a cancelled timer is removed immediately. The time of the
 * next timer is stored separately for the loop that reads it before each command. Sequences are assigned in the order
 * of scheduling and never reused; they are the timers' ids.
 *
 * Cost: schedule, cancel and pop O(log n), peek O(1). Limit: `TIMERS_MAX` waiting timers, beyond which scheduling
 * asserts; the code that schedules timers limits their number. Stored twice: the slots, the table by id and the next
 * time; `auditTimerQueue` compares them.
 */
import { assert, defined } from '../assert.ts'
import { type Micros, type Sequence, sequence } from '../units.ts'

/** Identifies a scheduled timer: its sequence number. */
export type TimerId = Sequence

/** The due time of a timer and its payload; at equal times the lower rank runs first. */
export type TimerPlan<T> = {
  readonly time: Micros
  /** An integer from 0. */
  readonly rank: number
  readonly payload: T
}

/** A scheduled timer. */
export type Timer<T> = TimerPlan<T> & { readonly id: TimerId }

/** The waiting timers; only the functions of this file write it. */
export interface TimerQueue<T> {
  heap: Entry<T>[]
  entryById: Map<TimerId, Entry<T>>
  nextTime: number
  nextSequence: number
}

/** A queue as plain data: its timers in the order of their due times. */
export type TimerQueueSnapshot<T> = {
  readonly nextSequence: number
  readonly timers: readonly Timer<T>[]
}

/** The time of the next timer of an empty queue: later than every time. */
export const NO_TIMER_TIME = Number.POSITIVE_INFINITY

const TIMERS_MAX = 10_000_000

interface Entry<T> {
  readonly timer: Timer<T>
  slot: number
}

/** A queue without timers. */
export function createTimerQueue<T>(): TimerQueue<T> {
  return { heap: [], entryById: new Map(), nextTime: NO_TIMER_TIME, nextSequence: 0 }
}

/** Adds a timer and returns its id. */
export function schedule<T>(queue: TimerQueue<T>, plan: TimerPlan<T>): TimerId {
  const { time, rank, payload } = plan
  assert(Number.isSafeInteger(time) && time >= 0, 'a timer has a time')
  assert(Number.isSafeInteger(rank) && rank >= 0, 'a rank is an index')
  assert(queue.heap.length < TIMERS_MAX, 'the number of waiting timers is limited')
  const id = sequence(queue.nextSequence)
  queue.nextSequence += 1
  insert(queue, { time, rank, payload, id })
  return id
}

/** Removes a timer; false if it is no longer waiting. */
export function cancel<T>(queue: TimerQueue<T>, id: TimerId): boolean {
  const entry = queue.entryById.get(id)
  if (entry === undefined) return false
  assert(queue.heap[entry.slot] === entry, 'an entry is in its slot')
  remove(queue, entry)
  return true
}

/** The time of the next timer, or `NO_TIMER_TIME`. */
export function peekTime<T>(queue: Readonly<TimerQueue<T>>): number {
  return queue.nextTime
}

/** Removes and returns the next timer due at or before `time`; undefined if no timer is due. */
export function popDue<T>(queue: TimerQueue<T>, time: Micros): Timer<T> | undefined {
  if (queue.nextTime > time) return undefined
  const first = defined(queue.heap[0], 'a queue with a next time has a first timer')
  assert(first.timer.time === queue.nextTime, 'the first timer has the earliest time')
  remove(queue, first)
  return first.timer
}

/** Number of waiting timers. */
export function timerCount<T>(queue: Readonly<TimerQueue<T>>): number {
  return queue.heap.length
}

/** The queue as plain data; equal queues give equal data, whatever their history. */
export function snapshotTimerQueue<T>(queue: Readonly<TimerQueue<T>>): TimerQueueSnapshot<T> {
  const timers = queue.heap.map((entry) => entry.timer)
  timers.sort((left, right) => (isEarlier(left, right) ? -1 : 1))
  return { nextSequence: queue.nextSequence, timers }
}

/** Restores a queue from a snapshot and shares its payloads. */
export function restoreTimerQueue<T>(snapshot: TimerQueueSnapshot<T>): TimerQueue<T> {
  const queue = createTimerQueue<T>()
  queue.nextSequence = sequence(snapshot.nextSequence)
  for (const { time, rank, payload, id } of snapshot.timers) {
    insert(queue, { time, rank, payload, id })
  }
  auditTimerQueue(queue)
  return queue
}

/** Asserts the order of the heap and everything that is stored twice. O(n). */
export function auditTimerQueue<T>(queue: Readonly<TimerQueue<T>>): void {
  const { heap, entryById } = queue
  assert(heap.length === entryById.size, 'the heap and the table have the same number of timers')
  const nextTime = heap[0]?.timer.time ?? NO_TIMER_TIME
  assert(queue.nextTime === nextTime, 'the earliest time is the time of the first timer')
  for (const [slot, entry] of heap.entries()) {
    const { id } = entry.timer
    assert(entry.slot === slot, `timer ${id} has its slot number`)
    assert(entryById.get(id) === entry, `timer ${id} is in the table`)
    assert(id < queue.nextSequence, `timer ${id} has an assigned sequence number`)
    const parent = heap[(slot - 1) >> 1]
    if (parent !== undefined) assert(isEarlier(parent.timer, entry.timer), 'a parent is earlier than its children')
  }
}

function isEarlier<T>(left: Timer<T>, right: Timer<T>): boolean {
  if (left.time !== right.time) return left.time < right.time
  if (left.rank !== right.rank) return left.rank < right.rank
  return left.id < right.id
}

function insert<T>(queue: TimerQueue<T>, timer: Timer<T>): void {
  assert(!queue.entryById.has(timer.id), 'a timer is scheduled once')
  const entry = { timer, slot: queue.heap.length }
  queue.entryById.set(timer.id, entry)
  queue.heap.push(entry)
  siftUp(queue.heap, entry)
  queue.nextTime = queue.heap[0]?.timer.time ?? NO_TIMER_TIME
}

function remove<T>(queue: TimerQueue<T>, entry: Entry<T>): void {
  const last = defined(queue.heap.pop(), 'a heap with an entry has a last entry')
  if (last !== entry) {
    place(queue.heap, last, entry.slot)
    siftUp(queue.heap, last)
    siftDown(queue.heap, last)
  }
  queue.entryById.delete(entry.timer.id)
  queue.nextTime = queue.heap[0]?.timer.time ?? NO_TIMER_TIME
}

function place<T>(heap: Entry<T>[], entry: Entry<T>, slot: number): void {
  heap[slot] = entry
  entry.slot = slot
}

/** Moves `entry` toward the root until its parent is earlier. */
function siftUp<T>(heap: Entry<T>[], entry: Entry<T>): void {
  while (entry.slot > 0) {
    const parentSlot = (entry.slot - 1) >> 1
    const parent = defined(heap[parentSlot], 'every slot except the first has a parent')
    if (isEarlier(parent.timer, entry.timer)) return
    place(heap, parent, entry.slot)
    place(heap, entry, parentSlot)
  }
}

/** Moves `entry` away from the root until both children are later. */
function siftDown<T>(heap: Entry<T>[], entry: Entry<T>): void {
  for (;;) {
    const leftSlot = entry.slot * 2 + 1
    const left = heap[leftSlot]
    if (left === undefined) return
    const right = heap[leftSlot + 1]
    const child = right !== undefined && isEarlier(right.timer, left.timer) ? right : left
    if (isEarlier(entry.timer, child.timer)) return
    const childSlot = child.slot
    place(heap, child, entry.slot)
    place(heap, entry, childSlot)
  }
}
