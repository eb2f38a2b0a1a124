/**
 * Metrics as users request them: the summary, `--json`, the table, and `pitclock compare` with its messages about
 * folders that cannot be compared. It runs the built program.
 */

import { createHash } from 'node:crypto'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Manifest, MetricsComparison, RunReport } from '../../src/node.ts'
import { pitclock, scratch } from '../support/built-program.ts'

const scenario = 'scenarios/ledger/metrics-over-days.yaml'
const week = 'scenarios/ledger/metrics-over-a-week.yaml'

let run = ''
let hourly = ''
let weeks: readonly [string, string] = ['', '']
beforeAll(() => {
  const home = scratch()
  run = join(home, 'days')
  hourly = join(home, 'hours')
  expect(pitclock(['run', scenario, '--out', run, '-q'])).toMatchObject({ code: 0, err: '' })
  const asked = ['--period', '6h', '--risk-free', '0', '--periods-per-year', '1460']
  expect(pitclock(['run', scenario, '--out', hourly, '-q', ...asked]).code).toBe(0)
  weeks = [join(home, 'week'), join(home, 'week-in-hours')]
  for (const [at, out] of weeks.entries()) {
    const period = at === 0 ? [] : ['--period', '1h']
    expect(pitclock(['run', week, '--out', out, '-q', ...period]).code).toBe(0)
  }
})

function reportOf(...flags: readonly string[]): RunReport {
  return reportOfFile(scenario, ...flags)
}

function reportOfFile(file: string, ...flags: readonly string[]): RunReport {
  const { code, out } = pitclock(['run', file, '--json', ...flags])
  expect(code).toBe(0)
  return (JSON.parse(out) as { readonly runs: readonly RunReport[] }).runs[0] as RunReport
}

/** A copy of a run with a changed manifest and a new hash. */
function changed(from: string, change: (manifest: Record<string, unknown>) => void): string {
  const folder = join(scratch(), 'changed')
  cpSync(from, folder, { recursive: true })
  const file = join(folder, 'manifest.json')
  const { sha256: _, ...content } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
  change(content)
  const sha256 = createHash('sha256').update(JSON.stringify(content)).digest('hex')
  writeFileSync(file, JSON.stringify({ ...content, sha256 }))
  return folder
}

describe('run', () => {
  test('the exact profit comes first, then metrics in coin and in USD, with their conventions', () => {
    const { out } = pitclock(['run', scenario])
    const lines = out.split('\n').map((line) => line.trim())
    const at = (start: string): number => lines.findIndex((line) => line.startsWith(start))
    expect(at('profit ')).toBeGreaterThan(0)
    expect(at('BTC returns')).toBeGreaterThan(at('profit '))
    expect(lines[at('BTC returns')]).toMatch(/return 0\.464353%.*no annualized ratios .they need/)
    expect(lines[at('USD returns')]).toMatch(/return 6\.49221%.*benchmark 6%/)
    expect(lines[at('metrics ')]).toContain('returns of 1d, 365 a year, risk-free 0.02, benchmark btc_usd')
  })

  test('U1 d11 ratios cover the time of the profit: a negative return has no positive ratio', () => {
    const { metrics } = reportOfFile(week)
    expect(metrics.every).toBe('4h')
    const [trader] = metrics.accounts
    for (const { figures, series } of trader?.currencies ?? []) {
      expect(series.start).toBe('2026-01-05T09:00:00Z')
      expect(series.time.length).toBe(42)
      expect(figures['total_return']).toBeCloseTo(-0.02114, 9)
      expect(figures['worst_period']).toBeCloseTo(-0.05057, 4)
      for (const name of ['sharpe', 'sortino', 'smart_sharpe', 'calmar', 'cagr', 'net_profit']) {
        expect(figures[name], name).toBeLessThan(0)
      }
      expect(figures['omega']).toBeLessThan(1)
      expect(figures['win_rate_periods']).toBeLessThan(0.5)
      expect(figures['max_drawdown_intraperiod']).toBeLessThanOrEqual(figures['max_drawdown'] ?? 0)
    }
    expect(pitclock(['run', week]).out).toMatch(/USDC returns +return -2\.114%.* Sharpe -/)
  })

  test('U1 d11 a run with less than 30 returns or 7 days has no annual figures, and says why', () => {
    const ofYear = ['cagr', 'volatility', 'sharpe', 'smart_sharpe', 'downside_deviation', 'sortino', 'calmar', 'martin']
    const cut = ['--set', 'until=2026-01-12T08:59:59Z']
    for (const flags of [cut, ['--period', '6h']]) {
      const usd = reportOfFile(week, ...flags).metrics.accounts[0]?.currencies[1]
      for (const name of ofYear) {
        expect([name, usd?.figures[name], usd?.reasons[name]]).toEqual([name, null, 'too_short'])
      }
    }
  })

  test('U4 funding is accrued until a settlement books it, and unused columns of a feed are named once', () => {
    const folder = scratch()
    const unused = ['exchange', 'funding_timestamp', 'funding_rate', 'predicted_funding_rate', 'open_interest']
    const columns = [
      'exchange,symbol,timestamp,local_timestamp',
      ...unused.slice(1),
      'last_price,index_price,mark_price',
    ]
    const row = (at: number): string => `deribit,BTC-PERPETUAL,${at},${at},,0.0001,,,,60000,60000`
    writeFileSync(
      join(folder, 'ticker.csv'),
      [columns.join(), row(1767603600000000), row(1767603601000000), ''].join('\n'),
    )
    const short = '{ account: t, instrument_name: BTC-PERPETUAL, amount: -60000, price: 60000 }'
    const text = `version: 1
title: A short position that receives funding
start: 2026-01-05T09:00:00Z
until: 2026-01-05T17:00:00Z
instruments: [BTC-PERPETUAL]
accounts: { t: { deposit: { BTC: 1 } } }
feeds: [{ format: tardis.derivative_ticker, path: ticker.csv, instrument: BTC-PERPETUAL }]
steps:
  - { at: 1s, call: sim/give_position, params: ${short} }
  - { at: 2s, call: sim/set_mark, params: { instrument_name: BTC-PERPETUAL, price: 60300 } }
`
    const file = join(folder, 'short.yaml')
    writeFileSync(file, text)
    const fundingOf = (report: RunReport): readonly (number | null | undefined)[] => {
      const figures = report.metrics.accounts[0]?.currencies[0]?.figures
      return ['profit_funding', 'funding_booked', 'funding_accrued', 'funding_received'].map((name) => figures?.[name])
    }
    const before = reportOfFile(file)
    expect(fundingOf(before)).toEqual([0.00474967, 0, 0.00474967, 0])
    expect(before.feeds[0]?.unused_columns).toEqual([...unused, 'last_price'])
    const after = reportOfFile(file, '--set', 'until=2026-01-06T09:00:00Z')
    expect(fundingOf(after)).toEqual([0.01424967, 0.01365592, 0.00059375, 0.01365592])
    const { out } = pitclock(['run', file])
    expect(out).toContain('funding 0.00474967 (including 0.00474967 accrued but not booked)')
    expect(out.match(/unused columns .*/g)).toEqual([expect.stringContaining(unused.join(', '))])
  })

  test('an account that only holds the coin has beta 1 and alpha 0, and no profit in coin', () => {
    const { metrics } = reportOf()
    const holder = metrics.accounts.find(({ account }) => account === 'holder')
    const [coin, usd] = holder?.currencies ?? []
    expect(usd?.figures).toMatchObject({
      beta: 1,
      // An annual figure, for which the run is too short.
      tracking_error: null,
      benchmark_return: usd?.figures['total_return'],
    })
    expect(usd?.reasons).toMatchObject({ alpha: 'too_short', tracking_error: 'too_short' })
    expect(coin?.figures).toMatchObject({ total_return: 0, sharpe: null, beta: null })
    expect(coin?.reasons).toMatchObject({ sharpe: 'too_short', beta: 'benchmark_is_currency' })
    expect(coin?.series).toMatchObject({ equity: [1, 1, 1, 1], flow: [1, 0, 0, 0] })
  })

  test('flags set the conventions, which a folder and its journal keep', () => {
    const { metrics } = reportOf('--period', '12h', '--periods-per-year', '252', '--benchmark', 'eth_usd')
    expect(metrics).toMatchObject({ every: '12h', periods_per_year: 252, benchmark: 'eth_usd' })
    expect(metrics.accounts[0]?.currencies[1]?.reasons['beta']).toBe('no_benchmark')
    const again = join(scratch(), 'again')
    expect(pitclock(['run', join(hourly, 'journal.jsonl'), '--out', again, '-q']).code).toBe(0)
    expect(pitclock(['diff', hourly, again]).code).toBe(0)
    const terms = (folder: string): Manifest['metrics'] =>
      (JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest).metrics
    expect(terms(again)).toEqual(terms(hourly))
    expect(terms(hourly)).toMatchObject({ every: '6h', periods_per_year: 1460, risk_free: 0 })
  })

  test('the metadata of the table shows how it was computed, and its rows have units', () => {
    const { out } = pitclock(['inspect', join(run, 'metrics.arrow'), '--head', '3'])
    expect(out).toContain('time-weighted')
    expect(out).toContain('benchmark is holding btc_usd')
    expect(out).toContain('profit_funding')
  })

  test.each([
    ['--period', '5x', 'a duration from 1s to 365d'],
    ['--period', '1ms', 'a duration from 1s to 365d'],
    ['--periods-per-year', '0', 'a number above 0'],
    ['--risk-free', '11', 'an annual rate from -0.5 to 10'],
    ['--risk-free', '0x1', 'an annual rate from -0.5 to 10'],
    ['--benchmark', 'Bitcoin', 'the name of an index such as btc_usd'],
  ])('%s %s exits 2', (flag, value, expected) => {
    const { code, err } = pitclock(['run', scenario, flag, value])
    expect(code).toBe(2)
    expect(err).toContain(`error: ${flag}: expected ${expected}`)
    expect(err).toContain(`found ${value}`)
  })
})

describe('compare', () => {
  test('shows figures side by side, and reports different conventions', () => {
    const { code, out } = pitclock(['compare', ...weeks])
    expect(code).toBe(0)
    expect(out).toContain('the runs computed their metrics with different settings')
    expect(out).toMatch(/^trader USDC$/m)
    expect(out).toMatch(/^ {2}profit_total +-211\.4 +-211\.4 {2}USDC$/m)
    expect(out).toMatch(/^ {2}sharpe +-[0-9.]+ +-[0-9.]+ {2}ratio$/m)
    expect(out).not.toContain('deflated')
  })

  test('three runs with the same settings have the deflated Sharpe ratio of the best', () => {
    const [one] = weeks
    const { out } = pitclock(['compare', one, one, one, '--account', 'trader', '--json'])
    const found = JSON.parse(out) as MetricsComparison
    expect(found.is_alike).toBe(true)
    expect(new Set(found.figures.map(({ account }) => account))).toEqual(new Set(['trader']))
    const sharpe = found.figures.find(({ metric, currency }) => metric === 'sharpe' && currency === 'USD')
    expect(sharpe?.values).toEqual(Array(3).fill(sharpe?.values[0]))
    expect(found.deflated.map(({ currency, trials, best }) => [currency, trials, best])).toEqual([
      ['USDC', 3, one],
      ['USD', 3, one],
    ])
    // Equal trials have an expected maximum of zero, so the ratio equals the probabilistic one.
    const probable = found.figures.find(
      ({ metric, currency }) => metric === 'probabilistic_sharpe' && currency === 'USD',
    )
    expect(found.deflated[1]?.value).toBeCloseTo(probable?.values[0] ?? 0, 12)
  })

  test('--all shows every metric, null with its reason in JSON', () => {
    expect(pitclock(['compare', run, hourly, '--all']).out).toMatch(/^ {2}cvar_95 +-/m)
    const { out } = pitclock(['compare', run, hourly, '--json'])
    const { figures } = JSON.parse(out) as MetricsComparison
    for (const { values, reasons } of figures) {
      for (const [at, value] of values.entries()) expect(value === null).toBe(reasons[at] !== null)
    }
  })
})

describe('compare shows the settings in which runs differ', () => {
  const maker = 'scenarios/orders/market-sell-fills-resting-bid.yaml'
  const scenarios = [
    ['plain', maker, []],
    ['other', maker, ['--seed', '8', '--set', 'accounts.maker.deposit.BTC=9']],
    ['free', maker, ['--set', 'venue.price_bands=false']],
    ['alone', maker, ['--set', 'venue.price_bands=false', '--no-journal']],
  ] as const
  const runs: Record<string, string> = {}
  beforeAll(() => {
    const home = scratch()
    for (const [name, file, flags] of scenarios) {
      runs[name] = join(home, name)
      pitclock(['run', file, '--out', join(home, name), '-q', ...flags])
    }
  })
  const found = (...names: readonly string[]): MetricsComparison => {
    const folders = names.map((name) => runs[name] ?? '')
    return JSON.parse(pitclock(['compare', ...folders, '--json']).out) as MetricsComparison
  }

  test('seeds, and values set by flags', () => {
    expect(found('plain', 'other').differences).toEqual([
      { setting: 'seed', values: ['7', '8'] },
      { setting: 'accounts.maker.deposit.BTC', values: [null, '9'] },
    ])
    const { out } = pitclock(['compare', runs['plain'] ?? '', runs['other'] ?? ''])
    expect(out).toMatch(/^settings that differ$/m)
    expect(out).toMatch(/^ {2}seed +7 +8$/m)
    expect(out).toMatch(/^ {2}accounts\.maker\.deposit\.BTC +- +9$/m)
  })

  test('settings of the exchange, from the heads of journals', () => {
    expect(found('plain', 'free', 'free').differences).toEqual([
      { setting: 'config.price_bands', values: [true, false, false] },
    ])
    expect(found('plain', 'alone').differences).toEqual([{ setting: 'venue.price_bands', values: [null, 'false'] }])
  })

  test('parameters of strategies, terms of recorded files, and versions', () => {
    const backtest = 'scenarios/backtest/market-maker.yaml'
    const [two = '', three = ''] = ['2', '3'].map((spread) => {
      const out = join(scratch(), spread)
      const set = [
        `strategies.0.params.half_spread=${spread}`,
        'until=2026-01-05T09:02:00Z',
        `feeds.1.policy.gap=${spread === '2' ? 'keep' : 'skip'}`,
      ]
      const flags = set.flatMap((text) => ['--set', text])
      const { code, err } = pitclock(['run', backtest, '--out', out, '-q', ...flags])
      expect(code, err).toBe(0)
      return out
    })
    const other = changed(three, ({ engine }) => Object.assign(engine as object, { version: '9.9.9' }))
    const { out } = pitclock(['compare', two, other, '--json'])
    const { differences } = JSON.parse(out) as MetricsComparison
    expect(differences).toEqual([
      { setting: 'engine.version', values: ['0.1.0', '9.9.9'] },
      { setting: 'strategies.0.params.half_spread', values: [2, 3] },
      { setting: 'feeds.1.policy.gap', values: ['keep', 'skip'] },
    ])
  })

  test('no settings for equal runs', () => {
    expect(found('plain', 'plain').differences).toEqual([])
    expect(pitclock(['compare', runs['plain'] ?? '', runs['plain'] ?? '']).out).toMatch(/^settings {2}identical$/m)
  })
})

describe('folders that cannot be compared', () => {
  const cases: readonly (readonly [string, () => string, string])[] = [
    ['none', () => scratch(), 'expected the manifest of a run, found no such file'],
    [
      'an interrupted run',
      () => changed(run, (manifest) => Object.assign(manifest, { status: 'interrupted' })),
      'expected a complete run, found an interrupted run',
    ],
    [
      'one of a version without metrics',
      () => changed(run, (manifest) => delete manifest['metrics']),
      'expected a run with the metrics table, found a run of pitclock',
    ],
    [
      'one of another format',
      () => changed(run, (manifest) => Object.assign(manifest, { format: 2 })),
      'expected the manifest of a run, format 3',
    ],
    [
      'one whose table has another version',
      () =>
        changed(run, (manifest) => {
          const tables = manifest['tables'] as { name: string; schema_version: number }[]
          for (const table of tables) if (table.name === 'metrics') table.schema_version = 9
        }),
      'expected version 1 of the table, found version 9',
    ],
    [
      'one with a changed file',
      () => {
        const folder = changed(run, () => undefined)
        writeFileSync(join(folder, 'metrics.arrow'), 'other')
        return folder
      },
      'expected the file as the run wrote it',
    ],
  ]
  test.each(cases)('%s', (_, folder, words) => {
    const { code, out, err } = pitclock(['compare', run, folder()])
    expect([code, out]).toEqual([3, ''])
    expect(err).toContain(words)
    expect(err).toContain('hint: each folder must be the output')
  })

  test('one run cannot be compared, and the account must exist', () => {
    expect(pitclock(['compare', run])).toMatchObject({ code: 2 })
    const { code, err } = pitclock(['compare', run, run, '--account', 'nobody'])
    expect(code).toBe(2)
    expect(err).toContain('expected one of long, short, holder, found nobody')
  })
})
