/**
 * Orders behind the speed bump, and requests whose reply waits for them.
 *
 * Source: sessions-blocks-gateways.md 8.8; coverage R09, R10, R68.
 */
import {
  assert,
  changing,
  fixed,
  type Lots,
  listOf,
  type Micros,
  plainUnit,
  type RowOf,
  rowUnit,
  type Ticks,
  units,
} from '../../core/index.ts'
import type { ConversionReason, GatewayPair, OrderExtras, PostOnly, TimeInForce } from '../../model/index.ts'

/** A change that a waiting amend has not yet made for others. */
export interface OrderTermsBefore {
  readonly price: Ticks
  readonly amount: Lots
  readonly display: Lots
  readonly postOnly: PostOnly
  readonly reduceOnly: boolean
  readonly replaced: boolean
  readonly timeInForce: TimeInForce
  readonly extras: OrderExtras | null
  readonly updatedAt: Micros
}

export const bumpFields = {
  order: fixed(units.count),
  /** The gateway pair that its book is on. */
  pair: fixed(plainUnit<GatewayPair>('gateway pair')),
  /** The account whose Member it counts for, or -1 where it counts for none. */
  member: fixed(units.row),
  timer: changing(units.timerId),
  releaseAt: changing(units.micros),
  /** The request that made it wait, or made it wait anew. */
  cause: fixed(units.sequence),
  /** The reason for which it was to be cancelled and is immediate-or-cancel since; null where it was not. */
  converted: changing(plainUnit<ConversionReason | null>('reason or null')),
  /** Requests whose reply waits for it, in the order in which they came. */
  held: fixed(listOf(units.sequence)),
  /** Its terms while it stood in the book, as it is still listed; null for a new order (R10). */
  before: fixed(plainUnit<OrderTermsBefore | null>('terms before or null')),
}

/** An order that waits. */
export interface Bump extends RowOf<typeof bumpFields> {}

/** How many orders wait on a gateway pair: all of them, and those of each Member by its main account. */
interface WaitingOnGateway {
  all: number
  readonly ofMembers: Map<number, number>
}

/** The same of each gateway pair on which any wait. */
export type WaitingCounts = Map<GatewayPair, WaitingOnGateway>

/** Counts an order that begins to wait, or waits no more. */
export function countWaiting(
  counts: WaitingCounts,
  { pair, member }: Pick<Bump, 'pair' | 'member'>,
  change: 1 | -1,
): void {
  const found = counts.get(pair) ?? { all: 0, ofMembers: new Map<number, number>() }
  found.all += change
  const ofMember = (found.ofMembers.get(member) ?? 0) + change
  assert(ofMember >= 0 && found.all >= ofMember, 'only a waiting order can stop waiting')
  if (ofMember === 0) found.ofMembers.delete(member)
  else found.ofMembers.set(member, ofMember)
  if (found.all === 0) counts.delete(pair)
  else counts.set(pair, found)
}

export const bumpUnit = rowUnit('order behind the speed bump', bumpFields)

/** A request that is complete once none of its orders waits. */
export const heldRequestFields = {
  /** Number of its orders that wait. */
  waiting: changing(units.count),
  /** The count that `request` will tell. */
  count: changing(units.count),
}

export const heldRequestUnit = rowUnit('held request', heldRequestFields)
