/** Codes of thrown errors: the guide lists all of them, and public functions throw no error without one. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createFeedReader } from '../../../src/feeds.ts'
import { errorCodes, type InputError, openVenue, parseScenario } from '../../../src/index.ts'
import { readManifest, runFile } from '../../../src/node.ts'
import { repository } from '../../support/repository.ts'

test('the guide has the codes, each with its meaning', () => {
  const guide = readFileSync(join(repository, 'src/program/README.md'), 'utf8')
  const [, table = ''] = /\| Code \| Means \|\n\| --- \| --- \|\n([\s\S]*?)\n\n/.exec(guide) ?? []
  const rows = Object.entries(errorCodes).map(([code, means]) => `| \`${code}\` | ${means} |`)
  expect(table.split('\n')).toEqual(rows)
})

const doors = [
  'program/venue.ts',
  'program/venue.ts',
  'backtest/strategy/strategy-venue.ts',
  'backtest/strategy/plain-copy.ts',
  'server/server.ts',
  ...['testing/order-requests.ts', 'testing/arbitraries.ts', 'testing/event-laws.ts', 'testing/laws.ts'],
  'testing/recorded-venue.ts',
]

test.each(doors)('%s throws no error without a code', (path) => {
  const text = readFileSync(join(repository, 'src', path), 'utf8')
  expect(text).toContain('throw coded(')
  expect(text.match(/throw new \w+/g)).toBeNull()
})

/** Files with uncoded errors: each catches its errors, or its caller does, and reports them differently. */
const own: ReadonlySet<string> = new Set(['host/feeds/zstd.ts', 'host/runs/digest-file.ts', 'server/http-endpoint.ts'])

test('no file throws an error without a code, unless it catches that itself', () => {
  const files = readdirSync(join(repository, 'src'), { encoding: 'utf8', recursive: true })
    .filter((file) => file.endsWith('.ts') && !file.startsWith('report/page/'))
    .map((file) => file.replaceAll('\\', '/'))
  const bare = files.filter((file) => {
    const text = readFileSync(join(repository, 'src', file), 'utf8')
    return /^(?! \*).*throw new (?!AssertionFailure\b)\w+/m.test(text)
  })
  expect(files.length).toBeGreaterThan(300)
  expect(bare.toSorted()).toEqual([...own])
})

const unknown: object = { now: 1 }
const options = { start: '2026-01-05T09:00:00Z', accounts: { ann: { BTC: 1 } } }

test.each([
  ['OPTION', () => openVenue({ ...options, config: { fundingInterval: -1 } as object })],
  ['TIME', () => openVenue({ start: 'today' })],
  ['TIME', () => openVenue(options).wait('long')],
  ['TIME', () => openVenue(options).at('2020-01-01T00:00:00Z')],
  ['START', () => openVenue({ ...options, instruments: ['NOTHING'] })],
  ['PARAMETER', () => openVenue(options).request('public/get_time', unknown as Record<string, never>)],
])('%s is the code of an invalid call', (code, ask) => {
  let thrown: unknown
  try {
    ask()
  } catch (error) {
    thrown = error
  }
  expect(thrown).toBeInstanceOf(RangeError)
  expect(thrown).toMatchObject({ code })
})

/** Codes of the mistakes; empty for a valid file. */
function codesOf(
  read: { readonly ok: true } | { readonly ok: false; readonly error: readonly InputError[] },
): readonly string[] {
  return read.ok ? [] : read.error.map(({ code }) => code)
}

const head = 'version: 1\ntitle: Nothing\nstart: 2026-01-05T09:00:00Z\n'

test.each([
  ['SYNTAX', 'version: ['],
  ['SYNTAX', `${head}title: Again\nsteps: []\n`],
  ['SHAPE', `${head}steps: []\nstesp: []\n`],
  ['SHAPE', `${head}steps: none\n`],
  ['VALUE', `${head}instruments: [NOTHING]\nsteps: []\n`],
])('%s is the code of a mistake in a scenario', (code, text) => {
  expect(codesOf(parseScenario(text, 'a.yaml'))).toContain(code)
})

const columns = 'exchange,symbol,timestamp,local_timestamp,id,side,price,amount\n'

test.each([
  ['SHAPE', 'exchange,symbol\n'],
  ['ROW', `${columns}deribit,BTC-PERPETUAL,1,1,1,buy,many,10\n`],
])('%s is the code of a mistake in a recorded file', (code, text) => {
  const reader = createFeedReader({
    format: 'tardis.trades',
    symbol: null,
    columns: null,
    file: 'trades.csv',
    parseRecord: (line, delimiter) => ({ ok: true, value: line.split(delimiter) }),
  })
  const pushed = reader.push(new TextEncoder().encode(text))
  const read = pushed.ok ? reader.end() : pushed
  expect(read.ok ? 'none' : read.error.code).toBe(code)
})

test('mistakes that a run finds have codes next to their messages', async () => {
  const missing = await runFile('no-such-file.yaml')
  if (missing.ok) throw new Error('there is no such file')
  expect(missing.error.errors).toMatchObject([{ code: 'FILE', file: 'no-such-file.yaml' }])
  expect(missing.error.lines).toHaveLength(1)
  const wrong = await runFile(join(repository, 'test/fixtures/five-mistakes.yaml'))
  if (wrong.ok) throw new Error('it has five mistakes')
  expect(wrong.error.errors).toHaveLength(wrong.error.lines.length)
  expect(new Set(wrong.error.errors.map(({ code }) => code))).toEqual(new Set(['SHAPE', 'VALUE']))
  const folder = await readManifest('no-such-run')
  expect(folder.ok ? 'none' : folder.error.code).toBe('RUN_FOLDER')
})
