/**
 * All outputs of a run: its folder, its files of lines, its tables and figures. Each is opened new or continued from a
 * saved state.
 */
import { err, type InputError, ok, type Result } from '../../core/index.ts'
import { audit } from '../../engine/index.ts'
import { borrowing, type Event, fanOut, logHead, whileAsked } from '../../model/index.ts'
import {
  createMetrics,
  createResultsSink,
  type Metrics,
  type MetricsTerms,
  type MetricsViews,
  type ResultsOptions,
  type ResultsSink,
  restoreMetrics,
  restoreResultsSink,
  type TableFormat,
} from '../../results/index.ts'
import { envelope, eventOut, type VenueReply, withoutSecrets } from '../../rpc/index.ts'
import {
  createRunLaws,
  encodeJournalRequest,
  type JournalHead,
  type RunHooks,
  type ScenarioRun,
} from '../../scenario/index.ts'
import type { AppendFile } from '../append-file.ts'
import type { RunReceipt } from '../manifest.ts'
import { type AskedTable, openRunFolder, type RunFolder } from '../run-folder.ts'
import { nodeSha256 } from '../sha256.ts'
import type { Checkpoint } from './checkpoint.ts'
import { depositSink } from './closing.ts'
import { arrivalMids, metricsViews } from './figures-report.ts'
import { type LineFile, openAtomicFile } from './line-file.ts'
import type { LoadedRun } from './load-run.ts'
import { type RunFault, runFault } from './run-fault.ts'
import type { RunFileOptions } from './run-report.ts'
import { engineVersion } from './version.ts'

/** A run that can begin or be resumed, and its requested outputs. */
export interface RunJob {
  readonly file: string
  /** Path for reading the text again; null for a document of a program. */
  readonly path: string | null
  readonly loaded: LoadedRun
  readonly options: RunFileOptions
  readonly receipt: RunReceipt
  /** The saved state and its partial folder; null for a new run. */
  readonly from: (Checkpoint & { readonly partialPath: string }) | null
}

/** The outputs of a run. */
export interface Outputs {
  readonly folder: RunFolder | null
  readonly replies: LineFile | null
  readonly events: LineFile | null
  readonly log: AppendFile | null
  readonly results: ResultsSink
  readonly metrics: Metrics
  /** True after a request for sim/restore; earnings of several branches have no sum. */
  isPutBack: boolean
  readonly deposits: Map<string, bigint>
}

/** The sinks of a run's events, empty or restored from a checkpoint. */
export function openTakers(
  job: RunJob,
  log: Outputs['log'],
  folder: RunFolder | null,
): Result<Pick<Outputs, 'results' | 'metrics' | 'isPutBack' | 'deposits'>, RunFault> {
  const onLog = log?.write ?? folder?.saved?.onLog
  const options: ResultsOptions = {
    sha256: nodeSha256,
    onBlock: folder?.onBlock ?? (job.options.tables ? unwritten : null),
    ...(onLog === undefined ? {} : { onLog }),
  }
  const { from } = job
  if (from === null) {
    return ok({
      results: createResultsSink(options),
      metrics: createMetrics(metricsTermsOf(job)),
      isPutBack: false,
      deposits: new Map(),
    })
  }
  const results = restoreResultsSink(from.results, options)
  const metrics = restoreMetrics(from.metrics)
  if (!(results.ok && metrics.ok)) {
    const wrong = [results, metrics].flatMap((part) => (part.ok ? [] : [part.error]))
    const file = from.partialPath
    const faults = wrong.map((fault) => ({ code: 'RUN_FOLDER' as const, file, ...fault }))
    return err(runFault('input', ...faults))
  }
  return ok({
    results: results.value,
    metrics: metrics.value,
    isPutBack: from.head.isPutBack,
    deposits: new Map(from.head.deposits.map(([wallet, nano]) => [wallet, BigInt(nano)])),
  })
}

/** A file for the event log. It begins with the name of the log's layout. */
export function openLogFile(path: string): AppendFile {
  const file = openAtomicFile(path, 'an event log')
  file.write(logHead())
  return file
}

/** Consumer for tables of which only the rows and hashes are needed. */
const unwritten = (): void => undefined

/** The conventions of the file, overridden by the options. */
export function metricsTermsOf(job: RunJob): MetricsTerms {
  return { ...job.loaded.head.metrics, ...job.options.metrics }
}

/** The format in the options, otherwise the format of the file. */
export function formatOf(job: RunJob): TableFormat {
  return job.options.format ?? job.loaded.head.record.format
}

export async function openFolder(job: RunJob): Promise<Result<RunFolder | null, InputError>> {
  const { loaded, options, receipt } = job
  const { head } = loaded
  if (options.out === null) return ok(null)
  const from = job.from === null ? null : { ...job.from, mark: job.from.head.mark }
  const folderOptions = {
    force: options.force,
    format: formatOf(job),
    exact: options.exact,
    journal: options.journal,
    saving: options.saveEvery !== null,
    asked: askedTables(head),
    metrics: metricsTermsOf(job),
    engine: { name: 'pitclock', version: engineVersion() },
    seed: head.seed,
    scenario: { title: head.title, sha256: head.scenarioSha256 ?? '', set: options.set },
    receipt,
  }
  return await openRunFolder(options.out, folderOptions, from)
}

/** Tables that a run writes only on request. */
function askedTables({ config, record }: JournalHead): readonly AskedTable[] {
  const asked: AskedTable[] = []
  if (config.bookEvents) asked.push('book')
  if (record.quotes !== null) asked.push('quotes')
  if (record.bookSnapshot !== null) asked.push('book_snapshots')
  if (record.bars.length > 0) asked.push('bars')
  return asked
}

export function openRun(job: RunJob, outputs: Outputs): Result<ScenarioRun, RunFault> {
  const { loaded, options, from } = job
  const { folder, replies, events, results, metrics, deposits } = outputs
  const journal = folder?.journal ?? null
  let run: ScenarioRun | undefined
  let views: MetricsViews | undefined
  const print = (event: Event): void => {
    // The first events open the house accounts, before there is a run that could name them.
    if (run !== undefined) events?.write(eventOut(run.desk.exchange, event))
  }
  const sink = fanOut([
    results,
    whileAsked(metrics, () => !outputs.isPutBack),
    depositSink(deposits),
    ...(events === null ? [] : [borrowing({ emit: print }, ['order', 'request'])]),
  ])
  const onReply = (_request: unknown, reply: VenueReply): void => {
    replies?.write(envelope(withoutSecrets(reply), reply.sequence))
  }
  const hooks: RunHooks = {
    sink,
    onInput: (time) => {
      if (run === undefined) return
      // Consequences of a request follow after its reply, so the state is complete only at the next input.
      if (options.audit) audit(run.desk.exchange)
      views ??= metricsViews(run.desk.exchange)
      if (!outputs.isPutBack) metrics.input(time, views)
    },
    nextInput: () => {
      if (options.audit) return Number.NEGATIVE_INFINITY
      return outputs.isPutBack ? Number.POSITIVE_INFINITY : metrics.nextInput()
    },
    watcher: {
      next: () => (outputs.isPutBack ? Number.POSITIVE_INFINITY : metrics.next()),
      look: (time, exchange) => {
        views ??= metricsViews(exchange)
        metrics.look(time, views)
      },
    },
    onEquity: results.recordEquity,
    laws: createRunLaws,
    ...(folder === null || folder.saved === null ? {} : { histories: folder.saved.histories }),
    // Only tables have rows of series.
    ...(folder !== null || options.tables ? { series: results } : {}),
    onRequest: (request, sequence) => {
      journal?.write(encodeJournalRequest(request, sequence))
      // Requests from outside must be on disk if the program is killed.
      if (options.live !== undefined) journal?.flush()
      // A request that was refused before it reached the engine, such as one without the key of the controls, restores
      // nothing.
      outputs.isPutBack ||= request.method === 'sim/restore' && request.refused === undefined
      if (outputs.isPutBack) return
      const mids = run === undefined ? null : arrivalMids(run.desk.exchange, request.method, request.params)
      if (mids !== null) metrics.request(sequence, mids)
    },
    // Replies are built only if a file takes them.
    ...(replies === null ? {} : { onReply }),
  }
  if (from === null) {
    run = loaded.open(hooks)
    return ok(run)
  }
  const restored = loaded.reopen(from.run, hooks)
  if (!restored.ok) {
    return err(runFault('input', { ...unlike, file: from.partialPath, found: restored.error }))
  }
  run = restored.value
  return ok(run)
}

const unlike = { code: 'RUN_FOLDER', expected: 'the state of this run' } as const
