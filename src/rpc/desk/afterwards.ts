/**
 * Work of the request router itself after a request was carried out: snapshots of the venue and their restore,
 * announcements, access logs, faults of messages.
 */
import { assert, defined } from '../../core/index.ts'
import { findAccount, timeOf } from '../../engine/index.ts'
import { setFaultRules } from '../../faults/index.ts'
import {
  type AccessNote,
  type Announcement,
  addAccess,
  addAnnouncement,
  deleteAnnouncement,
  markRead,
  resetInbound,
} from '../history/index.ts'
import { type DeskWork, rulesOf } from '../methods/index.ts'
import type { KeepingDesk } from './kept.ts'
import type { Pending } from './pending.ts'

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
    markRead(history.announcements, { id, account })
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
export function logAccess({ exchange, history }: KeepingDesk, note: AccessNote): void {
  addAccess(history.accessLog, note, timeOf(exchange))
}
