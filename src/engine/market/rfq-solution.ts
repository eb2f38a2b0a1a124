/**
 * Solutions of a Block RFQ: the quotes that fill its whole amount, and the part of them that the taker sees.
 *
 * Rule: rfq.display. A side shows at most one entry: the best solution for the whole amount, at the worst price that it
 * needs; it shows nothing before the grace period is over.
 * Rule: rfq.rating-included. An RFQ counts for the rating if it was filled, or if the taker saw a complete solution for
 * a second. Source: sessions-blocks-gateways.md 5.6, 5.7, 5.10.
 */

import { matchRfq, type RfqFill, type RfqQuote } from '../../blocks/index.ts'
import { accountId, assert, defined, MICROS_PER_SECOND, micros } from '../../core/index.ts'
import {
  type EventOf,
  opposite,
  type RfqChange,
  type RfqQuoteChange,
  type RfqQuoteReason,
  type RfqReason,
  type Side,
} from '../../model/index.ts'
import {
  type Exchange,
  eventHeader,
  isSelfMatch,
  type RfqDisplay,
  type RfqQuoteRow,
  type RfqRow,
  type RfqShown,
  rfqPrice9,
  rfqSize9,
  type Turn,
} from '../state/index.ts'

/** A display without solutions. */
export const emptyDisplay: RfqDisplay = { bid: null, ask: null }

const SEEN_LEAST = MICROS_PER_SECOND

/** The side that a taker wants, with a price limit and quotes to leave out. */
interface RfqSearch {
  readonly side: Side
  readonly limit?: number
  readonly except?: ReadonlySet<number>
}

/** The fills of a whole RFQ for a side of its taker, without the quotes in `except`; undefined if no quotes fill it. */
export function solveRfq(exchange: Exchange, rfq: RfqRow, of: RfqSearch): readonly RfqFill[] | undefined {
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
  if (rfq.state !== 'open') return
  const shown = displayOf(turn.exchange, rfq)
  noteSeen(turn.exchange, rfq, shown.bid !== null || shown.ask !== null)
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

/** A change of an RFQ. */
interface RfqNews {
  readonly change: RfqChange
  readonly reason: RfqReason
  readonly side?: Side
  readonly price?: number
  readonly makers?: number
}

/**
 * Emits the events of a Block RFQ and of its quotes. Source: sessions-blocks-gateways.md 5.5, 5.9.
 */

/** Emits a change of an RFQ; `side` and `price` are those of its fill or of the trigger that changed. */
export function emitRfq(turn: Turn, rfq: RfqRow, of: RfqNews): void {
  const { bid, ask } = rfq.shown
  turn.log.append({
    kind: 'block_rfq',
    ...eventHeader(turn),
    change: of.change,
    rfq: rfq.rfq,
    account: accountId(rfq.taker),
    state: rfq.state,
    amount9: rfqSize9(rfq, rfq.amount),
    legs: rfq.legs,
    createdAt: rfq.createdAt,
    expiresAt: rfq.expiresAt,
    bid9: bid === null ? null : rfqPrice9(rfq, bid.price),
    ask9: ask === null ? null : rfqPrice9(rfq, ask.price),
    side: of.side ?? null,
    price9: of.price === undefined ? null : rfqPrice9(rfq, of.price),
    makers: of.makers ?? 0,
    reason: of.reason,
  })
}

/** An RFQ and one of its quotes. */
interface QuotedRfq {
  readonly rfq: RfqRow
  readonly quote: RfqQuoteRow
}

/** A change of a quote of an RFQ. */
interface RfqQuoteNews {
  readonly change: RfqQuoteChange
  readonly reason: RfqQuoteReason
  readonly filled?: number
  readonly block?: number
}

/** Emits a change of a quote; `filled` is its part in a fill, in units of the structure. */
export function emitRfqQuote(turn: Turn, { rfq, quote }: QuotedRfq, of: RfqQuoteNews): void {
  turn.log.append({
    kind: 'block_rfq_quote',
    ...eventHeader(turn),
    ...quoteFacts(rfq, quote),
    change: of.change,
    filled9: rfqSize9(rfq, of.filled ?? 0),
    block: of.block ?? 0,
    reason: of.reason,
  })
}

/** Facts of a quote in the form of its events and views. */
export type RfqQuoteFacts = Omit<
  EventOf<'block_rfq_quote'>,
  'kind' | 'time' | 'number' | 'cause' | 'change' | 'filled9' | 'block' | 'reason'
>

/** The current facts of a quote. */
export function quoteFacts(rfq: RfqRow, quote: RfqQuoteRow): RfqQuoteFacts {
  return {
    quote: quote.quote,
    rfq: rfq.rfq,
    account: accountId(quote.maker),
    side: quote.side,
    price9: rfqPrice9(rfq, quote.price),
    amount9: rfqSize9(rfq, quote.amount),
    allOrNone: quote.instruction === 'all_or_none',
    legs: rfq.legs.map(({ instrument, side, ratio }, at) => {
      const price = defined(quote.legPrices[at], 'a quote has a price for each leg')
      return { instrument, side, ratio, price }
    }),
    label: quote.label,
    appName: quote.appName,
    replaced: quote.replaced,
    createdAt: quote.createdAt,
    updatedAt: quote.updatedAt,
    expiresAt: quote.expiresAt,
  }
}
