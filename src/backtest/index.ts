/**
 * Exports of `backtest`: sources of requests and market data, strategies, the loop that merges them, a population of
 * traders.
 */
export * from './loop.ts'
export { createLoop } from './loop-opening.ts'
export * from './loop-snapshot.ts'
export {
  type Loop,
  type LoopHooks,
  type LoopParts,
  type MarketSource,
  type RequestSource,
  type TimedRequest,
  watchedSink,
} from './loop-state.ts'
export * from './population.ts'
export type { BookLevel, BookView } from './strategy/book-view.ts'
export type { RefusalCount } from './strategy/refusals.ts'
export { seatedSink } from './strategy/seat-events.ts'
export { openSeats, type SeatOptions, type SeatSpec, type Seats } from './strategy/seats.ts'
export * from './strategy/strategy.ts'
export { type GuardedSeat, placedFault, type StrategyGuard, textOfError } from './strategy/strategy-guard.ts'
