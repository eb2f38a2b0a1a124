/**
 * What the fills of a walk that takes nothing would do to groups of market-maker protection: where one would
 * trip, its other orders are not there for what follows, and a protected taker of it ends (C39, C44).
 */
import type { MmpMembership, Side } from '../../../model/index.ts'
import { countTrade, type MmpCounters, reachedLimit } from '../../../protection/index.ts'
import { membersOf } from '../../protection/mmp-freeze.ts'
import { tradeShare } from '../../protection/mmp-sizes.ts'
import type { Exchange } from '../../state/exchange.ts'
import type { InstrumentRow } from '../../state/instrument-row.ts'
import { type MmpGroup, mmpGroupAt } from '../../state/protection/mmp-groups.ts'

/** What was traded in the windows of groups, fills of the walk counted; of those that tripped null. */
export type ProtectionTrial = Map<MmpGroup, MmpCounters | null>

/** A fill of a walk, as one of its two orders has it. */
export interface TriedFill {
  readonly row: InstrumentRow
  readonly side: Side
  readonly lots: number
  /** In ticks. */
  readonly price: number
}

/** Counts a fill of a protected order; returns the group where that trips it, and null where it does not. */
export function tryProtection(
  exchange: Exchange,
  trial: ProtectionTrial,
  of: { readonly membership: MmpMembership; readonly fill: TriedFill },
): MmpGroup | null {
  const group = mmpGroupAt(exchange, of.membership.group)
  const { config, freeze } = group
  if (config === null || (freeze !== null && !freeze.isReset)) return null
  const { windowStart, quantity9, delta9, vega9 } = group
  const known = trial.get(group)
  if (known === null) return null
  const counters = known ?? { windowStart, quantity9, delta9, vega9 }
  const { row, side, lots, price } = of.fill
  const trade = { row, side, lots, price9: price * row.instrument.tick9 }
  const { interval } = config
  countTrade(counters, tradeShare(exchange, trade), { now: exchange.now, interval })
  const trips = reachedLimit(counters, config) !== null
  trial.set(group, trips ? null : counters)
  return trips ? group : null
}

/** The orders that go with a group. */
export function ordersOf(exchange: Exchange, group: MmpGroup): readonly number[] {
  return membersOf(exchange, group).map(({ id }) => id)
}
