/** Handling of a command: the check only reads, and then the commit cannot fail. */

import { assert } from '../../core/index.ts'
import { type Command, type CommandOf, type Refusal, validationStep } from '../../model/index.ts'
import { type CheckResult, type Exchange, firstFault, refuse, type Turn } from '../state/index.ts'

/** Checks and commits one kind of command; `commit` returns the `count` of `request`. */
interface Handler<C extends Command, Plan> {
  check(exchange: Exchange, command: C): CheckResult<Plan>
  commit(turn: Turn, command: C, plan: Plan): number
}

/** A handler without its plan type: it applies the command or returns the refusal. */
export type Sealed<C extends Command> = (turn: Turn, command: C) => number | Refusal

/** The handlers of some kinds of commands. */
export type Handlers<K extends Command['kind']> = { readonly [Kind in K]: Sealed<CommandOf<Kind>> }

/** A check result that refuses. */
type Refused = ReturnType<typeof refuse>

/**
 * Seals a handler: of the fault of the check and the fault of the request, the earlier one in the order of validation
 * refuses the command.
 */
export function seal<C extends Command, Plan>(handler: Handler<C, Plan>): Sealed<C> {
  return (turn, command) => {
    const events = turn.exchange.eventCount
    const result = firstFault(command.fault, handler.check(turn.exchange, command))
    assert(turn.exchange.eventCount === events, 'a check emits no events: it only reads')
    if (!result.ok) return result.fault.refusal
    const count = handler.commit(turn, command, result.plan)
    assert(Number.isSafeInteger(count) && count >= 0, 'a commit counts its changes')
    return count
  }
}

/** Refusals of a request's content: invalid parameters, and arguments that do not fit together. */

/** The refusal of a parameter, with its path and the problem. */
export function paramRefusal(param: string, problem: string): Refusal {
  return { reason: 'invalid_params', param, problem }
}

/** The check result for an invalid parameter. */
export function badParam(param: string, problem: string): Refused {
  return refuse(validationStep.parameters, paramRefusal(param, problem))
}

/** The check result for an argument that does not fit the others. */
export function badArgument(param: string, problem: string): Refused {
  const refusal = { reason: 'invalid_arguments', param, problem } as const
  return refuse(validationStep.argumentCombination, refusal)
}
