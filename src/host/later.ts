/**
 * Lazy loading of what reads and writes files: `import 'pitclock/node'` costs a few files, and a program pays for the
 * exchange, its packages and Arrow only where it uses them.
 */

/**
 * Runs a scenario file or a journal.
 *
 * @example
 * const file = 'node_modules/pitclock/scenarios/orders/market-sell-fills-resting-bid.yaml'
 * const run = await runFile(file)
 * if (run.ok) console.log(run.value.trades, run.value.failures) // 1 []
 */
export const runFile: typeof import('./runs/run-file.ts').runFile = async (...args) =>
  await (await import('./runs/run-file.ts')).runFile(...args)

/**
 * Runs a scenario document with strategies that are at hand.
 *
 * @example
 * const document = { version: 1, title: 'Nothing', start: '2026-01-05T09:00:00Z' }
 * const market = { instruments: ['BTC-PERPETUAL'], index: { btc_usd: 50_000 }, steps: [] }
 * const run = await runDocument({ ...document, ...market })
 * if (run.ok) console.log(run.value.title) // Nothing
 */
export const runDocument: typeof import('./runs/run-file.ts').runDocument = async (...args) =>
  await (await import('./runs/run-file.ts')).runDocument(...args)

/**
 * Goes on with a run that was saved.
 *
 * @example
 * const resumed = await resumeRun('runs/none')
 * // There is nothing to go on with.
 * console.log(resumed.ok) // false
 */
export const resumeRun: typeof import('./runs/resume-run.ts').resumeRun = async (...args) =>
  await (await import('./runs/resume-run.ts')).resumeRun(...args)

/**
 * Reads and checks a scenario file or a journal without running it.
 *
 * @example
 * const { lines } = await checkFile('node_modules/pitclock/scenarios/orders/market-sell-fills-resting-bid.yaml')
 * console.log(lines) // []
 */
export const checkFile: typeof import('./runs/run-file.ts').checkFile = async (...args) =>
  await (await import('./runs/run-file.ts')).checkFile(...args)

/**
 * Compares two run folders: the first event where they differ.
 *
 * @example
 * const file = 'node_modules/pitclock/scenarios/orders/market-sell-fills-resting-bid.yaml'
 * await runFile(file, { out: 'runs/one', force: true })
 * await runFile(file, { out: 'runs/same', force: true })
 * const compared = await diffRuns('runs/one', 'runs/same')
 * if (compared.ok) console.log(compared.value.difference) // null
 */
export const diffRuns: typeof import('./runs/diff.ts').diffRuns = async (...args) =>
  await (await import('./runs/diff.ts')).diffRuns(...args)

/**
 * Puts the metrics of run folders side by side.
 *
 * @example
 * const file = 'node_modules/pitclock/scenarios/orders/market-sell-fills-resting-bid.yaml'
 * await runFile(file, { out: 'runs/left', force: true })
 * await runFile(file, { out: 'runs/right', force: true })
 * const compared = await compareRuns(['runs/left', 'runs/right'])
 * if (compared.ok) console.log(compared.value.is_alike) // true
 */
export const compareRuns: typeof import('./runs/compare.ts').compareRuns = async (...args) =>
  await (await import('./runs/compare.ts')).compareRuns(...args)

/**
 * Runs a small market whose digest is known.
 *
 * @example
 * const { digest, expected } = await selfTest()
 * console.log(digest === expected) // true
 */
export const selfTest = async (): Promise<
  ReturnType<typeof import('./runs/self-test.ts').selfTest>
> => (await import('./runs/self-test.ts')).selfTest()

/** Opens the recorded files of a run. */
export const openRunFeeds: typeof import('./runs/run-feeds.ts').openRunFeeds = async (...args) =>
  await (await import('./runs/run-feeds.ts')).openRunFeeds(...args)

/** Loads the strategy of a module. */
export const loadStrategy: typeof import('./strategy-module.ts').loadStrategy = async (...args) =>
  await (await import('./strategy-module.ts')).loadStrategy(...args)

/**
 * Reads the manifest of a run folder, or says what is wrong with it.
 *
 * @example
 * await runFile('node_modules/pitclock/scenarios/orders/market-sell-fills-resting-bid.yaml', { out: 'runs/read', force: true })
 * const manifest = await readManifest('runs/read')
 * if (manifest.ok) console.log(manifest.value.format) // 3
 */
export const readManifest = async (
  path: string,
): Promise<ReturnType<typeof import('./manifest.ts').readManifest>> =>
  (await import('./manifest.ts')).readManifest(path)

/** Opens a table of a run folder. */
export const readTable: typeof import('./run-folder.ts').readTable = async (...args) =>
  await (await import('./run-folder.ts')).readTable(...args)

/** Opens a run folder for a report, damaged or interrupted as it may be. */
export const openReadableRun = async (
  folder: string,
): Promise<ReturnType<typeof import('./runs/readable-run.ts').openReadableRun>> =>
  (await import('./runs/readable-run.ts')).openReadableRun(folder)

/** Writes a text file that is there whole or not at all. */
export const writeTextFile = async (
  ...args: Parameters<typeof import('./text-file.ts').writeTextFile>
): Promise<ReturnType<typeof import('./text-file.ts').writeTextFile>> =>
  (await import('./text-file.ts')).writeTextFile(...args)

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
 * The JSON Schema of one method of the document: its parameters and its result; undefined where there is none.
 *
 * @example
 * const read = await readInterfaceDocument()
 * if (read.ok) console.log(await methodSchema(read.value, 'private/nothing')) // undefined
 */
export const methodSchema = async (
  ...args: Parameters<typeof import('./interface-document.ts').methodSchema>
): Promise<ReturnType<typeof import('./interface-document.ts').methodSchema>> =>
  (await import('./interface-document.ts')).methodSchema(...args)

/** The named schemas of the document that some of its methods lead to. */
export const schemasOf = async (
  ...args: Parameters<typeof import('./interface-document.ts').schemasOf>
): Promise<ReturnType<typeof import('./interface-document.ts').schemasOf>> =>
  (await import('./interface-document.ts')).schemasOf(...args)

/** Packs bytes as gzip. */
export const gzipped = async (bytes: Uint8Array): Promise<Uint8Array> =>
  (await import('./package-file.ts')).gzipped(bytes)

/**
 * Opens a recorded file or a tape, whose batches are read as they are asked for.
 *
 * @example
 * const any = { format: null, symbol: null, columns: null, sha256: null }
 * const opened = await openFeedFile('node_modules/pitclock/data/recorded-market/trades.csv.gz', any)
 * if (!opened.ok) throw new Error(opened.error.kind)
 * const batch = await opened.value.next()
 * console.log(opened.value.kind, batch.ok && (batch.value?.rows ?? 0) > 0) // trades true
 * await opened.value.close()
 */
export const openFeedFile: typeof import('./feeds/feed-file.ts').openFeedFile = async (...args) =>
  await (await import('./feeds/feed-file.ts')).openFeedFile(...args)

/**
 * Writes a recorded file as a tape.
 *
 * @example
 * const any = { format: null, symbol: null, columns: null, sha256: null }
 * const made = await convertFeed('node_modules/pitclock/data/recorded-market/trades.csv.gz', 'trades.arrow', { ...any, force: true })
 * if (made.ok) console.log(made.value.kind, made.value.symbol) // trades BTC-PERPETUAL
 */
export const convertFeed: typeof import('./feeds/convert.ts').convertFeed = async (...args) =>
  await (await import('./feeds/convert.ts')).convertFeed(...args)

/**
 * Says what is in a recorded file, a tape, a table or a run folder.
 *
 * @example
 * const any = { format: null, symbol: null, columns: null, sha256: null }
 * const found = await inspect('node_modules/pitclock/data/recorded-market/trades.csv.gz', { ...any, head: 1 })
 * if (found.ok) console.log(found.value.type) // feed
 */
export const inspect: typeof import('./feeds/inspect.ts').inspect = async (...args) =>
  await (await import('./feeds/inspect.ts')).inspect(...args)

/**
 * Writes a finished run as the files that a recorder of it would have written.
 *
 * @example
 * const set = ['record.book=true']
 * await runFile('node_modules/pitclock/scenarios/orders/market-sell-fills-resting-bid.yaml', { out: 'runs/book', force: true, set })
 * const made = await convertRunToTardis('runs/book', 'recorded', { force: true })
 * if (made.ok) console.log(made.value.files.some(({ rows }) => rows > 0)) // true
 */
export const convertRunToTardis: typeof import('./exports/tardis.ts').convertRunToTardis = async (
  ...args
) => await (await import('./exports/tardis.ts')).convertRunToTardis(...args)

/**
 * Writes a recorded file or a tape as Tardis CSV.
 *
 * @example
 * const any = { format: null, symbol: null, columns: null, sha256: null }
 * const made = await convertFeedToTardis('node_modules/pitclock/data/recorded-market/trades.csv.gz', 'trades.csv.gz', { ...any, force: true })
 * if (made.ok) console.log(made.value.kind) // trades
 */
export const convertFeedToTardis: typeof import('./exports/tardis-feed.ts').convertFeedToTardis =
  async (...args) => await (await import('./exports/tardis-feed.ts')).convertFeedToTardis(...args)

/**
 * Writes the tables of a run folder in another format.
 *
 * @example
 * await runFile('node_modules/pitclock/scenarios/orders/market-sell-fills-resting-bid.yaml', { out: 'runs/tables', force: true })
 * const exported = await exportRun('runs/tables', { format: 'csv', force: true })
 * if (exported.ok) console.log(exported.value.out) // runs/tables-csv
 */
export const exportRun: typeof import('./exports/run-tables.ts').exportRun = async (...args) =>
  await (await import('./exports/run-tables.ts')).exportRun(...args)

/**
 * Asks DuckDB about the tables of a run folder.
 *
 * @example
 * // It asks for the package @duckdb/node-api, and says so where that is not installed.
 * const found = await queryRun('runs/none', 'select count(*) from fills')
 * console.log(found.ok) // false
 */
export const queryRun: typeof import('./exports/query-run.ts').queryRun = async (...args) =>
  await (await import('./exports/query-run.ts')).queryRun(...args)

/** The parser of those CSV records that the fast reader leaves alone. */
export const loadRecordParser = async (): Promise<
  typeof import('./feeds/record-parser.ts').parseCsvRecord
> => (await import('./feeds/record-parser.ts')).parseCsvRecord
