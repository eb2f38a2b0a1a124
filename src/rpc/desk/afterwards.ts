/**
 * The desk's own work once a request was carried out: venues that are kept and put back, announcements, access logs,
 * faults.
 */
import { timeOf } from '../../engine/index.ts'
import { setFaultRules } from '../../faults/index.ts'
import {
  type AccessNote,
  type Announcement,
  addAccess,
  addAnnouncement,
  deleteAnnouncement,
} from '../history/index.ts'
import { type DeskWork, type FaultsParams, rulesOf } from '../methods/index.ts'
import { type KeepingDesk, keepVenue, putBack } from './kept.ts'

/** Does what a request asked of the desk; its method has read all of its parameters. */
export function doAfterwards(desk: KeepingDesk, work: DeskWork, params: object): void {
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
  if (work === 'set_faults') {
    setFaultRules(desk.faults, rulesOf(params as FaultsParams, timeOf(exchange)))
    return
  }
  if (work === 'stop_feeds') {
    desk.companion?.stopFeeds()
    return
  }
  // Methods that do so have a name.
  const { name } = params as { readonly name: string }
  if (work === 'keep') keepVenue(desk, name)
  else putBack(desk, name)
}

/** Writes an entry of an access log. */
export function logAccess({ exchange, history }: KeepingDesk, note: AccessNote): void {
  addAccess(history.accessLog, note, timeOf(exchange))
}
