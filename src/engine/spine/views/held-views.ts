/**
 * Requests whose reply waits behind the speed bump.
 */
import { type Micros, micros, type Sequence } from '../../../core/index.ts'
import type { Exchange } from '../../state/index.ts'

/** When the last order that a request's reply waits for is released; undefined where its reply waits for none. */
export function heldUntil({ bumps }: Exchange, request: Sequence): Micros | undefined {
  let until: number | undefined
  for (const { held, releaseAt } of bumps.values()) {
    if (held.includes(request)) until = Math.max(until ?? 0, releaseAt)
  }
  return until === undefined ? undefined : micros(until)
}
