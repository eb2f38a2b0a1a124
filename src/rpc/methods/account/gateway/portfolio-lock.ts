/**
 * private/lock_portfolio and unlock_portfolio of the REST gateway, and sim/lock_portfolio.
 *
 * Source: sessions document 1.5, 8.11; coverage R61; S172-S174, S248.
 */
import { z } from '../../../../core/index.ts'
import { findAccount } from '../../../../engine/index.ts'
import { defineMethod, unreadable } from '../../method.ts'
import { paramFault } from '../../params.ts'

/** Ends all direct access of the requesting portfolio: cancels its orders and quotes and rejects new ones. */
export const lockPortfolio = defineMethod({
  scope: 'direct_access:read_write',
  sessions: 'rest_gateway',
  command: 'lock_portfolio',
  params: z.object({}),
  read: () => ({ body: { kind: 'lock_portfolio', target: null, locked: true }, fault: null }),
  reply: () => 'ok',
})

/** Allows the requesting portfolio to trade by direct access again; cancelled orders are not restored. */
export const unlockPortfolio = defineMethod({
  scope: 'direct_access:read_write',
  sessions: 'rest_gateway',
  command: 'lock_portfolio',
  params: z.object({}),
  read: () => ({ body: { kind: 'lock_portfolio', target: null, locked: false }, fault: null }),
  reply: () => 'ok',
})

/** Locks or unlocks any portfolio, without a session. */
const setPortfolioLock = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'lock_portfolio',
  params: z.object({
    account: z.string().describe('name of an account'),
    locked: z.boolean().default(true).describe('true to lock it'),
  }),
  read: ({ exchange }, { account, locked }) => {
    const target = findAccount(exchange, account)
    if (target === undefined || target.house) {
      return { body: unreadable('lock_portfolio'), fault: paramFault('account', 'unknown_account') }
    }
    return { body: { kind: 'lock_portfolio', target: target.id, locked }, fault: null }
  },
  reply: () => 'ok',
})

/** Methods by their names; a part of the table. */
export const portfolioLockMethods = {
  'private/lock_portfolio': lockPortfolio,
  'private/unlock_portfolio': unlockPortfolio,
  'sim/lock_portfolio': setPortfolioLock,
} as const
