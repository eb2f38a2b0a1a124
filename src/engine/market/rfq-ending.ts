/**
 * How quotes and Block RFQs end: cancelled, filled, expired, or because of a change of an instrument or a maker.
 *
 * Rule: rfq.states. The quotes and triggers of an RFQ end before the RFQ's own event.
 * Rule: rfq.instrument. An RFQ is cancelled when a leg or the hedge leaves the state open.
 * Source: sessions-blocks-gateways.md 5.8, 5.9.
 */
import { cancel, type InstrumentId } from '../../core/index.ts'
import type { RfqQuoteReason, RfqReason } from '../../model/index.ts'
import {
  type Exchange,
  forgetMobile,
  type RfqQuoteRow,
  type RfqRow,
  type RfqTrigger,
  rfqAt,
  type Turn,
} from '../state/index.ts'
import { emitRfq, emitRfqQuote, emptyDisplay, noteSeen, refreshShown } from './rfq-solution.ts'

/** Ends a quote. Events: `block_rfq_quote`. */
export function endRfqQuote(turn: Turn, rfq: RfqRow, quote: RfqQuoteRow, of: Parameters<typeof emitRfqQuote>[2]): void {
  rfq.quotes.delete(quote.quote)
  rfq.ended.set(quote.quote, quote.maker)
  forgetMobile(turn.exchange, { quote: quote.quote })
  if (quote.timer !== null) cancel(turn.exchange.timers, quote.timer)
  emitRfqQuote(turn, { rfq, quote }, of)
}

/** Cancels quotes of a maker, on one RFQ or on all, and returns their number. */
export function pullRfqQuotes(turn: Turn, account: number, onlyRfq: number | null, reason: RfqQuoteReason): number {
  let count = 0
  for (const number of [...turn.exchange.rfqs.open]) {
    if (onlyRfq !== null && onlyRfq !== number) continue
    const rfq = rfqAt(turn.exchange, number)
    const own = [...rfq.quotes.values()].filter(({ maker }) => maker === account)
    for (const quote of own) {
      endRfqQuote(turn, rfq, quote, { change: 'cancelled', reason })
    }
    count += own.length
    if (own.length > 0) refreshShown(turn, rfq, 'quotes')
  }
  return count
}

/** How each end of an RFQ ends its quotes and triggers. */
const ends = {
  filled: { change: 'cancelled', reason: 'rfq_filled', trigger: 'rfq_filled' },
  cancelled: { change: 'cancelled', reason: 'rfq_cancelled', trigger: 'rfq_cancelled' },
  expired: { change: 'expired', reason: 'rfq_expired', trigger: 'rfq_expired' },
} as const

/**
 * Ends an RFQ. Events: `block_rfq_quote` of each quote, `block_rfq` of each trigger that waits, then `block_rfq` of the
 * RFQ.
 */
export function closeRfq(turn: Turn, rfq: RfqRow, state: keyof typeof ends, rfqReason: RfqReason): void {
  const { change, reason, trigger } = ends[state]
  for (const quote of [...rfq.quotes.values()]) endRfqQuote(turn, rfq, quote, { change, reason })
  for (const each of rfq.triggers) {
    if (each.state === 'untriggered') cancelTrigger(turn, rfq, each, trigger)
  }
  noteSeen(turn.exchange, rfq, false)
  if (state === 'filled') rfq.included = true
  rfq.state = state
  rfq.closedAt = turn.exchange.now
  rfq.shown = emptyDisplay
  cancel(turn.exchange.timers, rfq.expiry)
  turn.exchange.rfqs.open.delete(rfq.rfq)
  const [first] = rfq.trades
  const last = rfq.trades.at(-1)
  const fill =
    first === undefined || last === undefined
      ? {}
      : {
          side: first.side,
          price: last.price,
          makers: new Set(rfq.trades.map(({ maker }) => maker)).size,
        }
  emitRfq(turn, rfq, { change: state, reason: rfqReason, ...fill })
}

/** Cancels a trigger that waits. Events: `block_rfq` trigger_cancelled. */
export function cancelTrigger(turn: Turn, rfq: RfqRow, trigger: RfqTrigger, reason: RfqReason): void {
  rfq.triggers = rfq.triggers.map((each) => (each === trigger ? { ...each, state: 'cancelled', reason } : each))
  emitRfq(turn, rfq, { change: 'trigger_cancelled', reason, side: trigger.side, price: trigger.price })
}

/** Cancels the RFQs that contain an instrument which can no longer be traded. */
export function closeRfqsOf(turn: Turn, instrument: InstrumentId): void {
  for (const number of [...turn.exchange.rfqs.open]) {
    const rfq = rfqAt(turn.exchange, number)
    if (isPartOf(rfq, instrument)) {
      closeRfq(turn, rfq, 'cancelled', 'instrument_closed')
    }
  }
}

function isPartOf(rfq: RfqRow, instrument: InstrumentId): boolean {
  return rfq.hedge?.instrument === instrument || rfq.legs.some((leg) => leg.instrument === instrument)
}

/** The numbers of an RFQ and of its quote. */
interface RfqQuoteKey {
  readonly rfq: number
  readonly quote: number
}

/** Ends a quote that has expired. */
export function expireRfqQuote(turn: Turn, { rfq: number, quote: id }: RfqQuoteKey): void {
  const rfq = rfqAt(turn.exchange, number)
  const quote = rfq.quotes.get(id)
  if (quote === undefined) return
  endRfqQuote(turn, rfq, quote, { change: 'expired', reason: 'quote_expired' })
  refreshShown(turn, rfq, 'quotes')
}

/** Ends an RFQ that has expired. */
export function expireRfq(turn: Turn, number: number): void {
  closeRfq(turn, rfqAt(turn.exchange, number), 'expired', 'rfq_expired')
}

/** Forgets RFQs that closed before the window of ratings. */
export function forgetRfqs({ rfqs, config, now }: Exchange): void {
  const since = now - config.blockRfqs.ratingWindow
  for (const [number, { closedAt }] of rfqs.rfqs) {
    if (closedAt !== null && closedAt < since) rfqs.rfqs.delete(number)
    else if (closedAt !== null) return
  }
}
