/**
 * Orders behind the speed bump, and requests whose reply waits for these orders.
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

/**
 * The terms of an order before an amend that waits behind the speed bump. JSON-RPC lists the account's order with these
 * terms until the release.
 */
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
  /** The gateway pair of its book. */
  pair: fixed(plainUnit<GatewayPair>('gateway pair')),
  /** The main account of the Member for whose limit it counts; -1 for an account of no Member. */
  member: fixed(units.row),
  timer: changing(units.timerId),
  releaseAt: changing(units.micros),
  /** The request that put it behind the speed bump, or put it there again. */
  cause: fixed(units.sequence),
  /** The reason of the cancel that made it immediate-or-cancel; null if there was none. */
  converted: changing(plainUnit<ConversionReason | null>('reason or null')),
  /** Requests whose reply waits for it, in the order of arrival. */
  held: fixed(listOf(units.sequence)),
  /** Its terms while it rested in the book, with which it is still listed; null for a new order (R10). */
  before: fixed(plainUnit<OrderTermsBefore | null>('terms before or null')),
}

/** An order behind the speed bump. */
export interface Bump extends RowOf<typeof bumpFields> {}

/** Number of orders that wait on a gateway pair: all of them, and those of each Member by its main account. */
interface WaitingOnGateway {
  all: number
  readonly ofMembers: Map<number, number>
}

/** Counts of waiting orders for each gateway pair that has any. */
export type WaitingCounts = Map<GatewayPair, WaitingOnGateway>

/** Adds an order that begins to wait to the counts, or removes one that stops waiting. */
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

/** A request that is complete when none of its orders waits any longer. */
export const heldRequestFields = {
  /** Number of its orders that still wait. */
  waiting: changing(units.count),
  /** The count that its `request` event will report. */
  count: changing(units.count),
}

export const heldRequestUnit = rowUnit('held request', heldRequestFields)
