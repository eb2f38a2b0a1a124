/**
 * The state of the platform as a channel: maintenance, and price indices whose outage has locked trading. Source:
 * sessions document 3.4.
 */

import { staleIndices } from '../../engine/index.ts'
import { lastDeletion } from '../history/index.ts'
import { announcementOut, type WireAnnouncement } from '../methods/index.ts'
import { type Channel, type ChannelWorld, collecting } from './channel.ts'

/** A message of `platform_state`. */
type WirePlatformState = { readonly maintenance: boolean } | { readonly price_index: string; readonly locked: boolean }

/** A message of `announcements`. */
export interface WireAnnounced extends WireAnnouncement {
  readonly action: 'new' | 'deleted'
  /** Assumed: a new announcement is unread, and a deleted one need not be read. */
  readonly unread: 0 | 1
}

/** Sends the begin and end of maintenance, and of the locks of indices. */
export function platformStateChannel(world: Pick<ChannelWorld, 'exchange'>): Channel<WirePlatformState> {
  // An outage locks nothing at first. The end of an outage that never locked trading is not sent.
  const locked = new Set(staleIndices(world.exchange))
  let pending: WirePlatformState[] = []
  return {
    interval: 'raw',
    subject: {},
    takes: {
      standing: ({ protection, change, group }) => {
        if (protection === 'maintenance') pending.push({ maintenance: change === 'on' })
        if (protection !== 'index_outage' || group === null) return
        if (change === 'acted') {
          locked.add(group)
          pending.push({ price_index: group, locked: true })
        } else if (change === 'off' && locked.delete(group)) {
          pending.push({ price_index: group, locked: false })
        }
      },
    },
    collect: () => {
      const now = pending
      pending = []
      return now
    },
  }
}

/** A message of `platform_state.public_methods_state`. */
export interface WirePublicMethods {
  readonly allow_unauthenticated_public_requests: boolean
}

/** Sends whether public methods accept requests without a token, when that changes. */
export function publicMethodsChannel(): Channel<WirePublicMethods> {
  return collecting<WirePublicMethods>({
    standing: ({ protection, change }) =>
      protection === 'public_methods' ? { allow_unauthenticated_public_requests: change === 'on' } : undefined,
  })
}

/**
 * Announcements of the venue as a channel. Source: sessions document 3.4.
 */

/**
 * Sends each new announcement and each deletion. An announcement that is added and deleted at the same time causes two
 * messages.
 */
export function announcementChannel({ history }: ChannelWorld): Channel<WireAnnounced> {
  const last = (): { readonly id: number; readonly deletion: number } => ({
    id: history.announcements.at(-1)?.id ?? 0,
    deletion: lastDeletion(history.announcements),
  })
  let sent = last()
  return {
    interval: 'raw',
    subject: {},
    collect: () => {
      const before = sent
      sent = last()
      // After a restore, the history can have fewer announcements than were sent.
      const added = history.announcements.filter(({ id }) => id > before.id)
      const deleted = history.announcements
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
