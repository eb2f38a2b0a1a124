/**
 * Faults of a file in which nothing is wrong.
 */
import { type FaultRule, ruleOf } from '../../../faults/index.ts'
import type { Sound } from './sound.ts'

/** The rules in the order of the file; those that name no beginning hold from the start. */
export function faultsOf({ shape, schedule }: Sound): readonly FaultRule[] {
  return (shape.faults ?? []).map((said, index) => {
    const { from, to } = schedule.faults[index] ?? { from: null, to: null }
    return ruleOf(said, { from: from ?? schedule.start, until: to })
  })
}
