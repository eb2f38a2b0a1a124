/**
 * Emits the event for a lock, freeze, switch, permission or limit that began, ended or took effect.
 */
import type { AccountId, Micros } from '../../core/index.ts'
import type { EventOf, Instrument, StandingKind } from '../../model/index.ts'
import { eventHeader, type Turn } from './emit.ts'

/** A change of a standing. Omitted parts are empty or 0 in the event. */
export interface StandingChange {
  readonly protection: StandingKind
  readonly change: EventOf<'standing'>['change']
  /** -1 for settings of the venue. */
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
