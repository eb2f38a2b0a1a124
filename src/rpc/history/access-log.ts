/**
 * Access logs: who logged on to each account, and changes of its keys, oldest first. The newest entries are kept. The
 * log contains no secrets, tokens or signatures (R57).
 */
import type { AccountId, Micros } from '../../core/index.ts'
import type { AccessEntry } from '../../model/index.ts'
import { keepRow, rowsOf, type Windows } from './windows.ts'

/** Number of entries that are kept for each account; the oldest are dropped once there are twice as many. */
const KEPT = 1000

/** An entry without its number and time. */
export interface AccessNote {
  readonly account: AccountId
  readonly log: AccessEntry
  /** IP address of the client. */
  readonly ip: string
  /** The object of the entry, such as the name of a key; null without one. */
  readonly data: string | null
}

/** An entry of the log of an account. */
export interface AccessRecord extends Omit<AccessNote, 'account'> {
  /** Counts the entries of its account from 1. */
  readonly id: number
  readonly time: Micros
}

/** The address of entries without a client: the machine of the venue. */
export const LOCAL_ADDRESS = '127.0.0.1'

/** The numbered entry of a note at a time. */
export function accessRecord(
  log: Windows<AccountId, AccessRecord>,
  { account, ...note }: AccessNote,
  time: Micros,
): AccessRecord {
  const id = (rowsOf(log, account).at(-1)?.id ?? 0) + 1
  return { id, time, ...note }
}

/** Adds an entry to the log of its account. */
export function addAccess(log: Windows<AccountId, AccessRecord>, note: AccessNote, time: Micros): void {
  keepRow(log, note.account, { row: accessRecord(log, note, time), limit: KEPT })
}
