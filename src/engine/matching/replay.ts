/**
 * Fills against recorded liquidity: of takers from what a level shows, of resting orders by prints and
 * by the other side's best. The counterparty is the house account `market`, which has no orders and
 * pays no fees, so that sizes stay zero-sum.
 *
 * Rule: fill.print, fill.through, fill.reached, fill.level. Source: DESIGN 5; `book/queue.ts` has the
 * model in words. Law: what one row fills is never more than its size.
 */
import {
  aheadAfterPrint,
  aheadOf,
  bestLeft,
  firstInBook,
  NO_SLOT,
  ordersReached,
  priceOf,
  recordedLeft,
  recordedOf,
  recordedSize,
  recordedSource,
  remainingOf,
  setAhead,
  setSlot,
  shownOf,
  takeRecorded,
} from '../../book/index.ts'
import { type PricedTerms, pricedTerms } from '../../ledger/index.ts'
import {
  accepts,
  type FeedRow,
  type FillRule,
  feedRowOf,
  opposite,
  type Side,
} from '../../model/index.ts'
import type { Turn } from '../emit.ts'
import { wake } from '../prices/wake.ts'
import type { HoldingRow } from '../state/exchange.ts'
import { holdingFor, holdingOfOrder } from '../state/holdings.ts'
import type { InstrumentRow } from '../state/instrument-row.ts'
import { noteFillPrice, orderAt } from '../state/orders.ts'
import { isStill } from './ending.ts'
import {
  type EmptiedTips,
  finishMaker,
  nextHidden,
  noEmptiedTips,
  refreshTips,
  runFillHooks,
  takeOffHidden,
  takeOffMaker,
} from './fill.ts'
import { emitPriceLevel } from './resting.ts'

/** A recorded trade, in ticks and lots; `side` is its taker's. */
export interface Print {
  readonly side: Side
  readonly price: number
  readonly lots: number
  readonly source: FeedRow
}

/** Fills a live taker from what is left of the recorded level at `price`. */
export function takeFromLevel(
  turn: Turn,
  row: InstrumentRow,
  take: {
    readonly slot: number
    readonly takerOwner: HoldingRow
    readonly makerSide: Side
    readonly price: number
    readonly priced: PricedTerms
  },
): void {
  const { recorded, slots } = row.book
  if (recorded === null) return
  const { slot, takerOwner, makerSide, price, priced } = take
  const side = recordedOf(recorded, makerSide)
  const left = recordedLeft(side, price)
  const lots = Math.min(remainingOf(slots, slot), left)
  consume(turn, row, { side: makerSide, price, lots })
  setSlot(slots, slot, { price: priceOf(slots, slot), remaining: remainingOf(slots, slot) - lots })
  noteFillPrice(turn.exchange, row, { slot, lots, price, priced })
  runFillHooks({
    turn,
    row,
    takerSlot: slot,
    makerSlot: NO_SLOT,
    lots,
    price,
    makerOwner: holdingFor(turn.exchange, turn.exchange.market, row),
    takerOwner,
    priced,
    reason: {
      makerRule: 'recorded',
      takerRule: 'level_taken',
      aheadBefore: 0,
      aheadAfter: 0,
      source: feedRowOf(recordedSource(side, price)),
    },
  })
}

/**
 * Rule: fill.print, fill.through. Fills resting orders by one print: those at better prices than its
 * own first, then those at its price from what the queue ahead of them leaves. What icebergs hide comes
 * after all that is seen at their price, the recorded size included.
 */
export function fillByPrint(turn: Turn, row: InstrumentRow, print: Print): void {
  const { exchange } = turn
  const { slots } = row.book
  const makerSide = opposite(print.side)
  // A fill may end other orders, whose slots may then hold new ones, which the print never met.
  const reached = ordersReached(row.book, makerSide, print.price).map((slot) => ({
    slot,
    id: orderAt(exchange, slot).id,
  }))
  const by: PrintRun = { print, filled: 0, emptied: null }
  for (const { slot, id } of reached) {
    if (!isStill(exchange, slot, id)) continue
    fillHidden(turn, row, { by, next: priceOf(slots, slot) })
    if (!isStill(exchange, slot, id)) continue
    const before = aheadOf(slots, slot)
    const through = priceOf(slots, slot) !== print.price
    const after = through ? before : aheadAfterPrint(before, print.lots)
    const free = print.lots - by.filled - (through ? 0 : before)
    const lots = Math.min(shownOf(slots, slot), free)
    setAhead(slots, slot, after)
    if (lots <= 0) continue
    by.filled += lots
    fillResting(turn, row, {
      slot,
      lots,
      rule: through ? 'print_through' : 'print_at_price',
      aheadBefore: before,
      source: print.source,
      emptied: by,
    })
  }
  fillHidden(turn, row, { by, next: undefined })
  if (by.emptied !== null) refreshTips(turn, row, by.emptied)
}

/** A print and what it has filled so far. */
interface PrintRun {
  readonly print: Print
  filled: number
  emptied: EmptiedTips | null
}

/** What is left of a print at a price takes what icebergs hide there, before it comes to the next. */
function fillHidden(
  turn: Turn,
  row: InstrumentRow,
  { by, next }: { readonly by: PrintRun; readonly next: number | undefined },
): void {
  const { recorded, slots } = row.book
  if (by.emptied === null || recorded === null) return
  const { print } = by
  const levels = recordedOf(recorded, opposite(print.side))
  for (;;) {
    const tip = nextHidden(turn.exchange, by.emptied, next)
    if (tip === undefined) return
    const isThrough = tip.price !== print.price
    const free = print.lots - by.filled - (isThrough ? 0 : recordedSize(levels, tip.price))
    const lots = Math.min(remainingOf(slots, tip.slot), free)
    if (lots <= 0) return
    by.filled += lots
    fillResting(turn, row, {
      slot: tip.slot,
      lots,
      rule: 'hidden',
      aheadBefore: 0,
      source: print.source,
      emptied: by,
    })
  }
}

/**
 * Rule: fill.reached. Fills resting orders whose price the recorded best of the other side has reached,
 * up to what is left of each level.
 */
export function fillReached(turn: Turn, row: InstrumentRow): void {
  const { recorded, slots } = row.book
  if (recorded === null) return
  for (const makerSide of ['buy', 'sell'] as const) {
    const levels = recordedOf(recorded, opposite(makerSide))
    const by: { emptied: EmptiedTips | null } = { emptied: null }
    for (;;) {
      const first = firstInBook(row.book, makerSide)
      const seen = first === NO_SLOT ? undefined : priceOf(slots, first)
      const hidden = by.emptied === null ? undefined : nextHidden(turn.exchange, by.emptied, seen)
      const slot = hidden?.slot ?? first
      if (slot === NO_SLOT) break
      const price = bestLeft(levels)
      if (price === undefined || !accepts(makerSide, priceOf(slots, slot), price)) break
      const there = hidden === undefined ? shownOf(slots, slot) : remainingOf(slots, slot)
      const lots = Math.min(there, recordedLeft(levels, price))
      consume(turn, row, { side: opposite(makerSide), price, lots })
      fillResting(turn, row, {
        slot,
        lots,
        rule: hidden === undefined ? 'level_reached' : 'hidden',
        aheadBefore: aheadOf(slots, slot),
        source: feedRowOf(recordedSource(levels, price)),
        emptied: by,
      })
    }
    if (by.emptied !== null) refreshTips(turn, row, by.emptied)
  }
}

/** Takes part of what is left of a recorded level, which changes what is visible there. */
function consume(
  turn: Turn,
  row: InstrumentRow,
  taken: { readonly side: Side; readonly price: number; readonly lots: number },
): void {
  const { recorded } = row.book
  if (recorded === null) return
  const { side, price, lots } = taken
  takeRecorded(recordedOf(recorded, side), price, lots)
  row.changeId += 1
  if (row.sleeps) wake(turn.exchange, row)
  if (turn.exchange.config.bookEvents) emitPriceLevel(turn, row, { side, price })
}

/** Fills a resting order at its own price; nothing is ahead of an order that fills. */
function fillResting(
  turn: Turn,
  row: InstrumentRow,
  fill: {
    readonly slot: number
    readonly lots: number
    readonly rule: FillRule
    readonly aheadBefore: number
    readonly source: FeedRow
    /** Where a visible part that is used up is noted. */
    readonly emptied: { emptied: EmptiedTips | null }
  },
): void {
  const { slot, lots, rule, aheadBefore, source } = fill
  const { exchange } = turn
  const { slots } = row.book
  const { id } = orderAt(exchange, slot)
  const price = priceOf(slots, slot)
  const priced = pricedTerms(row.terms, price * row.instrument.tick9)
  const makerOwner = holdingOfOrder(exchange, slot)
  const takerOwner = holdingFor(exchange, exchange.market, row)
  setAhead(slots, slot, 0)
  if (rule === 'hidden') takeOffHidden(turn, row, { slot, lots })
  else takeOffMaker(turn, row, { slot, lots })
  if (rule !== 'hidden' && orderAt(exchange, slot).stage === 'emptied') {
    fill.emptied.emptied ??= noEmptiedTips()
    fill.emptied.emptied.list.push({ slot, id, price })
  }
  noteFillPrice(exchange, row, { slot, lots, price, priced })
  runFillHooks({
    turn,
    row,
    takerSlot: NO_SLOT,
    makerSlot: slot,
    lots,
    price,
    makerOwner,
    takerOwner,
    priced,
    reason: { makerRule: rule, takerRule: 'recorded', aheadBefore, aheadAfter: 0, source },
  })
  finishMaker(turn, row, { slot, id })
}
