/**
 * Announcements of the venue as a channel. Source: sessions document 3.4.
 */
import { announcementOut, type WireAnnouncement } from '../methods/index.ts'
import type { Channel, ChannelWorld } from './channel.ts'

/** A message of `announcements`. */
export interface WireAnnounced extends WireAnnouncement {
  readonly action: 'new'
  /** Assumed: one that is told has not been read. */
  readonly unread: 1
}

/** Tells what is announced from now on. */
export function announcementChannel({ history }: ChannelWorld): Channel {
  const lastId = (): number => history.announcements.at(-1)?.id ?? 0
  let told = lastId()
  return {
    interval: 'raw',
    subject: {},
    scope: null,
    collect: () => {
      const before = told
      told = lastId()
      // A venue that was put back has fewer than were told.
      return history.announcements
        .filter(({ id }) => id > before)
        .map((each): WireAnnounced => ({ action: 'new', ...announcementOut(each), unread: 1 }))
    },
  }
}
