/** The environment of strategies on Node: randomness, dates, timers, the console, and forbidden features. */
import { describe, expect, test } from 'vitest'
import { createStrategyGuard } from '../../../src/host/strategy-guard.ts'
import { defineStrategy, type Strategy, type StrategyVenue } from '../../../src/index.ts'
import { type RunReport, runDocument } from '../../../src/node.ts'

const document = {
  version: 1,
  title: 'A strategy alone',
  seed: 7,
  start: '2026-01-05T09:00:00Z',
  until: '2026-01-05T09:00:05Z',
  instruments: ['BTC-PERPETUAL'],
  index: { btc_usd: 50_000 },
  accounts: { ann: { deposit: { BTC: 1 } } },
  strategies: [{ account: 'ann', module: 'own', latency: { feed: '0ms', entry: '1ms', response: '2ms' } }],
}

/** The report of a run, or the lines of its fault. */
async function runOf(strategy: Strategy, seed = 7): Promise<RunReport | readonly string[]> {
  const strategies = { own: defineStrategy(() => strategy) }
  const run = await runDocument({ ...document, seed }, { strategies })
  return run.ok ? run.value : run.error.lines
}

/** The values that a strategy sees when its run begins. */
async function found<T>(look: (venue: StrategyVenue) => T, seed = 7): Promise<T> {
  const values: T[] = []
  const report = await runOf({ onStart: (venue) => void values.push(look(venue)) }, seed)
  const [value] = values
  if (value === undefined) throw new Error(String(report))
  return value
}

describe('inside callbacks', () => {
  test("U05 chance is the strategy's own, the same for a seed and another for another", async () => {
    const draw = (venue: StrategyVenue): readonly number[] => [Math.random(), venue.random()]
    const [one, again, other] = [await found(draw), await found(draw), await found(draw, 8)]
    expect(one).toEqual(again)
    expect(other).not.toEqual(one)
    expect(one[0]).not.toBe(one[1])
  })

  test('U05 dates show virtual time, and given dates are unchanged', async () => {
    const seen = await found(() => {
      const date = new Date()
      const given = new Date('2020-02-02T00:00:00Z').getTime()
      return [Date.now(), date.getTime(), date instanceof Date, given, performance.now()]
    })
    const start = Date.UTC(2026, 0, 5, 9)
    expect(seen).toEqual([start, start, true, Date.UTC(2020, 1, 2), start])
  })

  test.each([
    ['setTimeout', () => setTimeout(() => undefined, 1)],
    ['setInterval', () => setInterval(() => undefined, 1)],
    ['setImmediate', () => setImmediate(() => undefined)],
    ['queueMicrotask', () => queueMicrotask(() => undefined)],
    ['fetch', () => fetch('http://localhost')],
    ['process.exit', () => process.exit(0)],
  ])('U05 H06 %s is refused by name', async (name, call) => {
    const lines = await runOf({ onStart: () => void call() })
    expect(lines).toEqual([expect.stringContaining(`strategies cannot use ${name}`)])
    expect(lines).toEqual([expect.stringMatching(/^\S*strategy-guard\.test\.ts:\d+:\d+: own: onStart/)])
  })
})

test('U05 everything is restored, after an exception too', async () => {
  const words = ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'fetch', 'Date']
  const globals = (): readonly unknown[] => [
    ...words.map((word) => Object.getOwnPropertyDescriptor(globalThis, word)),
    Object.getOwnPropertyDescriptor(Math, 'random'),
    Object.getOwnPropertyDescriptor(process, 'exit'),
    Object.getOwnPropertyDescriptor(console, 'log'),
    performance.now,
  ]
  const before = globals()
  const lines = await runOf({
    onStart: () => {
      expect(globals()).not.toEqual(before)
      throw new Error('enough')
    },
  })
  expect(lines).toEqual([expect.stringContaining('Error: enough')])
  expect(globals()).toEqual(before)
})

test('U05 between two callbacks of a stretch everything works normally', () => {
  const guard = createStrategyGuard()
  guard.enter()
  try {
    expect(Math.abs(Date.now() - Date.parse(new Date().toISOString()))).toBeLessThan(10_000)
    expect(Math.random()).not.toBe(Math.random())
    guard.seat = { name: 'own', now: 5_000_000 as never, random: () => 0.25 }
    expect([Math.random(), Date.now()]).toEqual([0.25, 5_000])
  } finally {
    guard.seat = null
    guard.leave()
  }
})

test('P05 console and venue.log go to the log with virtual time', () => {
  const lines: string[] = []
  const guard = createStrategyGuard({ write: (line) => void lines.push(line) })
  guard.enter()
  guard.seat = { name: 'own', now: 1_767_603_600_000_000 as never, random: () => 0 }
  console.log('a %s', 'b', { c: 1 })
  guard.log(guard.seat, 'd')
  guard.seat = null
  guard.leave()
  expect(lines).toEqual(['2026-01-05T09:00:00Z own: a b { c: 1 }\n', '2026-01-05T09:00:00Z own: d\n'])
})
