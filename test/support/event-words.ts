/**
 * Words that tests name events by: the family, and of orders and liquidations also what changed.
 */
import type { Event, EventKind, EventOf } from '../../src/model/index.ts'

/** `trade`, `order filled`, `liquidation started`. */
export type EventWord =
  | Exclude<EventKind, 'order' | 'liquidation'>
  | `order ${EventOf<'order'>['change']}`
  | `liquidation ${EventOf<'liquidation'>['change']}`

/** The events that a word names. */
export type EventNamed<W extends EventWord> = W extends `${infer K extends EventKind} ${string}`
  ? EventOf<K>
  : Extract<Event, { readonly kind: W }>

/** The word of an event. */
export function wordOf(event: Event): EventWord {
  if (event.kind === 'order') return `order ${event.change}`
  return event.kind === 'liquidation' ? `liquidation ${event.change}` : event.kind
}

/** The events that a word names, in their order. */
export function eventsNamed<W extends EventWord>(events: readonly Event[], word: W): readonly EventNamed<W>[] {
  // What has the word is of its family, which a comparison of words cannot say.
  return events.filter((event) => wordOf(event) === word) as unknown as EventNamed<W>[]
}
