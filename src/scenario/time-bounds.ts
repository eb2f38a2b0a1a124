/**
 * The times that a run may have. Names of expiries have a two-digit year from 2000 on, and the schedule lists expiries
 * more than a year ahead. The length is limited because every day of a run costs its settlements.
 */
import { formatIsoTime, type Micros, micros } from '../core/index.ts'

/** 2000-01-01T00:00:00Z. */
export const START_MIN = micros(946_684_800_000_000)
/** 2086-01-01T00:00:00Z. */
const START_MAX = micros(3_660_681_600_000_000)
/** Ten years of 366 days. */
const LENGTH_MAX = 3660 * 86_400_000_000

/** The expected range as text, for a start that is too early or too late; otherwise null. */
export function expectedStart(start: Micros): string | null {
  if (start >= START_MIN && start <= START_MAX) return null
  return `a time from ${formatIsoTime(START_MIN)} to ${formatIsoTime(START_MAX)}`
}

/** The expected limit as text, for a time that is too long after the start; otherwise null. */
export function expectedTime(time: Micros, start: Micros): string | null {
  if (time <= start + LENGTH_MAX) return null
  return `a time up to ten years after the start, ${formatIsoTime(micros(start + LENGTH_MAX))}`
}
