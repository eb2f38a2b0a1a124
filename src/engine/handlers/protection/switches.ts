/**
 * Limits of risk, and switches of gateways and messages.
 */
import type { SetGatewaySwitch, SetRiskLimits } from '../../../model/index.ts'
import { validationStep } from '../../../model/index.ts'
import type { Turn } from '../../emit.ts'
import type { Exchange } from '../../state/exchange.ts'
import { refuse, type Verdict } from '../../verdict.ts'

/** Not served yet. */
export function checkSetRiskLimits(_exchange: Exchange, _command: SetRiskLimits): Verdict<null> {
  return refuse(validationStep.envelope, { reason: 'not_implemented' })
}

/** Not served yet. */
export function commitSetRiskLimits(_turn: Turn, _command: SetRiskLimits, _plan: null): number {
  return 0
}

/** Not served yet. */
export function checkSetGatewaySwitch(
  _exchange: Exchange,
  _command: SetGatewaySwitch,
): Verdict<null> {
  return refuse(validationStep.envelope, { reason: 'not_implemented' })
}

/** Not served yet. */
export function commitSetGatewaySwitch(
  _turn: Turn,
  _command: SetGatewaySwitch,
  _plan: null,
): number {
  return 0
}
