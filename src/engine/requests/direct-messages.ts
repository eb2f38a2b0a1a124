/**
 * Checks of direct access that precede all checks of a message's content: the session is open and belongs to the
 * account, and neither the message nor the gateway is switched off.
 *
 * Source: sessions-blocks-gateways.md 8.2, 8.7 (order of the checks), 8.11, 8.14; S298-S301, S307.
 */
import type { DirectMessage, Refusal } from '../../model/index.ts'
import { type Exchange, isDirect, sessionAt } from '../state/index.ts'

/** The account and the session of a request. */
interface Asker {
  readonly account: number
  readonly session: number
}

/**
 * Rule: direct.messages. The refusal of a message regardless of its content: the session is not an open session of
 * direct access of its account, the message is switched off (5), or the gateway is not active (6).
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
  if (exchange.venue.disabledMessages.has(message)) {
    return { reason: 'message_disabled' }
  }
  const isActive = row.gateway === null || !exchange.venue.inactiveGateways.has(row.gateway)
  return isActive ? null : { reason: 'gateway_not_active' }
}
