/** Exports of `feeds`: reads recorded bytes into batches, and batches into messages in one documented order. */
export * from './batch.ts'
export * from './columns.ts'
export * from './cursor/cursor.ts'
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
export * from './cursor/numbering.ts'
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
  sideWords,
  type TextFormat,
  textFormats,
} from './format.ts'
export * from './merge.ts'
export * from './reader/reader.ts'
