/**
 * Placing an order: the checks in the order of C07, then admission and matching.
 *
 * The plan fixes the price the order is admitted at (post-only may move it, market types take it
 * from the band or the book) and whether a fill-or-kill fills; the list of fills is what the book
 * gives. Source: trading.md 4.1, 6.2, 6.3, C07, C20, C21.
 */
import { bestPrice } from '../../book/index.ts'
import { divFloor, type Ticks, ticks } from '../../core/index.ts'
import {
  isOnGrid,
  makeOrderId,
  opposite,
  type PlaceOrder,
  validationStep,
} from '../../model/index.ts'
import { emitOrder, type Turn } from '../emit.ts'
import { matchOrder, settleTaker } from '../matching/match.ts'
import type { Exchange, InstrumentRow } from '../state/exchange.ts'
import { holdingFor } from '../state/holdings.ts'
import type { LiveOrder } from '../state/order-records.ts'
import { accountRow, openOrder } from '../state/orders.ts'
import { pass, refuse, type Verdict } from '../verdict.ts'
import { fundsRefusal } from './funds.ts'
import {
  bandRefusal,
  canFill,
  type Entry,
  isTraded,
  limitRefusal,
  postOnlyPrice,
  selfMatchRefusal,
  sizeRefusal,
  stateRefusal,
  type Valued,
} from './order-checks.ts'

/** What an admitted order starts from. */
export interface PlacePlan {
  readonly row: InstrumentRow
  readonly account: number
  /** Limit price after post-only and market rules. */
  readonly price: Ticks
  /** A fill-or-kill that cannot fill ends at once. */
  readonly fills: boolean
}

/** The highest price there is (`Price9`), for market buys where bands are off. */
const PRICE9_MAX = 9_007_199_000_000_000

/** Checks a placement; reads only. */
export function checkPlace(exchange: Exchange, command: PlaceOrder): Verdict<PlacePlan> {
  const { validUntil, side, account } = command
  const step = validationStep
  if (validUntil !== null && exchange.now >= validUntil) {
    return refuse(step.validUntil, { reason: 'timed_out' })
  }
  const row = exchange.instruments[command.instrument]
  if (row === undefined) return refuse(step.instrument, { reason: 'not_found' })
  const closed = stateRefusal(row)
  if (closed !== null) return refuse(step.bookState, closed)
  if (!isTraded(row) || command.reduceOnly) {
    return refuse(step.argumentCombination, { reason: 'not_implemented' })
  }
  const size = sizeRefusal(row, command.amount)
  if (size !== null) return refuse(step.amount, size)
  const entered = entryPrice(row, command)
  if (!entered.ok) return refuse(step.price, entered.refusal)
  const adjusted = postOnlyPrice(row, { side, price: entered.value, postOnly: command.postOnly })
  if (!adjusted.ok) return refuse(step.postOnly, adjusted.refusal)
  const price = adjusted.value
  const outside = row.mark === 0 ? noMark : bandRefusal(exchange, row, { side, price })
  if (outside !== null) return refuse(step.priceBand, outside)
  const limit = limitRefusal(exchange, accountRow(exchange, account), row)
  if (limit !== null) return refuse(step.openOrderLimits, limit)
  const bounded = command.type !== 'market' || row.bandMax > 0
  const entry: Entry = { row, account, side, price, bounded, lots: command.amount, replaces: null }
  const funds = fundsRefusal(exchange, entry)
  if (funds !== null) return refuse(step.margin, funds)
  const overlap = selfMatchRefusal(exchange, entry)
  if (overlap !== null) return refuse(step.selfMatch, overlap)
  const fills = command.timeInForce !== 'fill_or_kill' || canFill(exchange, entry)
  return pass({ row, account, price, fills })
}

/** Admits the order and matches it. */
export function commitPlace(turn: Turn, command: PlaceOrder, plan: PlacePlan): number {
  const { exchange } = turn
  const { row, account, price } = plan
  const number = (exchange.orderNumbers[row.settlement] as number) + 1
  exchange.orderNumbers[row.settlement] = number
  const order: LiveOrder = {
    id: makeOrderId(row.settlement, number),
    instrument: row.instrument.id,
    side: command.side,
    type: command.type,
    timeInForce: command.timeInForce,
    label: command.label,
    postOnly: command.postOnly,
    reduceOnly: command.reduceOnly,
    amount: command.amount,
    replaced: false,
    created: turn.cause,
    holding: holdingFor(exchange, account, row).holding,
    fills: null,
  }
  const live = { account, price, remaining: command.amount, createdAt: exchange.now }
  const slot = openOrder(exchange, order, live)
  emitOrder(turn, row, slot, { kind: 'order_opened', state: 'open', rested: false, reason: null })
  if (plan.fills) matchOrder(turn, row, slot)
  settleTaker(turn, row, { slot, amountBefore: command.amount, placed: true })
  return 1
}

/** Without a mark there is neither band nor margin (C20, C23: 10040). */
const noMark = { reason: 'retry' } as const

/**
 * Rule: order.market-price. A limit order enters with its own price, a market order with the band's
 * limit, a market-limit order with the best opposite price (C20).
 */
function entryPrice(row: InstrumentRow, command: PlaceOrder): Valued<Ticks> {
  const { type, price, side } = command
  if (type === 'limit') {
    if (price === null) return { ok: false, refusal: { reason: 'invalid_price' } }
    if (price > 0 && isOnGrid(row.instrument, price)) return { ok: true, value: price }
    return { ok: false, refusal: { reason: 'price_wrong_tick' } }
  }
  if (type === 'market_limit') {
    const best = bestPrice(row.book, opposite(side))
    if (best !== undefined) return { ok: true, value: ticks(best) }
    return { ok: false, refusal: { reason: 'other_reject no_opposite_price' } }
  }
  if (row.bandMax > 0) return { ok: true, value: side === 'buy' ? row.bandMax : row.bandMin }
  const highest = divFloor(PRICE9_MAX, row.instrument.tick9)
  return { ok: true, value: ticks(side === 'buy' ? highest : 0) }
}
