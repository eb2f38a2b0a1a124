/**
 * Events as the bytes of a log, and back.
 */
import {
  createLogReader,
  type Event,
  EventLog,
  type LogPlace,
  logBufferOf,
  logStart,
  readRecords,
  recordBytes,
} from '../../src/model/index.ts'
import { totalTakers } from './total-takers.ts'

/** The bytes of the log of these events, continued from a place. */
export function logOf(events: readonly Event[], from: LogPlace = logStart): { bytes: Uint8Array; end: LogPlace } {
  const pieces: Uint8Array[] = []
  const log = new EventLog({
    promptness: [],
    pages: [
      {
        place: from,
        begin: () => undefined,
        take: (records) => pieces.push(recordBytes(records).slice()),
      },
    ],
    take: null,
    pass: () => undefined,
  })
  for (const event of events) log.append(event)
  log.flush()
  const { time, cause, number } = log
  return { bytes: Buffer.concat(pieces), end: { time, cause, number } }
}

/** The events of a log; events that the log reuses are copied. */
export function eventsOf(bytes: Uint8Array, from: LogPlace = logStart, isLent = false): Event[] {
  const events: Event[] = []
  const take = (event: Event): void => {
    events.push(isLent ? structuredClone(event) : event)
  }
  const buffer = logBufferOf(bytes)
  readRecords(createLogReader(totalTakers(take), { from, isLent: () => isLent }), buffer)
  return events
}
