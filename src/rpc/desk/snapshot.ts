/**
 * Snapshots of a request router as bytes, and back (see `desk/desk-bytes.ts`).
 */
import { checkArgument, checkOptions, ok, type Result, type SectionFault } from '../../core/index.ts'
import type { EventSink } from '../../model/index.ts'
import type { HistoryFile } from '../history/index.ts'
import type { MethodSet } from '../methods/index.ts'
import { type Desk, wireDesk } from './desk.ts'
import { decodeDesk, encodeDesk } from './desk-bytes.ts'
import type { Waiter } from './pending.ts'

/**
 * Saves a request router as bytes. Call it between requests; requests may still wait for their replies.
 *
 * @throws RangeError with the code `OPTION` if an argument has another kind.
 *
 * @example
 * const venue = openVenue({ start: '2026-01-05T09:00:00Z', accounts: { ann: { BTC: 1 } } })
 * const desk = restoreDesk(snapshotDesk(venue.desk), sinkOf({}), { methods: venueMethods })
 * console.log(desk.ok && findAccount(desk.value.exchange, 'ann')?.name) // ann
 */
export function snapshotDesk(desk: Desk): Uint8Array {
  checkArgument('snapshotDesk: desk', desk, 'object')
  return encodeDesk(desk)
}

/** Options of a restored router. */
export interface RestoreOptions {
  /** Returns the receiver of a pending reply. Without it, pending replies have no receiver. */
  readonly waiter?: Waiter | undefined
  /** Takes every event, like `watch` of `createDesk`. */
  readonly watch?: EventSink | undefined
  /** The methods that it serves: those of the saved router. */
  readonly methods: MethodSet
  /** The log and the notes of the saved router, if it had `histories`. */
  readonly histories?: HistoryFile | undefined
}

/**
 * Restores a request router from the bytes of a snapshot; its events go to `sink`. An error names section and byte.
 *
 * @throws RangeError with the code `OPTION` if an option does not exist.
 *
 * @example
 * const venue = openVenue({ start: '2026-01-05T09:00:00Z', accounts: { ann: { BTC: 1 } } })
 * const { methods } = venue.desk
 * const desk = restoreDesk(snapshotDesk(venue.desk), sinkOf({}), { methods })
 * console.log(desk.ok && desk.value.methods.find('sim/direct/logon') !== undefined) // true
 * console.log(restoreDesk(new Uint8Array(4), sinkOf({}), { methods }).ok) // false
 */
export function restoreDesk(bytes: Uint8Array, sink: EventSink, options: RestoreOptions): Result<Desk, SectionFault> {
  checkArgument('restoreDesk: bytes', bytes, 'object')
  checkArgument('restoreDesk: sink', sink, 'object')
  checkOptions('restoreDesk', options, {
    waiter: 'function?',
    watch: 'object?',
    methods: 'object',
    histories: 'object?',
  })
  const { waiter = () => null, watch, methods, histories = null } = options
  const state = decodeDesk(bytes, methods, waiter, histories)
  if (!state.ok) return state
  return ok(wireDesk(state.value, sink, () => state.value.exchange, watch))
}
