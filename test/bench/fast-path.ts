/**
 * Counts the commands that take the fast path: the engine appends all their events to the log as plain records. An event
 * that the engine has as an object, or the long record of an order or a trade with rare terms, takes its command off the
 * path. Objects that readers make of records do not count.
 *
 * It notes the calls of the log's methods, which costs time: count in a separate pass.
 */
import type { MarketSource } from '../../src/backtest/index.ts'
import { lastSequenceOf } from '../../src/engine/index.ts'
import { type EventLog, logOf } from '../../src/model/index.ts'
import type { Desk } from '../../src/rpc/index.ts'

/** The commands of a run, and how many of them took the fast path. */
export interface FastPathCount {
  readonly requests: { readonly all: number; readonly fast: number }
  /** Recorded messages. */
  readonly messages: { readonly all: number; readonly fast: number }
}

/** Counts the commands that a desk and its loop apply from now on. Returns the function that gives the counts. */
export function countFastPath(desk: Desk, market: MarketSource | null): () => FastPathCount {
  const first = lastSequenceOf(desk.exchange)
  const slow = new Set<number>()
  const messages = { all: 0, slow: 0, isSlow: false }
  const note = (cause: number): void => {
    if (cause > 0) slow.add(cause)
    else messages.isSlow = true
  }
  noteSlow(logOf(desk.sink), note)
  const endMessage = (): void => {
    if (messages.isSlow && messages.all > 0) messages.slow += 1
    messages.isSlow = false
  }
  if (market !== null) {
    const next = market.next.bind(market)
    const counted: MarketSource['next'] = () => {
      endMessage()
      messages.all += 1
      return next()
    }
    Object.assign(market, { next: counted })
  }
  return () => {
    endMessage()
    const requests = lastSequenceOf(desk.exchange) - first
    return {
      requests: { all: requests, fast: requests - slow.size },
      messages: { all: messages.all, fast: messages.all - messages.slow },
    }
  }
}

/** Notes the cause of each event that the engine has as an object, or that becomes a long record. */
function noteSlow(log: EventLog, note: (cause: number) => void): void {
  const { append, order, trade } = log
  const noting: Pick<EventLog, 'append' | 'order' | 'trade'> = {
    append: (event) => {
      note(event.cause)
      append.call(log, event)
    },
    order: (header, ...rest) => {
      note(header.cause)
      order.call(log, header, ...rest)
    },
    trade: (row) => {
      note(row.cause)
      trade.call(log, row)
    },
  }
  Object.assign(log, noting)
}
