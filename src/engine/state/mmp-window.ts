/**
 * Windows and counters of market-maker protection: the sums that a group traded within a window, and the limits that
 * they reach.
 *
 * Counters are in 1e-9: quantity and delta in base coin, vega in USD. They are clamped to safe integers (9,007,199
 * coins), far beyond any limit.
 *
 * Rule: mmp.window. A window is half open, [start, start + interval). It begins with a trade and does not move with
 * later ones. The first trade after its end opens the next window, whose counters start at 0. Both directions add up in
 * quantity, and net out in delta and vega.
 * Rule: mmp.limits. Each limit is independent. A counter reaches its limit at the limit's value; delta and vega do so
 * in either direction. The freeze reports the first of quantity, delta and vega whose limit is reached.
 *
 * Source: trading.md 7.2, C38, C39.
 */
import { assert, type Micros } from '../../core/index.ts'
import type { MmpConfig, MmpTrigger } from '../../model/index.ts'

/** The contribution of a trade to the counters. */
export interface MmpTrade {
  /** Never negative. */
  readonly quantity9: number
  readonly delta9: number
  readonly vega9: number
}

/** Sums traded in a window. */
export interface MmpCounters {
  /** Null before the first trade. */
  windowStart: Micros | null
  quantity9: number
  delta9: number
  vega9: number
}

/** Counts a trade; true if it opens a window. */
export function countTrade(
  counters: MmpCounters,
  trade: MmpTrade,
  at: { readonly now: Micros; readonly interval: Micros },
): boolean {
  assert(trade.quantity9 >= 0, 'a trade has a size')
  const { now, interval } = at
  const { windowStart } = counters
  const opens = windowStart === null || now >= windowStart + interval
  if (opens) {
    clearWindow(counters)
    counters.windowStart = now
  }
  counters.quantity9 = bounded(counters.quantity9 + trade.quantity9)
  counters.delta9 = bounded(counters.delta9 + trade.delta9)
  counters.vega9 = bounded(counters.vega9 + trade.vega9)
  return opens
}

/** The first limit that is reached, or null. */
export function reachedLimit(
  { quantity9, delta9, vega9 }: Readonly<MmpCounters>,
  config: MmpConfig,
): MmpTrigger | null {
  if (config.quantity9 !== null && quantity9 >= config.quantity9) return 'quantity'
  if (config.delta9 !== null && Math.abs(delta9) >= config.delta9) return 'delta'
  if (config.vega9 !== null && Math.abs(vega9) >= config.vega9) return 'vega'
  return null
}

/** Ends the window and sets all counters to 0. */
export function clearWindow(counters: MmpCounters): void {
  counters.windowStart = null
  counters.quantity9 = 0
  counters.delta9 = 0
  counters.vega9 = 0
}

function bounded(value: number): number {
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, value))
}
