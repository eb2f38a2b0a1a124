/**
 * Runs a job from its beginning or from a saved state to its end, with its folder, its files of lines and its report.
 *
 * The run is split into slices of requests. Only between two slices can the caller see its progress or interrupt it.
 * Source: DESIGN 7 and 8.
 */
import { defined, err, formatInputError, formatIsoTime, type InputError, ok, type Result } from '../../core/index.ts'
import { stateHash, timeOf } from '../../engine/index.ts'
import { faultCounts } from '../../faults/index.ts'
import { createMetrics } from '../../results/index.ts'
import { closeRun, encodeJournalHead, finishRun, type ScenarioRun, stopRun } from '../../scenario/index.ts'
import { isSystemError, systemWords } from '../system-words.ts'
import { standingsOf } from './closing.ts'
import { driveLive, driveRun, heeding } from './drive-run.ts'
import { type LineFile, openLineFile } from './line-file.ts'
import { metricsTermsOut, metricsViews, reportMetrics } from './metrics-report.ts'
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
import type { RunReport } from './run-report.ts'
import { createSaver, type Saver, savingFault } from './saving.ts'

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
    const takers = openTakers(job, { log, onBlock: folder?.onBlock ?? null })
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
  const { folder } = outputs
  const { head } = loaded
  const record = { ...head.record, format: formatOf(job) }
  if (job.from === null) {
    folder?.journal?.write(encodeJournalHead({ ...head, metrics: metricsTermsOf(job), record }))
  }
  const opened = openRun(job, outputs)
  if (!opened.ok) return opened
  const run = opened.value
  const saver = saverOf(job, outputs, run)
  if (!saver.ok) return saver
  const isAsked = (): boolean => options.interrupted() || isInVain(outputs)
  const { live } = options
  const driven = await heeding(run, () =>
    live === undefined
      ? driveRun(run, loaded, { ...options, interrupted: isAsked, saver: saver.value })
      : driveLive(run, loaded, { live, journal: folder?.journal ?? null }),
  )
  if (!driven.ok) return err(withLines(driven.error, outputs))
  const status = driven.value
  if (status === 'interrupted') saver.value?.now()
  const { exchange } = run.desk
  // An interrupted run stops at its current time; only a complete one moves the clock to its end.
  const finish = live === undefined ? finishRun : stopRun
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
    out: status === 'complete' ? options.out : (folder?.partialPath ?? null),
  })
}

/** Closes the files of lines. They may explain the fault, so its hint names them. */
function withLines(fault: RunFault, { replies, events }: Outputs): RunFault {
  const left = [replies, events].flatMap((lines) => lines?.leave() ?? [])
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
function strategiesOf({ loop }: ScenarioRun): RunReport['strategies'] {
  return loop.seats.map(({ seat: { name, accountName } }) => ({
    strategy: name,
    account: accountName,
  }))
}

/** True if the strategies of this process saw the whole run. */
function isWholeIn({ from }: RunJob, { isPutBack }: Outputs, status: RunReport['status']): boolean {
  return status === 'complete' && from === null && !isPutBack
}

/** Refused requests of strategies, for strategies with refusals. */
function refusalsOf(run: ScenarioRun): RunReport['refusals'] {
  return run.loop.seats.flatMap(({ seat: { name, accountName, refusals } }) =>
    refusals.size === 0 ? [] : [{ strategy: name, account: accountName, reasons: [...refusals.values()] }],
  )
}

/** True if a run writes only to stdout and its reader has closed it. */
function isInVain({ folder, replies, events }: Outputs): boolean {
  const lines = [replies, events].filter((file) => file !== null)
  return folder === null && lines.length > 0 && lines.every(({ isUnread }) => isUnread)
}

/** The saver of a run; null if saving was not requested. The fault says why this run cannot be saved. */
function saverOf(job: RunJob, outputs: Outputs, run: ScenarioRun): Result<Saver | null, RunFault> {
  const { file, path, options, receipt } = job
  const { saveEvery: every } = options
  if (every === null) return ok(null)
  const fault = savingFault(run, { ...options, file })
  if (fault !== null) return err(fault)
  const folder = defined(outputs.folder ?? undefined, 'a run that is saved has a folder')
  const isPutBack = (): boolean => outputs.isPutBack
  const { results, metrics, deposits } = outputs
  const parts = { run, folder, results, metrics, deposits, receipt, isPutBack }
  return ok(createSaver(parts, { every, options, file: path }))
}

/** A mistake in a folder, as a fault of the run. */
function faultOf(error: InputError): RunFault {
  const { hint, ...fault } = error
  const told = { ...runFault('io', fault), errors: [error] }
  return hint === undefined ? told : { ...told, hint }
}
