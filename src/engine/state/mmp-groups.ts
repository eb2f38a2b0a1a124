/**
 * Groups of market-maker protection: the orders of an index, and named groups of quotes. The exchange lists all groups
 * by number, and each account lists its own.
 *
 * Source: trading.md 7; sessions-blocks-gateways.md 8.9.
 */

import { assert, type CurrencyId, defined, type Micros } from '../../core/index.ts'
import type { MmpConfig, MmpKey, MmpTrigger } from '../../model/index.ts'
import type { Exchange } from './exchange.ts'
import type { MmpGroup } from './mmp-group.ts'

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

/** The group of an account by its key, or undefined. */
export function findMmpGroup(
  exchange: Exchange,
  account: number,
  { index, name, blockRfq }: MmpKey,
): MmpGroup | undefined {
  return exchange.accounts[account]?.mmpGroups.find(
    (group) => group.membership.index === index && group.membership.name === name && group.blockRfq === blockRfq,
  )
}

/** The group of the number that an order carries. */
export function mmpGroupAt(exchange: Exchange, number: number): MmpGroup {
  return defined(exchange.mmpGroups[number - 1], 'a named group exists')
}

/** Adds a group with the next number and without a configuration. */
export function addMmpGroup(exchange: Exchange, account: number, key: MmpKey, settlement: CurrencyId | null): MmpGroup {
  const group: MmpGroup = {
    account,
    blockRfq: key.blockRfq,
    settlement,
    config: null,
    membership: { group: exchange.mmpGroups.length + 1, index: key.index, name: key.name },
    windowStart: null,
    quantity9: 0,
    delta9: 0,
    vega9: 0,
    freeze: null,
    quotes: new Map(),
  }
  listMmpGroup(exchange, group)
  return group
}

/** Lists a group. The groups with smaller numbers must already be listed. */
export function listMmpGroup(exchange: Exchange, group: MmpGroup): void {
  exchange.mmpGroups.push(group)
  assert(exchange.mmpGroups.length === group.membership.group, 'groups are listed by number')
  defined(exchange.accounts[group.account], 'a group belongs to an account').mmpGroups.push(group)
}

/** The time and the length of a window in microseconds. */
interface WindowAt {
  readonly now: Micros
  readonly interval: Micros
}

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

/** Counts a trade; true if it opens a window. */
export function countTrade(counters: MmpCounters, trade: MmpTrade, at: WindowAt): boolean {
  assert(trade.quantity9 >= 0, 'a trade has a size')
  const opens = counters.windowStart === null || at.now >= counters.windowStart + at.interval
  if (opens) {
    clearWindow(counters)
    counters.windowStart = at.now
  }
  counters.quantity9 = bounded(counters.quantity9 + trade.quantity9)
  counters.delta9 = bounded(counters.delta9 + trade.delta9)
  counters.vega9 = bounded(counters.vega9 + trade.vega9)
  return opens
}

/** The first limit that is reached, or null. */
export function reachedLimit(counters: Readonly<MmpCounters>, config: MmpConfig): MmpTrigger | null {
  if (config.quantity9 !== null && counters.quantity9 >= config.quantity9) return 'quantity'
  if (config.delta9 !== null && Math.abs(counters.delta9) >= config.delta9) return 'delta'
  if (config.vega9 !== null && Math.abs(counters.vega9) >= config.vega9) return 'vega'
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
