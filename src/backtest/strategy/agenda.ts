/**
 * The next due times of strategies: a heap of times, so that the loop looks only at strategies whose time has come,
 * however many others there are.
 *
 * The noted time of a strategy is the time of its first item or earlier: an item that was removed or postponed is
 * discovered when its noted time comes. Code that adds an item must call `noteDue`.
 *
 * Cost: O(log strategies) to note and to find a time.
 */
import { createNumberHeap, type NumberHeap, peekNumber, popNumber, pushNumber } from '../../core/index.ts'

/** The noted times; only the functions of this file write them. */
export interface Agenda {
  readonly heap: NumberHeap
  /** The valid time of each strategy in the heap, by its index; other entries of the heap are obsolete. */
  readonly noted: number[]
  /** Indices of the strategies with the first time, set by `findDue`. */
  readonly found: number[]
}

/** An agenda without entries. */
export function createAgenda(): Agenda {
  return { heap: createNumberHeap(), noted: [], found: [] }
}

/** Notes that the strategy with this index has an item at a time. */
export function noteDue({ heap, noted }: Agenda, place: number, time: number): void {
  if (time >= (noted[place] ?? Number.POSITIVE_INFINITY)) return
  noted[place] = time
  pushNumber(heap, time, place)
}

/**
 * Finds the first time of all strategies and, in `found`, the indices of the strategies with an item at that time, in
 * ascending order. `dueOf` returns the first time of a strategy. If no strategy has a time before `before`, the result
 * is Infinity.
 */
export function findDue(agenda: Agenda, dueOf: (place: number) => number, before: number): number {
  const { heap, found } = agenda
  if (found.length > 0) found.length = 0
  let first = Number.POSITIVE_INFINITY
  for (let time = peekNumber(heap); time < before && time <= first; time = peekNumber(heap)) {
    const place = popNumber(heap)
    if (agenda.noted[place] !== time) continue
    agenda.noted[place] = Number.POSITIVE_INFINITY
    const due = dueOf(place)
    if (due === time) {
      first = time
      found.push(place)
    } else noteDue(agenda, place, due)
  }
  if (found.length > 1) found.sort((left, right) => left - right)
  for (const place of found) noteDue(agenda, place, first)
  return first
}
