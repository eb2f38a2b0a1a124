/**
 * Locks or unlocks a portfolio for direct access, on every gateway and for all sessions.
 *
 * Rule: portfolio.lock. Source: sessions-blocks-gateways.md 8.11; coverage R61; S172-S174, S248, S298.
 */
import { type LockPortfolio, validationStep } from '../../model/index.ts'
import { pullWhere } from '../market/index.ts'
import {
  accountRow,
  type Exchange,
  emitStanding,
  type LiveOrder,
  pass,
  refuse,
  type Turn,
  type Verdict,
} from '../state/index.ts'
import { type Handlers, seal } from './handler.ts'

/** Locking a locked portfolio is allowed and changes nothing. The plan is the account of the portfolio. */
function checkLockPortfolio(exchange: Exchange, command: LockPortfolio): Verdict<number> {
  const target = command.target ?? command.account
  if (exchange.accounts[target] !== undefined) return pass(target)
  return refuse(validationStep.authentication, { reason: 'unauthorized' })
}

/** Cancels the orders and quotes of direct access in the order of their creation; others remain (S174). */
function commitLockPortfolio(turn: Turn, { locked }: LockPortfolio, target: number): number {
  const { exchange } = turn
  const owner = accountRow(exchange, target)
  const { standing, account } = owner
  if (standing.isPortfolioLocked === locked) return 0
  standing.isPortfolioLocked = locked
  const isMeant = ({ extras }: LiveOrder): boolean => extras?.direct != null
  const cancelled = locked ? pullWhere(turn, { account: target, reason: 'portfolio_locked', isMeant }) : 0
  const change = locked ? 'on' : 'off'
  emitStanding(turn, { protection: 'portfolio_lock', change, account: account.id, cancelled })
  return cancelled
}

export const portfolioLockHandlers: Handlers<'lock_portfolio'> = {
  lock_portfolio: seal({ check: checkLockPortfolio, commit: commitLockPortfolio }),
}
