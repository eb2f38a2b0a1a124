/**
 * Applies fault rules to recorded messages and news, under the names of the channels that would notify a client of
 * them.
 */
import { AssertionFailure, type InstrumentId } from '../../core/index.ts'
import { type Exchange, instrumentAt } from '../../engine/index.ts'
import type { MarketMessage } from '../../model/index.ts'
import { type Fate, fateOf } from './fates.ts'
import type { News } from './news.ts'
import type { Late, Seat } from './seat.ts'

/** A message that has reached a strategy, and its time at the exchange. */
interface MarketArrival {
  readonly exchange: Exchange
  readonly message: MarketMessage | News
  readonly time: number
}

/** Applies the fault rules to a message to a strategy. Messages without a callback pass. */
export function fateOfMarket(seat: Seat, arrival: MarketArrival): Fate {
  const name = channelOf(arrival)
  if (name === null || !listensTo(seat, arrival.message)) return 'passes'
  return fateOf(seat, { of: 'notifications', name }, () => lateOf(arrival))
}

/** The channel that would notify a client of a message; null for a message without a channel. */
function channelOf({ exchange, message }: MarketArrival): string | null {
  const nameOf = (id: InstrumentId): string => instrumentAt(exchange, id).name
  switch (message.kind) {
    case 'book':
    case 'levels':
      return `book.${nameOf(message.instrument)}.raw`
    case 'trades':
    case 'closed_trade':
      return `trades.${nameOf(message.instrument)}.raw`
    case 'settled':
      return 'instrument.state.any.any'
    case 'event': {
      const { event } = message
      if (event.kind === 'index') return `deribit_price_index.${event.index}`
      const name = nameOf(event.instrument)
      return event.kind === 'mark' ? `ticker.${name}.raw` : `perpetual.${name}.raw`
    }
    case 'index':
      return null
  }
}

/**
 * True if a message matters to a strategy: it has a callback for it, or the message changes its books or ends its
 * positions.
 */
function listensTo({ strategy }: Seat, message: MarketMessage | News): boolean {
  const { onTrade, onIndex, onMark, onFunding } = strategy
  switch (message.kind) {
    case 'trades':
    case 'closed_trade':
      return onTrade !== undefined
    case 'event': {
      const callbacks = { index: onIndex, mark: onMark, funding_rate: onFunding }
      return callbacks[message.event.kind] !== undefined
    }
    case 'book':
    case 'levels':
    case 'settled':
    case 'index':
      return true
  }
}

/** The queued form of a message. The rows of a recorded message are copied, because their memory is reused. */
function lateOf({ message, time }: MarketArrival): Late {
  switch (message.kind) {
    case 'book':
    case 'levels':
      return { kind: 'book', instrument: message.instrument }
    case 'trades':
      return { kind: 'prints', message: withOwnRows(message) }
    case 'closed_trade':
    case 'event':
    case 'settled':
      return { kind: 'news', news: message, time }
    case 'index':
      throw new AssertionFailure('a recorded index is never delivered alone')
  }
}

function withOwnRows(message: MarketMessage): MarketMessage {
  const { rows, from, to } = message
  const own = {
    side: rows.side.slice(from, to),
    price: rows.price.slice(from, to),
    amount: rows.amount.slice(from, to),
    row: rows.row.slice(from, to),
  }
  return { ...message, rows: own, from: 0, to: to - from }
}
