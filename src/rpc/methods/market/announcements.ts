/**
 * public/get_announcements, private/get_new_announcements and private/set_announcement_as_read; and the controls
 * sim/announce and sim/delete_announcement, the only source of announcements.
 *
 * Assumed: each account, also each subaccount, marks announcements as read for itself, and a new account has read none.
 * Source: sessions document 3.4 (`announcements`); the venue's page of each method.
 */
import { z } from '../../../core/index.ts'
import { timeOf } from '../../../engine/index.ts'
import { type Announcement, isReadBy, nextAnnouncementId } from '../../history/index.ts'
import { timeOut } from '../../wire/index.ts'
import { asker, defineMethod, queryOf, type ReadContext } from '../method.ts'
import { paramFault, timestamp } from '../params.ts'

/** An announcement. */
export interface WireAnnouncement {
  /** Assumed: announcements are numbered from 1. */
  readonly id: number
  readonly title: string
  readonly body: string
  /** Milliseconds. */
  readonly publication_timestamp: number
  readonly important: boolean
  /** True if readers have to confirm it. */
  readonly confirmation: boolean
}

/** Announcements until a time, the newest first, without deleted ones. */
const getAnnouncements = defineMethod({
  scope: 'public',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({
    start_timestamp: timestamp
      .optional()
      .describe('milliseconds since the epoch: returns announcements until then; until now if omitted'),
    count: z.int().min(1).max(50).default(5).describe('maximum number of records'),
  }),
  read: () => queryOf(null),
  reply: ({ exchange, history }, params): readonly WireAnnouncement[] => {
    const until = params.start_timestamp ?? timeOut(timeOf(exchange))
    const reported = history.announcements.filter(
      ({ time, deletion }) => deletion === undefined && timeOut(time) <= until,
    )
    return reported.toReversed().slice(0, params.count).map(announcementOut)
  },
})

/** Announcements that the account has not read, the newest first. */
const getNewAnnouncements = defineMethod({
  scope: 'account:read',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({}),
  read: () => queryOf(null),
  reply: (context): readonly WireAnnouncement[] =>
    context.history.announcements
      .filter((each) => each.deletion === undefined && !isReadBy(each, asker(context)))
      .toReversed()
      .map(announcementOut),
})

/** Notes that the account has read an announcement; one that it has read already stays so. */
const setAnnouncementAsRead = defineMethod({
  scope: 'account:read_write',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({ announcement_id: z.int().min(1).describe('number of the announcement') }),
  afterwards: 'mark_read',
  read: ({ history }, { announcement_id: id }) =>
    queryOf(isPublished(history, id) ? null : paramFault('announcement_id', 'unknown_announcement')),
  reply: () => 'ok' as const,
})

/** True if an announcement with this number exists and was not deleted. */
function isPublished({ announcements }: ReadContext['history'], number: number): boolean {
  return announcements.some(({ id, deletion }) => id === number && deletion === undefined)
}

/**
 * Publishes an announcement: queries return it from now on, and the channel `announcements` notifies its subscribers.
 */
const announce = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'query',
  params: z.object({
    title: z.string().min(1).max(200).describe('at most 200 characters'),
    body: z.string().max(10_000).default('').describe('at most 10000 characters'),
    important: z.boolean().default(false).describe('true for an important announcement'),
    confirmation: z.boolean().default(false).describe('true if readers must confirm it'),
  }),
  afterwards: 'announce',
  read: () => queryOf(null),
  reply: ({ exchange, history }, params): WireAnnouncement => {
    const { title, body, important, confirmation } = params
    const id = nextAnnouncementId(history.announcements)
    return announcementOut({ id, time: timeOf(exchange), title, body, important, confirmation })
  },
})

/** Deletes an announcement: queries no longer return it, and the channel notifies its subscribers of the deletion. */
const deleteAnnouncement = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'query',
  params: z.object({ id: z.int().min(1).describe('number of the announcement') }),
  afterwards: 'unannounce',
  read: ({ history }, { id }) => queryOf(isPublished(history, id) ? null : paramFault('id', 'unknown_announcement')),
  reply: () => 'ok',
})

/** An announcement as JSON. */
export function announcementOut(announcement: Announcement): WireAnnouncement {
  return {
    id: announcement.id,
    title: announcement.title,
    body: announcement.body,
    publication_timestamp: timeOut(announcement.time),
    important: announcement.important,
    confirmation: announcement.confirmation,
  }
}

/** Methods by their names; a part of the table. */
export const announcementMethods = {
  'public/get_announcements': getAnnouncements,
  'private/get_new_announcements': getNewAnnouncements,
  'private/set_announcement_as_read': setAnnouncementAsRead,
  'sim/announce': announce,
  'sim/delete_announcement': deleteAnnouncement,
} as const
