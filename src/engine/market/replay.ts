/**
 * Fills against recorded liquidity: takers fill from the recorded levels, resting orders by prints and by the best
 * price of the other side. The counterparty is the house account `market`, which has no orders and pays no fees, so
 * that the sum of all positions stays zero.
 *
 * Rule: fill.print, fill.through, fill.reached, fill.level, fill.consumed. Source: DESIGN 5; `book/queue-models.ts`
 * describes the models. Law: the fills by one row never exceed its size.
 */
import {
  aheadAtPrint,
  aheadOf,
  bestLeft,
  claimShrunk,
  firstInBook,
  NO_SLOT,
  noteConsumed,
  notePrinted,
  ordersReached,
  PRINT_REFRESH_MICROS,
  priceOf,
  printedAt,
  type QueueModelRules,
  recordedLeft,
  recordedOf,
  recordedSize,
  recordedSizeAt,
  recordedSource,
  remainingOf,
  type SidePrints,
  setAhead,
  setSlot,
  shownOf,
  TAKER_REFRESH_MICROS,
  takeRecorded,
} from '../../book/index.ts'
import { type PricedTerms, pricedTerms } from '../../ledger/index.ts'
import { accepts, type FeedRow, type FillRule, feedRowOf, opposite, type Side, sides } from '../../model/index.ts'
import {
  type HoldingRow,
  holdingFor,
  holdingOfOrder,
  type InstrumentRow,
  noteFillPrice,
  orderAt,
  type Turn,
} from '../state/index.ts'
import { noteBookChange } from '../value/index.ts'
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

/** A recorded trade, in ticks and lots; `side` is the side of its taker. */
interface Print {
  readonly side: Side
  readonly price: number
  readonly lots: number
  readonly source: FeedRow
}

/** A taker and the level that it takes from. */
interface LevelTake {
  readonly slot: number
  readonly takerOwner: HoldingRow
  readonly makerSide: Side
  readonly price: number
  readonly priced: PricedTerms
}

/** Fills a live taker from the remaining size of the recorded level at `price`. */
export function takeFromLevel(turn: Turn, row: InstrumentRow, take: LevelTake): void {
  const { recorded, slots } = row.book
  if (recorded === null) return
  const { slot, takerOwner, makerSide, price, priced } = take
  const side = recordedOf(recorded, makerSide)
  const left = recordedLeft(side, price)
  const lots = Math.min(remainingOf(slots, slot), left)
  consume(turn, row, { side: makerSide, price, lots, lasts: TAKER_REFRESH_MICROS })
  setSlot(slots, slot, priceOf(slots, slot), remainingOf(slots, slot) - lots)
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
 * Rule: fill.print, fill.through. Fills resting orders by one print: first orders at better prices than its own, then
 * orders at its price, with the size that the queue ahead of them leaves. The hidden size of icebergs comes after all
 * visible size at their price, including the recorded size. Then the print consumes the recorded size that it took. If
 * the instrument is not open, the print fills nothing but still consumes. Returns the lots of the print that resting
 * orders received.
 */
export function applyPrint(turn: Turn, row: InstrumentRow, print: Print): number {
  const { recorded } = row.book
  if (recorded === null) return 0
  const makerSide = opposite(print.side)
  recorded.prints.seen = true
  const claimed = claimShrunk(recorded.prints[makerSide], print.price, print.lots, turn.exchange.now)
  const size = recordedSizeAt(recorded, makerSide, print.price) + claimed
  const filled = row.state === 'open' ? fillByPrint(turn, row, { print, claimed, size, model: recorded.model }) : 0
  consumePrint(turn, row, { side: makerSide, price: print.price, fresh: print.lots - claimed, filled })
  return filled
}

/** Size that a print takes at a price, in lots. */
interface PrintedTake {
  readonly side: Side
  readonly price: number
  readonly fresh: number
  readonly filled: number
}

/**
 * Rule: fill.consumed. A print takes all remaining size of the levels that it passed, and at its own price the size
 * that it has not filled of the run's orders. `fresh` is the part of the print that no row has shown yet.
 */
function consumePrint(turn: Turn, row: InstrumentRow, taken: PrintedTake): void {
  const { recorded } = row.book
  if (recorded === null) return
  const { side, price, fresh, filled } = taken
  const levels = recordedOf(recorded, side)
  const prints = recorded.prints[side]
  for (;;) {
    const best = bestLeft(levels)
    if (best === undefined || best === price || !accepts(side, best, price)) break
    notePassed(prints, best, recordedSize(levels, best))
    const lots = recordedLeft(levels, best)
    consume(turn, row, { side, price: best, lots, lasts: PRINT_REFRESH_MICROS })
  }
  const printed = Math.min(fresh, recordedSizeAt(recorded, side, price))
  if (printed > 0) notePrinted(prints, price, printed)
  const lots = Math.min(fresh - filled, recordedLeft(levels, price))
  if (lots > 0) consume(turn, row, { side, price, lots, lasts: PRINT_REFRESH_MICROS })
}

/** Records that a print removed a whole level that it passed. */
function notePassed(prints: SidePrints, price: number, size: number): void {
  const recordedSize = size - printedAt(prints, price)
  if (recordedSize > 0) notePrinted(prints, price, recordedSize)
}

/** A print and what it has already filled at its price. */
interface MetPrint {
  readonly print: Print
  /** The part of the print that a row has already shown. */
  readonly claimed: number
  /** Recorded size at its price when the print was made. */
  readonly size: number
  readonly model: QueueModelRules
}

/** Fills resting orders by a print; returns the lots that they received. */
function fillByPrint(turn: Turn, row: InstrumentRow, met: MetPrint): number {
  const { print, claimed, size, model } = met
  const { exchange } = turn
  const { slots } = row.book
  const makerSide = opposite(print.side)
  // A fill may end other orders, and their slots may then have new orders, which the print never met.
  const reached = ordersReached(row.book, makerSide, print.price).map((slot) => ({
    slot,
    id: orderAt(exchange, slot).id,
  }))
  const by: PrintRun = { print, size, filled: 0, emptied: null }
  for (const { slot, id } of reached) {
    if (!isStill(exchange, slot, id)) continue
    fillHidden(turn, row, by, priceOf(slots, slot))
    if (!isStill(exchange, slot, id)) continue
    const through = priceOf(slots, slot) !== print.price
    if (through && !model.fillsByPrintThrough) continue
    const before = through ? aheadOf(slots, slot) : aheadAtPrint(slots, slot, model, claimed)
    const after = through ? before : model.placeAfterPrint({ ahead: before, lots: print.lots })
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
  fillHidden(turn, row, by, undefined)
  if (by.emptied !== null) refreshTips(turn, row, by.emptied)
  return by.filled
}

/** A print and the size that it has filled so far. */
interface PrintRun {
  readonly print: Print
  /** Recorded size at its price when the print was made. */
  readonly size: number
  filled: number
  emptied: EmptiedTips | null
}

/** Fills hidden size of icebergs with the rest of a print at a price, before the print reaches the next price. */
function fillHidden(turn: Turn, row: InstrumentRow, by: PrintRun, next: number | undefined): void {
  const { slots } = row.book
  if (by.emptied === null) return
  const { print, size } = by
  for (;;) {
    const tip = nextHidden(turn.exchange, by.emptied, next)
    if (tip === undefined) return
    const isThrough = tip.price !== print.price
    const free = print.lots - by.filled - (isThrough ? 0 : size)
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
 * Rule: fill.reached. Fills resting orders whose price the recorded best of the other side has reached, up to the
 * remaining size of each level, if the queue model allows it.
 */
export function fillReached(turn: Turn, row: InstrumentRow): void {
  const { recorded, slots } = row.book
  if (recorded === null || !recorded.model.fillsByReachedLevel) return
  for (const makerSide of sides) {
    if (firstInBook(row.book, makerSide) === NO_SLOT) continue
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
      const side = opposite(makerSide)
      consume(turn, row, { side, price, lots, lasts: TAKER_REFRESH_MICROS })
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

/** Size taken from a recorded level, in lots. */
interface TakenSize {
  readonly side: Side
  readonly price: number
  readonly lots: number
  /** Duration in microseconds, unless a row sets the level earlier. */
  readonly lasts: number
}

/** Takes part of the remaining size of a recorded level, which changes the visible size there. */
function consume(turn: Turn, row: InstrumentRow, taken: TakenSize): void {
  const { recorded } = row.book
  if (recorded === null) return
  takeRecorded(recordedOf(recorded, taken.side), taken.price, taken.lots)
  noteConsumed(recorded.refreshes, taken.side, taken.price, turn.exchange.now + taken.lasts)
  noteBookChange(turn.exchange, row)
  if (turn.exchange.config.bookEvents) emitPriceLevel(turn, row, taken.side, taken.price)
}

/** A fill of a resting order by recorded data. */
interface RestingFill {
  readonly slot: number
  readonly lots: number
  readonly rule: FillRule
  readonly aheadBefore: number
  readonly source: FeedRow
  /** Receives an iceberg whose visible part is filled. */
  readonly emptied: { emptied: EmptiedTips | null }
}

/** Fills a resting order at its own price. An order that fills has nothing ahead of it. */
function fillResting(turn: Turn, row: InstrumentRow, fill: RestingFill): void {
  const { slot, lots, rule, aheadBefore, source } = fill
  const { slots } = row.book
  const { id } = orderAt(turn.exchange, slot)
  const price = priceOf(slots, slot)
  const priced = pricedTerms(row.terms, price * row.instrument.tick9)
  const makerOwner = holdingOfOrder(turn.exchange, slot)
  const takerOwner = holdingFor(turn.exchange, turn.exchange.market, row)
  setAhead(slots, slot, 0)
  if (rule === 'hidden') takeOffHidden(turn, row, slot, lots)
  else takeOffMaker(turn, row, slot, lots)
  if (rule !== 'hidden' && orderAt(turn.exchange, slot).stage === 'emptied') {
    fill.emptied.emptied ??= noEmptiedTips()
    fill.emptied.emptied.list.push({ slot, id, price })
  }
  noteFillPrice(turn.exchange, row, { slot, lots, price, priced })
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
  finishMaker(turn, row, slot, id)
}
