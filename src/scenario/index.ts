/**
 * The face of `scenario`: files of requests and expectations, runs of them, and their journals.
 */
export { scenarioJsonSchema } from './file/json-schema.ts'
export type { Located, Place } from './file/located.ts'
export { parseScenario } from './file/parse.ts'
export {
  createJournalRun,
  decodeJournal,
  encodeJournalHead,
  encodeJournalRequest,
  type Journal,
  type JournalHead,
  type JournalObject,
} from './journal.ts'
export type { Failure } from './run/expectation.ts'
export {
  advanceRun,
  createRun,
  finishRun,
  type RunCounts,
  type RunHooks,
  type RunOutcome,
  runScenario,
  type ScenarioRun,
} from './run/run.ts'
export type {
  FinalCheck,
  ReplyExpectation,
  Save,
  Scenario,
  SetupRequest,
  Step,
} from './scenario.ts'
