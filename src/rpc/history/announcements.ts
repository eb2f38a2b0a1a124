/**
 * Announcements of the venue, oldest first, and who has read them: the newest are kept.
 */
import type { Micros } from '../../core/index.ts'

/** How many are kept; up to twice as many stand before the oldest go. */
const KEPT = 1000

/** An announcement. */
export interface Announcement {
  /** Counts them from 1. */
  readonly id: number
  readonly time: Micros
  readonly title: string
  readonly body: string
  readonly important: boolean
  /** True if readers have to confirm it. */
  readonly confirmation: boolean
  /** Counts those that were deleted from 1, in that order; left out of those that stand. */
  readonly deletion?: number
  /** Accounts that have read it; omitted before the first one. */
  readonly readers?: readonly number[]
}

/** The number of the next announcement. */
export function nextAnnouncementId(announcements: readonly Announcement[]): number {
  return (announcements.at(-1)?.id ?? 0) + 1
}

/** Adds an announcement, whose number follows. */
export function addAnnouncement(
  announcements: Announcement[],
  { time, title, body, important, confirmation }: Omit<Announcement, 'id' | 'deletion' | 'readers'>,
): void {
  const id = nextAnnouncementId(announcements)
  announcements.push({ id, time, title, body, important, confirmation })
  if (announcements.length >= KEPT * 2) announcements.splice(0, announcements.length - KEPT)
}

/** Takes an announcement away; readers are told so. It keeps its place, so that numbers are never given again. */
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

/** How many were deleted, as far as they are kept. */
export function lastDeletion(announcements: readonly Announcement[]): number {
  return announcements.reduce((last, { deletion = 0 }) => Math.max(last, deletion), 0)
}
