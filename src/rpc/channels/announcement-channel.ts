/**
 * Announcements of the venue as a channel. Source: sessions document 3.4.
 */
import { lastDeletion } from '../history/index.ts'
import { announcementOut, type WireAnnouncement } from '../methods/index.ts'
import type { Channel, ChannelWorld } from './channel.ts'

/** A message of `announcements`. */
export interface WireAnnounced extends WireAnnouncement {
  readonly action: 'new' | 'deleted'
  /** Assumed: a new announcement is unread, and a deleted one need not be read. */
  readonly unread: 0 | 1
}

/**
 * Sends each new announcement and each deletion. An announcement that is added and deleted at the same time causes two
 * messages.
 */
export function announcementChannel({ history }: ChannelWorld): Channel<WireAnnounced> {
  const last = (): { readonly id: number; readonly deletion: number } => ({
    id: history.announcements.at(-1)?.id ?? 0,
    deletion: lastDeletion(history.announcements),
  })
  let told = last()
  return {
    interval: 'raw',
    subject: {},
    collect: () => {
      const before = told
      told = last()
      // After a restore, the history can have fewer announcements than were sent.
      const { announcements } = history
      const added = announcements.filter(({ id }) => id > before.id)
      const deleted = announcements
        .filter(({ deletion = 0 }) => deletion > before.deletion)
        .sort((left, right) => (left.deletion ?? 0) - (right.deletion ?? 0))
      return [
        ...added.map((each): WireAnnounced => messageOf(each, 'new')),
        ...deleted.map((each): WireAnnounced => messageOf(each, 'deleted')),
      ]
    },
  }
}

function messageOf(
  announcement: Parameters<typeof announcementOut>[0],
  action: WireAnnounced['action'],
): WireAnnounced {
  return { action, ...announcementOut(announcement), unread: action === 'new' ? 1 : 0 }
}
