/**
 * Staff lock accounts and trim their orders (R52).
 */
import type { LockAccount, TrimOrders } from '../../../model/index.ts'
import { validationStep } from '../../../model/index.ts'
import type { Turn } from '../../emit.ts'
import type { Exchange } from '../../state/exchange.ts'
import { refuse, type Verdict } from '../../verdict.ts'

/** Not served yet. */
export function checkLockAccount(_exchange: Exchange, _command: LockAccount): Verdict<null> {
  return refuse(validationStep.envelope, { reason: 'not_implemented' })
}

/** Not served yet. */
export function commitLockAccount(_turn: Turn, _command: LockAccount, _plan: null): number {
  return 0
}

/** Not served yet. */
export function checkTrimOrders(_exchange: Exchange, _command: TrimOrders): Verdict<null> {
  return refuse(validationStep.envelope, { reason: 'not_implemented' })
}

/** Not served yet. */
export function commitTrimOrders(_turn: Turn, _command: TrimOrders, _plan: null): number {
  return 0
}
