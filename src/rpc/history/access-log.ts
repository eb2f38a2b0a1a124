/**
 * Access logs: who came to each account, and what was changed about its keys, oldest first. The newest are kept.
 * Secrets, tokens and signatures are no part of it (R57).
 */
import type { AccountId, Micros } from '../../core/index.ts'
import type { AccessEntry } from '../../model/index.ts'
import { keepRow, rowsOf, type Windows } from './windows.ts'

/** How many entries of an account are kept; up to twice as many stand before the oldest go. */
const KEPT = 1000

/** An entry before it has a number and a time. */
export interface AccessNote {
  readonly account: AccountId
  readonly log: AccessEntry
  /** IP address of the client. */
  readonly ip: string
  /** The thing it is about, such as the name of a key; null for nothing. */
  readonly data: string | null
}

/** An entry of the log of an account. */
export interface AccessRecord extends Omit<AccessNote, 'account'> {
  /** Counts the entries of its account from 1. */
  readonly id: number
  readonly time: Micros
}

/** The address of entries whose client has none: the machine that the venue is on. */
export const LOCAL_ADDRESS = '127.0.0.1'

/** The entry that a note becomes at a time. */
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
