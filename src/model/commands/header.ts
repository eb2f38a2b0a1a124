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
  /** The bucket that pays for the command if rates are limited. Commands without a bucket are free. */
  readonly charge?: RateCharge | undefined
  /** Message of direct access; absent for other requests. */
  readonly message?: DirectMessage
  /** The number that the client gave the message; omitted if the client gave none. */
  readonly correlationId?: string | undefined
}
