/**
 * Runs a job from its beginning or from a saved state to its end, with its folder, its files of lines and its report.
 *
 * The run is split into slices of requests. Only between two slices can the caller see its progress or interrupt it.
 * The run is saved while it continues: at the first pause after each interval of virtual time, and when it is
 * interrupted. If a function waits for a reply at that pause, the run is saved at a later one.
 * Source: DESIGN 7 and 8.
 */
import { basename, relative } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { feedLoop, placedFault, textOfError } from '../../backtest/index.ts'
import {
  defined,
  err,
  formatInputError,
  formatIsoTime,
  type InputError,
  isError,
  ok,
  type Result,
} from '../../core/index.ts'
import { audit, stateHash, timeOf } from '../../engine/index.ts'
import { faultCounts } from '../../faults/index.ts'
import { createMetrics, type Metrics, type ResultsSink } from '../../results/index.ts'
import { closeRun, encodeJournalHead, finishRun, type ScenarioRun, snapshotRun, stopRun } from '../../scenario/index.ts'
import type { RunReceipt } from '../manifest.ts'
import type { JournalFile, RunFolder } from '../run-folder.ts'
import { isSystemError, systemWords } from '../system-words.ts'
import { encodeCheckpoint, type SavedOptions } from './checkpoint.ts'
import { standingsOf } from './closing.ts'
import { metricsTermsOut, metricsViews, reportMetrics } from './figures-report.ts'
import { type LineFile, openLineFile } from './line-file.ts'
import type { LoadedRun } from './load-run.ts'
import { reportPerformance } from './performance-report.ts'
import { type RunFault, runFault } from './run-fault.ts'
import {
  formatOf,
  metricsTermsOf,
  type Outputs,
  openFolder,
  openLogFile,
  openRun,
  openTakers,
  type RunJob,
} from './run-outputs.ts'
import type { LiveRun, RunFileOptions, RunReport } from './run-report.ts'
import { engineVersion } from './version.ts'

/** Options for observing a run, and its saver. */
type Driving = Pick<RunFileOptions, 'audit' | 'interrupted' | 'onProgress'> & {
  readonly saver: Saver | null
}

/** Runs a loaded job. Errors of the operating system become a fault of the run. */
export async function runJob(job: RunJob): Promise<Result<RunReport, RunFault>> {
  try {
    return await runLoaded(job)
  } catch (error) {
    // Only errors of the operating system are expected here; everything else is our defect.
    if (!isSystemError(error)) throw error
    const expected = error.path === 'stdout' ? 'a writable stream' : 'a writable path'
    const file = error.path === undefined ? {} : { file: error.path }
    const fault = { code: 'FILE' as const, ...file, expected, found: systemWords(error) }
    return err({ ...runFault('io', fault), ...resumeHint(job) })
  } finally {
    await job.loaded.feeds.close()
  }
}

/** A hint how to resume a run that was saved before an error of the operating system. */
function resumeHint({ options: { out, saveEvery } }: RunJob): { readonly hint?: string } {
  if (saveEvery === null || out === null) return {}
  return { hint: `to continue from the last save: pitclock resume ${out}` }
}

async function runLoaded(job: RunJob): Promise<Result<RunReport, RunFault>> {
  const opened = await openFolder(job)
  if (!opened.ok) {
    // Damage in the folder of a saved run is bad data. Any other fault means that a path cannot be written.
    return err(runFault(opened.error.code === 'RUN_FOLDER' ? 'input' : 'io', opened.error))
  }
  const folder = opened.value
  const { replies: repliesPath, events: eventsPath, log: logPath } = job.options
  const files: Pick<LineFile, 'abandon'>[] = []
  const open = <F extends Pick<LineFile, 'abandon'>>(path: string | null, openFile: (path: string) => F): F | null => {
    if (path === null) return null
    const file = openFile(path)
    files.push(file)
    return file
  }
  let isDone = false
  /** True for a live run, whose requests cannot be repeated, and for a saved run that failed because of the machine. */
  let isKept = job.options.live !== undefined
  try {
    const log = open(logPath, openLogFile)
    const takers = openTakers(job, log, folder)
    if (!takers.ok) return takers
    const outputs: Outputs = {
      folder,
      replies: open(repliesPath, openLineFile),
      events: open(eventsPath, openLineFile),
      log,
      ...takers.value,
    }
    const report = await writeRun(job, outputs)
    isDone = report.ok
    isKept ||= folder?.saved?.hasCheckpoint === true && !report.ok && report.error.kind === 'io'
    return report
  } catch (error) {
    isKept ||= folder?.saved?.hasCheckpoint === true && isSystemError(error)
    throw error
  } finally {
    // All other output of a failed run is removed, whatever the reason.
    if (!isDone) {
      for (const file of files) file.abandon()
      if (isKept) folder?.leave()
      else folder?.discard()
    }
  }
}

async function writeRun(job: RunJob, outputs: Outputs): Promise<Result<RunReport, RunFault>> {
  const { file, loaded, options } = job
  const record = { ...loaded.head.record, format: formatOf(job) }
  if (job.from === null) {
    outputs.folder?.journal?.write(encodeJournalHead({ ...loaded.head, metrics: metricsTermsOf(job), record }))
  }
  const opened = openRun(job, outputs)
  if (!opened.ok) return opened
  const run = opened.value
  const saver = saverOf(job, outputs, run)
  if (!saver.ok) return saver
  const isAsked = (): boolean => options.interrupted() || isInVain(outputs)
  const driven = await heeding(run, () =>
    options.live === undefined
      ? driveRun(run, loaded, { ...options, interrupted: isAsked, saver: saver.value })
      : driveLive(run, loaded, options.live, outputs.folder?.journal ?? null),
  )
  if (!driven.ok) return err(withLines(driven.error, outputs))
  const status = driven.value
  if (status === 'interrupted') saver.value?.now()
  const { exchange } = run.desk
  // An interrupted run stops at its current time; only a complete one moves the clock to its end.
  const finish = options.live === undefined ? finishRun : stopRun
  const end = status === 'complete' ? finish(run).end : timeOf(exchange)
  const terms = metricsTermsOf(job)
  // After `sim/restore` a run has no figures, because earnings of several branches have no sum.
  const followed = outputs.isPutBack ? createMetrics(terms) : outputs.metrics
  const measured = followed.finish(timeOf(exchange), metricsViews(exchange))
  const performance = reportPerformance(measured.accounts)
  const metrics = reportMetrics(measured, exchange, terms, outputs.results)
  const digest = closeRun(run, outputs.results)
  outputs.replies?.close()
  outputs.events?.close()
  outputs.log?.close()
  const { requests, refused: refusals, trades, events } = run.counts
  const from = loaded.head.config.start
  const written = outputs.folder?.close({
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
    title: loaded.head.title,
    status,
    from: formatIsoTime(from),
    until: formatIsoTime(end),
    requests,
    refused: refusals,
    trades,
    events,
    expectations: loaded.expectations,
    ...failuresOf(run),
    digest: digest.digest,
    state_hash: stateHash(exchange),
    tables: digest.tables,
    feeds: loaded.feeds.report(),
    accounts: standingsOf(exchange, outputs.deposits),
    performance: performance.records,
    metrics,
    strategies: strategiesOf(run),
    refusals: refusalsOf(run),
    unread_params: isWholeIn(job, outputs, status) ? loaded.unreadParams() : [],
    faults: faultCounts(run.desk.faults),
    performance_totals: performance.totals,
    out: status === 'complete' ? options.out : (outputs.folder?.partialPath ?? null),
  })
}

/** Closes the files of lines. They may explain the fault, so its hint names them. */
function withLines(fault: RunFault, outputs: Outputs): RunFault {
  const left = [outputs.replies, outputs.events].flatMap((lines) => lines?.leave() ?? [])
  const files = left.filter((path) => path !== '-')
  if (files.length === 0 || fault.hint !== undefined) return fault
  return { ...fault, hint: `the lines before the error are in ${files.join(', ')}` }
}

function failuresOf({ failures }: ScenarioRun): Pick<RunReport, 'failures' | 'unmet'> {
  return {
    failures: failures.map(formatInputError),
    unmet: failures.map((failure) => ({ code: 'EXPECTATION', ...failure })),
  }
}

/** Strategies in the order of the file, with their accounts. */
function strategiesOf(run: ScenarioRun): RunReport['strategies'] {
  return run.loop.seats.map(({ seat: { name, accountName } }) => ({
    strategy: name,
    account: accountName,
  }))
}

/** True if the strategies of this process saw the whole run. */
function isWholeIn(job: RunJob, outputs: Outputs, status: RunReport['status']): boolean {
  return status === 'complete' && job.from === null && !outputs.isPutBack
}

/** Refused requests of strategies, for strategies with refusals. */
function refusalsOf(run: ScenarioRun): RunReport['refusals'] {
  return run.loop.seats.flatMap(({ seat: { name, accountName, refusals } }) =>
    refusals.size === 0 ? [] : [{ strategy: name, account: accountName, reasons: [...refusals.values()] }],
  )
}

/** True if a run writes only to stdout and its reader has closed it. */
function isInVain(outputs: Outputs): boolean {
  const lines = [outputs.replies, outputs.events].filter((file) => file !== null)
  return outputs.folder === null && lines.length > 0 && lines.every(({ isUnread }) => isUnread)
}

/** The saver of a run; null if saving was not requested. The fault says why this run cannot be saved. */
function saverOf(job: RunJob, outputs: Outputs, run: ScenarioRun): Result<Saver | null, RunFault> {
  if (job.options.saveEvery === null) return ok(null)
  const fault = savingFault(run, { ...job.options, file: job.file })
  if (fault !== null) return err(fault)
  const folder = defined(outputs.folder ?? undefined, 'a run that is saved has a folder')
  const isPutBack = (): boolean => outputs.isPutBack
  const parts = {
    run,
    folder,
    results: outputs.results,
    metrics: outputs.metrics,
    deposits: outputs.deposits,
    receipt: job.receipt,
    isPutBack,
  }
  return ok(createSaver(parts, job.options.saveEvery, job.options, job.path))
}

/** A mistake in a folder, as a fault of the run. */
function faultOf(error: InputError): RunFault {
  const { hint, ...fault } = error
  const reported = { ...runFault('io', fault), errors: [error] }
  return hint === undefined ? reported : { ...reported, hint }
}

/**
 * Drives a run slice by slice. Between two slices it refills feeds, reports progress and checks for interruptions. It
 * also reports rejected promises and exceptions that a strategy leaves behind as mistakes of that strategy.
 */

/** Size of a slice in work items: requests, recorded messages, deliveries. */
const SLICE = 2_000

/** Size of a slice in a run that is saved, because an interval of virtual time may contain few items. */
const SAVED_SLICE = 100

/**
 * Drives a run and watches for unhandled rejections and uncaught exceptions. If a strategy caused one, it becomes the
 * fault of the run; all others end the process as usual.
 */
async function heeding(
  run: ScenarioRun,
  drive: () => Promise<Result<'complete' | 'interrupted', RunFault>>,
): Promise<Result<'complete' | 'interrupted', RunFault>> {
  const [first] = run.loop.seats
  if (first === undefined) return await drive()
  const names = run.loop.seats.map(({ seat }) => seat.name)
  const ownerOf = (error: unknown): string | undefined => {
    const stack = isError(error) ? (error.stack ?? '') : ''
    return names.find((name) => stack.includes(basename(name.split(' ')[0] ?? name)))
  }
  const outsideFault = (): InputError | null => run.loop.seats[0]?.seat.outside.fault ?? null
  const blame = (name: string, part: string, error: unknown, expected: string): void => {
    const words = { expected, found: textOfError(error) }
    run.loop.fault ??= placedFault(name, part, error, words)
  }
  const onRejection = (error: unknown): void => {
    // The strategy runner has already recorded the mistake with its place.
    if (outsideFault() !== null) return
    const own = ownerOf(error)
    if (own === undefined && isError(error) && !isOfStrategies(error)) throw error
    blame(own ?? names.join(', '), 'a promise', error, 'a promise that is not rejected')
  }
  const onException = (error: Error): void => {
    if (outsideFault() !== null) return
    const own = ownerOf(error)
    if (own !== undefined) {
      blame(own, 'a timer or callback', error, 'no exception')
      return
    }
    // The exception does not belong to a strategy, so it goes to the other listeners, as if there were no run. Without
    // other listeners, Node ends the process.
    process.off('uncaughtException', onException)
    if (process.listenerCount('uncaughtException') === 0) throw error
  }
  process.on('unhandledRejection', onRejection)
  process.prependListener('uncaughtException', onException)
  try {
    const driven = await drive()
    // Promises that the last callback left behind are rejected when the event loop has no other work.
    await setImmediate()
    run.loop.fault ??= outsideFault()
    const { fault } = run.loop
    return driven.ok && fault !== null ? err(runFault('input', fault)) : driven
  } finally {
    process.off('unhandledRejection', onRejection)
    process.off('uncaughtException', onException)
  }
}

/** True for an error thrown by virtual globals or by the venue of a strategy. */
function isOfStrategies(error: Error): boolean {
  return 'code' in error && error.code === 'STRATEGY'
}

/** Lets the driver of a live run continue the run until the driver ends it. */
async function driveLive(
  run: ScenarioRun,
  loaded: LoadedRun,
  live: LiveRun,
  journal: JournalFile | null,
): Promise<Result<'complete', RunFault>> {
  let kind: RunFault['kind'] = 'input'
  await live.drive(run, {
    refill: async () => {
      const filled = await loaded.feeds.refill()
      if (filled.ok) return filled
      kind = filled.error.kind
      return err(filled.error.error)
    },
    journalBytes: () => journal?.size ?? 0,
  })
  const { fault } = run.loop
  return fault === null ? ok('complete') : err(runFault(kind, fault))
}

/** Runs slice by slice until the run is done, fails or is interrupted. */
export async function driveRun(
  run: ScenarioRun,
  loaded: LoadedRun,
  options: Driving,
): Promise<Result<'complete' | 'interrupted', RunFault>> {
  const { start } = loaded.head.config
  const length = loaded.until === null ? 0 : loaded.until - start
  let kind: RunFault['kind'] = 'input'
  const state = await feedLoop(
    run.loop,
    options.saver === null ? SLICE : SAVED_SLICE,
    async () => {
      const filled = await loaded.feeds.refill()
      if (filled.ok) return filled
      kind = filled.error.kind
      return err(filled.error.error)
    },
    async () => {
      if (options.interrupted()) return false
      options.saver?.atPause()
      const now = timeOf(run.desk.exchange)
      options.onProgress({
        requests: run.counts.requests,
        rows: loaded.feeds.rowsRead(),
        clock: formatIsoTime(now),
        fraction: length > 0 ? Math.min(1, (now - start) / length) : null,
      })
      // Signals and timers of the program are handled here.
      await setImmediate()
      return true
    },
  )
  if (options.audit) audit(run.desk.exchange)
  if (state === 'done') return ok('complete')
  if (state === 'more' || options.interrupted()) return ok('interrupted')
  const fault = defined(run.loop.fault ?? undefined, 'a run that failed says why')
  return err(runFault(kind, fault))
}

/** The parts of a run that a saved state consists of. */
interface SavedParts {
  readonly run: ScenarioRun
  readonly folder: RunFolder
  readonly results: ResultsSink
  readonly metrics: Metrics
  readonly deposits: ReadonlyMap<string, bigint>
  readonly receipt: RunReceipt
  readonly isPutBack: () => boolean
}

/** Saves one run. */
interface Saver {
  /** Saves the run if an interval has passed. The caller calls it between two slices. */
  atPause(): void
  /** Saves the run in its current state, if that is possible. */
  now(): void
}

/** The files of a run and the file of its snapshot. */
interface SavedFiles extends Pick<RunFileOptions, 'out' | 'log' | 'replies' | 'events'> {
  readonly file: string
}

/** Why a run cannot be saved at all, or null. */
function savingFault(run: ScenarioRun, { out, file, log, replies, events }: SavedFiles): RunFault | null {
  const fault = (path: string, expected: string, found: string): RunFault =>
    runFault('input', { code: 'OPTION', file, path, expected, found })
  if (out === null) return fault('saveEvery', 'a folder for the saved run', 'none')
  const others = Object.entries({ log, replies, events }).filter(([, to]) => to !== null)
  if (others.length > 0) {
    const names = others.map(([name]) => name).join(', ')
    return fault('saveEvery', 'a run that writes only to its folder', names)
  }
  if (file === 'stdin') return fault('saveEvery', 'a file that can be read again', 'stdin')
  const stranger = run.loop.seats.find(
    ({ seat: { strategy } }) => strategy.save === undefined || strategy.load === undefined,
  )
  if (stranger === undefined) return null
  const { name } = stranger.seat
  return fault('saveEvery', 'strategies with save and load', `${name} without them`)
}

/**
 * The options of a run in their saved form. Folders are relative to the partial folder, so that all may move together.
 */
function savedOptionsOf(options: RunFileOptions, partialPath: string, saveEvery: number): SavedOptions {
  return {
    force: options.force,
    format: options.format,
    exact: options.exact,
    journal: options.journal,
    audit: options.audit,
    metrics: options.metrics,
    set: options.set,
    allowSpecial: options.allowSpecial === true,
    saveEvery,
    feeds: options.feeds === null ? null : relative(partialPath, options.feeds),
  }
}

/**
 * Creates a saver, which saves the run once the clock has passed a multiple of `every` microseconds since the epoch.
 */
function createSaver(parts: SavedParts, every: number, options: RunFileOptions, file: string | null): Saver {
  const { run, folder } = parts
  const clock = (): number => timeOf(run.desk.exchange)
  const passed = (): number => Math.floor(clock() / every)
  let saved = passed()
  const save = (): void => {
    const state = snapshotRun(run)
    // A reply that a function waits for cannot be saved; at a later pause it may have arrived.
    if (!state.ok) return
    saved = passed()
    // Before the mark, because this completes blocks.
    const results = parts.results.snapshot()
    const place = basename(options.out ?? folder.partialPath)
    const checkpoint = encodeCheckpoint({
      head: {
        engine: engineVersion(),
        clock: formatIsoTime(timeOf(run.desk.exchange)),
        place,
        file: file === null ? null : relative(folder.partialPath, file),
        receipt: parts.receipt,
        options: savedOptionsOf(options, folder.partialPath, every),
        mark: folder.mark(),
        isPutBack: parts.isPutBack(),
        deposits: [...parts.deposits].map(([wallet, nano]) => [wallet, String(nano)]),
      },
      run: state.value,
      results,
      metrics: parts.metrics.snapshot(),
    })
    folder.saved?.save(checkpoint)
  }
  return {
    atPause: () => {
      if (passed() > saved) save()
    },
    now: save,
  }
}
