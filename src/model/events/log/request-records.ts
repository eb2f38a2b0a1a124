/** Writer and reader of the records of completed requests; see `order-records.ts`. */
import { type Mutable, micros, sequence } from '../../../core/index.ts'
import type { EventOf, EventRow } from '../event.ts'
import { type ColumnWays, handColumns, layoutOfFamily } from './layout.ts'
import { type LogBuffer, reserve, WORD_BYTES } from './log-buffer.ts'
import { setHead } from './records.ts'

/** A request event that is filled from records. */
type FilledRequest = Mutable<EventOf<'request'>>

const { words: requestWords, code: requestCode } = layoutOfFamily('request')
const { places: inRequest } = handColumns('request', {
  outcome: 'place',
  count: 'place',
} as const satisfies ColumnWays<EventRow<'request'>>)

/** Appends the record of a completed request. */
export function appendRequest(buffer: LogBuffer, event: EventRow<'request'>): void {
  const from = buffer.at
  reserve(buffer, requestWords)
  buffer.doubles[from + requestWords - 1] = 0
  buffer.doubles[from + inRequest.count] = event.count
  buffer.bytes[from * WORD_BYTES + inRequest.outcome] = event.outcome === 'done' ? 1 : 2
  buffer.at = from + requestWords
  setHead(buffer, from, requestCode, 0)
}

/** Fills an event from the record of a request; the reader sets its header. */
export function fillRequest(event: FilledRequest, buffer: LogBuffer, from: number): void {
  event.count = buffer.doubles[from + inRequest.count] as number
  event.outcome = buffer.bytes[from * WORD_BYTES + inRequest.outcome] === 1 ? 'done' : 'refused'
}

/** A blank request event. */
export function blankRequest(): FilledRequest {
  return {
    kind: 'request',
    time: micros(0),
    number: 0,
    cause: sequence(0),
    outcome: 'done',
    count: 0,
  }
}
