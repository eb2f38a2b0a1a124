/**
 * The command line as a user runs it: exit codes, streams, folders, interruption. It runs the built program, as an
 * installed package would.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import type { Manifest, RunReport } from '../../src/node.ts'
import { appears, begin, pitclock, type Ran, scratch, shell } from '../support/built-program.ts'
import { repository } from '../support/repository.ts'

const scenario = 'scenarios/orders/market-sell-fills-resting-bid.yaml'
const population = 'scenarios/population/drifting-market.yaml'

interface Summary {
  readonly runs: readonly { readonly digest: string; readonly failures: readonly string[] }[]
}

interface Measured {
  readonly runs: readonly Pick<RunReport, 'trades' | 'performance' | 'performance_totals'>[]
}

function digestOf(ran: Ran): string {
  return (JSON.parse(ran.out) as Summary).runs[0]?.digest ?? 'none'
}

describe('help and usage', () => {
  test('help names the commands, begins with examples and exits 0', () => {
    const { code, out } = pitclock(['--help'])
    expect(code).toBe(0)
    expect(out).toMatch(/^Examples:/)
    for (const command of ['run', 'diff', 'schema', 'doctor']) expect(out).toContain(`  ${command}`)
  })

  test('a bare command prints help to stderr and exits 2', () => {
    const { code, out, err } = pitclock([])
    expect(code).toBe(2)
    expect(out).toBe('')
    expect(err).toContain('Usage: pitclock')
  })

  test('an unknown option is refused with a suggestion and exit 2', () => {
    const { code, err } = pitclock(['run', scenario, '--jsn'])
    expect(code).toBe(2)
    expect(err).toContain('--json')
  })

  test('doctor runs the self-test and finds the published digest', () => {
    const { code, out } = pitclock(['doctor', '--json'])
    expect(JSON.parse(out)).toMatchObject({ self_test: 'ok' })
    expect(code).toBe(0)
  })

  test('schema prints a JSON Schema that names the methods', () => {
    const { code, out } = pitclock(['schema'])
    expect(code).toBe(0)
    expect(JSON.stringify(JSON.parse(out))).toContain('private/buy')
  })

  test('schema openrpc prints the document in the package', () => {
    const { code, out } = pitclock(['schema', 'openrpc'])
    expect(code).toBe(0)
    const file = join(repository, 'dist/schema/openrpc.json')
    expect(JSON.parse(out)).toEqual(JSON.parse(readFileSync(file, 'utf8')))
  })

  test('schema of a method contains its parameters and its result', () => {
    const { code, out } = pitclock(['schema', 'private/get_mmp_status'])
    expect(code).toBe(0)
    const validate = new Ajv({ strict: false }).compile(JSON.parse(out) as object)
    const status = { index_name: 'btc_usd', frozen_until: 0, mmp_group: 'g' }
    expect(validate({ params: { index_name: 'btc_usd' }, result: [status] })).toBe(true)
    expect(validate({ params: { index_name: 1 } })).toBe(false)
    expect(validate({ result: [{ ...status, more: 1 }] })).toBe(false)
  })

  test('schema of an unknown name lists the known ones', () => {
    const { code, err } = pitclock(['schema', 'private/bye'])
    expect(code).toBe(2)
    expect(err).toBe(
      'error: expected scenario, openrpc, output or the name of a method, found private/bye\n' +
        'hint: a method name looks like private/buy; pitclock schema openrpc lists all of them\n',
    )
  })
})

describe('run', () => {
  test('a scenario whose expectations hold exits 0 and prints its digest', () => {
    const { code, out, err } = pitclock(['run', scenario])
    expect(err).toBe('')
    expect(code).toBe(0)
    expect(out).toMatch(/digest +[0-9a-f]{64}/)
  })

  test('P22 the summary shows what each account earned, in parts that add up, and the end of its orders', () => {
    const { out } = pitclock(['run', 'scenarios/orders/edit-keeps-and-loses-place.yaml'])
    const lines = out.split('\n').map((line) => line.trim().replace(/ +/g, ' '))
    const taker = lines.slice(lines.lastIndexOf('taker'))
    expect(taker.slice(0, 6)).toEqual([
      'taker',
      'profit -0.0000009 BTC price -0.00000015, funding 0, fees 0.00000075',
      'fills 2 0.00% as maker, turnover 0.00150015 BTC',
      'drawdown 0.0000009 BTC under 0.01% of the peak',
      'position -150 BTC-PERPETUAL bought 0, sold 150',
      'orders 2 placed, 2 filled',
    ])
    expect(out).toMatch(/speed +[\d.]+ s, [\d,]+ requests\/s, [\d,]+ events\/s/)
  })

  test('the summary includes accounts whose money moved without a fill, and insurance', () => {
    const { out } = pitclock(['run', 'scenarios/settlement/socialised-loss.yaml'])
    const lines = out.split('\n').map((line) => line.trim().replace(/ +/g, ' '))
    const bob = lines.slice(lines.lastIndexOf('bob'))
    expect(bob.slice(0, 3)).toEqual([
      'bob',
      'profit +1.9 BTC price 2, funding 0, fees 0, insurance -0.1',
      'drawdown 0 BTC',
    ])
    expect(out).toContain('price -6, funding 0, fees 0, insurance 0.8')
  })

  test('the summary adds up a population, and its accounts are in the JSON', () => {
    const file = join(scratch(), 'five-minutes.yaml')
    const text = readFileSync(join(repository, population), 'utf8')
    writeFileSync(file, text.replace('T17:00', 'T09:05').replace('duration: 8h', 'duration: 5m'))
    const { out } = pitclock(['run', file])
    expect(out).toContain('all 52 accounts')
    expect(out).toContain('6 accounts with the largest profits or losses')
    expect(out.match(/^ +(maker|taker)-\d+ /gm)).toHaveLength(6)
    const [run] = (JSON.parse(pitclock(['run', file, '--json']).out) as Measured).runs
    expect(run?.performance).toHaveLength(52)
    const fills = run?.performance.map(({ currencies }) => currencies[0]?.fills ?? 0) ?? []
    expect(fills.reduce((sum, count) => sum + count, 0)).toBe(2 * (run?.trades ?? 0))
    expect(run?.performance_totals.currencies[0]?.maker_fills).toBe(run?.trades)
  })

  test('a failed expectation exits 1 and names its line', () => {
    const folder = scratch()
    const file = join(folder, 'wrong.yaml')
    const text = readFileSync(join(repository, scenario), 'utf8')
    writeFileSync(file, text.replace(/code: 11044/, 'code: 10004'))
    const { code, err } = pitclock(['run', file])
    expect(code).toBe(1)
    expect(err).toMatch(/wrong\.yaml:\d+:\d+: steps\.\d+\.expect\.error\.code: expected 10004, found 11044/)
  })

  test('five mistakes are reported at once with line and column, exit 3, nothing run', () => {
    const { code, out, err } = pitclock(['run', 'test/fixtures/five-mistakes.yaml'])
    expect(code).toBe(3)
    expect(out).toBe('')
    const places = [...err.matchAll(/five-mistakes\.yaml:(\d+):(\d+): /g)].map((match) => match[1])
    expect(new Set(places)).toEqual(new Set(['3', '4', '9', '10', '11']))
    expect(err).toContain('BTC-PERPETUAL')
    expect(err).toContain('private/buy')
    expect(err).toContain('did you mean amount')
  })

  test('a missing file exits 4', () => {
    const { code, err } = pitclock(['run', 'no-such-file.yaml'])
    expect(code).toBe(4)
    expect(err).toContain('no-such-file.yaml')
  })

  test('dry run checks and runs nothing', () => {
    const { code, out } = pitclock(['run', scenario, '--dry-run'])
    expect([code, out]).toEqual([0, `ok  ${scenario}\n`])
  })

  test('a run writes a folder whose journal replays to the same digest', () => {
    const folder = join(scratch(), 'run')
    const first = pitclock(['run', scenario, '--out', folder, '--json'])
    expect(first.code).toBe(0)
    expect(existsSync(`${folder}.partial`)).toBe(false)
    expect(readdirSync(folder)).toContain('trades.arrow')
    const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as object
    expect(manifest).toMatchObject({ status: 'complete', digest: digestOf(first) })
    const again = pitclock(['run', join(folder, 'journal.jsonl'), '--json'])
    expect(digestOf(again)).toBe(digestOf(first))
  })

  test('a folder is not overwritten without --force', () => {
    const folder = join(scratch(), 'run')
    expect(pitclock(['run', scenario, '--out', folder]).code).toBe(0)
    const refused = pitclock(['run', scenario, '--out', folder])
    expect(refused.code).toBe(4)
    expect(refused.err).toContain(folder)
    expect(pitclock(['run', scenario, '--out', folder, '--force']).code).toBe(0)
  })

  test('a truncated journal is refused with its line, exit 3', () => {
    const folder = join(scratch(), 'run')
    pitclock(['run', scenario, '--out', folder])
    const text = readFileSync(join(folder, 'journal.jsonl'), 'utf8')
    // Next to its manifest the journal would be refused for its hash.
    const journal = join(scratch(), 'journal.jsonl')
    writeFileSync(journal, text.slice(0, -40))
    const lines = text.trimEnd().split('\n').length
    const { code, err } = pitclock(['run', journal])
    expect(code).toBe(3)
    expect(err).toContain(`journal.jsonl:${lines}:`)
  })

  test('replies and events are JSON lines, one for each request and event', () => {
    const folder = scratch()
    const [replies, events] = [join(folder, 'replies.jsonl'), join(folder, 'events.jsonl')]
    const { out } = pitclock(['run', scenario, '--json', '--replies', replies, '--events', events])
    const [run] = (JSON.parse(out) as { runs: { requests: number; trades: number }[] }).runs
    const lines = (file: string): object[] =>
      readFileSync(file, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as object)
    expect(lines(replies)).toHaveLength(run?.requests ?? -1)
    expect(lines(replies)[0]).toMatchObject({ jsonrpc: '2.0', usDiff: 0 })
    const trades = lines(events).filter((event) => (event as { kind: string }).kind === 'trade')
    expect(trades).toHaveLength(run?.trades ?? -1)
  })

  test('a second run writes the same bytes to every file', () => {
    const folder = scratch()
    const [a, b] = [join(folder, 'a'), join(folder, 'b')]
    pitclock(['run', scenario, '--out', a])
    pitclock(['run', scenario, '--out', b])
    const manifests = [a, b].map((out) => {
      const text = readFileSync(join(out, 'manifest.json'), 'utf8')
      // The manifest contains the command with the target folder, and its hash covers it.
      return { ...(JSON.parse(text) as Manifest), made_by: null, sha256: '' }
    })
    expect(manifests[0]).toEqual(manifests[1])
    for (const name of readdirSync(a).filter((file) => file !== 'manifest.json')) {
      expect(readFileSync(join(a, name)).equals(readFileSync(join(b, name))), name).toBe(true)
    }
  })

  test('the first Ctrl-C closes the files, prints interrupted and leaves the partial folder', async () => {
    const folder = join(scratch(), 'run')
    const { child, ended } = begin(['run', population, '--out', folder])
    const journal = join(`${folder}.partial`, 'journal.jsonl')
    await appears(journal)
    while (readFileSync(journal).length === 0) await new Promise((go) => setTimeout(go, 20))
    child.kill('SIGINT')
    expect((await ended).code).toBe(130)
    expect(existsSync(folder)).toBe(false)
    const manifest = readFileSync(join(`${folder}.partial`, 'manifest.json'), 'utf8')
    expect(JSON.parse(manifest)).toMatchObject({ status: 'interrupted' })
    const text = readFileSync(journal, 'utf8')
    expect(text.endsWith('\n')).toBe(true)
  })

  test('a reader that closes early causes no error', () => {
    const { out, err } = shell('$PITCLOCK schema | head -n 1')
    expect(out).toContain('{')
    expect(err).toBe('')
  })
})

describe('diff', () => {
  test('equal runs exit 0; otherwise the first different event is shown, exit 1', () => {
    const folder = scratch()
    const text = readFileSync(join(repository, scenario), 'utf8')
    const changed = join(folder, 'changed.yaml')
    writeFileSync(changed, text.replace(/price: 99990/, 'price: 99980'))
    const runs = ['a', 'b', 'c'].map((name) => join(folder, name)) as [string, string, string]
    pitclock(['run', scenario, '--out', runs[0]])
    pitclock(['run', scenario, '--out', runs[1]])
    pitclock(['run', changed, '--out', runs[2]])
    expect(pitclock(['diff', runs[0], runs[1]]).code).toBe(0)
    const { code, out } = pitclock(['diff', runs[0], runs[2]])
    expect(code).toBe(1)
    expect(out).toContain('table orders')
    expect(out).toMatch(/price: - 99990 {2}\+ 99980/)
  })

  test('a folder without a run exits 3', () => {
    const { code, err } = pitclock(['diff', scratch(), scratch()])
    expect(code).toBe(3)
    expect(err).toContain('manifest.json')
  })
})
