/**
 * private/get_user_locks: whether the account may trade. A liquidation locks all of it.
 * Source: sessions document 6.1; market.md 6.6; coverage R22 (`locked`, and `enabled` with the same value).
 */
import { z } from 'zod'
import { isLocked } from '../../../../engine/index.ts'
import { asker, defineMethod, queryOf } from '../../../method.ts'
import { requestCurrency } from '../../../params.ts'

/** The lock of a currency. */
export interface WireUserLock {
  readonly currency: string
  readonly locked: boolean
  readonly enabled: boolean
  /** Why; only while it is locked. */
  readonly message?: string
}

/** Locks of each currency that requests name. */
export const getUserLocks = defineMethod({
  kind: 'query',
  params: z.object({}),
  read: () => queryOf(null),
  reply: (context): readonly WireUserLock[] => {
    const locked = isLocked(context.exchange, asker(context))
    return requestCurrency.options.map((currency) => ({
      ...{ currency, locked, enabled: locked },
      ...(locked ? { message: 'liquidation in progress' } : {}),
    }))
  },
})
