/**
 * Actions of the venue's staff on an account: sim/lock_positions, sim/lock_portfolio_margin, sim/trim_orders.
 *
 * Source: coverage R52.
 */
import { z } from '../../../core/index.ts'
import { findAccount } from '../../../engine/index.ts'
import type { AccountLock } from '../../../model/index.ts'
import { defineMethod, type ReadContext, type ReadRequest, unreadable } from '../method.ts'
import { paramFault } from '../params.ts'

const account = z.string().describe('name of an account')
const lockParams = z.object({
  account,
  locked: z.boolean().default(true).describe('true locks the account, false unlocks it'),
})

/** Cancels the orders of an account. Until it is unlocked, it can only place reduce-only orders, and no spot orders. */
const lockPositions = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'lock_account',
  params: lockParams,
  read: (context, params) => locking(context, params, 'positions'),
  reply: () => 'ok',
})

/** Cancels the orders of an account with portfolio margin. Until it is unlocked, it cannot place orders. */
const lockPortfolioMargin = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'lock_account',
  params: lockParams,
  read: (context, params) => locking(context, params, 'portfolio_margin'),
  reply: () => 'ok',
})

/**
 * Cancels orders that increase the initial margin of an account with portfolio margin, newest first, until its margin
 * balance is sufficient. The result is the number of cancelled orders.
 */
const trimOrders = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'trim_orders',
  params: z.object({ account }),
  read: (context, params): ReadRequest => {
    const target = findAccount(context.exchange, params.account)
    if (target === undefined) return { body: unreadable('trim_orders'), fault: unknownAccount }
    return { body: { kind: 'trim_orders', target: target.id }, fault: null }
  },
  reply: (context): number => context.count,
})

const unknownAccount = paramFault('account', 'unknown_account')

function locking({ exchange }: ReadContext, params: z.output<typeof lockParams>, lock: AccountLock): ReadRequest {
  const target = findAccount(exchange, params.account)
  if (target === undefined) return { body: unreadable('lock_account'), fault: unknownAccount }
  const { locked } = params
  return { body: { kind: 'lock_account', target: target.id, lock, locked }, fault: null }
}

/** Controls by their names; a part of the table. */
export const accountLockControls = {
  'sim/lock_positions': lockPositions,
  'sim/lock_portfolio_margin': lockPortfolioMargin,
  'sim/trim_orders': trimOrders,
} as const
