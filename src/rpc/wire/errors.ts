/**
 * Refusals as JSON-RPC tells them; their codes and messages stand in the table of refusals. Source: trading.md 9.1;
 * sessions document 1.2; coverage R14, R33, R45.
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

/** The value that a refusal carries, as its message tells it; empty where there is none. */
function valueIn(refusal: Refusal): string {
  if ('limit' in refusal) {
    const { limit, reason } = refusal
    return refusals[reason].carries === 'price' ? formatScaledNumber(limit, 9) : `${limit}`
  }
  if ('currency' in refusal) return refusal.currency
  return 'wait' in refusal ? `${refusal.wait}` : ''
}

/** A problem as programs read it: a word stands by itself, a sentence explains an invalid value (sessions document 1.2). */
function reasonOf(problem: string): { readonly reason: string; readonly detail?: string } {
  const isWord = /^[a-z][a-z0-9_]*$/.test(problem)
  return isWord ? { reason: problem } : { reason: 'invalid_value', detail: problem }
}

/** The HTTP status of an error (R14): 400 where the table of refusals has nothing else. */
export function statusOf({ code }: VenueError): number {
  return statuses.get(code) ?? 400
}

const statuses: ReadonlyMap<number, number> = new Map([
  ...Object.values(refusals).map(({ code, status }) => [code, status] as const),
  ...outsideStatuses(),
])

/** Errors that no refusal of the engine is: the server's own. */
function outsideStatuses(): readonly (readonly [number, number])[] {
  return [
    [13004, 401],
    [10066, 429],
    [11094, 500],
  ]
}
