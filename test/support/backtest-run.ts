/**
 * A backtest that a test steps by hand: a scenario with its feeds and strategies. The test can snapshot the run at any
 * point that allows it, rebuild everything, and continue from the bytes.
 */
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { openSeats, type Seats, type StrategyDefinition, type StrategyGuard } from '../../src/backtest/index.ts'
import { formatInputError, ok } from '../../src/core/index.ts'
import { loadStrategy, nodeSha256, openRunFeeds, type RunFeeds } from '../../src/host/index.ts'
import { createResultsSink, type ResultsSink, restoreResultsSink } from '../../src/results/index.ts'
import {
  advanceRun,
  closeRun,
  createRun,
  finishRun,
  parseScenario,
  restoreRun,
  type Scenario,
  type ScenarioRun,
  snapshotRun,
} from '../../src/scenario/index.ts'

/** The result of a run, and how often it was cut. */
export interface CutRun {
  readonly digest: string
  readonly events: number
  readonly cuts: number
}

/** Strategies by the name of their module; they replace files. */
export interface GivenStrategies {
  readonly [module: string]: StrategyDefinition<never>
}

/** Reads a scenario file. */
export function scenarioAt(file: string): Scenario {
  const parsed = parseScenario(readFileSync(file, 'utf8'), file)
  if (!parsed.ok) throw new Error(parsed.error.map(formatInputError).join('\n'))
  return parsed.value
}

/**
 * Runs a scenario and cuts it about every `every` steps: the run, its market, its strategies and its
 * results are thrown away and restored from bytes.
 */
export async function runWithCuts(file: string, every: number, given: GivenStrategies = {}): Promise<CutRun> {
  const scenario = scenarioAt(file)
  const folder = dirname(file)
  let feeds = await feedsOf(scenario, folder)
  let results = createResultsSink({ sha256: nodeSha256, onBlock: null })
  let run: ScenarioRun = createRun(scenario, { sink: results }, await partsOf(scenario, feeds, { folder, given }))
  let cuts = 0
  for (;;) {
    const state = advanceRun(run, every)
    if (state === 'done') break
    if (state === 'failed') throw new Error(formatInputError(run.loop.fault as never))
    if (state === 'starved') {
      await refill(feeds)
      continue
    }
    const bytes = snapshotRun(run)
    if (!bytes.ok) throw new Error(bytes.error)
    const written = results.snapshot()
    await feeds.close()
    feeds = await feedsOf(scenario, folder)
    results = restoredSink(written)
    const parts = await partsOf(scenario, feeds, { folder, given })
    const again = restoreRun(bytes.value, scenario, { hooks: { sink: results }, parts })
    if (!again.ok) throw new Error(again.error)
    run = again.value
    cuts += 1
  }
  const { counts } = finishRun(run)
  const { digest } = closeRun(run, results)
  await feeds.close()
  return { digest, events: counts.events, cuts }
}

async function feedsOf(scenario: Scenario, folder: string): Promise<RunFeeds> {
  const opened = await openRunFeeds(scenario.feeds, [folder])
  if (!opened.ok) throw new Error(opened.error.map(({ error }) => formatInputError(error)).join())
  return opened.value
}

async function refill(feeds: RunFeeds): Promise<void> {
  const filled = await feeds.refill()
  if (!filled.ok) throw new Error(formatInputError(filled.error.error))
}

async function partsOf(
  scenario: Scenario,
  feeds: RunFeeds,
  { folder, given }: { readonly folder: string; readonly given: GivenStrategies },
): Promise<{ readonly market: RunFeeds['market']; readonly seats: Seats | null }> {
  const seat = { name: 'loading', now: scenario.config.start, random: () => 0 }
  const guard: StrategyGuard = {
    seat: null,
    enter: () => undefined,
    leave: () => undefined,
    log: () => undefined,
  }
  const specs = await Promise.all(
    scenario.strategies.map(async ({ account, module, params, latency }) => {
      const known = given[module]
      const loaded = known === undefined ? await loadStrategy({ module, directory: folder, guard, seat }) : ok(known)
      if (!loaded.ok) throw new Error(formatInputError(loaded.error))
      // Only the module of a strategy knows the shape of its parameters, and it checks them.
      const definition = loaded.value as StrategyDefinition<unknown>
      return { name: module, account, definition, params, latency }
    }),
  )
  const { seed, config } = scenario
  const seats = openSeats(specs, { seed, start: config.start, guard })
  if (!seats.ok) throw new Error(seats.error.map(formatInputError).join())
  return { market: feeds.market, seats: specs.length === 0 ? null : seats.value }
}

function restoredSink(bytes: Uint8Array): ResultsSink {
  const restored = restoreResultsSink(bytes, { sha256: nodeSha256, onBlock: null })
  if (!restored.ok) throw new Error(restored.error.expected)
  return restored.value
}
