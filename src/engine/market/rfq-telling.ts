/**
 * Emits the events of a Block RFQ and of its quotes. Source: sessions-blocks-gateways.md 5.5, 5.9.
 */
import { accountId, defined } from '../../core/index.ts'
import type { EventOf, RfqChange, RfqQuoteChange, RfqQuoteReason, RfqReason, Side } from '../../model/index.ts'
import { eventHeader, type RfqQuoteRow, type RfqRow, rfqPrice9, rfqSize9, type Turn } from '../state/index.ts'

/** Emits a change of an RFQ; `side` and `price` are those of its fill or of the trigger that changed. */
export function emitRfq(
  turn: Turn,
  rfq: RfqRow,
  of: {
    readonly change: RfqChange
    readonly reason: RfqReason
    readonly side?: Side
    readonly price?: number
    readonly makers?: number
  },
): void {
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

/** Emits a change of a quote; `filled` is its part in a fill, in units of the structure. */
export function emitRfqQuote(
  turn: Turn,
  { rfq, quote }: { readonly rfq: RfqRow; readonly quote: RfqQuoteRow },
  of: {
    readonly change: RfqQuoteChange
    readonly reason: RfqQuoteReason
    readonly filled?: number
    readonly block?: number
  },
): void {
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
