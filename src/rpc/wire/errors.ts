/**
 * Refusals as JSON-RPC errors. The table of refusals has their codes and messages. Source: trading.md 9.1; sessions
 * document 1.2; coverage R14, R33, R45.
 */
import { formatScaledNumber } from '../../core/index.ts'
import { type Refusal, refusals } from '../../model/index.ts'
import type { VenueError } from './request.ts'

/** The error object of a refusal. */
export function errorOf(refusal: Refusal): VenueError {
  const { reason } = refusal
  const { code, message: text } = refusals[reason]
  const message = text.replace('{word}', reason).replace('{value}', valueIn(refusal))
  if (reason === 'unauthorized') {
    return { code, message, data: { reason: 'invalid_token', param: 'access_token' } }
  }
  if (!('problem' in refusal)) return { code, message }
  const found = reasonOf(refusal.problem)
  return { code, message, data: 'param' in refusal ? { ...found, param: refusal.param } : found }
}

/** The value of a refusal in its message; empty without a value. */
function valueIn(refusal: Refusal): string {
  if ('limit' in refusal) {
    const { limit, reason } = refusal
    return refusals[reason].carries === 'price' ? formatScaledNumber(limit, 9) : `${limit}`
  }
  if ('currency' in refusal) return refusal.currency
  return 'wait' in refusal ? `${refusal.wait}` : ''
}

/**
 * A problem for programs: a single word is the reason, and a sentence explains an invalid value (sessions document
 * 1.2).
 */
function reasonOf(problem: string): { readonly reason: string; readonly detail?: string } {
  const isWord = /^[a-z][a-z0-9_]*$/.test(problem)
  return isWord ? { reason: problem } : { reason: 'invalid_value', detail: problem }
}

/** The HTTP status of an error (R14); 400 if the table of refusals has no status. */
export function statusOf({ code }: VenueError): number {
  return statuses.get(code) ?? 400
}

const statuses: ReadonlyMap<number, number> = new Map([
  ...Object.values(refusals).map(({ code, status }) => [code, status] as const),
  ...outsideStatuses(),
])

/** Errors of servers, which are not refusals of the engine. */
function outsideStatuses(): readonly (readonly [number, number])[] {
  return [
    [13004, 401],
    [10066, 429],
    [11094, 500],
  ]
}
