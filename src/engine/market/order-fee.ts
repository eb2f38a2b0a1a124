/**
 * The fee that an order would pay as a maker and as a taker, if all of it were filled at its price. All values are
 * bigint, because a client may ask for any size, even one that no account could pay.
 *
 * Assumed: the legs of a combo are charged at their marks, since their future prices are not known; while a mark is
 * missing the fee is 0.
 * Source: market.md 4.
 */

import {
  type AccountId,
  type Amount,
  amount,
  type InstrumentId,
  type Lots,
  mulDivFloor,
  type Price9,
} from '../../core/index.ts'
import { basisBig, feeShareNano, optionFeeNano, type PricedTerms, pricedTerms, WHOLE_FEE } from '../../ledger/index.ts'
import type { InstrumentKind, Liquidity, Side } from '../../model/index.ts'
import {
  accountRow,
  type Exchange,
  type InstrumentRow,
  isCoinSettled,
  ONE_COIN9,
  rowOfInstrument,
} from '../state/index.ts'
import { legSizes } from '../value/index.ts'

/** An order that is not placed. */
interface PossibleOrder {
  readonly account: AccountId
  readonly instrument: InstrumentId
  readonly side: Side
  readonly amount: Lots
  readonly price: Price9
}

/** One leg as one account trades it. */
export interface TradedLeg {
  readonly row: InstrumentRow
  readonly direction: Side
  readonly lots: number
  readonly priced: PricedTerms
}

/**
 * The fee of an order in nano of its settlement currency, or of the base coin for a spot buy; a negative fee is a
 * rebate.
 */
export function feeForOrder(exchange: Exchange, order: PossibleOrder, role: Liquidity): Amount {
  const { feePpm } = accountRow(exchange, order.account).account
  const row = rowOfInstrument(exchange, order.instrument)
  if (row.legs.length === 0) {
    const whole = { row, direction: order.side, lots: order.amount, priced: pricedTerms(row.terms, order.price) }
    return amount(feeOfPart(whole, role, feePpm))
  }
  const legs = legSizes(row, order.side, order.amount).map((leg) => ({
    row: leg.row,
    direction: leg.side,
    lots: leg.lots,
    priced: pricedTerms(leg.row.terms, leg.row.mark),
  }))
  if (legs.some(({ priced }) => priced.price9 <= 0)) return amount(0n)
  const shares = legFeeShares(row.instrument.kind, legs, role)
  const fees = legs.map((leg, at) => {
    const share = shares[at] ?? WHOLE_FEE
    return feeOfPart(leg, role, mulDivFloor(feePpm, share, WHOLE_FEE))
  })
  return amount(fees.reduce((sum, fee) => sum + fee, 0n))
}

/** The fee of an instrument without legs, of which the account pays `ppm`. */
function feeOfPart({ row, direction, lots, priced }: TradedLeg, role: Liquidity, ppm: number): bigint {
  if (!row.terms.premium) {
    const inBase = row.base >= 0 && direction === 'buy'
    return feeShareNano(priced, { liquidity: role, lots, ppm, inBase })
  }
  const rate9 = role === 'maker' ? row.terms.makerFee9 : row.terms.takerFee9
  const underlying9 = isCoinSettled(row) ? ONE_COIN9 : row.index.price
  const value = basisBig(row.terms, lots, priced.price9)
  return optionFeeNano(row.terms, rate9, { lots, underlying9, value, ppm })
}

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
