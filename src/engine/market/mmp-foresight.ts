/**
 * Foresight of market-maker protection: a fill that has not happened yet may reach the limit of a group, whose other
 * orders then leave the book. A walk over the book must not count those orders (DESIGN 4).
 *
 * Rule: mmp.foresight. Source: trading.md C06, C21, C39.
 */
import {
  countTrade,
  type Exchange,
  type InstrumentRow,
  type LiveOrder,
  type MmpCounters,
  mmpGroupAt,
  reachedLimit,
} from '../state/index.ts'
import { tradeShare } from '../value/index.ts'

/** Groups in which the fills so far would have counted, by number. */
export interface Foresight {
  readonly counters: Map<number, MmpCounters>
  /** Groups that would have tripped. */
  readonly tripped: Set<number>
}

/** Foresight before the first fill. */
export function noForesight(): Foresight {
  return { counters: new Map(), tripped: new Set() }
}

/** The group of a protected order, or 0. */
export function groupNumberOf({ extras }: LiveOrder): number {
  return extras?.mmp?.group ?? 0
}

/** Counts a possible fill of an order at a price, if the order belongs to a group. */
export function foreseeFill(
  exchange: Exchange,
  foresight: Foresight,
  of: {
    readonly order: LiveOrder
    readonly row: InstrumentRow
    readonly lots: number
    readonly price9: number
  },
): void {
  const { order, row, lots, price9 } = of
  const number = groupNumberOf(order)
  if (number === 0 || foresight.tripped.has(number)) return
  const group = mmpGroupAt(exchange, number)
  const { config, freeze } = group
  if (config === null || (freeze !== null && !freeze.isReset)) return
  const { windowStart, quantity9, delta9, vega9 } = group
  const counters = foresight.counters.get(number) ?? { windowStart, quantity9, delta9, vega9 }
  foresight.counters.set(number, counters)
  const { side } = order
  const share = tradeShare(exchange, { row, side, lots, price9 })
  countTrade(counters, share, { now: exchange.now, interval: config.interval })
  if (reachedLimit(counters, config) !== null) foresight.tripped.add(number)
}
