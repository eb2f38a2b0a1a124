/**
 * Fee of each leg of a combo.
 *
 * - Option combos: the bought legs and the sold legs form two groups. The group with the lower sum of fees is free. If
 *   all legs have the same side, no leg is free. If the sums are equal, the sold legs are free.
 * - Future combos: a maker pays all fees. A taker pays half on the cheaper leg, or on the first of two legs that cost
 *   the same.
 *
 * Fees are compared before rounding. Rule: combo.fees. Source: market.md 4 (T55, T56).
 */
import type { PricedTerms } from '../../ledger/index.ts'
import type { InstrumentKind, Liquidity, Side } from '../../model/index.ts'
import { type InstrumentRow, isCoinSettled, ONE_COIN9 } from '../state/index.ts'

/** One leg as one account trades it. */
export interface TradedLeg {
  readonly row: InstrumentRow
  readonly direction: Side
  readonly lots: number
  readonly priced: PricedTerms
}

const WHOLE = 1_000_000
const HALF = 500_000

/** The share of each leg's fee that is paid, in parts per million. */
export function legFeeShares(kind: InstrumentKind, legs: readonly TradedLeg[], role: Liquidity): readonly number[] {
  if (kind === 'option_combo') return optionShares(legs, role)
  if (role === 'maker') return legs.map(() => WHOLE)
  const cheapest = cheapestOf(legs)
  return legs.map((leg) => (leg === cheapest ? HALF : WHOLE))
}

function optionShares(legs: readonly TradedLeg[], role: Liquidity): readonly number[] {
  const sums = { buy: 0n, sell: 0n }
  for (const leg of legs) sums[leg.direction] += optionWeight(leg, role)
  const isOneWay = legs.every(({ direction }) => direction === legs[0]?.direction)
  if (isOneWay) return legs.map(() => WHOLE)
  const free: Side = sums.buy < sums.sell ? 'buy' : 'sell'
  return legs.map(({ direction }) => (direction === free ? 0 : WHOLE))
}

/**
 * Eight times the fee of an option in 1e-27 of its settlement currency: with this factor both of its limits are whole
 * numbers.
 */
function optionWeight({ row, lots, priced }: TradedLeg, role: Liquidity): bigint {
  const { makerFee9, takerFee9, amountStep9 } = priced.terms
  const amount9 = BigInt(lots) * BigInt(amountStep9)
  const rate9 = role === 'maker' ? makerFee9 : takerFee9
  const underlying9 = isCoinSettled(row) ? ONE_COIN9 : row.index.price
  const full = 8n * BigInt(rate9) * amount9 * BigInt(underlying9)
  const most = amount9 * BigInt(priced.price9) * 1_000_000_000n
  return full < most ? full : most
}

/** The leg of a future spread with the lower fee for a taker. */
function cheapestOf(legs: readonly TradedLeg[]): TradedLeg | undefined {
  let cheapest: TradedLeg | undefined
  for (const leg of legs) {
    if (cheapest === undefined || isCheaper(leg, cheapest)) cheapest = leg
  }
  return cheapest
}

/** Compares rate times size, over or times the price. Inverse fees are fractions, so they are compared crosswise. */
function isCheaper(leg: TradedLeg, other: TradedLeg): boolean {
  const isInverse = leg.row.terms.payoff === 'inverse'
  const own = turnover(leg) * BigInt(isInverse ? other.priced.price9 : leg.priced.price9)
  const others = turnover(other) * BigInt(isInverse ? leg.priced.price9 : other.priced.price9)
  return own < others
}

function turnover({ row, lots }: TradedLeg): bigint {
  return BigInt(row.terms.takerFee9) * BigInt(lots) * BigInt(row.terms.amountStep9)
}
