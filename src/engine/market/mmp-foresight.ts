/**
 * Foresight of market-maker protection: a fill that was not made yet may reach the limit of a group, which takes its
 * other orders out of the book, and a walk over the book must not count those (DESIGN 4).
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

/** Groups that fills so far would have counted in, by number. */
export interface Foresight {
  readonly counters: Map<number, MmpCounters>
  /** Those that would have tripped. */
  readonly tripped: Set<number>
}

/** No fill yet. */
export function noForesight(): Foresight {
  return { counters: new Map(), tripped: new Set() }
}

/** The group of a protected order, or 0. */
export function groupNumberOf({ extras }: LiveOrder): number {
  return extras?.mmp?.group ?? 0
}

/** An order of a group would be filled by so much at a price. */
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
