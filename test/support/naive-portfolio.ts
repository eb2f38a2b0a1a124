/**
 * Portfolio margin of one pair, straight from market.md 6.5 in bigint. The profit of an option is a double of Black-76,
 * rounded once for one coin. The oracle of `src/margin/portfolio`.
 */
import type { InstrumentSpec, PortfolioTerms } from '../../src/model/index.ts'
import { black76, worthOf } from './naive-black.ts'
import { NANO, rdiv, smaller } from './naive-money.ts'
import { isInverseOption, optionOf } from './naive-options.ts'

const PPM = 1_000_000n

/** A holding of one instrument, which may include its open orders. */
export interface StressedHolding {
  readonly spec: InstrumentSpec
  /** Signed amount in 1e-9: USD of inverse futures, otherwise coin. */
  readonly amount: bigint
  readonly mark: bigint
  /** Forward of an option; 0 for futures. */
  readonly forward: number
  readonly volatility: number
  /** Time to its expiry from the beginning of the minute; null for perpetuals. */
  readonly years: number | null
}

/** Conversion of a pair to USD: one unit of its currency in USD, and the account's equity in it, both in 1e-9. */
export interface CrossCount {
  readonly usd: bigint
  readonly equity: bigint
}

/** Inputs of the risk of a pair. */
export interface PairInput {
  readonly terms: PortfolioTerms
  readonly index: bigint
  readonly isCoin: boolean
  readonly holdings: readonly StressedHolding[]
  readonly cross: CrossCount | null
}

interface Scenario {
  /** Moves in millionths: of the price, and the move with which the cell counts. */
  readonly move: bigint
  readonly counted: bigint
  readonly shock: 'up' | 'same' | 'down'
  readonly isExtended: boolean
}

const farMoves = [-66n, -33n, 50n, 100n, 200n, 300n, 400n, 500n].map((percent) => percent * 10_000n)

function ppm(fraction: number): bigint {
  return BigInt(Math.round(fraction * 1e6))
}

/** The risk of a pair in 1e-18 of its currency, or of USD. */
export function pairRisk(input: PairInput): bigint {
  const range = ppm(input.terms.priceRange)
  const standard = [-4n, -3n, -2n, -1n, 0n, 1n, 2n, 3n, 4n].flatMap((step) =>
    (['up', 'same', 'down'] as const).map((shock): Scenario => {
      const move = (range * step) / 4n
      return { move, counted: move, shock, isExtended: false }
    }),
  )
  const extended = farMoves.map((move): Scenario => {
    return { move, counted: move < 0n ? -range : range, shock: 'up', isExtended: true }
  })
  const scenarios = [...standard, ...extended]
  const units = input.holdings.map((holding) => unitsOf(input, holding, scenarios))
  const cells = scenarios.map((scenario, cell) => {
    const own = input.holdings.reduce((sum, holding, at) => {
      const unit = units[at]?.[cell]
      return sum + (unit === undefined ? profit(input, holding, scenario) : times(holding, unit))
    }, 0n)
    const value = inUsd(input, own, scenario.counted)
    return scenario.isExtended ? smaller(0n, value + dampener(input, scenario)) : value
  })
  const worst = -cells.reduce(smaller, 0n)
  return worst * NANO + shocks(input)
}

/** The profit of one coin of an option in each scenario, computed once for its market and its terms. */
function unitsOf(
  input: PairInput,
  holding: StressedHolding,
  scenarios: readonly Scenario[],
): readonly bigint[] | undefined {
  if (holding.spec.kind !== 'option') return undefined
  const key = JSON.stringify([holding.spec.name, holding.forward, holding.volatility, holding.years, input.terms])
  const known = knownUnits.get(key)
  if (known !== undefined) return known
  const units = scenarios.map((scenario) => {
    const { over, under } = factorOf(input, scenario)
    return rdiv(changeOf(input.terms, holding, scenario) * over, under)
  })
  if (knownUnits.size > 5000) knownUnits.clear()
  knownUnits.set(key, units)
  return units
}

/** The values depend only on their key. */
const knownUnits = new Map<string, readonly bigint[]>()

function times({ amount }: StressedHolding, unit: bigint): bigint {
  return rdiv(unit * amount, NANO)
}

/** The profit of a future in a scenario, in nano of its currency. */
function profit(input: PairInput, holding: StressedHolding, scenario: Scenario): bigint {
  const { over, under } = factorOf(input, scenario)
  const value = futureValue(holding)
  if (input.isCoin) return rdiv(value * scenario.move * over, (PPM + scenario.move) * under)
  return rdiv(value * scenario.move * over, PPM * under)
}

/** The factor of extended cells. */
function factorOf(
  { terms, isCoin }: PairInput,
  { move, counted, isExtended }: Scenario,
): { readonly over: bigint; readonly under: bigint } {
  if (!isExtended) return { over: 1n, under: 1n }
  const size = move < 0n ? -move : move
  const over = ppm(terms.extendedTableFactor) * ppm(terms.priceRange)
  const under = PPM * size
  if (!isCoin) return { over, under }
  return { over: over * (PPM + move), under: under * (PPM + counted) }
}

/** The value of a future: coin of inverse contracts, quote of linear ones. */
function futureValue({ spec, amount, mark }: StressedHolding): bigint {
  return spec.payoff === 'inverse' ? rdiv(amount * NANO, mark) : rdiv(amount * mark, NANO)
}

/** By how much the price of an option changes, for one coin in 1e-9. */
function changeOf(terms: PortfolioTerms, holding: StressedHolding, scenario: Scenario): bigint {
  const years = holding.years ?? 0
  const option = optionOf(holding.spec)
  const inCoin = isInverseOption(holding.spec)
  const now = worthOf(option, { forward: holding.forward, years, volatility: holding.volatility }, inCoin)
  const volatility = shocked(terms, { volatility: holding.volatility, years }, scenario.shock)
  const moved = holding.forward * (1 + Number(scenario.move) / 1e6)
  const then = worthOf(option, { forward: moved, years, volatility }, inCoin)
  return half((then - now) * 1e9)
}

/** Rounds half away from zero. */
function half(value: number): bigint {
  return BigInt(value < 0 ? -Math.round(-value) : Math.round(value))
}

/** The volatility of a scenario, to 1e-9. */
function shocked(
  terms: PortfolioTerms,
  { volatility, years }: { readonly volatility: number; readonly years: number },
  shock: Scenario['shock'],
): number {
  if (shock === 'same') return volatility
  const days = Math.max(1, years * 365)
  const power = days < 30 ? terms.shortVegaPower : terms.longVegaPower
  const time = (30 / days) ** power
  const base = Math.max(volatility, terms.minVolatilityForShockUp)
  const moved =
    shock === 'up'
      ? volatility + base * terms.volatilityUp * time
      : Math.max(0.01, volatility * (1 - terms.volatilityDown * time))
  return Math.round(moved * 1e9) / 1e9
}

/** A cell in the currency of the margin; in USD the account's coin moves too. */
function inUsd({ cross, isCoin }: PairInput, own: bigint, counted: bigint): bigint {
  if (cross === null) return own
  if (!isCoin) return rdiv(own * cross.usd, NANO)
  return rdiv((own * (PPM + counted) + cross.equity * counted) * cross.usd, NANO * PPM)
}

/** The dampener of an extended cell. */
function dampener({ terms, isCoin, index, cross }: PairInput, { move, counted }: Scenario): bigint {
  const range = ppm(terms.priceRange)
  const size = move < 0n ? -move : move
  const over = (size > range ? size - range : 0n) * BigInt(Math.round(terms.extendedDampener))
  if (!isCoin || cross !== null) return rdiv(over * NANO, range)
  // Without an index there is no dampener.
  if (index === 0n) return 0n
  return rdiv(over * NANO * PPM * NANO, range * (PPM + counted) * index)
}

/** Roll and delta shock, in 1e-18. */
function shocks({ terms, index, isCoin, holdings, cross }: PairInput): bigint {
  const expiries = new Map<number, { net: bigint; years: number | null }>()
  for (const holding of holdings) {
    const { expiration } = holding.spec
    const found = expiries.get(expiration) ?? { net: 0n, years: holding.years }
    found.net += deltaOf(holding)
    expiries.set(expiration, found)
  }
  let roll = 0n
  let sum = 0n
  for (const [, { net, years }] of expiries) {
    const days = Math.max(1, (years ?? 0) * 365)
    const risk = Math.exp((terms.annualisedMoveRisk * days) / 365) - 1
    const move = years === null ? terms.minAnnualisedMove : Math.max(terms.minAnnualisedMove, risk)
    roll += (net < 0n ? -net : net) * half(move * 1e9)
    sum += net
  }
  const size = sum < 0n ? -sum : sum
  const free = index === 0n ? size : rdiv(BigInt(Math.round(terms.deltaShockThreshold)) * NANO * NANO, index)
  const rate = half(terms.deltaShockIncrease * 1e9) * (size > free ? size - free : 0n)
  const shock = rdiv(size * smaller(rate, half(terms.deltaShockMax * 1e9) * NANO), NANO)
  // A delta of one coin is worth one index.
  const own = isCoin ? NANO : index
  const worth = cross === null ? own : rdiv(own * cross.usd, NANO)
  return rdiv(roll * worth, NANO) + rdiv(shock * worth, NANO)
}

/** Delta of a holding in coin, 1e-9. */
function deltaOf(holding: StressedHolding): bigint {
  const { spec, amount, forward, volatility } = holding
  if (spec.kind !== 'option') return spec.payoff === 'inverse' ? futureValue(holding) : amount
  const { delta } = black76(optionOf(spec), { forward, volatility, years: holding.years ?? 0 })
  return rdiv(half(delta * 1e9) * amount, NANO)
}
