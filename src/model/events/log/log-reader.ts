/**
 * Reads the records of a log and passes them to takers of records and of events. For a record without a taker it only
 * reads the head.
 */

import {
  assert,
  checkArgument,
  defined,
  err,
  type Micros,
  ok,
  type Result,
  type Sequence,
  type TextFault,
} from '../../../core/index.ts'
import type { Event, EventKind, EventOf, EventTakers } from '../event.ts'
import { blankOrder } from '../order-event.ts'
import { type LogPlace, type LogRecord, logStart, setLogPlace } from './event-log.ts'
import { LOG_LAYOUT, layouts, PLACE_CODE, recordCodes } from './layout.ts'
import { type LogBuffer, logBufferOf, WORD_BYTES } from './log-buffer.ts'
import { orderFiller } from './order-records.ts'
import { blankIndex, blankMark, fillIndex, fillMark } from './price-records.ts'
import { codeAt, lengthAt, rowAt } from './records.ts'
import { blankRequest, fillRequest } from './request-records.ts'
import { blankTrade, fillTrade } from './trade-records.ts'

/** The position of a reader, and its takers by code. */
export interface LogReader {
  time: Micros
  cause: Sequence
  /** The number of the last event. */
  number: number
  readonly takes: readonly (((record: LogRecord) => void) | undefined)[]
}

/** Functions that receive the records of some families directly, without an event object. */
export type RecordTakers = { readonly [K in EventKind]?: (record: LogRecord) => void }

/** How a log is read. */
interface ReadOptions {
  readonly from?: LogPlace
  /**
   * True for frequent families whose events share one object. The next event overwrites it, so reading creates no
   * garbage.
   */
  readonly isLent?: (kind: EventKind) => boolean
  /** Functions that receive records in place of the functions that receive events. */
  readonly records?: RecordTakers
}

/** The events of a log. */
export interface EventLogView {
  /** The bytes of the records. The digest is computed from them. */
  readonly records: Uint8Array
  /**
   * Calls `visit` for each event of a family, in order. Events of orders, trades, requests, marks and indices are lent:
   * the next one overwrites them, so that reading creates no garbage. To keep events, use `events`.
   *
   * @example
   * let volume = 0
   * log.each('trade', ({ amount }) => { volume += amount })
   */
  each<K extends EventKind>(kind: K, visit: (event: EventOf<K>) => void): void
  /** Passes each event to the function of its family, in order. Each event is a new object. */
  events(takers: EventTakers): void
}

/**
 * A complete log that was written to a file, for example by `run --log`: its events by family, without an object for
 * each.
 */

/** The first line of a log, in its digest and in a file. */
export function logHead(): Uint8Array {
  return new TextEncoder().encode(`${LOG_LAYOUT}\n`)
}

/**
 * Opens the log of a file. Returns an error with the place if the bytes are not a log or end within a record.
 *
 * @throws RangeError with the code `OPTION` if an argument has another kind.
 *
 * @example
 * console.log(openEventLog(new Uint8Array(3)).ok) // false
 */
export function openEventLog(bytes: Uint8Array): Result<EventLogView, TextFault> {
  checkArgument('openEventLog: bytes', bytes, 'object')
  const head = logHead()
  const expected = `an event log, which begins with the line '${LOG_LAYOUT}'`
  if (!head.every((byte, at) => bytes[at] === byte)) return err({ found: 'other data', expected })
  const records = bytes.subarray(head.length)
  const whole = records.length - (records.length % WORD_BYTES)
  const buffer = logBufferOf(records.subarray(0, whole))
  const fault = faultOf(buffer, whole === records.length)
  if (fault !== null) return err(fault)
  const read = (takers: EventTakers, isLent: boolean): void => {
    readRecords(createLogReader(takers, { isLent: () => isLent }), buffer)
  }
  return ok({
    records,
    // The key of each taker is the name of its family.
    each: (kind, visit) => read({ [kind]: visit } as EventTakers, true),
    events: (takers) => read(takers, false),
  })
}

/** Describes the first malformed record; null if all are valid. */
function faultOf(buffer: LogBuffer, endsWithWord: boolean): TextFault | null {
  let at = 0
  while (at < buffer.at) {
    const code = codeAt(buffer, at)
    const length = lengthAt(buffer, at)
    const place = `at byte ${logHead().length + at * WORD_BYTES}`
    const least = code === PLACE_CODE ? 1 : layouts[code]?.words
    if (least === undefined) {
      return { found: `code ${code} ${place}`, expected: `codes up to ${layouts.length - 1}` }
    }
    if (length < least) {
      return { found: `a record of ${length} words ${place}`, expected: `at least ${least}` }
    }
    at += length
  }
  if (at === buffer.at && endsWithWord) return null
  return { found: 'a log that ends inside a record', expected: 'complete records' }
}

/** A reader that hands records and events to their takers. */
export function createLogReader(
  takers: EventTakers,
  { from: { time, cause, number } = logStart, isLent = () => false, records = {} }: ReadOptions = {},
): LogReader {
  const takes: (((record: LogRecord) => void) | undefined)[] = []
  for (const kind of Object.keys(recordCodes) as EventKind[]) {
    const code = recordCodes[kind]
    // Each taker receives only events of its family.
    const take = takers[kind] as ((event: Event) => void) | undefined
    if (code === null) continue
    const takeRecord = records[kind]
    if (takeRecord !== undefined) takes[code] = takeRecord
    else if (take !== undefined) takes[code] = hander(kind, take, isLent(kind))
  }
  return { time, cause, number, takes }
}

/** Reads the records of a buffer from a word on. */
export function readRecords(reader: LogReader, buffer: LogBuffer, from = 0): void {
  const record: LogRecord = { buffer, at: from, place: reader }
  let at = from
  while (at < buffer.at) {
    const code = codeAt(buffer, at)
    if (code === PLACE_CODE) setLogPlace(reader, buffer, at)
    else {
      reader.number += 1
      record.at = at
      reader.takes[code]?.(record)
    }
    at += lengthAt(buffer, at)
  }
  assert(at === buffer.at, 'records end where their bytes end')
}

/** Returns a function that makes events of a family from records and passes them to their taker. */
function hander(kind: EventKind, take: (event: Event) => void, isLent: boolean): (record: LogRecord) => void {
  switch (kind) {
    case 'order':
      return filler(blankOrder, orderFiller(), take, isLent)
    case 'trade':
      return filler(blankTrade, fillTrade, take, isLent)
    case 'request':
      return filler(blankRequest, fillRequest, take, isLent)
    case 'mark':
      return filler(blankMark, fillMark, take, isLent)
    case 'index':
      return filler(blankIndex, fillIndex, take, isLent)
    default:
      return ({ buffer, at, place: { time, cause, number } }) => {
        const layout = defined(layouts[codeAt(buffer, at)], 'a record has a family')
        const row = rowAt(buffer, layout, at)
        // A record contains the columns of its family.
        take(Object.assign({ kind, time, number, cause }, row) as unknown as Event)
      }
  }
}

/**
 * Returns a function that fills events from records and passes them on. If events are lent, it fills the same object
 * each time.
 */
function filler<E extends { time: Micros; cause: Sequence; number: number }>(
  begin: () => E,
  fill: (event: E, buffer: LogBuffer, at: number) => void,
  take: (event: Event) => void,
  isLent: boolean,
): (record: LogRecord) => void {
  const lent = begin()
  return ({ buffer, at, place }) => {
    const event = isLent ? lent : begin()
    event.time = place.time
    event.number = place.number
    event.cause = place.cause
    fill(event, buffer, at)
    // The filled event has the columns of its family.
    take(event as unknown as Event)
  }
}
