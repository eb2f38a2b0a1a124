/**
 * The closing rows of a run: the equity of every account, every open position, and the findings in each recorded file.
 * Without these rows the digest of a run is not the published one.
 */
import { allAccounts, eventCountOf, openPositions, timeOf } from '../../engine/index.ts'
import type { ResultsSink, RunDigest } from '../../results/index.ts'
import { sampleEquity } from './progress.ts'
import type { ScenarioRun } from './run.ts'

/**
 * Completes the results of a run. Adds the last sample of `equity`, the last `bars`, `positions` (in the order in which
 * the accounts were opened), and `feed_quality`. Call it once, after `finishRun` or after an abandoned run.
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
