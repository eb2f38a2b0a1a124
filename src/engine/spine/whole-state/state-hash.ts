/**
 * The hash of an exchange's state: equal states have equal hashes on every machine, and states that differ in anything
 * that a snapshot keeps have different ones.
 *
 * It is computed from the sections of a snapshot (see `snapshot.ts`), so that a field that is added there is in the
 * hash too. Derived state is in neither. The configuration is only in the snapshot, because it belongs to the run, not
 * to its state.
 */
import { createStateHash, hashHex, hashPlain, hashText } from '../../../core/index.ts'
import type { Exchange } from '../../state/index.ts'
import { wholeState } from './snapshot.ts'

/**
 * Returns a hash of 32 hexadecimal digits over all state that future events depend on.
 *
 * @example
 * const venue = openVenue({ start: '2026-01-05T09:00:00Z', accounts: { ann: { BTC: 1 } } })
 * const before = stateHash(venue.exchange)
 * venue.as('ann').request('private/get_positions', {})
 * console.log(stateHash(venue.exchange) === before) // false
 */
export function stateHash(exchange: Exchange): string {
  const hash = createStateHash()
  for (const [name, value] of wholeState(exchange)) {
    hashText(hash, name)
    hashPlain(hash, value)
  }
  return hashHex(hash)
}
