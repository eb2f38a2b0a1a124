/**
 * The desk's own work once a request was carried out: venues that are kept and put back, announcements, access logs.
 */
import { timeOf } from '../../engine/index.ts'
import {
  type AccessNote,
  type Announcement,
  addAccess,
  addAnnouncement,
  deleteAnnouncement,
} from '../history/index.ts'
import type { DeskWork } from '../methods/index.ts'
import type { DeskState } from './desk-bytes.ts'
import { keepVenue, putBack } from './kept.ts'

/** Does what a request asked of the desk; its method has read all of its parameters. */
export function doAfterwards(desk: DeskState, work: DeskWork, params: object): void {
  const { exchange, history, kept } = desk
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
  // Methods that do so have a name.
  const { name } = params as { readonly name: string }
  if (work === 'keep') keepVenue(kept, name, desk)
  else putBack(kept, name, desk)
}

/** Writes an entry of an access log. */
export function logAccess({ exchange, history }: DeskState, note: AccessNote): void {
  addAccess(history.accessLog, note, timeOf(exchange))
}
