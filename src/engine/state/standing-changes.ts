/**
 * Tells that a lock, freeze, switch, permission or limit began, ended or acted.
 */
import type { AccountId, Micros } from '../../core/index.ts'
import type { EventOf, Instrument, StandingKind } from '../../model/index.ts'
import { eventHeader, type Turn } from './emit.ts'

/** The changes of a standing; parts that are left out are none. */
export interface StandingChange {
  readonly protection: StandingKind
  readonly change: EventOf<'standing'>['change']
  /** -1 for what is of the venue. */
  readonly account: AccountId | -1
  readonly session?: number
  readonly group?: string | null
  readonly until?: Micros | null
  readonly cancelled?: number
  readonly instrument?: Instrument
}

/** Emits `standing`. */
export function emitStanding(turn: Turn, of: StandingChange): void {
  turn.log.append({
    kind: 'standing',
    ...eventHeader(turn),
    protection: of.protection,
    change: of.change,
    account: of.account,
    session: of.session ?? 0,
    group: of.group ?? null,
    until: of.until ?? null,
    cancelled: of.cancelled ?? 0,
    instrument: of.instrument ?? null,
  })
}
