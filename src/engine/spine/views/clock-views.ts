/**
 * The timers of an exchange as others see them.
 */
import { peekTime } from '../../../core/index.ts'
import type { Exchange } from '../../state/index.ts'

/** The time of the next timer, in microseconds; infinite where none is set. Timers of connections are left out. */
export function nextDue({ timers }: Exchange): number {
  return peekTime(timers)
}
