/**
 * Market makers set and reset what protects them.
 */
import type { ResetMmp, SetMmpConfig } from '../../../model/index.ts'
import { validationStep } from '../../../model/index.ts'
import type { Turn } from '../../emit.ts'
import type { Exchange } from '../../state/exchange.ts'
import { refuse, type Verdict } from '../../verdict.ts'

/** Not served yet. */
export function checkSetMmpConfig(_exchange: Exchange, _command: SetMmpConfig): Verdict<null> {
  return refuse(validationStep.envelope, { reason: 'not_implemented' })
}

/** Not served yet. */
export function commitSetMmpConfig(_turn: Turn, _command: SetMmpConfig, _plan: null): number {
  return 0
}

/** Not served yet. */
export function checkResetMmp(_exchange: Exchange, _command: ResetMmp): Verdict<null> {
  return refuse(validationStep.envelope, { reason: 'not_implemented' })
}

/** Not served yet. */
export function commitResetMmp(_turn: Turn, _command: ResetMmp, _plan: null): number {
  return 0
}
