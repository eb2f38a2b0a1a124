/**
 * Pages of ended orders: the recent ones, the order of the list, and the continuation of a page.
 *
 * Lists are sorted newest first, by the millisecond of the last change and then by creation. A continuation names the
 * last order of a page, `<milliseconds>.<order id>`, or is `none` at the end of the list.
 * Source: trading.md 4.8 (C15), sample of a trigger history; market.md 3.6 (`none`).
 */

import { type Micros, millisOf, type OrderId } from '../../../../core/index.ts'
import { timeOf } from '../../../../engine/index.ts'
import { type Fault, numberOfId, type OrderChanged } from '../../../../model/index.ts'
import { orderIdIn, orderIdOut } from '../../../wire/index.ts'
import type { ReadContext } from '../../method.ts'
import { paramFault } from '../../params.ts'
import { listedInstrument } from '../order-reports.ts'

/** 30 minutes: ended orders count as recent for this time (C15). */
const RECENT_MICROS = 1_800_000_000

const TOKEN = /^([0-9]{1,15})\.(.+)$/

/** The part of a list that a request asks for. */
export interface PageRange {
  readonly count: number
  readonly offset: number
  readonly continuation?: string | undefined
}

/** A page of a list, with a continuation. */
export interface Page {
  readonly orders: readonly OrderChanged[]
  readonly continuation: string
}

/** True if a time is within the recent 30 minutes. */
export function isRecent({ exchange }: ReadContext, time: Micros): boolean {
  return time > timeOf(exchange) - RECENT_MICROS
}

/** The fault of a text that is not a continuation. */
export function continuationFault(token: string | undefined): Fault | null {
  if (token === undefined || placeOf(token) !== undefined) return null
  return paramFault('continuation', 'invalid')
}

/** The orders newest first. */
export function newestFirst(orders: readonly OrderChanged[]): readonly OrderChanged[] {
  return orders.toSorted(
    (a, b) =>
      millisOf(b.time) - millisOf(a.time) ||
      b.createdAt - a.createdAt ||
      numberOfId(b.order) - numberOfId(a.order) ||
      b.order - a.order,
  )
}

/** A page of a list that is sorted newest first. */
export function pageNewestFirst(context: ReadContext, orders: readonly OrderChanged[], range: PageRange): Page {
  const start = startOf(orders, range.continuation) + range.offset
  const page = orders.slice(start, start + range.count)
  const last = page.at(-1)
  if (last === undefined || start + page.length >= orders.length) {
    return { orders: page, continuation: 'none' }
  }
  const id = orderIdOut(listedInstrument(context, last.instrument), last.order)
  return { orders: page, continuation: `${millisOf(last.time)}.${id}` }
}

/** The position after the order that a continuation names, or after its time if the order was dropped. */
function startOf(orders: readonly OrderChanged[], token: string | undefined): number {
  const place = token === undefined ? undefined : placeOf(token)
  if (place === undefined) return 0
  const named = orders.findIndex(({ order }) => order === place.order)
  if (named >= 0) return named + 1
  const older = orders.findIndex(({ time }) => millisOf(time) < place.millis)
  return older >= 0 ? older : orders.length
}

function placeOf(token: string): { readonly millis: number; readonly order: OrderId } | undefined {
  const [, millis, id = ''] = TOKEN.exec(token) ?? []
  const order = orderIdIn(id)
  return millis === undefined || order === undefined ? undefined : { millis: Number(millis), order }
}
