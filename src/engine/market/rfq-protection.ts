/**
 * Market-maker protection of Block RFQs: what a maker's fills on RFQs add up to in a window.
 *
 * Rule: rfq.mmp. A group counts the legs of its index, and that of all indices every leg; each fill counts once for
 * `trade_count_limit`. The group that a limit trips takes all open quotes of its maker back, and none come until it is
 * over or reset. It is apart from the protection of orders.
 *
 * Assumed: the largest quantity of quotes bounds nothing here, since nothing of an RFQ rests in a book.
 * Source: sessions-blocks-gateways.md 5.11.
 */
import type { BlockLeg, Refusal } from '../../model/index.ts'
import {
  accountRow,
  countTrade,
  type Exchange,
  type MmpGroup,
  reachedLimit,
  rowOfInstrument,
  type Turn,
} from '../state/index.ts'
import { tradeShare } from '../value/index.ts'
import { frozenRefusal, tripGroup } from './mmp-freeze.ts'

/** Groups of all indices have this name. */
const ALL_INDICES = 'all'

/** Why a frozen group keeps a maker from quoting, or null. */
export function rfqFreezeRefusal(exchange: Exchange, maker: number): Refusal | null {
  for (const group of accountRow(exchange, maker).mmpGroups) {
    if (!group.blockRfq) continue
    const refusal = frozenRefusal(exchange, group, { session: 0, resets: false })
    if (refusal !== null) return refusal
  }
  return null
}

/** Counts a fill of a maker, whose sides the legs have, and acts where a limit is reached. */
export function countRfqFill(turn: Turn, maker: number, legs: readonly BlockLeg[]): void {
  for (const group of [...accountRow(turn.exchange, maker).mmpGroups]) {
    const isFrozen = group.freeze !== null && !group.freeze.isReset
    if (group.blockRfq && group.config !== null && !isFrozen) countIn(turn, group, legs)
  }
}

function countIn(turn: Turn, group: MmpGroup, legs: readonly BlockLeg[]): void {
  const { exchange } = turn
  const { config, membership } = group
  if (config === null) return
  const counted = legs.filter(({ instrument }) => {
    const { name } = rowOfInstrument(exchange, instrument).index
    return membership.index === ALL_INDICES || membership.index === name
  })
  if (counted.length === 0) return
  const sum = { quantity9: 0, delta9: 0, vega9: 0 }
  for (const { instrument, side, amount, price } of counted) {
    const row = rowOfInstrument(exchange, instrument)
    const share = tradeShare(exchange, { row, side, lots: amount, price9: price })
    sum.quantity9 += share.quantity9
    sum.delta9 += share.delta9
    sum.vega9 += share.vega9
  }
  const opens = countTrade(group, sum, { now: exchange.now, interval: config.interval })
  const { tradeCounts } = exchange.rfqs
  const count = (opens ? 0 : (tradeCounts.get(membership.group) ?? 0)) + 1
  tradeCounts.set(membership.group, count)
  const isCounted = config.tradeCount !== null && count >= config.tradeCount
  const reached = reachedLimit(group, config) ?? (isCounted ? 'trade_count' : null)
  if (reached !== null) tripGroup(turn, group, reached)
}
