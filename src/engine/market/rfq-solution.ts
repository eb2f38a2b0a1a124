/**
 * Solutions of a Block RFQ: the quotes that fill its whole amount, and the part of them that the taker sees.
 *
 * Rule: rfq.display. A side shows at most one entry: the best solution for the whole amount, at the worst price that it
 * needs; it shows nothing before the grace period is over.
 * Rule: rfq.rating-included. An RFQ counts for the rating if it was filled, or if the taker saw a complete solution for
 * a second. Source: sessions-blocks-gateways.md 5.6, 5.7, 5.10.
 */
import { matchRfq, type RfqFill, type RfqQuote } from '../../blocks/index.ts'
import { assert, defined, MICROS_PER_SECOND, micros } from '../../core/index.ts'
import { opposite, type RfqReason, type Side } from '../../model/index.ts'
import { type Exchange, isSelfMatch, type RfqDisplay, type RfqRow, type RfqShown, type Turn } from '../state/index.ts'
import { emitRfq } from './rfq-telling.ts'

/** A display without solutions. */
export const emptyDisplay: RfqDisplay = { bid: null, ask: null }

const SEEN_LEAST = MICROS_PER_SECOND

/** The fills of a whole RFQ for a side of its taker, without the quotes in `except`; undefined if no quotes fill it. */
export function solveRfq(
  exchange: Exchange,
  rfq: RfqRow,
  of: {
    readonly side: Side
    readonly limit?: number
    readonly except?: ReadonlySet<number>
  },
): readonly RfqFill[] | undefined {
  const wanted = opposite(of.side)
  const quotes: RfqQuote[] = []
  for (const { quote: id, maker, side, price, amount, instruction, updatedAt } of rfq.quotes.values()) {
    if (side !== wanted || of.except?.has(id) === true) continue
    if (isSelfMatch(exchange, rfq.taker, maker)) continue
    quotes.push({ id, price, amount, allOrNone: instruction === 'all_or_none', updatedAt })
  }
  return matchRfq(of.side === 'buy', rfq.amount, quotes, of.limit)
}

/** Updates the solutions that the taker sees, and emits an event if they changed. */
export function refreshShown(turn: Turn, rfq: RfqRow, reason: RfqReason): void {
  const { exchange } = turn
  if (rfq.state !== 'open') return
  const shown = displayOf(exchange, rfq)
  noteSeen(exchange, rfq, shown.bid !== null || shown.ask !== null)
  // Displays are plain data with a fixed order of fields.
  if (JSON.stringify(shown) === JSON.stringify(rfq.shown)) return
  rfq.shown = shown
  emitRfq(turn, rfq, { change: 'shown', reason })
}

/** Records for the rating whether the taker sees a complete solution from now on. */
export function noteSeen({ now }: Exchange, rfq: RfqRow, isSeen: boolean): void {
  if (isSeen) rfq.shownSince ??= now
  else if (rfq.shownSince !== null) {
    if (now - rfq.shownSince >= SEEN_LEAST) rfq.included = true
    rfq.shownSince = null
  }
}

/** Asserts that open RFQs are listed as open, and that their takers see the current solutions. */
export function auditRfqs(exchange: Exchange): void {
  const { rfqs, open } = exchange.rfqs
  for (const [number, rfq] of rfqs) {
    const isOpen = rfq.state === 'open'
    assert(rfq.rfq === number, 'an RFQ is stored under its number')
    assert(open.has(number) === isOpen, 'an open RFQ is listed')
    assert(isOpen === (rfq.closedAt === null), 'an RFQ that is not open was closed')
    assert(isOpen || rfq.quotes.size === 0, 'a closed RFQ has no open quotes')
    if (!isOpen) continue
    assert(exchange.now <= rfq.expiresAt, 'an open RFQ has not expired')
    const shown = JSON.stringify(displayOf(exchange, rfq))
    assert(shown === JSON.stringify(rfq.shown), 'a taker sees the current solutions')
  }
  for (const number of open) assert(rfqs.has(number), 'an open RFQ is stored')
}

function displayOf(exchange: Exchange, rfq: RfqRow): RfqDisplay {
  if (exchange.now < rfq.graceUntil) return emptyDisplay
  return { bid: shownFor(exchange, rfq, 'sell'), ask: shownFor(exchange, rfq, 'buy') }
}

/** The best solution that the taker can trade on a side. */
function shownFor(exchange: Exchange, rfq: RfqRow, side: Side): RfqShown | null {
  const fills = solveRfq(exchange, rfq, { side })
  if (fills === undefined) return null
  const quotes = fills.map(({ quote }) => defined(rfq.quotes.get(quote), 'a fill belongs to a quote'))
  const last = defined(fills.at(-1), 'a solution has fills')
  return {
    price: last.price,
    makers: quotes.map(({ maker }) => maker),
    allOrNone: quotes.every(({ instruction }) => instruction === 'all_or_none'),
    updatedAt: micros(Math.max(...quotes.map(({ updatedAt }) => updatedAt))),
    expiresAt: micros(Math.min(...quotes.map(({ expiresAt }) => expiresAt))),
  }
}
