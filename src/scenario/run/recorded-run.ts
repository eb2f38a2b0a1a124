/** Runs of recorded requests, as stored in a journal. */

import { createLoop, type TimedRequest } from '../../backtest/index.ts'
import { defined, type Micros, ok, type Result } from '../../core/index.ts'
import { venueMethods } from '../../gateways/index.ts'
import type { ExchangeConfig } from '../../model/index.ts'
import { createDesk } from '../../rpc/index.ts'
import type { RunTerms } from '../run-terms.ts'
import {
  keyedConfig,
  openBase,
  type RunBase,
  type RunCore,
  type RunHooks,
  type ScenarioRun,
  sampledHooks,
  samplesOf,
} from './run.ts'
import type { RunMarket } from './run-market.ts'
import { createRunSeries } from './series.ts'
import { listSource, type Progress } from './steps.ts'

/** Recorded requests, with the settings of their run. */
export interface RecordedRun extends Pick<RunTerms, 'equityEvery' | 'record'> {
  readonly title: string
  readonly seed: string
  readonly config: ExchangeConfig
  readonly until: Micros | null
  /** Number of requests that belong to the set-up. They come before any recorded message. */
  readonly setup: number
  readonly requests: readonly TimedRequest[]
}

/**
 * A run of recorded requests over the recorded market of their run. It has no expectations and gives the same events
 * again.
 */
export function createRecordedRun(recorded: RecordedRun, hooks: RunHooks, market: RunMarket | null): ScenarioRun {
  const run = assembleRecordedRun(recorded, hooks, market, (base) => {
    const options = {
      config: keyedConfig(recorded),
      controls: true,
      methods: venueMethods,
      watch: base.watch,
      histories: hooks.histories,
    }
    const desk = createDesk(options, base.sink)
    const samples = samplesOf(desk, hooks, base, recorded.equityEvery)
    const loop = createLoop(desk, base.sources, sampledHooks(hooks, samples, base.series), base.loopParts)
    return ok({ desk, loop, samples })
  })
  return defined(run.ok ? run.value : undefined, 'a new run opens')
}

/** A run of recorded requests over the core that `open` returns. */
export function assembleRecordedRun<E>(
  recorded: RecordedRun,
  hooks: RunHooks,
  market: RunMarket | null,
  open: (base: RunBase) => Result<RunCore, E>,
): Result<ScenarioRun, E> {
  const progress: Progress = { saved: new Map(), failures: [], waiting: new Set() }
  const sources = [listSource(recorded.requests)]
  const series = createRunSeries(recorded.record, recorded.config.start, hooks.series)
  const nobody = { seats: null, live: null, mayFault: false }
  const base = openBase(hooks, {
    sources,
    progress,
    market,
    until: recorded.until,
    setup: recorded.setup,
    series,
    ...nobody,
  })
  const opened = open(base)
  if (!opened.ok) return opened
  const { desk, loop, samples } = opened.value
  const conclude = (): void => undefined
  const rest = { counts: base.counts, market, progress, failures: progress.failures, conclude }
  return ok({ title: recorded.title, until: recorded.until, desk, loop, samples, series, ...rest })
}
