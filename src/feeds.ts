/**
 * `pitclock/feeds`: recorded files, from bytes to batches of typed columns.
 */

export type { ErrorCode, InputError, Result, TextFault } from './core/index.ts'
export {
  type CursorPosition,
  createFeedReader,
  defaultPolicies,
  type FeedBatch,
  type FeedClock,
  type FeedColumns,
  type FeedCursor,
  type FeedFormat,
  type FeedIds,
  type FeedPolicies,
  type FeedReader,
  type FeedReaderOptions,
  feedColumnsSchema,
  formatOfFlags,
  type IdScope,
  type QualityRow,
  readFeedColumns,
} from './feeds/index.ts'
export type { MarketMessage } from './model/index.ts'
