/**
 * Converts a run between two of its steps to bytes and back: the request router, the loop with strategies and messages
 * in transit, counts, saved values and failures so far.
 *
 * The restored run reads its feeds again from their beginning and skips the messages that it has already processed. The
 * caller provides the sinks for results, which have separate snapshots. A run cannot be saved if it has a strategy
 * without `save`, or while a function waits for a reply.
 */

import { marketPosition, restoreLoop, snapshotLoop } from '../../backtest/index.ts'
import {
  checkArgument,
  checkOptions,
  decodeSections,
  decodeValue,
  defined,
  encodeSections,
  encodeValue,
  err,
  type Micros,
  ok,
  type Plain,
  type Result,
} from '../../core/index.ts'
import type { NotedCounts } from '../../feeds/index.ts'
import { venueMethods } from '../../gateways/index.ts'
import { type ParamValue, restoreDesk, snapshotDesk } from '../../rpc/index.ts'
import type { Scenario } from '../scenario.ts'
import { type SamplePosition, samplePosition } from './equity-samples.ts'
import type { Failure } from './expectation.ts'
import { assembleRecordedRun, type RecordedRun } from './recorded-run.ts'
import {
  assembleRun,
  type RunBase,
  type RunCore,
  type RunCounts,
  type RunHooks,
  type RunParts,
  type ScenarioRun,
  sampledHooks,
  samplesOf,
} from './run.ts'
import { type RunMarket, skipMessages } from './run-market.ts'
import type { SeriesPosition } from './series.ts'

const MAGIC = 'PITCLOCK RUN'
const VERSION = 6

/** State that no other part of a snapshot contains. */
interface RunData {
  readonly counts: RunCounts
  readonly saved: readonly (readonly [string, ParamValue])[]
  readonly failures: readonly Failure[]
  readonly samples: SamplePosition
  /** Null for a run without series. */
  readonly series: SeriesPosition | null
  /** Counts of findings of each feed, by file. */
  readonly noted: readonly (readonly NotedCounts[])[]
}

/**
 * Saves a run as bytes, or returns the reason why it cannot be saved now.
 *
 * @throws RangeError with the code `OPTION` if an argument has another kind.
 *
 * @example
 * const text = 'version: 1\ntitle: Nothing\nstart: 2026-01-05T09:00:00Z\ninstruments: [BTC-PERPETUAL]\nindex: { btc_usd: 50000 }\nsteps: []\n'
 * const scenario = parseScenario(text, 'nothing.yaml')
 * if (scenario.ok) console.log(snapshotRun(createRun(scenario.value, {})).ok) // true
 */
export function snapshotRun(run: ScenarioRun): Result<Uint8Array, string> {
  checkArgument('snapshotRun: run', run, 'object')
  const loop = snapshotLoop(run.loop)
  if (!loop.ok) return loop
  const data: RunData = {
    counts: { ...run.counts },
    saved: [...run.progress.saved],
    failures: run.failures,
    samples: samplePosition(run.samples),
    series: run.series?.save() ?? null,
    noted: (run.market?.cursors ?? []).map((cursor) => cursor.position().noted),
  }
  const sections = new Map([
    ['desk', snapshotDesk(run.desk)],
    ['loop', encodeValue(loop.value)],
    // The interfaces contain only plain data, which their types cannot express.
    ['run', encodeValue(data as unknown as Plain)],
  ])
  return ok(encodeSections(MAGIC, VERSION, sections))
}

/** New parts of a restored run. */
export interface RestoredInto {
  readonly hooks: RunHooks
  readonly parts: RunParts
}

/**
 * Restores a run from a snapshot of the same scenario, with new strategies and a new market. The error names a part
 * that does not match. `hooks.sink` takes all events after the restore.
 *
 * @throws RangeError with the code `OPTION` for a hook or a part that does not exist, `PARTS` as `createRun` does.
 *
 * @example
 * const text = 'version: 1\ntitle: Nothing\nstart: 2026-01-05T09:00:00Z\ninstruments: [BTC-PERPETUAL]\nindex: { btc_usd: 50000 }\nsteps: []\n'
 * const scenario = parseScenario(text, 'nothing.yaml')
 * if (!scenario.ok) throw new Error(scenario.error.map(formatInputError).join('\n'))
 * const saved = snapshotRun(createRun(scenario.value, {}))
 * if (!saved.ok) throw new Error(saved.error)
 * const parts = { market: null, seats: null }
 * const restored = restoreRun(saved.value, scenario.value, { hooks: {}, parts })
 * if (restored.ok) console.log(advanceRun(restored.value, 1_000)) // done
 */
export function restoreRun(bytes: Uint8Array, scenario: Scenario, into: RestoredInto): Result<ScenarioRun, string> {
  checkArgument('restoreRun: bytes', bytes, 'object')
  checkArgument('restoreRun: scenario', scenario, 'object')
  checkOptions('restoreRun', into, { hooks: 'object', parts: 'object' })
  const saved = readSaved(bytes)
  if (!saved.ok) return saved
  const market = marketOf(saved.value, into.parts.market)
  return assembleRun(scenario, into.hooks, { ...into.parts, market }, (base, watched) =>
    restoreCore(saved.value, base, watched, scenario.equityEvery),
  )
}

/**
 * Restores a run from a snapshot of the same recorded requests, with a new market. The error names a part that does not
 * match.
 */
export function restoreRecordedRun(
  bytes: Uint8Array,
  recorded: RecordedRun,
  hooks: RunHooks,
  market: RunMarket | null,
): Result<ScenarioRun, string> {
  const saved = readSaved(bytes)
  if (!saved.ok) return saved
  const from = { hooks, market: marketOf(saved.value, market) }
  return assembleRecordedRun(recorded, from.hooks, from.market, (base) =>
    restoreCore(saved.value, base, hooks, recorded.equityEvery),
  )
}

/** The parts of a snapshot. */
interface SavedRun {
  readonly desk: Uint8Array
  readonly loop: Plain
  readonly data: RunData
}

function readSaved(bytes: Uint8Array): Result<SavedRun, string> {
  const sections = decodeSections(bytes, MAGIC, VERSION)
  if (!sections.ok) return err(`expected ${sections.error.expected}, found ${sections.error.found}`)
  const missing = ['desk', 'loop', 'run'].find((name) => !sections.value.has(name))
  if (missing !== undefined) return err(`expected a section ${missing}, found none`)
  const part = (name: string): Uint8Array => defined(sections.value.get(name), 'every section was found')
  const loop = decodeValue(part('loop'))
  const decoded = decodeValue(part('run'))
  if (!loop.ok || !decoded.ok) return err('expected the snapshot of a run, found damaged data')
  // The checksums have shown that this program wrote the bytes.
  return ok({
    desk: part('desk'),
    loop: loop.value,
    data: decoded.value as unknown as RunData,
  })
}

/** A new market, moved to the position of the saved run's market. */
function marketOf({ loop, data }: SavedRun, market: RunMarket | null): RunMarket | null {
  if (market === null) return null
  return skipMessages(market, marketPosition(loop), data.noted)
}

/** Restores the request router, loop and samples over the base of a new run. */
function restoreCore(
  { desk: saved, loop: state, data }: SavedRun,
  base: RunBase,
  hooks: RunHooks,
  every: Micros | null,
): Result<RunCore, string> {
  const options = { watch: base.watch, methods: venueMethods, histories: hooks.histories }
  const desk = restoreDesk(saved, base.sink, options)
  if (!desk.ok) return err(`expected ${desk.error.expected}, found ${desk.error.found}`)
  Object.assign(base.counts, data.counts)
  for (const [name, value] of data.saved) base.progress.saved.set(name, value)
  base.progress.failures.push(...data.failures)
  if ((base.series === null) !== (data.series === null)) {
    return err('expected hooks with the series of the saved run')
  }
  if (data.series !== null) base.series?.load(data.series, desk.value.exchange)
  const samples = samplesOf(desk.value, hooks, base, every, data.samples)
  const fresh = {
    desk: desk.value,
    sources: base.sources,
    parts: base.loopParts,
    hooks: sampledHooks(hooks, samples, base.series),
  }
  const loop = restoreLoop(fresh, state)
  return loop.ok ? ok({ desk: desk.value, loop: loop.value, samples }) : loop
}
