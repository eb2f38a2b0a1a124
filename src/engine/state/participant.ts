/**
 * A participant of the liquidity support programme and its windows.
 *
 * Source: sessions-blocks-gateways.md 7.1, 7.2, 7.4; S156-S165.
 */
import type { AccountId, Micros } from '../../core/index.ts'
import type { LspGroup } from '../../model/index.ts'

/** What was assigned to a participant of one group since the first assignment that opened the window. */
export interface LspWindow {
  /** Nano of USD. */
  used: bigint
  readonly start: Micros
  /** The window resets at this time, in one step. */
  readonly end: Micros
}

/**
 * A participant. `disabled` is one that failed too often, `removed` one that still has positions from its
 * time; both take nothing any more and may still only reduce.
 */
export interface Participant {
  readonly account: AccountId
  status: 'enabled' | 'disabled' | 'removed'
  /** In parts per million of its equity; groups that are left out have the limits of the run. */
  limitsPpm: { readonly [G in LspGroup]?: number }
  readonly windows: Map<LspGroup, LspWindow>
  /** When it lacked the margin for what was assigned to it, within the last minutes that count. */
  failures: Micros[]
}
