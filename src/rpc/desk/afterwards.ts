/**
 * Work of the request router itself after a request was carried out: snapshots of the venue and their restore,
 * announcements, access logs, faults of messages.
 */

import { assert, defined } from '../../core/index.ts'
import { allAccounts, allInstruments, findAccount, putBackState, timeOf } from '../../engine/index.ts'
import { createFaults, setFaultRules } from '../../faults/index.ts'
import {
  type AccessNote,
  type Announcement,
  addAccess,
  addAnnouncement,
  deleteAnnouncement,
  markRead,
  resetInbound,
} from '../history/index.ts'
import { type DeskWork, rulesOf, type VenueKeeping } from '../methods/index.ts'
import { type Companion, type DeskState, decodeDesk, encodeDesk } from './desk-bytes.ts'
import { type FollowedOrders, followAll, type Pending } from './pending.ts'

interface CredentialParams {
  readonly account: string
  readonly client_id: string
  readonly secret: string
}

/** The parameters of a logon that the router reads. */
interface LogonParams {
  readonly session: number
  readonly reset_sequence: boolean
}

/** A router with a venue to save or restore, and the companion that is restored with it. */
type KeepingDesk = DeskState & {
  readonly companion: Companion | null
  readonly followed: FollowedOrders
}

/** Does the work that a request needs from the router. The method has already checked all parameters. */
export function doAfterwards(
  desk: KeepingDesk,
  work: DeskWork,
  { account, params }: Pick<Pending, 'account' | 'params'>,
): void {
  const { exchange, history } = desk
  if (work === 'announce') {
    const { title, body, important, confirmation } = params as Omit<Announcement, 'id' | 'time'>
    const given = { title, body, important, confirmation }
    addAnnouncement(history.announcements, { time: timeOf(exchange), ...given })
    return
  }
  if (work === 'unannounce') {
    deleteAnnouncement(history.announcements, (params as Pick<Announcement, 'id'>).id)
    return
  }
  if (work === 'mark_read') {
    const { announcement_id: id } = params as { readonly announcement_id: number }
    markRead(history.announcements, id, account)
    return
  }
  if (work === 'set_faults') {
    setFaultRules(desk.faults, rulesOf(params as Parameters<typeof rulesOf>[0], timeOf(exchange)))
    return
  }
  if (work === 'stop_feeds') {
    desk.companion?.stopFeeds()
    return
  }
  if (work === 'set_credential') {
    const { account, client_id, secret } = params as CredentialParams
    const owner = findAccount(exchange, account)
    assert(owner !== undefined, 'the account of the key exists')
    history.messages.credentials.set(client_id, { account: owner.id, secret })
    return
  }
  if (work === 'log_on') {
    const { session, reset_sequence } = params as LogonParams
    if (reset_sequence) resetInbound(history, session)
    return
  }
  // The methods of these kinds of work have a parameter `name`.
  const { name } = params as { readonly name: string }
  const keeping = defined(desk.methods.keeping ?? undefined, 'methods that keep snapshots have the functions for it')
  // The functions were made for desks.
  if (work === 'keep') keeping.keep(desk as never, name)
  else keeping.putBack(desk as never, name)
}

/** Writes an entry of an access log. */
export function logAccess(desk: KeepingDesk, note: AccessNote): void {
  addAccess(desk.history.accessLog, note, timeOf(desk.exchange))
}

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

/** Saves the venue of a router under a name, and replaces an earlier snapshot of that name. */
function keepVenue(desk: KeepingDesk, name: string): void {
  desk.kept.set(name, {
    bytes: encodeDesk({ ...desk, kept: new Map(), faults: createFaults(), notes: null }),
    companion: desk.companion?.save() ?? null,
    accounts: allAccounts(desk.exchange).length,
    instruments: allInstruments(desk.exchange).length,
  })
}

/** Restores the snapshot of a known name in place: references to the desk and its parts stay valid. */
function putBack(desk: KeepingDesk, name: string): void {
  const { bytes, companion: saved } = defined(desk.kept.get(name), 'the snapshot exists')
  const found = decodeDesk(bytes, desk.methods, () => null)
  assert(found.ok, 'a snapshot of this run is valid')
  putBackState(desk.exchange, found.value.exchange)
  Object.assign(desk.history, found.value.history)
  desk.notes?.stop()
  desk.pending.clear()
  for (const [sequence, request] of found.value.pending) desk.pending.set(sequence, request)
  followAll(desk.followed, desk.pending)
  desk.companion?.load(saved)
}

/** How routers save and restore their venues. */
export const venueKeeping: VenueKeeping = { keep: keepVenue, putBack }
