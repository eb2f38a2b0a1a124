/** `pitclock shrink` and `pitclock fuzz` in the built program: outputs, exit codes, refusals and signals. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { begin, pitclock, scratch } from '../support/built-program.ts'
import { guideText } from '../support/guides.ts'
import { repository } from '../support/repository.ts'

const folder = scratch()
const failing = join(folder, 'failing.yaml')
cpSync(join(repository, 'test/fixtures/failing-scenario.yaml'), failing)
const passing = 'scenarios/orders/market-sell-fills-resting-bid.yaml'

describe('pitclock shrink', () => {
  test('the example of the guide prints these lines, and its file fails in the same way', () => {
    const { code, out, err } = pitclock(['shrink', 'failing.yaml', '--out', 'small.yaml'], { cwd: folder })
    expect([code, out]).toEqual([0, ''])
    expect(guideText('cli/README.md')).toContain(`$ npx pitclock shrink failing.yaml --out small.yaml\n${err}`)
    const run = pitclock(['run', 'small.yaml'], { cwd: folder })
    expect(run.code).toBe(1)
    expect(run.err).toContain('expect.accounts.maker.positions.BTC-PERPETUAL.size: expected 5, found')
  })

  test('the scenario goes to stdout; a file that exists is replaced only with --force', () => {
    const { code, out } = pitclock(['shrink', failing])
    expect([code, out]).toEqual([0, readFileSync(join(folder, 'small.yaml'), 'utf8')])
    const again = pitclock(['shrink', failing, '--out', join(folder, 'small.yaml')])
    expect([again.code, again.err]).toEqual([4, expect.stringContaining('--force replaces it')])
    expect(pitclock(['shrink', failing, '--out', join(folder, 'small.yaml'), '--force']).code).toBe(0)
  })

  test.each([
    ['a scenario that passes', [passing], 2, 'expected a scenario that fails, found a scenario that passes'],
    ['a scenario with mistakes', ['test/fixtures/five-mistakes.yaml'], 3, '5 mistakes'],
    ['a file that does not exist', ['no-such.yaml'], 4, 'no such file'],
    ['a wrong time', [failing, '--time', 'soon'], 2, '--time: expected a duration such as 10m, found soon'],
  ])('%s is refused', (_, args, exit, text) => {
    const { code, out, err } = pitclock(['shrink', ...args])
    expect([code, out]).toEqual([exit, ''])
    expect(err).toContain(text)
  })
})

describe('pitclock fuzz', () => {
  const few = ['fuzz', '--runs', '3', '--seed', '7', '--swarm']

  test('the same seed gives the same output, with a table of the words that it reached', () => {
    const { code, out, err } = pitclock(few)
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/^3 runs of seed 7 with [\d,]+ requests: 0 failures\n/)
    for (const title of ['event kinds', 'refusals', 'rules'])
      expect(out).toMatch(new RegExp(`^${title}: \\d+ of \\d+$`, 'm'))
    expect(pitclock(few).out).toBe(out)
  })

  test('a folder has the report; one that exists is refused', () => {
    const out = join(folder, 'fuzzed')
    const { code, out: printed } = pitclock([...few, '--out', out, '--json'])
    expect([code, readdirSync(out)]).toEqual([0, ['fuzz.json']])
    const report = JSON.parse(readFileSync(join(out, 'fuzz.json'), 'utf8')) as object
    expect(JSON.parse(printed)).toEqual({ version: 1, ...report })
    const again = pitclock([...few, '--out', out])
    expect([again.code, again.err]).toEqual([4, expect.stringContaining('another fuzz run')])
    const mine = join(folder, 'mine')
    mkdirSync(mine)
    writeFileSync(join(mine, 'notes.txt'), '')
    expect(pitclock([...few, '--out', mine, '--force']).code).toBe(4)
    expect(readdirSync(mine)).toEqual(['notes.txt'])
  })

  test('Ctrl-C leaves no folder', async () => {
    const out = join(folder, 'interrupted')
    const { child, ended } = begin(['fuzz', '--time', '1h', '--out', out])
    // The command hears signals once its modules are loaded.
    setTimeout(() => child.kill('SIGINT'), 4000)
    const { code } = await ended
    expect([code, existsSync(out), existsSync(`${out}.partial`)]).toEqual([130, false, false])
  })

  test.each([
    [['--runs', '0'], 'expected a number from 1'],
    [['--laws', 'x'], 'expected a number from 1'],
    [['--time', '0s'], '--time: expected a duration such as 10m, found 0s'],
  ])('%s is refused', (args, text) => {
    const { code, err } = pitclock(['fuzz', ...args])
    expect([code, err]).toEqual([2, expect.stringContaining(text)])
  })
})
