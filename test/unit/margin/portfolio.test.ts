/**
 * The matrices of portfolio margin compared with the published figures.
 * Source: market.md 6.5 (T81-T87).
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { divHalfAwayBig, formatScaled, micros, setWideBigint } from '../../../src/core/index.ts'
import {
  bucketOf,
  type ContractRisk,
  countedCells,
  createRiskGroup,
  dampedPrice,
  dampenersOf,
  deltaShock18,
  foreseeMatrix,
  type MatrixRisk,
  matrixRisk,
  offsetProfit,
  type RiskGroup,
  readCells,
  readMatrix,
  scaledProfits,
  scenarioTable,
  updateGroup,
} from '../../../src/margin/index.ts'
import { defaultPortfolioTerms, specFromName } from '../../../src/model/index.ts'
import {
  optionContract,
  optionDelta9,
  optionStresses9,
  rollMove9,
  shockedVolatilities,
} from '../../../src/pricing/index.ts'

const btcTerms = defaultPortfolioTerms('btc_usd')
const ethTerms = defaultPortfolioTerms('eth_usd')
const btc = scenarioTable(btcTerms)
const eth = scenarioTable(ethTerms)
const DAY = 86_400_000_000

/** Money in 1e-9 as text. */
function nano(value: bigint | undefined): string {
  return formatScaled(value ?? 0n, 9)
}

/** A future of so much coin: at a mark of 1 its amount is its size. */
function coins(size: string): { readonly risk: ContractRisk; readonly lots: number } {
  const lots = Math.round(Number(size) * 1e9)
  return { risk: { kind: 'future', mark9: 1_000_000_000, amountStep9: 1 }, lots }
}

function hold(
  group: RiskGroup,
  of: { readonly risk: ContractRisk; readonly lots: number },
  as: { readonly holding: number; readonly expiration: number },
): void {
  const sizes = { position: of.lots, buys: 0, sells: 0 }
  updateGroup(group, { ...as, risk: of.risk }, sizes)
}

function riskOf(group: RiskGroup, index9: number, time: number): MatrixRisk {
  const { terms } = group.table
  const { cells, deltas } = readMatrix(group, 0, (expiration) =>
    rollMove9(terms, expiration === 0 ? null : expiration, time),
  )
  const { table, isCoin } = group
  const dampeners = dampenersOf(table, index9)
  return matrixRisk({ table, cells, deltas, isCoin, index9, dampeners, cross: null })
}

describe('rule margin.portfolio.scenarios: a future in the standard table and beyond', () => {
  const group = createRiskGroup(eth, true)
  hold(group, coins('-0.999487053'), { holding: 0, expiration: 0 })
  const cells = readCells(readMatrix(group, 0, () => 5_000_000).cells)

  test('T81 moves of -18, -4.5, +4.5 and +18 %', () => {
    expect([0, 9, 15, 24].map((cell) => nano(cells[cell]))).toEqual([
      '0.219399597',
      '0.047096249',
      '-0.043040112',
      '-0.152464127',
    ])
  })

  test('T82 extended moves before dampening', () => {
    expect(cells.slice(27).map(nano)).toEqual([
      ...['0.219399597', '0.219399597', '-0.152464127', '-0.152464127'],
      ...['-0.152464127', '-0.152464127', '-0.152464127', '-0.152464127'],
    ])
  })

  test('T83 totals', () => {
    const risk = riskOf(group, 3_000_000_000_000, 0)
    expect(nano(risk.worst)).toBe('0.152464127')
    expect(formatScaled(risk.roll18, 18)).toBe('0.004997435265')
    expect(formatScaled(risk.risk18, 18)).toBe('0.157461562265')
    expect(formatScaled((risk.risk18 * 4n) / 5n, 18)).toBe('0.125969249812')
    // Rule: the worst case is in bucket 9 (market.md 6.5, 6).
    expect([risk.cell + 1, bucketOf(risk.cell)]).toEqual([25, 9])
  })

  test('T85 a profit that is set off in part', () => {
    expect(nano(offsetProfit(eth, 219_399_597n, 3_000_000_000_000))).toBe('0.131639758')
    // Up to 20,000,000 USD, at 3,000 USD 6,666.67 coins.
    expect(nano(offsetProfit(eth, 20_000_000_000_000n, 3_000_000_000_000))).toBe('6666.666666667')
  })
})

test('T84 a perpetual and a dated future', () => {
  const group = createRiskGroup(btc, true)
  hold(group, coins('0.314538364'), { holding: 0, expiration: 0 })
  hold(group, coins('-0.001187534'), { holding: 1, expiration: 11 * DAY })
  const risk = riskOf(group, 60_000_000_000_000, 0)
  expect(nano(risk.worst)).toBe('0.059685872')
  expect(formatScaled(risk.roll18, 18)).toBe('0.00315725898')
  expect(formatScaled((risk.risk18 * 4n) / 5n, 18)).toBe('0.050274504784')
})

test('T86 a short call', () => {
  const listed = specFromName('BTC-27MAR26-65000-C', { creation: micros(0) })
  if (!listed.ok) throw new RangeError('an option has a name')
  const contract = optionContract({ ...listed.value, expiration: micros(30 * DAY) })
  if (contract === null) throw new RangeError('an option has a contract')
  const market = { forward9: 60_000_000_000_000, volatility9: 600_000_000, time: 0 }
  const { up9, same9, down9 } = shockedVolatilities(btcTerms, 600_000_000, 30 * DAY, 0)
  const volatilities = { up: up9, same: same9, down: down9 }
  const shocks = btc.scenarios.map(({ movePpm, volatility }) => ({
    movePpm,
    volatility9: volatilities[volatility],
  }))
  const profits9 = scaledProfits(btc, optionStresses9(contract, market, shocks), true)
  const delta9 = optionDelta9(contract, market)
  const group = createRiskGroup(btc, true)
  const risk: ContractRisk = { kind: 'option', profits9, delta9, amountStep9: 1_000_000_000 }
  hold(group, { risk, lots: -1 }, { holding: 0, expiration: 30 * DAY })
  const read = readMatrix(group, 0, () => 0)
  const cells = readCells(read.cells)
  expect([0, 1, 2, 12, 13, 14, 24, 25, 26].map((cell) => nano(cells[cell]))).toEqual([
    ...['0.012355769', '0.031308004', '0.035959149'],
    ...['-0.033036282', '0', '0.015416576'],
    ...['-0.098451281', '-0.067175634', '-0.052294252'],
  ])
  expect([29, 34].map((cell) => nano(cells[cell]))).toEqual(['-0.103966979', '-0.129458755'])
  const total = riskOf(group, 60_000_000_000_000, 0)
  expect(nano(total.worst)).toBe('0.098451281')
  expect(nano(total.roll18 / 1_000_000_000n)).toBe('0.00352226')
  expect(nano((total.risk18 + 500_000_000n) / 1_000_000_000n)).toBe('0.101973541')
  expect(nano(((total.risk18 * 4n) / 5n + 500_000_000n) / 1_000_000_000n)).toBe('0.081578833')
  const counted = countedCells({
    ...{ table: btc, ...read, isCoin: true, index9: 60_000_000_000_000, cross: null },
    dampeners: dampenersOf(btc, 60_000_000_000_000),
  })
  expect(counted.slice(27).every((cell) => cell === 0n)).toBe(true)
})

test('T87 delta shock', () => {
  const shocks = [304n, 500n, 1000n, 4000n].map((coin) =>
    nano((deltaShock18(btc, coin * 1_000_000_000n, 65_666_190_000_000) + 500_000_000n) / 1_000_000_000n),
  )
  expect(shocks).toEqual(['0', '4.885731531', '34.771463062', '400'])
})

describe('large positions are counted to the last digit', () => {
  const sol = scenarioTable(defaultPortfolioTerms('sol_usd'))

  /** The cells of a future straight from the rule, in bigint. */
  function expectedCells(value: bigint, table: typeof btc, isCoin: boolean): readonly bigint[] {
    return table.scenarios.map(({ movePpm, coinFactor, quoteFactor }) => {
      const { over, under } = isCoin ? coinFactor : quoteFactor
      const bottom = isCoin ? 1_000_000n + BigInt(movePpm) : 1_000_000n
      return divHalfAwayBig(value * BigInt(movePpm) * over, bottom * under)
    })
  }

  function cellsOf(group: RiskGroup): readonly bigint[] {
    return readCells(readMatrix(group, 0, () => 0).cells)
  }

  function deltaOf(group: RiskGroup): bigint {
    return readMatrix(group, 0, () => 0).deltas.reduce((sum, { delta9 }) => sum + delta9, 0n)
  }

  test('90,000 SOL at 200 USDC: 16 % of 18,000,000 and a roll shock of 1 %', () => {
    const group = createRiskGroup(sol, false)
    const risk: ContractRisk = { kind: 'future', mark9: 200_000_000_000, amountStep9: 100_000_000 }
    hold(group, { risk, lots: 900_000 }, { holding: 0, expiration: 0 })
    const { worst, risk18 } = riskOf(group, 200_000_000_000, 0)
    expect(nano(worst)).toBe('2880000')
    expect(formatScaled(risk18, 18)).toBe('3060000')
  })

  test('10,000,000,000 USDC and more in a linear future', () => {
    const risk: ContractRisk = { kind: 'future', mark9: 60_123_456_789_123, amountStep9: 100_000 }
    for (const lots of [1_663_244_123, -1_663_244_123, 9_007_199_254_740_991]) {
      const group = createRiskGroup(btc, false)
      hold(group, { risk, lots }, { holding: 0, expiration: 0 })
      const amount9 = BigInt(lots) * 100_000n
      const value = divHalfAwayBig(amount9 * 60_123_456_789_123n, 1_000_000_000n)
      if (lots > 1e12) {
        // Ten trillion are more than any account bears, and as much as is counted.
        expect(cellsOf(group)[24]).toBe(10_000_000_000_000n * 1_000_000_000n)
        continue
      }
      expect(value > 9_999_000_000n * 1_000_000_000n || value < 0n).toBe(true)
      expect(cellsOf(group)).toEqual(expectedCells(value, btc, false))
      expect(deltaOf(group)).toBe(amount9)
    }
  })

  test('5,000,000 coins in an inverse future', () => {
    const risk: ContractRisk = {
      ...{ kind: 'future', mark9: 60_123_456_789_123 },
      amountStep9: 10_000_000_000,
    }
    for (const lots of [30_061_728_394, -30_061_728_395]) {
      const group = createRiskGroup(btc, true)
      hold(group, { risk, lots }, { holding: 0, expiration: 0 })
      const amount9 = BigInt(lots) * 10_000_000_000n
      const value = divHalfAwayBig(amount9 * 1_000_000_000n, 60_123_456_789_123n)
      expect(cellsOf(group)).toEqual(expectedCells(value, btc, true))
      expect(deltaOf(group)).toBe(value)
    }
  })

  test('a thousand million options', () => {
    const profits9 = Float64Array.from({ length: 35 }, (_, cell) => (cell - 17) * 123_456_789_123)
    const risk: ContractRisk = {
      ...{ kind: 'option', profits9, delta9: -612_345_678 },
      amountStep9: 1_000_000_000,
    }
    const group = createRiskGroup(btc, false)
    hold(group, { risk, lots: -1_000_000_001 }, { holding: 0, expiration: 0 })
    const times = -1_000_000_001n
    expect(cellsOf(group)).toEqual([...profits9].map((profit) => BigInt(profit) * times))
    expect(deltaOf(group)).toBe(612_345_678n * 1_000_000_001n)
  })

  test('a sum that grew from small to large and back equals a new sum', () => {
    const group = createRiskGroup(btc, false)
    const future: ContractRisk = { kind: 'future', mark9: 60_000_500_000_000, amountStep9: 100_000 }
    const anew = (lots: number): RiskGroup => {
      const made = createRiskGroup(btc, false)
      hold(made, { risk: future, lots }, { holding: 0, expiration: 0 })
      return made
    }
    for (const lots of [1, 749_999_999, -749_999_999, 750_001, -3, 123_456_789, 0]) {
      hold(group, { risk: future, lots }, { holding: 0, expiration: 0 })
      expect(cellsOf(group)).toEqual(cellsOf(anew(lots)))
      expect(deltaOf(group)).toBe(deltaOf(anew(lots)))
      const contract = { holding: 0, expiration: 0, risk: future }
      const asked = { sizes: [{ held: contract, lots: 333_333_333 }], moveOf: () => 0 }
      const { cells, deltas } = foreseeMatrix(group, 0, asked.sizes, asked.moveOf)
      expect(readCells(cells)).toEqual(cellsOf(anew(333_333_333)))
      expect(deltas.map(({ delta9 }) => delta9)).toEqual([deltaOf(anew(333_333_333))])
    }
  })

  test('dampeners beyond doubles', () => {
    const terms = { ...btcTerms, extendedDampener: 1_000_000_000 }
    const table = scenarioTable(terms)
    const group = createRiskGroup(table, true)
    // A short of 100,000,000,000 coins at a price of a thousandth.
    const risk: ContractRisk = { kind: 'future', mark9: 1_000_000, amountStep9: 1_000_000_000 }
    hold(group, { risk, lots: -100_000_000 }, { holding: 0, expiration: 0 })
    const dampeners = dampenersOf(table, 1_000_000)
    const input = { table, isCoin: true, index9: 1_000_000, cross: null, dampeners }
    const counted = countedCells({ ...input, ...readMatrix(group, 0, () => 0) })
    // +500 %: loses 16 / 116 of 1e11 coins; (5 / 0.16 - 1) * 1e9 USD over 1.16 thousandths is 2.6e13 coins.
    expect(counted[34]).toBe(0n)
    // +50 %: (0.5 / 0.16 - 1) * 1e9 over 1.16 thousandths is 1.83e12 coins.
    expect(counted[29]).toBe(0n)
    hold(group, { risk, lots: -20_000_000_000 }, { holding: 0, expiration: 0 })
    const more = countedCells({ ...input, ...readMatrix(group, 0, () => 0) })
    const loss = divHalfAwayBig(-20_000_000_000_000n * 1_000_000_000n * 16n, 116n)
    const dampened = divHalfAwayBig(340_000n * 10n ** 23n, 160_000n * 116n)
    expect(more[29]).toBe(loss + dampened)
  })
})

test('without an index of the coin, losses have no dampener', () => {
  const group = createRiskGroup(btc, true)
  hold(group, coins('-1'), { holding: 0, expiration: 0 })
  const { cells } = readMatrix(group, 0, () => 0)
  const dampeners = dampenersOf(btc, dampedPrice(true, 0))
  const input = { table: btc, cells, deltas: [], isCoin: true, index9: 0, dampeners, cross: null }
  expect(nano(countedCells(input)[34])).toBe('-0.137931034')
  expect(nano(matrixRisk(input).worst)).toBe('0.137931034')
})

test('law: the worst case is the first of the cells that lose most, even if doubles cannot distinguish them', () => {
  const met = { ties: 0, beyond: 0 }
  // Cells that are equal, that differ by one, and that differ by more than a double's precision.
  const sum = fc.oneof(
    fc.bigInt(-3n, 3n),
    fc.bigInt(-(10n ** 12n), 10n ** 12n),
    fc.bigInt(-(10n ** 21n), 10n ** 21n),
    fc.bigInt(-2n, 2n).map((more) => -(10n ** 20n) + more),
  )
  const asked = fc.record({
    sums: fc.array(sum, { minLength: 35, maxLength: 35 }),
    isCoin: fc.boolean(),
    table: fc.constantFrom(btc, eth, scenarioTable({ ...btcTerms, extendedDampener: 10 ** 12 })),
    index9: fc.integer({ min: 1, max: 90_000_000_000_000 }),
    cross: fc.option(
      fc.record({
        usd9: fc.integer({ min: 1, max: 90_000_000_000_000 }),
        equity: fc.bigInt(-(10n ** 18n), 10n ** 18n),
      }),
    ),
  })
  fc.assert(
    fc.property(asked, ({ sums, isCoin, table, index9, cross }) => {
      const cells = { sums: new Float64Array(70), at: 0 }
      for (const [at, value] of sums.entries()) setWideBigint(cells.sums, 2 * at, value)
      const dampeners = dampenersOf(table, dampedPrice(isCoin && cross === null, index9))
      const input = { table, cells, deltas: [], isCoin, index9, dampeners, cross }
      const losses = countedCells(input).map((cell) => (cell < 0n ? -cell : 0n))
      const worst = losses.reduce((most, loss) => (loss > most ? loss : most), 0n)
      const { worst: found, cell } = matrixRisk(input)
      expect({ found, cell }).toEqual({
        found: worst,
        cell: worst === 0n ? -1 : losses.indexOf(worst),
      })
      if (worst > 0n && losses.indexOf(worst) !== losses.lastIndexOf(worst)) met.ties += 1
      if (worst > 2n ** 53n) met.beyond += 1
    }),
    { numRuns: 2000, seed: 11 },
  )
  expect(met.ties).toBeGreaterThan(20)
  expect(met.beyond).toBeGreaterThan(200)
})
