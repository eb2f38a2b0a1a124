/**
 * The open quotes of groups: one for each instrument and side (trading.md 6.16).
 *
 * A cancelled quote that waits behind the speed bump as immediate-or-cancel is no longer an open quote: a new quote may
 * take its side.
 */
import { NO_SLOT } from '../../book/index.ts'
import { assert, defined, intMapGet } from '../../core/index.ts'
import type { Side } from '../../model/index.ts'
import type { Exchange } from './exchange.ts'
import type { LiveOrder } from './live-order.ts'
import type { MmpGroup } from './mmp-group.ts'

/** The instrument and side that identify a quote of a group. */
export interface QuotePlace {
  readonly instrument: number
  readonly side: Side
}

/** The slot of the open quote of an instrument and side, or NO_SLOT. */
export function quoteSlot(exchange: Exchange, group: MmpGroup, place: QuotePlace): number {
  const order = group.quotes.get(keyOf(place))
  return order === undefined ? NO_SLOT : intMapGet(exchange.slotOfOrder, order)
}

/** Records a live order as the open quote of its instrument and side. */
export function rememberQuote(exchange: Exchange, order: LiveOrder): void {
  const group = groupOf(exchange, order)
  assert(group !== null, 'a quote belongs to a group')
  const key = keyOf(order)
  assert(!group.quotes.has(key), 'a group has at most one quote per instrument and side')
  group.quotes.set(key, order.id)
}

/** Removes a quote that ended or is about to end. Does nothing for other orders. */
export function forgetQuote(exchange: Exchange, order: LiveOrder): void {
  const group = groupOf(exchange, order)
  if (group === null) return
  const key = keyOf(order)
  if (group.quotes.get(key) === order.id) group.quotes.delete(key)
}

/** True if a live order is the open quote of its instrument and side. */
export function isOpenQuote(exchange: Exchange, order: LiveOrder): boolean {
  return groupOf(exchange, order)?.quotes.get(keyOf(order)) === order.id
}

function groupOf(exchange: Exchange, { extras }: LiveOrder): MmpGroup | null {
  if (extras === null || extras.quote === null || extras.mmp === null) return null
  return defined(exchange.mmpGroups[extras.mmp.group - 1], 'the group of a quote exists')
}

function keyOf({ instrument, side }: QuotePlace): number {
  return instrument * 2 + (side === 'buy' ? 0 : 1)
}
