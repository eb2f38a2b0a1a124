/** The clock of an exchange, its settings, and its counters. */
import { type Micros, peekTime } from '../../../core/index.ts'
import type { ExchangeConfig } from '../../../model/index.ts'
import type { Exchange } from '../../state/index.ts'

/**
 * The virtual time.
 *
 * @example
 * const exchange = createExchange(defaultConfig(micros(0)), sinkOf({}))
 * console.log(timeOf(exchange)) // 0
 */
export function timeOf({ now }: Exchange): Micros {
  return now
}

/**
 * Returns the configuration of the exchange.
 *
 * @example
 * const exchange = createExchange(defaultConfig(micros(0)), sinkOf({}))
 * console.log(configOf(exchange).selfMatch) // reject_taker
 */
export function configOf({ config }: Exchange): ExchangeConfig {
  return config
}

/**
 * Returns the sequence number of the last command; 0 before the first one.
 *
 * @example
 * const venue = openVenue({ start: '2026-01-05T09:00:00Z', accounts: { ann: { BTC: 1 } } })
 * console.log(lastSequenceOf(venue.exchange)) // 2
 */
export function lastSequenceOf({ lastSequence }: Exchange): number {
  return lastSequence
}

/**
 * Returns the number of the last event; 0 before the first one.
 *
 * @example
 * const venue = openVenue({ start: '2026-01-05T09:00:00Z', accounts: { ann: { BTC: 1 } } })
 * console.log(eventCountOf(venue.exchange) > 0) // true
 */
export function eventCountOf({ eventCount }: Exchange): number {
  return eventCount
}

/** The time of the next timer, in microseconds; infinite without a timer. Timers of connections are not included. */
export function nextDue({ timers }: Exchange): number {
  return peekTime(timers)
}
