/**
 * Sinks of events, and how one event reaches all that take its family.
 *
 * A sink that takes all events alike is an object with `emit`. One that takes some families, or does something else
 * with each, is made of its takers by `sinkOf`, and `fanOut` hands it those families only. Who must take every
 * family is typed so (`TotalTakers`): a new family does not compile until he says what becomes of it.
 *
 * It stands in the model, because results and the engine, which know nothing of each other, both have sinks.
 */
import type { Event, EventKind, EventOf } from './event.ts'
import { type LogWriter, noteWriter, writerBehind } from './log/log-writer.ts'

/** Functions that receive events, by family. Each is called inside the command, in the order of events. */
export type EventTakers = { readonly [K in EventKind]?: ((event: EventOf<K>) => void) | undefined }

/** The same, which says of every family what is done with it; undefined is nothing. */
export type TotalTakers = { readonly [K in EventKind]: ((event: EventOf<K>) => void) | undefined }

/**
 * Receives events. A sink is called once for each event, in order, inside the command, and never calls back into the
 * engine. Events are immutable, so a sink may keep one; sinks of long runs should copy the values that they need.
 */
export interface EventSink {
  emit(event: Event): void
}

/**
 * The writer of each frequent family that a log alone takes, or nobody; null where somebody wants its events. Who emits
 * writes their records by it and makes no object.
 */
export interface SinkLogs {
  readonly order: LogWriter | null
  readonly trade: LogWriter | null
  readonly request: LogWriter | null
}

/** An `emit` that was made here. It carries its logs, so that a sink with another `emit` has none. */
interface LoggedEmit {
  readonly logs?: SinkLogs
}

const noLogs: SinkLogs = { order: null, trade: null, request: null }

/** The logs of a sink. */
export function logsOf({ emit }: EventSink): SinkLogs {
  return (emit as LoggedEmit).logs ?? noLogs
}

type Take = (event: Event) => void
type TakerOf = (kind: EventKind) => Take

/** The takers behind an `emit` that was made here; one that somebody else wrote takes all events alike. */
const takersBehind = new WeakMap<EventSink['emit'], TakerOf>()

/**
 * Creates a sink that passes each event to the function of its family and ignores other families. `before` is called
 * before each taker, to assert what must hold then.
 *
 * @example
 * let trades = 0
 * const sink = sinkOf({ trade: () => (trades += 1) })
 * openVenue({ start: '2026-01-05T09:00:00Z', sink })
 * console.log(trades) // 0
 */
export function sinkOf(takers: EventTakers, before: (event: Event) => void = ignore): EventSink {
  // Each taker is called with events of its family alone.
  return sinkBy((kind) => (takers[kind] as Take | undefined) ?? ignore, before)
}

/**
 * Combines sinks into one, which passes each event to all of them in order.
 *
 * @example
 * const seen: string[] = []
 * const one = sinkOf({ account: ({ name }) => seen.push(`1 ${name}`) })
 * const two = sinkOf({ account: ({ name }) => seen.push(`2 ${name}`) })
 * openVenue({ start: '2026-01-05T09:00:00Z', accounts: { ann: {} }, sink: fanOut([one, two]) })
 * console.log(seen.slice(-2)) // [ '1 ann', '2 ann' ]
 */
export function fanOut(sinks: readonly EventSink[]): EventSink {
  return sinkBy((kind) =>
    joined(sinks.map((sink) => takerOf(sink, kind)).filter((take) => take !== ignore)),
  )
}

/** The same sink, which gets events only while they are asked for: of these families, where some are given. */
export function whileAsked(
  sink: EventSink,
  isAsked: () => boolean,
  of: readonly EventKind[] | null = null,
): EventSink {
  return sinkBy((kind) => {
    const take = takerOf(sink, kind)
    if (take === ignore || of?.includes(kind) === false) return take
    return (event) => {
      if (isAsked()) take(event)
    }
  })
}

/** The taker of a family is found with the first event of it. */
function sinkBy(takerFor: TakerOf, before: (event: Event) => void = ignore): EventSink {
  const takes: { [K in EventKind]?: Take } = {}
  const emit: Take = (event) => {
    let take = takes[event.kind]
    if (take === undefined) {
      take = takerFor(event.kind)
      takes[event.kind] = take
    }
    if (take === ignore) return
    before(event)
    take(event)
  }
  takersBehind.set(emit, (kind) => {
    const take = takerFor(kind)
    return take === ignore || before === ignore ? take : joined([before, take])
  })
  if (before === ignore) {
    const logs: SinkLogs = {
      order: writerBehind(takerFor('order')),
      trade: writerBehind(takerFor('trade')),
      request: writerBehind(takerFor('request')),
    }
    Object.assign(emit, { logs })
  }
  return { emit }
}

function takerOf(sink: EventSink, kind: EventKind): Take {
  return takersBehind.get(sink.emit)?.(kind) ?? ((event) => sink.emit(event))
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

// What nobody takes is written nowhere.
noteWriter(ignore, {
  order: ignore,
  plainOrder: ignore,
  trade: ignore,
  plainTrade: ignore,
  request: ignore,
})
