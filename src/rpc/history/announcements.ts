/**
 * Announcements of the venue, oldest first, with the accounts that have read them. The newest are kept.
 */
import type { Micros } from '../../core/index.ts'

/** Number of announcements that are kept; the oldest are dropped once there are twice as many. */
const KEPT = 1000

/** An announcement. */
export interface Announcement {
  /** Number of the announcement, from 1. */
  readonly id: number
  readonly time: Micros
  readonly title: string
  readonly body: string
  readonly important: boolean
  /** True if readers have to confirm it. */
  readonly confirmation: boolean
  /** Number of the deletion, from 1 in the order of deletions; omitted unless deleted. */
  readonly deletion?: number
  /** Accounts that have read it; omitted before the first one. */
  readonly readers?: readonly number[]
}

/** The number of the next announcement. */
export function nextAnnouncementId(announcements: readonly Announcement[]): number {
  return (announcements.at(-1)?.id ?? 0) + 1
}

/** Adds an announcement with the next number. */
export function addAnnouncement(
  announcements: Announcement[],
  { time, title, body, important, confirmation }: Omit<Announcement, 'id' | 'deletion' | 'readers'>,
): void {
  const id = nextAnnouncementId(announcements)
  announcements.push({ id, time, title, body, important, confirmation })
  if (announcements.length >= KEPT * 2) announcements.splice(0, announcements.length - KEPT)
}

/** Marks an announcement as deleted, which its channel reports. It keeps its place, so that no number is used twice. */
export function deleteAnnouncement(announcements: Announcement[], id: number): void {
  const at = announcements.findIndex((each) => each.id === id)
  const found = announcements[at]
  if (found === undefined) return
  announcements[at] = { ...found, deletion: lastDeletion(announcements) + 1 }
}

/** Notes that an account has read an announcement. */
export function markRead(
  announcements: Announcement[],
  { id, account }: { readonly id: number; readonly account: number },
): void {
  const at = announcements.findIndex((each) => each.id === id)
  const found = announcements[at]
  if (found === undefined || isReadBy(found, account)) return
  announcements[at] = { ...found, readers: [...(found.readers ?? []), account] }
}

/** True if an account has read an announcement. */
export function isReadBy({ readers = [] }: Announcement, account: number): boolean {
  return readers.includes(account)
}

/** The number of the last deletion among the stored announcements; 0 if none of them is deleted. */
export function lastDeletion(announcements: readonly Announcement[]): number {
  return announcements.reduce((last, { deletion = 0 }) => Math.max(last, deletion), 0)
}
