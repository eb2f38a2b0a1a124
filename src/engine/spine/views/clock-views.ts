/**
 * The clock of an exchange as others see it, its settings, and the numbers that it counts with.
 */
import { type Micros, peekTime } from '../../../core/index.ts'
import type { ExchangeConfig } from '../../../model/index.ts'
import type { Exchange } from '../../state/index.ts'

/** The virtual time. */
export function timeOf({ now }: Exchange): Micros {
  return now
}

/** The settings that the exchange was made with. */
export function configOf({ config }: Exchange): ExchangeConfig {
  return config
}

/** The sequence number of the last command; 0 before the first. */
export function lastSequenceOf({ lastSequence }: Exchange): number {
  return lastSequence
}

/** The number of the last event; 0 before the first. */
export function eventCountOf({ eventCount }: Exchange): number {
  return eventCount
}

/** The time of the next timer, in microseconds; infinite where none is set. Timers of connections are left out. */
export function nextDue({ timers }: Exchange): number {
  return peekTime(timers)
}
