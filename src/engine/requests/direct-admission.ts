/**
 * Admission of a new order of direct access: permission, lock, cancel-only and instrument first
 * (`market/request-steps.ts`), then the steps in the order of the binary gateway (`market/steps.ts`).
 *
 * Source: sessions-blocks-gateways.md 8.5, 8.7; S303.
 */
import type { Ticks } from '../../core/index.ts'
import type { PlaceOrder } from '../../model/index.ts'
import { admit, admitRequest, placedCandidate } from '../market/index.ts'
import { type Exchange, pass, rowOfInstrument, type Verdict } from '../state/index.ts'

/** Checks a placement over a session of direct access; only reads. The plan is its entry price. */
export function checkDirectPlace(exchange: Exchange, command: PlaceOrder): Verdict<Ticks> {
  const { account, session, display, extras } = command
  const fault = admitRequest(exchange, 'direct', command)
  if (fault !== null) return { ok: false, fault }
  const row = rowOfInstrument(exchange, command.instrument)
  const candidate = placedCandidate('direct', {
    row,
    account,
    session,
    display,
    extras,
    direct: extras?.direct ?? null,
    isRequest: true,
    terms: command,
  })
  const found = admit(exchange, candidate)
  return found.ok ? pass(found.plan.price) : found
}
