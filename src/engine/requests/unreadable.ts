/**
 * Requests that cannot be read: they are refused, and only the steps of validation that need nothing of what could
 * not be read come before their fault.
 *
 * Rule: order.validation. Source: trading.md C07; sessions document 8.7; coverage R32, R45.
 */
import { AssertionFailure, assert } from '../../core/index.ts'
import {
  type Fault,
  isTradingKind,
  type TradingKind,
  type Unreadable,
  validationStep,
} from '../../model/index.ts'
import type { Exchange, Verdict } from '../state/index.ts'
import { portfolioFault } from './direct-checks.ts'
import { type Handlers, seal } from './handler.ts'
import { makerFault } from './rfq-quotes.ts'

/** Steps of each kind of trading that look at who asks, and when; null for none. Other kinds have no such steps. */
const early: {
  readonly [Kind in TradingKind]: ((exchange: Exchange, command: Unreadable) => Fault | null) | null
} = {
  place_order: placementFault,
  edit_order: null,
  cancel_order: null,
  cancel_orders: null,
  mass_quote: null,
  cancel_quotes: null,
  query: null,
  sign_block_trade: null,
  execute_block_trade: null,
  add_rfq_quote: quoterFault,
  edit_rfq_quote: quoterFault,
  cancel_rfq_quote: quoterFault,
  cancel_rfq_quotes: quoterFault,
}

function checkUnreadable(exchange: Exchange, command: Unreadable): Verdict<never> {
  const { fault, of } = command
  assert(fault !== null, 'a command that is unreadable has a fault that says why')
  const first = isTradingKind(of) ? early[of] : null
  return { ok: false, fault: first?.(exchange, command) ?? fault }
}

/** A portfolio that may place nothing by direct access, or a placement that comes too late. */
function placementFault(exchange: Exchange, command: Unreadable): Fault | null {
  const { account, message, validUntil } = command
  if (message !== undefined) return portfolioFault(exchange, account, { isAlgo: false })
  const isLate = validUntil !== null && exchange.now >= validUntil
  return isLate ? { step: validationStep.validUntil, refusal: { reason: 'timed_out' } } : null
}

function quoterFault(exchange: Exchange, { account }: Unreadable): Fault | null {
  return makerFault(exchange, account)
}

function commitUnreadable(): number {
  throw new AssertionFailure('a command that cannot be read is refused')
}

export const unreadableHandlers: Handlers<'unreadable'> = {
  unreadable: seal({ check: checkUnreadable, commit: commitUnreadable }),
}
