/**
 * The arithmetic of one contract: the value of a size at a price, and its fees.
 *
 * The basis of a size at a price is
 * - inverse: amount / price coin, in 1e-18 ("atto");
 * - linear and spot: amount * price quote, in 1e-9 ("nano").
 *
 * Each is rounded half away from zero once (market.md 5.1, R04). Except in rare cases prices are multiples of `unit9`,
 * which keeps the products small enough for doubles; other prices use bigint.
 *
 * One price applies to many sizes: both sides of a trade, all holdings at one mark. So `PricedTerms` contains
 * everything that depends only on the price, computed once.
 */
import {
  divHalfAwayBig,
  divNearest,
  divTruncBig,
  type Price9,
  price9 as priceOf9,
  safeNumber,
  setWideBigint,
  setWideRatio,
  wideNear,
} from '../core/index.ts'
import type { InstrumentSpec } from '../model/index.ts'
import { DAY, HOLDING_STRIDE, type HoldingState, type Ledger, REALIZED } from './rows.ts'

/** A fraction of safe integers. */
interface Fraction {
  readonly numerator: number
  readonly denominator: number
}

/** Precomputed arithmetic of an instrument. */
export interface ContractTerms {
  readonly payoff: InstrumentSpec['payoff']
  /** True for options, which exchange a premium when they trade, and have no profit when they are marked. */
  readonly premium: boolean
  readonly amountStep9: number
  /** In nearly all cases, prices are multiples of this. */
  readonly unit9: number
  /** Basis of one lot at one price unit, to be divided by or multiplied with the price. */
  readonly basis: Fraction
  readonly makerFee: Fraction
  readonly takerFee: Fraction
  /** Fees in 1e-8 of the base coin for one lot, for spot buys. */
  readonly makerBaseFee: Fraction
  readonly takerBaseFee: Fraction
  /** Rates in 1e-9 that few fills pay; nothing is precomputed for them. */
  readonly makerFee9: number
  readonly takerFee9: number
  readonly deliveryFee9: number
  readonly liquidationFee9: number
}

/** The arithmetic of an instrument at one price. */
export interface PricedTerms {
  readonly terms: ContractTerms
  readonly price9: number
  /** The price in units, or -1 if it is not a whole number of them. */
  readonly units: number
  /** Basis of one lot in 1e9 of its unit, or a denominator of 0 if doubles are not exact enough. */
  readonly numerator: number
  readonly denominator: number
}

/** Marks have two decimals, four for linear contracts below 1000 (market.md 3.2), if the tick is coarser. */
const MARK_STEP9 = 10_000_000n
const LINEAR_MARK_STEP9 = 100_000n

/** The arithmetic of an instrument. */
export function contractTerms(spec: InstrumentSpec): ContractTerms {
  const factors = contractFactors(spec)
  return {
    payoff: spec.payoff,
    premium: spec.detail.type === 'option',
    amountStep9: spec.amountStep9,
    unit9: Number(priceUnit(spec)),
    basis: safeFraction(factors.basis),
    makerFee: safeFraction(factors.makerFee),
    takerFee: safeFraction(factors.takerFee),
    makerBaseFee: safeFraction(factors.makerBaseFee),
    takerBaseFee: safeFraction(factors.takerBaseFee),
    makerFee9: spec.makerFee9,
    takerFee9: spec.takerFee9,
    deliveryFee9: spec.deliveryFee9,
    liquidationFee9: spec.liquidationFee9,
  }
}

/** True if the arithmetic of an instrument fits into safe integers; tiny ticks with large amount steps may not. */
export function hasContractTerms(spec: InstrumentSpec): boolean {
  return Object.values(contractFactors(spec)).every(({ numerator, denominator }) => {
    const most = BigInt(Number.MAX_SAFE_INTEGER)
    return numerator <= most && denominator <= most
  })
}

/** A fraction in lowest terms that may not fit into safe integers. */
interface BigFraction {
  readonly numerator: bigint
  readonly denominator: bigint
}

function contractFactors(
  spec: InstrumentSpec,
): Record<'basis' | 'makerFee' | 'takerFee' | 'makerBaseFee' | 'takerBaseFee', BigFraction> {
  const unit = priceUnit(spec)
  const step = BigInt(spec.amountStep9)
  const maker = BigInt(Math.abs(spec.makerFee9)) * step
  const taker = BigInt(Math.abs(spec.takerFee9)) * step
  // Fee in 1e-8 of one lot at one price unit, to be divided by (inverse) or multiplied with (linear) the price.
  const fee = (rate: bigint): BigFraction =>
    spec.payoff === 'inverse' ? reduced(rate, 10n * unit) : reduced(rate * unit, 10_000_000_000_000_000_000n)
  return {
    // inverse: step9 * 1e9 / (price / unit) / unit nano; linear: step9 * unit * price / 1e9 nano.
    basis:
      spec.payoff === 'inverse'
        ? reduced(step * 1_000_000_000n, unit)
        : reduced(step * unit, 1_000_000_000n * 1_000_000_000n),
    makerFee: fee(maker),
    takerFee: fee(taker),
    makerBaseFee: reduced(maker, 10_000_000_000n),
    takerBaseFee: reduced(taker, 10_000_000_000n),
  }
}

function priceUnit(spec: InstrumentSpec): bigint {
  return gcdBig(BigInt(spec.tick9), spec.payoff === 'linear' ? LINEAR_MARK_STEP9 : MARK_STEP9)
}

/** The arithmetic of an instrument at a price. */
export function pricedTerms(terms: ContractTerms, price9: number): PricedTerms {
  const whole = Math.round(divNearest(price9, terms.unit9))
  const units = whole * terms.unit9 === price9 ? whole : -1
  const { numerator, denominator } = terms.basis
  const inverse = terms.payoff === 'inverse'
  const over = inverse ? numerator : numerator * units
  const under = inverse ? denominator * units : denominator
  const exact = units > 0 && over <= Number.MAX_SAFE_INTEGER && under <= Number.MAX_SAFE_INTEGER
  return { terms, price9, units, numerator: exact ? over : 0, denominator: exact ? under : 0 }
}

/**
 * Sets a wide value to the basis of `lots` >= 0 at a price > 0: 1e-18 coin for inverse contracts,
 * 1e-9 quote for the others.
 */
export function setBasis(target: Float64Array, at: number, priced: PricedTerms, lots: number): void {
  const { numerator, denominator } = priced
  if (denominator > 0) setWideRatio(target, at, lots, numerator, denominator)
  else setWideBigint(target, at, basisBig(priced.terms, lots, priced.price9))
}

const ONE9 = 1_000_000_000n
const ONE18 = 1_000_000_000_000_000_000n

/** Half of the largest wide value, in coin, and in units of a quote currency. */
const COIN_MAX = 4_000_000
const QUOTE_MAX = 4_000_000_000_000_000

/** One over this half, which is the same number of 1e-18 coin and of 1e-9 quote. */
const SHARE_OF_HALF = 2.5e-25

/**
 * True if a wide value can hold the cost of a size at a price > 0; the lower its price, the more an inverse contract
 * costs.
 */
export function isCountable(
  terms: Pick<ContractTerms, 'payoff' | 'amountStep9'>,
  lots: number,
  price9: number,
): boolean {
  const amount9 = lots * terms.amountStep9
  if (terms.payoff === 'inverse') return amount9 < COIN_MAX * price9
  return amount9 * price9 < QUOTE_MAX * 1e18
}

/** A fill at a price > 0. */
interface PricedFill {
  /** 1 for a buy, -1 for a sell. */
  readonly sign: 1 | -1
  readonly lots: number
  readonly price: PricedTerms
}

/**
 * True if wide values can hold the bases and the realized profit of a holding after a fill. Fills at very different
 * prices add up to more than the cost of any of them.
 */
export function isFillCountable(held: HoldingState, { sign, lots, price: { terms, price9 } }: PricedFill): boolean {
  const isInverse = terms.payoff === 'inverse'
  const cost = basisBig(terms, lots, price9)
  const basis = isInverse === sign > 0 ? cost : -cost
  const whole = Math.abs(held.size)
  const part = held.size > 0 === sign > 0 ? 0 : Math.min(lots, whole)
  const closes = divTruncBig(basis * BigInt(part), BigInt(lots))
  const shareOf = (base: bigint): bigint => (part === 0 ? 0n : divTruncBig(base * BigInt(part), BigInt(whole)))
  const profit = absolute(held.realized + shareOf(held.day) + closes)
  const most = isInverse ? BigInt(COIN_MAX) * ONE18 : BigInt(QUOTE_MAX) * ONE9
  return [held.entry, held.day].every((base) => absolute(base - shareOf(base) + basis - closes) + profit < most)
}

/**
 * The basis and the realized profit of a holding's trading day together, as a share of half of what wide values can
 * hold. Below 1 they leave room for a fill and for the value of a position.
 */
export function profitShare({ holdings }: Ledger, holding: number): number {
  const at = holding * HOLDING_STRIDE
  return (Math.abs(wideNear(holdings, at + DAY)) + Math.abs(wideNear(holdings, at + REALIZED))) * SHARE_OF_HALF
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value
}

/** Size in lots and basis of a holding. */
interface HeldBasis {
  readonly lots: number
  readonly basis: bigint
}

/**
 * The average price of a holding, to the nearest multiple of a step, half away from zero: amount over coin for inverse
 * contracts, quote over amount for the others. 0 without a size or a basis.
 */
export function averagePrice9(
  terms: Pick<ContractTerms, 'payoff' | 'amountStep9'>,
  held: HeldBasis,
  step9: number,
): Price9 {
  if (held.lots === 0 || held.basis === 0n) return priceOf9(0)
  const amount9 = BigInt(held.lots) * BigInt(terms.amountStep9)
  const step = BigInt(step9)
  // 1e-9 quote: amount9 / 1e9 over basis / 1e18 coin, or basis / 1e9 quote over amount9 / 1e9.
  const steps =
    terms.payoff === 'inverse'
      ? divHalfAwayBig(amount9 * ONE18, held.basis * step)
      : divHalfAwayBig(held.basis * ONE9, amount9 * step)
  return priceOf9(Number(steps * step))
}

/** The basis in plain bigint arithmetic: the fallback for prices that are not multiples of the unit, and the oracle. */
export function basisBig(terms: Pick<ContractTerms, 'payoff' | 'amountStep9'>, lots: number, price9: number): bigint {
  const amount9 = BigInt(lots) * BigInt(terms.amountStep9)
  if (terms.payoff === 'inverse') {
    return divHalfAwayBig(amount9 * ONE18, BigInt(price9))
  }
  return divHalfAwayBig(amount9 * BigInt(price9), ONE9)
}

function reduced(numerator: bigint, denominator: bigint): BigFraction {
  if (numerator === 0n) return { numerator: 0n, denominator: 1n }
  const shared = gcdBig(numerator, denominator)
  return {
    numerator: divTruncBig(numerator, shared),
    denominator: divTruncBig(denominator, shared),
  }
}

function safeFraction({ numerator, denominator }: BigFraction): Fraction {
  return { numerator: safeNumber(numerator), denominator: safeNumber(denominator) }
}

function gcdBig(a: bigint, b: bigint): bigint {
  let high = a
  let low = b
  while (low !== 0n) {
    const rest = high % low
    high = low
    low = rest
  }
  return high
}
