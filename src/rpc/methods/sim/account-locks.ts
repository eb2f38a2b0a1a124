/**
 * Actions of the venue's staff on an account: sim/lock_positions, sim/lock_portfolio_margin, sim/trim_orders.
 *
 * Source: coverage R52.
 */
import { accountId, z } from '../../../core/index.ts'
import { findAccount } from '../../../engine/index.ts'
import type { AccountLock } from '../../../model/index.ts'
import { type CommandBody, defineMethod, type ReadContext, type ReadRequest } from '../method.ts'
import { paramFault } from '../params.ts'

const account = z.string().describe('name of an account')
const lockParams = z.object({
  account,
  locked: z.boolean().default(true).describe('false unlocks it'),
})

/** A lock with nothing in it, for requests that cannot be read. */
const unreadLock: CommandBody & { readonly kind: 'lock_account' } = {
  kind: 'lock_account',
  target: accountId(0),
  lock: 'positions',
  locked: false,
}

/** Cancels its orders; until it is unlocked only reduce-only orders are taken, and of spot none. */
export const lockPositions = defineMethod({
  scope: 'sim',
  unread: unreadLock,
  params: lockParams,
  read: (context, params) => locking(context, params, 'positions'),
  reply: () => 'ok',
})

/** Cancels the orders of an account with portfolio margin; until it is unlocked none are taken. */
export const lockPortfolioMargin = defineMethod({
  scope: 'sim',
  unread: unreadLock,
  params: lockParams,
  read: (context, params) => locking(context, params, 'portfolio_margin'),
  reply: () => 'ok',
})

/** A trim with nothing in it, for requests that cannot be read. */
const unreadTrim: CommandBody & { readonly kind: 'trim_orders' } = {
  kind: 'trim_orders',
  target: accountId(0),
}

/**
 * Cancels orders of an account with portfolio margin that raise its initial margin, newest first, until its
 * margin balance covers it. The result is how many.
 */
export const trimOrders = defineMethod({
  scope: 'sim',
  unread: unreadTrim,
  params: z.object({ account }),
  read: (context, params): ReadRequest => {
    const target = findAccount(context.exchange, params.account)
    return {
      body: { kind: 'trim_orders', target: target?.id ?? accountId(0) },
      fault: target === undefined ? unknownAccount : null,
    }
  },
  reply: (context): number => context.count,
})

const unknownAccount = paramFault('account', 'unknown_account')

function locking(
  { exchange }: ReadContext,
  params: z.output<typeof lockParams>,
  lock: AccountLock,
): ReadRequest {
  const target = findAccount(exchange, params.account)
  return {
    body: { kind: 'lock_account', target: target?.id ?? accountId(0), lock, locked: params.locked },
    fault: target === undefined ? unknownAccount : null,
  }
}
