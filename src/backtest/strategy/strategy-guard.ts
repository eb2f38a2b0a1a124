/**
 * The guard around the callbacks of strategies, so that only the run determines their behaviour. The loader of strategy
 * modules creates the guard that replaces the globals of a platform, and injects it.
 */
import type { Micros } from '../../core/index.ts'

/** A strategy as seen by its guard. */
export interface GuardedSeat {
  readonly name: string
  readonly now: Micros
  /** The next number of the strategy's random stream: a multiple of 2^-53 in [0, 1). */
  random(): number
}

/** Wraps the calls of strategies. */
export interface StrategyGuard {
  /** The strategy whose callback runs; null outside of callbacks, where the globals are the original ones. */
  seat: GuardedSeat | null
  /** Called before a stretch of synchronous work in which callbacks run. */
  enter(): void
  /** Called after it, even after an exception; restores the globals. */
  leave(): void
  /** Writes a line of a strategy's log. */
  log(seat: GuardedSeat, text: string): void
}

/** A guard without effect, as in a browser; it drops lines of the log. */
export const noGuard: StrategyGuard = {
  seat: null,
  enter: () => undefined,
  leave: () => undefined,
  log: () => undefined,
}
