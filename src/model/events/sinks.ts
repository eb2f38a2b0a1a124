/**
 * Sinks: the readers of the events of an exchange, and the log that they read.
 *
 * The engine appends each event to the log of its sink (`logOf`, `log/event-log.ts`), and never calls a sink itself. A
 * reader takes pages of records or event objects. Orders, trades and ends of requests, which are most events, are
 * records; the log makes an object of one only if a reader takes its family, once for all readers, and overwrites it
 * with the next event if no reader keeps it. Without a reader of pages, trades are objects instead of records. The
 * engine makes objects of the other families, and the log passes them on. Readers read at fixed points:
 *
 * - pages: when a page is complete, and when the reader requests it;
 * - orders as objects: before the next event of another family, at the latest after the command, the timer or the
 *   message;
 * - other objects: when their event is appended, because replies and the cash logs of accounts show the state of that
 *   moment.
 *
 * The file is in the model because both results and the engine have sinks, and neither imports the other.
 */
import { assert, checkArgument } from '../../core/index.ts'
import { type Event, type EventKind, type EventTakers, eventFamilies } from './event.ts'
import { EventLog, logStart, type PageReader, type Promptness } from './log/event-log.ts'
import { isLogged, recordCodes } from './log/layout.ts'
import { createLogReader, type LogReader, readRecords } from './log/log-reader.ts'

/**
 * Receives events. A sink is called once for each event, in order, before the command returns, and never calls back
 * into the engine. An event of an order comes before the next event of another family, or at the end of the command. If
 * a sink throws, the events of the command that were not yet read are lost to it and to the others. Events are
 * immutable, so a sink may keep one; sinks of long runs should copy the values that they need.
 */
export interface EventSink {
  emit(event: Event): void
}

type Take = (event: Event) => void

/** The takers of a sink by family; null for none. Only recorded families have records and pages. */
interface Reading {
  readonly event: (kind: EventKind) => Take | null
  /** True if the sink may keep events of a family. */
  readonly keeps: (kind: EventKind) => boolean
  readonly pages: readonly PageReader[]
}

/** The takers of sinks that this file created. Any other sink takes all events. */
const readings = new WeakMap<EventSink['emit'], Reading>()

const logs = new WeakMap<EventSink, EventLog>()

/** The log that a sink reads. */
export function logOf(sink: EventSink): EventLog {
  const known = logs.get(sink)
  if (known !== undefined) return known
  const log = openLog(readingOf(sink))
  logs.set(sink, log)
  return log
}

/** Families of which the engine makes no objects. */
const written: readonly EventKind[] = ['order', 'trade', 'request']

function openLog({ event, keeps, pages }: Reading): EventLog {
  const promptness: Promptness[] = []
  const events: { [K in EventKind]?: Take } = {}
  const passed: { [K in EventKind]?: Take } = {}
  const isPaged = pages.length > 0
  for (const kind of Object.keys(eventFamilies) as EventKind[]) {
    const [take, code] = [event(kind), recordCodes[kind]]
    const isRead = take !== null && written.includes(kind) && (isPaged || kind !== 'trade')
    if (isRead) events[kind] = take
    else if (take !== null) passed[kind] = take
    if (code === null) continue
    const isPassed = kind === 'trade' && !isPaged && take !== null
    if (isRead || isPassed) promptness[code] = kind === 'order' ? 'later' : 'now'
    else promptness[code] = isPaged ? 'later' : 'never'
  }
  // Each taker receives only events of its family.
  const reader = createLogReader(events as EventTakers, {
    from: pages[0]?.place ?? logStart,
    isLent: (kind) => !keeps(kind),
  })
  const isEmpty = reader.takes.every((take) => take === undefined)
  return new EventLog({
    promptness,
    pages,
    take: isEmpty ? null : (log, from) => takeRecords(reader, log, from),
    pass: (given) => passed[given.kind]?.(given),
  })
}

/** Reads records. A reader whose taker throws continues after the last record of the log. */
function takeRecords(reader: LogReader, log: EventLog, from: number): void {
  try {
    readRecords(reader, log.buffer, from)
  } finally {
    reader.time = log.time
    reader.cause = log.cause
    reader.number = log.number
  }
}

/**
 * Creates a sink that passes each event to the function of its family and ignores other families. `before` is called
 * before each taker, to assert what must hold then.
 *
 * @throws RangeError with the code `OPTION` if an argument has another kind.
 *
 * @example
 * let trades = 0
 * const sink = sinkOf({ trade: () => (trades += 1) })
 * openVenue({ start: '2026-01-05T09:00:00Z', sink })
 * console.log(trades) // 0
 */
export function sinkOf(takers: EventTakers, before?: () => void): EventSink {
  checkArgument('sinkOf: takers', takers, 'object')
  const event = (kind: EventKind): Take | null => {
    // Each taker receives only events of its family.
    const take = takers[kind] as Take | undefined
    if (take === undefined) return null
    return before === undefined ? take : joined([before, take])
  }
  const keeps = (kind: EventKind): boolean => takers[kind] !== undefined
  return readingSink((given) => event(given.kind)?.(given), { event, keeps, pages: [] })
}

/**
 * Declares that the sink does not keep events of these families after its call. If no sink keeps a family, the log
 * reuses one object for it.
 */
export function borrowing(sink: EventSink, of: readonly EventKind[]): EventSink {
  const reading = readingOf(sink)
  const keeps = (kind: EventKind): boolean => reading.keeps(kind) && !of.includes(kind)
  return readingSink((event) => sink.emit(event), { ...reading, keeps })
}

/** Creates a sink that reads pages; `pass` takes events of families without records. */
export function pageSink(page: PageReader, pass: Take): EventSink {
  const sink = readingSink((event) => logOf(sink).append(event), {
    event: (kind) => (isLogged(kind) ? null : pass),
    keeps: (kind) => !isLogged(kind),
    pages: [page],
  })
  return sink
}

/**
 * Combines sinks into one, which passes each event to all of them in order.
 *
 * @throws RangeError with the code `OPTION` if an argument has another kind.
 *
 * @example
 * const seen: string[] = []
 * const one = sinkOf({ account: ({ name }) => seen.push(`1 ${name}`) })
 * const two = sinkOf({ account: ({ name }) => seen.push(`2 ${name}`) })
 * openVenue({ start: '2026-01-05T09:00:00Z', accounts: { ann: {} }, sink: fanOut([one, two]) })
 * console.log(seen.slice(-2)) // [ '1 ann', '2 ann' ]
 */
export function fanOut(sinks: readonly EventSink[]): EventSink {
  checkArgument('fanOut: sinks', sinks, 'list')
  const all = sinks.map(readingOf)
  const emit = joined(sinks.map((sink) => (event: Event) => sink.emit(event))) ?? ignore
  return readingSink(emit, {
    event: (kind) => joined(all.flatMap(({ event }) => event(kind) ?? [])),
    keeps: (kind) => all.some(({ keeps }) => keeps(kind)),
    pages: all.flatMap(({ pages }) => pages),
  })
}

/**
 * Returns a sink that passes events to `sink` only while `isAsked` returns true; with `of` only events of these
 * families.
 */
export function whileAsked(sink: EventSink, isAsked: () => boolean, of: readonly EventKind[] | null = null): EventSink {
  const { event, keeps, pages } = readingOf(sink)
  assert(pages.length === 0 || of?.some(isLogged) === false, 'pages are read whole')
  const isConditional = (kind: EventKind): boolean => of === null || of.includes(kind)
  const emit: Take = (given) => {
    if (!isConditional(given.kind) || isAsked()) sink.emit(given)
  }
  const conditional = (kind: EventKind): Take | null => {
    const take = event(kind)
    if (take === null || !isConditional(kind)) return take
    return (given) => {
      if (isAsked()) take(given)
    }
  }
  return readingSink(emit, { event: conditional, keeps, pages })
}

function readingSink(emit: Take, reading: Reading): EventSink {
  // Each sink needs a separate function, because the function is the key of its takers.
  const own: Take = (event) => emit(event)
  readings.set(own, reading)
  return { emit: own }
}

function readingOf(sink: EventSink): Reading {
  const known = readings.get(sink.emit)
  return known ?? { event: () => (event) => sink.emit(event), keeps: () => true, pages: [] }
}

/** Returns one function that calls all of these; null for an empty list, and the function itself for one. */
function joined(takes: readonly Take[]): Take | null {
  const [first, ...more] = takes
  if (first === undefined) return null
  const rest = joined(more)
  if (rest === null) return first
  return (given) => {
    first(given)
    rest(given)
  }
}

function ignore(): void {
  // No sink takes these events.
}
