/**
 * Every figure of a report can be computed from the tables of its run: lines of equity, returns, profit and leverage,
 * drawdowns, positions, fills, prices and totals. The test runs five scenarios, which takes more than five seconds. It
 * needs no built program, because it builds the page's model from the folder.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { formatInputError, parseIsoTime } from '../../src/core/index.ts'
import { type FileRow, openReadableRun, readTable, runDocument, runFile } from '../../src/host/index.ts'
import type { Fall, Line, Run, Wallet } from '../../src/report/payload.ts'
import { readRun } from '../../src/report/run-model.ts'
import { repository } from '../support/repository.ts'

const home = mkdtempSync(join(tmpdir(), 'pitclock-figures-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

const START = '2026-01-05T00:00:00Z'
const perpetual = 'BTC_USDC-PERPETUAL'
const order = (as: string, side: 'buy' | 'sell', price: number | null): object => ({
  as,
  call: `private/${side}`,
  params: {
    instrument_name: perpetual,
    amount: 0.1,
    ...(price === null ? { type: 'market' } : { price }),
  },
})
const index = (price: number): object => ({
  call: 'sim/set_index',
  params: { index_name: 'btc_usdc', price },
})

/** A profit before a deposit, fees, paid funding, and a fall after which the old peak is reached exactly. */
const document = {
  version: 1,
  title: 'A long position with a deposit',
  start: START,
  until: '2026-01-06T12:00:00Z',
  instruments: [perpetual],
  index: { btc_usdc: 60_000 },
  record: { equity: '1h', metrics: { every: '1h' } },
  venue: { price_bands: false, marks: 'index' },
  accounts: { long: { deposit: { USDC: 10_000 } }, short: { deposit: { USDC: 20_000 } } },
  steps: [
    { at: '1m', ...order('short', 'sell', 60_000) },
    { at: '2m', ...order('long', 'buy', null) },
    { at: '150m', ...index(66_000) },
    { at: '210m', ...index(63_000) },
    { at: '270m', ...index(66_000) },
    {
      at: '300m',
      call: 'sim/deposit',
      params: { account: 'long', currency: 'USDC', amount: 5_000 },
    },
    { at: '390m', ...index(64_000) },
    { at: '500m', ...order('short', 'buy', 64_000) },
    { at: '501m', ...order('long', 'sell', null) },
    { at: '20h', ...order('long', 'sell', 64_500) },
    { at: '21h', ...order('short', 'buy', null) },
    { at: '30h', ...index(65_000) },
  ],
}

interface Found {
  readonly run: Run
  readonly rows: Readonly<Record<string, readonly FileRow[]>>
  readonly from: number
  readonly until: number
}

const names = [
  'cash',
  'fills',
  'funding',
  'settlements',
  'liquidations',
  'equity',
  'marks',
  'metrics',
  'instruments',
  'given_positions',
] as const

async function found(name: string, source: string | object): Promise<Found> {
  const out = join(home, name)
  const ran = typeof source === 'string' ? await runFile(source, { out }) : await runDocument(source, { out })
  if (!ran.ok) throw new Error(ran.error.lines.join('\n'))
  const rows: Record<string, FileRow[]> = {}
  for (const table of names) {
    const opened = await readTable(out, table)
    if (!opened.ok) throw new Error(formatInputError(opened.error))
    const all: FileRow[] = []
    for await (const batch of opened.value.batches()) all.push(...batch)
    await opened.value.close()
    rows[table] = all
  }
  const folder = await openReadableRun(out)
  if (!folder.ok) throw new Error(formatInputError(folder.error))
  const run = await readRun(folder.value, { points: 1_000_000, runs: 1 })
  const [from, until] = [ran.value.from, ran.value.until].map((text) => {
    const time = parseIsoTime(text)
    return time.ok ? time.value / 1e6 : Number.NaN
  }) as [number, number]
  return { run, rows, from, until }
}

/** The value of a line at a time: its last point at or before it, or 0. */
function at({ time, value }: Line, when: number): number {
  return value[time.findLastIndex((one) => one <= when + 1e-9)] ?? 0
}

/** The value of a line strictly before a time. */
function valueBefore({ time, value }: Line, when: number): number {
  return value[time.findLastIndex((one) => one < when - 1e-9)] ?? 0
}

const num = (row: FileRow, column: string): number => Number(row[column] ?? 0)
const secondsOf = (row: FileRow): number => num(row, 'time') / 1e6
const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0)

/** Rows of an account up to a time. */
function until(rows: readonly FileRow[] = [], account: string, when = Number.POSITIVE_INFINITY): readonly FileRow[] {
  return rows.filter((row) => row['account'] === account && secondsOf(row) <= when)
}

/** Money that an account paid, received and was given in a currency until a time. */
function partsOf({ rows }: Found, of: { account: string; currency: string }, when: number): Record<string, number> {
  const { account, currency } = of
  const inCurrency = (table: string, column = 'currency'): readonly FileRow[] =>
    until(rows[table], account, when).filter((row) => row[column] === currency)
  const settled = inCurrency('settlements').filter((row) => row['scope'] === 'account')
  return {
    flow: sum(inCurrency('cash').map((row) => num(row, 'change'))),
    funding: sum(inCurrency('funding').map((row) => num(row, 'funding'))),
    fees:
      sum(inCurrency('fills', 'fee_currency').map((row) => num(row, 'fee'))) +
      sum(settled.map((row) => num(row, 'fee'))) +
      sum(inCurrency('liquidations').map((row) => num(row, 'commission'))),
    insurance: sum(settled.map((row) => num(row, 'session_bankruptcy') - num(row, 'session_tax'))),
  }
}

/** The falls of a curve that begins with 1 below its highest point, computed in the slow and obvious way. */
function fallsOf({ time, value }: Line): readonly Fall[] {
  const [times, values] = [
    [time[0] ?? 0, ...time],
    [1, ...value],
  ]
  const falls: Fall[] = []
  let peak = 0
  for (let place = 1; place <= values.length; place += 1) {
    const isOver = place === values.length
    if (!isOver && (values[place] ?? 0) < (values[peak] ?? 0)) continue
    const inside = values.slice(peak + 1, place)
    const low = Math.min(...inside)
    if (inside.length > 0) {
      falls.push({
        start: times[peak] ?? 0,
        valley: times[peak + 1 + inside.indexOf(low)] ?? 0,
        recovery: isOver ? null : (times[place] ?? 0),
        depth: low / (values[peak] ?? 0) - 1,
      })
    }
    peak = place
  }
  return falls.toSorted((left, right) => left.depth - right.depth)
}

const cases: readonly (readonly [string, string | object])[] = [
  ['a deposit', document],
  ...['ledger/metrics-over-days', 'liquidation/auto-deleveraging', 'options/call-to-expiry'].map(
    (file): readonly [string, string] => [file.replace('/', '-'), join(repository, `scenarios/${file}.yaml`)],
  ),
]

describe.each(cases)('D4 D14 D15 the report of %s', (name, source) => {
  const all = found(name, source)

  /** Calls `check` for each currency of each account. */
  async function eachWallet(
    check: (wallet: Wallet, of: { account: string; currency: string }, found: Found) => void,
  ): Promise<void> {
    const known = await all
    let wallets = 0
    for (const { name: account, wallets: own } of known.run.accounts) {
      for (const wallet of own) {
        if (wallet.currency === 'USD') continue
        check(wallet, { account, currency: wallet.currency }, known)
        wallets += 1
      }
    }
    expect(wallets).toBeGreaterThan(0)
  }

  test('has the profit parts of the tables, at each time', async () => {
    await eachWallet(({ split, equity }, of, known) => {
      const tables = ['cash', 'fills', 'funding', 'settlements', 'liquidations', 'equity']
      const times = new Set(tables.flatMap((table) => (known.rows[table] ?? []).map(secondsOf)))
      for (const when of times) {
        const { flow = 0, funding = 0, fees = 0, insurance = 0 } = partsOf(known, of, when)
        if (split === null) throw new Error('a currency has its split')
        expect(at(split.fees, when), `fees at ${when}`).toBeCloseTo(-fees, 8)
        expect(at(split.funding, when), `funding at ${when}`).toBeCloseTo(funding, 8)
        expect(at(split.insurance, when), `insurance at ${when}`).toBeCloseTo(insurance, 8)
        const earned = at(split.price, when) + funding - fees + insurance
        if (equity.time[0] !== undefined && equity.time[0] <= when) {
          expect(Math.abs(at(equity, when) - flow - earned), `price at ${when}`).toBeLessThan(1e-6)
        }
      }
    })
  })

  test('has the equity and margins of each sample, and computes the equity between them', async () => {
    await eachWallet(({ equity, initial, maintenance, drift }, { account, currency }, { rows }) => {
      const samples = until(rows['equity'], account).filter((row) => row['currency'] === currency)
      const latest = new Map<number, number>()
      for (const row of Object.values(rows).flat()) {
        latest.set(secondsOf(row), Math.max(num(row, 'event'), latest.get(secondsOf(row)) ?? 0))
      }
      for (const row of samples) {
        // A line shows the end of each instant; a sample may show its beginning.
        if (num(row, 'event') < (latest.get(secondsOf(row)) ?? 0)) continue
        expect(at(equity, secondsOf(row))).toBeCloseTo(num(row, 'equity'), 8)
        if (num(row, 'equity') <= 0) continue
        expect(at(initial as Line, secondsOf(row))).toBeCloseTo(num(row, 'initial_margin') / num(row, 'equity'), 8)
        expect(at(maintenance as Line, secondsOf(row))).toBeCloseTo(
          num(row, 'maintenance_margin') / num(row, 'equity'),
          8,
        )
      }
      expect(drift).toBeLessThan(0.001)
    })
  })

  test('has a return curve that deposits do not move, its falls, and its returns', async () => {
    await eachWallet(({ growth, falls, returns, equity }, { account, currency }, known) => {
      const flows = until(known.rows['cash'], account).filter((row) => row['currency'] === currency)
      const times = [...new Set(flows.map(secondsOf))]
      let value = 1
      let base = 0
      for (const when of times) {
        const now = flows.filter((row) => secondsOf(row) === when).map((row) => num(row, 'change'))
        if (base > 0) {
          value *= valueBefore(equity, when) / base
          expect(valueBefore(growth, when), `growth before ${when}`).toBeCloseTo(value, 7)
        }
        base = valueBefore(equity, when) + sum(now)
      }
      if (base > 0 && times.length > 0) {
        value *= Math.max(0, at(equity, known.until)) / base
        expect(at(growth, known.until), 'growth at the end').toBeCloseTo(value, 7)
      }
      expect(falls).toEqual(
        fallsOf(growth)
          .slice(0, 10)
          .map((fall) => ({ ...fall, depth: expect.closeTo(fall.depth, 12) })),
      )
      const product = [...returns.line.value].reduce((all, one) => all * (1 + one), 1)
      expect(product).toBeCloseTo(growth.value.at(-1) ?? 1, 7)
      expect(returns.line.time.at(-1) ?? known.until).toBe(known.until)
    })
  })

  test('has the leverage of its positions in futures', async () => {
    await eachWallet(({ leverage, equity }, { account, currency }, { rows }) => {
      const listed = (rows['instruments'] ?? []).filter((row) => row['settlement_currency'] === currency)
      if (listed.some((row) => String(row['kind']).startsWith('option')) || leverage === null) return
      for (const when of until(rows['equity'], account).map(secondsOf)) {
        const notionals = listed.map((row) => {
          const ofIt = (table: string): readonly FileRow[] =>
            (rows[table] ?? []).filter((one) => one['instrument'] === row['instrument'] && secondsOf(one) <= when)
          const moved = [...ofIt('fills'), ...ofIt('liquidations'), ...ofIt('given_positions')]
            .filter((one) => one['account'] === account && (one['position'] ?? null) !== null)
            .toSorted((left, right) => num(left, 'event') - num(right, 'event'))
          const settled = ofIt('settlements').some((one) => one['type'] === 'delivery')
          const mark = num(ofIt('marks').findLast((one) => one['kind'] === 'mark') ?? {}, 'price')
          const size = settled ? 0 : Math.abs(num(moved.at(-1) ?? {}, 'position'))
          return size === 0 ? 0 : row['payoff'] === 'inverse' ? size / mark : size * mark
        })
        if (at(equity, when) > 0 && Number.isFinite(at(leverage, when))) {
          expect(at(leverage, when), `leverage at ${when}`).toBeCloseTo(sum(notionals) / at(equity, when), 5)
        }
      }
    })
  })

  test('has each fill, position, price and figure', async () => {
    const { run, rows } = await all
    const pairs = ({ time, value }: Line): readonly (readonly [number, number])[] =>
      [...time].map((when, place) => [when, value[place] ?? 0])
    for (const { name: account, activities, figures } of run.accounts) {
      for (const { instrument, position, buys, sells } of activities) {
        const own = until(rows['fills'], account).filter((row) => row['instrument'] === instrument)
        const ofSide = (side: string): readonly (readonly [number, number])[] =>
          own.filter((row) => row['side'] === side).map((row) => [secondsOf(row), num(row, 'price')])
        expect(pairs(buys)).toEqual(ofSide('buy'))
        expect(pairs(sells)).toEqual(ofSide('sell'))
        for (const [place, row] of own.entries()) {
          if (own[place + 1] !== undefined && secondsOf(own[place + 1] ?? row) === secondsOf(row)) continue
          const later = until([...(rows['liquidations'] ?? []), ...(rows['settlements'] ?? [])], account)
          if (later.some((one) => secondsOf(one) === secondsOf(row))) continue
          expect(at(position, secondsOf(row))).toBeCloseTo(num(row, 'position'), 9)
        }
      }
      const reported = (rows['metrics'] ?? []).filter((row) => row['account'] === account)
      expect(figures).toHaveLength(reported.length)
      for (const [place, row] of reported.entries()) {
        expect(figures[place]).toMatchObject({
          metric: row['metric'],
          value: row['value'] ?? null,
          reason: row['reason'] ?? null,
        })
      }
    }
    for (const { name: market, mark } of run.markets) {
      const marks = (rows['marks'] ?? []).filter((row) => row['kind'] === 'mark' && row['instrument'] === market)
      for (const [when, value] of pairs(mark)) {
        const row = marks.findLast((one) => secondsOf(one) <= when + 1e-9)
        if (secondsOf(row ?? {}) !== when || marks.filter((one) => secondsOf(one) === when).length === 1) {
          expect(value).toBe(num(row ?? {}, 'price'))
        }
      }
    }
  })
})

test('D15 profit at the instant of a deposit counts before the deposit', async () => {
  const steps = document.steps.flatMap((step) =>
    step.at === '300m' ? [{ at: '300m', ...index(67_000) }, step] : [step],
  )
  const { run } = await found('once-more', { ...document, steps })
  const [wallet] = run.accounts[0]?.wallets ?? []
  // The position has earned 700, less its fee of 3, when 5,000 are deposited.
  const deposit = Date.parse(START) / 1_000 + 300 * 60
  expect(at(wallet?.growth as Line, deposit)).toBeCloseTo(1.0697, 9)
})
