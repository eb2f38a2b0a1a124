/**
 * Law: what an account under portfolio margin is said to have to spare within a box, it has at every state of the box
 * that a run comes to (`engine/value/portfolio-spare.ts`): prices at its edges, other volatilities, later times.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatScaled } from '../../src/core/index.ts'
import { createExchange, type Exchange, marginsOfPool } from '../../src/engine/index.ts'
import { ALL_CURRENCIES } from '../../src/engine/state/index.ts'
import { optionMoves } from '../../src/engine/value/option-drift.ts'
import { sparesWithin } from '../../src/engine/value/portfolio-spare.ts'
import { SCENARIO_CELLS, scaledProfits, scenarioTable } from '../../src/margin/index.ts'
import {
  type Currency,
  currencyIdOf,
  defaultConfig,
  defaultPortfolioTerms,
  type MarginModel,
} from '../../src/model/index.ts'
import {
  type OptionContract,
  type OptionMarket,
  optionPrice9,
  optionStresses9,
  shockedVolatilities,
} from '../../src/pricing/index.ts'
import { type Market, market, start } from '../support/harness.ts'
import { askedRuns, askedSeed, isWhole } from '../support/property-runs.ts'

const HOUR = 3_600_000_000
const futures = ['BTC-PERPETUAL', 'BTC-30JAN26', 'ETH-PERPETUAL', 'BTC_USDC-PERPETUAL'] as const
const options = [
  ...['BTC-6JAN26-50000-C', 'BTC-6JAN26-49000-P', 'BTC-30JAN26-80000-C', 'BTC-30JAN26-70000-P'],
  ...['BTC-25DEC26-20000-C', 'ETH-30JAN26-3000-P', 'BTC_USDC-30JAN26-50000-C'],
  ...['BTC_USDC-6JAN26-52000-P'],
] as const
const levels = { btc_usd: 50_000, eth_usd: 3_000, btc_usdc: 50_000 } as const

/** Instruments and amounts of each, in a tenth of what is usual of it. */
const held = [
  ...futures.map((name) => [name, name.includes('USDC') ? 1 : 5_000] as const),
  ...options.map((name) => [name, 1] as const),
] as const

interface Case {
  readonly model: MarginModel
  /** BTC, ETH and USDC of the account; what it owes is a loss. */
  readonly money: readonly number[]
  readonly sizes: readonly number[]
  readonly part: number
  /** Where each index goes to within the box, as a part of its way to the edge. */
  readonly ways: readonly number[]
  readonly minutes: number
  /** Options whose marks are set, and to what part of what they are. */
  readonly pins: readonly (readonly [number, number])[]
  readonly skew: number
}

const way = fc.oneof(fc.constantFrom(-1, 1), fc.double({ min: -1, max: 1, noNaN: true }))
const size = fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.integer({ min: -40, max: 40 }))
const caseArbitrary: fc.Arbitrary<Case> = fc.record({
  model: fc.constantFrom('segregated_pm' as const, 'cross_pm' as const),
  money: fc.tuple(...[20, 100, 500_000].map((max) => fc.integer({ min: 0, max }))),
  sizes: fc.array(size, { minLength: held.length, maxLength: held.length }),
  part: fc.constantFrom(0.004, 0.016, 0.064, 0.256),
  ways: fc.array(way, { minLength: 3, maxLength: 3 }),
  minutes: fc.integer({ min: 0, max: 60 }),
  pins: fc.array(
    fc.tuple(
      fc.integer({ min: 0, max: options.length - 1 }),
      fc.double({ min: 0.9, max: 1.1, noNaN: true }),
    ),
    { maxLength: 2 },
  ),
  skew: fc.integer({ min: -300_000_000, max: 300_000_000 }),
})

function marketOf({ model, money, sizes, skew }: Case): Market {
  const [BTC = 0, ETH = 0, USDC = 0] = money
  const smile = { atm9: 700_000_000, skew9: skew, curvature9: 200_000_000 }
  const m = market({
    skipsAll: false,
    instruments: Object.fromEntries(held.map(([name]) => [name, {}])),
    accounts: {
      other: { BTC: '100000' },
      holder: { BTC: `${BTC}`, ETH: `${ETH}`, USDC: `${USDC}` },
    },
    models: { holder: model },
    index: Object.fromEntries(Object.entries(levels).map(([name, level]) => [name, `${level}`])),
    config: { smiles: { btc_usd: smile, eth_usd: smile, btc_usdc: smile } },
  })
  for (const [at, [name, unit]] of held.entries()) {
    const lots = sizes[at] ?? 0
    if (lots === 0) continue
    const row = m.exchange.instruments.find(({ instrument }) => instrument.name === name)
    m.give('holder', `${lots * unit}`, formatScaled(BigInt(row?.mark ?? 0), 9), name)
  }
  return m
}

/** The exact figures that a bound is of, by the currency of the pool. */
function exactSpares(
  exchange: Exchange,
  holder: Market['exchange']['accounts'][number],
): Map<number, number> {
  const { id, marginModel } = holder.account
  const spareOf = (currency: Currency | null): number => {
    const { marginBalance, maintenance } = marginsOfPool(exchange, { account: id, currency })
    return Number(marginBalance - maintenance)
  }
  if (marginModel === 'cross_pm') return new Map([[ALL_CURRENCIES, spareOf(null)]])
  const currencies = holder.risk.pairs.map(({ group: { isCoin }, index }): Currency => {
    if (!isCoin) return 'USDC'
    return index.name === 'btc_usd' ? 'BTC' : 'ETH'
  })
  return new Map(currencies.map((currency) => [currencyIdOf(currency), spareOf(currency)]))
}

function isWithinBox(m: Market, before: readonly number[], part: number): boolean {
  return m.exchange.instruments.every(({ option }, at) => {
    const apart = Math.abs((option?.volatility9 ?? 0) - (before[at] ?? 0))
    return apart <= part * 1e9
  })
}

test('no state of a box leaves less than is said', () => {
  const met = { compared: 0 }
  fc.assert(
    fc.property(caseArbitrary, (some) => {
      // An account without positions has no pool.
      fc.pre(some.sizes.some((lots) => lots !== 0))
      const m = marketOf(some)
      const { exchange } = m
      const holder = exchange.accounts.find(({ account }) => account.name === 'holder')
      if (holder === undefined) throw new Error('there is a holder')
      const volatilities = exchange.instruments.map(({ option }) => option?.volatility9 ?? 0)
      const bounds = sparesWithin(exchange, holder, { part: some.part, until: exchange.now + HOUR })
      const now = sparesWithin(exchange, holder, { part: 0, until: exchange.now })
      if (bounds === null || now === null) return
      for (const [pool, exact] of exactSpares(exchange, holder)) {
        expect(now.get(pool)).toBeLessThanOrEqual(exact)
        expect(bounds.get(pool)).toBeLessThanOrEqual(now.get(pool) ?? 0)
      }
      m.wait(some.minutes * 60_000_000)
      for (const [at, [name, level]] of Object.entries(levels).entries()) {
        const to = level * (1 + some.part * (some.ways[at] ?? 0))
        m.index(name, formatScaled(BigInt(Math.round(to * 100)), 2))
      }
      for (const [which, factor] of some.pins) {
        const name = options[which] ?? ''
        const at = exchange.instruments.findIndex(({ instrument }) => instrument.name === name)
        const mark = exchange.instruments[at]?.mark ?? 0
        m.mark(formatScaled(BigInt(Math.round((mark * factor) / 1e5) + 1), 4), name)
      }
      if (!isWithinBox(m, volatilities, some.part)) return
      for (const [pool, exact] of exactSpares(exchange, holder)) {
        met.compared += 1
        const bound = bounds.get(pool) ?? 0
        expect(exact).toBeGreaterThanOrEqual(bound)
      }
    }),
    { numRuns: askedRuns(4000, 1, 80), ...askedSeed(5) },
  )
  if (isWhole) expect(met.compared).toBeGreaterThan(100)
})

const tables = ['btc_usd', 'eth_usd'].map((name) => scenarioTable(defaultPortfolioTerms(name)))
const within = fc.oneof(fc.constantFrom(-1, 0, 1), fc.double({ min: -1, max: 1, noNaN: true }))

const optionArbitrary = fc.record({
  table: fc.constantFrom(...tables),
  right: fc.constantFrom('call' as const, 'put' as const),
  isCoin: fc.boolean(),
  strike: fc.integer({ min: 10_000, max: 200_000 }),
  volatility: fc.integer({ min: 10, max: 3_000 }),
  /** Minutes that it has left, and that go by. */
  left: fc.oneof(fc.integer({ min: 2, max: 2_000 }), fc.integer({ min: 2, max: 600_000 })),
  gone: fc.double({ min: 0, max: 0.5, noNaN: true }),
  part: fc.constantFrom(0.004, 0.032, 0.256),
  ways: fc.tuple(within, within, within),
})

test('no option moves farther within a box than is said, in worth and in any scenario', () => {
  const exchange = createExchange(defaultConfig(start), { emit: () => undefined })
  const forward9 = 50_000_000_000_000
  let closest = 0
  fc.assert(
    fc.property(optionArbitrary, (some) => {
      const { table, right, isCoin, part, left, gone } = some
      const [price, volatile, timely] = some.ways
      const expiration = start + left * 60_000_000
      const strike9 = some.strike * 1_000_000_000
      const contract: OptionContract = { right, strike9, expiration, isCoin, step9: 1 }
      const volatility9 = some.volatility * 1_000_000
      const before = { forward9, volatility9, time: start as number }
      const until = start + Math.floor(left * gone) * 60_000_000
      const after = {
        forward9: Math.round(forward9 * (1 + part * price)),
        volatility9: Math.max(1_000_000, Math.round(volatility9 + part * volatile * 1e9)),
        time: start + Math.floor(left * gone * Math.abs(timely)) * 60_000_000,
      }
      const row = { option: { contract }, risk: before, mark: 0 }
      const moves = optionMoves(exchange, row as never, { table, box: { part, until } })
      if (moves === null) throw new Error('an option with time left has a bound')
      const worth = Math.abs(optionPrice9(contract, after) - optionPrice9(contract, before))
      expect(worth).toBeLessThanOrEqual(moves.worth)
      closest = Math.max(closest, worth / moves.worth)
      const [first, second] = [before, after].map((market) => profitsOf(contract, market, table))
      for (let cell = 0; cell < SCENARIO_CELLS; cell += 1) {
        const moved = Math.abs((second?.[cell] ?? 0) - (first?.[cell] ?? 0))
        expect(moved).toBeLessThanOrEqual(moves.profit(cell))
      }
    }),
    { numRuns: askedRuns(50_000, 1, 1500), ...askedSeed(6) },
  )
  // The bound is not far from what there is.
  if (isWhole) expect(closest).toBeGreaterThan(0.7)
})

/** Profits of one coin in every scenario, as the engine finds them. */
function profitsOf(
  contract: OptionContract,
  market: OptionMarket,
  table: (typeof tables)[number],
): Float64Array {
  const { volatility9, time } = market
  const { expiration, isCoin } = contract
  const { up9, same9, down9 } = shockedVolatilities(table.terms, { volatility9, expiration, time })
  const volatilities = { up: up9, same: same9, down: down9 }
  const shocks = table.scenarios.map(({ movePpm, volatility }) => ({
    movePpm,
    volatility9: volatilities[volatility],
  }))
  return scaledProfits(table, optionStresses9(contract, market, shocks), isCoin)
}
