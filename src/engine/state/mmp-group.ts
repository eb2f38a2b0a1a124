/**
 * The row of a group of market-maker protection.
 *
 * Source: trading.md 7; sessions-blocks-gateways.md 8.9.
 */
import {
  changing,
  fixed,
  type Micros,
  mapOf,
  orNull,
  plainUnit,
  type RowOf,
  rowUnit,
  type TimerId,
  units,
} from '../../core/index.ts'
import type { MmpConfig, MmpMembership, MmpTrigger } from '../../model/index.ts'

/** A freeze of a group. */
export interface MmpFreeze {
  readonly trigger: MmpTrigger
  readonly since: Micros
  /** Null if only a reset ends it. */
  readonly until: Micros | null
  readonly timer: TimerId | null
  /** True if JSON-RPC has reset it. For direct access the freeze continues until a second has passed (C42, R11). */
  readonly isReset: boolean
}

export const mmpGroupFields = {
  account: fixed(units.row),
  blockRfq: fixed(units.flag),
  /** Number, index and name of the group; its orders carry them. */
  membership: fixed(plainUnit<MmpMembership>('membership')),
  /** The currency in which its margin is held; null for a group without margin, as for Block RFQs. */
  settlement: fixed(orNull(units.currencyId)),
  /** Null while the group is not configured. */
  config: changing(plainUnit<MmpConfig | null>('limits')),
  /** Start of its window; null before its first trade, and after a freeze. */
  windowStart: changing(orNull(units.micros)),
  /** Traded in the window, in 1e-9. */
  quantity9: changing(units.nano),
  delta9: changing(units.nano),
  vega9: changing(units.nano),
  /** Null while the group is not frozen. */
  freeze: changing(plainUnit<MmpFreeze | null>('freeze')),
  /** Its open quotes, by instrument and side. Empty for a group of orders. */
  quotes: fixed(mapOf(units.row, units.orderId)),
}

/** A group. It stays, with its number, when its limits are removed. */
export interface MmpGroup extends RowOf<typeof mmpGroupFields> {}

export const mmpGroupUnit = rowUnit('group of market-maker protection', mmpGroupFields)
