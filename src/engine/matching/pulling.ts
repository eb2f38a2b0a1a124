/**
 * Taking an order back, whoever wants it gone: its owner, a protection, a session that ends.
 */
import type { CancelReason, ConversionReason } from '../../model/index.ts'
import { convertWaiting } from '../bump/waiting.ts'
import type { Turn } from '../emit.ts'
import { orderAt } from '../state/orders.ts'
import { endOrder } from './ending.ts'

/** What became of an order that was to go: behind the speed bump it waits on as immediate-or-cancel. */
export type Pulled = 'cancelled' | 'converted'

/** Cancels a live order, and what ends with it; behind the speed bump it waits on. */
export function pullOrder(
  turn: Turn,
  slot: number,
  reason: CancelReason & ConversionReason,
): Pulled {
  if (orderAt(turn.exchange, slot).stage === 'bumped') {
    convertWaiting(turn, slot, reason)
    return 'converted'
  }
  endOrder(turn, slot, reason)
  return 'cancelled'
}
