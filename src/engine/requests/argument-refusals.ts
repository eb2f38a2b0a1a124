/** Refusals of a request's content: invalid parameters, and arguments that do not fit together. */
import { type Refusal, validationStep } from '../../model/index.ts'
import { refuse } from '../state/index.ts'

/** A verdict that refuses. */
type Refused = ReturnType<typeof refuse>

/** The refusal of a parameter, with its path and the problem. */
export function paramRefusal(param: string, problem: string): Refusal {
  return { reason: 'invalid_params', param, problem }
}

/** The verdict on an invalid parameter. */
export function badParam(param: string, problem: string): Refused {
  return refuse(validationStep.parameters, paramRefusal(param, problem))
}

/** The verdict on an argument that does not fit the others. */
export function badArgument(param: string, problem: string): Refused {
  const refusal = { reason: 'invalid_arguments', param, problem } as const
  return refuse(validationStep.argumentCombination, refusal)
}
