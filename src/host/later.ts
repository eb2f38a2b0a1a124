/**
 * Lazy loading of functions that read and write files. `import 'pitclock/node'` loads a few files; a program loads the
 * exchange, its packages and Arrow only when it uses them. Options of programs are checked here, before a function does
 * anything.
 */
import type { OptionKinds } from '../core/index.ts'
import type { JournalScenarioOptions } from './exports/journal-scenario.ts'
import type { RunExportOptions } from './exports/run-tables.ts'
import type { TardisExportOptions } from './exports/tardis.ts'
import type { TardisFeedOptions } from './exports/tardis-feed.ts'
import type { ConvertOptions } from './feeds/convert.ts'
import type { FeedFileOptions } from './feeds/feed-file.ts'
import type { InspectOptions } from './feeds/inspect.ts'
import type { InterfaceDocument } from './interface-document.ts'
import type { CheckOptions } from './runs/run-file.ts'
import type { ResumeOptions, RunDocumentOptions, RunFileOptions } from './runs/run-report.ts'
import type { ShrinkOptions } from './runs/shrink.ts'

const metricsKinds: OptionKinds<RunFileOptions['metrics']> = {
  every: 'number | null?',
  periodsPerYear: 'number | null?',
  riskFree: 'number?',
  benchmark: 'string | null?',
}
const runKinds: OptionKinds<Partial<RunFileOptions>> = {
  set: 'texts?',
  out: 'string | null?',
  force: 'boolean?',
  format: 'string | null?',
  exact: 'boolean?',
  journal: 'boolean?',
  audit: 'boolean?',
  feeds: 'string | null?',
  tables: 'boolean?',
  replies: 'string | null?',
  events: 'string | null?',
  log: 'string | null?',
  saveEvery: 'number | null?',
  metrics: 'object?',
  allowSpecial: 'boolean?',
  command: 'texts | null?',
  interrupted: 'function?',
  onProgress: 'function?',
  live: 'object?',
}
const documentKinds: OptionKinds<RunDocumentOptions> = {
  ...runKinds,
  strategies: 'object?',
  folder: 'string?',
}
const resumeKinds: OptionKinds<ResumeOptions> = {
  file: 'string?',
  document: 'object?',
  strategies: 'object?',
  folder: 'string?',
  feeds: 'string?',
  interrupted: 'function?',
  onProgress: 'function?',
}
const checkKinds: OptionKinds<CheckOptions> = { ...runKinds, modules: 'boolean?' }
const shrinkKinds: OptionKinds<ShrinkOptions> = {
  out: 'string?',
  force: 'boolean?',
  feeds: 'string?',
  isOver: 'function?',
  interrupted: 'function?',
}
const journalScenarioKinds: OptionKinds<JournalScenarioOptions> = { title: 'string?', expect: 'string?' }
const inputKinds: OptionKinds<Pick<CheckOptions, 'feeds' | 'set'>> = { feeds: 'string | null?', set: 'texts?' }
const feedFileKinds: OptionKinds<Partial<FeedFileOptions>> = {
  format: 'string | null?',
  symbol: 'string | null?',
  columns: 'object | null?',
  sha256: 'string | null?',
  cut: 'string?',
  allowSpecial: 'boolean?',
  interrupted: 'function?',
}
const inspectKinds: OptionKinds<Partial<InspectOptions>> = { ...feedFileKinds, head: 'number?', trust: 'boolean?' }
const convertKinds: OptionKinds<Partial<ConvertOptions>> = { ...feedFileKinds, force: 'boolean?' }
const tardisKinds: OptionKinds<Partial<TardisFeedOptions>> = { ...convertKinds, exchange: 'string?' }
const tardisRunKinds: OptionKinds<Partial<TardisExportOptions>> = { force: 'boolean?', exchange: 'string?' }
const exportKinds: OptionKinds<RunExportOptions> = { format: 'string?', out: 'string?', force: 'boolean?' }

/** A recorded file of any format that its first line identifies. */
const anyFile: FeedFileOptions = { format: null, symbol: null, columns: null, sha256: null }
/** Number of rows that `inspect` shows by default. */
const HEAD_ROWS = 5

/** Refuses unknown names and wrong kinds of options, or of arguments by name, after the exchange is loaded. */
async function refuseWrong<O extends object>(what: string, options: O, kinds: OptionKinds<O>): Promise<void> {
  const { checkOptions } = await import('../core/index.ts')
  checkOptions(what, options, kinds)
}

/** Refuses an unknown format of a recorded file, or policy for its last line. */
async function refuseFeedWords(what: string, { format, cut }: Partial<FeedFileOptions>): Promise<void> {
  const { checkWord } = await import('../core/index.ts')
  checkWord(`${what}: format`, format, (await import('../feeds/index.ts')).feedFormats)
  checkWord(`${what}: cut`, cut, (await import('../model/index.ts')).feedPolicies)
}

/** Refuses figures, intervals and formats that no run can have. */
async function refuseFigures(what: string, options: Partial<RunFileOptions>): Promise<void> {
  const { metrics = {}, saveEvery, format } = options
  await refuseWrong(`${what}: metrics`, metrics, metricsKinds)
  const { checkAbove, checkWhole, checkWord } = await import('../core/index.ts')
  checkWord(`${what}: format`, format, (await import('../results/index.ts')).tableFormats)
  checkWhole(`${what}: saveEvery`, saveEvery, 1, Number.MAX_SAFE_INTEGER)
  checkWhole(`${what}: metrics: every`, metrics.every, 1, Number.MAX_SAFE_INTEGER)
  checkAbove(`${what}: metrics: periodsPerYear`, metrics.periodsPerYear, 0)
  checkAbove(`${what}: metrics: riskFree`, metrics.riskFree, -1)
}

/**
 * Runs a scenario file or a journal.
 *
 * @throws RangeError with the code `OPTION` if an option does not exist or an argument has another kind.
 *
 * @example
 * const file = 'node_modules/pitclock/scenarios/orders/market-sell-fills-resting-bid.yaml'
 * const run = await runFile(file)
 * if (run.ok) console.log(run.value.trades, run.value.failures) // 1 []
 */
export const runFile = async (
  file: string,
  options: Partial<RunFileOptions> = {},
): ReturnType<typeof import('./runs/run-file.ts').runFile> => {
  await refuseWrong('runFile', { file }, { file: 'string' })
  await refuseWrong('runFile', options, runKinds)
  await refuseFigures('runFile', options)
  return await (await import('./runs/run-file.ts')).runFile(file, options)
}

/**
 * Runs a scenario object, with strategies as objects.
 *
 * @throws RangeError with the code `OPTION` if an option does not exist or an argument has another kind.
 *
 * @example
 * const document = { version: 1, title: 'Nothing', start: '2026-01-05T09:00:00Z' }
 * const market = { instruments: ['BTC-PERPETUAL'], index: { btc_usd: 50_000 }, steps: [] }
 * const run = await runDocument({ ...document, ...market })
 * if (run.ok) console.log(run.value.title) // Nothing
 */
export const runDocument = async (
  document: object,
  options: RunDocumentOptions = {},
): ReturnType<typeof import('./runs/run-file.ts').runDocument> => {
  await refuseWrong('runDocument', { document }, { document: 'object' })
  await refuseWrong('runDocument', options, documentKinds)
  await refuseFigures('runDocument', options)
  return await (await import('./runs/run-file.ts')).runDocument(document, options)
}

/**
 * Continues a saved run.
 *
 * @throws RangeError with the code `OPTION` if an option does not exist or an argument has another kind.
 *
 * @example
 * const resumed = await resumeRun('runs/none')
 * // There is nothing to go on with.
 * console.log(resumed.ok) // false
 */
export const resumeRun = async (
  out: string,
  options: ResumeOptions = {},
): ReturnType<typeof import('./runs/resume-run.ts').resumeRun> => {
  await refuseWrong('resumeRun', { out }, { out: 'string' })
  await refuseWrong('resumeRun', options, resumeKinds)
  return await (await import('./runs/resume-run.ts')).resumeRun(out, options)
}

/**
 * Reads and checks a scenario file or a journal without running it.
 *
 * @throws RangeError with the code `OPTION` if an option does not exist or an argument has another kind.
 *
 * @example
 * const { lines } = await checkFile('node_modules/pitclock/scenarios/orders/market-sell-fills-resting-bid.yaml')
 * console.log(lines) // []
 */
export const checkFile = async (
  file: string,
  options: CheckOptions = {},
): ReturnType<typeof import('./runs/run-file.ts').checkFile> => {
  await refuseWrong('checkFile', { file }, { file: 'string' })
  await refuseWrong('checkFile', options, checkKinds)
  return await (await import('./runs/run-file.ts')).checkFile(file, options)
}

/**
 * Finds a smallest scenario that fails in the same way as a file: with fewer steps, accounts, instruments and other
 * entries, and with rounder values. Feeds and strategies stay as they are, and so do the remaining lines. The `failure` of
 * the result is null if the file passes.
 *
 * @throws RangeError with the code `OPTION` if an option does not exist or an argument has another kind.
 *
 * @example
 * const shrunk = await shrink('node_modules/pitclock/scenarios/orders/market-sell-fills-resting-bid.yaml')
 * if (shrunk.ok) console.log(shrunk.value.failure) // null
 */
export const shrink = async (
  file: string,
  options: ShrinkOptions = {},
): ReturnType<typeof import('./runs/shrink.ts').shrinkFile> => {
  await refuseWrong('shrink', { file }, { file: 'string' })
  await refuseWrong('shrink', options, shrinkKinds)
  return await (await import('./runs/shrink.ts')).shrinkFile(file, options)
}

/** Finds a smallest text that fails in the same way. */
export const shrinkScenario = async (
  ...args: Parameters<typeof import('./runs/shrink.ts').shrinkText>
): ReturnType<typeof import('./runs/shrink.ts').shrinkText> =>
  await (await import('./runs/shrink.ts')).shrinkText(...args)

/**
 * Lists the files that a run of a scenario reads: the scenario, its recorded files, and its strategy modules with the
 * files of the project that they import. A journal, and a file that has mistakes or does not exist, lists only itself.
 *
 * @throws RangeError with the code `OPTION` if an option does not exist or an argument has another kind.
 *
 * @example
 * const files = await inputFiles('node_modules/pitclock/scenarios/backtest/market-maker.yaml')
 * console.log(files.some((file) => file.endsWith('market-maker.ts'))) // true
 */
export const inputFiles = async (
  file: string,
  options: Pick<CheckOptions, 'feeds' | 'set'> = {},
): ReturnType<typeof import('./runs/run-file.ts').inputFiles> => {
  await refuseWrong('inputFiles', { file }, { file: 'string' })
  await refuseWrong('inputFiles', options, inputKinds)
  return await (await import('./runs/run-file.ts')).inputFiles(file, options)
}

/**
 * Compares two run folders: the first event where they differ.
 *
 * @throws RangeError with the code `OPTION` if an argument has another kind.
 *
 * @example
 * const file = 'node_modules/pitclock/scenarios/orders/market-sell-fills-resting-bid.yaml'
 * await runFile(file, { out: 'runs/one', force: true })
 * await runFile(file, { out: 'runs/same', force: true })
 * const compared = await diffRuns('runs/one', 'runs/same')
 * if (compared.ok) console.log(compared.value.difference) // null
 */
export const diffRuns: typeof import('./runs/diff.ts').diffRuns = async (left, right) => {
  await refuseWrong('diffRuns', { left, right }, { left: 'string', right: 'string' })
  return await (await import('./runs/diff.ts')).diffRuns(left, right)
}

/**
 * Compares the metrics of run folders.
 *
 * @throws RangeError with the code `OPTION` if an argument has another kind.
 *
 * @example
 * const file = 'node_modules/pitclock/scenarios/orders/market-sell-fills-resting-bid.yaml'
 * await runFile(file, { out: 'runs/left', force: true })
 * await runFile(file, { out: 'runs/right', force: true })
 * const compared = await compareRuns(['runs/left', 'runs/right'])
 * if (compared.ok) console.log(compared.value.is_alike) // true
 */
export const compareRuns: typeof import('./runs/compare.ts').compareRuns = async (folders) => {
  await refuseWrong('compareRuns', { folders }, { folders: 'texts' })
  return await (await import('./runs/compare.ts')).compareRuns(folders)
}

/**
 * Runs a small market and compares its digest with the known one.
 *
 * @example
 * const { digest, expected } = await selfTest()
 * console.log(digest === expected) // true
 */
export const selfTest = async (): Promise<ReturnType<typeof import('./runs/self-test.ts').selfTest>> =>
  (await import('./runs/self-test.ts')).selfTest()

/** Opens the recorded files of a run. */
export const openRunFeeds: typeof import('./runs/run-feeds.ts').openRunFeeds = async (...args) =>
  await (await import('./runs/run-feeds.ts')).openRunFeeds(...args)

/** Loads the strategy from a module. */
export const loadStrategy: typeof import('./strategy-module.ts').loadStrategy = async (...args) =>
  await (await import('./strategy-module.ts')).loadStrategy(...args)

/**
 * Reads the manifest of a run folder, or returns its mistakes.
 *
 * @throws RangeError with the code `OPTION` if an argument has another kind.
 *
 * @example
 * await runFile('node_modules/pitclock/scenarios/orders/market-sell-fills-resting-bid.yaml', { out: 'runs/read', force: true })
 * const manifest = await readManifest('runs/read')
 * if (manifest.ok) console.log(manifest.value.format) // 3
 */
export const readManifest = async (path: string): Promise<ReturnType<typeof import('./manifest.ts').readManifest>> => {
  await refuseWrong('readManifest', { path }, { path: 'string' })
  return (await import('./manifest.ts')).readManifest(path)
}

/** Opens a table of a run folder. */
export const readTable: typeof import('./run-folder.ts').readTable = async (...args) =>
  await (await import('./run-folder.ts')).readTable(...args)

/** Opens a run folder for a report, even if it is damaged or interrupted. */
export const openReadableRun = async (
  folder: string,
): Promise<ReturnType<typeof import('./runs/readable-run.ts').openReadableRun>> =>
  (await import('./runs/readable-run.ts')).openReadableRun(folder)

/** Writes a text file completely or not at all. */
export const writeTextFile = async (
  ...args: Parameters<typeof import('./text-file.ts').writeTextFile>
): Promise<ReturnType<typeof import('./text-file.ts').writeTextFile>> =>
  (await import('./text-file.ts')).writeTextFile(...args)

/** The reason why a folder of texts must not be written, or null. */
export const textFolderFault = async (
  ...args: Parameters<typeof import('./text-file.ts').textFolderFault>
): Promise<ReturnType<typeof import('./text-file.ts').textFolderFault>> =>
  (await import('./text-file.ts')).textFolderFault(...args)

/** Writes texts as a folder, completely or not at all. */
export const writeTextFolder = async (
  ...args: Parameters<typeof import('./text-file.ts').writeTextFolder>
): Promise<ReturnType<typeof import('./text-file.ts').writeTextFolder>> =>
  (await import('./text-file.ts')).writeTextFolder(...args)

/** Reads a file that comes with this package. */
export const readPackageFile = async (
  path: string,
): Promise<ReturnType<typeof import('./package-file.ts').readPackageFile>> =>
  (await import('./package-file.ts')).readPackageFile(path)

/**
 * Reads the OpenRPC document of the interface: every method with its parameters and its result.
 *
 * @example
 * const read = await readInterfaceDocument()
 * if (read.ok) console.log(read.value.methods.some(({ name }) => name === 'private/buy')) // true
 */
export const readInterfaceDocument = async (): Promise<
  ReturnType<typeof import('./interface-document.ts').readInterfaceDocument>
> => (await import('./interface-document.ts')).readInterfaceDocument()

/**
 * Returns the JSON Schema of one method of the document: its parameters and its result; undefined for an unknown
 * method.
 *
 * @throws RangeError with the code `OPTION` if an argument has another kind.
 *
 * @example
 * const read = await readInterfaceDocument()
 * if (read.ok) console.log(await methodSchema(read.value, 'private/nothing')) // undefined
 */
export const methodSchema = async (
  document: InterfaceDocument,
  name: string,
): Promise<ReturnType<typeof import('./interface-document.ts').methodSchema>> => {
  await refuseWrong('methodSchema', { document, name }, { document: 'object', name: 'string' })
  return (await import('./interface-document.ts')).methodSchema(document, name)
}

/** The named schemas of the document that some of its methods refer to. */
export const schemasOf = async (
  ...args: Parameters<typeof import('./interface-document.ts').schemasOf>
): Promise<ReturnType<typeof import('./interface-document.ts').schemasOf>> =>
  (await import('./interface-document.ts')).schemasOf(...args)

/** Packs bytes as gzip. */
export const gzipped = async (bytes: Uint8Array): Promise<Uint8Array> =>
  (await import('./package-file.ts')).gzipped(bytes)

/**
 * Opens a recorded file or a tape and reads its batches on request.
 *
 * @throws RangeError with the code `OPTION` if an option does not exist or an argument has another kind.
 *
 * @example
 * const any = { format: null, symbol: null, columns: null, sha256: null }
 * const opened = await openFeedFile('node_modules/pitclock/data/recorded-market/trades.csv.gz', any)
 * if (!opened.ok) throw new Error(opened.error.kind)
 * const batch = await opened.value.next()
 * console.log(opened.value.kind, batch.ok && (batch.value?.rows ?? 0) > 0) // trades true
 * await opened.value.close()
 */
export const openFeedFile = async (
  path: string,
  options: Partial<FeedFileOptions> = {},
): ReturnType<typeof import('./feeds/feed-file.ts').openFeedFile> => {
  await refuseWrong('openFeedFile', { path }, { path: 'string' })
  await refuseWrong('openFeedFile', options, feedFileKinds)
  await refuseFeedWords('openFeedFile', options)
  return await (await import('./feeds/feed-file.ts')).openFeedFile(path, { ...anyFile, ...options })
}

/**
 * Writes a recorded file as a tape.
 *
 * @throws RangeError with the code `OPTION` if an option does not exist or an argument has another kind.
 *
 * @example
 * const any = { format: null, symbol: null, columns: null, sha256: null }
 * const made = await convertFeed('node_modules/pitclock/data/recorded-market/trades.csv.gz', 'trades.arrow', { ...any, force: true })
 * if (made.ok) console.log(made.value.kind, made.value.symbol) // trades BTC-PERPETUAL
 */
export const convertFeed = async (
  input: string,
  output: string,
  options: Partial<ConvertOptions> = {},
): ReturnType<typeof import('./feeds/convert.ts').convertFeed> => {
  await refuseWrong('convertFeed', { input, output }, { input: 'string', output: 'string' })
  await refuseWrong('convertFeed', options, convertKinds)
  await refuseFeedWords('convertFeed', options)
  return await (await import('./feeds/convert.ts')).convertFeed(input, output, {
    ...anyFile,
    force: false,
    ...options,
  })
}

/**
 * Describes a recorded file, a tape, a table or a run folder.
 *
 * @throws RangeError with the code `OPTION` if an option does not exist or an argument has another kind.
 *
 * @example
 * const any = { format: null, symbol: null, columns: null, sha256: null }
 * const found = await inspect('node_modules/pitclock/data/recorded-market/trades.csv.gz', { ...any, head: 1 })
 * if (found.ok) console.log(found.value.type) // feed
 */
export const inspect = async (
  path: string,
  options: Partial<InspectOptions> = {},
): ReturnType<typeof import('./feeds/inspect.ts').inspect> => {
  await refuseWrong('inspect', { path }, { path: 'string' })
  await refuseWrong('inspect', options, inspectKinds)
  await refuseFeedWords('inspect', options)
  const { checkWhole } = await import('../core/index.ts')
  checkWhole('inspect: head', options.head, 0, Number.MAX_SAFE_INTEGER)
  return await (await import('./feeds/inspect.ts')).inspect(path, {
    ...anyFile,
    head: HEAD_ROWS,
    ...options,
  })
}

/**
 * Writes a finished run as the files that a recorder of it would have written.
 *
 * @throws RangeError with the code `OPTION` if an option does not exist or an argument has another kind.
 *
 * @example
 * const set = ['record.book=true']
 * await runFile('node_modules/pitclock/scenarios/orders/market-sell-fills-resting-bid.yaml', { out: 'runs/book', force: true, set })
 * const made = await convertRunToTardis('runs/book', 'recorded', { force: true })
 * if (made.ok) console.log(made.value.files.some(({ rows }) => rows > 0)) // true
 */
export const convertRunToTardis = async (
  runFolder: string,
  outDir: string,
  options: Partial<TardisExportOptions> = {},
): ReturnType<typeof import('./exports/tardis.ts').convertRunToTardis> => {
  await refuseWrong('convertRunToTardis', { runFolder, outDir }, { runFolder: 'string', outDir: 'string' })
  await refuseWrong('convertRunToTardis', options, tardisRunKinds)
  return await (await import('./exports/tardis.ts')).convertRunToTardis(runFolder, outDir, {
    force: false,
    ...options,
  })
}

/**
 * Writes a recorded file or a tape as Tardis CSV.
 *
 * @throws RangeError with the code `OPTION` if an option does not exist or an argument has another kind.
 *
 * @example
 * const any = { format: null, symbol: null, columns: null, sha256: null }
 * const made = await convertFeedToTardis('node_modules/pitclock/data/recorded-market/trades.csv.gz', 'trades.csv.gz', { ...any, force: true })
 * if (made.ok) console.log(made.value.kind) // trades
 */
export const convertFeedToTardis = async (
  input: string,
  output: string,
  options: Partial<TardisFeedOptions> = {},
): ReturnType<typeof import('./exports/tardis-feed.ts').convertFeedToTardis> => {
  await refuseWrong('convertFeedToTardis', { input, output }, { input: 'string', output: 'string' })
  await refuseWrong('convertFeedToTardis', options, tardisKinds)
  await refuseFeedWords('convertFeedToTardis', options)
  return await (await import('./exports/tardis-feed.ts')).convertFeedToTardis(input, output, {
    ...anyFile,
    force: false,
    ...options,
  })
}

/**
 * Writes the tables of a run folder in another format.
 *
 * @throws RangeError with the code `OPTION` if an option does not exist or an argument has another kind.
 *
 * @example
 * await runFile('node_modules/pitclock/scenarios/orders/market-sell-fills-resting-bid.yaml', { out: 'runs/tables', force: true })
 * const exported = await exportRun('runs/tables', { format: 'csv', force: true })
 * if (exported.ok) console.log(exported.value.out) // runs/tables-csv
 */
export const exportRun = async (
  folder: string,
  options: RunExportOptions = {},
): ReturnType<typeof import('./exports/run-tables.ts').exportRun> => {
  await refuseWrong('exportRun', { folder }, { folder: 'string' })
  await refuseWrong('exportRun', options, exportKinds)
  const { checkWord } = await import('../core/index.ts')
  const { tableFormats } = await import('../results/index.ts')
  checkWord('exportRun: format', options.format, tableFormats)
  return await (await import('./exports/run-tables.ts')).exportRun(folder, options)
}

/**
 * Writes the journal of a run, such as a session of a server, as the text of a scenario: every request becomes a step,
 * ids of orders become saved values, and refused requests expect their errors. Requests that a `sim/restore` took back
 * are left out. `path` is a journal or the folder of a run without recorded files.
 *
 * @throws RangeError with the code `OPTION` if an option does not exist or an argument has another kind.
 *
 * @example
 * await runFile('node_modules/pitclock/scenarios/orders/market-sell-fills-resting-bid.yaml', { out: 'runs/kept', force: true })
 * const text = await journalScenario('runs/kept', { title: 'A kept session', expect: '{ laws: hold }' })
 * if (text.ok) console.log(text.value.split('\n')[1]) // title: "A kept session"
 */
export const journalScenario = async (
  path: string,
  options: JournalScenarioOptions = {},
): ReturnType<typeof import('./exports/journal-scenario.ts').journalScenario> => {
  await refuseWrong('journalScenario', { path }, { path: 'string' })
  await refuseWrong('journalScenario', options, journalScenarioKinds)
  return await (await import('./exports/journal-scenario.ts')).journalScenario(path, options)
}

/**
 * Queries the tables of a run folder with DuckDB.
 *
 * @throws RangeError with the code `OPTION` if an argument has another kind.
 *
 * @example
 * // It asks for the package @duckdb/node-api, and says so where that is not installed.
 * const found = await queryRun('runs/none', 'select count(*) from fills')
 * console.log(found.ok) // false
 */
export const queryRun: typeof import('./exports/query-run.ts').queryRun = async (folder, sql) => {
  await refuseWrong('queryRun', { folder, sql }, { folder: 'string', sql: 'string' })
  return await (await import('./exports/query-run.ts')).queryRun(folder, sql)
}

/** The parser of CSV records that the fast reader does not take. */
export const loadRecordParser = async (): Promise<typeof import('./feeds/record-parser.ts').parseCsvRecord> =>
  (await import('./feeds/record-parser.ts')).parseCsvRecord
