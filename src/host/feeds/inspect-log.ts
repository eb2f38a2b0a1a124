/** Inspects an event log that `run --log` wrote: the number of events of each family, their times, the digest. */
import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { formatIsoTime, type Micros, ok, type Result } from '../../core/index.ts'
import { type Event, type EventKind, logHead, openEventLog, recordCodes } from '../../model/index.ts'
import { digestOfLog } from '../../results/index.ts'
import { nodeSha256 } from '../sha256.ts'
import { badInput, type FeedFault } from './feed-fault.ts'

/** Contents of an event log. */
export interface LogInspection {
  readonly type: 'log'
  readonly file: string
  readonly digest: string
  readonly bytes: number
  readonly events: number
  readonly from: string | null
  readonly until: string | null
  /** Number of events by family, for families with at least one event. */
  readonly families: readonly { readonly family: string; readonly events: number }[]
}

/** True if a file begins like an event log. */
export function isEventLog(path: string): boolean {
  const head = logHead()
  const found = new Uint8Array(head.length)
  const descriptor = openSync(path, 'r')
  try {
    readSync(descriptor, found)
  } finally {
    closeSync(descriptor)
  }
  return Buffer.compare(found, head) === 0
}

/** The most bytes of a file that Node reads in one call. */
const LOG_BYTES_MAX = 2_147_483_647

/** Reads a log to its end. */
export function inspectLog(path: string): Result<LogInspection, FeedFault> {
  const { size } = statSync(path)
  if (size > LOG_BYTES_MAX) {
    const expected = `a log of at most ${LOG_BYTES_MAX} bytes, which must fit in memory`
    return badInput({ code: 'SYNTAX', file: path, expected, found: `${size} bytes` })
  }
  const opened = openEventLog(readFileSync(path))
  if (!opened.ok) return badInput({ code: 'SYNTAX', file: path, ...opened.error })
  const counts = new Map<EventKind, number>()
  let from: Micros | null = null
  let until: Micros | null = null
  const take = ({ kind, time }: Event): void => {
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
    from ??= time
    until = time
  }
  const kinds = Object.keys(recordCodes) as EventKind[]
  opened.value.events(Object.fromEntries(kinds.map((kind) => [kind, take])))
  const families = kinds.flatMap((family) => {
    const events = counts.get(family)
    return events === undefined ? [] : [{ family, events }]
  })
  return ok({
    type: 'log',
    file: path,
    digest: digestOfLog(opened.value.records, nodeSha256),
    bytes: opened.value.records.length,
    events: families.reduce((sum, { events }) => sum + events, 0),
    from: from === null ? null : formatIsoTime(from),
    until: until === null ? null : formatIsoTime(until),
    families,
  })
}
