/**
 * The event log: the engine appends each event, in order. Events of recorded families that have a reader become records
 * in a buffer; `sinks.ts` lists when readers read them. After all readers have read the records, the log reuses the
 * buffer.
 *
 * The log writes a record of its place if the time or the cause changes, or if the number skips values. A log continues
 * at the place of its first page reader.
 */
import { type Micros, type Mutable, micros, type Sequence, sequence } from '../../../core/index.ts'
import type { RareOrderTerms } from '../../order.ts'
import type { Event, EventRow } from '../event.ts'
import type { EventHeader } from '../family.ts'
import type { CommonOrderTerms, OrderNow } from '../order-event.ts'
import { layoutOfFamily, PLACE_CODE, placeBits, recordCodes } from './layout.ts'
import { appendNumber, createLogBuffer, type LogBuffer, reserve, WORD_BYTES } from './log-buffer.ts'
import { appendOrder, appendPlainOrder, type PlainOrderNow } from './order-records.ts'
import { appendIndex, appendMark } from './price-records.ts'
import { appendRecord, bitsAt, codeAt, lengthAt, setHead } from './records.ts'
import { appendRequest } from './request-records.ts'
import { appendPlainTrade, appendTrade, type PlainTrade, type TradeRow, tradeOf } from './trade-records.ts'

/** The place of a log: the header of its last event. */
export interface LogPlace {
  readonly time: Micros
  readonly cause: Sequence
  readonly number: number
}

/** The place before the first event. */
export const logStart: LogPlace = { time: micros(0), cause: sequence(0), number: 0 }

/** The time at which readers read the records of a family. Records with `never` are not written. */
export type Promptness = 'never' | 'later' | 'now'

/** Reads logs by page. */
export interface PageReader {
  /** The place behind its last record. */
  readonly place: LogPlace
  /** A log begins a page. If another log still has records for the reader, the reader flushes that log first. */
  begin(log: EventLog): void
  /** Reads the records between two places. */
  take(records: LogBuffer, from: LogPlace, to: LogPlace): void
}

/** The readers of a log. */
interface LogReading {
  /** By family code. */
  readonly promptness: readonly (Promptness | undefined)[]
  readonly pages: readonly PageReader[]
  /** Reads the records of a log, starting at a word of its buffer. */
  readonly take: ((log: EventLog, from: number) => void) | null
  /** Receives events that the engine has as objects. */
  readonly pass: (event: Event) => void
}

/** A record, and the header of its event. */
export interface LogRecord {
  readonly buffer: LogBuffer
  /** The word at which it begins. */
  at: number
  readonly place: LogPlace
}

/** Bytes of a page: page readers read when the log has this many bytes. */
export const LOG_PAGE_BYTES = 65_536

const PAGE_WORDS = 8192
/** Words of an empty log; the records of a command rarely need more. */
const FIRST_WORDS = 256
const orderCode = layoutOfFamily('order').code
const tradeCode = layoutOfFamily('trade').code
const requestCode = layoutOfFamily('request').code

/** A log. It is a class because the engine calls its methods for each event. */
export class EventLog {
  readonly buffer: LogBuffer
  time: Micros
  cause: Sequence
  number: number
  readonly #reading: LogReading
  readonly #promptness: LogReading['promptness']
  /** The place before the first record of the buffer. */
  #from: LogPlace
  /** The first word that the readers of records and objects have not read. */
  #unread = 0
  #isRead = false

  /** Opens a log at the place of its first page reader. */
  constructor(reading: LogReading) {
    const from = reading.pages[0]?.place ?? logStart
    this.buffer = createLogBuffer(FIRST_WORDS)
    this.time = from.time
    this.cause = from.cause
    this.number = from.number
    this.#from = from
    this.#reading = reading
    this.#promptness = reading.promptness
  }

  /**
   * True if trades pass as objects because there are no page readers. Their money may then exceed the 64 bits of a
   * record.
   */
  get passesTrades(): boolean {
    return this.#reading.pages.length === 0
  }

  /** Appends an event of any family. Readers of objects first read all records before it, then receive it. */
  append(event: Event): void {
    const { kind } = event
    if (kind === 'order') this.order(event, event, event, event)
    else if (kind === 'trade') this.trade(event)
    else if (kind === 'request') this.request(event, event)
    else {
      const code = recordCodes[kind]
      if (code !== null && this.#isTaken(code)) {
        this.#place(event)
        if (kind === 'mark') appendMark(this.buffer, event)
        else if (kind === 'index') appendIndex(this.buffer, event)
        else appendRecord(this.buffer, layoutOfFamily(kind), event)
        this.#end(code)
      }
      this.read()
      this.#reading.pass(event)
    }
  }

  /** Appends the event of an order: its terms, the terms that few orders have, and its current state. */
  order(header: EventHeader, order: CommonOrderTerms, terms: RareOrderTerms, now: OrderNow): void {
    if (!this.#isTaken(orderCode)) return
    this.#place(header)
    appendOrder(this.buffer, order, terms, now)
    this.#end(orderCode)
  }

  /** Appends the event of an order without terms that few orders have. */
  plainOrder(now: PlainOrderNow): void {
    if (!this.#isTaken(orderCode)) return
    this.#place(now)
    appendPlainOrder(this.buffer, now)
    this.#end(orderCode)
  }

  /** Appends a trade. */
  trade(trade: TradeRow): void {
    if (!this.#isTaken(tradeCode)) return
    if (this.passesTrades) {
      this.read()
      this.#reading.pass(tradeOf(trade))
      return
    }
    this.#place(trade)
    appendTrade(this.buffer, trade)
    this.#end(tradeCode)
  }

  /** Appends a trade of two orders in the book of a future, outside of liquidations. Not with `passesTrades`. */
  plainTrade(trade: PlainTrade): void {
    if (!this.#isTaken(tradeCode)) return
    this.#place(trade)
    appendPlainTrade(this.buffer, trade)
    this.#end(tradeCode)
  }

  /** Appends the end of a request. */
  request(header: EventHeader, end: EventRow<'request'>): void {
    if (!this.#isTaken(requestCode)) return
    this.#place(header)
    appendRequest(this.buffer, end)
    this.#end(requestCode)
  }

  /** Readers of records and objects read all new records. Page readers wait for a page. */
  read(): void {
    const { buffer } = this
    const { take, pages } = this.#reading
    // A reader may append records while it reads. The loop that is already running reads them too.
    if (take === null || this.#unread === buffer.at || this.#isRead) return
    this.#isRead = true
    try {
      take(this, this.#unread)
    } finally {
      this.#isRead = false
      if (pages.length === 0) buffer.at = 0
      this.#unread = buffer.at
    }
  }

  /** All readers read all records. */
  flush(): void {
    this.read()
    const { buffer } = this
    if (buffer.at === 0 || this.#isRead) return
    const { time, cause, number } = this
    try {
      for (const reader of this.#reading.pages) {
        reader.take(buffer, this.#from, { time, cause, number })
      }
    } finally {
      // No reader gets a record twice, even if another one throws.
      buffer.at = 0
      this.#unread = 0
    }
  }

  #isTaken(code: number): boolean {
    return this.#promptness[code] !== 'never'
  }

  /** Writes the place of the next event, and begins a page if the buffer is empty. */
  #place(header: EventHeader): void {
    const { pages } = this.#reading
    if (this.buffer.at === 0 && pages.length > 0) {
      const { time, cause, number } = this
      this.#from = { time, cause, number }
      for (const reader of pages) reader.begin(this)
    }
    placeNext(this, header)
  }

  /** Ends a record. */
  #end(code: number): void {
    if (this.#promptness[code] === 'now') this.read()
    if (this.buffer.at >= PAGE_WORDS) this.flush()
  }
}

/** The bytes of the records that a buffer holds. */
export function recordBytes(buffer: LogBuffer): Uint8Array {
  return buffer.bytes.subarray(0, buffer.at * WORD_BYTES)
}

/** A buffer and the place of its last event. */
interface PlacedLog extends Mutable<LogPlace> {
  readonly buffer: LogBuffer
}

/**
 * Returns the records that follow the place `from` as a log would write them after the place `to`. Only the record of
 * the first place differs.
 */
export function placedRecords(records: LogBuffer, from: LogPlace, to: LogPlace): LogBuffer {
  if (from.time === to.time && from.cause === to.cause && from.number === to.number) return records
  const place = { time: from.time, cause: from.cause, number: from.number }
  let at = 0
  if (codeAt(records, 0) === PLACE_CODE) {
    setLogPlace(place, records, at)
    at = lengthAt(records, 0)
  }
  const buffer = createLogBuffer(records.at + PLACE_WORDS_MAX)
  placeNext(
    { buffer, time: to.time, cause: to.cause, number: to.number },
    { time: place.time, cause: place.cause, number: place.number + 1 },
  )
  buffer.ints.set(records.ints.subarray(2 * at, 2 * records.at), 2 * buffer.at)
  buffer.at += records.at - at
  return buffer
}

const PLACE_WORDS_MAX = 4

/** Writes the place of the next event, if it does not follow from the place of the log. */
function placeNext(log: PlacedLog, { time, cause, number }: EventHeader): void {
  const isNext = number === log.number + 1
  if (time !== log.time || cause !== log.cause || !isNext) {
    const from = log.buffer.at
    reserve(log.buffer, 1)
    log.buffer.at = from + 1
    let bits = 0
    if (time !== log.time) {
      bits |= placeBits.time
      appendNumber(log.buffer, time)
    }
    if (cause !== log.cause) {
      bits |= placeBits.cause
      appendNumber(log.buffer, cause)
    }
    if (!isNext) {
      bits |= placeBits.number
      appendNumber(log.buffer, number)
    }
    setHead(log.buffer, from, PLACE_CODE, bits)
    log.time = time
    log.cause = cause
  }
  log.number = number
}

/** Sets a place from its record. */
export function setLogPlace(place: Mutable<LogPlace>, buffer: LogBuffer, at: number): void {
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
