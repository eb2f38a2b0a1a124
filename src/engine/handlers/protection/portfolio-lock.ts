/**
 * A portfolio is locked for direct access.
 */
import type { LockPortfolio } from '../../../model/index.ts'
import { validationStep } from '../../../model/index.ts'
import type { Turn } from '../../emit.ts'
import type { Exchange } from '../../state/exchange.ts'
import { refuse, type Verdict } from '../../verdict.ts'

/** Not served yet. */
export function checkLockPortfolio(_exchange: Exchange, _command: LockPortfolio): Verdict<null> {
  return refuse(validationStep.envelope, { reason: 'not_implemented' })
}

/** Not served yet. */
export function commitLockPortfolio(_turn: Turn, _command: LockPortfolio, _plan: null): number {
  return 0
}
