/**
 * Marks holdings under portfolio margin whose part of the matrices must be recomputed before the next read.
 */
import type { HoldingRow } from '../state/index.ts'

/** Marks a holding as stale after a change. */
export function markStale(owner: HoldingRow): void {
  const { pair } = owner
  if (pair === null || owner.isStale) return
  owner.isStale = true
  pair.stale.push(owner)
  pair.risks = null
}
