/**
 * Reports of run folders: the same folder gives the same bytes; damaged and interrupted folders get a warning; other
 * inputs are refused. It runs the built program.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { sha256Hex } from '../../src/host/sha256.ts'
import { packed, unpacked } from '../../src/report/packing.ts'
import type { Report } from '../../src/report/payload.ts'
import { pitclock, scratch } from '../support/built-program.ts'

const scenario = 'scenarios/backtest/two-strategies.yaml'
let home = ''
let whole = ''

beforeAll(() => {
  home = scratch()
  whole = join(home, 'whole')
  const cut = ['--set', 'until=2026-01-05T09:10:00Z']
  expect(pitclock(['run', scenario, ...cut, '--out', whole, '--report', '-q'])).toMatchObject({
    code: 0,
    err: '',
  })
})

/** The data inside a page. */
function dataOf(page: string): Report {
  const text = /<script type="application\/octet-stream" id="data">([^<]*)</.exec(readFileSync(page, 'utf8'))
  return unpacked(gunzipSync(Buffer.from(text?.[1] ?? '', 'base64'))) as Report
}

/** A copy of the folder without its report. */
function copy(name: string): string {
  const folder = join(home, name)
  cpSync(whole, folder, { recursive: true })
  rmSync(join(folder, 'report.html'))
  return folder
}

test('`run --report` writes the page into the folder, and the folder stays valid', () => {
  expect(existsSync(join(whole, 'report.html'))).toBe(true)
  expect(pitclock(['inspect', whole]).code).toBe(0)
  expect(pitclock(['diff', whole, whole]).code).toBe(0)
  expect(pitclock(['export', whole, '--format', 'csv', '--out', join(home, 'csv')]).code).toBe(0)
  const again = ['run', scenario, '--set', 'until=2026-01-05T09:01:00Z', '--out', whole, '-q']
  expect(pitclock(again).code).toBe(4)
})

test('the same folder gives the same bytes, wherever the page is written', () => {
  const outs = ['one.html', 'two.html'].map((name) => join(home, name))
  for (const out of outs) {
    const { code, out: said } = pitclock(['report', whole, '--out', out, '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(said)).toMatchObject({ version: 1, out, runs: 1, warnings: [], notes: [] })
  }
  const [one, two, first] = [...outs, join(whole, 'report.html')].map((file) => readFileSync(file))
  expect(one?.equals(two ?? Buffer.alloc(0))).toBe(true)
  expect(one?.equals(first ?? Buffer.alloc(0))).toBe(true)
})

test('the computed equity ends with the run’s final equity, and has a point for each fill', () => {
  const { runs } = dataOf(join(whole, 'report.html'))
  const [run] = runs
  expect(run?.accounts.map(({ name }) => name)).toEqual(['maker', 'taker'])
  for (const { wallets, activities, figures } of run?.accounts ?? []) {
    const [coin, usd] = wallets
    expect([coin?.currency, usd?.currency]).toEqual(['BTC', 'USD'])
    expect(coin?.drift).toBeLessThan(1e-9)
    for (const wallet of wallets) {
      const of = (metric: string): number =>
        figures.find((row) => row.metric === metric && row.currency === wallet.currency)?.value ?? 0
      expect(wallet.equity.value.at(-1)).toBeCloseTo(of('equity_end'), 6)
      expect((wallet.growth.value.at(-1) ?? 0) - 1).toBeCloseTo(of('total_return'), 7)
    }
    const fills = figures.find(({ metric }) => metric === 'fills')?.value
    const marks = activities.reduce((sum, { buys, sells }) => sum + buys.points + sells.points, 0)
    expect(marks).toBe(fills)
  }
})

describe('a folder that is incomplete', () => {
  test('has a report with a warning at the top', () => {
    const folder = copy('damaged')
    truncateSync(join(folder, 'fills.arrow'), 2_000)
    rmSync(join(folder, 'rejects.arrow'))
    const { code, out } = pitclock(['report', folder])
    expect(code).toBe(0)
    expect(out).toMatch(/The folder is damaged: 2 files are missing or have changed since the run/)
    const { warnings } = dataOf(join(folder, 'report.html')).runs[0] ?? { warnings: [] }
    expect(warnings.join('\n')).toMatch(/fills\.arrow: expected .* bytes/)
    expect(warnings.join('\n')).toMatch(/fills\.arrow: .*truncated/)
    expect(warnings.join('\n')).toMatch(/rejects\.arrow: .*no such file/)
  })

  test('changed bytes inside a file are reported, and the rows before them are shown', () => {
    const folder = copy('changed')
    const file = join(folder, 'orders.arrow')
    const bytes = readFileSync(file)
    bytes.fill(0xff, bytes.length >> 1, (bytes.length >> 1) + 64)
    writeFileSync(file, bytes)
    const { code, out } = pitclock(['report', folder])
    expect(code).toBe(0)
    expect(out).toMatch(/a file is missing or has changed since the run/)
  })

  test('a report of an interrupted run shows where the run ends', () => {
    const folder = copy('interrupted')
    rewriteManifest(folder, (manifest) => ({ ...manifest, status: 'interrupted' }))
    const { code, out } = pitclock(['report', folder])
    expect([code, out]).toEqual([0, expect.stringMatching(/^This run was interrupted/)])
  })
})

/** Writes another manifest with a valid hash. */
function rewriteManifest(folder: string, change: (manifest: object) => object): void {
  const file = join(folder, 'manifest.json')
  const { sha256: _, ...content } = JSON.parse(readFileSync(file, 'utf8')) as { sha256: string }
  const changed = change(content)
  const sha256 = sha256Hex(Buffer.from(JSON.stringify(changed)))
  writeFileSync(file, JSON.stringify({ ...changed, sha256 }))
}

describe('inputs that are refused', () => {
  const cases: readonly (readonly [string, (folder: string) => void, RegExp])[] = [
    ['no manifest', (folder) => rmSync(join(folder, 'manifest.json')), /no such file[\s\S]*journal/],
    [
      'another version',
      (folder) =>
        rewriteManifest(folder, (manifest) => {
          const { tables } = manifest as { readonly tables: readonly object[] }
          return { ...manifest, tables: tables.map((one) => ({ ...one, schema_version: 99 })) }
        }),
      /expected version \d+ of \w+, found version 99[\s\S]*run its journal again/,
    ],
    [
      'another format of tables',
      (folder) => rewriteManifest(folder, (manifest) => ({ ...manifest, table_format: 'csv' })),
      /expected arrow, found csv/,
    ],
  ]
  test.each(cases)('%s: exit 3, and nothing is written', (name, change, words) => {
    const folder = copy(name.replaceAll(' ', '-'))
    change(folder)
    const { code, err } = pitclock(['report', folder])
    expect([code, err]).toEqual([3, expect.stringMatching(words)])
    expect(readdirSync(folder).filter((file) => file.startsWith('report'))).toEqual([])
  })

  test('an existing or unwritable target: exit 4', () => {
    const taken = pitclock(['report', whole])
    expect([taken.code, taken.err]).toEqual([4, expect.stringMatching(/found a file[\s\S]*--force/)])
    expect(pitclock(['report', whole, '--force']).code).toBe(0)
    const file = join(home, 'a-file')
    writeFileSync(file, '')
    const inside = pitclock(['report', whole, '--out', join(file, 'report.html')])
    expect([inside.code, inside.err]).toEqual([4, expect.stringMatching(/^error: /)])
    const folder = join(home, 'a-folder')
    mkdirSync(folder)
    expect(pitclock(['report', whole, '--out', folder])).toMatchObject({
      code: 4,
      err: expect.stringMatching(/expected a path for a report, found a folder/),
    })
  })

  test('flags that exclude each other: exit 2', () => {
    expect(pitclock(['run', scenario, '--report'])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/--report: expected --out DIR/),
    })
    const parquet = ['--report', '--out', join(home, 'p'), '--format', 'parquet']
    expect(pitclock(['run', scenario, ...parquet])).toMatchObject({ code: 2 })
    expect(pitclock(['report', whole, '--points', '7'])).toMatchObject({ code: 2 })
  })
})

test('lines with more points than the limit are thinned out, and the page says so', () => {
  const out = join(home, 'thin.html')
  expect(pitclock(['report', whole, '--points', '100', '--out', out]).code).toBe(0)
  const report = dataOf(out)
  expect(report.runs[0]?.notes[0]).toMatch(/lines of up to [\d,]+ points are down-sampled/)
  const equity = report.runs[0]?.accounts[0]?.wallets[0]?.equity
  expect(equity?.time.length).toBeLessThanOrEqual(101)
  expect(equity?.points).toBeGreaterThan(100)
  expect(packed(report).length).toBeLessThan(packed(dataOf(join(whole, 'report.html'))).length)
})
