/**
 * When strategies have something to do next: a heap of times, so that a message looks at those alone whose time has
 * come, however many sit beside.
 *
 * A time that is noted is that of the first thing of a strategy or an earlier one: what is taken away or put off is
 * found when its time comes. Whoever adds something tells it by `noteDue`.
 *
 * Cost: to note and to find O(log strategies).
 */
import { createNumberHeap, type NumberHeap, peekNumber, popNumber, pushNumber } from '../../core/index.ts'

/** The noted times; only the functions of this file write them. */
export interface Agenda {
  readonly heap: NumberHeap
  /** The time in the heap that counts, by the place of a strategy; other entries of it mean nothing. */
  readonly noted: number[]
  /** Places of those with the first time, as `findDue` left them. */
  readonly found: number[]
}

/** Nothing to do for anybody. */
export function createAgenda(): Agenda {
  return { heap: createNumberHeap(), noted: [], found: [] }
}

/** Notes that the strategy at a place has something to do at a time. */
export function noteDue({ heap, noted }: Agenda, place: number, time: number): void {
  if (time >= (noted[place] ?? Number.POSITIVE_INFINITY)) return
  noted[place] = time
  pushNumber(heap, time, place)
}

/**
 * Finds the first time of all strategies and, in `found`, the places of those that have something to do then, in their
 * order. `dueOf` tells the first time of one. A time that is not before `before` is returned as infinite.
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
