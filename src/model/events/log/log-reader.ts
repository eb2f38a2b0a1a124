/**
 * Reading a log: its records as events, for takers of their families. Families that nobody takes cost a look at the
 * head of their records.
 */
import { assert, defined, type Micros, type Sequence } from '../../../core/index.ts'
import type { Event, EventKind } from '../event.ts'
import { blankOrder } from '../order-event.ts'
import type { EventTakers } from '../sinks.ts'
import { type LogPlace, logStart, takePlace } from './event-log.ts'
import { layouts, PLACE_CODE, recordCodes } from './layout.ts'
import type { LogBuffer } from './log-buffer.ts'
import { orderFiller } from './order-records.ts'
import { blankIndex, blankMark, fillIndex, fillMark } from './price-records.ts'
import { codeAt, lengthAt, rowAt } from './records.ts'
import { blankRequest, fillRequest } from './request-records.ts'
import { blankTrade, fillTrade } from './trade-records.ts'

/** Who reads a log, and where it stands for him. */
export interface LogReader {
  time: Micros
  cause: Sequence
  /** The number of the last event. */
  number: number
  readonly takes: readonly ((source: LogRecord) => void)[]
}

/** A record, and the header of its event. */
export interface LogRecord {
  readonly buffer: LogBuffer
  /** The word at which it begins. */
  at: number
  readonly place: LogPlace
}

/** Takers of the records of some families as they are; no event is made of them. */
export type RecordTakers = { readonly [K in EventKind]?: (record: LogRecord) => void }

/** How events are handed out. */
export interface ReadOptions {
  readonly from: LogPlace
  /**
   * True if events of the frequent families are one object each, which the next of its family overwrites: no
   * garbage is made for them.
   */
  readonly isLent: boolean
}

/** A reader that hands records to who takes them as they are, and else events to their takers. */
export function createLogReader(
  takers: EventTakers,
  { from, isLent }: ReadOptions = { from: logStart, isLent: false },
  records: RecordTakers = {},
): LogReader {
  const { time, cause, number } = from
  const takes: ((source: LogRecord) => void)[] = []
  for (const kind of Object.keys(recordCodes) as EventKind[]) {
    const code = recordCodes[kind]
    // Each taker is called with events of its family alone.
    const take = takers[kind] as ((event: Event) => void) | undefined
    if (code === null) continue
    const takeRecord = records[kind]
    if (takeRecord !== undefined) takes[code] = takeRecord
    else if (take !== undefined) takes[code] = hander(kind, take, isLent)
  }
  return { time, cause, number, takes }
}

/** Reads the records that a buffer holds. */
export function readRecords(reader: LogReader, buffer: LogBuffer): void {
  const source = { buffer, at: 0, place: reader }
  while (source.at < buffer.at) {
    const { at } = source
    const code = codeAt(buffer, at)
    if (code === PLACE_CODE) takePlace(reader, { buffer, at })
    else {
      reader.number += 1
      reader.takes[code]?.(source)
    }
    source.at = at + lengthAt(buffer, at)
  }
  assert(source.at === buffer.at, 'records end where their bytes end')
}

/** Hands the events of a family to their taker. */
function hander(
  kind: EventKind,
  take: (event: Event) => void,
  isLent: boolean,
): (source: LogRecord) => void {
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
        // A record has the columns of its family.
        take(Object.assign({ kind, time, number, cause }, row) as unknown as Event)
      }
  }
}

/** Hands over events that are filled from records: one and the same where it is lent. */
function filler<E extends { time: Micros; cause: Sequence; number: number }>(
  begin: () => E,
  fill: (event: E, buffer: LogBuffer, at: number) => void,
  { take, isLent }: { readonly take: (event: Event) => void; readonly isLent: boolean },
): (source: LogRecord) => void {
  const lent = begin()
  return ({ buffer, at, place }) => {
    const event = isLent ? lent : begin()
    event.time = place.time
    event.number = place.number
    event.cause = place.cause
    fill(event, buffer, at)
    // What is filled has the columns of its family.
    take(event as unknown as Event)
  }
}
