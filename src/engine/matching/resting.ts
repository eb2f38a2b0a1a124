/**
 * Orders entering, shrinking in and leaving a book, with everything that follows from it: the open
 * orders that margin counts, what spot orders reserve, the visible level, the change id.
 *
 * The margin of the holding is brought up to date by the caller, once, when all is done.
 */
import {
  levelSize,
  ownerOf,
  priceOf,
  reduceOrder,
  remainingOf,
  removeOrder,
  restOrder,
} from '../../book/index.ts'
import { price9, schedule, sessionBoundaryAfter, setWide, subtractWide } from '../../core/index.ts'
import { pricedTerms, setBasis } from '../../ledger/index.ts'
import { addOpenOrders, addReserve } from '../../margin/index.ts'
import type { Side } from '../../model/index.ts'
import { emitLevel, type Turn } from '../emit.ts'
import { type Exchange, type InstrumentRow, timerRank, walletOf } from '../state/exchange.ts'
import { orderAt } from '../state/orders.ts'

/** Puts a live order at the end of its queue. */
export function enterBook(turn: Turn, row: InstrumentRow, slot: number): void {
  const { exchange } = turn
  const { side, timeInForce } = orderAt(exchange, slot)
  const remaining = remainingOf(exchange.slots, slot)
  restOrder(row.book, side, slot)
  commit(exchange, row, { slot, side, before: 0, after: remaining })
  if (timeInForce === 'good_til_day') {
    row.dayOrders += 1
    awaitSessionEnd(exchange)
  }
  levelChanged(turn, row, { slot, side })
}

/** Takes a live order out of its book; it stays live. */
export function leaveBook(turn: Turn, row: InstrumentRow, slot: number): void {
  const { exchange } = turn
  const { side, timeInForce } = orderAt(exchange, slot)
  const remaining = remainingOf(exchange.slots, slot)
  removeOrder(row.book, side, slot)
  commit(exchange, row, { slot, side, before: remaining, after: 0 })
  if (timeInForce === 'good_til_day') row.dayOrders -= 1
  levelChanged(turn, row, { slot, side })
}

/** Takes `lots`, less than all, off a resting order, which keeps its place. */
export function shrinkInBook(
  turn: Turn,
  row: InstrumentRow,
  change: { readonly slot: number; readonly lots: number },
): void {
  const { exchange } = turn
  const { slot, lots } = change
  const { side } = orderAt(exchange, slot)
  const remaining = remainingOf(exchange.slots, slot)
  reduceOrder(row.book, side, { slot, lots })
  commit(exchange, row, { slot, side, before: remaining, after: remaining - lots })
  levelChanged(turn, row, { slot, side })
}

/** Makes sure that the session's end is awaited. */
function awaitSessionEnd(exchange: Exchange): void {
  if (exchange.sessionEndScheduled) return
  exchange.sessionEndScheduled = true
  schedule(exchange.timers, {
    time: sessionBoundaryAfter(exchange.now),
    rank: timerRank.settlement,
    payload: { kind: 'session_end' },
  })
}

/** Counts the change of a resting order's size in open orders and spot reserves. */
function commit(
  exchange: Exchange,
  row: InstrumentRow,
  change: {
    readonly slot: number
    readonly side: Side
    readonly before: number
    readonly after: number
  },
): void {
  const { slot, side, before, after } = change
  const { holding } = orderAt(exchange, slot)
  addOpenOrders(exchange.margin, holding, { side, lots: after - before })
  if (row.base < 0) return
  const { scratch } = exchange
  const price = priceOf(exchange.slots, slot)
  setReserve(exchange, row, { at: 0, side, lots: after, price })
  setReserve(exchange, row, { at: 2, side, lots: before, price })
  subtractWide(scratch, 0, scratch, 2)
  const owner = ownerOf(exchange.slots, slot)
  const wallet = walletOf(owner, side === 'buy' ? row.settlement : row.base)
  addReserve(exchange.margin, wallet, { source: scratch, from: 0, sign: 1 })
}

/**
 * Sets a scratch register to what a spot order of this size reserves, in nano: a buy its price times
 * its amount in quote, a sell its amount in base.
 */
export function setReserve(
  exchange: Exchange,
  row: InstrumentRow,
  reserve: {
    readonly at: number
    readonly side: 'buy' | 'sell'
    readonly lots: number
    readonly price: number
  },
): void {
  const { at, side, lots, price } = reserve
  if (side === 'sell') {
    setWide(exchange.scratch, at, lots * row.instrument.amountStep9)
    return
  }
  const priced = pricedTerms(row.terms, price * row.instrument.tick9)
  setBasis(exchange.scratch, at, { priced, lots })
}

function levelChanged(
  turn: Turn,
  row: InstrumentRow,
  change: { readonly slot: number; readonly side: Side },
): void {
  row.changeId += 1
  if (!turn.exchange.config.bookEvents) return
  const { slot, side } = change
  emitPriceLevel(turn, row, { side, price: priceOf(turn.exchange.slots, slot) })
}

/** Tells the size of a level as it stands; the caller has seen that the run asks for the book. */
export function emitPriceLevel(
  turn: Turn,
  row: InstrumentRow,
  level: { readonly side: Side; readonly price: number },
): void {
  const { side, price } = level
  emitLevel(turn, row, {
    side,
    price: price9(price * row.instrument.tick9),
    size: levelSize(row.book, side, price),
  })
}
