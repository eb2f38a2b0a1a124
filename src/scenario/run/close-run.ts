/**
 * Advances and ends runs: by a number of steps, to a time, at their end, or at the current time. Then adds the closing
 * rows of a run: the equity of every account, every open position, and the findings in each recorded file. Without
 * these rows the digest of a run is not the published one.
 */

import { type LoopState, runLoop, runLoopUntil } from '../../backtest/index.ts'
import { assert, checkArgument, type Micros, micros } from '../../core/index.ts'
import { advanceTo, allAccounts, eventCountOf, nextDue, openPositions, timeOf } from '../../engine/index.ts'
import type { ResultsSink, RunDigest } from '../../results/index.ts'
import type { Scenario } from '../scenario.ts'
import { sampleEquityUntil, sampleNow } from './equity-samples.ts'
import { createRun, type RunHooks, type RunOutcome, type ScenarioRun } from './run.ts'

/**
 * Completes the results of a run. Adds the last sample of `equity`, the last `bars`, `positions` (in the order in which
 * the accounts were opened), and `feed_quality`. Call it once, after `finishRun` or after an abandoned run.
 *
 * @throws RangeError with the code `OPTION` if an argument has another kind.
 *
 * @example
 * const text = 'version: 1\ntitle: Nothing\nstart: 2026-01-05T09:00:00Z\ninstruments: [BTC-PERPETUAL]\nindex: { btc_usd: 50000 }\nsteps: []\n'
 * const scenario = parseScenario(text, 'nothing.yaml')
 * if (!scenario.ok) throw new Error(scenario.error.map(formatInputError).join('\n'))
 * const results = createResultsSink({ sha256: pureSha256, onBlock: null })
 * const hooks = { sink: results, onEquity: results.recordEquity, series: results }
 * const run = createRun(scenario.value, hooks)
 * while (advanceRun(run, 1_000) !== 'done');
 * finishRun(run)
 * console.log(closeRun(run, results).digest.length) // 64
 */
export function closeRun(run: ScenarioRun, results: ResultsSink): RunDigest {
  checkArgument('closeRun: run', run, 'object')
  checkArgument('closeRun: results', results, 'object')
  sampleEquity(run)
  run.series?.finish(run.desk.exchange)
  recordPositions(run, results)
  recordQuality(run, results)
  return results.finish()
}

function recordPositions({ desk: { exchange } }: ScenarioRun, results: ResultsSink): void {
  const time = timeOf(exchange)
  const number = eventCountOf(exchange)
  for (const account of allAccounts(exchange)) {
    for (const view of openPositions(exchange, account.id)) {
      results.recordPosition({
        time,
        number,
        account: account.id,
        instrument: view.instrument.id,
        currency: view.instrument.settlementCurrency,
        size: view.size,
        averagePrice: view.averagePrice,
        markPrice: view.mark,
        floatingProfit: view.floating,
        realizedProfit: view.realized,
        initialMargin: view.initialMargin,
        maintenanceMargin: view.maintenanceMargin,
      })
    }
  }
}

function recordQuality({ market }: ScenarioRun, results: ResultsSink): void {
  for (const cursor of market?.cursors ?? []) {
    const instrument = cursor.options.instrument.id
    for (const row of cursor.qualityRows()) results.recordFeedQuality({ ...row, instrument })
  }
}

/**
 * Advances a run by at most `limit` steps and returns its state. A step submits a request, applies a recorded
 * message, or delivers a message to a strategy. A run that is `starved` waits for batches of its feeds.
 *
 * @throws RangeError with the code `OPTION` if an argument has another kind.
 *
 * @example
 * const text = 'version: 1\ntitle: Nothing\nstart: 2026-01-05T09:00:00Z\ninstruments: [BTC-PERPETUAL]\nindex: { btc_usd: 50000 }\nsteps: []\n'
 * const scenario = parseScenario(text, 'nothing.yaml')
 * if (!scenario.ok) throw new Error(scenario.error.map(formatInputError).join('\n'))
 * console.log(advanceRun(createRun(scenario.value, {}), 1_000)) // done
 */
export function advanceRun(run: ScenarioRun, limit: number): LoopState {
  checkArgument('advanceRun: run', run, 'object')
  checkArgument('advanceRun: limit', limit, 'number')
  return runLoop(run.loop, limit)
}

/**
 * Ends a run without remaining requests: moves the clock to `until` and compares the final expectations.
 *
 * @throws AssertionFailure with the code `DEFECT` if requests are left; a RangeError with the code `OPTION` if the argument has another kind.
 *
 * @example
 * const text = 'version: 1\ntitle: Nothing\nstart: 2026-01-05T09:00:00Z\ninstruments: [BTC-PERPETUAL]\nindex: { btc_usd: 50000 }\nsteps: []\n'
 * const scenario = parseScenario(text, 'nothing.yaml')
 * if (!scenario.ok) throw new Error(scenario.error.map(formatInputError).join('\n'))
 * const run = createRun(scenario.value, {})
 * advanceRun(run, 1_000)
 * console.log(finishRun(run).title) // Nothing
 */
export function finishRun(run: ScenarioRun): RunOutcome {
  checkArgument('finishRun: run', run, 'object')
  assert(runLoop(run.loop, 0) === 'done', 'a run ends after all its requests')
  const { exchange, sink } = run.desk
  sampleEquityUntil(run.samples, Math.max(timeOf(exchange), run.until ?? 0))
  if (run.until !== null && run.until > timeOf(exchange)) advanceTo(exchange, run.until, sink)
  if (run.until === null) awaitReplies(run)
  run.conclude()
  return { title: run.title, failures: run.failures, counts: { ...run.counts }, end: timeOf(exchange) }
}

/**
 * Does all work of a run that is due up to a time, and moves its clock there. Returns `starved` if its feeds must be
 * read first, and `done` if no work is left before the time.
 */
export function advanceRunTo(run: ScenarioRun, time: Micros): LoopState {
  return runLoopUntil(run.loop, time)
}

/** Ends a run at its current time, after pending replies have arrived. Remaining requests are not submitted. */
export function stopRun(run: ScenarioRun): RunOutcome {
  awaitReplies(run)
  run.conclude()
  return { title: run.title, failures: run.failures, counts: { ...run.counts }, end: timeOf(run.desk.exchange) }
}

/** Continues a run without a set end until the last reply has arrived, because the speed bump may hold some replies. */
function awaitReplies({ desk, samples }: ScenarioRun): void {
  while (desk.pending.size > 0) {
    const next = nextDue(desk.exchange)
    assert(next < Number.POSITIVE_INFINITY, 'a pending reply has a timer')
    sampleEquityUntil(samples, next)
    advanceTo(desk.exchange, micros(next), desk.sink)
  }
}

/** Takes a sample of the equity of a run, unless the last sample shows the same state. */
export function sampleEquity(run: ScenarioRun): void {
  sampleNow(run.samples)
}

/**
 * Runs a scenario without feeds and strategies from beginning to end.
 *
 * @throws RangeError with the code `PARTS` if it has feeds or strategies, `OPTION` for a hook that does not exist;
 * AssertionFailure with the code `DEFECT` if it does not reach its end.
 *
 * @example
 * const text = 'version: 1\ntitle: Nothing\nstart: 2026-01-05T09:00:00Z\ninstruments: [BTC-PERPETUAL]\nindex: { btc_usd: 50000 }\nsteps: []\n'
 * const scenario = parseScenario(text, 'nothing.yaml')
 * if (scenario.ok) console.log(runScenario(scenario.value).failures) // []
 */
export function runScenario(scenario: Scenario, hooks: RunHooks = {}): RunOutcome {
  checkArgument('runScenario: scenario', scenario, 'object')
  const run = createRun(scenario, hooks)
  const state = advanceRun(run, Number.POSITIVE_INFINITY)
  assert(state === 'done', 'a run with requests only ends')
  return finishRun(run)
}
