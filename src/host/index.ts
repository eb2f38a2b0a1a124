/**
 * The face of `host`: files, and what else only Node can do.
 */
export type { ArrowFile, FileCell, FileRow } from './arrow-file.ts'
export {
  convertRunToTardis,
  type TardisExportOptions,
  type TardisFile,
  type TardisManifest,
  type TardisSymbol,
} from './exports/tardis.ts'
export { type ConvertOptions, type ConvertReport, convertFeed } from './feeds/convert.ts'
export { type FeedFault, isSystemError } from './feeds/feed-fault.ts'
export {
  type FeedFile,
  type FeedFileOptions,
  formatOfFlags,
  openFeedFile,
} from './feeds/feed-file.ts'
export {
  type FeedInspection,
  type Inspection,
  type InspectOptions,
  inspect,
  type RunInspection,
  type TableInspection,
} from './feeds/inspect.ts'
export { parseCsvRecord } from './feeds/record-parser.ts'
export { type Manifest, type RunReceipt, readManifest } from './manifest.ts'
export {
  type JournalFile,
  openRunFolder,
  type RunEnd,
  type RunFolder,
  type RunFolderOptions,
  readTable,
} from './run-folder.ts'
export type { AccountResult } from './runs/closing.ts'
export { diffRuns, type RunComparison, type RunDifference } from './runs/diff.ts'
export { checkDigests, type DigestCheck, writeDigests } from './runs/digest-file.ts'
export type {
  CurrencyRecord,
  OrderRecord,
  PerformanceRecord,
  PerformanceTotals,
} from './runs/performance-report.ts'
export type { RunFault } from './runs/run-fault.ts'
export { type FeedReport, openRunFeeds, type RunFeeds } from './runs/run-feeds.ts'
export { checkFile, runDocument, runFile } from './runs/run-file.ts'
export type {
  RunDocumentOptions,
  RunFileOptions,
  RunProgress,
  RunReport,
  StrategyRefusals,
} from './runs/run-report.ts'
export { selfTest } from './runs/self-test.ts'
export { engineVersion } from './runs/version.ts'
export { nodeSha256 } from './sha256.ts'
export { loadStrategy } from './strategy-module.ts'
export { systemWords } from './system-words.ts'
