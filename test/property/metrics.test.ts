/**
 * Metrics of random markets follow from their tables: `test/support/naive-metrics.ts` recomputes them from the rows of
 * fills, orders, equity, settlements and book.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatInputError, parseIsoTime } from '../../src/core/index.ts'
import { type FileRow, readTable, runDocument } from '../../src/host/index.ts'
import { naiveMetrics, PERIOD_HOURS, type RunRows } from '../support/naive-metrics.ts'
import { askedRuns, askedSeed, isWhole } from '../support/property-runs.ts'

const START = '2026-01-05T00:00:00Z'
/** More than 30 periods and 7 days, so that annualised metrics have values; the last period is cut off. */
const HOURS = 33 * PERIOD_HOURS - 2
const RISK_FREE = 0.03

let home = ''
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'pitclock-metrics-'))
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

const step = fc.record({
  at: fc.integer({ min: 1, max: HOURS * 3_600_000 - 1 }),
  as: fc.constantFrom('maker', 'taker'),
  kind: fc.constantFrom('buy', 'sell', 'buy', 'sell', 'take', 'cancel', 'index'),
  offset: fc.integer({ min: -12, max: 12 }),
  size: fc.integer({ min: 1, max: 40 }),
})

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

function requestOf({ at, as, kind, offset, size }: Step): object {
  const instrument_name = 'BTC-PERPETUAL'
  const when = { at: `${at}ms` }
  const side = offset < 0 ? 'private/sell' : 'private/buy'
  switch (kind) {
    case 'index':
      return {
        ...when,
        call: 'sim/set_index',
        params: { index_name: 'btc_usd', price: 60_000 + 25 * offset },
      }
    case 'cancel':
      return { ...when, as, call: 'private/cancel_all', params: {} }
    case 'take':
      return {
        ...when,
        as,
        call: side,
        params: { instrument_name, amount: size * 10, type: 'market' },
      }
    default:
      return {
        ...when,
        as,
        call: `private/${kind}`,
        params: { instrument_name, amount: size * 10, price: 60_000 + 5 * offset },
      }
  }
}

function documentOf(steps: readonly Step[], deposits: readonly number[]): object {
  const times = [...new Map(steps.map((one) => [one.at, one])).values()]
  const flows = deposits.map((amount, at) => ({
    at: `${(at + 1) * PERIOD_HOURS}h`,
    call: 'sim/deposit',
    params: { account: 'maker', currency: 'BTC', amount: amount / 100 },
  }))
  const all = [
    ...times.map((one) => ({ at: one.at, step: requestOf(one) })),
    ...flows.map((flow, at) => ({ at: (at + 1) * PERIOD_HOURS * 3_600_000 - 0.5, step: flow })),
  ]
  return {
    version: 1,
    title: 'A random market',
    start: START,
    until: `${HOURS}h`,
    instruments: ['BTC-PERPETUAL'],
    index: { btc_usd: 60_000 },
    record: {
      book: true,
      equity: `${PERIOD_HOURS}h`,
      metrics: { every: `${PERIOD_HOURS}h`, risk_free: RISK_FREE },
    },
    accounts: { maker: { deposit: { BTC: 2 } }, taker: { deposit: { BTC: 2 } } },
    steps: all.toSorted((left, right) => left.at - right.at).map((one) => one.step),
  }
}

const tables = ['equity', 'cash', 'fills', 'orders', 'settlements', 'book', 'marks'] as const

async function rowsOf(folder: string): Promise<RunRows> {
  const found: Record<string, FileRow[]> = {}
  for (const table of tables) {
    const opened = await readTable(folder, table)
    if (!opened.ok) throw new Error(formatInputError(opened.error))
    const rows: FileRow[] = []
    for await (const batch of opened.value.batches()) rows.push(...batch)
    await opened.value.close()
    found[table] = rows
  }
  return found as unknown as RunRows
}

/** A relative tolerance, absolute for small values, because the naive version does not guard against cancellation. */
function isNear(found: number, expected: number): boolean {
  return Math.abs(found - expected) <= 1e-7 * Math.max(Math.abs(expected), 1e-2)
}

test('metrics follow from the tables', async () => {
  let compared = 0
  let markouts = 0
  let attributions = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 120, maxLength: 200 }),
      fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 0, maxLength: 6 }),
      async (steps, deposits) => {
        const out = join(home, 'run')
        const run = await runDocument(documentOf(steps, deposits), { out, force: true })
        if (!run.ok) throw new Error(run.error.lines.join('\n'))
        const rows = await rowsOf(out)
        const [start, until] = [START, run.value.until].map((text) => {
          const parsed = parseIsoTime(text)
          return parsed.ok ? parsed.value : 0
        }) as [number, number]
        for (const { account, currencies, instruments, orders } of run.value.metrics.accounts) {
          const expected = naiveMetrics(rows, { account, start, until, riskFree: RISK_FREE })
          const own = currencies.find(({ currency }) => currency === 'BTC')
          const found: Record<string, number | null> = {
            ...own?.figures,
            ...instruments[0]?.figures,
            ...orders.figures,
          }
          const figures: Readonly<Record<string, number | null>> = own?.figures ?? {}
          const parts = Object.entries(figures).filter(([name]) => name.startsWith('attribution_'))
          const attributed = parts.reduce((sum, [, value]) => sum + (value ?? 0), 0)
          const away = Math.abs(attributed - (figures['profit_price'] ?? 0))
          expect(away).toBeLessThan(1e-9 * ((figures['fills'] ?? 0) + 20))
          if (parts.length === 6) attributions += 1
          for (const [metric, value] of Object.entries(expected)) {
            const figure = found[metric] ?? null
            if (!Number.isFinite(value)) {
              expect([metric, figure], 'none in the tables').toEqual([metric, null])
              continue
            }
            if (figure === null || !isNear(figure, value)) {
              throw new Error(`${account} ${metric}: expected ${value}, found ${figure}`)
            }
            compared += 1
            if (metric.startsWith('markout')) markouts += 1
          }
        }
      },
    ),
    { numRuns: askedRuns(12, 1, 2), ...askedSeed(4_711), endOnFailure: true },
  )
  expect(compared).toBeGreaterThan(isWhole ? 600 : 0)
  if (!isWhole) return
  expect(markouts).toBeGreaterThan(100)
  expect(attributions).toBeGreaterThan(15)
})
