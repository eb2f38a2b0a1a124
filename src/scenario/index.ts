/**
 * The face of `scenario`: files of requests and expectations, runs of them, and their journals.
 */
export { scenarioJsonSchema } from './file/json-schema.ts'
export { parseScenario } from './file/parse.ts'
export {
  createJournalRun,
  decodeJournal,
  encodeJournalHead,
  encodeJournalRequest,
  type JournalHead,
} from './journal.ts'
export {
  advanceRun,
  createRun,
  finishRun,
  type RunHooks,
  type RunOutcome,
  runScenario,
  type ScenarioRun,
} from './run/run.ts'
export type { Scenario } from './scenario.ts'
