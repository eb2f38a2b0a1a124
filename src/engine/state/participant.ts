/**
 * A participant of the liquidity support programme and its windows.
 *
 * Source: sessions-blocks-gateways.md 7.1, 7.2, 7.4; S156-S165.
 */
import { changing, fixed, listOf, mapOf, plainUnit, type RowOf, rowUnit, units, wordUnit } from '../../core/index.ts'
import { type LspGroup, participantStates } from '../../model/index.ts'

export const lspWindowFields = {
  /** Nano of USD. */
  used: changing(units.wide),
  start: fixed(units.micros),
  /** The window resets at this time, in one step. */
  end: fixed(units.micros),
}

/** Sizes assigned to a participant in one group since the assignment that opened the window. */
export interface LspWindow extends RowOf<typeof lspWindowFields> {}

export const participantFields = {
  account: fixed(units.accountId),
  status: changing(wordUnit('status', participantStates)),
  /** In parts per million of its equity. A missing group has the limit of the run. */
  limitsPpm: changing(plainUnit<{ readonly [G in LspGroup]?: number }>('limits in ppm')),
  windows: fixed(mapOf(plainUnit<LspGroup>('group'), rowUnit('window', lspWindowFields))),
  /** Times within the failure window at which it lacked the margin for an assignment. */
  failures: changing(listOf(units.micros)),
}

/** A participant. */
export interface Participant extends RowOf<typeof participantFields> {}

export const participantUnit = rowUnit('participant', participantFields)
