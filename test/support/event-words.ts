/** Names of events in tests: the family, and for orders and liquidations also the change. */
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
  // Events with this word belong to its family, but the compiler cannot conclude that from a comparison of words.
  return events.filter((event) => wordOf(event) === word) as unknown as EventNamed<W>[]
}
