/**
 * Applies fault rules to the messages of a strategy. Each message is checked when it arrives, before any delivery.
 *
 * A delayed message waits in a separate queue of the strategy runner and is not checked again.
 */

import {
  AssertionFailure,
  cancel,
  type InstrumentId,
  micros,
  schedule,
  type TimerId,
  timerCount,
} from '../../core/index.ts'
import { type Exchange, instrumentAt } from '../../engine/index.ts'
import { type FaultMessage, faultOf, LATE_MAX } from '../../faults/index.ts'
import type { MarketMessage } from '../../model/index.ts'
import { noteDue } from './agenda.ts'
import type { News } from './news.ts'
import type { Late, Seat } from './seat.ts'

/** The effect of the fault rules on a message: delivered now, later or never. */
export type FaultOutcome = 'passes' | 'late' | 'lost'

/** A message that has reached a strategy, and its time at the exchange. */
interface MarketArrival {
  readonly exchange: Exchange
  readonly message: MarketMessage | News
  readonly time: number
}

/**
 * Applies fault rules to recorded messages and news, under the names of the channels that would notify a client of
 * them.
 */

/** Applies the fault rules to a message to a strategy. Messages without a callback pass. */
export function applyMarketFaults(seat: Seat, arrival: MarketArrival): FaultOutcome {
  const name = channelOf(arrival)
  if (name === null || !listensTo(seat, arrival.message)) return 'passes'
  return applyFaults(seat, { of: 'notifications', name }, () => lateOf(arrival))
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
      if (message.event.kind === 'index') return `deribit_price_index.${message.event.index}`
      const name = nameOf(message.event.instrument)
      return message.event.kind === 'mark' ? `ticker.${name}.raw` : `perpetual.${name}.raw`
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
  switch (message.kind) {
    case 'trades':
    case 'closed_trade':
      return strategy.onTrade !== undefined
    case 'event': {
      const callbacks = { index: strategy.onIndex, mark: strategy.onMark, funding_rate: strategy.onFunding }
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

/** True if fault rules or reordered messages may affect the next message. */
export function isFaulty({ faults, overtaken }: Seat): boolean {
  return faults !== null && (faults.rules.length > 0 || overtaken.length > 0)
}

/**
 * Applies the fault rules to a message at its time, and queues it if it is delayed. `late` creates the queued message,
 * also the copy for a repeated one.
 */
export function applyFaults(
  seat: Seat,
  message: Pick<FaultMessage, 'of' | 'name'>,
  late: (isCopy: boolean) => Late,
): FaultOutcome {
  const { faults, accountName: account, now: time } = seat
  const rule = faults === null ? null : faultOf(faults, { of: message.of, name: message.name, account, time })
  switch (rule?.kind) {
    case undefined:
      letGo(seat)
      return 'passes'
    case 'double':
      if (hasRoom(seat)) keep(seat, time, late(true))
      letGo(seat)
      return 'passes'
    case 'delay':
      if (!hasRoom(seat)) return 'lost'
      keep(seat, time + rule.by, late(false))
      return 'late'
    case 'reorder':
      if (!hasRoom(seat)) return 'lost'
      seat.overtaken.push(keep(seat, time + rule.by, late(false)))
      return 'late'
    case 'drop':
    case 'half_open':
    case 'refuse':
      return 'lost'
  }
}

function hasRoom(seat: Seat): boolean {
  return timerCount(seat.late) < LATE_MAX
}

function keep(seat: Seat, time: number, payload: Late): TimerId {
  const bounded = micros(Math.min(time, Number.MAX_SAFE_INTEGER))
  noteDue(seat.agenda, seat.place, bounded)
  return schedule(seat.late, { time: bounded, rank: 0, payload })
}

/** The message after the reordered ones has arrived, so these follow it at once. */
function letGo(seat: Seat): void {
  if (seat.overtaken.length === 0) return
  const { late, overtaken } = seat
  seat.overtaken = []
  for (const id of overtaken) {
    const waiting = late.entryById.get(id)
    if (waiting !== undefined && cancel(late, id)) keep(seat, seat.now, waiting.timer.payload)
  }
}
