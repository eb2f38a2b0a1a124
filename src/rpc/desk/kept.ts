/**
 * Venues that are kept under a name within a run, and put back: `sim/snapshot` and `sim/restore`.
 *
 * Rule: sim.restore. Exchange and histories are as they were after `sim/snapshot`; the clock goes back with them, and
 * so do the companion of the desk, a population of traders.
 * What only counts goes on: sequences of requests and numbers of events are never used twice, because the journal
 * and the tables keep both branches. Faults of messages stay as they are, as they are none of the venue's.
 * Source: coverage R64.
 *
 * Assumed: the venue is put back only while it has the accounts and instruments that it had, because the numbers of
 * others would be given again, and rows that were written before would tell of two by one number.
 *
 * Assumed: a request that waited behind the speed bump when the venue was kept is carried out again, and nobody is
 * told its reply a second time.
 */

import { assert, defined } from '../../core/index.ts'
import { allAccounts, allInstruments, putBackState } from '../../engine/index.ts'
import { createFaults } from '../../faults/index.ts'
import type { VenueKeeping } from '../methods/index.ts'
import { type Companion, type DeskState, decodeDesk, encodeDesk } from './desk-bytes.ts'
import { type FollowedOrders, followAll } from './followed-orders.ts'

/** A desk whose venue is kept, with who goes back with it. */
export type KeepingDesk = DeskState & {
  readonly companion: Companion | null
  readonly followed: FollowedOrders
}

/** Keeps the venue of a desk under a name, in the place of what had it. */
function keepVenue(desk: KeepingDesk, name: string): void {
  const { exchange, kept } = desk
  kept.set(name, {
    bytes: encodeDesk({ ...desk, kept: new Map(), faults: createFaults() }),
    companion: desk.companion?.save() ?? null,
    accounts: allAccounts(exchange).length,
    instruments: allInstruments(exchange).length,
  })
}

/** Puts the venue of a name that is known back, in place: whoever holds the desk holds what it was. */
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

/** How desks keep their venues. */
export const venueKeeping: VenueKeeping = { keep: keepVenue, putBack }
