/** The timer queue compared with a sorted array, and its order, ids, snapshots and audit. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AssertionFailure } from '../../../../src/core/assert.ts'
import {
  auditTimerQueue,
  cancel,
  createTimerQueue,
  NO_TIMER_TIME,
  peekTime,
  popDue,
  restoreTimerQueue,
  schedule,
  snapshotTimerQueue,
  type TimerQueue,
  timerCount,
} from '../../../../src/core/clock/timer-queue.ts'
import { micros, sequence } from '../../../../src/core/units.ts'
import { SortedTimers } from '../../../support/sorted-timers.ts'

const actions = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('schedule' as const),
        time: fc.nat({ max: 20 }),
        rank: fc.nat({ max: 3 }),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('cancel' as const), id: fc.nat(60) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('pop' as const), time: fc.nat(20) }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'restore' as const }) },
  ),
  { maxLength: 120 },
)

function queueOf(...plans: readonly (readonly [time: number, rank: number])[]): TimerQueue<string> {
  const queue = createTimerQueue<string>()
  for (const [time, rank] of plans) {
    schedule(queue, { time: micros(time), rank, payload: `${time}.${rank}` })
  }
  return queue
}

function drain(queue: TimerQueue<string>): string[] {
  const payloads: string[] = []
  for (;;) {
    const timer = popDue(queue, micros(Number.MAX_SAFE_INTEGER))
    if (timer === undefined) return payloads
    payloads.push(`${timer.payload}#${timer.id}`)
  }
}

describe('timer queue', () => {
  test('behaves like a sorted array', () => {
    fc.assert(
      fc.property(actions, (steps) => {
        let queue = createTimerQueue<number>()
        const oracle = new SortedTimers<number>()
        for (const [payload, step] of steps.entries()) {
          if (step.kind === 'schedule') {
            const plan = { time: micros(step.time), rank: step.rank, payload }
            expect(schedule(queue, plan)).toBe(oracle.schedule(plan))
          } else if (step.kind === 'cancel') {
            const id = sequence(step.id)
            expect(cancel(queue, id)).toBe(oracle.cancel(id))
          } else if (step.kind === 'pop') {
            const time = micros(step.time)
            expect(popDue(queue, time)).toEqual(oracle.popDue(time))
          } else {
            queue = restoreTimerQueue(snapshotTimerQueue(queue))
          }
          auditTimerQueue(queue)
          expect(peekTime(queue)).toBe(oracle.peekTime())
          expect(timerCount(queue)).toBe(oracle.timers.length)
        }
        expect(snapshotTimerQueue(queue).timers).toEqual(oracle.timers)
      }),
      { numRuns: 500 },
    )
  })

  test('orders by time, then rank, then sequence', () => {
    const queue = queueOf([5, 1], [5, 0], [4, 9], [5, 0], [4, 9])
    expect(drain(queue)).toEqual(['4.9#2', '4.9#4', '5.0#1', '5.0#3', '5.1#0'])
    expect(peekTime(queue)).toBe(NO_TIMER_TIME)
  })

  test('pops nothing before its time', () => {
    const queue = queueOf([5, 0])
    expect(popDue(queue, micros(4))).toBeUndefined()
    expect(popDue(queue, micros(5))?.payload).toBe('5.0')
    expect(popDue(queue, micros(5))).toBeUndefined()
  })

  test('a timer is cancelled once, and not after it was popped; ids are not used twice', () => {
    const queue = queueOf([1, 0], [2, 0])
    expect(cancel(queue, sequence(1))).toBe(true)
    expect(cancel(queue, sequence(1))).toBe(false)
    popDue(queue, micros(1))
    expect(cancel(queue, sequence(0))).toBe(false)
    expect(schedule(queue, { time: micros(1), rank: 0, payload: 'c' })).toBe(2)
  })

  test('a popped timer may schedule another at the same time', () => {
    const queue = queueOf([1, 0])
    popDue(queue, micros(1))
    schedule(queue, { time: micros(1), rank: 0, payload: 'again' })
    expect(popDue(queue, micros(1))?.payload).toBe('again')
  })

  test('equal queues of different histories have one snapshot', () => {
    const straight = queueOf([1, 0], [2, 0], [3, 0], [4, 0])
    const detour = queueOf([1, 0], [2, 0], [3, 0], [4, 0])
    cancel(straight, sequence(0))
    popDue(detour, micros(1))
    expect(snapshotTimerQueue(straight)).toEqual(snapshotTimerQueue(detour))
  })

  test('refuses a timer without a time or a rank', () => {
    const queue = createTimerQueue<null>()
    const plan = { time: micros(1), rank: 0, payload: null }
    expect(() => schedule(queue, { ...plan, rank: -1 })).toThrow(AssertionFailure)
    expect(() => schedule(queue, { ...plan, rank: 0.5 })).toThrow(AssertionFailure)
  })

  test('the audit and restore find broken invariants', () => {
    const late = queueOf([1, 0], [2, 0])
    late.nextTime = 2
    expect(() => auditTimerQueue(late)).toThrow(AssertionFailure)
    const swapped = queueOf([1, 0], [2, 0])
    swapped.heap.reverse()
    expect(() => auditTimerQueue(swapped)).toThrow(AssertionFailure)
    const lost = queueOf([1, 0])
    lost.entryById.clear()
    expect(() => auditTimerQueue(lost)).toThrow(AssertionFailure)
    const snapshot = snapshotTimerQueue(queueOf([1, 0], [2, 0]))
    expect(() => restoreTimerQueue({ ...snapshot, nextSequence: 1 })).toThrow(AssertionFailure)
    const twice = { ...snapshot, timers: [...snapshot.timers, ...snapshot.timers] }
    expect(() => restoreTimerQueue(twice)).toThrow(AssertionFailure)
  })
})
