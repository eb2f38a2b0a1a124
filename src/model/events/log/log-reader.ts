/**
 * Reads the records of a log and passes them to takers of records and of events. For a record without a taker it only
 * reads the head.
 */
import { assert, defined, type Micros, type Sequence } from '../../../core/index.ts'
import type { Event, EventKind, EventTakers } from '../event.ts'
import { blankOrder } from '../order-event.ts'
import { type LogPlace, type LogRecord, logStart, setLogPlace } from './event-log.ts'
import { layouts, PLACE_CODE, recordCodes } from './layout.ts'
import type { LogBuffer } from './log-buffer.ts'
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
export interface ReadOptions {
  readonly from?: LogPlace
  /**
   * True for frequent families whose events share one object. The next event overwrites it, so reading creates no
   * garbage.
   */
  readonly isLent?: (kind: EventKind) => boolean
  /** Functions that receive records in place of the functions that receive events. */
  readonly records?: RecordTakers
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
    if (code === PLACE_CODE) setLogPlace(reader, { buffer, at })
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
      return filler(blankOrder, orderFiller(), { take, isLent })
    case 'trade':
      return filler(blankTrade, fillTrade, { take, isLent })
    case 'request':
      return filler(blankRequest, fillRequest, { take, isLent })
    case 'mark':
      return filler(blankMark, fillMark, { take, isLent })
    case 'index':
      return filler(blankIndex, fillIndex, { take, isLent })
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
  { take, isLent }: { readonly take: (event: Event) => void; readonly isLent: boolean },
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
