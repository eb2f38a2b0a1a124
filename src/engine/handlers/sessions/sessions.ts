/**
 * Sessions open and end, and what ends with them.
 */
import type { CloseSession, OpenSession, SetCancelOnDisconnect } from '../../../model/index.ts'
import { validationStep } from '../../../model/index.ts'
import type { Turn } from '../../emit.ts'
import type { Exchange } from '../../state/exchange.ts'
import { refuse, type Verdict } from '../../verdict.ts'

/** Not served yet. */
export function checkOpenSession(_exchange: Exchange, _command: OpenSession): Verdict<null> {
  return refuse(validationStep.envelope, { reason: 'not_implemented' })
}

/** Not served yet. */
export function commitOpenSession(_turn: Turn, _command: OpenSession, _plan: null): number {
  return 0
}

/** Not served yet. */
export function checkCloseSession(_exchange: Exchange, _command: CloseSession): Verdict<null> {
  return refuse(validationStep.envelope, { reason: 'not_implemented' })
}

/** Not served yet. */
export function commitCloseSession(_turn: Turn, _command: CloseSession, _plan: null): number {
  return 0
}

/** Not served yet. */
export function checkSetCancelOnDisconnect(
  _exchange: Exchange,
  _command: SetCancelOnDisconnect,
): Verdict<null> {
  return refuse(validationStep.envelope, { reason: 'not_implemented' })
}

/** Not served yet. */
export function commitSetCancelOnDisconnect(
  _turn: Turn,
  _command: SetCancelOnDisconnect,
  _plan: null,
): number {
  return 0
}
