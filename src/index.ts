/**
 * Pitclock: a deterministic simulator of a derivatives exchange. This face runs in a browser too;
 * what touches files is in `pitclock/node`.
 */
export {
  createLoop,
  type Loop,
  type LoopHooks,
  type RequestSource,
  runLoop,
  type TimedRequest,
} from './backtest/index.ts'
export {
  formatInputError,
  type InputError,
  type Micros,
  micros,
  parseIsoTime,
  type Result,
} from './core/index.ts'
export {
  advanceTo,
  apply,
  audit,
  createExchange,
  type Exchange,
  fork,
  restore,
  simulate,
  snapshot,
  stateHash,
  viewMarket,
  viewPosition,
  viewWallet,
} from './engine/index.ts'
export {
  type CursorPosition,
  createFeedCursor,
  createFeedReader,
  createMarketMerge,
  defaultPolicies,
  type FeedBatch,
  type FeedClock,
  type FeedColumns,
  type FeedCursor,
  type FeedCursorOptions,
  type FeedFormat,
  type FeedPolicies,
  type FeedReader,
  type FeedReaderOptions,
  feedColumnsSchema,
  type MarketMerge,
  type QualityRow,
} from './feeds/index.ts'
export {
  type Command,
  defaultConfig,
  type Event,
  type EventSink,
  type ExchangeConfig,
} from './model/index.ts'
export {
  createResultsSink,
  pureSha256,
  type ResultsSink,
  type RunDigest,
} from './results/index.ts'
export {
  type Asker,
  createDesk,
  type Desk,
  type DeskOptions,
  envelope,
  eventOut,
  type MethodName,
  type MethodParams,
  type MethodReply,
  type MethodResult,
  methodNames,
  openVenue,
  restoreDesk,
  snapshotDesk,
  submit,
  Venue,
  type VenueOptions,
  type VenueReply,
  type VenueRequest,
} from './rpc/index.ts'
export {
  advanceRun,
  createRun,
  finishRun,
  parseScenario,
  type RunHooks,
  type RunOutcome,
  runScenario,
  type Scenario,
  type ScenarioRun,
  scenarioJsonSchema,
} from './scenario/index.ts'
