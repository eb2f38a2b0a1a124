/**
 * How the engine writes the frequent events into a log without making objects of them. The writer comes with the log,
 * so that whoever has no log loads none of what writes it.
 */
import type { RareOrderTerms } from '../../order.ts'
import type { EventRow } from '../event.ts'
import type { EventHeader } from '../family.ts'
import type { CommonOrderTerms, OrderNow } from '../order-event.ts'
import type { PlainOrderNow } from './order-records.ts'
import type { PlainTrade } from './plain-trades.ts'
import type { TradeRow } from './trade-records.ts'

/** Appends events to the log that it came with. */
export interface LogWriter {
  /** Appends the event of an order: its terms, those that few orders have, and where it stands. */
  order(header: EventHeader, order: CommonOrderTerms, terms: RareOrderTerms, now: OrderNow): void
  /** The same of an order that has none of the terms that few orders have. */
  plainOrder(now: PlainOrderNow): void
  /** Appends a trade. */
  trade(trade: TradeRow): void
  /** The same of two orders of the run that met in the book of a future, outside of liquidations. */
  plainTrade(trade: PlainTrade): void
  /** Appends the end of a request. */
  request(header: EventHeader, end: EventRow<'request'>): void
}

type Taker = (event: never) => void

/** The writers of the logs behind takers that do nothing but append. */
const writersBehind = new WeakMap<Taker, LogWriter>()

/** Notes that a taker does nothing but append to the log of a writer. */
export function noteWriter(take: Taker, writer: LogWriter): void {
  writersBehind.set(take, writer)
}

/** The writer of the log that a taker appends its events to, or null where it does anything else with them. */
export function writerBehind(take: Taker): LogWriter | null {
  return writersBehind.get(take) ?? null
}
