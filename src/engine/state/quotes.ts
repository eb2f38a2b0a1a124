/**
 * The open quotes of groups: one of each instrument and side (trading.md 6.16).
 *
 * A quote that is to go and waits behind the speed bump as immediate-or-cancel is none any more: its side is
 * free for a new one.
 */
import { NO_SLOT } from '../../book/index.ts'
import { assert, defined, intMapGet } from '../../core/index.ts'
import type { Side } from '../../model/index.ts'
import type { Exchange } from './exchange.ts'
import type { LiveOrder } from './live-order.ts'
import type { MmpGroup } from './mmp-group.ts'

/** Which quote of a group is meant. */
export interface QuotePlace {
  readonly instrument: number
  readonly side: Side
}

/** Where the open quote of an instrument and side is, or NO_SLOT. */
export function quoteSlot(exchange: Exchange, group: MmpGroup, place: QuotePlace): number {
  const order = group.quotes.get(keyOf(place))
  return order === undefined ? NO_SLOT : intMapGet(exchange.slotOfOrder, order)
}

/** A live order is the quote of its instrument and side from now on. */
export function rememberQuote(exchange: Exchange, order: LiveOrder): void {
  const group = groupOf(exchange, order)
  assert(group !== null, 'a quote belongs to a group')
  const key = keyOf(order)
  assert(!group.quotes.has(key), 'a group has at most one quote per instrument and side')
  group.quotes.set(key, order.id)
}

/** A quote ended, or was to end; other orders are none of its business. */
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

/** The group of a quote; null for other orders. */
function groupOf(exchange: Exchange, { extras }: LiveOrder): MmpGroup | null {
  if (extras === null || extras.quote === null || extras.mmp === null) return null
  return defined(exchange.mmpGroups[extras.mmp.group - 1], 'the group of a quote exists')
}

function keyOf({ instrument, side }: QuotePlace): number {
  return instrument * 2 + (side === 'buy' ? 0 : 1)
}
