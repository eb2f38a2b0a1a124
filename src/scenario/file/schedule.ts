/**
 * Times of a scenario: `start` and `until`, and `at` or `after` of each step. Steps must be in time order, so that a
 * file reads from top to bottom in the order of its events.
 */
import {
  err,
  formatIsoTime,
  type Micros,
  micros,
  parseDuration,
  parseIsoTime,
  type Result,
  type TextFault,
} from '../../core/index.ts'
import { expectedStart, expectedTime, START_MIN } from '../time-bounds.ts'
import { entriesOf, type Findings, itemsOf, nodeAt, type Path, report, reportKey, textAt } from './located.ts'

/** The times of a file. */
export interface Schedule {
  readonly start: Micros
  readonly until: Micros | null
  /** The time of each step of the file. */
  readonly steps: readonly Micros[]
  /** The time window of each feed. */
  readonly windows: readonly TimeWindow[]
  /** The time window of each fault. */
  readonly faults: readonly TimeWindow[]
}

/** Beginning and end of a feed or a fault; null if the file does not state them. */
interface TimeWindow {
  readonly from: Micros | null
  readonly to: Micros | null
}

const ISO_BEGINNING = /^[0-9]{4}-/

/** The times of a file. Mistakes in them are reported; the result is then unusable. */
export function readSchedule(findings: Findings): Schedule {
  const start = readPoint(findings, ['start'], (text) => {
    const parsed = parseIsoTime(text)
    const expected = parsed.ok ? expectedStart(parsed.value) : null
    return expected === null ? parsed : err({ found: text, expected })
  })
  const until = readPoint(findings, ['until'], (text) => parseTime(text, start))
  if (start !== undefined && until !== undefined && until < start) {
    report(findings, ['until'], {
      expected: `a time at or after the start, ${formatIsoTime(start)}`,
    })
  }
  const steps: Micros[] = []
  let now = start
  for (const index of itemsOf(nodeAt(findings.root, ['steps'])).keys()) {
    const time = readStepTime(findings, index, start, now)
    if (time !== undefined && now !== undefined) {
      checkOrder(findings, { index, time, now, until, start: start ?? fallback })
      now = micros(Math.max(now, time))
    }
    steps.push(time ?? now ?? fallback)
  }
  const windows = itemsOf(nodeAt(findings.root, ['feeds'])).map((_, index) =>
    readWindow(findings, ['feeds', index], start, 'to', 'feed'),
  )
  const faults = itemsOf(nodeAt(findings.root, ['faults'])).map((_, index) =>
    readWindow(findings, ['faults', index], start, 'until', 'fault'),
  )
  return { start: start ?? fallback, until: until ?? null, steps, windows, faults }
}

/** A time window, which must not begin before the run. */
function readWindow(findings: Findings, path: Path, begun: Micros | undefined, end: string, what: string): TimeWindow {
  const start = begun ?? fallback
  const parse = (text: string): Result<Micros, TextFault> => parseTime(text, begun)
  const from = readPoint(findings, [...path, 'from'], parse) ?? null
  const to = readPoint(findings, [...path, end], parse) ?? null
  if (from !== null && from < start) {
    const expected = `a time at or after the start, ${formatIsoTime(start)}`
    report(findings, [...path, 'from'], { expected })
  }
  if (to !== null && to < (from ?? start)) {
    const expected = `a time not before the beginning of the ${what}`
    report(findings, [...path, end], { expected })
  }
  return { from, to }
}

/** Replaces a missing or wrong start, which has been reported. */
const fallback = START_MIN

function readStepTime(
  findings: Findings,
  index: number,
  start: Micros | undefined,
  now: Micros | undefined,
): Micros | undefined {
  const path: Path = ['steps', index]
  const entries = entriesOf(nodeAt(findings.root, path))
  if (entries.has('at') && entries.has('after')) {
    reportKey(findings, [...path, 'after'], { expected: 'either at or after', found: 'both' })
    return undefined
  }
  if (entries.has('at')) {
    return readPoint(findings, [...path, 'at'], (text) => parseTime(text, start))
  }
  if (entries.has('after')) {
    return readPoint(findings, [...path, 'after'], (text) => parseOffset(text, now ?? fallback))
  }
  const expected = 'the time of the step, such as at: 0ms or after: 5ms'
  if (entries.size > 0) report(findings, [...path, 'at'], { expected })
  return undefined
}

/** The times of a step and of its neighbours. */
interface StepTimes {
  readonly index: number
  readonly time: Micros
  readonly now: Micros
  readonly until: Micros | undefined
  readonly start: Micros
}

function checkOrder(findings: Findings, times: StepTimes): void {
  const { index, time, now, until, start } = times
  const entries = entriesOf(nodeAt(findings.root, ['steps', index]))
  const path: Path = ['steps', index, entries.has('at') ? 'at' : 'after']
  const early = expectedTime(time, start)
  if (early !== null) {
    report(findings, path, { expected: early })
  } else if (time < now) {
    const before = index === 0 ? 'the start' : 'the previous step'
    report(findings, path, { expected: `a time not before ${before}, ${formatIsoTime(now)}` })
  } else if (until !== undefined && time > until) {
    report(findings, path, { expected: `a time at or before until, ${formatIsoTime(until)}` })
  }
}

/** The time at a path; undefined if it does not exist or was reported. */
function readPoint(
  findings: Findings,
  path: Path,
  parse: (text: string) => Result<Micros, TextFault>,
): Micros | undefined {
  const text = textAt(nodeAt(findings.root, path.slice(0, -1)), String(path.at(-1)))
  if (text === undefined) return undefined
  const parsed = parse(text)
  if (parsed.ok) return parsed.value
  report(findings, path, { expected: parsed.error.expected })
  return undefined
}

/** A duration from the start, or a point of time. If the start itself is wrong, no time is too late. */
function parseTime(text: string, start: Micros | undefined): Result<Micros, TextFault> {
  if (ISO_BEGINNING.test(text)) return bounded(parseIsoTime(text), text, start)
  const offset = parseOffset(text, start ?? fallback)
  if (offset.ok) return bounded(offset, text, start)
  const expected = `${offset.error.expected}, or a time such as 2026-01-05T08:00:00Z`
  return { ok: false, error: { ...offset.error, expected } }
}

function bounded(
  parsed: Result<Micros, TextFault>,
  text: string,
  start: Micros | undefined,
): Result<Micros, TextFault> {
  const expected = parsed.ok && start !== undefined ? expectedTime(parsed.value, start) : null
  return expected === null ? parsed : err({ found: text, expected })
}

function parseOffset(text: string, from: Micros): Result<Micros, TextFault> {
  const duration = parseDuration(text)
  if (!duration.ok) return duration
  const time = from + duration.value
  if (Number.isSafeInteger(time)) return { ok: true, value: micros(time) }
  return { ok: false, error: { found: text, expected: 'a time before mid-2255' } }
}
