/**
 * Exports of `backtest`: sources of requests and market data, strategies, the loop that merges them, a population of
 * traders.
 */
export { feedLoop, type LoopState, runLoop, runLoopUntil } from './loop.ts'
export { createLoop } from './loop-opening.ts'
export { marketPosition, restoreLoop, snapshotLoop } from './loop-snapshot.ts'
export type { Loop, LoopHooks, LoopParts } from './loop-state.ts'
export {
  type PopulationSpec,
  populationSchema,
  populationSetup,
  populationSource,
} from './population.ts'
export {
  type MarketSource,
  type RequestSource,
  type TimedRequest,
  watchedSink,
} from './source.ts'
export type { BookLevel, BookView } from './strategy/book-view.ts'
export type { RefusalCount } from './strategy/refusals.ts'
export { seatedSink } from './strategy/seat-events.ts'
export {
  openSeats,
  type SeatOptions,
  type SeatSpec,
  type Seats,
} from './strategy/seats.ts'
export {
  defineStrategy,
  type FundingNews,
  type IndexNews,
  isStrategyDefinition,
  type Latency,
  type MarkNews,
  type Strategy,
  type StrategyBlock,
  type StrategyBlockQuote,
  type StrategyBlockRfq,
  type StrategyDefinition,
  type StrategyFill,
  type StrategyFunds,
  type StrategyInstrument,
  type StrategyMethod,
  type StrategyPayment,
  type StrategyPosition,
  type StrategyReply,
  type StrategySettlement,
  type StrategyVenue,
  type TradePrint,
} from './strategy/strategy.ts'
export { placedFault, textOfError } from './strategy/strategy-fault.ts'
export type { GuardedSeat, StrategyGuard } from './strategy/strategy-guard.ts'
