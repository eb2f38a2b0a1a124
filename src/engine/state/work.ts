/**
 * Placements that a command causes but does not perform itself. Each runs as a separate command of the engine, in its
 * turn (C06). The queue is first in, first out, and empty between commands.
 */
import type { Lots, OrderId } from '../../core/index.ts'

/** A queued placement. */
export type Work =
  /** A trigger order fired. */
  | { readonly kind: 'activate'; readonly order: OrderId }
  /** A dormant secondary is due because of a fill of its primary. */
  | {
      readonly kind: 'place_secondary'
      readonly secondary: OrderId
      /** Filled size and total size of the primary at that fill. */
      readonly filled: Lots
      readonly amount: Lots
    }
