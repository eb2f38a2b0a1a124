/**
 * Effects of fills on market-maker protection: the last hook of a fill (C06, C39).
 *
 * The protected sides of a fill are determined before the other hooks, which may end both orders. Fills of a frozen
 * group do not count: during a freeze only orders that waited behind the speed bump still trade.
 */
import { NO_SLOT } from '../../book/index.ts'
import type { Side } from '../../model/index.ts'
import {
  countTrade,
  type Exchange,
  type MmpGroup,
  mmpGroupAt,
  orderAt,
  reachedLimit,
  type Turn,
} from '../state/index.ts'
import { type SidedTrade, tradeShare } from '../value/index.ts'
import type { FillContext } from './book-trade.ts'
import { emitMmp, tripGroup } from './mmp-freeze.ts'

/** The protected sides of a fill; at least one of them is set. */
export interface ProtectedSides {
  readonly maker: ProtectedSide | null
  readonly taker: ProtectedSide | null
}

interface ProtectedSide {
  readonly group: MmpGroup
  readonly side: Side
}

/** Determines the protected sides of a fill before its hooks run; null without any. */
export function protectedSides({ turn, makerSlot, takerSlot }: FillContext): ProtectedSides | null {
  const { exchange } = turn
  if (exchange.mmpGroups.length === 0) return null
  const maker = protectedSide(exchange, makerSlot)
  const taker = protectedSide(exchange, takerSlot)
  return maker === null && taker === null ? null : { maker, taker }
}

/** Counts a fill in the groups of its two orders, and cancels the orders of groups whose limit is reached. */
export function countProtection(fill: FillContext, { maker, taker }: ProtectedSides): void {
  const { turn, row, lots, priced } = fill
  for (const of of [maker, taker]) {
    if (of === null) continue
    const { group, side } = of
    countFill(turn, group, { row, side, lots, price9: priced.price9 })
  }
}

function protectedSide(exchange: Exchange, slot: number): ProtectedSide | null {
  if (slot === NO_SLOT) return null
  const { extras, side } = orderAt(exchange, slot)
  if (extras === null || extras.mmp === null) return null
  return { group: mmpGroupAt(exchange, extras.mmp.group), side }
}

/** Rule: mmp.fill. Counts one fill of a group. A limit that is reached takes effect before the next fill (C39). */
function countFill(turn: Turn, group: MmpGroup, trade: SidedTrade): void {
  const { exchange } = turn
  const { config, freeze } = group
  if (config === null || (freeze !== null && !freeze.isReset)) return
  const { interval } = config
  const opens = countTrade(group, tradeShare(exchange, trade), { now: exchange.now, interval })
  if (opens) emitMmp(turn, group, { change: 'window_opened', session: 0, cancelled: 0 })
  const reached = reachedLimit(group, config)
  if (reached !== null) tripGroup(turn, group, reached)
}
