/**
 * The guard around the callbacks of strategies, so that nothing but the run decides what they do. The one that
 * reaches the globals of a platform is made by whoever loads strategy modules, and injected.
 */
import type { Micros } from '../../core/index.ts'

/** A strategy from the view of its guard. */
export interface GuardedSeat {
  readonly name: string
  readonly now: Micros
  /** The next number of the strategy's random stream: a multiple of 2^-53 in [0, 1). */
  random(): number
}

/** Wraps the calls of strategies. */
export interface StrategyGuard {
  /** Whose callback runs; null outside of callbacks, where everything is as it always is. */
  seat: GuardedSeat | null
  /** Called before a stretch of synchronous work in which callbacks run. */
  enter(): void
  /** Called after it, whatever came of it: everything is put back. */
  leave(): void
  /** Takes a line that a strategy writes. */
  log(seat: GuardedSeat, text: string): void
}

/** A guard that guards nothing, as in a browser, where lines go nowhere. */
export const noGuard: StrategyGuard = {
  seat: null,
  enter: () => undefined,
  leave: () => undefined,
  log: () => undefined,
}
