/**
 * The request at work, as its events tell it: which changes of orders its answer tells, so that no message does.
 *
 * An answer tells of the order that a request placed, amended or cancelled, and of the quotes that it placed, changed
 * or took back. A request for many orders names none. Source: sessions document 8.6; S287, S331.
 */
import type { EventOf, OrderChanged, Trade } from '../model/index.ts'
import type { MessageHistory, RequestAtWork } from '../rpc/index.ts'

/** The request that an event belongs to, while it is at work and touched an order; null for others. */
export function requestWorkOf(
  { messages }: MessageHistory,
  { cause }: { readonly cause: number },
): RequestAtWork | null {
  const { work, answered } = messages
  return work !== null && work.cause === cause && cause > answered ? work : null
}

/** Notes what a request did to an order. Called after whoever tells the change. */
export function noteWork(history: MessageHistory, event: OrderChanged): void {
  const { messages } = history
  if (event.cause <= messages.answered) return
  const work = requestWorkOf(history, event)
  const isOther = work !== null && work.order !== event.order
  const quotes = quotesAfter(work?.quotes ?? [], event)
  if (work === null || isOther) {
    messages.work = work === null ? begunBy(event, quotes) : { ...work, quotes }
    return
  }
  const { amend } = work
  messages.work = { ...work, quotes, amend: amend === null ? null : { ...amend, now: event } }
}

/** A request begins with its first order: one that it placed or amended itself, or what its doing did to others. */
function begunBy(event: OrderChanged, quotes: RequestAtWork['quotes']): RequestAtWork {
  const { cause, order, change, reason, by, extras } = event
  const isAmend = change === 'edited' || reason === 'edit_post_only_reject'
  const isForeign = isAmend && by?.session !== undefined && extras?.quote == null
  const start = { now: event, isQueued: false, trades: [] }
  return {
    cause,
    order,
    isPlaced: change === 'opened' || change === 'edited',
    amend: isForeign ? { correlationId: by?.correlationId ?? null, ...start } : null,
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

/** Notes that the order of an amend waits behind the speed bump, or waits no more. */
export function noteWaiting(history: MessageHistory, event: EventOf<'bump'>): void {
  const { messages } = history
  const work = requestWorkOf(history, event)
  const amend = work?.amend ?? null
  if (work === null || amend === null || work.order !== event.order) return
  const isQueued = event.change === 'queued' || event.change === 'restarted'
  messages.work = { ...work, amend: { ...amend, isQueued } }
}

/** Notes what the order of an amend traded. */
export function noteWorkTrade(history: MessageHistory, trade: Trade): void {
  const { messages } = history
  const work = requestWorkOf(history, trade)
  const amend = work?.amend ?? null
  if (work === null || amend === null || trade.taker.order !== work.order) return
  messages.work = { ...work, amend: { ...amend, trades: [...amend.trades, trade] } }
}

/** Notes that a request is complete; what it sets off afterwards is told by itself. */
export function endWork({ messages }: MessageHistory, { cause }: EventOf<'request'>): void {
  if (cause > messages.answered) messages.answered = cause
  messages.work = null
}

/**
 * How the answer to the request at work tells that an order went: `own` to the session that placed it, `foreign` to
 * another one, which is told by a message since version 17; null where no answer tells it.
 */
export function answerTelling(history: MessageHistory, event: OrderChanged): 'own' | 'foreign' | null {
  const { by, reason, cause, order } = event
  if (cause <= history.messages.answered || by?.isBulk === true) return null
  if (reason === 'user_request') return by?.session === undefined ? 'own' : 'foreign'
  // An amend answers both sessions.
  if (reason === 'edit_post_only_reject') return 'own'
  const work = requestWorkOf(history, event)
  if (work === null) return null
  const quote = work.quotes.find((each) => each.order === order)
  if (quote !== undefined) return quote.isForeign ? 'foreign' : 'own'
  return work.isPlaced && work.order === order ? 'own' : null
}
