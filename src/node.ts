/**
 * `pitclock/node`: files and servers: scenario files, run folders, comparisons, recorded files, a market for clients.
 */
export {
  type AccountMetrics,
  type AccountResult,
  type CheckOptions,
  type ComparedFigure,
  type ComparedRun,
  type ComparedSetting,
  type ConvertOptions,
  type ConvertReport,
  type CurrencyMetrics,
  type CurrencyRecord,
  checkDigests,
  checkFile,
  compareRuns,
  convertFeed,
  convertFeedToTardis,
  convertRunToTardis,
  type DeflatedSharpe,
  type DigestCheck,
  type DocumentedMethod,
  diffRuns,
  digestsOfRun,
  type ExportFormat,
  engineVersion,
  exportRun,
  type FeedFault,
  type FeedFile,
  type FeedFileOptions,
  type FeedInspection,
  type FeedReport,
  type FigureRecord,
  type Inspection,
  type InspectOptions,
  type InterfaceDocument,
  inspect,
  isSystemError,
  type JournalRequest,
  type LogInspection,
  type Manifest,
  type MetricsComparison,
  type MetricsReport,
  methodSchema,
  nodeSha256,
  type OrderRecord,
  openFeedFile,
  type PerformanceRecord,
  type PerformanceTotals,
  type PropertyDetails,
  type QueryResult,
  type QueryValue,
  queryRun,
  type ResumeOptions,
  type RunComparison,
  type RunDifference,
  type RunDocumentOptions,
  type RunExport,
  type RunExportOptions,
  type RunFault,
  type RunFileOptions,
  type RunInspection,
  type RunProgress,
  type RunReport,
  readDigests,
  readInterfaceDocument,
  readManifest,
  resumeRun,
  runDocument,
  runFile,
  type ScenarioDigests,
  type ScenarioReporterOptions,
  type StrategyRefusals,
  scenarioReporter,
  selfTest,
  systemWords,
  type TableFormat,
  type TableInspection,
  type TardisExportOptions,
  type TardisFeedOptions,
  type TardisFeedReport,
  type TardisFile,
  type TardisManifest,
  type TardisSymbol,
  type UnreadParams,
  writeDigests,
} from './host/index.ts'
export type {
  CauseLink,
  Explanation,
  ReportFile,
  ReportOptions,
  RunQuestion,
  UnrecordedFact,
} from './report/index.ts'
export type { MarketAccess, Server, ServerOptions } from './server/index.ts'

/**
 * Opens a server of the venue's interface in front of a market; see `ServerOptions`. The call loads its modules.
 *
 * @throws RangeError with the code `OPTION` or `TIME` for an invalid option, `SCENARIO` for a scenario that cannot be
 * served, `FORK` (by `fork`) for a fork that cannot be opened.
 *
 * @example
 * const server = await createServer({ clock: 'stepped', log: { level: 'silent' } })
 * if (server.ok) {
 *   console.log(server.value.url.startsWith('http://127.0.0.1:')) // true
 *   await server.value.close()
 * }
 */
export const createServer: typeof import('./server/index.ts').createServer = async (...args) =>
  await (await import('./server/index.ts')).createServer(...args)

/**
 * Opens a server for a test. Its clock moves only on request.
 *
 * @throws RangeError with the code `OPTION` or `TIME` for an invalid option, `SCENARIO` for a scenario that cannot be
 * served, `FORK` (by `fork`) for a fork that cannot be opened.
 *
 * @example
 * const venue = await createTestVenue({ log: { level: 'silent' } })
 * console.log(venue.port > 0) // true
 * await venue.close()
 */
export const createTestVenue: typeof import('./server/index.ts').createTestVenue = async (...args) =>
  await (await import('./server/index.ts')).createTestVenue(...args)

/**
 * Writes the report of one or more run folders as one HTML file; see `ReportOptions`. The call loads its modules.
 *
 * @throws RangeError with the code `OPTION` if an option does not exist.
 *
 * @example
 * await runFile('node_modules/pitclock/scenarios/orders/market-sell-fills-resting-bid.yaml', { out: 'runs/one', force: true })
 * const report = await writeReport(['runs/one'], 'report.html', { force: true })
 * if (report.ok) console.log(report.value.out) // report.html
 */
export const writeReport: typeof import('./report/index.ts').writeReport = async (...args) =>
  await (await import('./report/index.ts')).writeReport(...args)

/**
 * Explains an order, a trade, an account or a refusal of a complete run folder with Arrow tables: why the order filled
 * or ended, why the account was liquidated, why the request was refused. The call loads its modules. The result is a
 * fault if the folder is damaged, interrupted, of another program or version, and if the run has no such subject; then
 * its error has the code `VALUE` and the name of the question as `path`.
 *
 * @throws RangeError with the code `OPTION` if an argument has another kind.
 *
 * @example
 * await runFile('node_modules/pitclock/scenarios/orders/market-sell-fills-resting-bid.yaml', { out: 'runs/why', force: true })
 * const found = await explain('runs/why', { order: '1' })
 * if (found.ok) console.log(found.value.answer) // buy order of maker on BTC-PERPETUAL: filled 1000 at 99990
 */
export const explain: typeof import('./report/index.ts').explain = async (...args) =>
  await (await import('./report/index.ts')).explain(...args)
export type { RefusalCount } from './backtest/index.ts'
export type { InputError, Micros, Result } from './core/index.ts'
export type { FaultCount } from './faults/index.ts'
export type { FeedBatch, FeedColumns, FeedFormat } from './feeds/index.ts'
export type { RunDigest, Sha256 } from './results/index.ts'
