/**
 * Windows and counters of market-maker protection: what a group traded within a window, and which of its
 * limits that reaches.
 *
 * Counters are in 1e-9: quantity and delta in base coin, vega in USD. They stop at what a safe integer holds
 * (9,007,199 coins), far beyond any limit.
 *
 * Rule: mmp.window. A window is half open, [start, start + interval): it runs from its first trade whatever
 * follows, and the first trade after its end opens the next with counters at nothing. Both directions add up
 * in quantity, and net out in delta and vega.
 * Rule: mmp.limits. Each limit stands by itself and is reached at its value, of delta and vega in either
 * direction; the first of quantity, delta and vega that is reached is told.
 *
 * Source: trading.md 7.2, C38, C39.
 */
import { assert, type Micros } from '../../core/index.ts'
import type { MmpConfig, MmpTrigger } from '../../model/index.ts'

/** The share of a trade in the counters. */
export interface MmpTrade {
  /** Never negative. */
  readonly quantity9: number
  readonly delta9: number
  readonly vega9: number
}

/** Traded sums of a window. */
export interface MmpCounters {
  /** Null before the first trade. */
  windowStart: Micros | null
  quantity9: number
  delta9: number
  vega9: number
}

/** Counts a trade; true where it opens a window. */
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

/** No window, and nothing traded. */
export function clearWindow(counters: MmpCounters): void {
  counters.windowStart = null
  counters.quantity9 = 0
  counters.delta9 = 0
  counters.vega9 = 0
}

/** A count within the safe integers. */
function bounded(value: number): number {
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, value))
}
