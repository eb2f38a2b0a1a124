/**
 * Profit from prices, attributed to greeks: the parts add up to it in every kind of run, each part follows its formula,
 * and the unexplained part vanishes as samples get closer.
 */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runDocument, runFile } from '../../../../src/host/index.ts'
import { sampleOf } from '../../../support/property-runs.ts'
import { repository } from '../../../support/repository.ts'

const parts = ['delta', 'gamma', 'vega', 'theta', 'residual', 'trading'] as const
type Parts = Readonly<Record<(typeof parts)[number], number>>
type Figures = Readonly<Record<string, number | null>>

function partsOf(figures: Figures): Parts {
  return Object.fromEntries(
    parts.map((part) => [part, figures[`attribution_${part}`] ?? Number.NaN]),
  ) as unknown as Parts
}

function sumOf(earned: Parts): number {
  return parts.reduce((sum, part) => sum + earned[part], 0)
}

/** Money is rounded to 1e-9 at each fill, settlement and delivery. */
function isSum(figures: Figures): boolean {
  const steps = (figures['fills'] ?? 0) + 20
  return Math.abs(sumOf(partsOf(figures)) - (figures['profit_price'] ?? 0)) <= 1e-9 * steps
}

async function figuresOfFile(name: string): Promise<readonly [string, Figures][]> {
  const run = await runFile(join(repository, 'scenarios', name))
  if (!run.ok) throw new Error(run.error.lines.join('\n'))
  return run.value.metrics.accounts.flatMap(({ account, currencies }) =>
    currencies
      .filter(({ figures }) => typeof figures['attribution_delta'] === 'number')
      .map(({ currency, figures }): [string, Figures] => [`${account} ${currency}`, figures]),
  )
}

describe('the parts add up to the profit by prices', () => {
  test.each(
    sampleOf(
      [
        ['backtest/cash-and-carry.yaml', ['delta', 'trading']],
        ['backtest/market-maker.yaml', ['delta', 'trading']],
        ['backtest/strangle-seller.yaml', ['delta', 'gamma', 'vega', 'theta', 'residual']],
        ['blocks/several-legs.yaml', ['trading']],
        ['liquidation/short-strangle.yaml', ['gamma', 'vega']],
        ['margin/move-positions.yaml', ['trading']],
        ['options/call-to-expiry.yaml', ['delta', 'gamma', 'theta']],
        ['options/calendar-spread-through-delivery.yaml', ['delta', 'gamma']],
        ['options/linear-put-to-expiry.yaml', ['delta', 'gamma']],
      ] as const,
      1,
    ),
  )('of %s', async (name, moved) => {
    const found = await figuresOfFile(name)
    expect(found.length).toBeGreaterThan(0)
    for (const [place, figures] of found) {
      expect([place, isSum(figures), partsOf(figures)]).toEqual([place, true, partsOf(figures)])
    }
    const reported = found.map(([, figures]) => partsOf(figures))
    for (const part of moved) expect(reported.some((one) => one[part] !== 0)).toBe(true)
  })
})

const option = 'BTC-27MAR26-60000-C'
const start = Date.UTC(2026, 0, 5, 7)
const expiry = Date.UTC(2026, 2, 27, 8)
const YEAR = 365 * 86_400_000
const MINUTE = 60_000

/** A call of Black-76 without interest, by the mathematics of the platform: value and greeks of one coin. */
function call76(forward: number, volatility: number, at: number) {
  const years = (expiry - at) / YEAR
  const spread = volatility * Math.sqrt(years)
  const d1 = Math.log(forward / 60_000) / spread + spread / 2
  const density = Math.exp((-d1 * d1) / 2) / Math.sqrt(2 * Math.PI)
  const value = forward * normal(d1) - 60_000 * normal(d1 - spread)
  return {
    value,
    // In coin the value itself is worth less as the forward rises.
    netDelta: normal(d1) - value / forward,
    gamma: density / (forward * spread),
    vega: (forward * density * Math.sqrt(years)) / 100,
    theta: (-forward * density * volatility) / (2 * Math.sqrt(years)) / 365,
  }
}

/** The normal distribution function by Simpson's rule. */
function normal(x: number): number {
  const steps = 2_000
  const width = x / steps
  const at = (k: number): number => Math.exp(-((k * width) ** 2) / 2)
  let sum = at(0) + at(steps)
  for (let k = 1; k < steps; k += 1) sum += (k % 2 === 0 ? 2 : 4) * at(k)
  return 0.5 + (sum * width) / 3 / Math.sqrt(2 * Math.PI)
}

/** A call bought at its value, with the following steps; the figures of its holder. */
async function figuresOfCall(steps: readonly object[], until: number): Promise<Figures> {
  const order = { instrument_name: option, amount: 1, price: 0.1 }
  const run = await runDocument({
    version: 1,
    title: 'A call is held',
    start: new Date(start).toISOString(),
    until: new Date(start + until).toISOString(),
    venue: { marks: 'index' },
    instruments: [option],
    index: { btc_usd: 60_000 },
    accounts: { writer: { deposit: { BTC: 10 } }, holder: { deposit: { BTC: 10 } } },
    steps: [
      { at: '0s', as: 'writer', call: 'private/sell', params: order },
      { at: '0s', as: 'holder', call: 'private/buy', params: order },
      ...steps,
    ],
  })
  if (!run.ok) throw new Error(run.error.lines.join('\n'))
  const holder = run.value.metrics.accounts.find(({ account }) => account === 'holder')
  const figures = holder?.currencies[0]?.figures ?? {}
  expect(isSum(figures)).toBe(true)
  return figures
}

function moveTo(price: number, at: number): object {
  const params = { index_name: 'btc_usd', price }
  return { at: `${at}ms`, call: 'sim/set_index', params }
}

describe('each part follows its formula', () => {
  test('a move of the forward earns delta and gamma of before it', async () => {
    // The index moves just after a whole minute, so that the interval before it is as short as possible.
    const moved = 30 * MINUTE + 1
    const found = partsOf(await figuresOfCall([moveTo(60_600, moved)], 31 * MINUTE))
    const before = call76(60_000, 0.6, start + moved)
    expect(found.delta).toBeCloseTo((before.netDelta * 600) / 60_600, 7)
    expect(found.gamma).toBeCloseTo((before.gamma * 600 * 600) / 2 / 60_600, 7)
    expect(found.vega).toBe(0)
    const decay = (before.theta * 31) / 1_440 / 60_000
    expect(Math.abs(found.theta / decay - 1)).toBeLessThan(0.01)
  })

  test('the difference between the price paid and the mark is trading', async () => {
    const found = partsOf(await figuresOfCall([], MINUTE))
    const { value } = call76(60_000, 0.6, start)
    expect(found.trading).toBeCloseTo(value / 60_000 - 0.1, 7)
    expect(found.delta).toBe(0)
  })

  test('the unexplained part vanishes as samples get closer', async () => {
    const residuals: number[] = []
    for (const pieces of [1, 4, 16]) {
      const steps = Array.from({ length: pieces }, (_, at) =>
        moveTo(60_000 + (6_000 * (at + 1)) / pieces, (at + 1) * MINUTE + 1),
      )
      const found = partsOf(await figuresOfCall(steps, 20 * MINUTE))
      residuals.push(Math.abs(found.residual))
      expect(found.delta).toBeGreaterThan(0.02)
    }
    const [whole = 0, four = 0, sixteen = 0] = residuals
    // The third order of a move falls with the square of the number of its pieces.
    expect(whole / four).toBeGreaterThan(8)
    expect(four / sixteen).toBeGreaterThan(6)
  })
})
