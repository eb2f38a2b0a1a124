/**
 * Events as text, one line each: changes of orders with their numbers, trades with price, size and the two orders.
 * Amounts are those of the instrument, prices decimals. For tests that show the whole sequence of events.
 */

import type { Exchange } from '../../src/engine/index.ts'
import {
  amountTextOfLots,
  type Event,
  type Instrument,
  numberOfId,
  type OrderChanged,
  type Trade,
} from '../../src/model/index.ts'
import { type EventWord, wordOf } from './event-words.ts'
import { type Outcome, priceText } from './harness.ts'

/** A holder of the exchange and its instruments. */
interface Place {
  readonly exchange: Exchange
}

/** Kinds of events of reference prices and settlements; stories of orders omit them. */
const moneyKinds: ReadonlySet<Event['kind']> = new Set([
  'funding_rate',
  'funding',
  'delivery_price',
  'settlement',
  'instrument_settlement',
  'bankruptcy',
  'shared_loss',
  'currency_bankruptcy',
])

/** True if an event belongs to a story of orders; books also close and open at each settlement. */
export function isOfOrders(event: Event): boolean {
  const isSettlement = event.kind === 'state' && event.cause === 0
  return !moneyKinds.has(event.kind) && !isSettlement
}

/** Words of the events of a request, in order, except events of money. */
export function orderKindsOf(outcome: Outcome): readonly EventWord[] {
  return outcome.events.filter(isOfOrders).map(wordOf)
}

/** The events of a request, one per line, except events of money. */
export function storyOf(m: Place, reported: { readonly events: readonly Event[] }): string[] {
  return reported.events.filter(isOfOrders).map((event) => lineOf(m, event))
}

function lineOf(m: Place, event: Event): string {
  switch (event.kind) {
    case 'trade':
      return tradeLine(event, instrumentOf(m, event.instrument))
    case 'request':
      return 'done'
    case 'refusal':
      return `refused, ${event.refusal.reason}`
    case 'index':
      return `index ${priceText(event.price)}`
    case 'mark':
      return `mark ${priceText(event.price)}`
    case 'state':
      return `book ${event.state}`
    default:
      if (event.kind !== 'order') return wordOf(event)
      return orderLine(event, instrumentOf(m, event.instrument))
  }
}

function orderLine(event: OrderChanged, instrument: Instrument): string {
  const number = numberOfId(event.order)
  const text = (lots: OrderChanged['amount']): string => amountTextOfLots(instrument, lots)
  switch (event.change) {
    case 'opened':
      return `${number} opened${event.state === 'untriggered' ? ', waits' : ''}`
    case 'filled':
      return `${number} filled ${text(event.filled)} of ${text(event.amount)}`
    case 'rested':
      return `${number} rested`
    case 'edited':
      return `${number} edited`
    case 'resized':
      return `${number} resized to ${text(event.amount)}, ${event.reason}`
    case 'refreshed':
      return `${number} shows ${text(event.shown)}`
    case 'triggered':
      return `${number} triggered as ${numberOfId(event.successor)}`
    case 'rejected':
      return `${number} rejected, ${event.reason}`
    case 'cancelled':
      return `${number} cancelled, ${event.reason}`
  }
}

function tradeLine({ maker, taker, amount, price }: Trade, instrument: Instrument): string {
  const size = amountTextOfLots(instrument, amount)
  const parties = `${numberOfId(maker.order)} with ${numberOfId(taker.order)}`
  return `${maker.rule === 'hidden' ? 'hidden' : 'trade'} ${size} at ${priceText(price)}, ${parties}`
}

function instrumentOf(m: Place, id: number): Instrument {
  const row = m.exchange.instruments[id]
  if (row === undefined) throw new Error(`no instrument ${id}`)
  return row.instrument
}
