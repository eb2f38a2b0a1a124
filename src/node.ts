/**
 * Pitclock on Node: running files, run folders, comparisons. `pitclock` has everything else.
 */
export {
  type AccountResult,
  checkDigests,
  checkFile,
  diffRuns,
  engineVersion,
  type Manifest,
  nodeSha256,
  type RunComparison,
  type RunDifference,
  type RunFault,
  type RunFileOptions,
  type RunProgress,
  type RunReport,
  readManifest,
  runFile,
  selfTest,
  writeDigests,
} from './host/index.ts'
