/**
 * Metrics of a run: exposure by hand, snapshots at every few steps, the meaning of the section in files, and restored
 * runs.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { accountId, amount, encodeSections, scaledToNumber } from '../../../../src/core/index.ts'
import { timeOf } from '../../../../src/engine/index.ts'
import { runDocument, runFile } from '../../../../src/host/index.ts'
import { arrivalMids, metricsViews } from '../../../../src/host/runs/figures-report.ts'
import type { EventSink } from '../../../../src/model/index.ts'
import {
  type AccountFigures,
  createMetrics,
  figuresOf,
  type Metrics,
  restoreMetrics,
} from '../../../../src/results/index.ts'
import { addPoint } from '../../../../src/results/metrics/capital.ts'
import { equityMetrics, returnInputOf, returnMetrics } from '../../../../src/results/metrics/return-metrics.ts'
import { followFlow, POINTS_MAX } from '../../../../src/results/metrics/series.ts'
import { createAccount, createState, seriesOf } from '../../../../src/results/metrics/state.ts'
import { advanceRun, createRun, finishRun, type ScenarioRun } from '../../../../src/scenario/index.ts'
import { viewsOf } from '../../../support/performance-watch.ts'
import { repository } from '../../../support/repository.ts'
import { mistakesAfter, sound } from '../../scenario/documents.ts'

const days = join(repository, 'scenarios/ledger/metrics-over-days.yaml')
const HOUR = 3_600_000_000
const MINUTE = 60_000_000

describe('exposure over four days', () => {
  test('notional, leverage and delta weight each observed value with its time', async () => {
    const run = await runFile(days)
    if (!run.ok) throw new Error(run.error.lines.join('\n'))
    const [coin] = run.value.metrics.accounts[0]?.currencies ?? []
    // Marks are sampled in the minute after they moved; the fill came after 1 ms.
    const start = 1_000
    const seen = [
      [start, 50_000],
      [12 * HOUR + MINUTE, 51_000],
      [36 * HOUR + MINUTE, 49_500],
      [60 * HOUR + MINUTE, 52_000],
      [84 * HOUR + MINUTE, 53_000],
      [96 * HOUR, 0],
    ] as const
    // Before the fill there was nothing at stake, since the money came at the start.
    const total = 96 * HOUR
    const mean = seen
      .slice(0, -1)
      .reduce((sum, [from, mark], at) => sum + (10_000 / mark) * ((seen[at + 1]?.[0] ?? 0) - from), 0)
    const figures = coin?.figures ?? {}
    expect(figures['notional_mean']).toBeCloseTo(mean / total, 9)
    expect(figures['delta_mean']).toBeCloseTo(mean / total, 9)
    expect(figures['notional_max']).toBeCloseTo(10_000 / 49_500, 12)
    expect(Math.abs((figures['notional_median'] ?? 0) / (10_000 / 51_000) - 1)).toBeLessThan(0.002)
    expect(figures['leverage_max']).toBeCloseTo(10_000 / 49_500 / 0.997979798, 9)
    expect(figures).toMatchObject({
      exposure: 1 - start / total,
      margin_strain: 0,
      trades_closed: 0,
      liquidations: 0,
    })
    expect(run.value.metrics.accounts[0]?.instruments[0]?.figures).toMatchObject({
      inventory_mean: 10_000 * (1 - start / total),
      inventory_autocorrelation: null,
    })
  })
})

/** The figures of a scenario, whose metrics are cut by a snapshot after each `every` steps. */
function figuresWithCuts(
  text: string,
  every: number,
  isSkipping = false,
): { figures: readonly AccountFigures[]; cuts: number } {
  const scenario = sound(text)
  let metrics: Metrics = createMetrics(scenario.metrics)
  let run: ScenarioRun | undefined
  const sink: EventSink = { emit: (event) => metrics.emit(event) }
  run = createRun(scenario, {
    sink,
    onInput: (time) => {
      if (run !== undefined) metrics.input(time, metricsViews(run.desk.exchange))
    },
    ...(isSkipping ? { nextInput: () => metrics.nextInput() } : {}),
    watcher: {
      next: () => metrics.next(),
      look: (time, exchange) => metrics.look(time, metricsViews(exchange)),
    },
    onRequest: (request, sequence) => {
      const mids = run === undefined ? null : arrivalMids(run.desk.exchange, request.method, request.params)
      if (mids !== null) metrics.request(sequence, mids)
    },
  })
  let cuts = 0
  while (advanceRun(run, every) === 'more') {
    const restored = restoreMetrics(metrics.snapshot())
    if (!restored.ok) throw new Error(restored.error.found)
    metrics = restored.value
    cuts += 1
  }
  finishRun(run)
  const { exchange } = run.desk
  const measured = metrics.finish(timeOf(exchange), metricsViews(exchange))
  return { figures: figuresOf(measured, { periodsPerYear: 365, riskFree: 0 }), cuts }
}

describe('snapshots', () => {
  test.each([
    'scenarios/ledger/metrics-over-days.yaml',
    'scenarios/liquidation/auto-deleveraging.yaml',
    'scenarios/options/greeks-and-volatilities.yaml',
    'scenarios/spot/base-and-quote-change-hands.yaml',
  ])('%s: cut at every step and asked before every input, the figures are the same', (name) => {
    const text = readFileSync(join(repository, name), 'utf8')
    const whole = figuresWithCuts(text, Number.POSITIVE_INFINITY, true)
    const cut = figuresWithCuts(text, 1)
    expect(cut.figures).toEqual(whole.figures)
    expect(cut.cuts).toBeGreaterThan(5)
  })

  test('are refused if they are damaged or of another kind', () => {
    expect(restoreMetrics(encodeSections('PITCLOCK PERFORMANCE', 4, new Map())).ok).toBe(false)
    expect(restoreMetrics(createMetrics().snapshot().slice(0, -3)).ok).toBe(false)
  })
})

describe('a file', () => {
  test('reports mistakes in the section', () => {
    const section = `record: { metrics: { every: 1ms, periods_per_year: 0, risk_free: 11, benchmark: btc_us } }\n`
    const mistakes = mistakesAfter(section)
    expect(mistakes).toHaveLength(4)
    expect(mistakes[0]).toContain('record.metrics.every: expected a duration from 1s to 365d')
    expect(mistakes[1]).toContain('record.metrics.periods_per_year: expected a number above 0')
    expect(mistakes[2]).toContain('record.metrics.risk_free: expected a yearly rate from -0.5 to 10')
    expect(mistakes[3]).toContain('record.metrics.benchmark: expected an index with a price')
    expect(mistakes[3]).toContain('btc_usd')
    expect(mistakesAfter('record: { metrics: { periode: 1d } }\n')).toHaveLength(1)
  })

  test('that says nothing has the usual conventions', () => {
    expect(sound(readFileSync(days, 'utf8').replace(/^record: .*$/m, '')).metrics).toEqual({
      every: null,
      periodsPerYear: null,
      riskFree: 0,
      benchmark: null,
    })
  })
})

describe('a run', () => {
  const document = {
    version: 1,
    title: 'A test',
    start: '2026-01-05T09:00:00Z',
    instruments: ['BTC-PERPETUAL'],
    index: { btc_usd: 100_000 },
    accounts: { ann: { deposit: { BTC: 10 } } },
  }

  test('that restored a snapshot has neither metrics nor performance', async () => {
    const steps = [
      { at: '1s', call: 'sim/snapshot', params: { name: 'one' } },
      { at: '2s', call: 'sim/restore', params: { name: 'one' } },
    ]
    const run = await runDocument({ ...document, steps })
    expect(run.ok && run.value.metrics.accounts).toEqual([])
  })

  test('has all points if a request moves the clock over several', async () => {
    const steps = [{ at: '1s', call: 'sim/advance', params: { to: 1767862801000 } }]
    const record = { metrics: { every: '1d' } }
    const run = await runDocument({ ...document, record, steps })
    if (!run.ok) throw new Error(run.error.lines.join('\n'))
    const [coin] = run.value.metrics.accounts[0]?.currencies ?? []
    expect(run.value.failures).toEqual([])
    expect(coin?.series.time.map((time) => time.slice(0, 13))).toEqual([
      '2026-01-06T09',
      '2026-01-07T09',
      '2026-01-08T09',
      '2026-01-08T09',
    ])
    expect(coin?.figures).toMatchObject({ periods: 3, total_return: 0, span: 3 + 1 / 86_400 })
  })
})

describe('d11 the period of a run that names none', () => {
  const periodOf = async (until: number, steps: readonly object[] = []): Promise<readonly [string, number | null]> => {
    const run = await runDocument({
      version: 1,
      title: 'A test',
      start: '2026-01-05T09:00:00Z',
      until: `${until}s`,
      instruments: ['BTC-PERPETUAL'],
      index: { btc_usd: 100_000 },
      accounts: { ann: { deposit: { BTC: 10 } } },
      steps,
    })
    if (!run.ok) throw new Error(run.error.lines.join('\n'))
    const [coin] = run.value.metrics.accounts[0]?.currencies ?? []
    return [run.value.metrics.every, coin?.figures['periods'] ?? null]
  }

  test.each([
    [0.005, '1s', 1],
    [299, '1s', 299],
    [300, '10s', 30],
    [9 * 3_600, '15m', 36],
    [30 * 86_400 - 1, '4h', 180],
    [30 * 86_400, '1d', 30],
  ])('of %f s is %s, which fits %f times', async (until, every, periods) => {
    expect(await periodOf(until)).toEqual([every, periods])
  })

  test('is the same if a request moves the clock over all of it', async () => {
    const steps = [{ at: '1s', call: 'sim/advance', params: { to: 1767603600000 + 9 * 3_600_000 } }]
    expect(await periodOf(9 * 3_600, steps)).toEqual(['15m', 36])
  })
})

test('the points of all series are bounded, and figures of returns say so then', () => {
  const state = createState(24 * HOUR, null)
  state.nextPoint = state.nextDay = 24 * HOUR
  state.points = POINTS_MAX - 2
  const views = { ...viewsOf(), equityOf: () => amount(5_000_000_000n) }
  const account = createAccount(accountId(0), 'a', false)
  state.accounts.push(account)
  followFlow(seriesOf(account, 'BTC'), { time: 0, equity: 4, flow: 4 })
  addPoint(state, views, 24 * HOUR)
  expect(state.isFull).toBe(true)
  const series = seriesOf(account, 'BTC')
  expect(series.returns).toEqual([0.25])
  const terms = { periodsPerYear: 365, riskFree: 0 }
  const input = returnInputOf(state, account, 'BTC', series, terms)
  expect(returnMetrics['sharpe']?.of(input)).toBe('series_too_long')
  expect(equityMetrics['equity_end']?.of(input)).toBe(5)
})

test('N7 equity, flow and profit of a currency are exact, those in USD are not', () => {
  const { figures } = figuresWithCuts(readFileSync(days, 'utf8'), 1_000)
  const [coin, usd] = figures[0]?.currencies ?? []
  const exactOf = (of: typeof coin, name: string): bigint | null | undefined =>
    of?.figures.find(({ metric }) => metric === name)?.exact
  const [equity, flow] = [exactOf(coin, 'equity_end'), exactOf(coin, 'net_flow')]
  expect(flow).toBeGreaterThan(0n)
  expect((equity ?? 0n) - (flow ?? 0n)).toBe(exactOf(coin, 'net_profit'))
  expect(exactOf(coin, 'net_profit')).toBe(exactOf(coin, 'profit_total'))
  for (const { metric, figure, exact } of coin?.figures ?? []) {
    if (exact !== null) expect([metric, figure]).toEqual([metric, scaledToNumber(exact, 9)])
  }
  expect(usd?.currency).toBe('USD')
  expect(exactOf(usd, 'net_profit')).toBe(null)
})
