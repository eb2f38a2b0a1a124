/**
 * The shape of parameters: which values count as absent, and the first error in the given ones, in the venue's words:
 * the parameter, with its path inside other parameters, and the problem.
 *
 * Source: sessions document 1.1 (`null` is absent), 1.2 (`data` of an error).
 */
import type { z } from '../../core/index.ts'
import { type Fault, validationStep } from '../../model/index.ts'
import type { ParamValue, RequestParams, VenueRequest } from '../wire/index.ts'
import type { Method } from './method.ts'
import { unread } from './parameter-readers.ts'
import { paramFault, type Read } from './params.ts'

/**
 * The parameters without `null` values, which count as absent, also in entries of lists. Parameters without nulls and
 * lists are returned unchanged.
 */
export function withoutNulls(params: RequestParams): RequestParams {
  for (const name of Object.keys(params)) {
    const value = params[name]
    // Nulls and lists are rare, so most requests are scanned once and not copied.
    if (value !== null && !Array.isArray(value)) continue
    const given = Object.entries(givenOf(params))
    return Object.fromEntries(given.map(([key, each]) => [key, entriesOf(each)]))
  }
  return params
}

/** The parameters of a request as its method reads them, or the first error in them. */
export function readParams(method: Pick<Method, 'params' | 'reader'>, params: RequestParams): Read<object> {
  const read = method.reader(params)
  if (read !== unread) return { ok: true, value: read }
  const parsed = method.params.safeParse(withoutNulls(params))
  if (parsed.success) return { ok: true, value: parsed.data }
  return { ok: false, fault: shapeFault(parsed.error, params) }
}

/** The first error of parameters that do not match their schema. */
export function shapeFault(error: z.ZodError, params: RequestParams): Fault {
  const issue = error.issues[0]
  const path = [...(issue?.path ?? [])]
  // A decimal text is one value, so the path ends at its parameter.
  if (path.at(-1) === 'decimal') path.pop()
  const missing = (valueAt(params, path) ?? null) === null
  const param = path.length === 0 ? 'params' : path.map(String).join('.')
  return paramFault(param, missing ? 'required' : problemOf(issue))
}

/** True if a value is an object of parameters, which every request needs (S016). */
export function isParams(value: unknown): value is RequestParams {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * The request, and the fault of its envelope: a method that is not text, or parameters that are a list or a scalar
 * (R45). Absent and `null` parameters count as empty.
 */
export function readEnvelope(given: VenueRequest): {
  readonly request: VenueRequest
  readonly fault: Fault | null
} {
  // Programs without types can send anything.
  const asked: unknown = given.params ?? {}
  if (typeof given.method !== 'string') {
    return {
      request: { ...given, method: '', params: {} },
      fault: envelopeFault('method_not_a_string'),
    }
  }
  if (!isParams(asked)) {
    return { request: { ...given, params: {} }, fault: envelopeFault('params_not_an_object') }
  }
  return { request: asked === given.params ? given : { ...given, params: asked }, fault: null }
}

/** A fault of the envelope: -32600. */
export function envelopeFault(problem: string): Fault {
  return { step: validationStep.envelope, refusal: { reason: 'invalid_request', problem } }
}

function givenOf<T extends ParamValue | undefined>(
  params: Readonly<Record<string, T>>,
): { readonly [name: string]: T } {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null))
}

function entriesOf(value: ParamValue | undefined): ParamValue | undefined {
  if (!Array.isArray(value)) return value
  return value.map((entry: ParamValue) => (isRecord(entry) ? givenOf(entry) : entry))
}

function isRecord(value: ParamValue): value is { readonly [name: string]: ParamValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function valueAt(params: RequestParams, path: readonly PropertyKey[]): unknown {
  let value: unknown = params
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return undefined
    value = (value as Readonly<Record<PropertyKey, unknown>>)[step]
  }
  return value
}

function problemOf(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code !== 'invalid_union') return wordOf(issue)
  // Among the alternatives, report the error of the one whose type matches the value.
  return wordOf(issue.errors.flat().find(({ code }) => code !== 'invalid_type'))
}

function wordOf(issue: z.core.$ZodIssue | undefined): string {
  switch (issue?.code) {
    case 'invalid_value':
      return 'unknown_value'
    case 'too_small':
      return 'too_small'
    case 'too_big':
      return 'too_large'
    // Checks of this library use the word of the problem as their message.
    case 'custom':
      return issue.message
    case 'invalid_type':
    case 'invalid_union':
    case undefined:
      return 'wrong_type'
    default:
      return 'invalid'
  }
}
