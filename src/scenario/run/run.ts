/**
 * A run: an exchange, the loop that feeds it, and the results. A scenario and its journal give runs with the same
 * interface and the same events.
 *
 * The set-up consists of ordinary `sim/` requests at the start, so that a replay needs only the journal. At one time
 * the set-up comes first, then steps, then the population. `close-run.ts` advances a run to its end. The final
 * expectations are then compared with views, without requests or events.
 */

import {
  createLoop,
  type Loop,
  type LoopParts,
  populationSource,
  type RequestSource,
  type Seats,
  seatedSink,
  type TimedRequest,
  watchedSink,
} from '../../backtest/index.ts'
import {
  assert,
  checkArgument,
  checkOptions,
  coded,
  defined,
  err,
  type Micros,
  type OptionKinds,
  ok,
  type Result,
} from '../../core/index.ts'
import { findAccount, timeOf } from '../../engine/index.ts'
import { createFaults } from '../../faults/index.ts'
import { findMethod, venueMethods } from '../../gateways/index.ts'
import { borrowing, type EventSink, type ExchangeConfig, fanOut } from '../../model/index.ts'
import { brokenLaw, createDesk, type Desk, type HistoryFile, type VenueReply, viewContext } from '../../rpc/index.ts'
import type { Scenario } from '../scenario.ts'
import {
  createEquitySamples,
  type EquityConsumer,
  type EquitySamples,
  fundingSink,
  nextReading,
  type RunWatcher,
  type SamplePosition,
  sampleEquityUntil,
  sampleFunded,
  type Wallets,
} from './equity-samples.ts'
import { compare, type Failure, failureAt } from './expectation.ts'
import type { RunMarket } from './run-market.ts'
import { createRunSeries, type Series, type SeriesConsumer } from './series.ts'
import { listSource, type Progress, setupSource, sourceUntil, stepSource } from './steps.ts'

/** Callbacks during a run. */
export interface RunHooks {
  /** Receives every event. */
  readonly sink?: EventSink
  /** Called before each change of the exchange, with its time. */
  onInput?(time: Micros): void
  /**
   * The time of the first input for which `onInput` has work, if earlier inputs need no call. It can change only in
   * `onInput` and when the run emits events.
   */
  nextInput?(): number
  /** Called before a request is submitted, with the sequence number it will have. */
  onRequest?(request: TimedRequest, sequence: number): void
  onReply?(request: TimedRequest, reply: VenueReply): void
  /** Receives the rows of `equity`, each at its time. Without it no samples are taken. */
  readonly onEquity?: EquityConsumer
  /** Reads the exchange at times that it chooses. */
  readonly watcher?: RunWatcher
  /** Receives the rows of `quotes`, `book_snapshots` and `bars` that the run records. Without it no series are made. */
  readonly series?: SeriesConsumer
  /** Keeps the histories of a run that is saved again and again; see `DeskOptions`. */
  readonly histories?: HistoryFile
}

const hookKinds: OptionKinds<RunHooks> = {
  sink: 'object?',
  onInput: 'function?',
  nextInput: 'function?',
  onRequest: 'function?',
  onReply: 'function?',
  onEquity: 'function?',
  watcher: 'object?',
  series: 'object?',
  histories: 'object?',
}

/** Counts of a run so far. */
export interface RunCounts {
  /** Completed requests, including those of the set-up. */
  requests: number
  trades: number
  /** Refused requests. */
  refused: number
  events: number
}

/** The recorded market, strategies and live requests of a run, in addition to the requests of its file. */
export interface RunParts {
  readonly market: RunMarket | null
  readonly seats: Seats | null
  /**
   * Requests that arrive during the run. At equal times they follow the requests of the file. `events` receives every
   * event, including recorded trades.
   */
  readonly live?: RequestSource
}

/** A run in progress. */
export interface ScenarioRun {
  readonly title: string
  readonly desk: Desk
  readonly loop: Loop
  readonly samples: EquitySamples
  /** Null for a run without series. */
  readonly series: Series | null
  readonly until: Micros | null
  readonly counts: Readonly<RunCounts>
  readonly market: RunMarket | null
  readonly progress: Progress
  /** Failed expectations so far. */
  readonly failures: readonly Failure[]
  /** Adds the failures of the final checks. */
  readonly conclude: () => void
}

/** Result of a run. */
export interface RunOutcome {
  readonly title: string
  readonly failures: readonly Failure[]
  readonly counts: RunCounts
  /** The clock at the end. */
  readonly end: Micros
}

/**
 * Creates a run of a scenario, at its start. Its market and strategies must be new too.
 *
 * @throws RangeError with the code `PARTS` if its feeds or strategies are not those of the scenario, `OPTION` for a
 * hook or a part that does not exist.
 *
 * @example
 * const text = 'version: 1\ntitle: Nothing\nstart: 2026-01-05T09:00:00Z\ninstruments: [BTC-PERPETUAL]\nindex: { btc_usd: 50000 }\nsteps: []\n'
 * const scenario = parseScenario(text, 'nothing.yaml')
 * if (!scenario.ok) throw new Error(scenario.error.map(formatInputError).join('\n'))
 * const run = createRun(scenario.value, {})
 * console.log(advanceRun(run, 1_000), finishRun(run).failures) // done []
 */
export function createRun(scenario: Scenario, hooks: RunHooks, parts: RunParts = noParts): ScenarioRun {
  checkArgument('createRun: scenario', scenario, 'object')
  checkArgument('createRun: hooks', hooks, 'object')
  const run = assembleRun(scenario, hooks, parts, (base) => {
    const desk = createDesk(
      {
        config: keyedConfig(scenario),
        controls: true,
        methods: venueMethods,
        faults: createFaults(scenario.seed, scenario.faults),
        watch: base.watch,
        histories: hooks.histories,
      },
      base.sink,
    )
    const samples = samplesOf(desk, hooks, base, scenario.equityEvery)
    const loop = createLoop(desk, base.sources, sampledHooks(hooks, samples, base.series), base.loopParts)
    return ok({ desk, loop, samples })
  })
  return defined(run.ok ? run.value : undefined, 'a new run opens')
}

/** Base of a run: sources of requests, sinks of events, and the other sources that the loop merges. */
export interface RunBase {
  readonly sources: readonly RequestSource[]
  readonly sink: EventSink
  /** Receives every event, including recorded trades. */
  readonly watch: EventSink
  readonly series: Series | null
  /** Currencies of accounts that received money since the last input. */
  readonly funded: Wallets
  readonly loopParts: LoopParts
  readonly counts: RunCounts
  readonly progress: Progress
}

/** Parts that a run consists of. */
export interface RunCore {
  readonly desk: Desk
  readonly loop: Loop
  readonly samples: EquitySamples
}

/**
 * The samples of a run, from the clock of the request router or from a saved position. They are taken only if a hook
 * receives their rows.
 */
export function samplesOf(
  desk: Desk,
  hooks: RunHooks,
  base: Pick<RunBase, 'series' | 'funded'>,
  every: Micros | null,
  position?: SamplePosition,
): EquitySamples {
  const watchers = [hooks.watcher, base.series].filter((each) => each !== undefined && each !== null)
  return createEquitySamples(desk, { every, record: hooks.onEquity ?? null, watchers, funded: base.funded, position })
}

/** Hooks that also take the samples due before an input. */
export function sampledHooks(hooks: RunHooks, samples: EquitySamples, series: Series | null): RunHooks {
  if (samples.record === null && samples.watchers.length === 0) return hooks
  const sampled: RunHooks = {
    ...hooks,
    onInput: (time) => {
      hooks.onInput?.(time)
      if (time > timeOf(samples.desk.exchange)) sampleFunded(samples)
      sampleEquityUntil(samples, time)
    },
    nextInput: () => {
      if (samples.funded.size > 0) return Number.NEGATIVE_INFINITY
      const own = hooks.onInput === undefined ? Number.POSITIVE_INFINITY : hooks.nextInput?.()
      return Math.min(own ?? Number.NEGATIVE_INFINITY, nextReading(samples))
    },
    onRequest: (request, sequence) => {
      if (!request.method.startsWith('sim/')) sampleFunded(samples)
      if (request.method === 'sim/restore') series?.putBack()
      hooks.onRequest?.(request, sequence)
    },
  }
  return sampled
}

/** A run of a scenario over the core that `open` returns. */
export function assembleRun<E>(
  scenario: Scenario,
  hooks: RunHooks,
  parts: RunParts,
  open: (base: RunBase) => Result<RunCore, E>,
): Result<ScenarioRun, E> {
  checkOptions('the hooks of a run', hooks, hookKinds)
  checkOptions('the parts of a run', parts, { market: 'object | null', seats: 'object | null', live: 'object?' })
  const { title, until, seed, start, population, feeds, strategies, setup } = scenario
  const { market, seats, live } = parts
  if (market?.cursors.length !== (feeds.length === 0 ? undefined : feeds.length)) {
    throw coded(new RangeError('expected the market of all feeds of the scenario (openMarket)'), 'PARTS')
  }
  if ((seats?.list.length ?? 0) !== strategies.length) {
    throw coded(new RangeError('expected a seat for each strategy of the scenario (openSeats)'), 'PARTS')
  }
  const progress: Progress = { saved: new Map(), failures: [], waiting: new Set() }
  const sources: RequestSource[] = [
    setupSource(scenario, progress),
    stepSource(scenario, progress),
    ...faultSources(scenario),
    ...(population === null ? [] : [populationSource(population, seed, start)]),
    ...(live === undefined ? [] : [live]),
  ].map((source) => (until === null ? source : sourceUntil(source, until)))
  const base = openBase(hooks, {
    sources,
    progress,
    market,
    seats,
    live: live ?? null,
    until,
    setup: setup.length,
    mayFault: mayFault(scenario, parts),
    series: createRunSeries(scenario.record, start, hooks.series),
  })
  const opened = open(base)
  if (!opened.ok) return opened
  const { desk, loop, samples } = opened.value
  const conclude = (): void => concludeScenario(scenario, desk, base.counts, progress)
  return ok({
    title,
    until,
    desk,
    loop,
    samples,
    series: base.series,
    counts: base.counts,
    market,
    progress,
    failures: progress.failures,
    conclude,
  })
}

/** The source of the requests for faults of the market, each at its time. */
function faultSources({ faultRequests }: Scenario): readonly RequestSource[] {
  if (faultRequests.length === 0) return []
  return [listSource(faultRequests.map((each) => ({ ...each, account: null, session: 0 })))]
}

/** True if faults may affect messages of a run: because of the file, a step, or a live request. */
function mayFault(scenario: Scenario, parts: RunParts): boolean {
  const isLive = parts.live !== undefined
  return isLive || scenario.faults.length > 0 || scenario.steps.some(({ method }) => method === 'sim/set_faults')
}

const noParts: RunParts = { market: null, seats: null }

/** The settings of a run. Signatures of block trades use its seed as their key if no other key is set. */
export function keyedConfig({ config, seed }: Pick<Scenario, 'config' | 'seed'>): ExchangeConfig {
  return config.blockTrades.key === '' ? { ...config, blockTrades: { ...config.blockTrades, key: seed } } : config
}

/** The parts that a run starts from. */
interface BaseTerms {
  readonly sources: readonly RequestSource[]
  readonly progress: Progress
  readonly market: RunMarket | null
  readonly seats: Seats | null
  readonly live: RequestSource | null
  readonly until: Micros | null
  readonly setup: number
  readonly mayFault: boolean
  readonly series: Series | null
}

/**
 * Creates the sinks and the parts of a loop. One sink counts events and passes them to sources, strategies and the
 * caller.
 */
export function openBase({ sink, onEquity }: RunHooks, from: BaseTerms): RunBase {
  const { sources, progress, market, seats, live, until, setup, mayFault, series } = from
  const counts: RunCounts = { requests: 0, trades: 0, refused: 0, events: 0 }
  const counter: EventSink = {
    emit: ({ kind }) => {
      counts.events += 1
      if (kind === 'trade') counts.trades += 1
      else if (kind === 'request') counts.requests += 1
      else if (kind === 'refusal') counts.refused += 1
    },
  }
  const borrowed = borrowing(counter, ['order', 'request'])
  const counting = fanOut([borrowed, ...(sink === undefined ? [] : [sink])])
  // A live source receives events through `watch`.
  const watched = watchedSink(
    sources.filter((source) => source !== live),
    counting,
  )
  const loopParts: LoopParts = {
    until,
    setup,
    mayFault,
    ...(market === null ? {} : { market: market.source }),
    ...(seats === null ? {} : { seats }),
  }
  const seated = seats === null ? watched : seatedSink(seats, watched)
  const funded: Wallets = new Map()
  const funding = onEquity === undefined ? undefined : fundingSink(funded)
  const watch = fanOut([live?.events, series?.sink, funding].filter((each) => each != null))
  return { sources, sink: seated, watch, series, funded, loopParts, counts, progress }
}

/** Adds failures for replies that never came, then compares the final expectations. */
function concludeScenario(
  { file, checks, totals, laws }: Scenario,
  desk: Desk,
  counts: RunCounts,
  progress: Progress,
): void {
  const { saved, failures, waiting } = progress
  for (const step of waiting) {
    failures.push(failureAt({ file, ...step }, { expected: 'a reply', found: 'none by the end' }))
  }
  for (const check of checks) {
    const answer = answerOf(desk, check)
    if (!answer.ok) {
      const words = { expected: `an answer from ${check.method}`, found: answer.error }
      failures.push(failureAt({ file, place: check.expected.place, path: check.path }, words))
      continue
    }
    // The check names a part only for results with that part.
    const found = check.part === null ? answer.value : (answer.value as Record<string, unknown>)[check.part]
    compare({ file, expected: check.expected, found, path: check.path, saved }, failures)
  }
  const broken = laws === null ? null : brokenLaw(desk)
  if (laws !== null && broken !== null) {
    const words = { expected: 'all laws of the exchange hold', found: broken }
    failures.push(failureAt({ file, place: laws, path: 'expect.laws' }, words))
  }
  if (totals === null) return
  const found = { requests: counts.requests, trades: counts.trades, refused: counts.refused }
  compare({ file, expected: totals, found, path: 'expect.totals', saved }, failures)
}

/**
 * The venue's current answer to the query of a final check, or the word for its refusal. It comes from the same views
 * as replies, but without a request, so that it changes neither the journal nor the numbers of later requests.
 */
function answerOf(desk: Desk, query: Scenario['checks'][number]): Result<unknown, string> {
  const method = defined(findMethod(query.method), 'a final check names a method')
  assert(method.command === 'query', 'only queries can be answered outside the run')
  const asker = query.account === null ? undefined : findAccount(desk.exchange, query.account)
  if (query.account !== null && asker === undefined) return err('an account that is not open')
  const params = method.params.safeParse(query.params)
  if (!params.success) return err('invalid_params')
  const context = {
    exchange: desk.exchange,
    history: desk.history,
    account: asker?.id ?? -1,
    key: null,
    session: 0,
    kept: desk.kept,
    faults: desk.faults,
    methods: desk.methods,
  } as const
  const { fault } = method.read(context, params.data)
  if (fault !== null) return err(fault.refusal.reason)
  const asked = viewContext(context)
  const error = method.rejection?.(asked, params.data) ?? null
  return error === null ? ok(method.reply(asked, params.data)) : err(error.message)
}
