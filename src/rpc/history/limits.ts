/**
 * Checks how much the history keeps; `HistoryLimits` tells what each limit counts.
 */
import { assert } from '../../core/index.ts'
import { defaultHistoryLimits, type HistoryLimits } from '../../model/index.ts'

/** The limits, where those not given are the defaults. */
export function limitsOf(given: Partial<HistoryLimits>): HistoryLimits {
  const limits = { ...defaultHistoryLimits, ...given }
  for (const limit of Object.values(limits)) {
    // A request's reply reads the last record, so that one of each is the least.
    assert(Number.isSafeInteger(limit) && limit >= 1, 'a limit of the history is at least 1')
  }
  return limits
}
