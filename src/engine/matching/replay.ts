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
  recordedSource,
  remainingOf,
  setAhead,
  setSlot,
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
import type { InstrumentRow } from '../state/exchange.ts'
import { noteFillPrice, orderAt, slotOf } from '../state/orders.ts'
import { finishMaker, runFillHooks, takeOffMaker } from './fill.ts'
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
    readonly makerSide: Side
    readonly price: number
    readonly priced: PricedTerms
  },
): void {
  const { recorded, slots } = row.book
  if (recorded === null) return
  const { slot, makerSide, price, priced } = take
  const side = recordedOf(recorded, makerSide)
  const left = recordedLeft(side, price)
  const lots = Math.min(remainingOf(slots, slot), left)
  consume(turn, row, { side: makerSide, price, lots })
  setSlot(slots, slot, { price: priceOf(slots, slot), remaining: remainingOf(slots, slot) - lots })
  noteFillPrice(turn.exchange, row, { slot, lots, price, priced })
  runFillHooks({
    ...{ turn, row, takerSlot: slot, makerSlot: NO_SLOT, lots, price, priced },
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
 * own first, then those at its price from what the queue ahead of them leaves.
 */
export function fillByPrint(turn: Turn, row: InstrumentRow, print: Print): void {
  const { slots } = row.book
  const makerSide = opposite(print.side)
  // A fill may end other orders, whose slots may then hold new ones, which the print never met.
  const reached = ordersReached(row.book, makerSide, print.price).map((slot) => ({
    slot,
    id: orderAt(turn.exchange, slot).id,
  }))
  let filled = 0
  for (const { slot, id } of reached) {
    if (slotOf(turn.exchange, id) !== slot) continue
    const before = aheadOf(slots, slot)
    const through = priceOf(slots, slot) !== print.price
    const after = through ? before : aheadAfterPrint(before, print.lots)
    const free = print.lots - filled - (through ? 0 : before)
    const lots = Math.min(remainingOf(slots, slot), free)
    setAhead(slots, slot, after)
    if (lots <= 0) continue
    filled += lots
    fillResting(turn, row, {
      slot,
      lots,
      rule: through ? 'print_through' : 'print_at_price',
      aheadBefore: before,
      source: print.source,
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
    for (;;) {
      const slot = firstInBook(row.book, makerSide)
      if (slot === NO_SLOT) break
      const price = bestLeft(levels)
      if (price === undefined || !accepts(makerSide, priceOf(slots, slot), price)) break
      const lots = Math.min(remainingOf(slots, slot), recordedLeft(levels, price))
      consume(turn, row, { side: opposite(makerSide), price, lots })
      fillResting(turn, row, {
        slot,
        lots,
        rule: 'level_reached',
        aheadBefore: aheadOf(slots, slot),
        source: feedRowOf(recordedSource(levels, price)),
      })
    }
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
  },
): void {
  const { slot, lots, rule, aheadBefore, source } = fill
  const { slots } = row.book
  const price = priceOf(slots, slot)
  const priced = pricedTerms(row.terms, price * row.instrument.tick9)
  setAhead(slots, slot, 0)
  const rest = takeOffMaker(turn, row, { slot, lots })
  noteFillPrice(turn.exchange, row, { slot, lots, price, priced })
  runFillHooks({
    ...{ turn, row, takerSlot: NO_SLOT, makerSlot: slot, lots, price, priced },
    reason: { makerRule: rule, takerRule: 'recorded', aheadBefore, aheadAfter: 0, source },
  })
  finishMaker(turn, row, { slot, rest })
}
