/**
 * Desks that serve all methods of the venue, from the bytes of their snapshots.
 */
import type { Result, SectionFault } from '../core/index.ts'
import type { EventSink } from '../model/index.ts'
import { type Desk, type RestoreOptions, restoreDesk as restoreOver } from '../rpc/index.ts'
import { venueMethods } from './method-table.ts'

/**
 * A desk from the bytes of a snapshot, its events going to `sink`; a fault names section and byte. It serves all
 * methods of the venue, as that of `openVenue` does; `methods` says others.
 *
 * @example
 * const venue = openVenue({ start: '2026-01-05T09:00:00Z', accounts: { ann: { BTC: 1 } } })
 * const desk = restoreDesk(snapshotDesk(venue.desk), sinkOf({}))
 * console.log(desk.ok && desk.value.methods.find('sim/direct/logon') !== undefined) // true
 * console.log(restoreDesk(new Uint8Array(4), sinkOf({})).ok) // false
 */
export function restoreDesk(
  bytes: Uint8Array,
  sink: EventSink,
  options: RestoreOptions = {},
): Result<Desk, SectionFault> {
  return restoreOver(bytes, sink, { ...options, methods: options.methods ?? venueMethods })
}
