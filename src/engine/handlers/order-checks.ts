/**
 * Checks that placing and editing share: book state, post-only, price band, number of open orders,
 * self-match. They read only.
 * Source: trading.md 6.4 (C22), 6.5 (C23, R05), 6.6 (C24), 6.9 (C27), 6.17 (C36).
 */
import { bestPrice, NO_SLOT, ownerOf, visitOffers, wouldTake } from '../../book/index.ts'
import { defined, price9, type Ticks, ticks } from '../../core/index.ts'
import { readExposure } from '../../margin/index.ts'
import {
  accepts,
  NO_ACCOUNT,
  nextTickAbove,
  nextTickBelow,
  opposite,
  type PostOnly,
  type Refusal,
  type Side,
} from '../../model/index.ts'

import type { AccountRow, Exchange, InstrumentRow } from '../state/exchange.ts'
import { findHolding } from '../state/holdings.ts'

/** An order about to be admitted or changed. */
export interface Entry {
  readonly row: InstrumentRow
  readonly account: number
  readonly side: Side
  readonly price: Ticks
  /** Whether that price is a limit of its own; a market order without a band has none. */
  readonly bounded: boolean
  readonly lots: number
  /** What open orders already count for it: an edit's old remainder at its old price. */
  readonly replaces: { readonly lots: number; readonly price: number } | null
}

/** What a taker meets: a resting order, or a recorded level, which belongs to no account. */
export interface Offer {
  readonly price: number
  readonly lots: number
  readonly owner: number
}

/** A value, or why there is none. */
export type Valued<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: Refusal }

/** Largest order in 1e-9 of the amount unit. */
const AMOUNT9_MAX = 9_000_000_000_000_000_000

/** Why a book takes no orders now (C22). */
export function stateRefusal(row: InstrumentRow): Refusal | null {
  switch (row.state) {
    case 'open':
      return null
    case 'settlement':
      return { reason: 'settlement_in_progress' }
    case 'locked':
      return { reason: 'locked_by_admin' }
    default:
      return { reason: 'book_closed' }
  }
}

/**
 * Whether the engine trades this sort of instrument yet: futures, perpetuals and spot. Options and
 * combos can be listed, but their premiums, margins and legs are not computed, so orders and
 * positions are refused rather than booked wrongly.
 */
export function isTraded(row: InstrumentRow): boolean {
  return row.instrument.kind === 'future' || row.instrument.kind === 'spot'
}

/** An order is at least the instrument's minimum, and at most what a table can show. */
export function sizeRefusal(row: InstrumentRow, lots: number): Refusal | null {
  if (lots < row.instrument.minTradeLots) return { reason: 'qty_too_low' }
  // Amounts are counted in 1e-9 as 64-bit integers by the tables: 9 billion units.
  if (lots * row.instrument.amountStep9 > AMOUNT9_MAX) return { reason: 'invalid_amount' }
  return null
}

/**
 * Rule: order.post-only. A post-only order that would take moves to the nearest price inside the
 * spread, or is refused, also where no price is left there or the band forbids it (C24).
 */
export function postOnlyPrice(
  row: InstrumentRow,
  order: { readonly side: Side; readonly price: Ticks; readonly postOnly: PostOnly },
): Valued<Ticks> {
  const { side, price, postOnly } = order
  if (postOnly === 'off' || !wouldTake(row.book, side, price)) return { ok: true, value: price }
  if (postOnly === 'reject') return { ok: false, refusal: { reason: 'post_only_reject' } }
  const met = bestPrice(row.book, opposite(side))
  const best = ticks(defined(met, 'an order that would take meets a price'))
  const moved =
    side === 'buy' ? nextTickBelow(row.instrument, best) : nextTickAbove(row.instrument, best)
  const outside = row.bandMax > 0 && (side === 'buy' ? moved > row.bandMax : moved < row.bandMin)
  if (moved > 0 && !outside) return { ok: true, value: moved }
  return { ok: false, refusal: { reason: 'post_only_price_modification_not_possible' } }
}

/**
 * Rule: order.price-band. Buys above the band's maximum and sells below its minimum are refused with
 * the limit (C23, R05).
 */
export function bandRefusal(
  exchange: Exchange,
  row: InstrumentRow,
  order: { readonly side: Side; readonly price: Ticks },
): Refusal | null {
  if (!exchange.config.priceBands || row.bandMax === 0) return null
  const { tick9 } = row.instrument
  if (order.side === 'buy' && order.price > row.bandMax) {
    return { reason: 'price_too_high', limit: price9(row.bandMax * tick9) }
  }
  if (order.side === 'sell' && order.price < row.bandMin) {
    return { reason: 'price_too_low', limit: price9(row.bandMin * tick9) }
  }
  return null
}

/** Rule: order.open-limit. Limits on the number of open orders of an account (C36). */
export function limitRefusal(
  exchange: Exchange,
  owner: AccountRow,
  row: InstrumentRow,
): Refusal | null {
  const limits = exchange.config.openOrderLimits
  if (owner.openTotal >= limits.total) {
    return { reason: 'pme_max_total_open_orders', limit: limits.total }
  }
  const { kind } = row.instrument
  if (kind === 'future' && owner.openFuture >= limits.future) {
    return { reason: 'pme_max_future_open_orders', limit: limits.future }
  }
  if (kind === 'option' && owner.openOption >= limits.option) {
    return { reason: 'pme_max_option_open_orders', limit: limits.option }
  }
  if (kind === 'spot' && owner.openSpot >= limits.spot) {
    return { reason: 'max_spot_open_orders', limit: limits.spot }
  }
  return null
}

/**
 * Rule: order.self-match. With `reject_taker` an order that would reach one of its own account is
 * refused before any fill (C27).
 */
export function selfMatchRefusal(exchange: Exchange, entry: Entry): Refusal | null {
  if (exchange.config.selfMatch !== 'reject_taker') return null
  const owner = findHolding(exchange, entry.account, entry.row)
  if (owner === undefined) return null
  const { buys, sells } = readExposure(exchange.margin, owner.holding)
  // Most orders meet none of their own, and then no walk is needed.
  if ((entry.side === 'buy' ? sells : buys) === 0) return null
  let refused = false
  let left = entry.lots
  visitReachable(exchange, entry, ({ owner: maker, lots }) => {
    refused = maker === entry.account
    left -= lots
    return !refused && left > 0
  })
  return refused ? { reason: 'order_overlap' } : null
}

/** Whether the book can fill the whole order, its own account's orders aside (C21). */
export function canFill(exchange: Exchange, entry: Entry): boolean {
  let left = entry.lots
  visitReachable(exchange, entry, ({ owner, lots }) => {
    const own = exchange.config.selfMatch !== 'off' && owner === entry.account
    if (!own) left -= lots
    return left > 0
  })
  return left <= 0
}

/** Walks what the entry's price reaches, in match order, while `visit` says so. */
export function visitReachable(
  exchange: Exchange,
  entry: Entry,
  visit: (offer: Offer) => boolean,
): void {
  const { slots } = exchange
  visitOffers(entry.row.book, opposite(entry.side), ({ price, lots, slot }) => {
    if (!accepts(entry.side, entry.price, price)) return false
    return visit({ price, lots, owner: slot === NO_SLOT ? NO_ACCOUNT : ownerOf(slots, slot) })
  })
}
