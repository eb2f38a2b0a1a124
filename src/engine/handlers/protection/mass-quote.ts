/**
 * Mass quotes.
 */
import type { MassQuote } from '../../../model/index.ts'
import { validationStep } from '../../../model/index.ts'
import type { Turn } from '../../emit.ts'
import type { Exchange } from '../../state/exchange.ts'
import { refuse, type Verdict } from '../../verdict.ts'

/** Not served yet. */
export function checkMassQuote(_exchange: Exchange, _command: MassQuote): Verdict<null> {
  return refuse(validationStep.envelope, { reason: 'not_implemented' })
}

/** Not served yet. */
export function commitMassQuote(_turn: Turn, _command: MassQuote, _plan: null): number {
  return 0
}
