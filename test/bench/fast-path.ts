/**
 * Counts the inputs that take the fast path. A request takes it if it completes on the straight path
 * (`engine/market/straight.ts`). A recorded message takes it if the engine appends all its events to the log as plain
 * records: not as objects, nor as the long record of an order or a trade with rare terms.
 *
 * It notes the calls of the log's methods and writes to the exchange, which costs time: count in a separate pass.
 */
import type { MarketSource } from '../../src/backtest/index.ts'
import { type Exchange, lastSequenceOf } from '../../src/engine/index.ts'
import { type EventLog, logOf } from '../../src/model/index.ts'
import type { Desk } from '../../src/rpc/index.ts'

/** The inputs of a run, and how many of them took the fast path. */
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
  noteGeneral(desk.exchange, slow)
  noteSlow(logOf(desk.sink), (cause) => {
    if (cause === 0) messages.isSlow = true
  })
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

/** Adds the sequence of each command that the general code applies: it sets `directRequest`, the straight path does not. */
function noteGeneral(exchange: Exchange, slow: Set<number>): void {
  let { directRequest } = exchange
  Object.defineProperty(exchange, 'directRequest', {
    get: () => directRequest,
    set: (request: Exchange['directRequest']) => {
      directRequest = request
      slow.add(lastSequenceOf(exchange))
    },
  })
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
