/**
 * Fates of recorded messages and news, in the words of the channels that would tell a client of them.
 */
import { AssertionFailure, type InstrumentId } from '../../core/index.ts'
import { type Exchange, instrumentAt } from '../../engine/index.ts'
import type { MarketMessage } from '../../model/index.ts'
import { type Fate, fateOf } from './fates.ts'
import type { News } from './news.ts'
import type { Late, Seat } from './seat.ts'

/** A message that has reached a strategy, and the time at which the exchange had it. */
interface MarketArrival {
  readonly exchange: Exchange
  readonly message: MarketMessage | News
  readonly time: number
}

/** Decides about a message to a strategy, which may not listen to it at all. */
export function fateOfMarket(seat: Seat, arrival: MarketArrival): Fate {
  const name = channelOf(arrival)
  if (name === null || !listensTo(seat, arrival.message)) return 'passes'
  return fateOf(seat, { of: 'notifications', name }, () => lateOf(arrival))
}

/** The channel that would tell a client of a message; null for what nobody is told. */
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

/** True if a strategy hears of a message; its books and the end of its positions concern it anyway. */
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

/** A message as it waits: rows of a recorded one are copied, as others are read into their place. */
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
