/**
 * The steps of a scenario as a source of requests. It inserts saved values when a step is taken, and saves and compares
 * values when its reply comes.
 */
import type { RequestSource, TimedRequest } from '../../backtest/index.ts'
import { defined, type Micros } from '../../core/index.ts'
import type { ParamValue, RequestParams, VenueError, VenueReply } from '../../rpc/index.ts'
import type { Scenario, SetupRequest, Step } from '../scenario.ts'
import { compare, type Failure, failureAt, hintOf } from './expectation.ts'
import { insertSaved } from './saved-values.ts'

/** Progress of the steps of a run. */
export interface Progress {
  readonly saved: Map<string, ParamValue>
  readonly failures: Failure[]
  /** Steps whose replies are pending. */
  readonly waiting: Set<Step>
}

/** A source of requests that are all known before the run. */
export function listSource(requests: readonly TimedRequest[]): RequestSource {
  let next = 0
  return {
    nextTime: () => requests[next]?.time ?? Number.POSITIVE_INFINITY,
    take: () => {
      const request = defined(requests[next], 'a source with a next time has a request')
      next += 1
      return request
    },
    save: () => next,
    load: (saved) => {
      next = Number(saved)
    },
  }
}

/** The requests of the set-up, all at the start. A refused one is a failure. */
export function setupSource({ file, setup, start }: Scenario, { failures }: Progress): RequestSource {
  const requestOf = (from: SetupRequest): TimedRequest => ({
    time: start,
    method: from.method,
    params: from.params,
    account: from.account,
    session: 0,
    onReply: (reply) => {
      if (reply.ok) return
      const expected = `success of ${from.method} in the set-up`
      failures.push(failureAt({ file, ...from }, { expected, ...errorWords(reply) }))
    },
  })
  return listSource(setup.map(requestOf))
}

/** The steps of the file, in its order. */
export function stepSource({ file, steps }: Scenario, progress: Progress): RequestSource {
  let next = 0
  const waiting = (step: Step): ((reply: VenueReply) => void) => {
    progress.waiting.add(step)
    return (reply) => receive(step, file, reply, progress)
  }
  return {
    nextTime: () => steps[next]?.time ?? Number.POSITIVE_INFINITY,
    take: () => {
      const step = defined(steps[next], 'a source with a next time has a step')
      next += 1
      const { time, method, account, session } = step
      const params = paramsOf(step, file, progress)
      // A step whose saved values are missing has already failed, so its reply does not matter.
      if (params === undefined) return { time, method, params: step.params, account, session }
      return { time, method, params, account, session, waiter: next - 1, onReply: waiting(step) }
    },
    save: () => next,
    load: (saved) => {
      next = Number(saved)
    },
    resume: (waiter) => waiting(defined(steps[Number(waiter)], 'a waiter is a step of the file')),
  }
}

/** A source that ends at `until`, even if it has later requests. */
export function sourceUntil(source: RequestSource, until: Micros): RequestSource {
  return {
    nextTime: () => {
      const time = source.nextTime()
      return time > until ? Number.POSITIVE_INFINITY : time
    },
    take: () => source.take(),
    ...(source.events === undefined ? {} : { events: source.events }),
    // A source that cannot be saved counts as saved when nothing is left of it.
    ...(source.save === undefined ? {} : { save: source.save }),
    ...(source.load === undefined ? {} : { load: source.load }),
    ...(source.resume === undefined ? {} : { resume: source.resume }),
    ...(source.goesBack === undefined ? {} : { goesBack: source.goesBack }),
  }
}

/** An error as text: its code, its message, and the venue's detail about the parameter. */
function errorText({ code, message, data }: VenueError): string {
  const detail = data === undefined ? '' : ` (${[data.param, data.detail ?? data.reason].filter(Boolean).join(': ')})`
  return `error ${code} ${message}${detail}`
}

/** A reply that refuses a request. */
type RefusedReply = VenueReply & { readonly ok: false }

/** A refusal as text. The error names its parameter, so the hint does not name it again. */
function errorWords({ error, hint }: RefusedReply): {
  readonly found: string
  readonly hint?: string
} {
  const found = errorText(error)
  if (hint === undefined) return { found }
  const named = `${error.data?.param}: `
  return { found, hint: hint.startsWith(named) ? hint.slice(named.length) : hint }
}

/** The parameters with saved values inserted; undefined, with a failure, if a value does not exist. */
function paramsOf(step: Step, file: string, { saved, failures }: Progress): RequestParams | undefined {
  if (!step.inserts) return step.params
  const inserted = insertSaved(step.params as ParamValue, saved)
  // Inserting values into a mapping gives a mapping.
  if (inserted.ok) return inserted.value as RequestParams
  const expected = `a value saved as ${inserted.error}`
  failures.push(failureAt({ file, ...step }, { expected, found: 'none' }))
  return undefined
}

function receive(step: Step, file: string, reply: VenueReply, progress: Progress): void {
  progress.waiting.delete(step)
  const part = reply.ok ? 'result' : 'error'
  const body = reply.ok ? { result: reply.result } : { error: reply.error }
  const wanted = step.expect?.part ?? 'result'
  if (part !== wanted) {
    const found = reply.ok ? { found: 'a result' } : errorWords(reply)
    const expected = wanted === 'result' ? 'a result' : 'an error'
    const at = step.expect === null ? step : { ...step.expect, place: step.expect.expected.place }
    progress.failures.push(failureAt({ file, place: at.place, path: at.path }, { expected, ...found }))
    return
  }
  for (const save of step.saves) {
    const { value, hint } = valueAt(body, save.keys)
    // Replies are JSON, so every part of one is a valid value in parameters.
    if (value !== undefined) progress.saved.set(save.name, value as ParamValue)
    else {
      const expected = `${save.keys.join('.')} in the reply`
      progress.failures.push(failureAt({ file, ...save }, { expected, found: 'nothing', ...hint }))
    }
  }
  if (step.expect === null) return
  const { expected, path } = step.expect
  const found = reply.ok ? reply.result : reply.error
  compare({ file, expected, found, path, saved: progress.saved }, progress.failures)
}

/** The value at a path of a reply. If it does not exist, the hint has the key that was probably meant. */
function valueAt(
  body: unknown,
  keys: readonly string[],
): { readonly value: unknown; readonly hint?: { readonly hint?: string } } {
  let value = body
  for (const key of keys) {
    if (typeof value !== 'object' || value === null) return { value: undefined }
    if (!Object.hasOwn(value, key)) return { value: undefined, hint: hintOf(key, value) }
    value = (value as Record<string, unknown>)[key]
  }
  return { value }
}
