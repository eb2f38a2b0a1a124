/**
 * Snapshots of the venue within a run, by name, and their restore: `sim/snapshot` and `sim/restore`.
 *
 * Rule: sim.restore. Exchange and histories are again as they were after `sim/snapshot`. The clock goes back with them,
 * and so do the traders of the run (the companion of the router). Counters go on: sequence numbers of requests and
 * numbers of events are never used twice, because the journal and the tables keep both branches. Faults of messages do
 * not change, because they do not belong to the venue.
 * Source: coverage R64.
 *
 * Assumed: a restore requires that the venue has the same accounts and instruments as at the snapshot. Otherwise new
 * ones would reuse numbers, and one number in earlier rows would mean two accounts or instruments.
 *
 * Assumed: a request that waited behind the speed bump at the time of the snapshot is carried out again, and its reply
 * is not sent a second time.
 */

import { assert, defined } from '../../core/index.ts'
import { allAccounts, allInstruments, putBackState } from '../../engine/index.ts'
import { createFaults } from '../../faults/index.ts'
import type { VenueKeeping } from '../methods/index.ts'
import { type Companion, type DeskState, decodeDesk, encodeDesk } from './desk-bytes.ts'
import { type FollowedOrders, followAll } from './followed-orders.ts'

/** A router with a venue to save or restore, and the companion that is restored with it. */
export type KeepingDesk = DeskState & {
  readonly companion: Companion | null
  readonly followed: FollowedOrders
}

/** Saves the venue of a router under a name, and replaces an earlier snapshot of that name. */
function keepVenue(desk: KeepingDesk, name: string): void {
  const { exchange, kept } = desk
  kept.set(name, {
    bytes: encodeDesk({ ...desk, kept: new Map(), faults: createFaults() }),
    companion: desk.companion?.save() ?? null,
    accounts: allAccounts(exchange).length,
    instruments: allInstruments(exchange).length,
  })
}

/** Restores the snapshot of a known name in place: references to the desk and its parts stay valid. */
function putBack({ kept, exchange, history, methods, pending, followed, companion }: KeepingDesk, name: string): void {
  const { bytes, companion: saved } = defined(kept.get(name), 'the snapshot exists')
  const found = decodeDesk(bytes, methods, () => null)
  assert(found.ok, 'a snapshot of this run is valid')
  putBackState(exchange, found.value.exchange)
  Object.assign(history, found.value.history)
  pending.clear()
  for (const [sequence, request] of found.value.pending) pending.set(sequence, request)
  followAll(followed, pending)
  companion?.load(saved)
}

/** How routers save and restore their venues. */
export const venueKeeping: VenueKeeping = { keep: keepVenue, putBack }
