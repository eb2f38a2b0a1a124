/**
 * Checks the limits of the history; `HistoryLimits` documents what each limit counts.
 */
import { assert } from '../../core/index.ts'
import { defaultHistoryLimits, type HistoryLimits } from '../../model/index.ts'

/** All limits, with defaults for missing ones. */
export function limitsOf(given: Partial<HistoryLimits>): HistoryLimits {
  const limits = { ...defaultHistoryLimits, ...given }
  for (const limit of Object.values(limits)) {
    // A reply reads the last record of its request, so each limit must be at least 1.
    assert(Number.isSafeInteger(limit) && limit >= 1, 'a limit of the history is at least 1')
  }
  return limits
}
