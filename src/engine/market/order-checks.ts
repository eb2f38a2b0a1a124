/**
 * Checks that placing and editing share: book state, size, post-only, price band, reduce-only, number of open orders,
 * self-match. They only read.
 * Source: trading.md 6.4 (C22), 6.5 (C23, R05), 6.6 (C24), 6.7, 6.8 (C26), 6.9 (C27), 6.17 (C36).
 */
import { bestPrice, wouldTake } from '../../book/index.ts'
import { defined, type Lots, lots, price9, type Ticks, ticks } from '../../core/index.ts'
import {
  type InstrumentState,
  nextTickAbove,
  nextTickBelow,
  opposite,
  type PostOnly,
  productOf,
  type Refusal,
  type Side,
  sizeReason,
} from '../../model/index.ts'
import {
  type AccountRow,
  type AccountStanding,
  type Exchange,
  findHolding,
  fitsLegs,
  type InstrumentRow,
  mayOnlyReduce,
  reducible,
} from '../state/index.ts'
import { bandOf, lowestComboPrice } from '../value/index.ts'
import { type Entry, wouldMeetOwn } from './dry-run.ts'

/** A value, or the reason why there is no value. */
export type Valued<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: Refusal }

/** Largest order in 1e-9 of the amount unit. */
const AMOUNT9_MAX = 9_000_000_000_000_000_000
/**
 * An iceberg's visible size is at least 100 times the minimum order; its hidden size is less than 100 times the visible
 * size.
 */
const ICEBERG_MINIMA = 100
const ICEBERG_PARTS = 100

/**
 * The reason why a book accepts no orders now, or null (C22). Assumed: the book of a combo accepts none if the book of
 * a leg does not.
 */
export function stateRefusal(row: InstrumentRow): Refusal | null {
  for (const leg of row.legs) {
    if (leg.row.state !== 'open') return closedBy(leg.row.state)
  }
  return closedBy(row.state)
}

function closedBy(state: InstrumentState): Refusal | null {
  switch (state) {
    case 'open':
      return null
    case 'settlement':
      return { reason: 'settlement_in_progress' }
    case 'locked':
      return { reason: 'locked_by_admin' }
    case 'inactive':
    case 'delivered':
    case 'halted':
      return { reason: 'book_closed' }
  }
}

/** Rule: liquidation.lock. An account in liquidation cannot place, edit or cancel orders (R53). */
export function lockRefusal(exchange: Exchange, account: number): Refusal | null {
  // A request without authorization belongs to no account; it fails at an earlier step.
  const liquidations = exchange.accounts[account]?.liquidations.length ?? 0
  return liquidations === 0 ? null : { reason: 'account_locked' }
}

/**
 * Rule: order.valid-until. True if matching may no longer begin: at the given time it is already too late (S220, S296).
 */
export function isTooLate(now: number, validUntil: number | null): boolean {
  return validUntil !== null && now >= validUntil
}

/**
 * Rule: account.lock. One check covers products that the owner disabled, locks by staff, and accounts that may only
 * reduce positions; `row` is null for a request about several instruments. An account under a lock of portfolio margin
 * can do nothing. Under a lock of positions it can only reduce them, and spot has no positions to reduce (R52).
 */
export function accountRefusal(
  exchange: Exchange,
  account: number,
  reduceOnly: boolean,
  row: InstrumentRow | null,
): Refusal | null {
  const standing = exchange.accounts[account]?.standing
  if (row !== null && standing !== undefined) {
    const disabled = productRefusal(standing, row)
    if (disabled !== null) return disabled
  }
  const locks = standing?.locks
  if (locks !== undefined && locks.size > 0) {
    if (locks.has('portfolio_margin')) return { reason: 'locked_by_admin' }
    if (row?.instrument.kind === 'spot') return { reason: 'disabled_while_position_lock' }
    if (!reduceOnly) return { reason: 'account_locked' }
  }
  return participantRefusal(exchange, account, reduceOnly)
}

/**
 * Rule: account.products. Orders of a product that the owner disabled cannot be placed or edited. Assumed: reduce-only
 * orders are refused too, since the venue names no exception. Resting orders stay, and cancels are accepted.
 */
export function productRefusal(
  { disabledProducts }: Pick<AccountStanding, 'disabledProducts'>,
  row: InstrumentRow,
): Refusal | null {
  if (disabledProducts.size === 0) return null
  return disabledProducts.has(productOf(row.instrument)) ? { reason: 'permission_denied' } : null
}

/**
 * Rule: lsp.reduce-only. A participant of the liquidity support programme may only reduce the positions assigned to it,
 * and its orders must be reduce-only. Assumed: an order of the right size and side without `reduce_only` is refused
 * too, because a later fill of another order could let it open a position.
 */
function participantRefusal(exchange: Exchange, account: number, reduceOnly: boolean): Refusal | null {
  if (reduceOnly || exchange.participants.size === 0) return null
  return mayOnlyReduce(exchange, account) ? { reason: 'other_reject lsp_reduce_only' } : null
}

/**
 * True if an order of an instrument may have a price in ticks, without regard to the band: the price must be above
 * zero. Prices of combos are differences, and may be zero or negative, except for combos that are long all their legs:
 * these cost at least one tick for each leg.
 */
export function mayBePrice({ instrument, legs }: InstrumentRow, price: number): boolean {
  if (instrument.detail.type !== 'combo') return price > 0
  return price * instrument.tick9 >= lowestComboPrice(legs)
}

/** An order has at least the instrument's minimum size, and at most the size that a table can show. */
export function sizeRefusal(row: InstrumentRow, lots: number): Refusal | null {
  const reason = sizeReason(row.instrument, lots)
  if (reason !== null) return { reason }
  // Tables store amounts in 1e-9 as 64-bit integers: 9 billion units.
  if (lots * row.instrument.amountStep9 > AMOUNT9_MAX) return { reason: 'invalid_amount' }
  if (row.legs.length > 0 && !fitsLegs(row)) return { reason: 'invalid_amount' }
  return null
}

/**
 * Rule: order.post-only. A post-only order that would take moves to the nearest price inside the spread, or is refused.
 * It is also refused if there is no price inside the spread, or if the band forbids that price (C24).
 */
export function postOnlyPrice(row: InstrumentRow, side: Side, price: Ticks, postOnly: PostOnly): Valued<Ticks> {
  if (postOnly === 'off' || !wouldTake(row.book, side, price)) return { ok: true, value: price }
  if (postOnly === 'reject') return { ok: false, refusal: { reason: 'post_only_reject' } }
  const met = bestPrice(row.book, opposite(side))
  const best = ticks(defined(met, 'an order that would take has an opposite price'))
  const moved = side === 'buy' ? nextTickBelow(row.instrument, best) : nextTickAbove(row.instrument, best)
  const { min: bandMin, max: bandMax } = bandOf(row)
  const outside = row.hasBand && (side === 'buy' ? moved > bandMax : moved < bandMin)
  if (mayBePrice(row, moved) && !outside) return { ok: true, value: moved }
  return { ok: false, refusal: { reason: 'post_only_price_modification_not_possible' } }
}

/**
 * Rule: order.price-band. Buys above the band's maximum and sells below its minimum are refused, and the refusal names
 * the limit (C23, R05).
 */
export function bandRefusal(exchange: Exchange, row: InstrumentRow, side: Side, price: Ticks): Refusal | null {
  if (!exchange.config.priceBands || !row.hasBand) return null
  const { tick9 } = row.instrument
  const { min: bandMin, max: bandMax } = bandOf(row)
  if (side === 'buy' && price > bandMax) {
    return { reason: 'price_too_high', limit: price9(bandMax * tick9) }
  }
  if (side === 'sell' && price < bandMin) {
    return { reason: 'price_too_low', limit: price9(bandMin * tick9) }
  }
  return null
}

/**
 * Rule: order.iceberg-size. The visible size of an iceberg is large enough, and not too small a part of the whole
 * (6.7).
 */
export function icebergRefusal(row: InstrumentRow, lots: number, display: number): Refusal | null {
  if (display === 0 || display >= lots) return null
  const isShownEnough = display >= ICEBERG_MINIMA * row.instrument.minTradeLots
  if (isShownEnough && lots - display < ICEBERG_PARTS * display) return null
  return { reason: 'invalid_max_show_amount' }
}

/** Visible size of an iceberg order; 0 if it would show its whole size. */
export function displayOf(orderLots: number, display: number): Lots {
  return lots(display >= orderLots ? 0 : display)
}

/** A reduce-only order needs a position that it can reduce (C26). */
export function reduceOnlyRefusal(exchange: Exchange, row: InstrumentRow, account: number, side: Side): Refusal | null {
  const owner = findHolding(exchange, account, row)
  if (owner !== undefined && reducible(exchange, owner.holding, side) > 0) return null
  return { reason: 'other_reject reduce_direction' }
}

/** Rule: order.open-limit. Limits on the number of live orders of an account, counting `orders` new ones (C36). */
export function limitRefusal(
  exchange: Exchange,
  owner: AccountRow,
  row: InstrumentRow,
  orders: number,
): Refusal | null {
  const limits = exchange.config.openOrderLimits
  if (orders === 0) return null
  if (owner.openTotal + orders > limits.total) {
    return { reason: 'pme_max_total_open_orders', limit: limits.total }
  }
  const { kind } = row.instrument
  if (kind === 'future' && owner.openFuture + orders > limits.future) {
    return { reason: 'pme_max_future_open_orders', limit: limits.future }
  }
  if (kind === 'option' && owner.openOption + orders > limits.option) {
    return { reason: 'pme_max_option_open_orders', limit: limits.option }
  }
  if (kind === 'spot' && owner.openSpot + orders > limits.spot) {
    return { reason: 'max_spot_open_orders', limit: limits.spot }
  }
  return null
}

/**
 * Rule: order.self-match. With `reject_taker` the venue refuses an order that would reach an order of the same account
 * (C27).
 */
export function selfMatchRefusal(exchange: Exchange, entry: Entry): Refusal | null {
  return wouldMeetOwn(exchange, entry) ? { reason: 'order_overlap' } : null
}
