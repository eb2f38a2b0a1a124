/**
 * private/get_user_locks: whether the account may trade. A liquidation and staff of the venue lock the whole account.
 * Assumed: the words of the message.
 * Source: sessions document 6.1; market.md 6.6; coverage R22 (`locked`, and `enabled` with the same value).
 */

import { z } from '../../../../core/index.ts'
import { locksOf } from '../../../../engine/index.ts'
import { currencies } from '../../../../model/index.ts'
import { asker, defineMethod, queryOf } from '../../method.ts'

/** The lock of a currency. */
export interface WireUserLock {
  readonly currency: string
  /** True if the currency is locked. */
  readonly locked: boolean
  /** Equal to `locked`. */
  readonly enabled: boolean
  /** Reason of the lock; only while it is locked. */
  readonly message?: string
}

const messages = {
  liquidation: 'liquidation in progress',
  positions: 'position lock',
  portfolio_margin: 'portfolio margin account locked',
} as const

/** Locks of each currency of `public/get_currencies`. */
const getUserLocks = defineMethod({
  scope: 'account:read',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({}),
  read: () => queryOf(null),
  reply: (context): readonly WireUserLock[] => {
    const [first] = locksOf(context.exchange, asker(context))
    const locked = first !== undefined
    return currencies.map((currency) => ({
      currency,
      locked,
      enabled: locked,
      ...(locked ? { message: messages[first] } : {}),
    }))
  },
})

/** Methods by their names; a part of the table. */
export const userLockMethods = {
  'private/get_user_locks': getUserLocks,
} as const
