/**
 * A complete log that was written to a file, for example by `run --log`: its events by family, without an object for
 * each.
 */
import { err, ok, type Result, type TextFault } from '../../../core/index.ts'
import type { EventKind, EventOf, EventTakers } from '../event.ts'
import { LOG_LAYOUT, layouts, PLACE_CODE } from './layout.ts'
import { type LogBuffer, logBufferOf, WORD_BYTES } from './log-buffer.ts'
import { createLogReader, readRecords } from './log-reader.ts'
import { codeAt, lengthAt } from './records.ts'

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

/** The first line of a log, in its digest and in a file. */
export function logHead(): Uint8Array {
  return new TextEncoder().encode(`${LOG_LAYOUT}\n`)
}

/**
 * Opens the log of a file. Returns an error with the place if the bytes are not a log or end within a record.
 *
 * @example
 * console.log(openEventLog(new Uint8Array(3)).ok) // false
 */
export function openEventLog(bytes: Uint8Array): Result<EventLogView, TextFault> {
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
