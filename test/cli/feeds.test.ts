/** `pitclock convert` and `pitclock inspect` as a user runs them. It runs the built program. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { pitclock, type Ran, scratch } from '../support/built-program.ts'
import { tardisText } from '../support/feed-text.ts'

const text = tardisText('tardis.trades', ['5,6,1,buy,100.5,10', '7,8,2,sell,100,20'])

describe('convert', () => {
  test('writes a tape, and inspect shows it like its source', () => {
    const folder = scratch()
    const source = join(folder, 'trades.csv.gz')
    writeFileSync(source, gzipSync(text))
    const tape = join(folder, 'trades.arrow')
    const { code, out } = pitclock(['convert', source, '--out', tape])
    expect([code, out]).toEqual([0, expect.stringContaining('2 rows  trades of BTC-PERPETUAL')])
    const shown = (path: string): Record<string, unknown> => {
      const {
        file: _,
        type: __,
        packing: ___,
        columns: ____,
        ...rest
      } = JSON.parse(pitclock(['inspect', path, '--json']).out)
      return rest
    }
    expect(shown(tape)).toEqual(shown(source))
    expect(shown(tape)).toMatchObject({ version: 1, rows: 2, symbol: 'BTC-PERPETUAL' })
    expect(pitclock(['convert', source, '--out', tape]).code).toBe(4)
    expect(pitclock(['convert', source, '--out', tape, '--force']).code).toBe(0)
  })

  test('several files become tapes with their names in a folder', () => {
    const folder = scratch()
    for (const name of ['a.csv', 'b.csv']) writeFileSync(join(folder, name), text)
    const files = [join(folder, 'a.csv'), join(folder, 'b.csv')]
    const { code, out } = pitclock(['convert', ...files, '--out', join(folder, 'tapes'), '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ version: 1, tapes: [{ rows: 2 }, { rows: 2 }] })
    expect(readdirSync(join(folder, 'tapes'))).toEqual(['a.arrow', 'b.arrow'])
  })

  test('several files need a folder, so --out must not be named like a file', () => {
    const folder = scratch()
    for (const name of ['a.csv', 'b.csv']) writeFileSync(join(folder, name), text)
    const files = [join(folder, 'a.csv'), join(folder, 'b.csv')]
    for (const name of ['x.arrow', 'x.csv.gz']) {
      const out = join(folder, name)
      const { code, err } = pitclock(['convert', ...files, '--out', out])
      expect([code, err]).toEqual([2, `error: --out: expected a folder for several files, found ${out}\n`])
      expect(existsSync(out)).toBe(false)
    }
    const named = join(folder, 'named.arrow')
    mkdirSync(named)
    expect(pitclock(['convert', ...files, '--out', named]).code).toBe(0)
  })

  test('--jobs converts files in parallel: the same lines in the same order, the same bytes', () => {
    const folder = scratch()
    const files = ['a.csv', 'b.csv', 'c.csv'].map((name) => join(folder, name))
    for (const file of files) writeFileSync(file, text)
    const [one, two] = ['1', '2'].map((jobs) => {
      const out = join(folder, 'tapes')
      const flags = ['--out', out, '--jobs', jobs, '--force', '--symbol', 'BTC-PERPETUAL']
      const ran = pitclock(['convert', ...files, ...flags])
      const tapes = readdirSync(out).map((name) => [name, readFileSync(join(out, name), 'hex')])
      return { ran, tapes }
    })
    expect(two).toEqual(one)
    expect(two?.ran.out.match(/[abc]\.arrow/g)).toEqual(['a.arrow', 'b.arrow', 'c.arrow'])
    expect(two?.ran.code).toBe(0)
  })

  test('--jobs reports a mistake like a single process, and starts no further file', () => {
    const folder = scratch()
    const files = ['a.csv', 'b.csv', 'c.csv', 'd.csv'].map((name) => join(folder, name))
    for (const file of files) writeFileSync(file, file.endsWith('a.csv') ? 'no header\n' : text)
    const ran = (jobs: string): Ran =>
      pitclock(['convert', ...files, '--out', join(folder, `tapes-${jobs}`), '--jobs', jobs])
    const [one, two] = [ran('1'), ran('2')]
    expect([two.code, two.err]).toEqual([one.code, one.err])
    expect(two.code).toBe(3)
    expect(readdirSync(join(folder, 'tapes-2'))).not.toContain('d.arrow')
    expect(ran('0')).toMatchObject({ code: 2, err: expect.stringContaining('--jobs: expected') })
  })

  test('bad data exits 3 and leaves nothing, a missing file exits 4, wrong usage 2', () => {
    const folder = scratch()
    const source = join(folder, 'bad.csv')
    writeFileSync(source, text.replace('100.5', 'cheap'))
    const tape = join(folder, 'bad.arrow')
    const bad = pitclock(['convert', source, '--out', tape])
    expect([bad.code, bad.err]).toEqual([3, expect.stringContaining('bad.csv:2: price: expected')])
    expect([existsSync(tape), existsSync(`${tape}.partial`)]).toEqual([false, false])
    expect(pitclock(['convert', join(folder, 'none.csv'), '--out', tape]).code).toBe(4)
    expect(pitclock(['convert', source, '--out', tape, '--format', 'tardis']).code).toBe(2)
    expect(pitclock(['convert', source, '--out', tape, '--columns', '{"kind":1}']).code).toBe(2)
    expect(pitclock(['convert', source]).code).toBe(2)
  })

  test('a mapping of columns reads any CSV', () => {
    const folder = scratch()
    const source = join(folder, 'index.csv')
    writeFileSync(source, 'ms,value\n1000,7.25\n1001,7.5\n')
    const columns = '{"kind":"index","timestamp":{"column":"ms","unit":"ms"},"price":"value"}'
    const { code, out } = pitclock(['inspect', source, '--columns', columns, '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({
      ...{ kind: 'index', rows: 2, from: '1970-01-01T00:00:01Z', format: 'csv' },
      head: [{ price: '7.25' }, { price: '7.5' }],
    })
  })
})

describe('convert --to tardis', () => {
  const recorded = `version: 1
title: A run that records its book
start: 2026-01-05T09:00:00Z
instruments: [BTC-PERPETUAL]
index: { btc_usd: 100000 }
record: { book: true }
accounts: { ann: { deposit: { BTC: 1 } }, ben: { deposit: { BTC: 1 } } }
steps:
  - { at: 0ms, as: ann, call: private/buy, params: { instrument_name: BTC-PERPETUAL, amount: 100, price: 99990 } }
  - { at: 5ms, as: ben, call: private/sell, params: { instrument_name: BTC-PERPETUAL, amount: 40, type: market } }
`

  /** A run folder of the scenario, with changes if given. */
  function runOf(folder: string, name: string, text: string): string {
    const file = join(folder, `${name}.yaml`)
    writeFileSync(file, text)
    const out = join(folder, name)
    expect(pitclock(['run', file, '--out', out, '--quiet']).code).toBe(0)
    return out
  }

  test('writes a run in the form of a recorder, which inspect reads', () => {
    const folder = scratch()
    const run = runOf(folder, 'run', recorded)
    const out = join(folder, 'recorded')
    const { code, out: text } = pitclock(['convert', run, '--to', 'tardis', '--out', out])
    expect([code, text.split('\n')]).toEqual([
      0,
      [
        `${out}/incremental_book_L2.csv.gz  2 rows`,
        `${out}/trades.csv.gz  1 rows`,
        `${out}/derivative_ticker.csv.gz  1 rows`,
        '',
      ],
    ])
    expect(readdirSync(out).sort()).toEqual([
      ...['derivative_ticker.csv.gz', 'incremental_book_L2.csv.gz', 'manifest.json'],
      'trades.csv.gz',
    ])
    const trades = JSON.parse(pitclock(['inspect', join(out, 'trades.csv.gz'), '--json']).out)
    expect(trades).toMatchObject({ format: 'tardis.trades', rows: 1, symbol: 'BTC-PERPETUAL' })

    const taken = pitclock(['convert', run, '--to', 'tardis', '--out', out])
    expect([taken.code, taken.err]).toEqual([4, expect.stringContaining(out)])
    const forced = pitclock(['convert', run, '--to', 'tardis', '--out', out, '--force', '--json'])
    expect(JSON.parse(forced.out)).toMatchObject({
      ...{ version: 1, export: { files: [{ rows: 2 }, { rows: 1 }, { rows: 1 }] } },
    })
  })

  test('requires a single run that recorded its book, and leaves nothing otherwise', () => {
    const folder = scratch()
    const out = join(folder, 'recorded')
    const bare = runOf(folder, 'bare', recorded.replace('record: { book: true }\n', ''))
    const to = ['--to', 'tardis', '--out', out]
    const withoutBook = pitclock(['convert', bare, ...to])
    expect([withoutBook.code, withoutBook.err]).toEqual([3, expect.stringContaining('record: { book: true }')])
    expect(pitclock(['convert', join(folder, 'none'), ...to]).code).toBe(4)
    // A folder must contain recorded files; tables of its run do not count.
    const empty = pitclock(['convert', folder, ...to])
    expect([empty.code, empty.err]).toEqual([4, expect.stringContaining('recorded files or tapes')])
    expect(pitclock(['convert', bare, bare, ...to]).code).toBe(2)
    expect(pitclock(['convert', bare, ...to, '--symbol', 'BTC-PERPETUAL']).code).toBe(2)
    expect(pitclock(['convert', bare, '--to', 'csv', '--out', out]).code).toBe(2)
    expect(readdirSync(folder).sort()).toEqual(['bare', 'bare.yaml'])
  })
})

describe('convert --to tardis of recorded files and tapes', () => {
  const options = ['--to', 'tardis', '--exchange', 'deribit']
  const wanted = text.replaceAll(/^[^,\n]+,(BTC)/gm, 'deribit,$1')

  test('writes the rows of a tape, compressed if its name says so', () => {
    const folder = scratch()
    const source = join(folder, 'trades.csv')
    writeFileSync(source, text)
    const [tape, out] = [join(folder, 'trades.arrow'), join(folder, 'again.csv.gz')]
    expect(pitclock(['convert', source, '--out', tape]).code).toBe(0)
    const { code, out: line } = pitclock(['convert', tape, ...options, '--out', out])
    expect([code, line]).toEqual([
      0,
      expect.stringMatching(/again\.csv\.gz {2}2 rows {2}trades of BTC-PERPETUAL {2}source \w{64}\n$/),
    ])
    expect(gunzipSync(readFileSync(out)).toString()).toBe(wanted)
    const plain = join(folder, 'again.csv')
    const report = JSON.parse(pitclock(['convert', source, ...options, '--out', plain, '--json']).out)
    expect(report).toMatchObject({
      version: 1,
      texts: [{ format: 'tardis.trades', exchange: 'deribit', rows: 2, joined_messages: 0 }],
    })
    expect(readFileSync(plain, 'utf8')).toBe(wanted)
  })

  test('writes a folder of them, several in parallel', () => {
    const folder = scratch()
    const recorded = join(folder, 'recorded')
    mkdirSync(recorded)
    for (const name of ['first', 'second']) writeFileSync(join(recorded, `${name}.csv`), text)
    const out = join(folder, 'out')
    mkdirSync(out)
    const done = pitclock(['convert', recorded, ...options, '--jobs', '2', '--out', out])
    expect([done.code, done.err]).toEqual([0, ''])
    expect(readdirSync(out).sort()).toEqual(['first.csv.gz', 'second.csv.gz'])
    expect(gunzipSync(readFileSync(join(out, 'second.csv.gz'))).toString()).toBe(wanted)
  })

  test('refuses input that it cannot write, and leaves nothing', () => {
    const folder = scratch()
    const source = join(folder, 'trades.csv')
    writeFileSync(source, text)
    const out = join(folder, 'out.csv')
    const convert = (...flags: readonly string[]) =>
      pitclock(['convert', source, '--to', 'tardis', '--out', out, ...flags])
    const badName = convert('--exchange', 'Deribit, Inc.')
    expect([badName.code, badName.err]).toEqual([
      3,
      'error: exchange: expected a name of lowercase letters, digits and dashes, such as deribit, found Deribit, Inc.\n',
    ])
    expect(pitclock(['convert', source, '--exchange', 'deribit', '--out', out]).code).toBe(2)
    expect(pitclock(['convert', source, ...options, '--out', source]).code).toBe(4)
    const columns = '{"kind":"trades","timestamp":"timestamp","price":"price","amount":"amount"}'
    const nameless = convert('--columns', columns)
    expect([nameless.code, nameless.err]).toEqual([3, expect.stringContaining('--symbol')])
    expect(readdirSync(folder)).toEqual(['trades.csv'])
    expect(convert('--columns', columns, '--symbol', 'BTC-PERPETUAL').code).toBe(0)
    expect(readFileSync(out, 'utf8')).toContain('pitclock,BTC-PERPETUAL,5,5,1,unknown,100.5,10\n')
  })
})

describe('inspect', () => {
  test('shows checks and first rows as text', () => {
    const source = join(scratch(), 'trades.csv')
    writeFileSync(source, text)
    const { code, out } = pitclock(['inspect', source, '--head', '1'])
    expect(code).toBe(0)
    expect(out).toMatch(/^check +count +first row$/m)
    expect(out).toMatch(/buy +100\.5 +10 +first$/m)
    expect(out.indexOf('buy ')).toBeLessThan(out.indexOf('check '))
  })

  test('shows a run folder with its tables', () => {
    const folder = join(scratch(), 'run')
    const scenario = 'scenarios/orders/market-sell-fills-resting-bid.yaml'
    expect(pitclock(['run', scenario, '--out', folder, '--quiet']).code).toBe(0)
    const found = JSON.parse(pitclock(['inspect', folder, '--json']).out)
    expect(found).toMatchObject({ version: 1, type: 'run', status: 'complete' })
    const table = found.tables.find(({ name }: { name: string }) => name === 'trades')
    expect(table).toMatchObject({ type: 'table', rows: 1, sha256: expect.any(String) })
    expect(pitclock(['inspect', join(folder, 'trades.arrow')]).out).toContain('pitclock.table')
  })

  test('a truncated tape exits 3', () => {
    const folder = scratch()
    writeFileSync(join(folder, 'cut.arrow'), 'ARROW1\0\0and then nothing of use at all')
    expect(pitclock(['inspect', join(folder, 'cut.arrow')]).code).toBe(3)
    expect(pitclock(['inspect', join(folder, 'none')]).code).toBe(4)
    expect(pitclock(['inspect', folder]).code).not.toBe(0)
  })
})
