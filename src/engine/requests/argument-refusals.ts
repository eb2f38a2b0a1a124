/**
 * Refusals of what a request says: parameters that cannot be, and arguments that do not go together.
 */
import { type Refusal, validationStep } from '../../model/index.ts'
import { refuse } from '../state/index.ts'

/** A verdict that refuses. */
type Refused = ReturnType<typeof refuse>

/** The refusal of a parameter, by its path and what is wrong with it. */
export function paramRefusal(param: string, problem: string): Refusal {
  return { reason: 'invalid_params', param, problem }
}

/** The verdict on a parameter that cannot be. */
export function badParam(param: string, problem: string): Refused {
  return refuse(validationStep.parameters, paramRefusal(param, problem))
}

/** The verdict on an argument that does not go with the others. */
export function badArgument(param: string, problem: string): Refused {
  const refusal = { reason: 'invalid_arguments', param, problem } as const
  return refuse(validationStep.argumentCombination, refusal)
}
