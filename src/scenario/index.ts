/** Exports of `scenario`: files of requests and expectations, their runs, and their journals. */
export { scenarioJsonSchema } from './file/json-schema.ts'
export { parseScenario } from './file/parse.ts'
export { fileSettings } from './file/sections/settings.ts'
export {
  createJournalRun,
  decodeJournal,
  encodeJournalHead,
  encodeJournalRequest,
  type JournalHead,
  restoreJournalRun,
} from './journal.ts'
export { closeRun } from './run/close-run.ts'
export {
  advanceRun,
  advanceRunTo,
  finishRun,
  runScenario,
  stopRun,
} from './run/progress.ts'
export {
  createRun,
  type RunHooks,
  type RunOutcome,
  type RunParts,
  type ScenarioRun,
} from './run/run.ts'
export { openMarket, type RunMarket } from './run/run-market.ts'
export { restoreRun, snapshotRun } from './run/run-snapshot.ts'
export { type RecordTerms, usualRecord } from './run-terms.ts'
export type { FeedSpec, Scenario, StrategySpec } from './scenario.ts'
