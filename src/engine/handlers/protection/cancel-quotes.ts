/**
 * Cancelling quotes.
 */
import type { CancelQuotes } from '../../../model/index.ts'
import { validationStep } from '../../../model/index.ts'
import type { Turn } from '../../emit.ts'
import type { Exchange } from '../../state/exchange.ts'
import { refuse, type Verdict } from '../../verdict.ts'

/** Not served yet. */
export function checkCancelQuotes(_exchange: Exchange, _command: CancelQuotes): Verdict<null> {
  return refuse(validationStep.envelope, { reason: 'not_implemented' })
}

/** Not served yet. */
export function commitCancelQuotes(_turn: Turn, _command: CancelQuotes, _plan: null): number {
  return 0
}
