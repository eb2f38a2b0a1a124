/**
 * `pitclock run` with faulty recorded files and strategies: exit codes, messages with file and line, and no folder that
 * looks like a run. It runs the built program.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Ran, pitclock as runProgram } from '../support/built-program.ts'
import { tardisText } from '../support/feed-text.ts'

interface Told extends Ran {
  /** The message without the hint. */
  readonly errors: readonly string[]
}

/** Runs the program in the parent folder of the scenarios, so that paths in messages are short. */
function pitclock(...args: readonly string[]): Told {
  const ran = runProgram(args, { cwd: home })
  const lines = ran.err.split('\n').filter((line) => line.startsWith('error: '))
  const errors = lines.map((line) => line.slice('error: '.length).replaceAll(home, '~'))
  return { ...ran, errors }
}

const begin = 1_767_603_600_000_000
const start = '2026-01-05T09:00:00Z'

/** A row of a book, this many microseconds after the start. */
function row(after: number, rest: string): string {
  return `${begin + after},${begin + after},${rest}`
}

const opening = [row(0, 'true,bid,60000,1000'), row(0, 'true,ask,60001,1000')]
const good = tardisText('tardis.incremental_book_L2', [...opening, row(1000, 'false,bid,60000,2000')])
const long = tardisText('tardis.incremental_book_L2', [
  ...opening,
  // Sizes without a pattern, which compress badly.
  ...Array.from({ length: 5000 }, (_, at) => row(at, `false,bid,60000,${10 + 10 * ((at * 7919) % 9973)}`)),
])

let home = ''
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'pitclock-cli-'))
  mkdirSync(join(home, 'in'))
  for (const [name, content] of Object.entries(contents())) {
    writeFileSync(join(home, 'in', name), content)
  }
  for (const { name, feed = 'path: good.csv', strategy } of [...feedMistakes, ...strategyMistakes]) {
    writeFileSync(join(home, 'in', `${name}.yaml`), scenarioText(feed, strategy))
  }
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

function contents(): Readonly<Record<string, string | Uint8Array>> {
  const packed = gzipSync(long)
  const strategyOf = (body: string): string =>
    `import { defineStrategy } from 'pitclock'\nexport default defineStrategy(() => ${body})\n`
  return {
    'good.csv': good,
    'truncated.csv.gz': packed.subarray(0, packed.length >> 1),
    'empty.csv': '',
    'header.csv': good.replace('is_snapshot', 'snapshot'),
    'text.csv': good.replace('60000,2000', 'cheap,2000'),
    'backward.csv': `${good}deribit,BTC-PERPETUAL,${row(500, 'false,ask,60001,500')}\n`,
    'grid.csv': good.replace('60000,2000', '60000.25,2000'),
    'no-default.ts': 'export const half = 1\n',
    'broken.ts': 'export default {{\n',
    'elsewhere.ts': `import { micros } from 'pitclock'\nconst wait = micros(5)\n${strategyOf('({ wait })')}`,
    'refuses.ts': strategyOf("{ throw new RangeError('half_spread is above 0') }"),
    'no-price.ts': strategyOf("({ onBook: (_view, venue) => { venue.price('BTC-PERPETUAL', Number.NaN) } })"),
    'throws.ts': strategyOf("({ onBook: () => { throw new Error('out of ideas') } })"),
  }
}

function scenarioText(feed: string, strategy?: string): string {
  return `version: 1
title: A backtest that cannot be
start: ${start}
instruments: [BTC-PERPETUAL]
index: { from: mid }
accounts: { ann: { deposit: { BTC: 1 } } }
feeds:
  - { format: tardis.incremental_book_L2, instrument: BTC-PERPETUAL, ${feed} }
${strategy === undefined ? '' : `strategies:\n  - { account: ann, module: ${strategy} }\n`}`
}

interface Mistake {
  readonly name: string
  readonly feed?: string
  readonly strategy?: string
  readonly code: number
  readonly message: string
  /** True if a dry run finds it. */
  readonly dry: boolean
}

const hash = 'a1'.repeat(32)

const feedMistakes: readonly Mistake[] = [
  {
    ...{ name: 'truncated', feed: 'path: truncated.csv.gz', code: 3, dry: true },
    message: 'in/truncated.csv.gz: expected a complete gzip file, found a truncated file',
  },
  {
    ...{ name: 'empty', feed: 'path: empty.csv', code: 3, dry: true },
    message: 'in/empty.csv:1: expected the header of tardis.incremental_book_L2, found an empty file',
  },
  {
    ...{ name: 'header', feed: 'path: header.csv', code: 3, dry: true },
    message:
      'in/header.csv:1: expected the header exchange,symbol,timestamp,local_timestamp,is_snapshot,side,price,amount, found exchange,symbol,timestamp,local_timestamp,snapshot,side,price,amount',
  },
  {
    ...{ name: 'text', feed: 'path: text.csv', code: 3, dry: true },
    message: 'in/text.csv:4: price: expected a number, found "cheap"',
  },
  {
    ...{ name: 'backward', feed: 'path: backward.csv, policy: { backward: fail }' },
    ...{ code: 3, dry: true },
    message: `in/backward.csv:5: expected a clock that does not go back, found ${begin + 500} after ${begin + 1000}`,
  },
  {
    ...{ name: 'grid', feed: 'path: grid.csv', code: 3, dry: true },
    message: 'in/grid.csv:4: price: expected a whole number of 0.5, above 0 and up to 9007199, found 60000.25',
  },
  {
    ...{ name: 'symbol', feed: 'path: good.csv, symbol: ETH-PERPETUAL', code: 3, dry: true },
    message: 'in/good.csv: expected rows of ETH-PERPETUAL, found 3 rows of other symbols',
  },
  {
    ...{ name: 'missing', feed: 'path: none.csv', code: 4, dry: true },
    message: 'in/none.csv: expected a readable file, found no such file',
  },
  {
    ...{ name: 'pinned', feed: `path: empty.csv, sha256: ${hash}`, code: 3, dry: true },
    message: `in/empty.csv: expected recorded data with SHA-256 ${hash}, found SHA-256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855`,
  },
]

const strategyMistakes: readonly Mistake[] = [
  {
    ...{ name: 'module-missing', strategy: './none.ts', code: 3, dry: true },
    message:
      'in/module-missing.yaml:10:5: strategies.0.module: expected a strategy module, found no such file (~/in/none.ts)',
  },
  {
    ...{ name: 'module-word', strategy: 'maker', code: 3, dry: true },
    message:
      'in/module-word.yaml:10:5: strategies.0.module: expected a module (.ts, .mts, .js, .mjs), found maker (maker)',
  },
  {
    ...{ name: 'module-broken', strategy: './broken.ts', code: 3, dry: true },
    message:
      'in/module-broken.yaml:10:5: strategies.0.module: expected a module that loads without an error, found Unexpected token ~/in/broken.ts:1:16 (~/in/broken.ts)',
  },
  {
    ...{ name: 'module-elsewhere', strategy: './elsewhere.ts', code: 3, dry: true },
    message:
      'in/module-elsewhere.yaml:10:5: strategies.0.module: expected a module that loads without an error, found pitclock has no micros; import it from pitclock/engine (~/in/elsewhere.ts)',
  },
  {
    ...{ name: 'module-without-default', strategy: './no-default.ts', code: 3, dry: true },
    message:
      'in/module-without-default.yaml:10:5: strategies.0.module: expected a default export made by defineStrategy, found none (~/in/no-default.ts)',
  },
  {
    ...{ name: 'refused-params', strategy: './refuses.ts', code: 3, dry: true },
    message:
      'in/refused-params.yaml:10:5: strategies.0.params: expected parameters that the strategy accepts, found RangeError: half_spread is above 0',
  },
  {
    ...{ name: 'callback-throws', strategy: './throws.ts', code: 3, dry: false },
    message: `./throws.ts:2:61: onBook: expected no exception at ${start}, found Error: out of ideas`,
  },
  {
    ...{ name: 'callback-no-price', strategy: './no-price.ts', code: 3, dry: false },
    message: `./no-price.ts:2:73: onBook: expected no exception at ${start}, found RangeError: NaN is not a price`,
  },
]

const mistakes = [...feedMistakes, ...strategyMistakes]

describe('a backtest that cannot be run', () => {
  test.each(mistakes)('$name', ({ name, code, message }) => {
    const ran = pitclock('run', `in/${name}.yaml`, '--out', `out-${name}`)
    expect([ran.code, ran.errors, ran.out]).toEqual([code, [message], ''])
    expect(readdirSync(home)).toEqual(['in'])
  })

  test('a dry run finds every mistake in the first rows of the files', () => {
    const ran = pitclock('run', '--dry-run', '--allow-modules', ...mistakes.map(({ name }) => `in/${name}.yaml`))
    expect(ran.errors).toEqual(mistakes.filter(({ dry }) => dry).map(({ message }) => message))
    expect(ran.out).toBe('ok  in/callback-throws.yaml\nok  in/callback-no-price.yaml\n')
    expect([3, 4]).toContain(ran.code)
    expect(readdirSync(home)).toEqual(['in'])
  })

  test('an existing run folder stays unchanged when its replacement fails', () => {
    const file = join(home, 'in', 'sound.yaml')
    writeFileSync(file, scenarioText('path: good.csv'))
    expect(pitclock('run', 'in/sound.yaml', '--out', 'in/sound', '--quiet').code).toBe(0)
    const manifest = readFileSync(join(home, 'in', 'sound', 'manifest.json'), 'utf8')
    const out = ['--out', 'in/sound', '--force']
    expect(pitclock('run', 'in/callback-throws.yaml', ...out).code).toBe(3)
    expect(readFileSync(join(home, 'in', 'sound', 'manifest.json'), 'utf8')).toBe(manifest)
    expect(existsSync(join(home, 'in', 'sound.partial'))).toBe(false)
  })

  test('a file without rows within the run is reported', () => {
    const later = scenarioText('path: good.csv').replace(start, '2026-01-06T09:00:00Z')
    writeFileSync(join(home, 'in', 'later.yaml'), later)
    const ran = pitclock('run', 'in/later.yaml')
    expect([ran.code, ran.err]).toEqual([0, ''])
    expect(ran.out).toMatch(
      /3 rows of BTC-PERPETUAL in 0 messages; outside_window 3; none of its rows are within the run/,
    )
    expect(pitclock('run', 'in/sound.yaml').out).not.toContain('nothing of it')
  })

  test('parameters that a strategy never reads are reported', () => {
    const body = "import { defineStrategy } from 'pitclock'\nexport default defineStrategy(({ size }) => ({ size }))\n"
    writeFileSync(join(home, 'in', 'sized.ts'), body)
    const text = scenarioText('path: good.csv', './sized.ts')
    const params = '--set=strategies.0.params={ size: 1, half_sprad: 2 }'
    writeFileSync(join(home, 'in', 'sized.yaml'), text)
    const ran = pitclock('run', 'in/sized.yaml', params)
    expect([ran.code, ran.err]).toEqual([0, ''])
    expect(ran.out).toMatch(/parameters +never read: half_sprad {2}\.\/sized\.ts \(ann\)/)
  })

  test('an absolute path works', () => {
    const file = join(home, 'in', 'absolute.yaml')
    mkdirSync(join(home, 'in', 'elsewhere'), { recursive: true })
    const path = join(home, 'in', 'elsewhere', 'only-there.csv')
    writeFileSync(path, good)
    writeFileSync(file, scenarioText(`path: ${path}`))
    expect(pitclock('run', 'in/absolute.yaml', '--quiet').code).toBe(0)
  })
})

describe('a journal', () => {
  test('whose recorded files have moved: the message says how to name their folder', () => {
    mkdirSync(join(home, 'in', 'kept'), { recursive: true })
    writeFileSync(join(home, 'in', 'kept', 'book.csv'), good)
    writeFileSync(join(home, 'in', 'kept.yaml'), scenarioText('path: kept/book.csv'))
    const out = join(home, 'in', 'kept-run')
    const first = pitclock('run', 'in/kept.yaml', '--out', out, '--json')
    expect(first.code).toBe(0)
    const journal = join(out, 'journal.jsonl')
    const lost = pitclock('run', journal)
    expect(lost.code).toBe(4)
    expect(lost.errors).toEqual(['~/in/kept-run/kept/book.csv: expected a readable file, found no such file'])
    const hint = 'hint: set the folder of the recorded files with --feeds\n'
    expect(lost.err).toContain(hint)
    expect(pitclock('run', journal, '--dry-run').err).toContain(hint)
    const digestOf = ({ out: text }: Ran): unknown =>
      (JSON.parse(text) as { runs: { digest: string }[] }).runs[0]?.digest
    for (const feeds of ['in', 'in/kept']) {
      const found = pitclock('run', journal, '--feeds', feeds, '--json')
      expect([found.code, found.errors]).toEqual([0, []])
      expect(digestOf(found)).toBe(digestOf(first))
    }
    // Another file with that name does not match the recorded one.
    writeFileSync(join(home, 'in', 'book.csv'), long)
    const other = pitclock('run', journal, '--feeds', 'in')
    rmSync(join(home, 'in', 'kept'), { recursive: true })
    const wrong = pitclock('run', journal, '--feeds', 'in')
    expect([other.code, wrong.code]).toEqual([0, 3])
    expect(wrong.errors[0]).toMatch(/^in\/book\.csv: expected recorded data with SHA-256 /)
    expect(existsSync(out)).toBe(true)
  })
})
