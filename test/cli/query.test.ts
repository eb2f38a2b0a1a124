/**
 * `pitclock query`: the same answers from tables in every format, and the message without DuckDB. DuckDB is installed
 * only on request; the long check installs it and runs the rest of this file. It runs the built program.
 */
import { existsSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { QueryResult } from '../../src/node.ts'
import { pitclock, scratch } from '../support/built-program.ts'
import { repository } from '../support/repository.ts'

const hasDuckDb = existsSync(join(repository, 'node_modules/@duckdb/node-api'))
const scenario = 'scenarios/options/call-to-expiry.yaml'
const formats = ['arrow', 'parquet', 'csv', 'jsonl'] as const

function ran(...flags: readonly string[]): string {
  const out = join(scratch(), "a run's")
  expect(pitclock(['run', scenario, '--out', out, '-q', ...flags])).toMatchObject({ code: 0 })
  return out
}

function answer(folder: string, sql: string): QueryResult {
  const { code, out, err } = pitclock(['query', folder, sql, '--json'])
  expect([code, err]).toEqual([0, ''])
  return JSON.parse(out) as QueryResult
}

test.skipIf(hasDuckDb)('without DuckDB the message shows the command that installs it, exit 4', () => {
  const { code, out, err } = pitclock(['query', 'nowhere', 'select 1'])
  expect([code, out]).toEqual([4, ''])
  expect(err).toBe(
    'error: @duckdb/node-api: expected the package that queries use, found none\n' +
      'hint: npm install @duckdb/node-api\n',
  )
})

describe.skipIf(!hasDuckDb)('with DuckDB', () => {
  test.each([
    ['doubles', []],
    ['exact figures', ['--exact']],
  ])('d16 all formats give one answer: %s', (_, flags) => {
    const folders = formats.map((format) => ran('--format', format, ...flags))
    const queries = [
      'select * from fills',
      'select * from instruments',
      'select account, change, count(*) as orders from orders group by all order by all',
      'select f.price, t.iv, t.underlying_price from fills f join trades t using (trade_id)',
      "select count(*) filter (label = '') as unlabelled from orders",
    ]
    for (const sql of queries) {
      const [first, ...others] = folders.map((folder) => answer(folder, sql))
      expect(first?.rows.length).toBeGreaterThan(0)
      for (const other of others) expect(other).toEqual(first)
    }
    const { columns, rows } = answer(folders[0] ?? '', 'select time, price from fills limit 1')
    expect(columns.map(({ type }) => type)).toEqual([
      'TIMESTAMP WITH TIME ZONE',
      flags.length > 0 ? 'DECIMAL(19,9)' : 'DOUBLE',
    ])
    expect(rows[0]?.[0]).toMatch(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/)
  })

  test('the answer is printed as a grid, and its temporary files are removed', () => {
    const { code, out } = pitclock(['query', ran(), 'select 1 as one, null as none, [1, 2] as two'])
    expect([code, out]).toEqual([0, 'one  none  two\n  1        [1,2]\n'])
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('pitclock-query-'))).toEqual([])
  })

  test('a query that fails is reported, exit 3', () => {
    const folder = ran('--format', 'csv')
    const wrong = pitclock(['query', folder, 'selec 1'])
    expect(wrong.code).toBe(3)
    expect(wrong.err).toContain('expected a query that DuckDB accepts, found Parser Error')
    const missing = pitclock(['query', join(folder, 'nowhere'), 'select 1'])
    expect(missing.code).toBe(3)
    expect(missing.err).toContain('expected the manifest of a run, found no such file')
  })
})
