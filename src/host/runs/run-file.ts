/**
 * Running a scenario file or a journal from disk: the run, its folder, its lines, its report.
 *
 * The run goes on in slices of requests; between two slices the caller may look at its progress or
 * interrupt it, and nothing else happens. Source: DESIGN 7 and 8.
 */
import { readFile } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import {
  err,
  formatInputError,
  formatIsoTime,
  type InputError,
  type Micros,
  micros,
  ok,
  type Result,
} from '../../core/index.ts'
import { audit, stateHash } from '../../engine/index.ts'
import type { EventSink } from '../../model/index.ts'
import {
  createPerformance,
  createResultsSink,
  type EquityLookup,
  type Performance,
  type ResultsSink,
  type RunDigest,
} from '../../results/index.ts'
import { envelope, eventOut } from '../../rpc/index.ts'
import {
  advanceRun,
  createJournalRun,
  createRun,
  decodeJournal,
  encodeJournalHead,
  encodeJournalRequest,
  finishRun,
  type JournalHead,
  parseScenario,
  type RunHooks,
  type ScenarioRun,
} from '../../scenario/index.ts'
import { openRunFolder, type RunFolder } from '../run-folder.ts'
import { nodeSha256, sha256Hex } from '../sha256.ts'
import { type AccountResult, recordClosing } from './closing.ts'
import { type LineFile, openLineFile } from './line-file.ts'
import {
  equityLookup,
  type PerformanceRecord,
  type PerformanceTotals,
  reportPerformance,
} from './performance-report.ts'
import { engineVersion } from './version.ts'

/** How a file is run; null leaves a part out. */
export interface RunFileOptions {
  /** Folder for tables, journal and manifest. */
  readonly out: string | null
  /** Whether a run folder of that name is replaced. */
  readonly force: boolean
  /** Int64 with a scale instead of doubles. */
  readonly exact: boolean
  readonly journal: boolean
  /** Recompute the whole state after every request and compare. */
  readonly audit: boolean
  /** File for JSON-RPC replies, one a line; `-` is stdout. */
  readonly replies: string | null
  /** File for events, one a line; `-` is stdout. */
  readonly events: string | null
  /** Asked between slices; true ends the run where it is. */
  readonly interrupted: () => boolean
  readonly onProgress: (progress: RunProgress) => void
}

/** Where a run is. */
export interface RunProgress {
  readonly requests: number
  /** The virtual clock as an ISO time. */
  readonly clock: string
  /** How far the clock is between start and end, or null where the end is not known. */
  readonly fraction: number | null
}

/** What a run came to. Amounts are doubles nearest to the exact value; times are ISO. */
export interface RunReport {
  readonly file: string
  readonly title: string
  readonly status: 'complete' | 'interrupted'
  readonly from: string
  readonly until: string
  readonly requests: number
  readonly refused: number
  readonly trades: number
  readonly events: number
  /** How many things the file expects, steps and final checks together. */
  readonly expectations: number
  /** What did not come as expected, as printable lines. */
  readonly failures: readonly string[]
  readonly digest: string
  readonly state_hash: string
  readonly tables: RunDigest['tables']
  readonly accounts: readonly AccountResult[]
  /** What each account earned and did, accounts in the order of their opening. */
  readonly performance: readonly PerformanceRecord[]
  readonly performance_totals: PerformanceTotals
  /** The folder that was written, or null. */
  readonly out: string | null
}

/** Why a file could not be run. */
export interface RunFault {
  readonly kind: 'input' | 'io'
  readonly lines: readonly string[]
  readonly hint?: string
}

/** Requests handed over between two looks at the world. */
const SLICE = 2_000

/** A file that has been read and checked. */
interface Loaded {
  readonly head: JournalHead
  readonly open: (hooks: RunHooks) => ScenarioRun
  /** The end of virtual time where the file says it. */
  readonly until: Micros | null
  /** How many things the file expects. */
  readonly expectations: number
}

/** Reads and checks a file without running it. */
export async function checkFile(
  file: string,
): Promise<{ readonly kind: 'input' | 'io'; readonly lines: readonly string[] }> {
  const loaded = await load(file)
  return loaded.ok ? { kind: 'input', lines: [] } : loaded.error
}

/** Runs a scenario (`.yaml`, `.yml`, `.json`) or a journal (`.jsonl`). */
export async function runFile(
  file: string,
  options: RunFileOptions,
): Promise<Result<RunReport, RunFault>> {
  const loaded = await load(file)
  if (!loaded.ok) return loaded
  try {
    return await runLoaded(file, loaded.value, options)
  } catch (error) {
    // Only the operating system's refusals are expected here; everything else is our defect.
    if (!isSystemError(error)) throw error
    return err({ kind: 'io', lines: [error.message] })
  }
}

async function load(file: string): Promise<Result<Loaded, RunFault>> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if (!isSystemError(error)) throw error
    return err({ kind: 'io', lines: [`${file}: ${error.message}`] })
  }
  return file.endsWith('.jsonl') ? loadJournal(text, file) : loadScenario(text, file)
}

function loadScenario(text: string, file: string): Result<Loaded, RunFault> {
  const parsed = parseScenario(text, file)
  if (!parsed.ok) return refused(parsed.error)
  const scenario = parsed.value
  const { title, seed, until, config } = scenario
  const scenarioSha256 = sha256Hex(Buffer.from(text))
  const head = { engine: engineVersion(), title, scenarioSha256, seed, until, config }
  const expecting = scenario.steps.filter((step) => step.expect !== null).length
  const expectations = expecting + scenario.checks.length + (scenario.totals === null ? 0 : 1)
  return ok({ head, until, expectations, open: (hooks) => createRun(scenario, hooks) })
}

function loadJournal(text: string, file: string): Result<Loaded, RunFault> {
  const decoded = decodeJournal(text, file)
  if (!decoded.ok) return refused(decoded.error)
  const { head, requests } = decoded.value
  const until = head.until ?? requests.at(-1)?.time ?? head.config.start
  const open = (hooks: RunHooks): ScenarioRun => createJournalRun(head, requests, hooks)
  return ok({ head, until, expectations: 0, open })
}

function refused(errors: readonly InputError[]): Result<never, RunFault> {
  const count = errors.length === 1 ? 'one mistake' : `${errors.length} mistakes`
  return err({
    kind: 'input',
    lines: errors.map(formatInputError),
    hint: `${count}; nothing was run`,
  })
}

/** Everything that a run writes to. */
interface Outputs {
  readonly folder: RunFolder | null
  readonly replies: LineFile | null
  readonly events: LineFile | null
  readonly results: ResultsSink
  readonly performance: Performance
  readonly deposits: Map<string, bigint>
}

async function runLoaded(
  file: string,
  loaded: Loaded,
  options: RunFileOptions,
): Promise<Result<RunReport, RunFault>> {
  const { head } = loaded
  const opened = await openFolder(head, options)
  if (!opened.ok) return err({ kind: 'io', lines: [formatInputError(opened.error)] })
  const folder = opened.value
  const outputs: Outputs = {
    folder,
    replies: options.replies === null ? null : openLineFile(options.replies),
    events: options.events === null ? null : openLineFile(options.events),
    results: createResultsSink({ sha256: nodeSha256, onBlock: folder?.onBlock ?? null }),
    performance: createPerformance(),
    deposits: new Map(),
  }
  folder?.journal?.write(encodeJournalHead(head))
  const run = openRun(loaded, options, outputs)
  const status = await driveRun(run, loaded, options)
  const { exchange } = run.desk
  // An interrupted run stops where it is; only a complete one moves the clock to its end.
  const end = status === 'complete' ? finishRun(run).end : micros(exchange.now)
  const performance = reportPerformance(outputs.performance, exchange)
  const accounts = recordClosing(exchange, outputs.results, outputs.deposits)
  const digest = outputs.results.finish()
  outputs.replies?.close()
  outputs.events?.close()
  const { requests, refused: refusals, trades, events } = run.counts
  const from = head.config.start
  folder?.close({ status, digest, from, to: end, requests, events })
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
    accounts,
    performance: performance.records,
    performance_totals: performance.totals,
    out: status === 'complete' ? options.out : (folder?.partialPath ?? null),
  })
}

async function openFolder(
  head: JournalHead,
  options: RunFileOptions,
): Promise<Result<RunFolder | null, InputError>> {
  if (options.out === null) return ok(null)
  return await openRunFolder(options.out, {
    force: options.force,
    exact: options.exact,
    journal: options.journal,
    book: head.config.bookEvents,
    engine: { name: 'pitclock', version: engineVersion() },
    seed: head.seed,
    scenario: { title: head.title, sha256: head.scenarioSha256 ?? '' },
  })
}

function openRun(loaded: Loaded, options: RunFileOptions, outputs: Outputs): ScenarioRun {
  const { folder, replies, events, results, performance, deposits } = outputs
  const journal = folder?.journal ?? null
  let run: ScenarioRun | undefined
  let equity: EquityLookup | undefined
  const sink: EventSink = {
    emit(event): void {
      results.emit(event)
      performance.emit(event)
      if (event.kind === 'cash_posted') {
        const wallet = `${event.account}/${event.currency}`
        deposits.set(wallet, (deposits.get(wallet) ?? 0n) + event.change)
      }
      // The first events open the house accounts, before there is a run to name them.
      if (events !== null && run !== undefined) events.write(eventOut(run.desk.exchange, event))
    },
  }
  run = loaded.open({
    sink,
    onInput: (time) => {
      if (run === undefined) return
      equity ??= equityLookup(run.desk.exchange)
      performance.sample(time, equity)
    },
    onRequest: (request, sequence) => journal?.write(encodeJournalRequest(request, sequence)),
    onReply: (_request, reply) => {
      replies?.write(envelope(reply, reply.sequence))
      if (options.audit && run !== undefined) audit(run.desk.exchange)
    },
  })
  return run
}

/** Hands over slice after slice, until nothing is left or somebody interrupts. */
async function driveRun(
  run: ScenarioRun,
  loaded: Loaded,
  options: RunFileOptions,
): Promise<'complete' | 'interrupted'> {
  const { start } = loaded.head.config
  const length = loaded.until === null ? 0 : loaded.until - start
  while (advanceRun(run, SLICE)) {
    if (options.interrupted()) return 'interrupted'
    const { now } = run.desk.exchange
    options.onProgress({
      requests: run.counts.requests,
      clock: formatIsoTime(now),
      fraction: length > 0 ? Math.min(1, (now - start) / length) : null,
    })
    // Signals and timers of the program are heard here.
    await setImmediate()
  }
  return 'complete'
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && typeof (error as NodeJS.ErrnoException).code === 'string'
}
