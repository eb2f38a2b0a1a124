/**
 * Errors are in the `--json` output of every command too: with codes, matching the schemas, next to the successful
 * results, and with the same sentences and exit codes as without `--json`.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { errorCodes, type InputError } from '../../src/index.ts'
import { pitclock, scratch } from '../support/built-program.ts'
import { faultsIn } from '../support/output-schemas.ts'
import { sampleOf } from '../support/property-runs.ts'

const folder = scratch()
const backtest = 'scenarios/backtest/market-maker.yaml'
const order = 'scenarios/orders/market-sell-fills-resting-bid.yaml'
const recorded = 'scenarios/backtest/feeds/queue-trades.csv'

describe('failures are in --json too', () => {
  const place = (name: string): string => join(folder, name)
  /** An argument; `~` stands for the folder of this test. */
  const meant = (argument: string): string => argument.replace(/^~/, folder)
  const mistakes = 'test/fixtures/five-mistakes.yaml'
  const unmet = place('unmet.yaml')
  const broken = place('broken.csv')
  const digests = place('digests.json')

  beforeAll(() => {
    expect(pitclock(['run', backtest, '--out', place('first'), '--quiet']).code).toBe(0)
    writeFileSync(unmet, readFileSync(order, 'utf8').replace('trades: 1,', 'trades: 7,'))
    writeFileSync(digests, JSON.stringify({ [order]: '0'.repeat(64) }))
    writeFileSync(broken, readFileSync(recorded, 'utf8').replace(/(\n.*?)\d+,/, '$1soon,'))
    mkdirSync(place('damaged'))
    for (const name of ['manifest.json', 'journal.jsonl']) {
      writeFileSync(join(place('damaged'), name), '{}\n')
    }
  })

  const cases: readonly (readonly [args: readonly string[], code: number, errors: readonly Partial<InputError>[]])[] = [
    [['run', 'no-such.yaml'], 4, [{ code: 'FILE', file: 'no-such.yaml', found: 'no such file' }]],
    [['run', '*/no-such*'], 4, [{ code: 'FILE', file: '*/no-such*', found: 'none' }]],
    [['run', mistakes], 3, Array.from({ length: 5 }, () => ({ file: mistakes }))],
    [['run', mistakes, '--dry-run'], 3, Array.from({ length: 5 }, () => ({ file: mistakes }))],
    [['run', '~/unmet.yaml'], 1, [{ code: 'EXPECTATION', file: '~/unmet.yaml', path: 'expect.totals.trades' }]],
    [['run', order, '--check-digests', '~/digests.json'], 1, [{ code: 'DIGEST', file: order }]],
    [['run', order, '--check-digests', 'no-such.json'], 1, [{ code: 'FILE' }]],
    [['run', order, '--write-digests', 'no/such/place.json'], 4, [{ code: 'FILE' }]],
    [['run', order, '--log', '-'], 2, [{ code: 'OPTION', path: '--log' }]],
    [['run', order, '--report'], 2, [{ code: 'OPTION', path: '--report', found: 'none' }]],
    [['run', order, '--save-every', '1h'], 2, [{ code: 'OPTION', path: '--save-every' }]],
    [['run', order, '--risk-free', 'much', '--period', '0'], 2, [{}, { path: '--risk-free' }]],
    [['run', order, '--set', 'sed=1'], 3, [{ code: 'SHAPE', path: 'sed' }]],
    [['run'], 2, [{ code: 'OPTION', found: "missing required argument 'file'" }]],
    [['run', order, '--no-such'], 2, [{ code: 'OPTION', found: "unknown option '--no-such'" }]],
    [['run', order, '--format', 'xml'], 2, [{ code: 'OPTION' }]],
    [['resume', 'no-such-run'], 3, [{ code: 'RUN_FOLDER' }]],
    [['convert', 'no-such.csv', '--out', '~/x'], 4, [{ code: 'FILE', file: 'no-such.csv' }]],
    [['convert', '~/broken.csv', '--out', '~/x.arrow'], 3, [{ code: 'ROW', file: '~/broken.csv', line: 2 }]],
    [['convert', recorded], 2, [{ code: 'OPTION' }]],
    [['convert', recorded, '--jobs', '0', '--out', 'x'], 2, [{ path: '--jobs', found: '0' }]],
    [['convert', recorded, '--exchange', 'x', '--out', 'x'], 2, [{ path: '--exchange' }]],
    [['convert', recorded, '--format', 'x', '--out', 'x'], 2, [{ path: '--format', found: 'x' }]],
    [['convert', recorded, '--columns', '{', '--out', 'x'], 2, [{ code: 'SYNTAX' }]],
    [['convert', recorded, '--columns', '[]', '--out', 'x'], 2, [{ file: '--columns' }]],
    [['convert', '~/damaged', '--to', 'tardis', '--out', 'x'], 3, [{ code: 'RUN_FOLDER' }]],
    [['inspect', 'no-such'], 4, [{ code: 'FILE', file: 'no-such' }]],
    [['inspect', '~/broken.csv'], 3, [{ code: 'ROW', file: '~/broken.csv', line: 2 }]],
    [['inspect', '~/damaged'], 3, [{ code: 'RUN_FOLDER' }]],
    [['inspect', recorded, '--head', 'few'], 2, [{ code: 'OPTION', path: '--head', found: 'few' }]],
    [['diff', '~/first', 'no-such-run'], 3, [{ code: 'RUN_FOLDER' }]],
    [['compare', '~/first', '~/damaged'], 3, [{ code: 'RUN_FOLDER' }]],
    [['compare', '~/first'], 2, [{ code: 'OPTION', found: '1' }]],
    [['compare', '~/first', '~/first', '--account', 'nobody'], 2, [{ path: '--account', found: 'nobody' }]],
    [['report', 'no-such-run'], 3, [{ code: 'RUN_FOLDER' }]],
    [['export', 'no-such-run'], 3, [{ code: 'RUN_FOLDER' }]],
    [['query', '~/first'], 2, [{ code: 'OPTION', found: "missing required argument 'sql'" }]],
    [['doctor', '--no-such'], 2, [{ code: 'OPTION' }]],
    [['init', 'cli/output.ts'], 4, [{ code: 'FILE', file: 'cli/output.ts' }]],
    [['init', 'template'], 4, Array.from({ length: 6 }, () => ({ code: 'FILE' }))],
    [['schema', 'private/bye'], 2, [{ code: 'OPTION', found: 'private/bye' }]],
    [['schema', 'output', 'completion'], 2, [{ code: 'OPTION', found: 'completion' }]],
  ]

  test.each(['1', '99', '1000001', '1e3'])('D17 --points %s of a report is out of its bounds', (points) => {
    const { code, out } = pitclock(['report', place('first'), '--points', points, '--json'])
    expect(code).toBe(2)
    expect(JSON.parse(out)).toMatchObject({ errors: [{ code: 'OPTION' }] })
  })

  test.each(['100', '1000000'])('D17 --points %s of a report is within its bounds', (points) => {
    const page = place(`points-${points}.html`)
    expect(pitclock(['report', place('first'), '--points', points, '--out', page])).toMatchObject({ code: 0, err: '' })
  })

  test.each(sampleOf(cases, 8))('%s', (args, code, errors) => {
    const ran = pitclock([...args.map(meant), '--json'])
    expect([ran.code, ran.err]).toEqual([code, expect.stringContaining('error: ')])
    const output = JSON.parse(ran.out) as { readonly errors: readonly InputError[] }
    const placed = errors.map((error) => (error.file === undefined ? error : { ...error, file: meant(error.file) }))
    expect(output.errors).toMatchObject(placed)
    expect(Object.keys(errorCodes)).toEqual(expect.arrayContaining(output.errors.map((error) => error.code)))
    expect(faultsIn(args[0] ?? '', output)).toEqual([])
  })

  test.each([
    [['run', mistakes]],
    [['run', order, '--no-such']],
    [['inspect', '~/broken.csv']],
    [['compare', '~/first', '~/damaged']],
    [['init', 'template']],
  ])('the text on stderr is the same as without --json: %s', (args) => {
    const [plain, asked] = [args.map(meant), [...args.map(meant), '--json']].map((each) => pitclock(each))
    expect(plain?.out).toBe('')
    expect([asked?.code, asked?.err]).toEqual([plain?.code, plain?.err])
  })

  test('next to the successful results: the runs, the tapes', () => {
    const ran = pitclock(['run', order, unmet, mistakes, '--json'])
    const { runs, errors } = JSON.parse(ran.out) as {
      readonly runs: readonly { readonly file: string; readonly unmet: readonly InputError[] }[]
      readonly errors: readonly InputError[]
    }
    expect([ran.code, runs.map(({ file }) => file)]).toEqual([3, [order, unmet]])
    expect(errors.map(({ file }) => file)).toEqual([unmet, ...Array(5).fill(mistakes)])
    expect(runs.map(({ unmet: missed }) => missed)).toEqual([[], errors.slice(0, 1)])
    const jobs = ['--jobs', '2', '--force', '--out', folder, '--json']
    const converted = pitclock(['convert', recorded, broken, ...jobs])
    const output = JSON.parse(converted.out) as object
    expect([converted.code, faultsIn('convert', output)]).toEqual([3, []])
    expect(output).toMatchObject({
      tapes: [{ input: recorded }],
      errors: [{ code: 'ROW', file: broken, line: 2 }],
    })
  })

  test('errors of serve --ready-json, before it listens', async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    const address = taken.address()
    const port = typeof address === 'object' ? String(address?.port) : ''
    const refused: readonly (readonly [readonly string[], number, Partial<InputError>])[] = [
      [['no-such.yaml'], 4, { code: 'FILE', file: 'no-such.yaml' }],
      [['--port', port], 4, { code: 'OPTION', file: `127.0.0.1:${port}` }],
      [['--port', 'many'], 2, { code: 'OPTION', path: '--port', found: 'many' }],
      [['--tls-key', 'none', '--tls-cert', 'none'], 4, { code: 'FILE' }],
      [['--no-such'], 2, { code: 'OPTION', found: "unknown option '--no-such'" }],
    ]
    for (const [args, code, error] of refused) {
      const ran = pitclock(['serve', ...args, '--ready-json'])
      const output = JSON.parse(ran.out) as object
      expect([ran.code, faultsIn('serve', output)]).toEqual([code, []])
      expect(output).toMatchObject({ version: 1, errors: [error] })
    }
    taken.close()
  })

  test('without --json only the sentences are printed', () => {
    expect(pitclock(['inspect', 'no-such', '--no-such']).out).toBe('')
    expect(pitclock(['inspect', 'no-such']).out).toBe('')
    expect(pitclock(['inspect', '--', '--json']).out).toBe('')
  })
})
