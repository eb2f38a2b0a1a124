/**
 * Turns a scenario or a journal into a run that can begin: parses it, loads its strategies, opens its recorded files.
 * All mistakes of one kind are reported together, and nothing runs if there is a mistake.
 */

import {
  openSeats,
  type RequestSource,
  type SeatSpec,
  type Seats,
  type StrategyDefinition,
} from '../../backtest/index.ts'
import { err, type InputError, type Micros, ok, type Result, randomStream } from '../../core/index.ts'
import {
  createJournalRun,
  createRun,
  decodeJournal,
  type FeedSpec,
  type JournalHead,
  parseScenario,
  type RunHooks,
  type RunParts,
  restoreJournalRun,
  restoreRun,
  type Scenario,
  type ScenarioRun,
} from '../../scenario/index.ts'
import type { FeedFault } from '../feeds/feed-fault.ts'
import type { Reading } from '../feeds/special-file.ts'
import { journalFault, type RunReceipt } from '../manifest.ts'
import { moduleSources } from '../module-sources.ts'
import { sha256Hex } from '../sha256.ts'
import { createStrategyGuard } from '../strategy-guard.ts'
import { loadStrategy } from '../strategy-module.ts'
import { type RunFault, runFault } from './run-fault.ts'
import { openRunFeeds, type RunFeeds } from './run-feeds.ts'
import type { RunText } from './run-text.ts'
import { engineVersion } from './version.ts'

/** Sources of strategies, recorded files and requests for a scenario or journal. */
export interface RunSources {
  /** Folders to search for recorded files, before the folder of the scenario or journal. */
  readonly feeds: readonly string[]
  /** Strategies by module name, used instead of files. */
  readonly strategies: { readonly [module: string]: StrategyDefinition<never> }
  /**
   * True to load strategy files, which runs their code. Otherwise a scenario with such files runs without strategies.
   */
  readonly modules?: boolean
  /** How recorded files are read. */
  readonly reading?: Reading
  /** Source of requests that arrive while a scenario runs. A run with such a source does not end by itself. */
  readonly live?: RequestSource | undefined
}

/** A run that can begin. */
export interface LoadedRun {
  readonly head: JournalHead
  readonly feeds: RunFeeds
  readonly open: (hooks: RunHooks) => ScenarioRun
  /** Restores the run from a snapshot; the error says what does not match. */
  readonly reopen: (snapshot: Uint8Array, hooks: RunHooks) => Result<ScenarioRun, string>
  /** The end of virtual time, if the file states it. */
  readonly until: Micros | null
  /** Number of expectations in the file. */
  readonly expectations: number
  /** True if strategies were not loaded because their modules are code. */
  readonly isWithoutModules: boolean
  /** Recorded files and strategies in the form of the manifest. */
  readonly receipt: Pick<RunReceipt, 'feeds' | 'strategies'>
  /** Parameters that no strategy has read so far. */
  readonly unreadParams: () => readonly UnreadParams[]
}

/** Parameters that a strategy never read. */
export interface UnreadParams {
  /** Its module as named in the file. */
  readonly strategy: string
  readonly account: string
  /** Their keys, in the order of the file. */
  readonly params: readonly string[]
}

/** Parameters for a strategy, and the keys that it has not read so far. */
interface WatchedParams {
  readonly params: unknown
  /** Keys whose values have not been read, in their order. */
  readonly unread: () => readonly string[]
}

/** Prepares a scenario or a journal. */
export async function loadRun(source: RunText, sources: RunSources): Promise<Result<LoadedRun, RunFault>> {
  return source.isJournal ? await loadJournal(source, sources) : await loadScenario(source, sources)
}

async function loadScenario(
  { text, file, folder, set }: RunText,
  sources: RunSources,
): Promise<Result<LoadedRun, RunFault>> {
  const parsed = parseScenario(text, file, set)
  if (!parsed.ok) return refused(parsed.error)
  const scenario = parsed.value
  const seats = await seatsOf(scenario, folder, sources)
  if (!seats.ok) return refused(seats.error)
  const opened = await feedsOf(scenario.feeds, [...sources.feeds, folder], sources.reading)
  if (!opened.ok) return opened
  const feeds = opened.value
  const until = sources.live === undefined ? scenario.until : null
  const head: JournalHead = {
    engine: engineVersion(),
    title: scenario.title,
    scenarioSha256: sha256Hex(Buffer.from(text)),
    seed: scenario.seed,
    until,
    config: scenario.config,
    equityEvery: scenario.equityEvery,
    metrics: scenario.metrics,
    record: scenario.record,
    setup: scenario.setup.length,
    feeds: feeds.specs,
  }
  const expecting = scenario.steps.filter((step) => step.expect !== null).length
  const expectations = expecting + scenario.checks.length + (scenario.totals === null ? 0 : 1)
  const parts = liveParts({ market: feeds.market, seats: seats.value.seats }, sources.live)
  const endless = { ...scenario, until }
  const open = (hooks: RunHooks): ScenarioRun => createRun(endless, hooks, parts)
  const reopen: LoadedRun['reopen'] = (snapshot, hooks) => restoreRun(snapshot, endless, { hooks, parts })
  const receipt = { feeds: feedReceipts(feeds.specs), strategies: seats.value.receipts }
  const isWithoutModules = scenario.strategies.length > 0 && seats.value.seats === null
  const { unreadParams } = seats.value
  const facts = { head, feeds, until, expectations, isWithoutModules, receipt, unreadParams }
  return ok({ ...facts, open, reopen })
}

function liveParts(parts: RunParts, live: RequestSource | undefined): RunParts {
  return live === undefined ? parts : { ...parts, live }
}

/** Loads a journal. Its paths start from the folder of its scenario, which the journal does not name. */
async function loadJournal({ text, file, folder }: RunText, sources: RunSources): Promise<Result<LoadedRun, RunFault>> {
  const fault = journalFault(file)
  if (fault !== null) return refused([fault])
  const decoded = decodeJournal(text, file)
  if (!decoded.ok) return refused(decoded.error)
  const { head, requests } = decoded.value
  const opened = await feedsOf(head.feeds, [...sources.feeds, folder, '.'], sources.reading)
  if (!opened.ok) {
    const hint = 'set the folder of the recorded files with --feeds'
    return err({ ...opened.error, hint })
  }
  const feeds = opened.value
  const until = head.until ?? requests.at(-1)?.time ?? head.config.start
  const open = (hooks: RunHooks): ScenarioRun => createJournalRun(head, requests, hooks, feeds.market)
  const reopen: LoadedRun['reopen'] = (snapshot, hooks) =>
    restoreJournalRun(snapshot, head, requests, hooks, feeds.market)
  const receipt = { feeds: feedReceipts(feeds.specs), strategies: [] }
  const facts = { head, feeds, until, expectations: 0, isWithoutModules: false, receipt }
  return ok({ ...facts, unreadParams: () => [], open, reopen })
}

async function feedsOf(
  specs: readonly FeedSpec[],
  folders: readonly string[],
  reading: Reading | undefined,
): Promise<Result<RunFeeds, RunFault>> {
  const opened = await openRunFeeds(specs, folders, reading)
  if (opened.ok) return opened
  return err(faultOfFeeds(opened.error))
}

/**
 * Mistakes in recorded files as the fault of a run. Bad data outranks a missing file: the kind is `io` only if all
 * mistakes are of that kind.
 */
export function faultOfFeeds(faults: readonly FeedFault[]): RunFault {
  const isIo = faults.length > 0 && faults.every(({ kind }) => kind === 'io')
  return runFault(isIo ? 'io' : 'input', ...faults.map(({ error }) => error))
}

function feedReceipts(feeds: readonly FeedSpec[]): RunReceipt['feeds'] {
  return feeds.flatMap(({ paths, pinned, format, instrument }) =>
    paths.map((path, at) => ({ path, format, instrument, sha256: pinned?.[at] ?? '' })),
  )
}

/** The strategies of a run with their entries in its manifest. */
interface LoadedSeats {
  /** Null without strategies. */
  readonly seats: Seats | null
  readonly receipts: RunReceipt['strategies']
  readonly unreadParams: LoadedRun['unreadParams']
}

/** Creates the strategies of a scenario with their parameters. */
async function seatsOf(
  { file, seed, strategies, config: { start } }: Scenario,
  folder: string,
  { strategies: given, modules = true }: RunSources,
): Promise<Result<LoadedSeats, readonly InputError[]>> {
  const none = { seats: null, receipts: [], unreadParams: () => [] }
  if (strategies.length === 0) return ok(none)
  if (!(modules || strategies.every(({ module }) => Object.hasOwn(given, module)))) return ok(none)
  const isInline = strategies.some(({ module }) => Object.hasOwn(given, module))
  const guard = createStrategyGuard({ isInline })
  const receipts: RunReceipt['strategies'] = []
  const errors: InputError[] = []
  const specs: SeatSpec[] = []
  const watching: (() => UnreadParams)[] = []
  for (const { account, module, params, latency, strict, path, place } of strategies) {
    const known = Object.hasOwn(given, module) ? given[module] : undefined
    const chance = randomStream(seed, `strategy_module.${account.replaceAll('|', '_')}`)
    const seat = { name: module, now: start, random: () => chance.nextDouble() }
    const loaded = known === undefined ? await loadStrategy({ module, directory: folder, guard, seat }) : ok(known)
    if (!loaded.ok) {
      const { code, expected, found, file: at = module } = loaded.error
      errors.push({
        code,
        file,
        ...place,
        path: `${path}.module`,
        expected,
        found: `${found} (${at})`,
      })
      continue
    }
    // The types of a strategy's parameters are known only to its module, which checks them.
    const definition = loaded.value as StrategyDefinition<unknown>
    // Several accounts may use one module; the name of the account distinguishes their mistakes.
    const isShared = strategies.some((other) => other.module === module && other.path !== path)
    const name = isShared ? `${module} of ${account}` : module
    const watched = watchParams(params)
    // Without `strict` unread parameters are not reported.
    if (strict) watching.push(() => ({ strategy: name, account, params: watched.unread() }))
    specs.push({ name, account, definition, params: watched.params, latency, strict })
    const sources = known === undefined ? [...moduleSources(module, folder)] : []
    receipts.push({ account, module, params: params ?? null, sources })
  }
  if (errors.length > 0) return err(errors)
  const seats = openSeats(specs, { seed, start, guard })
  return seats.ok
    ? ok({ seats: seats.value, receipts, unreadParams: () => unreadOf(watching) })
    : err(seats.error.map((error) => placed(error, file, strategies, specs)))
}

function unreadOf(watching: readonly (() => UnreadParams)[]): readonly UnreadParams[] {
  return watching.map((report) => report()).filter(({ params }) => params.length > 0)
}

/** A mistake of a strategy, with its place in the scenario. */
function placed(
  error: InputError,
  file: Scenario['file'],
  strategies: Scenario['strategies'],
  specs: readonly SeatSpec[],
): InputError {
  const at = specs.findIndex(({ name }) => name === error.file)
  const strategy = strategies[at]
  if (strategy === undefined) return error
  const path = [strategy.path, error.path].filter((part) => part !== undefined).join('.')
  return { ...error, file, ...strategy.place, path }
}

function refused(errors: readonly InputError[]): Result<never, RunFault> {
  const count = errors.length === 1 ? 'one mistake' : `${errors.length} mistakes`
  return err({ ...runFault('input', ...errors), hint: `${count}; nothing was run` })
}

/**
 * Finds parameters that a strategy never reads. They are probably misspelt and have no effect.
 *
 * The strategy gets a plain object whose getters record each read: by name, by destructuring, spreading, copying,
 * printing or `JSON.stringify`. Only the outermost fields are recorded. Parameters that are not an object are passed
 * unchanged.
 */

/** Node prints the result of this method instead of the object, whose fields would otherwise appear as getters. */
const inspection = Symbol.for('nodejs.util.inspect.custom')

/** Wraps parameters so that reads of their fields are recorded. */
export function watchParams(params: unknown): WatchedParams {
  if (typeof params !== 'object' || params === null || Array.isArray(params)) {
    return { params, unread: () => [] }
  }
  const unread = new Set(Object.keys(params))
  const watched = {}
  for (const [key, given] of Object.entries(params)) {
    let value: unknown = given
    Object.defineProperty(watched, key, {
      enumerable: true,
      configurable: true,
      get: () => {
        unread.delete(key)
        return value
      },
      // A strategy may set defaults in place.
      set: (other: unknown) => {
        value = other
      },
    })
  }
  Object.defineProperty(watched, inspection, { value: () => ({ ...watched }) })
  return { params: watched, unread: () => [...unread] }
}
