/**
 * The event log: every event of a run as a record, in order. Records are appended to a buffer, which goes to whoever
 * takes it when it has a page of them, and is used again.
 *
 * Time and cause of events are written where they change, numbers where one is left out. A log goes on where another
 * one stood when it is given that place.
 */
import { assert, type Micros, micros, type Sequence, sequence } from '../../../core/index.ts'
import type { RareOrderTerms } from '../../order.ts'
import type { EventKind, EventOf, EventRow } from '../event.ts'
import type { EventHeader } from '../family.ts'
import type { CommonOrderTerms, OrderNow } from '../order-event.ts'
import { layoutOf, PLACE_CODE, placeBits } from './layout.ts'
import { appendNumber, createLogBuffer, type LogBuffer, reserve, WORD_BYTES } from './log-buffer.ts'
import { type LogWriter, noteWriter } from './log-writer.ts'
import { appendOrder, appendPlainOrder, type PlainOrderNow } from './order-records.ts'
import { appendPlainTrade, type PlainTrade } from './plain-trades.ts'
import { appendIndex, appendMark } from './price-records.ts'
import { appendRecord, bitsAt, setHead } from './records.ts'
import { appendRequest } from './request-records.ts'
import { appendTrade, type TradeRow } from './trade-records.ts'

/** Where a log stands: the header of its last event. */
export interface LogPlace {
  readonly time: Micros
  readonly cause: Sequence
  readonly number: number
}

/** Where every log begins. */
export const logStart: LogPlace = { time: micros(0), cause: sequence(0), number: 0 }

/** A log that is written. */
export interface EventLog {
  readonly buffer: LogBuffer
  time: Micros
  cause: Sequence
  number: number
  /** No event may follow. */
  isClosed: boolean
  /** Takes the records that the buffer holds, all of them complete. */
  readonly take: (records: LogBuffer) => void
  /** Appends the frequent events without objects. */
  readonly writer: LogWriter
}

/** A log before it has its writer. */
type BareLog = Omit<EventLog, 'writer'>

/** Bytes of a page: a log goes to whoever takes it when it has as many. */
export const LOG_PAGE_BYTES = 65_536

const PAGE_WORDS = 8192

/** A log that goes on from a place. */
export function createEventLog(take: EventLog['take'], from: LogPlace = logStart): EventLog {
  const { time, cause, number } = from
  const buffer = createLogBuffer(2 * PAGE_WORDS)
  const log: BareLog = { buffer, time, cause, number, isClosed: false, take }
  // The writer appends to this very log.
  return Object.assign(log, { writer: new Writer(log) })
}

/** Appends events of a family to a log. */
export function appenderOf<K extends EventKind>(
  log: EventLog,
  kind: K,
): (event: EventOf<K>) => void {
  const { buffer } = log
  const layout = layoutOf(kind)
  // The writer of a family is called with its events alone.
  const write = (writers[kind] ?? ((to, event) => appendRecord(to, layout, event))) as Write<
    EventOf<K>
  >
  const append = (event: EventOf<K>): void => {
    placeNext(log, event)
    write(buffer, event)
    if (buffer.at >= PAGE_WORDS) handOver(log)
  }
  noteWriter(append, log.writer)
  return append
}

/** The writer of a log: a class, whose calls cost nothing beside what they write. */
class Writer implements LogWriter {
  readonly log: BareLog
  readonly buffer: LogBuffer

  constructor(log: BareLog) {
    this.log = log
    this.buffer = log.buffer
  }

  order(header: EventHeader, order: CommonOrderTerms, terms: RareOrderTerms, now: OrderNow): void {
    placeNext(this.log, header)
    appendOrder(this.buffer, order, terms, now)
    if (this.buffer.at >= PAGE_WORDS) handOver(this.log)
  }

  plainOrder(now: PlainOrderNow): void {
    placeNext(this.log, now)
    appendPlainOrder(this.buffer, now)
    if (this.buffer.at >= PAGE_WORDS) handOver(this.log)
  }

  trade(trade: TradeRow): void {
    placeNext(this.log, trade)
    appendTrade(this.buffer, trade)
    if (this.buffer.at >= PAGE_WORDS) handOver(this.log)
  }

  plainTrade(trade: PlainTrade): void {
    placeNext(this.log, trade)
    appendPlainTrade(this.buffer, trade)
    if (this.buffer.at >= PAGE_WORDS) handOver(this.log)
  }

  request(header: EventHeader, end: EventRow<'request'>): void {
    placeNext(this.log, header)
    appendRequest(this.buffer, end)
    if (this.buffer.at >= PAGE_WORDS) handOver(this.log)
  }
}

/** Hands the records that the log holds to whoever takes them. */
export function handOver(log: BareLog): void {
  assert(!log.isClosed, 'no batch follows the end of a log')
  if (log.buffer.at === 0) return
  log.take(log.buffer)
  log.buffer.at = 0
}

/** The bytes of the records that a buffer holds. */
export function recordBytes({ bytes, at }: LogBuffer): Uint8Array {
  return bytes.subarray(0, at * WORD_BYTES)
}

type Write<E> = (buffer: LogBuffer, event: E) => void

/** Writers of the frequent families. */
const writers: { readonly [K in EventKind]?: Write<EventOf<K>> } = {
  order: (buffer, event) => appendOrder(buffer, event, event, event),
  trade: appendTrade,
  request: appendRequest,
  mark: appendMark,
  index: appendIndex,
}

/** Writes where the next event stands, as far as it is not where the log expects it. */
function placeNext(log: BareLog, { time, cause, number }: EventHeader): void {
  assert(!log.isClosed, 'no event follows the end of a log')
  const isNext = number === log.number + 1
  if (time !== log.time || cause !== log.cause || !isNext) {
    const { buffer } = log
    const from = buffer.at
    reserve(buffer, 1)
    buffer.at = from + 1
    let bits = 0
    if (time !== log.time) {
      bits |= placeBits.time
      appendNumber(buffer, time)
    }
    if (cause !== log.cause) {
      bits |= placeBits.cause
      appendNumber(buffer, cause)
    }
    if (!isNext) {
      bits |= placeBits.number
      appendNumber(buffer, number)
    }
    setHead(buffer, from, { code: PLACE_CODE, bits })
    log.time = time
    log.cause = cause
  }
  log.number = number
}

/** Takes over what a record of places says. */
export function takePlace(
  place: { time: Micros; cause: Sequence; number: number },
  { buffer, at }: { readonly buffer: LogBuffer; readonly at: number },
): void {
  const bits = bitsAt(buffer, at)
  let next = at + 1
  if ((bits & placeBits.time) !== 0) {
    place.time = micros(buffer.doubles[next] as number)
    next += 1
  }
  if ((bits & placeBits.cause) !== 0) {
    place.cause = sequence(buffer.doubles[next] as number)
    next += 1
  }
  if ((bits & placeBits.number) !== 0) place.number = (buffer.doubles[next] as number) - 1
}
