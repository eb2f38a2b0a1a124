/**
 * The request that is being processed, as its events describe it: its answer reports some changes of orders, so no
 * message reports them again.
 *
 * An answer reports the order that a request placed, amended or cancelled, and the quotes that it placed, changed or
 * cancelled. The answer to a request for many orders names no order. Source: sessions document 8.6; S287, S331.
 */
import type { EventOf, OrderChanged, Trade } from '../model/index.ts'
import type { MessageHistory, RequestAtWork } from '../rpc/index.ts'

/** The request that caused an event, if it is being processed and has touched an order; otherwise null. */
export function requestWorkOf(history: MessageHistory, cause: number): RequestAtWork | null {
  const { work, answered } = history.messages
  return work !== null && work.cause === cause && cause > answered ? work : null
}

/** Notes what a request did to an order. It is called after the messages about the change. */
export function noteWork(history: MessageHistory, event: OrderChanged): void {
  if (event.cause <= history.messages.answered) return
  const work = requestWorkOf(history, event.cause)
  const isOther = work !== null && work.order !== event.order
  const quotes = quotesAfter(work?.quotes ?? [], event)
  if (work === null || isOther) {
    history.messages.work = work === null ? begunBy(event, quotes) : { ...work, quotes }
    return
  }
  history.messages.work = { ...work, quotes, amend: work.amend === null ? null : { ...work.amend, now: event } }
}

/**
 * The state of a request after its first order event: an order that it placed or amended, or an order of another
 * request that it affected.
 */
function begunBy(event: OrderChanged, quotes: RequestAtWork['quotes']): RequestAtWork {
  const isAmend = event.change === 'edited' || event.reason === 'edit_post_only_reject'
  const isForeign = isAmend && event.by?.session !== undefined && event.extras?.quote == null
  const start = { now: event, isQueued: false, trades: [] }
  return {
    cause: event.cause,
    order: event.order,
    isPlaced: event.change === 'opened' || event.change === 'edited',
    amend: isForeign ? { correlationId: event.by?.correlationId ?? null, ...start } : null,
    quotes,
  }
}

function quotesAfter(
  quotes: RequestAtWork['quotes'],
  { order, change, extras, by }: OrderChanged,
): RequestAtWork['quotes'] {
  const isChange = change === 'opened' || change === 'edited'
  if (!isChange || extras?.quote == null || extras.direct === null) return quotes
  return [...quotes, { order, isForeign: by?.session !== undefined }]
}

/** Notes whether the order of an amend waits behind the speed bump. */
export function noteWaiting(history: MessageHistory, event: EventOf<'bump'>): void {
  const work = requestWorkOf(history, event.cause)
  const amend = work?.amend ?? null
  if (work === null || amend === null || work.order !== event.order) return
  const isQueued = event.change === 'queued' || event.change === 'restarted'
  history.messages.work = { ...work, amend: { ...amend, isQueued } }
}

/** Notes a trade of an amended order. */
export function noteWorkTrade(history: MessageHistory, trade: Trade): void {
  const work = requestWorkOf(history, trade.cause)
  const amend = work?.amend ?? null
  if (work === null || amend === null || trade.taker.order !== work.order) return
  history.messages.work = { ...work, amend: { ...amend, trades: [...amend.trades, trade] } }
}

/** Notes that a request is complete. Messages report its later effects. */
export function endWork({ messages }: MessageHistory, { cause }: EventOf<'request'>): void {
  if (cause > messages.answered) messages.answered = cause
  messages.work = null
}

/**
 * Who learns about the end of an order from the answer to the request: `own` if that is the session that placed the
 * order, `foreign` if it is another session (the placing session gets a message since version 17), null if no answer
 * reports it.
 */
export function answerTelling(history: MessageHistory, event: OrderChanged): 'own' | 'foreign' | null {
  if (event.cause <= history.messages.answered || event.by?.isBulk === true) return null
  if (event.reason === 'user_request') return event.by?.session === undefined ? 'own' : 'foreign'
  // The answer to an amend goes to both sessions.
  if (event.reason === 'edit_post_only_reject') return 'own'
  const work = requestWorkOf(history, event.cause)
  if (work === null) return null
  const quote = work.quotes.find((each) => each.order === event.order)
  if (quote !== undefined) return quote.isForeign ? 'foreign' : 'own'
  return work.isPlaced && work.order === event.order ? 'own' : null
}
