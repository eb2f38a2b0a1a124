/**
 * Participants of the liquidity support programme, set by a control of the simulator.
 *
 * A new participant may only reduce positions from then on, and its orders that could do more are cancelled.
 * Rule: lsp.reduce-only. Source: sessions-blocks-gateways.md 7.1; R64.
 */
import { assert } from '../../core/index.ts'
import { type SetLspParticipant, validationStep } from '../../model/index.ts'
import { pullWhere } from '../market/index.ts'
import {
  type CheckResult,
  type Exchange,
  eventHeader,
  forgetParticipant,
  pass,
  refuse,
  type Turn,
} from '../state/index.ts'
import { type Handlers, seal } from './handler.ts'

/** The account must belong to a trader, with any margin model, and limits must not be negative. */
function checkSetLspParticipant(
  exchange: Exchange,
  { target, enabled, limitsPpm }: SetLspParticipant,
): CheckResult<null> {
  const account = exchange.accounts[target]
  if (account === undefined || account.account.house) {
    return refuse(validationStep.parameters, {
      reason: 'invalid_params',
      param: 'account',
      problem: 'expected the account of a trader',
    })
  }
  if (!enabled && !exchange.participants.has(target)) {
    return refuse(validationStep.parameters, { reason: 'other_reject not_lsp_participant' })
  }
  if (Object.values(limitsPpm).every((limit) => Number.isSafeInteger(limit) && limit >= 0)) {
    return pass(null)
  }
  const problem = 'expected a share of equity in parts per million'
  return refuse(validationStep.parameters, {
    reason: 'invalid_params',
    param: 'group_limits',
    problem,
  })
}

/** Admits, changes or removes a participant. Events: `lsp_participant`, then `order` cancelled. */
function commitSetLspParticipant(turn: Turn, command: SetLspParticipant): number {
  const { target, enabled, limitsPpm } = command
  const known = turn.exchange.participants.get(target)
  if (!enabled) assert(known !== undefined, 'a removed account was a participant')
  const status = enabled ? 'enabled' : 'removed'
  if (known === undefined) {
    turn.exchange.participants.set(target, {
      account: target,
      status,
      limitsPpm,
      windows: new Map(),
      failures: [],
    })
  } else {
    known.status = status
    known.limitsPpm = limitsPpm
    known.failures = []
  }
  turn.log.append({
    kind: 'lsp_participant',
    ...eventHeader(turn),
    account: target,
    enabled,
    limitsPpm,
  })
  if (enabled) {
    pullWhere(turn, target, 'position_locked', ({ reduceOnly }) => !reduceOnly)
  } else forgetParticipant(turn.exchange, target)
  return 1
}

export const lspParticipantsHandlers: Handlers<'set_lsp_participant'> = {
  set_lsp_participant: seal({ check: checkSetLspParticipant, commit: commitSetLspParticipant }),
}
