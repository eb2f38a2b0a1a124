/**
 * Applies fault rules to the messages of a strategy. Each message is checked when it arrives, before any delivery.
 *
 * A delayed message waits in a separate queue of the strategy runner and is not checked again.
 */
import { cancel, micros, schedule, type TimerId, timerCount } from '../../core/index.ts'
import { type FaultMessage, faultOf, LATE_MAX } from '../../faults/index.ts'
import { noteDue } from './agenda.ts'
import type { Late, Seat } from './seat.ts'

/** The effect of the fault rules on a message: delivered now, later or never. */
export type Fate = 'passes' | 'late' | 'lost'

/** True if fault rules or reordered messages may affect the next message. */
export function isFaulty({ faults, overtaken }: Seat): boolean {
  return faults !== null && (faults.rules.length > 0 || overtaken.length > 0)
}

/**
 * Applies the fault rules to a message at its time, and queues it if it is delayed. `late` creates the queued message,
 * also the copy for a repeated one.
 */
export function fateOf(
  seat: Seat,
  { of, name }: Pick<FaultMessage, 'of' | 'name'>,
  late: (isCopy: boolean) => Late,
): Fate {
  const { faults, accountName: account, now: time } = seat
  const rule = faults === null ? null : faultOf(faults, { of, name, account, time })
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

function hasRoom({ late }: Seat): boolean {
  return timerCount(late) < LATE_MAX
}

function keep({ late, agenda, place }: Seat, time: number, payload: Late): TimerId {
  const bounded = micros(Math.min(time, Number.MAX_SAFE_INTEGER))
  noteDue(agenda, place, bounded)
  return schedule(late, { time: bounded, rank: 0, payload })
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
