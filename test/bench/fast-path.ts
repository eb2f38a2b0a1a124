/**
 * Counts the commands that take the fast path: the engine writes all their events into the log as plain records and
 * creates no event object. An event object, or the long record of an order or a trade with rare terms, takes its
 * command off the path.
 *
 * The counter stands between the engine and the sink of a run and passes everything on. It hands the engine writers of
 * exactly the families with a writer in that sink, so the engine takes the same path as without it. It costs time:
 * count in a separate pass.
 */
import type { MarketSource } from '../../src/backtest/index.ts'
import { lastSequenceOf } from '../../src/engine/index.ts'
import { noteWriter } from '../../src/model/events/log/log-writer.ts'
import {
  type Event,
  type EventTakers,
  eventFamilies,
  type LogWriter,
  logsOf,
  sinkOf,
} from '../../src/model/index.ts'
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
  Object.assign(desk, { sink: notingSink(desk, note) })
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

/** The sink of a desk, with a note of the cause of each event that becomes an object or a long record. */
function notingSink({ sink }: Desk, note: (cause: number) => void): Desk['sink'] {
  const take = (event: Event): void => {
    note(event.cause)
    sink.emit(event)
  }
  const logs: { readonly [family: string]: LogWriter | null } = { ...logsOf(sink) }
  const takers: Record<string, (event: Event) => void> = {}
  for (const family of Object.keys(eventFamilies)) {
    const taker = (event: Event): void => take(event)
    takers[family] = taker
    const log = logs[family] ?? null
    if (log !== null) noteWriter(taker, notingWriter(log, note))
  }
  // Each taker takes events of any family.
  return sinkOf(takers as EventTakers)
}

function notingWriter(log: LogWriter, note: (cause: number) => void): LogWriter {
  return {
    ...log,
    order: (header, ...order) => {
      note(header.cause)
      log.order(header, ...order)
    },
    trade: (trade) => {
      note(trade.cause)
      log.trade(trade)
    },
  }
}
