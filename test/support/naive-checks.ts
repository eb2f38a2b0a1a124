/** The refusals of the naive exchange, step by step in the order of C07. */

import type { Price9 } from '../../src/core/index.ts'
import type { Command, Refusal, RejectionReason, Side, TriggerSource } from '../../src/model/index.ts'
import { legStep } from './naive-combos.ts'
import type { NaiveMatching } from './naive-matching.ts'
import { ceilToGrid, floorToGrid } from './naive-options.ts'
import {
  bookTypeOf,
  firesOnRise,
  isInBook,
  isPriceless,
  type NaiveOrder,
  type NaiveTerms,
  PRICE_MAX,
} from './naive-orders.ts'
import { type NaiveMarket, takes } from './naive-state.ts'
import { holds } from './naive-triggers.ts'

/** 9 billion units: the largest order and the largest balance. */
export const LARGEST = 9_000_000_000_000_000_000n

/** A finding: the refusal and its step. */
export interface Found {
  readonly step: number
  readonly refusal: Refusal
}

/** All findings, in the order of the checks. */
export class Findings {
  private readonly all: Found[] = []

  add(step: number, refusal: Refusal): void {
    this.all.push({ step, refusal })
  }

  /** The finding of the earliest step; among equal steps, the first that was added. */
  get first(): Found | null {
    return [...this.all].sort((a, b) => a.step - b.step)[0] ?? null
  }
}

/** Step 8: only open books take orders; locked books still allow cancels (C22). */
export function checkState(exchange: NaiveMatching, market: NaiveMarket, cancels: boolean, found: Findings): void {
  const legs = cancels ? [] : (exchange.options.legsOf(market) ?? [])
  const closed = legs.find((leg) => leg.market.state !== 'open')?.market
  const { state } = closed ?? market
  if (state === 'open' || (cancels && state === 'locked')) return
  if (state === 'settlement') found.add(8, { reason: 'settlement_in_progress' })
  else if (state === 'locked') found.add(8, { reason: 'locked_by_admin' })
  else found.add(8, { reason: 'book_closed' })
}

/** Step 9: requests of accounts in liquidation are refused (R53). */
export function checkLocks(exchange: NaiveMatching, account: number, found: Findings): void {
  if (exchange.state.isLocked(account)) found.add(9, { reason: 'account_locked' })
}

/** Step 9: participants of the liquidity support programme may only reduce, and must set reduce-only. */
export function checkParticipant(
  exchange: NaiveMatching,
  { account, reduceOnly }: { readonly account: number; readonly reduceOnly: boolean },
  found: Findings,
): void {
  if (reduceOnly || !exchange.state.mayOnlyReduce(account)) return
  found.add(9, { reason: 'other_reject lsp_reduce_only' })
}

/** True if a book may hold a price: it is on the grid, and not below the lowest sum of the legs. */
export function isPrice(exchange: NaiveMatching, market: NaiveMarket, price: bigint): boolean {
  const legs = exchange.options.legsOf(market)
  const isAllLong = legs?.every(({ ratio }) => ratio > 0n) ?? false
  const floor = (legs ?? []).reduce((sum, leg) => sum + leg.ratio * legStep(leg.market), 0n)
  const isFree = market.spec.detail.type === 'combo' && !isAllLong
  const isEnough = isFree || (legs === null ? price > 0n : price >= floor)
  return isEnough && floorToGrid(market.spec, price) === price
}

/** Step 11: at least the minimum, at most 9 billion units; an iceberg displays enough (C25). */
export function checkSize(
  market: NaiveMarket,
  { amount, display }: { readonly amount: bigint; readonly display: bigint },
  found: Findings,
): void {
  const { minTradeLots, amountStep9 } = market.spec
  if (amount < BigInt(minTradeLots)) found.add(11, { reason: 'qty_too_low' })
  if (amount * BigInt(amountStep9) > LARGEST) found.add(11, { reason: 'invalid_amount' })
  if (display === 0n) return
  if (display < 100n * BigInt(minTradeLots) || amount - display >= 100n * display) {
    found.add(11, { reason: 'invalid_max_show_amount' })
  }
}

/** Step 12, for orders with a price. */
export function checkPrice(exchange: NaiveMatching, terms: NaiveTerms, found: Findings): void {
  if (isPriceless(terms.type)) return
  const market = exchange.state.marketOf(terms)
  if (terms.price === null) found.add(12, { reason: 'invalid_price' })
  else if (!isPrice(exchange, market, terms.price)) found.add(12, { reason: 'price_wrong_tick' })
}

/** Step 13: the trigger price or trigger distance is on the grid. */
export function checkTriggerGrid(exchange: NaiveMatching, terms: NaiveTerms, found: Findings): void {
  if (terms.trigger === null) return
  const trails = terms.type === 'trailing_stop'
  const asked = trails ? terms.trigger.offset : terms.trigger.price
  const market = exchange.state.marketOf(terms)
  const fits = asked !== null && (trails ? asked > 0n : isPrice(exchange, market, asked))
  if (!fits) found.add(13, { reason: 'trigger_price_wrong_tick' })
}

/** Step 13: the source is known, and the order must not fire at once. */
export function checkTriggerNow(
  order: { readonly type: NaiveTerms['type']; readonly side: Side; readonly at: bigint | null },
  value: bigint | null,
  found: Findings,
): void {
  if (value === null) found.add(13, { reason: 'invalid_trigger_price' })
  else if (order.at !== null && holds(order, order.at, value)) {
    const reason = firesOnRise(order) ? 'trigger_price_too_low' : 'trigger_price_too_high'
    found.add(13, { reason })
  }
}

/** The entry price of an order, after steps 12 and 14 to 16. */
export function entryPrice(exchange: NaiveMatching, market: NaiveMarket, terms: NaiveTerms, found: Findings): bigint {
  const { side, type, postOnly } = terms
  const tick = BigInt(market.spec.tick9)
  const band = exchange.options.band(market)
  let price = terms.price ?? 0n
  if (bookTypeOf(type) === 'market_limit') {
    const best = exchange.orders.bestAgainst(market, side)
    if (best === undefined) found.add(12, { reason: 'other_reject no_opposite_price' })
    price = best?.price ?? 0n
  } else if (bookTypeOf(type) === 'market') {
    const most = (PRICE_MAX / tick) * tick
    const least = market.spec.detail.type === 'combo' ? -most : 0n
    price = side === 'buy' ? (band?.max ?? most) : (band?.min ?? least)
  }
  const slid = slide(exchange, market, { side, price, postOnly })
  if (typeof slid !== 'bigint') found.add(14, slid)
  else price = slid
  checkBand(exchange, market, { side, price }, found)
  if (terms.reduceOnly) checkReduces(exchange, market, terms, found)
  return price
}

export function checkBand(
  exchange: NaiveMatching,
  market: NaiveMarket,
  order: { readonly side: Side; readonly price: bigint },
  found: Findings,
): void {
  const legs = exchange.options.legsOf(market) ?? []
  const isKnown = market.isMarked && legs.every((leg) => leg.market.isMarked)
  if (!isKnown) found.add(15, { reason: 'retry' })
  const band = exchange.options.band(market)
  if (band === undefined) return
  // Prices fit safe integers, because they were converted from them.
  if (order.side === 'buy' && order.price > band.max) {
    found.add(15, { reason: 'price_too_high', limit: Number(band.max) as Price9 })
  }
  if (order.side === 'sell' && order.price < band.min) {
    found.add(15, { reason: 'price_too_low', limit: Number(band.min) as Price9 })
  }
}

/** Step 16: a reduce-only order needs a position in the opposite direction. */
export function checkReduces(
  exchange: NaiveMatching,
  market: NaiveMarket,
  { account, side }: { readonly account: number; readonly side: Side },
  found: Findings,
): void {
  const { size } = exchange.state.position(market, account)
  if (side === 'buy' ? size < 0n : size > 0n) return
  found.add(16, { reason: 'other_reject reduce_direction' })
}

/** Step 17 for new orders, each counted on top of the previous ones; `standing` is an order that they replace. */
export function checkLimits(
  exchange: NaiveMatching,
  market: NaiveMarket,
  fresh: { readonly live: readonly NaiveTerms[]; readonly dormant: readonly NaiveTerms[] },
  found: Findings,
  standing?: NaiveOrder,
): void {
  const { live, dormant } = fresh
  const limits = exchange.state.config.openOrderLimits
  const account = live[0]?.account ?? -1
  const own = exchange.orders.of(account).filter((order) => order !== standing)
  for (const [at, terms] of live.entries()) {
    if (terms.trigger === null) checkOpenOrders(exchange, market, own, live.slice(0, at), found)
    else checkTriggers(exchange, own, live.slice(0, at + 1), terms.trigger.source, found)
  }
  for (const { trigger } of dormant) {
    if (trigger !== null) checkTriggers(exchange, own, [...live, ...dormant], trigger.source, found)
  }
  const isSpot = (order: NaiveOrder): boolean => exchange.state.marketOf(order).spec.payoff === 'spot'
  const waiting = own.filter((order) => order.stage === 'dormant' && isSpot(order) === (market.spec.payoff === 'spot'))
  if (dormant.length > 0 && waiting.length + dormant.length > limits.secondaries) {
    found.add(17, { reason: 'no_more_oto_orders', limit: limits.secondaries })
  }
}

/** The price at which a post-only order rests, or the refusal if there is no such price (C24). */
export function slide(
  exchange: NaiveMatching,
  market: NaiveMarket,
  order: { readonly side: Side; readonly price: bigint; readonly postOnly: string },
): bigint | Refusal {
  const { side, price, postOnly } = order
  const best = exchange.orders.bestAgainst(market, side)?.price
  if (postOnly === 'off' || best === undefined || !takes(side, price, best)) return price
  if (postOnly === 'reject') return { reason: 'post_only_reject' }
  const moved = side === 'buy' ? floorToGrid(market.spec, best - 1n) : ceilToGrid(market.spec, best + 1n)
  const band = exchange.options.band(market)
  const outside = band !== undefined && (side === 'buy' ? moved > band.max : moved < band.min)
  if (isPrice(exchange, market, moved) && !outside) return moved
  return { reason: 'post_only_price_modification_not_possible' }
}

/** Step 7 of edits and cancels. */
export function checkOwner(
  exchange: NaiveMatching,
  id: number,
  account: number,
  ended: 'not_open_order' | 'already_closed',
): Found | null {
  const order = exchange.orders.live.find((live) => live.id === id)
  if (order === undefined) {
    return { step: 7, refusal: { reason: exchange.orders.ended.has(id) ? ended : 'order_not_found' } }
  }
  return order.account === account ? null : { step: 7, refusal: { reason: 'not_owner_of_order' } }
}

/** Counts one more order in its book, in total and of its kind. */
function checkOpenOrders(
  exchange: NaiveMatching,
  market: NaiveMarket,
  own: readonly NaiveOrder[],
  before: readonly NaiveTerms[],
  found: Findings,
): void {
  const limits = exchange.state.config.openOrderLimits
  const { kind } = market.spec
  const open = own.filter(isInBook)
  const same = open.filter((order) => exchange.state.marketOf(order).spec.kind === kind)
  const more = before.filter(({ trigger }) => trigger === null).length
  if (open.length + more >= limits.total) {
    found.add(17, { reason: 'pme_max_total_open_orders', limit: limits.total })
  }
  if (kind === 'future' && same.length + more >= limits.future) {
    found.add(17, { reason: 'pme_max_future_open_orders', limit: limits.future })
  }
  if (kind === 'option' && same.length + more >= limits.option) {
    found.add(17, { reason: 'pme_max_option_open_orders', limit: limits.option })
  }
  if (kind === 'spot' && same.length + more >= limits.spot) {
    found.add(17, { reason: 'max_spot_open_orders', limit: limits.spot })
  }
}

/** Counts trigger orders of one source, including secondaries of that kind. */
function checkTriggers(
  exchange: NaiveMatching,
  own: readonly NaiveOrder[],
  fresh: readonly NaiveTerms[],
  source: TriggerSource,
  found: Findings,
): void {
  const { triggers } = exchange.state.config.openOrderLimits
  const waiting = own.filter((order) => !isInBook(order) && order.trigger?.source === source)
  const more = fresh.filter(({ trigger }) => trigger?.source === source)
  if (waiting.length + more.length > triggers) {
    found.add(17, { reason: 'no_more_triggers', limit: triggers })
  }
}

/** The earlier of the reader's fault and the engine's finding; the reader's if both have the same step (C07). */
export function first(fault: Command['fault'], found: Found | null): Refusal | null {
  if (fault === null) return found?.refusal ?? null
  return found !== null && found.step < fault.step ? found.refusal : fault.refusal
}

/** The reason in the event of an order that the engine itself places or moves later (C19). */
export function wordOf({ reason }: Refusal): RejectionReason {
  switch (reason) {
    case 'settlement_in_progress':
    case 'locked_by_admin':
    case 'book_closed':
      return 'book_closed'
    case 'post_only_reject':
    case 'post_only_price_modification_not_possible':
      return 'post_only'
    case 'retry':
      return 'no_mark_price'
    case 'other_reject reduce_direction':
    case 'other_reject lsp_reduce_only':
      return 'reduce_direction'
    case 'other_reject no_opposite_price':
      return 'no_opposite_price'
    case 'pme_max_total_open_orders':
    case 'pme_max_future_open_orders':
    case 'pme_max_option_open_orders':
    case 'max_spot_open_orders':
    case 'no_more_triggers':
      return 'max_open_orders'
    case 'not_enough_funds':
    case 'not_enough_funds_in_currency':
      return 'not_enough_funds'
    case 'order_overlap':
    case 'price_too_high':
    case 'price_too_low':
    case 'trigger_price_too_high':
    case 'trigger_price_too_low':
    case 'invalid_trigger_price':
      return reason
    default:
      throw new Error(`an order of the engine is not refused for ${reason}`)
  }
}
