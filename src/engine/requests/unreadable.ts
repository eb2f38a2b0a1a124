/**
 * Requests that cannot be read. The engine refuses them; only the steps of validation that do not need the unreadable
 * part come before their fault.
 *
 * Rule: order.validation. Source: trading.md C07; sessions document 8.7; coverage R32, R45.
 */
import { AssertionFailure, assert, lots } from '../../core/index.ts'
import { type CommandKind, type Fault, type Unreadable, validationStep } from '../../model/index.ts'
import { admitRequest } from '../market/index.ts'
import type { CheckResult, Exchange } from '../state/index.ts'
import { type Handlers, seal } from './handler.ts'
import { makerFault } from './rfq-quotes.ts'

/** Steps of a kind that check only the account and the time; kinds without such steps are not in the table. */
const early: {
  readonly [Kind in CommandKind]?: (exchange: Exchange, command: Unreadable) => Fault | null
} = {
  place_order: placementFault,
  add_rfq_quote: quoterFault,
  edit_rfq_quote: quoterFault,
  cancel_rfq_quote: quoterFault,
  cancel_rfq_quotes: quoterFault,
}

function checkUnreadable(exchange: Exchange, command: Unreadable): CheckResult<never> {
  assert(command.fault !== null, 'an unreadable command has a fault')
  return { ok: false, fault: early[command.of]?.(exchange, command) ?? command.fault }
}

/** The fault of a portfolio that may not place orders by direct access, or of a placement that comes too late. */
function placementFault(exchange: Exchange, command: Unreadable): Fault | null {
  const last = validationStep.validUntil
  return command.message === undefined
    ? admitRequest(exchange, 'place', command, last)
    : admitRequest(exchange, 'direct', { ...command, display: lots(0) }, last)
}

function quoterFault(exchange: Exchange, command: Unreadable): Fault | null {
  return makerFault(exchange, command.account)
}

function commitUnreadable(): number {
  throw new AssertionFailure('a command that cannot be read is refused')
}

export const unreadableHandlers: Handlers<'unreadable'> = {
  unreadable: seal({ check: checkUnreadable, commit: commitUnreadable }),
}
