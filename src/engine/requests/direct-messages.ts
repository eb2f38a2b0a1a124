/**
 * Checks of direct access before anybody looks at what a message asks for: its session is open and its own, and neither
 * its message nor its gateway is switched off.
 *
 * Source: sessions-blocks-gateways.md 8.2, 8.7 (order of the checks), 8.11, 8.14; S298-S301, S307.
 */
import type { DirectMessage, Refusal } from '../../model/index.ts'
import { type Exchange, isDirect, sessionAt } from '../state/index.ts'

/** Who asks, and over which session. */
interface Asker {
  readonly account: number
  readonly session: number
}

/**
 * Rule: direct.messages. What refuses a message whatever it says: a session that is not one of direct access
 * of its account, a message that is switched off (5), a gateway that is not active (6).
 */
export function messageRefusal(
  exchange: Exchange,
  { account, session }: Asker,
  message: DirectMessage,
): Refusal | null {
  const row = sessionAt(exchange, session)
  if (row === undefined || !isDirect(exchange, session) || row.account !== account) {
    const problem = 'not_own_direct_session'
    return { reason: 'invalid_params', param: 'session', problem }
  }
  const { venue } = exchange
  if (venue.disabledMessages.has(message)) {
    return { reason: 'message_disabled' }
  }
  const isActive = row.gateway === null || !venue.inactiveGateways.has(row.gateway)
  return isActive ? null : { reason: 'gateway_not_active' }
}
