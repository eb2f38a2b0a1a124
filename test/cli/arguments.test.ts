/**
 * Arguments of the command line and the answers to them: folders, patterns, stdin, missing files, unknown fields, units
 * of columns. It runs the built program.
 */
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { namedFiles, runnable } from '../../cli/files.ts'
import { describeProgress } from '../../cli/progress.ts'
import { pitclock, scratch } from '../support/built-program.ts'
import { repository } from '../support/repository.ts'

const quick = 'scenarios/orders/market-sell-fills-resting-bid.yaml'
const text = readFileSync(join(repository, quick), 'utf8')
const indexColumns = '{"kind":"index","timestamp":{"column":"ms","unit":"ms"},"price":"value"}'

describe('files that arguments name', () => {
  test('P03 a folder stands for its scenarios, a pattern for its matches, the folder of a run for its journal', () => {
    const folder = scratch()
    for (const name of ['a/one.yaml', 'a/b/two.yml', 'a/table.json', 'a/.hidden.yaml', 'run/x']) {
      mkdirSync(join(folder, name, '..'), { recursive: true })
      writeFileSync(join(folder, name), '')
    }
    for (const name of ['journal.jsonl', 'manifest.json']) {
      writeFileSync(join(folder, 'run', name), '')
    }
    const files = (name: string): readonly string[] => {
      const found = namedFiles([join(folder, name)], runnable)
      const names = found.ok ? found.files : found.lines
      return names.map((path) => path.replace(`${folder}/`, ''))
    }
    expect(files('a')).toEqual(['a/b/two.yml', 'a/one.yaml'])
    expect(files('run')).toEqual(['run/journal.jsonl'])
    expect(files('*/one.y?ml')).toEqual(['a/one.yaml'])
    expect(files('**/*.y*ml')).toEqual(['a/b/two.yml', 'a/one.yaml'])
    expect(files('a/**')).toEqual(['a/b/two.yml', 'a/one.yaml', 'a/table.json'])
    expect(files('none.yaml')).toEqual(['none.yaml'])
    expect(files('*/none*')).toEqual(['*/none*: no file matches the pattern'])
    mkdirSync(join(folder, 'empty'))
    expect(files('empty')[0]).toContain('expected scenarios (.yaml, .yml) in the folder')
    expect(namedFiles(['-', 'a.yaml', 'a.yaml'], runnable)).toEqual({
      ok: true,
      files: ['-', 'a.yaml'],
    })
  })

  test('U15 patterns support sets and alternatives, and matching takes little time', () => {
    const folder = scratch()
    for (const name of ['one.yaml', 'two.yaml', 'three.yml', 'a[1].yaml']) {
      writeFileSync(join(folder, name), '')
    }
    writeFileSync(join(folder, 'a'.repeat(60)), '')
    const files = (name: string): readonly string[] => {
      const found = namedFiles([join(folder, name)], runnable)
      const names = found.ok ? found.files : found.lines
      return names.map((path) => path.replace(`${folder}/`, ''))
    }
    expect(files('{one,three}.y{a,}ml')).toEqual(['one.yaml', 'three.yml'])
    expect(files('[ot]*.yaml')).toEqual(['one.yaml', 'two.yaml'])
    // A file with that exact name comes before the pattern.
    expect(files('a[1].yaml')).toEqual(['a[1].yaml'])
    const begun = performance.now()
    expect(files('a*a*a*a*b')[0]).toContain('no file matches the pattern')
    expect(files(`${'a*'.repeat(20)}b`)[0]).toContain('expected at most 4 wildcards in a name')
    expect(performance.now() - begun).toBeLessThan(5000)
  })

  test('convert accepts a folder of recorded files, and a pattern in quotes', () => {
    const [folder, pattern, empty] = [scratch(), scratch(), scratch()]
    const recordedFiles = ['derivative_ticker.arrow', 'incremental_book_L2.arrow', 'trades.arrow']
    const all = pitclock(['convert', 'data/recorded-market', '--out', join(folder, 'tapes')])
    expect([all.code, all.err]).toEqual([0, ''])
    expect(readdirSync(join(folder, 'tapes')).sort()).toEqual(recordedFiles)
    const fitting = pitclock(['convert', 'data/recorded-market/t*.csv.gz', '--out', pattern])
    expect([fitting.code, fitting.out]).toEqual([0, expect.stringContaining('trades.arrow')])
    const nothing = pitclock(['convert', 'data/recorded-market/x*.csv.gz', '--out', pattern])
    expect([nothing.code, nothing.err]).toEqual([4, expect.stringContaining('no file matches the pattern')])
    const none = pitclock(['convert', empty, '--out', pattern])
    expect(none.code).toBe(4)
    expect(none.err).toContain('expected recorded files (.csv, .csv.gz, .csv.zst) in the folder')
  })

  test('U06 digests are checked for the scenarios that ran, which may be a part', () => {
    const check = ['--check-digests', 'scenarios/digests.json']
    const { code, err } = pitclock(['run', 'scenarios/spot', ...check])
    expect(code).toBe(0)
    expect(err).toMatch(/^[0-9]+ digests match; [0-9]+ others in .* were not checked\n$/)
    const file = join(scratch(), 'digests.json')
    writeFileSync(file, JSON.stringify({ [quick]: 'ab'.repeat(32) }))
    const wrong = pitclock(['run', quick, '-q', '--check-digests', file])
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('expected digest abab')])
  })

  test('--set and --seed act like entries of the file, the manifest shows them, and the journal agrees', () => {
    const folder = join(scratch(), 'set')
    const file = 'scenarios/population/recorded-market.yaml'
    const shorter = ['--set', 'until=2026-01-05T09:10:00Z']
    const digestOf = (args: readonly string[]): string => {
      const { out, err } = pitclock(['run', '--json', ...args])
      expect(err).toBe('')
      const { runs } = JSON.parse(out) as { readonly runs: readonly { digest: string }[] }
      return runs[0]?.digest ?? ''
    }
    const digest = digestOf([file, ...shorter, '--seed', '7', '--out', folder])
    expect(digestOf([join(folder, 'journal.jsonl')])).toBe(digest)
    const manifest = readFileSync(join(folder, 'manifest.json'), 'utf8')
    const { seed, scenario } = JSON.parse(manifest) as { seed: string; scenario: object }
    expect(seed).toBe('7')
    expect(scenario).toMatchObject({ set: ['until=2026-01-05T09:10:00Z', 'seed=7'] })
    expect(digestOf([file, ...shorter])).not.toBe(digest)
  })

  test('--set is refused with the messages of a file before anything runs, and always for a journal', () => {
    const wrong = pitclock(['run', quick, '--set', 'accounts.maker.deposit.DOGE=1'])
    expect(wrong.code).toBe(3)
    expect(wrong.err).toContain('error: --set accounts.maker.deposit.DOGE=1: accounts.maker.deposit')
    const folder = join(scratch(), 'run')
    pitclock(['run', quick, '-q', '--out', folder])
    const journal = pitclock(['run', join(folder, 'journal.jsonl'), '--seed', '3'])
    expect(journal.code).toBe(3)
    expect(journal.err).toContain('expected a scenario, because values are set, found a journal')
  })

  test('digests that cannot be written are reported with the reason of the system, exit code 4', () => {
    const { code, err } = pitclock(['run', quick, '-q', '--write-digests', scratch()])
    expect([code, err]).toEqual([4, expect.stringMatching(/expected a writable path/)])
  })

  test('P04 - is a recorded file from stdin, for inspect and convert', () => {
    const folder = scratch()
    const tape = join(folder, 'index.arrow')
    const rows = 'ms,value\n1000,7.25\n1001,7.5\n'
    const shown = pitclock(['inspect', '-', '--columns', indexColumns, '--json'], { input: rows })
    expect(JSON.parse(shown.out)).toMatchObject({ file: '-', kind: 'index', rows: 2 })
    const made = pitclock(['convert', '-', '--columns', indexColumns, '--out', tape], {
      input: rows,
    })
    expect([made.code, made.out]).toEqual([0, expect.stringContaining('2 rows')])
    const wrong = pitclock(['inspect', '-', '--columns', indexColumns], {
      input: 'ms,value\n1000,x\n',
    })
    expect([wrong.code, wrong.err]).toEqual([3, expect.stringContaining('-:2: value: expected')])
  })

  test('the message of a usage error names the help of its command', () => {
    const { code, err } = pitclock(['completion'])
    expect([code, err]).toEqual([2, expect.stringContaining('(pitclock completion --help lists')])
  })

  test('P02 P08 an invalid mapping of columns is reported with our message', () => {
    const folder = scratch()
    const [source, tape] = [join(folder, 'index.csv'), join(folder, 'index.arrow')]
    writeFileSync(source, 'ms,value\n1000,7.25\n')
    const reported = (columns: string): string => {
      const { code, err } = pitclock(['convert', source, '--columns', columns, '--out', tape])
      return `${code} ${err}`
    }
    const object = 'expected a JSON object or the path of a JSON file, found'
    expect(reported('none.json')).toBe(`4 error: --columns: ${object} no such file: none.json\n`)
    expect(reported(folder)).toBe(`4 error: --columns: ${object} a folder: ${folder}\n`)
    expect(reported('{"kind":')).toBe(`2 error: --columns: ${object} text that is not JSON\n`)
    expect(reported('[]')).toBe('2 error: --columns: expected a mapping of columns, found []\n')
    const files = [source, join(folder, 'other.csv')]
    const onto = pitclock(['convert', ...files, '--columns', indexColumns, '--out', source])
    expect([onto.code, onto.err]).toEqual([
      4,
      `error: ${source}: expected a folder for the tapes of several files, found a file\n`,
    ])
  })

  test('P20 P21 a tape never replaces a file by accident', () => {
    const folder = scratch()
    const [source, tape, link] = ['index.csv', 'tape.arrow', 'link'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ]
    writeFileSync(source, 'ms,value\n1000,7.25\n')
    symlinkSync(join(folder, 'nowhere'), link)
    const convert = (out: string, ...more: readonly string[]): string =>
      pitclock(['convert', source, '--columns', indexColumns, '--out', out, ...more]).err
    expect(convert(link)).toContain('expected a path for a new tape, found a broken link')
    expect(convert(link, '--force')).toContain('found a broken link')
    // The command leaves partial files of other processes alone.
    writeFileSync(`${tape}.partial`, 'another')
    expect(convert(tape)).toBe('')
    expect(readFileSync(`${tape}.partial`, 'utf8')).toBe('another')
    expect(convert(tape)).toContain('found a file (--force replaces it)')
    expect(convert(tape, '--force')).toBe('')
    expect(readdirSync(folder)).toEqual(['index.csv', 'link', 'tape.arrow', 'tape.arrow.partial'])
  })

  test('names that the system refuses are reported with a message, exit code 4', () => {
    const long = `${'x'.repeat(300)}.yaml`
    for (const name of [long, `${quick}/x.yaml`]) {
      const { code, err } = pitclock(['run', name])
      expect([code, err]).toEqual([4, expect.stringContaining(': expected a readable file')])
      expect(err).not.toMatch(/ {4}at |ENAMETOOLONG: |ENOTDIR: /)
    }
  })

  test('P04 - is stdin, a scenario or a journal, and mistakes name it', () => {
    const out = join(scratch(), 'run')
    const ran = pitclock(['run', '-', '--json', '--out', out], { input: text })
    const journal = readFileSync(join(out, 'journal.jsonl'), 'utf8')
    const again = pitclock(['run', '-', '--json'], { input: journal })
    const digest = /"digest":"([0-9a-f]{64})"/
    expect([ran.code, again.code]).toEqual([0, 0])
    expect(digest.exec(again.out)?.[1]).toBe(digest.exec(ran.out)?.[1])
    const wrong = pitclock(['run', '-'], { input: text.replace('version: 1', 'version: 2') })
    expect([wrong.code, wrong.err]).toEqual([3, expect.stringMatching(/stdin:\d+:\d+: version/)])
  })

  test('P02 errors of the system are reported with a message', () => {
    expect(pitclock(['run', 'none.yaml'])).toMatchObject({
      code: 4,
      err: 'error: none.yaml: expected a readable file, found no such file\n',
    })
    const folder = scratch()
    const { code, err } = pitclock(['run', quick, '--events', folder])
    expect([code, err]).toEqual([...[4, `error: ${folder}: expected a writable path, found a folder\n`]])
    expect(pitclock(['diff', folder, folder]).err).not.toMatch(/E[A-Z]{4,}/)
  })
})

describe('messages for users', () => {
  test('P11 a field that a reply does not have is reported with the probable one', () => {
    const step = [
      '  - at: 10ms\n    call: public/get_instrument\n    params: { instrument_name: BTC-PERPETUAL }',
      '    save: { tick: result.tik_size }',
      '    expect: { result: { instrument_nam: BTC-PERPETUAL, wholly_unknown: 1 } }\n',
    ]
    const scenario = [
      ...['version: 1', 'title: t', 'start: 2026-01-05T09:00:00Z', 'index: { btc_usd: 100000 }'],
      ...['instruments: [BTC-PERPETUAL]', 'steps:', ...step],
    ]
    const { code, err } = pitclock(['run', '-'], { input: scenario.join('\n') })
    expect(code).toBe(1)
    expect(err).toContain('found nothing (did you mean tick_size?)')
    expect(err).toContain('found nothing (did you mean instrument_name?)')
    expect(err).toMatch(/wholly_unknown: expected 1, found nothing\n/)
    const misspelt = scenario.join('\n').replace('result.tik_size', 'reslt.tick_size')
    expect(pitclock(['run', '-'], { input: misspelt }).err).toContain('"reslt.tick_size" (did you mean result?)')
  })

  test('P17 progress counts the rows of feeds', () => {
    const progress = {
      requests: 40,
      rows: 1_200_000,
      clock: '2026-01-05T09:00:00Z',
      fraction: 0.25,
    }
    expect(describeProgress(progress, 3)).toBe(
      '1,200,000 rows  40 requests  400,013/s  2026-01-05T09:00:00Z  25 %  9 s left',
    )
    expect(describeProgress({ ...progress, rows: 0, fraction: null }, 3)).toBe(
      '40 requests  13/s  2026-01-05T09:00:00Z',
    )
  })

  test('P01 inspect shows the unit and the description of every column', () => {
    const out = join(scratch(), 'run')
    pitclock(['run', quick, '--out', out, '-q'])
    const { code, out: shown } = pitclock(['inspect', join(out, 'fills.arrow')])
    expect(code).toBe(0)
    expect(shown).toMatch(/column +type +scale +unit +description/)
    expect(shown).toMatch(/^price +\S+ +quote +\S+/m)
    expect(shown.indexOf('BTC-PERPETUAL')).toBeLessThan(shown.search(/^column /m))
    const { columns } = JSON.parse(pitclock(['inspect', join(out, 'fills.arrow'), '--json']).out)
    for (const { description } of columns) expect(description).not.toBe('')
    expect(pitclock(['run', quick, '--out', out]).err).toContain('(--force replaces it)')
  })
})
