/** Delivers messages that faults have delayed, at their time. */
import { defined, type InputError, micros, peekTime, popDue } from '../../core/index.ts'
import { deliverNow } from './deliver.ts'
import { deliverLateMarket, type Member, type RecordedDelivery } from './recorded-delivery.ts'

/** Delivers the delayed message that is due first. */
export function deliverLate(at: Member, delivery: RecordedDelivery): InputError | null {
  const { seat } = at
  const time = micros(peekTime(seat.late))
  const { id, payload } = defined(popDue(seat.late, time), 'a late delivery waits until its time')
  seat.now = time
  seat.overtaken = seat.overtaken.filter((waiting) => waiting !== id)
  return payload.kind === 'response'
    ? deliverNow(at, payload.response, delivery.exchange)
    : deliverLateMarket(at, payload, delivery)
}
