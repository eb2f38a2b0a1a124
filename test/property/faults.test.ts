/**
 * Faults of messages in a market of traders and strategies: whatever happens between the exchange and the strategies,
 * the books stay correct, and the same seed gives the same run, even if it is cut, resumed or replayed from its
 * journal. Faults with probability zero change nothing.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import insideQuoter from '../../scenarios/backtest/inside-quoter.ts'
import carefulBuyer from '../../scenarios/faults/careful-buyer.ts'
import { type RunReport, runDocument, runFile } from '../../src/node.ts'
import { type GivenStrategies, runWithCuts } from '../support/backtest-run.ts'
import { askedRuns, askedSeed, unreached } from '../support/property-runs.ts'

const home = mkdtempSync(join(tmpdir(), 'pitclock-faults-'))
afterAll(() => rmSync(home, { recursive: true }))

const instrument = 'BTC-PERPETUAL'
const quoter = { instrument, size: 100, max_position: 2000, min_equity: 0.1 }
const buyer = { instrument, currency: 'BTC', price: 99_000, amount: 10, orders: 5 }
const strategies: GivenStrategies = {
  quoter: insideQuoter as never,
  buyer: carefulBuyer as never,
}

/** A market of a few traders for ten seconds; YAML takes JSON. */
function market(faults: readonly object[] | null): object {
  const latency = { feed: '2ms', entry: '3ms', response: '3ms' }
  return {
    version: 1,
    title: 'A market whose messages meet faults',
    seed: 11,
    start: '2026-01-05T09:00:00Z',
    until: '12s',
    instruments: [instrument],
    accounts: { quoter: { deposit: { BTC: 5 } }, buyer: { deposit: { BTC: 5 } } },
    ...(faults === null ? {} : { faults }),
    strategies: [
      { account: 'quoter', module: 'quoter', params: quoter, latency },
      { account: 'buyer', module: 'buyer', params: { ...buyer, patience: '300ms' }, latency },
    ],
    population: {
      instrument,
      duration: '10s',
      index: { name: 'btc_usd', price: 100_000, tick: 0.5, every: '1s', step: 12 },
      amount: 10,
      makers: {
        count: 4,
        deposit: { BTC: 20 },
        every: '1s',
        orders: 6,
        offset: [4, 60],
        size: [10, 400],
      },
      takers: { count: 4, deposit: { BTC: 5 }, every: '1s', size: [5, 300], limit_percent: 25 },
    },
  }
}

let files = 0
function fileOf(document: object): string {
  files += 1
  const file = join(home, `market-${files}.yaml`)
  writeFileSync(file, JSON.stringify(document))
  return file
}

const times = fc.record(
  {
    from: fc.integer({ min: 0, max: 8_000 }).map((millis) => `${millis}ms`),
    until: fc.integer({ min: 8_001, max: 12_000 }).map((millis) => `${millis}ms`),
  },
  { requiredKeys: [] },
)
const account = fc.constantFrom({}, { account: 'quoter' }, { account: 'buyer' })
const often = fc.oneof(
  fc.constant({}),
  fc.constantFrom(0.1, 0.5, 0.9).map((probability) => ({ probability })),
  fc.integer({ min: 1, max: 5 }).map((every) => ({ every })),
  fc.integer({ min: 1, max: 4 }).map((most) => ({ most })),
)
const names = fc.oneof(
  fc.constantFrom({}, { methods: ['private/buy'] }).map((methods) => ({ of: 'replies', ...methods })),
  fc
    .constantFrom({}, ...['book', 'user.orders', 'trades', 'ticker'].map((name) => ({ channels: [name] })))
    .map((channels) => ({ of: 'notifications', ...channels })),
)
const by = fc.integer({ min: 1, max: 900 }).map((millis) => ({ by: `${millis}ms` }))

function merged(...parts: fc.Arbitrary<object>[]): fc.Arbitrary<object> {
  return fc.tuple(...parts).map((each) => Object.assign({}, ...each) as object)
}

const fault = fc.oneof(
  ...['drop', 'double'].map((kind) => merged(fc.constant({ kind }), names, often, account, times)),
  ...['delay', 'reorder'].map((kind) => merged(fc.constant({ kind }), names, by, often, account, times)),
  merged(
    fc
      .constantFrom('too_many_requests', 'temporarily_unavailable', 'system_maintenance')
      .map((reason) => ({ kind: 'refuse', reason })),
    often,
    account,
    times,
  ),
  merged(fc.constant({ kind: 'half_open' }), account, times),
)
const faultLists = fc.array(fault, { minLength: 1, maxLength: 4 })

/** A whole run of a file, whose state is audited before every input; with a folder it writes a journal. */
async function run(file: string, out: string | null = null): Promise<RunReport> {
  const document = JSON.parse(readFileSync(file, 'utf8')) as object
  const done = await runDocument(document, {
    strategies: { quoter: insideQuoter, buyer: carefulBuyer },
    audit: true,
    out,
    force: true,
  })
  if (!done.ok) throw new Error(done.error.lines.join('\n'))
  return done.value
}

describe('faults of messages', () => {
  test('leave the exchange correct, and repeat in each run: cut, resumed or from its journal', async () => {
    const out = join(home, 'run')
    const seen = new Map<string, number>()
    await fc.assert(
      fc.asyncProperty(faultLists, fc.integer({ min: 20, max: 200 }), async (faults, every) => {
        const file = fileOf(market(faults))
        const first = await run(file, out)
        for (const { kind, count } of first.faults) seen.set(kind, (seen.get(kind) ?? 0) + count)
        expect((await run(file)).faults).toEqual(first.faults)
        const cut = await runWithCuts(file, every, strategies)
        expect(cut.cuts).toBeGreaterThan(0)
        expect(cut.digest).toBe(first.digest)
        const again = await runFile(join(out, 'journal.jsonl'))
        expect(again.ok && again.value.digest).toBe(first.digest)
      }),
      { numRuns: askedRuns(60, 1, 2), ...askedSeed(5) },
    )
    expect(unreached(['drop', 'delay', 'double', 'reorder', 'refuse', 'half_open'], seen)).toEqual([])
  }, 120_000)

  test('with probability zero change nothing', async () => {
    const without = await run(fileOf(market(null)))
    const never = faultsOfEachKind.map((rule) => ({ ...rule, probability: 0 }))
    const over = { kind: 'half_open', from: '1h' }
    const report = await run(fileOf(market([...never, over])))
    expect(report.faults).toEqual([])
    expect(report.digest).toBe(without.digest)
    expect((await run(fileOf(market([])))).digest).toBe(without.digest)
    const always = await run(fileOf(market(faultsOfEachKind)))
    expect(always.digest).not.toBe(without.digest)
  })
})

test('a step replaces the faults of the file, and a resumed run keeps the new ones', async () => {
  const reported = {
    faults: [{ kind: 'drop', of: 'notifications', account: 'quoter', probability: 0.5 }],
  }
  const file = fileOf({
    ...market([{ kind: 'double', of: 'replies' }]),
    steps: [
      { at: '1s', call: 'sim/set_faults', params: reported },
      { at: '6s', call: 'sim/set_faults', params: { faults: [] } },
      { at: '7s', call: 'sim/get_faults', expect: { result: { faults: [] } } },
    ],
  })
  const report = await run(file)
  expect(report.failures).toEqual([])
  expect(report.faults).toMatchObject([
    { kind: 'double', of: 'replies' },
    { kind: 'drop', of: 'notifications' },
  ])
  expect((await runWithCuts(file, 40, strategies)).digest).toBe(report.digest)
})

const faultsOfEachKind = [
  ...['replies', 'notifications'].flatMap((of) => [
    { kind: 'drop', of },
    { kind: 'double', of },
    { kind: 'delay', of, by: '5ms' },
    { kind: 'reorder', of },
  ]),
  { kind: 'refuse', reason: 'too_many_requests' },
]
