/**
 * public/get_announcements, and sim/announce and sim/delete_announcement, which is how there are any.
 * Source: sessions document 3.4 (`announcements`).
 */
import { z } from '../../../core/index.ts'
import { timeOf } from '../../../engine/index.ts'
import { type Announcement, nextAnnouncementId } from '../../history/index.ts'
import { timeOut } from '../../wire/index.ts'
import { defineMethod, queryOf } from '../method.ts'
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

/** Announcements until a time, newest first, without deleted ones. */
const getAnnouncements = defineMethod({
  scope: 'public',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({
    start_timestamp: timestamp
      .optional()
      .describe(
        'milliseconds since the epoch: returns announcements until then; until now if omitted',
      ),
    count: z.int().min(1).max(50).default(5).describe('maximum number of records'),
  }),
  read: () => queryOf(null),
  reply: ({ exchange, history }, params): readonly WireAnnouncement[] => {
    const until = params.start_timestamp ?? timeOut(timeOf(exchange))
    const told = history.announcements.filter(
      ({ time, deletion }) => deletion === undefined && timeOut(time) <= until,
    )
    return told.toReversed().slice(0, params.count).map(announcementOut)
  },
})

/** Publishes an announcement: queries return it from now on, and the channel `announcements` sends it. */
const announce = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'query',
  params: z.object({
    title: z.string().min(1).max(200).describe('up to 200 characters'),
    body: z.string().max(10_000).default('').describe('up to 10000 characters'),
    important: z
      .boolean()
      .default(false)
      .describe('true if the announcement is marked as important'),
    confirmation: z
      .boolean()
      .default(false)
      .describe('true if readers have to confirm the announcement'),
  }),
  afterwards: 'announce',
  read: () => queryOf(null),
  reply: ({ exchange, history }, params): WireAnnouncement => {
    const { title, body, important, confirmation } = params
    const id = nextAnnouncementId(history.announcements)
    return announcementOut({ id, time: timeOf(exchange), title, body, important, confirmation })
  },
})

/** Deletes an announcement: queries no longer return it, and the channel sends the deletion. */
const deleteAnnouncement = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'query',
  params: z.object({ id: z.int().min(1).describe('number of the announcement') }),
  afterwards: 'unannounce',
  read: ({ history }, { id }) => {
    const found = history.announcements.find((each) => each.id === id)
    const stands = found !== undefined && found.deletion === undefined
    return queryOf(stands ? null : paramFault('id', 'unknown_announcement'))
  },
  reply: () => 'ok',
})

/** An announcement as it is told. */
export function announcementOut(announcement: Announcement): WireAnnouncement {
  const { id, title, body, time, important, confirmation } = announcement
  return { id, title, body, publication_timestamp: timeOut(time), important, confirmation }
}

/** Methods by their names; a part of the table. */
export const announcementMethods = {
  'public/get_announcements': getAnnouncements,
  'sim/announce': announce,
  'sim/delete_announcement': deleteAnnouncement,
} as const
