/**
 * The row of a group of market-maker protection.
 *
 * Source: trading.md 7; sessions-blocks-gateways.md 8.9.
 */
import type { CurrencyId, Micros, OrderId, TimerId } from '../../core/index.ts'
import type { MmpConfig, MmpMembership, MmpTrigger } from '../../model/index.ts'

/** A group; it keeps its number when its limits are removed, and lives on without them. */
export interface MmpGroup {
  readonly account: number
  readonly blockRfq: boolean
  /** What its orders carry: number, index and name. */
  readonly membership: MmpMembership
  /** The currency that its margin is held in; null where none is, as for Block RFQs. */
  readonly settlement: CurrencyId | null
  /** Null while it is not configured. */
  config: MmpConfig | null
  /** When its window began; null before its first trade, and after it was frozen. */
  windowStart: Micros | null
  /** What was traded in the window, in 1e-9. */
  quantity9: number
  delta9: number
  vega9: number
  /** Null while it is not frozen. */
  freeze: MmpFreeze | null
  /** Its open quotes, by instrument and side; none of the group of orders. */
  readonly quotes: Map<number, OrderId>
}

/** A freeze of a group. */
export interface MmpFreeze {
  readonly trigger: MmpTrigger
  readonly since: Micros
  /** Null where only a reset ends it. */
  readonly until: Micros | null
  readonly timer: TimerId | null
  /** Whether JSON-RPC ended it for itself; direct access waits until a second has passed (C42, R11). */
  readonly isReset: boolean
}
