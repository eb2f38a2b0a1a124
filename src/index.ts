/**
 * `pitclock`: opens a venue, runs a scenario, makes a strategy. It also runs in a browser. Other entry points have the
 * engine (`engine.ts`), recorded files (`feeds.ts`), the types of the wire (`wire.ts`) and files of Node (`node.ts`).
 */
export {
  type BookLevel,
  type BookView,
  defineStrategy,
  type FundingNews,
  type GuardedSeat,
  type IndexNews,
  isStrategyDefinition,
  type Latency,
  type LoopState,
  type MarketSource,
  type MarkNews,
  openSeats,
  type RefusalCount,
  type RequestSource,
  type SeatOptions,
  type SeatSpec,
  type Seats,
  type Strategy,
  type StrategyBlock,
  type StrategyBlockQuote,
  type StrategyBlockRfq,
  type StrategyDefinition,
  type StrategyFill,
  type StrategyFunds,
  type StrategyGuard,
  type StrategyInstrument,
  type StrategyMethod,
  type StrategyPayment,
  type StrategyPosition,
  type StrategyReply,
  type StrategySettlement,
  type StrategyVenue,
  type TimedRequest,
  type TradePrint,
} from './backtest/index.ts'
export {
  type ErrorCode,
  errorCodes,
  formatInputError,
  type InputError,
  type Micros,
  type Plain,
  type Result,
  type Sequence,
} from './core/index.ts'
export type { Exchange } from './engine/index.ts'
export type { FaultRule } from './faults/index.ts'
export type { FeedClock, FeedColumns, FeedCursor, FeedPolicies } from './feeds/index.ts'
export type { MethodName, MethodParams, MethodResult } from './gateways/index.ts'
export type {
  Currency,
  EventSink,
  ExchangeConfig,
  Instrument,
  MarketMessage,
} from './model/index.ts'
export {
  type Answered,
  type Asked,
  type Asker,
  type AskOptions,
  type ChannelNotification,
  type Held,
  type MethodReply,
  openVenue,
  type RequestId,
  Venue,
  type VenueOptions,
} from './program/index.ts'
export {
  createResultsSink,
  digestOfLog,
  pureSha256,
  type ResultsOptions,
  type ResultsSink,
  type RunDigest,
  type Sha256,
  type Sha256Factory,
} from './results/index.ts'
export type { Desk, VenueError, VenueReply, WireOrder, WireUserTrade } from './rpc/index.ts'
export type { WireBlockRfq, WireRfqQuote } from './rpc/results.ts'
export {
  advanceRun,
  closeRun,
  createRun,
  type FeedSpec,
  finishRun,
  openMarket,
  parseScenario,
  type RestoredInto,
  type RunHooks,
  type RunMarket,
  type RunOutcome,
  type RunParts,
  restoreRun,
  runScenario,
  type Scenario,
  type ScenarioRun,
  type StrategySpec,
  scenarioJsonSchema,
  snapshotRun,
} from './scenario/index.ts'
