/**
 * Market-maker protection: what a group of orders or quotes may trade within a window before all of
 * them are pulled.
 *
 * Source: trading.md 7 (C37-C46); sessions-blocks-gateways.md 8.9; coverage R11.
 */
import { type Micros, micros } from '../../core/index.ts'

/** Nothing ends a freeze for direct access for so long, whatever ends it for others (C42, R11). */
export const leastFreezeMicros: Micros = micros(1_000_000)

/** Protection of a group; limits are counts of 1e-9, and null is not monitored. */
export interface MmpConfig {
  /** How long a window is; 0 removes the configuration. */
  readonly interval: Micros
  /** How long a group is frozen; 0 until it is reset. */
  readonly frozenTime: Micros
  /** Traded size in base coin, both directions added. */
  readonly quantity9: number | null
  /** Net change of delta in base coin. */
  readonly delta9: number | null
  /** Net change of vega in USD. */
  readonly vega9: number | null
  /** Most open size in base coin for each instrument and side. */
  readonly maxQuote9: number
  /** Trades of Block RFQs; null but for their protection. */
  readonly tradeCount: number | null
}

/** The key of a group: the orders of an index have no name, and quotes name theirs. */
export interface MmpKey {
  /** Name of a price index, such as `btc_usd`; `all` for Block RFQs alone. */
  readonly index: string
  readonly name: string | null
  readonly blockRfq: boolean
}

/** The group that an order belongs to. */
export interface MmpMembership {
  /** Counts groups of a run from 1; the number that the binary side names a group by. */
  readonly group: number
  readonly index: string
  /** Null for the group of orders. */
  readonly name: string | null
}
