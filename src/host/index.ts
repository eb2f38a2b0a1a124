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
export {
  type JournalFile,
  type Manifest,
  openRunFolder,
  type RunEnd,
  type RunFolder,
  type RunFolderOptions,
  readManifest,
  readTable,
} from './run-folder.ts'
export type { AccountResult } from './runs/closing.ts'
export { diffRuns, type RunComparison, type RunDifference } from './runs/diff.ts'
export { checkDigests, writeDigests } from './runs/digest-file.ts'
export type {
  CurrencyRecord,
  OrderRecord,
  PerformanceRecord,
  PerformanceTotals,
} from './runs/performance-report.ts'
export {
  checkFile,
  type RunFault,
  type RunFileOptions,
  type RunProgress,
  type RunReport,
  runFile,
} from './runs/run-file.ts'
export { selfTest } from './runs/self-test.ts'
export { engineVersion } from './runs/version.ts'
export { nodeSha256 } from './sha256.ts'
