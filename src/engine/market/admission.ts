/**
 * Whether an order may enter a book now, or wait for a price: the checks of steps 8 to 20 of C07 for
 * placements, for trigger orders that fire, and for secondaries whose turn comes. They read only.
 *
 * Source: trading.md 6.2 (C20), 6.13 (C31), 4.1 (C09), C07.
 */
import { bestPrice, firesAt, NO_SLOT } from '../../book/index.ts'
import { type Price9, price9, type Ticks, ticks } from '../../core/index.ts'
import {
  entryTypeOf,
  isOnGrid,
  isTriggerType,
  NO_ORDER,
  type OrderTerms,
  type OrderType,
  opposite,
  type PlacementExtras,
  type Side,
  type TriggerTerms,
  validationStep,
} from '../../model/index.ts'
import {
  accountRow,
  type Exchange,
  endOfPrices,
  findHolding,
  type InstrumentRow,
  isMarked,
  isSourceKnown,
  type LiveOrder,
  pass,
  refuse,
  sourcePrice,
  type Verdict,
} from '../state/index.ts'
import { advancedRefusal, advancedTicks } from '../value/index.ts'
import type { Entry } from './dry-run.ts'
import { fundsRefusal } from './funds.ts'
import { mmpRefusal } from './mmp-checks.ts'
import {
  accountRefusal,
  bandRefusal,
  icebergRefusal,
  limitRefusal,
  mayBePrice,
  postOnlyPrice,
  reduceOnlyRefusal,
  selfMatchRefusal,
  sizeRefusal,
  stateRefusal,
  type Valued,
} from './order-checks.ts'
import { allocation } from './reduce-only.ts'
import { riskRefusal } from './risk-limits.ts'
import { bumpRefusal } from './waiting.ts'

/** An order that asks to be admitted. */
export interface Asked {
  readonly row: InstrumentRow
  readonly account: number
  readonly terms: OrderTerms
  readonly display: number
  /** The order that it comes from, where that has links. */
  readonly linked: LiveOrder | null
  /** What enters just before it, as the first of a pair. */
  readonly after: OrderTerms | null
  /** Whether it is a part of a larger order, which may be as small as a lot (C32e). */
  readonly isPart: boolean
  /** The session that it came over. */
  readonly session: number
  readonly extras: PlacementExtras | null
}

const step = validationStep

/** Without a mark there is neither band nor margin (C20, C23: 10040). */
export const noMark = { reason: 'retry' } as const

/** Checks an order that enters a book now. */
export function checkEntry(exchange: Exchange, asked: Asked): Verdict<Entry> {
  const found = checkTerms(exchange, asked)
  if (!found.ok) return found
  const entry = found.plan
  const funds = fundsRefusal(exchange, entry, null)
  if (funds !== null) return refuse(step.margin, funds)
  const overlap = selfMatchRefusal(exchange, entry)
  if (overlap !== null) return refuse(step.selfMatch, overlap)
  const waiting = bumpRefusal(exchange, entry, false)
  return waiting === null ? found : refuse(step.speedBump, waiting)
}

/** The steps before margin: what the order is, and what its book and its account allow. */
export function checkTerms(exchange: Exchange, asked: Asked): Verdict<Entry> {
  const { row, account, terms } = asked
  const { side, reduceOnly } = terms
  const standing = checkStanding(exchange, asked)
  if (!standing.ok) return standing
  const entered = entryPrice(exchange, row, terms)
  if (!entered.ok) return refuse(step.price, entered.refusal)
  const adjusted = postOnlyPrice(row, { side, price: entered.value, postOnly: terms.postOnly })
  if (!adjusted.ok) return refuse(step.postOnly, adjusted.refusal)
  const price = adjusted.value
  const outside = !isMarked(row) ? noMark : bandRefusal(exchange, row, { side, price })
  if (outside !== null) return refuse(step.priceBand, outside)
  if (reduceOnly) {
    const opens = reduceOnlyRefusal(exchange, row, { account, side })
    if (opens !== null) return refuse(step.reduceOnly, opens)
  }
  const orders = asked.after === null || isTriggerType(asked.after.type) ? 1 : 2
  const limit = limitRefusal(exchange, accountRow(exchange, account), { row, orders })
  if (limit !== null) return refuse(step.openOrderLimits, limit)
  if (row.instrument.engine === 'alt') {
    const large = { row, account, side, lots: terms.amount, from: NO_SLOT }
    const risk = riskRefusal(exchange, large)
    if (risk !== null) return refuse(step.openOrderLimits, risk)
  }
  const { extras, session } = asked
  if (extras !== null) {
    const order = { row, account, session, extras, side, price, lots: terms.amount }
    const guarded = mmpRefusal(exchange, order)
    if (guarded !== null) return refuse(step.mmp, guarded)
  }
  return pass({
    row,
    account,
    side,
    price,
    bounded: entryTypeOf(terms.type) !== 'market' || row.hasBand,
    lots: reduceOnly ? allocated(exchange, asked, price) : terms.amount,
    reduceOnly,
    replaces: null,
    linked: asked.linked,
    from: NO_SLOT,
  })
}

/**
 * Checks an order that waits for a price: nothing is held for it, and the rest is seen when it fires. What
 * a secondary becomes takes its place among the trigger orders, so that it is counted already.
 */
export function checkWaiting(exchange: Exchange, asked: Asked, isCounted: boolean): Verdict<null> {
  const { row, account, terms } = asked
  const standing = checkStanding(exchange, asked)
  if (!standing.ok) return standing
  const shape = checkShape(exchange, row, terms)
  if (!shape.ok) return shape
  const { trigger } = terms
  if (trigger === null) return refuse(step.triggerPrice, { reason: 'invalid_trigger_price' })
  const fires = firingRefusal(row, terms, trigger)
  if (fires !== null) return refuse(step.triggerPrice, fires)
  const { openTriggers } = accountRow(exchange, account)
  const { triggers: limit } = exchange.config.openOrderLimits
  const before = asked.after?.trigger?.source === trigger.source ? 1 : 0
  if (isCounted || openTriggers[trigger.source] + before < limit) return pass(null)
  return refuse(step.openOrderLimits, { reason: 'no_more_triggers', limit })
}

/** The size, price and trigger of an order as they stand by themselves: of one that comes later. */
export function checkDormant(
  exchange: Exchange,
  row: InstrumentRow,
  terms: OrderTerms,
): Verdict<null> {
  const size = sizeRefusal(row, terms.amount)
  return size === null ? checkShape(exchange, row, terms) : refuse(step.amount, size)
}

/** The book takes orders, the account may place them, and the sizes are such. */
function checkStanding(
  exchange: Exchange,
  { row, account, terms, display, isPart }: Asked,
): Verdict<null> {
  const closed = stateRefusal(row)
  if (closed !== null) return refuse(step.bookState, closed)
  const barred = accountRefusal(exchange, account, { reduceOnly: terms.reduceOnly, row })
  if (barred !== null) return refuse(step.accountLocks, barred)
  const { advanced } = terms
  const late = advanced === null ? null : advancedRefusal(exchange, row, advanced)
  if (late !== null) return refuse(step.argumentCombination, late)
  if (isPart) return standing
  const size =
    sizeRefusal(row, terms.amount) ?? icebergRefusal(row, { lots: terms.amount, display })
  return size === null ? standing : refuse(step.amount, size)
}

const standing = pass(null)

/** The limit price and the trigger of an order that does not enter yet. */
function checkShape(exchange: Exchange, row: InstrumentRow, terms: OrderTerms): Verdict<null> {
  if (entryTypeOf(terms.type) === 'limit') {
    const entered = entryPrice(exchange, row, terms)
    if (!entered.ok) return refuse(step.price, entered.refusal)
  }
  const { trigger } = terms
  if (trigger === null || isTriggerOnGrid(row, trigger)) return standing
  return refuse(step.triggerPrice, { reason: 'trigger_price_wrong_tick' })
}

/** Trigger prices stand on the price grid; a distance is whole ticks (C31b). */
export function isTriggerOnGrid(
  row: InstrumentRow,
  { price, offset }: Pick<TriggerTerms, 'price' | 'offset'>,
): boolean {
  if (offset !== null) return offset > 0
  return price !== null && mayBePrice(row, price) && isOnGrid(row.instrument, price)
}

/** Whether an order of a type fires on a rise of its source (C31). */
export function firesOnRise(type: OrderType, side: Side): boolean {
  const isTake = type === 'take_limit' || type === 'take_market'
  return (side === 'buy') !== isTake
}

/** A trigger order waits for what has not happened yet, of a price that is known (C31a). */
function firingRefusal(
  row: InstrumentRow,
  terms: OrderTerms,
  { source, price }: TriggerTerms,
): { readonly reason: FiringReason } | null {
  const value = sourcePrice(row, source)
  if (!isSourceKnown(row, source)) return { reason: 'invalid_trigger_price' }
  if (price === null) return null
  const rises = firesOnRise(terms.type, terms.side)
  return firedRefusal(value, { rises, price: price * row.instrument.tick9 })
}

type FiringReason = 'invalid_trigger_price' | 'trigger_price_too_high' | 'trigger_price_too_low'

/** Why a trigger cannot wait at a price of its source: it would have fired. */
export function firedRefusal(
  value: Price9,
  trigger: { readonly rises: boolean; readonly price: number },
): { readonly reason: FiringReason } | null {
  if (!firesAt(trigger, value)) return null
  return { reason: trigger.rises ? 'trigger_price_too_low' : 'trigger_price_too_high' }
}

/** What is left for a reduce-only order behind those that execute before it. */
function allocated(
  exchange: Exchange,
  { row, account, terms, linked }: Asked,
  price: Ticks,
): number {
  const owner = findHolding(exchange, account, row)
  if (owner === undefined) return 0
  const partner = linked?.link?.partner ?? NO_ORDER
  const { side } = terms
  const share = allocation(exchange, owner, { side, price, except: NO_SLOT, partner })
  return Math.min(terms.amount, share)
}

/**
 * Rule: order.market-price. A limit order enters with its own price, a market order with the band's
 * limit, a market-limit order with the best opposite price (C20), an advanced order with what its terms come to
 * (C30).
 */
export function entryPrice(
  exchange: Exchange,
  row: InstrumentRow,
  terms: Pick<OrderTerms, 'price' | 'side' | 'advanced' | 'type'>,
): Valued<Ticks> {
  const { price, side, advanced } = terms
  if (advanced !== null) {
    const found = advancedTicks(exchange, row, { side, advanced })
    return found === null ? { ok: false, refusal: noMark } : { ok: true, value: found }
  }
  const type = entryTypeOf(terms.type)
  if (type === 'limit') {
    if (price === null) return { ok: false, refusal: { reason: 'invalid_price' } }
    if (mayBePrice(row, price) && isOnGrid(row.instrument, price)) return { ok: true, value: price }
    return { ok: false, refusal: { reason: 'price_wrong_tick' } }
  }
  if (type === 'market_limit') {
    const best = bestPrice(row.book, opposite(side))
    if (best !== undefined) return { ok: true, value: ticks(best) }
    return { ok: false, refusal: { reason: 'other_reject no_opposite_price' } }
  }
  if (row.hasBand) return { ok: true, value: side === 'buy' ? row.bandMax : row.bandMin }
  // Where bands are off a market order has no end but that of prices.
  return { ok: true, value: endOfPrices(row, side) }
}

/** A price in 1e-9 of ticks, 0 for none. */
export function price9Of({ instrument }: InstrumentRow, price: Ticks | null): Price9 {
  return price9((price ?? 0) * instrument.tick9)
}
