/** Orders behind the speed bump, and requests whose reply waits for them. */
import { type Micros, micros, type OrderId, type Sequence } from '../../../core/index.ts'
import type { Exchange } from '../../state/index.ts'

/** The release time of the last order for which a request's reply waits; undefined if the reply does not wait. */
export function heldUntil({ bumps }: Exchange, request: Sequence): Micros | undefined {
  let until: number | undefined
  for (const { held, releaseAt } of bumps.values()) {
    if (held.includes(request)) until = Math.max(until ?? 0, releaseAt)
  }
  return until === undefined ? undefined : micros(until)
}

/** True while a request's reply waits for orders behind the speed bump. */
export function isHeld({ heldRequests }: Exchange, request: Sequence): boolean {
  return heldRequests.has(request)
}

/** True while the reply of any request waits for orders behind the speed bump. */
export function isAnyHeld({ heldRequests }: Exchange): boolean {
  return heldRequests.size > 0
}

/** True while an order waits behind the speed bump. */
export function isQueued({ bumps }: Exchange, order: OrderId): boolean {
  return bumps.has(order)
}
