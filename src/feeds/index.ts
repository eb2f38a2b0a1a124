/** Exports of `feeds`: reads recorded bytes into batches, and batches into messages in one documented order. */
export { type FeedBatch, type FeedIds, type IdScope, idScopes, rowFlags } from './batch.ts'
export { type FeedColumns, feedColumnsSchema, readFeedColumns } from './columns.ts'
export {
  type CursorPosition,
  createFeedCursor,
  type FeedCursor,
  type NotedCounts,
} from './cursor/cursor.ts'
export {
  decimalText,
  type FeedBeginning,
  type FeedClock,
  type FeedCursorOptions,
  type FeedInstrument,
  type FeedMark,
  feedBeginnings,
  feedClocks,
  feedMarks,
} from './cursor/judgement.ts'
export { createNumbering, markNumbers, type Numbering } from './cursor/numbering.ts'
export {
  defaultPolicies,
  type FeedPolicies,
  feedPoliciesSchema,
  type QualityRow,
  recordOrder,
} from './cursor/quality.ts'
export {
  describedFormat,
  type FeedFormat,
  feedFormats,
  formatOfFlags,
  formatOfHeader,
  headerOf,
  kindOfText,
  needsColumns,
  type PublishedFormat,
  publishedFormats,
  type TextFormat,
  textFormats,
} from './format.ts'
export { sideWords } from './mapping.ts'
export { createMarketMerge } from './merge.ts'
export {
  createFeedReader,
  type FeedReader,
  type FeedReaderOptions,
  type FeedTotals,
} from './reader/reader.ts'
