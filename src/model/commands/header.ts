/**
 * The header of every command.
 */
import type { AccountId, Micros, Sequence } from '../../core/index.ts'
import type { RateCharge } from '../protection/rate-limits.ts'
import type { Fault } from '../refusal.ts'
import type { DirectMessage } from '../words/protections.ts'

/** The fields of every command. */
export interface CommandHeader {
  readonly time: Micros
  readonly sequence: Sequence
  readonly account: AccountId | -1
  readonly session: number
  /** The mistake that the reader of the request found, or null. */
  readonly fault: Fault | null
  /** The bucket it is paid from, where rates are limited; free where it is left out. */
  readonly charge?: RateCharge | undefined
  /** Message of direct access; absent for other requests. */
  readonly message?: DirectMessage
  /** The number that such a message gave itself; left out where it gave none. */
  readonly correlationId?: string | undefined
}
