/**
 * Envelopes: reading requests from text, and writing replies as text.
 *
 * A text that is not a request never reaches the exchange. A request with an id gets one answer, except a logout over a
 * WebSocket and replies that a fault affects.
 * Source: sessions document 1.1-1.3; coverage R14, R30, R31, R45, S013-S017.
 */
import type { Micros } from '../core/index.ts'
import { envelope, type Method, type RequestParams, type VenueError, type VenueReply } from '../rpc/index.ts'
import type { Asked } from './client.ts'

/** The id of an envelope; null for a missing or invalid id. */
export type EnvelopeId = number | string | null

/** A request, or the error of a text that is not one. */
export type Frame =
  | { readonly ok: true; readonly id: EnvelopeId; readonly asked: Asked }
  | { readonly ok: false; readonly id: EnvelopeId; readonly error: VenueError }

/** Largest size of a request in bytes. */
export const FRAME_BYTES = 32_768

/** Largest depth of nested lists and objects in parameters. */
const DEPTH_MAX = 32

/** Largest size of a text that is read at all. A text between the two limits is answered with an error. */
export const PAYLOAD_BYTES = 1_048_576

/** The error of a text above the size of requests. */
export const tooLarge: VenueError = {
  code: -32600,
  message: 'Invalid Request',
  data: { reason: 'request_entity_too_large' },
}

const parseError: VenueError = { code: -32700, message: 'Parse error' }

/**
 * Reads a request. `path` is the method in a URL, which the text can omit or repeat. The method can have a leading
 * slash, unless `isStrict`.
 */
export function readFrame(text: string, isStrict: boolean, path: string | null = null): Frame {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return { ok: false, id: null, error: parseError }
  }
  if (Array.isArray(json)) return refused(null, 'batches_are_not_supported')
  if (typeof json !== 'object' || json === null) return refused(null, 'not_an_object')
  const { jsonrpc, id, method: given, params } = json as Readonly<Record<string, unknown>>
  const method = typeof given === 'string' && !isStrict ? given.replace(/^\//, '') : given
  const isId = typeof id === 'string' || (typeof id === 'number' && Number.isFinite(id))
  if (!isId) return refused(null, 'id_not_a_number_or_string')
  if (jsonrpc !== '2.0') return refused(id, 'jsonrpc_not_2.0')
  const named = method ?? path ?? undefined
  if (typeof named !== 'string') return refused(id, 'method_not_a_string')
  if (path !== null && named !== path) return refused(id, 'method_not_that_of_the_path')
  const asked = params ?? {}
  if (typeof asked !== 'object' || Array.isArray(asked)) return refused(id, 'params_not_an_object')
  const problem = valueProblem(asked)
  if (problem !== null) return refused(id, problem)
  // Parsed JSON has only values that parameters can have.
  return { ok: true, id, asked: { method: named, params: asked as RequestParams } }
}

/** Reads the query of a URL. Its `id` is the id of the request, unless the method has a parameter of this name. */
export function readQuery(
  name: string,
  method: Method | undefined,
  query: URLSearchParams,
): Extract<Frame, { readonly ok: true }> {
  const { id, ...params } = Object.fromEntries(query)
  if (id === undefined) return { ok: true, id: null, asked: { method: name, params, isQuery: true } }
  if (method !== undefined && Object.hasOwn(method.params.shape, 'id')) {
    return { ok: true, id: null, asked: { method: name, params: { ...params, id }, isQuery: true } }
  }
  const number = Number(id)
  const isNumber = /^-?\d+$/.test(id) && Number.isSafeInteger(number)
  const asked = { method: name, params, isQuery: true }
  return { ok: true, id: isNumber ? number : id, asked }
}

/**
 * The reason why a value cannot be a parameter in a journal, or null. No method has lists nested this deeply, and a
 * number beyond the range of a double would be stored as another number.
 */
export function valueProblem(value: unknown, depth = 0): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? null : 'number_out_of_range'
  if (typeof value !== 'object' || value === null) return null
  if (depth === DEPTH_MAX) return 'nested_too_deeply'
  for (const each of Object.values(value)) {
    const problem = valueProblem(each, depth + 1)
    if (problem !== null) return problem
  }
  return null
}

/** The text of a reply. It has no id if the request came as a URL without one. */
export function replyText(reply: VenueReply, id: EnvelopeId | undefined): string {
  const sent = withHint(reply)
  if (id !== undefined) return JSON.stringify(envelope(sent, id))
  const { id: _none, ...out } = envelope(sent, 0) as { readonly id: number }
  return JSON.stringify(out)
}

/** Adds the hint of a refusal to the data of its error, where clients of the venue ignore it. */
function withHint(reply: VenueReply): VenueReply {
  if (reply.ok || reply.hint === undefined) return reply
  return { ...reply, error: { ...reply.error, data: { ...reply.error.data, hint: reply.hint } } }
}

/** The text of an error outside of the exchange. */
export function errorText(error: VenueError, id: EnvelopeId | undefined, now: Micros): string {
  return replyText({ sequence: 0, usIn: now, usOut: now, ok: false, error }, id)
}

/** The flat error of `private/get_subaccounts` without a token (R30). */
export function flatErrorText({ code, message }: VenueError, id: EnvelopeId | undefined): string {
  return JSON.stringify({ jsonrpc: '2.0', id: id ?? null, message, error: code })
}

function refused(id: EnvelopeId, reason: string): Frame {
  return { ok: false, id, error: { code: -32600, message: 'Invalid Request', data: { reason } } }
}
