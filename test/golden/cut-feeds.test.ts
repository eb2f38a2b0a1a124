/**
 * Law: a session that is cut into files at random rows, with overlaps and gaps, gives the same tables as the same rows
 * in one file. Fills name the file and row that caused them, so they are compared by the position of the row in the
 * session. `feed_quality` counts by file and differs. The test takes ten seconds, because only whole runs show that
 * fills, marks and figures follow the rows and not their files.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { tableFromIPC } from 'apache-arrow'
import { afterAll, describe, expect, test } from 'vitest'
import { type RandomStream, randomStream } from '../../src/core/index.ts'
import { built } from '../support/built-library.ts'
import { commitSeed, sampledNumbers } from '../support/property-runs.ts'
import { repository } from '../support/repository.ts'

const home = mkdtempSync(join(tmpdir(), 'pitclock-cut-'))
afterAll(() => rmSync(home, { recursive: true }))

/** The first hour and a half of the session, in which the market maker trades. */
const END = Date.parse('2026-01-05T10:30:00Z') * 1000

const names = ['incremental_book_L2', 'trades', 'derivative_ticker'] as const
type Name = (typeof names)[number]

/** A file of the session, without the rows after the end. */
interface Session {
  readonly header: string
  readonly rows: readonly string[]
}

function sessionOf(name: Name): Session {
  const file = join(repository, 'data/recorded-market', `${name}.csv.gz`)
  const [header = '', ...lines] = gunzipSync(readFileSync(file)).toString().trimEnd().split('\n')
  return { header, rows: lines.filter((line) => Number(line.split(',')[2]) < END) }
}

const sessions = Object.fromEntries(names.map((name) => [name, sessionOf(name)]))

/** Positions of rows, file by file. */
type Files = readonly (readonly number[])[]

const GAP_MAX = 400
const OVERLAP_MAX = 200

/** Cuts a session: the rows that remain, and the same rows in several files. */
function cut(length: number, random: RandomStream): { readonly whole: Files; readonly cut: Files } {
  const cuts = Array.from({ length: random.int(1, 4) }, () => random.int(1, length - 1)).sort(
    (left, right) => left - right,
  )
  const files: number[][] = []
  const whole: number[] = []
  let from = 0
  for (const at of [...cuts, length]) {
    const overlap = files.length > 0 ? random.pick([0, 3, OVERLAP_MAX]) : 0
    const gap = files.length > 0 && overlap === 0 ? random.pick([0, 1, GAP_MAX]) : 0
    const rows = Array.from({ length: at - from }, (_, each) => from + each).slice(gap)
    // A file may overlap only with the one before it.
    const repeated = overlap === 0 ? [] : (files.at(-1) ?? []).slice(-overlap)
    if (rows.length > 0) files.push([...repeated, ...rows])
    whole.push(...rows)
    from = at
  }
  return { whole: [whole], cut: files }
}

/** Runs the market maker over files, and returns the hashes of its tables and its fills by their rows. */
async function tablesOf(folder: string, files: { readonly [name in Name]: Files }) {
  mkdirSync(folder)
  const places: (readonly number[])[] = []
  const feeds = names.map((name) => {
    const { header, rows } = sessions[name] as Session
    const path = files[name].map((file, at) => {
      const text = [header, ...file.map((place) => rows[place]), ''].join('\n')
      writeFileSync(join(folder, `${name}-${at}.csv`), text)
      places.push(file)
      return `${name}-${at}.csv`
    })
    const queue = name === 'incremental_book_L2' ? { queue: 'risk_averse' } : {}
    return { format: `tardis.${name}`, path, instrument: 'BTC-PERPETUAL', ...queue }
  })
  const strategy = join(repository, 'scenarios/backtest/market-maker.ts')
  const terms = { half_spread: 2, size: 500, max_position: 10_000, skew: 0.25, requote: 1 }
  const scenario = {
    version: 1,
    title: 'A market maker against a session in files',
    start: '2026-01-05T09:00:00Z',
    instruments: ['BTC-PERPETUAL'],
    accounts: { maker: { deposit: { BTC: 1 } } },
    feeds,
    record: { feed: true, book: true },
    strategies: [
      {
        account: 'maker',
        module: strategy,
        params: { instrument: 'BTC-PERPETUAL', ...terms },
        latency: { feed: '2ms', entry: '5ms', response: '5ms' },
      },
    ],
  }
  const file = join(folder, 'session.yaml')
  writeFileSync(file, JSON.stringify(scenario))
  const run = await built.runFile(file, { out: join(folder, 'run') })
  if (!run.ok) throw new Error(run.error.lines.join('\n'))
  const hashes = run.value.tables
    .filter(({ name }) => name !== 'feed_quality' && name !== 'fills')
    .map(({ name, rows, hash }) => `${name} ${rows} ${hash}`)
  const fills = tableFromIPC(readFileSync(join(folder, 'run/fills.arrow')))
  const rows = [...fills].map((row) => {
    const { feed, feed_row: at, ...fill } = row?.toJSON() ?? {}
    const place = feed === null ? null : places[Number(feed)]?.[Number(at) - 1]
    return JSON.stringify({ ...fill, place }, (_, value) => (typeof value === 'bigint' ? String(value) : value))
  })
  return { hashes, rows }
}

describe('d01 a session in several files gives the tables of one file', () => {
  test.each(sampledNumbers(20, 1))('with overlaps and gaps: %i', async (number) => {
    const random = randomStream(`${number} ${commitSeed}`, 'cuts')
    const files = Object.fromEntries(names.map((name) => [name, cut(sessions[name]?.rows.length ?? 0, random)])) as {
      readonly [name in Name]: ReturnType<typeof cut>
    }
    const [whole, several] = (['whole', 'cut'] as const).map((way) => {
      const of = Object.fromEntries(names.map((name) => [name, files[name][way]]))
      return tablesOf(join(home, `${number}-${way}`), of as { readonly [name in Name]: Files })
    })
    const expected = await whole
    expect(await several).toEqual(expected)
    expect(expected?.rows.length).toBeGreaterThan(50)
    expect(expected?.hashes.length).toBeGreaterThan(5)
  })
})
