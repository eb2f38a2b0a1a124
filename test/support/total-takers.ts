/**
 * One function as the taker of every family of events.
 */
import { type Event, type EventKind, type EventTakers, eventFamilies } from '../../src/model/index.ts'

/** Takers that pass each event to one function. */
export function totalTakers(take: (event: Event) => void): EventTakers {
  const kinds = Object.keys(eventFamilies) as EventKind[]
  return Object.fromEntries(kinds.map((kind) => [kind, take])) as EventTakers
}
