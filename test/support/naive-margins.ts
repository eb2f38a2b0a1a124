/**
 * Margins in plain arithmetic, straight from market.md 6.2, 6.4 and 6.5: short options by the standard
 * model, exactly, and the portfolio matrix in doubles. The oracle of `src/margin`.
 */
import type { InstrumentSpec, PortfolioTerms } from '../../src/model/index.ts'
import { worthOf } from './naive-black.ts'
import { larger, rdiv } from './naive-money.ts'
import { isInverseOption, optionOf } from './naive-options.ts'

const NANO = 1_000_000_000n

/** Margin of one coin of a short option, in 1e-9 of its currency (T70 to T75). */
export function shortMargin(
  spec: InstrumentSpec,
  at: { readonly forward: bigint; readonly mark: bigint },
  which: 'initial' | 'maintenance',
): bigint {
  const { forward, mark } = at
  const { detail } = spec
  if (detail.type !== 'option') throw new Error('an option is asked for its margin')
  const strike = BigInt(detail.strike)
  const isCall = detail.right === 'call'
  const out = larger(isCall ? strike - forward : forward - strike, 0n)
  // In thousandths of the forward; coin is what that is of one forward.
  const inUnits = (thousandths: bigint): bigint =>
    isInverseOption(spec) ? rdiv(thousandths * NANO, forward * 1000n) : rdiv(thousandths, 1000n)
  const initial = inUnits(larger(150n * forward - 1000n * out, 100n * forward)) + mark
  const worth = isInverseOption(spec) ? 75n * mark * forward : 75n * mark * NANO
  const maintenance = isCall
    ? inUnits(75n * forward) + mark
    : inUnits(larger(75n * forward, worth / NANO)) + mark
  if (which === 'maintenance') return maintenance
  return isCall ? initial : larger(initial, maintenance)
}

/** What is held in one instrument of a pair, as portfolio margin looks at it. */
export interface StressedHolding {
  readonly spec: InstrumentSpec
  /** Signed amount: USD of inverse futures, else coin. */
  readonly amount: number
  readonly mark: number
  /** Of options. */
  readonly forward: number
  readonly volatility: number
  readonly years: number
}

/** What the stress of a pair comes to, in its currency. */
export interface PortfolioMargin {
  /** 27 cells, then 8, as they count. */
  readonly cells: readonly number[]
  readonly worst: number
  readonly roll: number
  readonly delta: number
  readonly risk: number
}

const farMoves = [-0.66, -0.33, 0.5, 1, 2, 3, 4, 5]

/** The worst of all moves of a pair (market.md 6.5). */
export function portfolioMargin(
  terms: PortfolioTerms,
  index: number,
  holdings: readonly StressedHolding[],
  deltaOf: (holding: StressedHolding) => number,
): PortfolioMargin {
  const { priceRange: range } = terms
  const inCoin = holdings.some(({ spec }) => isCoin(spec))
  const total = (move: number, shock: Shock): number =>
    holdings.reduce((sum, holding) => sum + stress(terms, holding, move, shock), 0)
  const standard = Array.from({ length: 9 }, (_, at) => (range * (at - 4)) / 4).flatMap((move) =>
    (['up', 'same', 'down'] as const).map((shock) => total(move, shock)),
  )
  const extended = farMoves.map((move) => {
    const side = 1 + Math.sign(move) * range
    const scale = inCoin ? (1 + move) / side : 1
    const part = terms.extendedTableFactor * (range / Math.abs(move)) * scale
    const far = Math.max(Math.abs(move) / range, 1) - 1
    const damp = (far * terms.extendedDampener) / (inCoin ? side * index : 1)
    return Math.min(0, part * total(move, 'up') + damp)
  })
  const cells = [...standard, ...extended]
  const worst = Math.round(Math.max(0, ...cells.map((cell) => -cell)) * 1e9) / 1e9
  const roll = rollShock(terms, holdings, deltaOf)
  const net = Math.abs(holdings.reduce((sum, holding) => sum + deltaOf(holding), 0))
  const beyond = Math.max(0, net - terms.deltaShockThreshold / index)
  const delta = net * Math.min(terms.deltaShockMax, terms.deltaShockIncrease * beyond)
  return { cells, worst, roll, delta, risk: worst + roll + delta }
}

type Shock = 'up' | 'same' | 'down'

function isCoin(spec: InstrumentSpec): boolean {
  return spec.payoff === 'inverse' || isInverseOption(spec)
}

/** The volatility of a scenario. */
export function shockedVolatility(
  terms: PortfolioTerms,
  { volatility, years }: { readonly volatility: number; readonly years: number },
  shock: Shock,
): number {
  const days = Math.max(1, years * 365)
  const power = days < 30 ? terms.shortVegaPower : terms.longVegaPower
  const time = (30 / days) ** power
  if (shock === 'up') {
    const base = Math.max(volatility, terms.minVolatilityForShockUp)
    return volatility + base * terms.volatilityUp * time
  }
  if (shock === 'same') return volatility
  return Math.max(0.01, volatility * (1 - terms.volatilityDown * time))
}

/** Profit of a holding in its currency where the underlying moves and volatility is shocked. */
function stress(
  terms: PortfolioTerms,
  holding: StressedHolding,
  move: number,
  shock: Shock,
): number {
  const { spec, amount, mark, forward, years } = holding
  if (spec.payoff === 'inverse') return (amount / mark) * (1 - 1 / (1 + move))
  if (spec.kind !== 'option') return amount * mark * move
  const inCoin = isInverseOption(spec)
  const option = optionOf(spec)
  const now = worthOf(option, { forward, years, volatility: holding.volatility }, inCoin)
  const volatility = shockedVolatility(terms, holding, shock)
  const then = worthOf(option, { forward: forward * (1 + move), years, volatility }, inCoin)
  return amount * (then - now)
}

/** What the curve may roll: the net delta of each expiry, by its time. */
function rollShock(
  terms: PortfolioTerms,
  holdings: readonly StressedHolding[],
  deltaOf: (holding: StressedHolding) => number,
): number {
  const byExpiry = new Map<number, { net: number; years: number }>()
  for (const holding of holdings) {
    const { expiration } = holding.spec
    const found = byExpiry.get(expiration) ?? { net: 0, years: holding.years }
    found.net += deltaOf(holding)
    byExpiry.set(expiration, found)
  }
  let sum = 0
  for (const [, { net, years }] of byExpiry) {
    const move = Math.exp(terms.annualisedMoveRisk * years) - 1
    sum += Math.abs(net) * Math.max(terms.minAnnualisedMove, move)
  }
  return sum
}
