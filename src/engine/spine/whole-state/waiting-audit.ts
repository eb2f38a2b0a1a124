/** The audit of orders behind the speed bump. */
import { assert } from '../../../core/index.ts'
import { countWaiting, type Exchange, type WaitingCounts } from '../../state/index.ts'

/** Recounts waiting orders for the limits of the queue and of each Member. */
export function auditWaiting({ bumps, waiting }: Exchange): void {
  const found: WaitingCounts = new Map()
  for (const bump of bumps.values()) countWaiting(found, bump, 1)
  assert(found.size === waiting.size, 'the gateway pairs with waiting orders are counted')
  for (const [pair, { all, ofMembers }] of found) {
    const counted = waiting.get(pair)
    assert(counted?.all === all, 'the waiting orders of a gateway pair are counted')
    assert(counted.ofMembers.size === ofMembers.size, 'the Members with waiting orders are counted')
    for (const [member, number] of ofMembers) {
      assert(counted.ofMembers.get(member) === number, 'the waiting orders of a Member are counted')
    }
  }
}
