/**
 * Taking an order back, whoever wants it gone: its owner, a protection, a session that ends.
 */
import type { CancelReason, ConversionReason } from '../../model/index.ts'
import type { Turn } from '../emit.ts'
import { endOrder } from './ending.ts'

/** What became of an order that was to go: behind the speed bump it waits on as immediate-or-cancel. */
export type Pulled = 'cancelled' | 'converted'

/** Cancels a live order, and what ends with it. */
export function pullOrder(
  turn: Turn,
  slot: number,
  reason: CancelReason & ConversionReason,
): Pulled {
  endOrder(turn, slot, reason)
  return 'cancelled'
}
