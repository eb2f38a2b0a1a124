/**
 * Sinks of events, and how one event reaches all that take its family.
 *
 * A sink that takes all events alike has `emit` alone. One that takes some families, or does something else
 * with each, is made of its takers by `sinkOf`, and `fanOut` hands it those families only. Who must take every
 * family is typed so (`TotalTakers`): a new family does not compile until he says what becomes of it.
 *
 * It stands in the model, because results and the engine, which know nothing of each other, both have sinks.
 */
import { type Event, type EventKind, type EventOf, eventFamilies } from './event.ts'

/** What is done with events of some families. Each is called inside the command, in the order of events. */
export type EventTakers = { readonly [K in EventKind]?: ((event: EventOf<K>) => void) | undefined }

/** The same, which says of every family what is done with it; undefined is nothing. */
export type TotalTakers = { readonly [K in EventKind]: ((event: EventOf<K>) => void) | undefined }

/**
 * Where events go. A sink is called once for each event, in order, inside the command, and never
 * calls back into the engine. Events are immutable, so a sink may keep one; sinks of long runs copy
 * out what they need instead.
 */
export interface EventSink {
  emit(event: Event): void
  /** The families that it takes, each with its taker; left out by a sink that takes all events alike. */
  readonly takers?: EventTakers
}

type Take = (event: Event) => void

// Object.keys knows no more than strings.
const kinds = Object.keys(eventFamilies) as readonly EventKind[]

/**
 * The sink that hands each event to the taker of its family, and leaves the other families alone. `before` is
 * called before each taker, to assert what must hold then.
 */
export function sinkOf(takers: EventTakers, before: Take = ignore): EventSink {
  if (before === ignore) return fanOut([{ takers, emit: ignore }])
  const checked = kinds.flatMap((kind) => {
    const [take] = takersOf({ takers, emit: ignore }, kind)
    return take === undefined ? [] : [[kind, joined([before, take])] as const]
  })
  return fanOut([{ takers: Object.fromEntries(checked), emit: ignore }])
}

/** One sink that hands each event to all of these, in their order. */
export function fanOut(sinks: readonly EventSink[]): EventSink {
  const takes = Object.fromEntries(
    kinds.map((kind) => [kind, joined(sinks.flatMap((sink) => takersOf(sink, kind)))] as const),
  )
  const emit = (event: Event): void => {
    const take = takes[event.kind] as Take
    take(event)
  }
  // Under each family stands what takes events of that family, which a table by names cannot say.
  return { emit, takers: takes as EventTakers }
}

/** The same sink, which gets events only while they are asked for: of these families, where some are given. */
export function whileAsked(
  sink: EventSink,
  isAsked: () => boolean,
  of: readonly EventKind[] = kinds,
): EventSink {
  const takers = kinds.flatMap((kind) => {
    const [take] = takersOf(sink, kind)
    if (take === undefined) return []
    const asked: Take = (event) => {
      if (isAsked()) take(event)
    }
    return [[kind, of.includes(kind) ? asked : take] as const]
  })
  return fanOut([{ takers: Object.fromEntries(takers), emit: ignore }])
}

function takersOf(sink: EventSink, kind: EventKind): readonly Take[] {
  const { takers } = sink
  if (takers === undefined) return [takeAll(sink)]
  // It is called with events of its family alone.
  const take = takers[kind] as Take | undefined
  return take === undefined || take === ignore ? [] : [take]
}

function takeAll(sink: EventSink): Take {
  return (event) => sink.emit(event)
}

/** One function that calls all of these; of one that is the function itself. */
function joined([first = ignore, ...more]: readonly Take[]): Take {
  if (more.length === 0) return first
  const rest = joined(more)
  return (event) => {
    first(event)
    rest(event)
  }
}

function ignore(): void {
  // Nobody takes these events.
}
