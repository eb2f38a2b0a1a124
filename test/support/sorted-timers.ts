/**
 * A slow, obvious timer queue: an array that is sorted after each change. It is the oracle of
 * `src/core/clock/timer-queue.ts`.
 */
import { type Micros, type Sequence, sequence, type Timer, type TimerPlan } from '../../src/core/index.ts'

/** Waiting timers in the order in which they are due. */
export class SortedTimers<T> {
  timers: Timer<T>[] = []
  nextSequence = 0

  schedule(plan: TimerPlan<T>): Sequence {
    const id = sequence(this.nextSequence)
    this.nextSequence += 1
    this.timers.push({ ...plan, id })
    this.timers.sort((a, b) => a.time - b.time || a.rank - b.rank || a.id - b.id)
    return id
  }

  cancel(id: Sequence): boolean {
    const countBefore = this.timers.length
    this.timers = this.timers.filter((timer) => timer.id !== id)
    return this.timers.length < countBefore
  }

  peekTime(): number {
    return this.timers[0]?.time ?? Number.POSITIVE_INFINITY
  }

  popDue(time: Micros): Timer<T> | undefined {
    return this.peekTime() <= time ? this.timers.shift() : undefined
  }
}
