/**
 * Snapshots of a run between two of its steps, as bytes and back: the desk, the loop with strategies
 * and everything on its way, counts, saved values and failures so far.
 *
 * The restored run reads its feeds again from their beginning and leaves out what it has had; where
 * results go is the caller's, whose sinks have snapshots of their own. A run cannot be saved while a
 * strategy without `save`, or a function that waits for a reply, takes part in it.
 */
import { marketPosition, restoreLoop, snapshotLoop } from '../../backtest/index.ts'
import {
  decodeSections,
  decodeValue,
  defined,
  encodeSections,
  encodeValue,
  err,
  ok,
  type Plain,
  type Result,
} from '../../core/index.ts'
import type { NotedCounts } from '../../feeds/index.ts'
import { type ParamValue, restoreDesk, snapshotDesk } from '../../rpc/index.ts'
import type { Scenario } from '../scenario.ts'
import type { SamplePosition } from './equity-samples.ts'
import type { Failure } from './expectation.ts'
import {
  assembleRun,
  type RunCounts,
  type RunHooks,
  type RunParts,
  type ScenarioRun,
  sampledHooks,
  samplesOf,
} from './run.ts'
import { skipMessages } from './run-market.ts'
import type { SeriesPosition } from './series.ts'

const MAGIC = 'PITCLOCK RUN'
const VERSION = 5

/** State that only the run itself knows. */
interface RunData {
  readonly counts: RunCounts
  readonly saved: readonly (readonly [string, ParamValue])[]
  readonly failures: readonly Failure[]
  readonly samples: SamplePosition
  /** Null where no series are made. */
  readonly series: SeriesPosition | null
  /** Counts that were noted of each feed, by its files. */
  readonly noted: readonly (readonly NotedCounts[])[]
}

/** The run as bytes, or why it cannot be saved now. */
export function snapshotRun(run: ScenarioRun): Result<Uint8Array, string> {
  const loop = snapshotLoop(run.loop)
  if (!loop.ok) return loop
  const data: RunData = {
    counts: { ...run.counts },
    saved: [...run.progress.saved],
    failures: run.failures,
    samples: run.samples.position,
    series: run.series?.save() ?? null,
    noted: (run.market?.cursors ?? []).map((cursor) => cursor.position().noted),
  }
  const sections = new Map([
    ['desk', snapshotDesk(run.desk)],
    ['loop', encodeValue(loop.value)],
    // Plain data, which the types of its interfaces cannot say.
    ['run', encodeValue(data as unknown as Plain)],
  ])
  return ok(encodeSections(MAGIC, VERSION, sections))
}

/**
 * The run of a snapshot of the same scenario, with new seats and a new market; the error says what does
 * not fit. `hooks.sink` takes the events from here on.
 */
export function restoreRun(
  bytes: Uint8Array,
  scenario: Scenario,
  { hooks, parts }: { readonly hooks: RunHooks; readonly parts: RunParts },
): Result<ScenarioRun, string> {
  const sections = decodeSections(bytes, MAGIC, VERSION)
  if (!sections.ok) return err(`expected ${sections.error.expected}, found ${sections.error.found}`)
  const missing = ['desk', 'loop', 'run'].find((name) => !sections.value.has(name))
  if (missing !== undefined) return err(`expected a section ${missing}, found none`)
  const part = (name: string): Uint8Array =>
    defined(sections.value.get(name), 'every section was found')
  const state = decodeValue(part('loop'))
  const decoded = decodeValue(part('run'))
  if (!state.ok || !decoded.ok) return err('expected the snapshot of a run, found damaged data')
  // The checksums have shown that these are the bytes that we wrote.
  const data = decoded.value as unknown as RunData
  const position = { messages: marketPosition(state.value), noted: data.noted }
  const market = parts.market === null ? null : skipMessages(parts.market, position)
  return assembleRun(scenario, { hooks, parts: { ...parts, market } }, (base) => {
    const desk = restoreDesk(part('desk'), base.sink, undefined, base.watch)
    if (!desk.ok) return err(`expected ${desk.error.expected}, found ${desk.error.found}`)
    Object.assign(base.counts, data.counts)
    for (const [name, value] of data.saved) base.progress.saved.set(name, value)
    base.progress.failures.push(...data.failures)
    const { sources, series, loopParts } = base
    if ((series === null) !== (data.series === null)) {
      return err('expected hooks that take series as those of the saved run did')
    }
    if (data.series !== null) series?.load(data.series, desk.value.exchange)
    const from = { every: scenario.equityEvery, position: data.samples }
    const samples = samplesOf(desk.value, { hooks, base }, from)
    const fresh = {
      desk: desk.value,
      sources,
      parts: loopParts,
      hooks: sampledHooks(hooks, samples, series),
    }
    const loop = restoreLoop(fresh, state.value)
    return loop.ok ? ok({ desk: desk.value, loop: loop.value, samples }) : loop
  })
}
