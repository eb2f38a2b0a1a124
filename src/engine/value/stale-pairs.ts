/**
 * Holdings under portfolio margin whose part of the matrices is to be found anew before they are read.
 */
import type { HoldingRow } from '../state/index.ts'

/** Notes that a holding changed. */
export function markStale(owner: HoldingRow): void {
  const { pair } = owner
  if (pair === null || owner.isStale) return
  owner.isStale = true
  pair.stale.push(owner)
  pair.risks = null
}
