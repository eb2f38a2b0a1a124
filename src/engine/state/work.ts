/**
 * Work that a command sets off and does not do itself: placements, each a command of the engine in its turn (C06).
 * The queue is first in first out and empty between commands.
 */
import type { Lots, OrderId } from '../../core/index.ts'

/** One placement that waits for its turn. */
export type Work =
  /** A trigger order fired. */
  | { readonly kind: 'activate'; readonly order: OrderId }
  /** The turn of a dormant secondary came, with the fill of its primary. */
  | {
      readonly kind: 'place_secondary'
      readonly secondary: OrderId
      /** Filled size of the primary by then, and its whole size. */
      readonly filled: Lots
      readonly amount: Lots
    }
