/** The `--json` output of each command matches its schema, which the program prints itself. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { pitclock, scratch } from '../support/built-program.ts'
import { faultsIn, outputValidator } from '../support/output-schemas.ts'
import { serve } from '../support/served-program.ts'

const folder = scratch()
const [first, second] = [join(folder, 'first'), join(folder, 'second')]
const backtest = 'scenarios/backtest/market-maker.yaml'
const hour = ['--set', 'until=2026-01-05T10:00:00Z']
const order = 'scenarios/orders/market-sell-fills-resting-bid.yaml'
const recorded = 'scenarios/backtest/feeds/queue-trades.csv'

/** Runs a command and returns the differences between its output and the schema. */
function faultsOf(args: readonly string[], codes: readonly number[] = [0]): readonly string[] {
  const { code, out, err } = pitclock([...args, '--json'])
  expect(codes, err).toContain(code)
  return faultsIn(args[0] ?? '', JSON.parse(out))
}

describe('--json output matches its schema', () => {
  test('for run, with tables, strategies, metrics and failures', () => {
    expect(faultsOf(['run', backtest, ...hour, '--out', first])).toEqual([])
    expect(faultsOf(['run', backtest, ...hour, '--seed', '2', '--out', second], [0, 1])).toEqual([])
    expect(faultsOf(['run', order, 'scenarios/faults'])).toEqual([])
  })

  test('for run --dry-run, valid or not', () => {
    expect(faultsOf(['run', order, '--dry-run'])).toEqual([])
    const wrong = ['run', 'test/fixtures/five-mistakes.yaml', '--dry-run']
    expect(faultsOf(wrong, [3])).toEqual([])
    const { checks } = JSON.parse(pitclock([...wrong, '--json']).out) as {
      readonly checks: readonly { errors: readonly string[]; mistakes: readonly object[] }[]
    }
    expect(checks).toHaveLength(1)
    expect(checks[0]?.mistakes).toHaveLength(checks[0]?.errors.length ?? -1)
    expect(checks[0]?.mistakes[0]).toMatchObject({
      code: expect.stringMatching(/^[A-Z_]+$/),
      line: 3,
    })
  })

  test.each([
    ['compare', [first, second], [0]],
    ['diff', [first, second], [0, 1]],
    ['diff', [first, first], [0]],
    ['inspect', [first], [0]],
    ['inspect', [join(first, 'orders.arrow')], [0]],
    ['convert', [recorded, '--out', join(folder, 'trades.arrow')], [0]],
    ['inspect', [recorded], [0]],
    ['report', [first], [0]],
    ['explain', [first, '--order', '1'], [0]],
    ['explain', [first, '--account', 'maker'], [0]],
    ['explain', [first, '--order', 'none'], [2]],
    ['shrink', ['test/fixtures/failing-scenario.yaml'], [0]],
    ['shrink', [order], [2]],
    ['fuzz', ['--runs', '2'], [0]],
    ['fuzz', ['--runs', 'none'], [2]],
    ['export', [first, '--format', 'csv', '--out', join(folder, 'csv')], [0]],
    ['doctor', [], [0]],
    ['init', [join(folder, 'project')], [0]],
  ] as const)('for %s %s', (command, args, codes) => {
    expect(faultsOf([command, ...args], codes)).toEqual([])
  })

  test('a schema refuses an output that does not match', () => {
    const validate = outputValidator('doctor')
    expect(validate({ pitclock: 1 })).toBe(false)
  })

  test('an unknown command is refused with the known ones', () => {
    const { code, err } = pitclock(['schema', 'output', 'completion'])
    expect(code).toBe(2)
    expect(err).toContain('expected one of run, resume, convert, inspect')
  })
})

test('the line of serve --ready-json matches its schema', async () => {
  const { child, ended, ready } = await serve(['--clock', 'stepped'])
  expect(faultsIn('serve', ready)).toEqual([])
  child.kill('SIGTERM')
  await ended
})
