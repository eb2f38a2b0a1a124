/**
 * Pitclock on Node: running files, run folders, comparisons. `pitclock` has everything else.
 */
export {
  type AccountResult,
  checkDigests,
  checkFile,
  convertRunToTardis,
  diffRuns,
  engineVersion,
  type Manifest,
  nodeSha256,
  type PerformanceRecord,
  type RunComparison,
  type RunDifference,
  type RunFault,
  type RunFileOptions,
  type RunProgress,
  type RunReport,
  readManifest,
  runFile,
  selfTest,
  type TardisExportOptions,
  type TardisFile,
  type TardisManifest,
  type TardisSymbol,
  writeDigests,
} from './host/index.ts'
