/**
 * The recorded feed of `data/recorded-market`: a new run and export of its scenario give the same texts, which satisfy
 * the claims of their README.
 */
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formatInputError } from '../../src/core/index.ts'
import type { TardisManifest } from '../../src/host/index.ts'
import { built } from '../support/built-library.ts'
import { inTurn } from '../support/property-runs.ts'
import { repository } from '../support/repository.ts'

const folder = join(repository, 'data/recorded-market')
const names = ['incremental_book_L2.csv.gz', 'trades.csv.gz', 'derivative_ticker.csv.gz'] as const
const committed = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as {
  readonly about: { readonly scenario: string }
} & TardisManifest

let home = ''
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'pitclock-recorded-'))
})
afterAll(() => {
  rmSync(home, { recursive: true, force: true })
})

function textOf(path: string, name: string): string {
  return gunzipSync(readFileSync(join(path, name))).toString('latin1')
}

function rowsOf(text: string): string[][] {
  return text
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','))
}

/** Runs the scenario and exports it; returns the manifest of the export. */
async function makeAgain(exact: boolean): Promise<TardisManifest> {
  const out = join(home, 'run')
  const options = { out, force: true, exact, journal: false }
  const run = await built.runFile(join(repository, committed.about.scenario), options)
  if (!run.ok) throw new Error(run.error.lines.join('\n'))
  const exported = await built.convertRunToTardis(out, join(home, 'export'), { force: true })
  if (!exported.ok) throw new Error(formatInputError(exported.error))
  return exported.value
}

describe('data/recorded-market', () => {
  // It runs nine hours of a market.
  const forms = [
    ['doubles', false],
    ['exact integers', true],
  ] as const
  test.each(inTurn('recorded market', forms))('tables of %s reproduce the same texts', async (_form, exact) => {
    const { about: _about, ...expected } = committed
    const made = await makeAgain(exact)
    // The manifest names the engine that made the data, with the digest of its tables, which changes with a new
    // column. `scenarios/digests.json` has the current digest. The market itself is in the texts.
    const { engine, digest } = expected.run
    expect({ ...made, run: { ...made.run, engine, digest } }).toEqual(expected)
    for (const name of names) {
      expect(textOf(join(home, 'export'), name) === textOf(folder, name), name).toBe(true)
    }
  })

  test('contains the texts that its manifest names', () => {
    for (const { name, rows, text_bytes, text_sha256 } of committed.files) {
      const text = textOf(folder, name)
      const sha256 = createHash('sha256').update(text).digest('hex')
      expect([text.length, sha256, rowsOf(text).length]).toEqual([text_bytes, text_sha256, rows])
    }
  })

  test('is large enough for a useful replay and small enough to clone', () => {
    const [book, trades] = committed.files
    expect(book?.rows).toBeGreaterThanOrEqual(100_000)
    expect(trades?.rows).toBeGreaterThanOrEqual(5_000)
    const bytes = names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
    expect(bytes).toBeLessThan(3_000_000)
  })

  test('begins with a snapshot, its time never goes back, and no message leaves the book crossed', () => {
    const bids = new Map<number, number>()
    const asks = new Map<number, number>()
    const rows = rowsOf(textOf(folder, names[0]))
    const wrong: string[][] = []
    let messages = 0
    for (const [at, row] of rows.entries()) {
      const [exchange, symbol, time = '', localTime, isSnapshot, side, price, amount] = row
      const levels = side === 'bid' ? bids : asks
      if (Number(amount) === 0) levels.delete(Number(price))
      else levels.set(Number(price), Number(amount))
      const next = rows[at + 1]?.[2] ?? time
      const isNamed = exchange === 'pitclock' && symbol === 'BTC-PERPETUAL' && localTime === time
      const isFlagged = isSnapshot === String(messages === 0) && (side === 'bid' || side === 'ask')
      if (!isNamed || !isFlagged || row.length !== 8 || next < time) wrong.push(row)
      if (next === time && at + 1 < rows.length) continue
      messages += 1
      if (Math.max(...bids.keys()) >= Math.min(...asks.keys())) wrong.push(row)
    }
    expect(wrong).toEqual([])
    expect(messages).toBe(committed.files[0]?.messages)
  })

  test('has trades on both sides, with ids without gaps, in the order of time', () => {
    const rows = rowsOf(textOf(folder, names[1]))
    expect(rows.map((row) => Number(row[4]))).toEqual(rows.map((_, at) => at + 1))
    expect(rows.map((row) => row[2])).toEqual(rows.map((row) => row[2]).toSorted())
    expect(new Set(rows.map((row) => row[5]))).toEqual(new Set(['buy', 'sell']))
  })
})
