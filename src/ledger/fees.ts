/**
 * Fees of fills, deliveries and liquidations of futures, spot and options, in nano of the settlement currency, rounded
 * half away from zero to 1e-8 of it.
 *
 * The fee of an option is a rate of the underlying, at most an eighth of the option's value. Inverse: min(rate x
 * amount, 12.5 % of the premium); linear: min(rate x index x amount, 12.5 % of the premium). Deliveries and
 * liquidations have the same formula with their own rates; the cap of a delivery depends on the delivered value.
 *
 * Rule: fees.option. Source: market.md 4 (T43-T45, T51-T53).
 */

import { divHalfAwayBig, mulDivHalfAway, type Nano, nanoOf } from '../core/index.ts'
import type { Liquidity } from '../model/index.ts'
import type { ContractTerms, PricedTerms } from './terms.ts'

const NANO = 1_000_000_000n

/** Inputs of an option's fee. */
interface OptionFeeBase {
  readonly lots: number
  /** Price of the underlying in 1e-9 of the settlement currency: 1e9 for inverse options, the index for linear ones. */
  readonly underlying9: number
  /** Premium or delivered value in nano, without a sign. */
  readonly value: bigint
  /** Share of the fee that the account pays, in parts per million. */
  readonly ppm: number
}

/**
 * The fee of an option in nano at a rate in 1e-9, rounded once to 1e-8. A negative rate is a rebate, which has no cap
 * and which the share does not reduce.
 */
export function optionFeeNano(terms: Pick<ContractTerms, 'amountStep9'>, rate9: number, of: OptionFeeBase): bigint {
  const amount9 = BigInt(of.lots) * BigInt(terms.amountStep9)
  // In units of 1e-27, like eight times the cap: value / 8 / 1e9.
  const full = BigInt(rate9) * amount9 * BigInt(of.underlying9)
  const capped = full * 8n > of.value * NANO * NANO
  const ppm = BigInt(rate9 < 0 ? WHOLE_FEE : of.ppm)
  const whole = BigInt(WHOLE_FEE)
  const fee8 = capped
    ? divHalfAwayBig(of.value * ppm, 80n * whole)
    : divHalfAwayBig(full * ppm, 10_000_000_000_000_000_000n * whole)
  return fee8 * 10n
}

/**
 * The fee of a fill in nano of the settlement currency, rounded half away from zero to 1e-8 of it;
 * positive is paid, negative received. Source: market.md 4.
 */
export function feeNano(priced: PricedTerms, liquidity: Liquidity, lots: number): Nano {
  const { terms, units } = priced
  const maker = liquidity === 'maker'
  const rate = maker ? terms.makerFee : terms.takerFee
  if (rate.numerator === 0) return 0
  const rate9 = maker ? terms.makerFee9 : terms.takerFee9
  const inverse = terms.payoff === 'inverse'
  const factor = inverse ? lots : units
  const over = inverse ? rate.numerator : lots * rate.numerator
  const under = inverse ? units * rate.denominator : rate.denominator
  const isLarge = over > Number.MAX_SAFE_INTEGER || under > Number.MAX_SAFE_INTEGER
  if (units < 0 || isLarge || factor * over > FEE8_MAX * under) {
    return nanoOf(shareOfFee(priced, rate9, lots, WHOLE_FEE))
  }
  const fee8 = mulDivHalfAway(factor, over, under)
  return (rate9 < 0 ? 0 - fee8 : fee8) * 10
}

/** The highest fee in 1e-8 that is a safe integer in nano, minus the error of rounding in doubles: 9 million units. */
const FEE8_MAX = 900_000_000_000_000

/** The whole fee, in parts per million. */
export const WHOLE_FEE = 1_000_000

/** A fill that pays a share of the fee. */
interface SharedFill {
  readonly liquidity: Liquidity
  readonly lots: number
  readonly ppm: number
  readonly inBase: boolean
}

/**
 * The fee of an account that pays a share of it (market.md 4: a factor of the account), in nano. Rate and factor are
 * multiplied first, and the result is rounded once like `feeNano`. The share does not reduce a rebate. With `inBase`
 * the fee is in base coin, as for a spot buy.
 */
export function feeShareNano(priced: PricedTerms, fill: SharedFill): bigint {
  const rates = { maker: priced.terms.makerFee9, taker: priced.terms.takerFee9 }
  const rate9 = rates[fill.liquidity]
  const ppm = rate9 < 0 ? WHOLE_FEE : fill.ppm
  return fill.inBase ? shareOfBaseFee(priced.terms, rate9, fill.lots, ppm) : shareOfFee(priced, rate9, fill.lots, ppm)
}

/**
 * The fee of a delivered position at the delivery price, like `feeShareNano`. The size of the position is not limited.
 */
export function deliveryFeeNano(priced: PricedTerms, lots: number, ppm: number): bigint {
  return shareOfFee(priced, priced.terms.deliveryFee9, lots, ppm)
}

/** Fee of a liquidated account for a fill, and its receivers; all in nano, rounded like `feeNano`. */
interface LiquidationFee {
  readonly total: bigint
  /** The normal taker fee of the fill. */
  readonly normal: bigint
  /** Part that the insurance fund receives. */
  readonly fund: bigint
}

/**
 * The fee of a liquidation: the instrument's liquidation rate replaces the taker rate, and the fund receives the part
 * above the normal fee (market.md 4, T57).
 * Assumed: an account with a taker rebate pays the whole rate to the fund, and with a taker rate above the liquidation
 * rate the fund receives nothing; the venue has neither.
 */
export function liquidationFee(priced: PricedTerms, lots: number): LiquidationFee {
  const total = shareOfFee(priced, priced.terms.liquidationFee9, lots, WHOLE_FEE)
  const taker = BigInt(feeNano(priced, 'taker', lots))
  const normal = taker < 0n ? 0n : taker > total ? total : taker
  return { total, normal, fund: total - normal }
}

/** The fee of a spot buy in base coin: nano, rounded like `feeNano`. */
export function baseFeeNano(terms: ContractTerms, liquidity: Liquidity, lots: number): bigint {
  const maker = liquidity === 'maker'
  const rate = maker ? terms.makerBaseFee : terms.takerBaseFee
  const rate9 = maker ? terms.makerFee9 : terms.takerFee9
  if (lots * rate.numerator > FEE8_MAX * rate.denominator) {
    return shareOfBaseFee(terms, rate9, lots, WHOLE_FEE)
  }
  const fee8 = mulDivHalfAway(lots, rate.numerator, rate.denominator)
  return BigInt((rate9 < 0 ? -fee8 : fee8) * 10)
}

/** A share of a fee in base coin at a rate in 1e-9, directly from its formula. */
function shareOfBaseFee(terms: ContractTerms, rate9: number, lots: number, ppm: number): bigint {
  const weighed = BigInt(rate9) * BigInt(lots) * BigInt(terms.amountStep9) * BigInt(ppm)
  return divHalfAwayBig(weighed, 10_000_000_000_000_000n) * 10n
}

/** A share of a fee that is not in base coin. */
function shareOfFee({ terms, price9 }: PricedTerms, rate9: number, lots: number, ppm: number): bigint {
  if (rate9 === 0) return 0n
  const weighed = BigInt(rate9) * BigInt(lots) * BigInt(terms.amountStep9) * BigInt(ppm)
  const whole = BigInt(WHOLE_FEE)
  const fee8 =
    terms.payoff === 'inverse'
      ? divHalfAwayBig(weighed, 10n * whole * BigInt(price9))
      : divHalfAwayBig(weighed * BigInt(price9), 10_000_000_000_000_000_000n * whole)
  return fee8 * 10n
}
