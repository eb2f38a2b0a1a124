/**
 * Pending requests as plain data for snapshots, and back. The receiver of a reply is no data, so a restore has to
 * supply it.
 *
 * The parameters are stored as JSON and read again; reading them needs nothing from the market.
 */
import { assert, loadRow, type Plain, type Sequence, saveRow } from '../../core/index.ts'
import { type MethodSet, readParams } from '../methods/index.ts'
import type { VenueReply, VenueRequest } from '../wire/index.ts'
import { type Pending, pendingFields } from './pending.ts'

/** Returns the receiver of the reply of a request that was pending in a snapshot; null for no receiver. */
export type Waiter = (sequence: Sequence, request: VenueRequest) => ((reply: VenueReply) => void) | null

/** The pending requests, in the order in which they came. */
export function snapshotPending(requests: ReadonlyMap<Sequence, Pending>): Plain {
  return [...requests].map(([sequence, pending]) => [sequence, saveRow(pendingFields, pending)])
}

/** The requests of a snapshot; `waiter` returns the receiver of each reply. */
export function restorePending(saved: Plain, methods: MethodSet, waiter: Waiter): Map<Sequence, Pending> {
  // `snapshotPending` made this list.
  const entries = saved as readonly (readonly [Sequence, Plain])[]
  return new Map(entries.map(([sequence, row]) => [sequence, pendingOf(sequence, row, { methods, waiter })]))
}

function pendingOf(
  sequence: Sequence,
  row: Plain,
  { methods, waiter }: { readonly methods: MethodSet; readonly waiter: Waiter },
): Pending {
  const kept = loadRow(pendingFields, row)
  const { request, over } = kept
  const method = methods.findOver(over ?? undefined, request.method)
  assert(method !== undefined, 'a waiting request has a method')
  const read = readParams(method, request.params)
  assert(read.ok, 'a waiting request was valid before')
  return { ...kept, method, params: read.value, lost: null, onReply: waiter(sequence, request) }
}
