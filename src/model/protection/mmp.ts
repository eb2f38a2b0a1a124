/**
 * Market-maker protection: limits on the trades of a group of orders or quotes within a time window. If the group
 * exceeds a limit, all of its orders or quotes are cancelled.
 *
 * Source: trading.md 7 (C37-C46); sessions-blocks-gateways.md 8.9; coverage R11.
 */
import { type Micros, micros } from '../../core/index.ts'

/** Minimum time of a freeze for direct access, whatever ends it for other requests (C42, R11). */
export const leastFreezeMicros: Micros = micros(1_000_000)

/** Protection of a group. Limits are counts of 1e-9; null means no limit. */
export interface MmpConfig {
  /** Length of a window; 0 removes the configuration. */
  readonly interval: Micros
  /** Length of a freeze; 0 freezes the group until it is reset. */
  readonly frozenTime: Micros
  /** Traded size in base coin, the sum of both directions. */
  readonly quantity9: number | null
  /** Net change of delta in base coin. */
  readonly delta9: number | null
  /** Net change of vega in USD. */
  readonly vega9: number | null
  /** Largest open size in base coin for each instrument and side. */
  readonly maxQuote9: number
  /** Trades of Block RFQs; null for other groups. */
  readonly tradeCount: number | null
}

/** Identifies a group. The group of an index's orders has no name; quotes name their group. */
export interface MmpKey {
  /** Name of a price index, such as `btc_usd`; `all` only for Block RFQs. */
  readonly index: string
  readonly name: string | null
  readonly blockRfq: boolean
}

/** The group that an order belongs to. */
export interface MmpMembership {
  /** Number of the group in the run, from 1. Direct access identifies a group by this number. */
  readonly group: number
  readonly index: string
  /** Null for the group of orders. */
  readonly name: string | null
}
