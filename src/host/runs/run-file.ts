/**
 * Running a scenario file or a journal from disk: the run, its folder, its lines, its report.
 *
 * The run goes on in slices of requests; between two slices the caller may look at its progress or
 * interrupt it, and nothing else happens. Source: DESIGN 7 and 8.
 */
import { rmSync } from 'node:fs'
import {
  err,
  formatInputError,
  formatIsoTime,
  type InputError,
  ok,
  type Result,
} from '../../core/index.ts'
import { audit, stateHash, timeOf } from '../../engine/index.ts'
import { type Event, fanOut, logHead, whileAsked } from '../../model/index.ts'
import {
  createMetrics,
  createPerformance,
  createResultsSink,
  type EquityLookup,
  type Metrics,
  type MetricsTerms,
  type MetricsViews,
  type Performance,
  type ResultsSink,
  type TableFormat,
} from '../../results/index.ts'
import { envelope, eventOut, type VenueReply, withoutSecrets } from '../../rpc/index.ts'
import {
  closeRun,
  encodeJournalHead,
  encodeJournalRequest,
  finishRun,
  type JournalHead,
  type ScenarioRun,
  stopRun,
} from '../../scenario/index.ts'
import { type AppendFile, createAppendFile } from '../append-file.ts'
import type { RunReceipt } from '../manifest.ts'
import { type AskedTable, openRunFolder, type RunFolder } from '../run-folder.ts'
import { nodeSha256, sha256Hex } from '../sha256.ts'
import { isSystemError, systemWords } from '../system-words.ts'
import { depositSink, standingsOf } from './closing.ts'
import { driveLive, driveRun, heeding } from './drive-run.ts'
import { type LineFile, openLineFile } from './line-file.ts'
import { faultOfFeeds, type LoadedRun, loadRun, type RunSources } from './load-run.ts'
import {
  arrivalMid,
  type MetricsReport,
  metricsTermsOut,
  metricsViews,
  reportMetrics,
} from './metrics-report.ts'
import { equityLookup, reportPerformance } from './performance-report.ts'
import type { RunFault } from './run-fault.ts'
import type { RunDocumentOptions, RunFileOptions, RunReport } from './run-report.ts'
import { type RunText, readRunText } from './run-text.ts'
import { engineVersion } from './version.ts'

/**
 * Reads and checks a file without running it, and where its recorded files begin; its strategies too, whose modules
 * are code that loading runs, unless `modules` is false.
 * Nothing is wrong where the fault has no lines.
 */
export async function checkFile(
  file: string,
  {
    feeds = null,
    modules = true,
    set = [],
    ...reading
  }: Partial<RunFileOptions> & { readonly modules?: boolean } = {},
): Promise<RunFault> {
  const source = await readRunText(file, set)
  if (!source.ok) return source.error
  const sources = { feeds: foldersOf({ feeds }), strategies: {}, modules, reading }
  const loaded = await loadRun(source.value, sources)
  if (!loaded.ok) return loaded.error
  const { feeds: recorded } = loaded.value
  const faults = await recorded.probe()
  await recorded.close()
  const fault = faultOfFeeds(faults)
  if (fault.lines.length > 0 || !loaded.value.isWithoutModules) return fault
  const hint = 'strategy modules are code and were not loaded; --allow-modules checks them too'
  return { ...fault, hint }
}

/** Runs a scenario (`.yaml`, `.yml`, `.json`) or a journal (`.jsonl`). */
export async function runFile(
  file: string,
  options: Partial<RunFileOptions> = {},
): Promise<Result<RunReport, RunFault>> {
  const complete = { ...silent, ...options }
  const source = await readRunText(file, complete.set)
  if (!source.ok) return source
  const sources = { feeds: foldersOf(complete), strategies: {}, reading: complete }
  return await runText(source.value, sources, complete)
}

/**
 * Runs a scenario that a program made: the same sections as in a file, as an object. Strategies may be
 * given as they are; `module` names them then.
 */
export async function runDocument(
  document: object,
  options: RunDocumentOptions = {},
): Promise<Result<RunReport, RunFault>> {
  const { strategies = {}, folder = '.' } = options
  const complete = { ...silent, ...options }
  const text = JSON.stringify(document)
  const { set } = complete
  const source = { text, file: 'the document', folder, isJournal: false, set }
  const sources = { feeds: foldersOf(complete), strategies, reading: complete }
  return await runText(source, sources, complete)
}

const silent: RunFileOptions = {
  set: [],
  out: null,
  force: false,
  format: null,
  exact: false,
  journal: true,
  audit: false,
  feeds: null,
  tables: false,
  replies: null,
  events: null,
  log: null,
  metrics: {},
  command: null,
  interrupted: () => false,
  onProgress: () => undefined,
}

function foldersOf({ feeds }: Pick<RunFileOptions, 'feeds'>): readonly string[] {
  return feeds === null ? [] : [feeds]
}

async function runText(
  source: RunText,
  sources: RunSources,
  options: RunFileOptions,
): Promise<Result<RunReport, RunFault>> {
  const loaded = await loadRun(source, { ...sources, live: options.live?.source })
  if (!loaded.ok) return loaded
  const { receipt } = loaded.value
  const { file, text } = source
  const sha256 = sha256Hex(Buffer.from(text))
  const { node } = process.versions
  const command = options.command === null ? null : [...options.command]
  const job: RunJob = {
    file,
    loaded: loaded.value,
    options,
    receipt: { ...receipt, made_by: { node, command, file, sha256 } },
  }
  try {
    return await runLoaded(job)
  } catch (error) {
    // Only the operating system's refusals are expected here; everything else is our defect.
    if (!isSystemError(error)) throw error
    const expected = 'a place that can be written'
    const fault = { expected, found: systemWords(error) }
    const lines = [
      formatInputError(error.path === undefined ? fault : { file: error.path, ...fault }),
    ]
    return err({ kind: 'io', lines })
  } finally {
    await loaded.value.feeds.close()
  }
}

/** A run that can begin, and what is to be written of it. */
interface RunJob {
  readonly file: string
  readonly loaded: LoadedRun
  readonly options: RunFileOptions
  readonly receipt: RunReceipt
}

/** Everything that a run writes to. */
interface Outputs {
  readonly folder: RunFolder | null
  readonly replies: LineFile | null
  readonly events: LineFile | null
  readonly log: AppendFile | null
  readonly results: ResultsSink
  readonly performance: Performance
  readonly metrics: Metrics
  /** True once sim/restore was asked for: earnings of several branches have no sum. */
  isPutBack: boolean
  readonly deposits: Map<string, bigint>
}

async function runLoaded(job: RunJob): Promise<Result<RunReport, RunFault>> {
  const opened = await openFolder(job)
  if (!opened.ok) return err({ kind: 'io', lines: [formatInputError(opened.error)] })
  const folder = opened.value
  const { replies: repliesPath, events: eventsPath, log: logPath } = job.options
  const files: Pick<LineFile, 'abandon'>[] = []
  const open = <F extends Pick<LineFile, 'abandon'>>(
    path: string | null,
    openFile: (path: string) => F,
  ): F | null => {
    if (path === null) return null
    const file = openFile(path)
    files.push(file)
    return file
  }
  let isDone = false
  try {
    const log = open(logPath, openLogFile)
    const outputs: Outputs = {
      folder,
      replies: open(repliesPath, openLineFile),
      events: open(eventsPath, openLineFile),
      log,
      results: createResultsSink({
        sha256: nodeSha256,
        onBlock: folder?.onBlock ?? (job.options.tables ? unwritten : null),
        ...(log === null ? {} : { onLog: (records) => log.write(records) }),
      }),
      performance: createPerformance(),
      metrics: createMetrics(termsOf(job)),
      isPutBack: false,
      deposits: new Map(),
    }
    const report = await writeRun(job, outputs)
    isDone = report.ok
    return report
  } finally {
    // Nothing of a run that failed stays, whatever it failed of; of a live one its journal, which nobody can send again.
    if (!isDone) {
      for (const file of files) file.abandon()
      if (job.options.live === undefined) folder?.discard()
      else folder?.leave()
    }
  }
}

/** A file for the event log, which begins with the name of its layout; nothing stays of one that is abandoned. */
function openLogFile(path: string): AppendFile {
  const file = createAppendFile(path, 'replace')
  file.write(logHead())
  const abandon = (): void => {
    file.abandon()
    rmSync(path, { force: true })
  }
  return { ...file, abandon }
}

/** Tables are made for their rows and hashes alone. */
const unwritten = (): void => undefined

async function writeRun(job: RunJob, outputs: Outputs): Promise<Result<RunReport, RunFault>> {
  const { file, loaded, options } = job
  const { folder } = outputs
  const { head } = loaded
  const record = { ...head.record, format: formatOf(job) }
  folder?.journal?.write(encodeJournalHead({ ...head, metrics: termsOf(job), record }))
  const run = openRun(loaded, options, outputs)
  const isAsked = (): boolean => options.interrupted() || isInVain(outputs)
  const { live } = options
  const driven = await heeding(run, () =>
    live === undefined
      ? driveRun(run, loaded, { ...options, interrupted: isAsked })
      : driveLive(run, loaded, live),
  )
  if (!driven.ok) {
    // What came before the fault may say why.
    outputs.replies?.close()
    outputs.events?.close()
    return driven
  }
  const status = driven.value
  const { exchange } = run.desk
  // An interrupted run stops where it is; only a complete one moves the clock to its end.
  const finish = live === undefined ? finishRun : stopRun
  const end = status === 'complete' ? finish(run).end : timeOf(exchange)
  const followed = outputs.isPutBack ? createPerformance() : outputs.performance
  const performance = reportPerformance(followed, exchange)
  const metrics = metricsOf(job, outputs, { exchange, accounts: performance.accounts })
  const digest = closeRun(run, outputs.results)
  const accounts = standingsOf(exchange, outputs.deposits)
  outputs.replies?.close()
  outputs.events?.close()
  outputs.log?.close()
  const { requests, refused: refusals, trades, events } = run.counts
  const from = head.config.start
  const written = folder?.close({
    status,
    digest,
    from,
    to: end,
    requests,
    events,
    metrics: metricsTermsOut(metrics),
  })
  if (written?.ok === false) return err(faultOf(written.error))
  return ok({
    file,
    title: head.title,
    status,
    from: formatIsoTime(from),
    until: formatIsoTime(end),
    requests,
    refused: refusals,
    trades,
    events,
    expectations: loaded.expectations,
    failures: run.failures.map(formatInputError),
    digest: digest.digest,
    state_hash: stateHash(exchange),
    tables: digest.tables,
    feeds: loaded.feeds.report(),
    accounts,
    performance: performance.records,
    metrics,
    refusals: run.loop.seats.flatMap(({ seat: { name, accountName, refusals } }) =>
      refusals.size === 0
        ? []
        : [{ strategy: name, account: accountName, reasons: [...refusals.values()] }],
    ),
    performance_totals: performance.totals,
    out: status === 'complete' ? options.out : (folder?.partialPath ?? null),
  })
}

/** A mistake in a folder, as a fault of the run. */
function faultOf({ hint, ...fault }: InputError): RunFault {
  const lines = [formatInputError(fault)]
  return hint === undefined ? { kind: 'io', lines } : { kind: 'io', lines, hint }
}

/** Ends the measurement where the exchange stands; of a run that was put back there is none. */
function metricsOf(
  job: RunJob,
  { isPutBack, metrics, results }: Outputs,
  of: Pick<Parameters<typeof reportMetrics>[1], 'exchange' | 'accounts'>,
): MetricsReport {
  const terms = termsOf(job)
  const { exchange, accounts } = of
  const measured = isPutBack ? createMetrics(terms) : metrics
  const ended = measured.finish(timeOf(exchange), metricsViews(exchange))
  return reportMetrics(ended, { exchange, accounts, terms, results })
}

/** The conventions of the file, and what was asked for instead. */
function termsOf({ loaded, options }: RunJob): MetricsTerms {
  return { ...loaded.head.metrics, ...options.metrics }
}

/** The format of the file, or the one that was asked for instead. */
function formatOf({ loaded, options }: RunJob): TableFormat {
  return options.format ?? loaded.head.record.format
}

/** True if all that a run writes goes to somebody who has gone. */
function isInVain({ folder, replies, events }: Outputs): boolean {
  const lines = [replies, events].filter((file) => file !== null)
  return folder === null && lines.length > 0 && lines.every(({ isUnread }) => isUnread)
}

async function openFolder(job: RunJob): Promise<Result<RunFolder | null, InputError>> {
  const { loaded, options, receipt } = job
  const { head } = loaded
  if (options.out === null) return ok(null)
  return await openRunFolder(options.out, {
    force: options.force,
    format: formatOf(job),
    exact: options.exact,
    journal: options.journal,
    asked: askedTables(head),
    metrics: termsOf(job),
    engine: { name: 'pitclock', version: engineVersion() },
    seed: head.seed,
    scenario: { title: head.title, sha256: head.scenarioSha256 ?? '', set: options.set },
    receipt,
  })
}

/** Tables beside the usual ones. */
function askedTables({ config, record }: JournalHead): readonly AskedTable[] {
  const asked: AskedTable[] = []
  if (config.bookEvents) asked.push('book')
  if (record.quotes !== null) asked.push('quotes')
  if (record.bookSnapshot !== null) asked.push('book_snapshots')
  if (record.bars.length > 0) asked.push('bars')
  return asked
}

function openRun(loaded: LoadedRun, options: RunFileOptions, outputs: Outputs): ScenarioRun {
  const { folder, replies, events, results, performance, metrics, deposits } = outputs
  const journal = folder?.journal ?? null
  let run: ScenarioRun | undefined
  let equity: EquityLookup | undefined
  let views: MetricsViews | undefined
  const print = (event: Event): void => {
    // The first events open the house accounts, before there is a run to name them.
    if (run !== undefined) events?.write(eventOut(run.desk.exchange, event))
  }
  const sink = fanOut([
    results,
    whileAsked(performance, () => !outputs.isPutBack),
    whileAsked(metrics, () => !outputs.isPutBack),
    depositSink(deposits),
    ...(events === null ? [] : [{ emit: print }]),
  ])
  const onReply = (_request: unknown, reply: VenueReply): void => {
    replies?.write(envelope(withoutSecrets(reply), reply.sequence))
  }
  run = loaded.open({
    sink,
    onInput: (time) => {
      if (run === undefined) return
      // What a request sets off is done after its reply, so that the state is whole at the next input.
      if (options.audit) audit(run.desk.exchange)
      equity ??= equityLookup(run.desk.exchange)
      views ??= metricsViews(run.desk.exchange)
      if (outputs.isPutBack) return
      performance.sample(time, equity)
      metrics.input(views)
    },
    watcher: {
      next: () => (outputs.isPutBack ? Number.POSITIVE_INFINITY : metrics.next()),
      look: (time, exchange) => {
        views ??= metricsViews(exchange)
        metrics.look(time, views)
      },
    },
    onEquity: results.recordEquity,
    // Series are rows of tables alone.
    ...(folder !== null || options.tables ? { series: results } : {}),
    onRequest: (request, sequence) => {
      journal?.write(encodeJournalRequest(request, sequence))
      // What somebody has sent must be there when the program is killed.
      if (options.live !== undefined) journal?.flush()
      outputs.isPutBack ||= request.method === 'sim/restore'
      const mid = run === undefined ? 0 : arrivalMid(run.desk.exchange, request)
      if (mid > 0) metrics.request(sequence, mid)
    },
    // A reply that nobody looks at is not built.
    ...(replies === null ? {} : { onReply }),
  })
  return run
}
