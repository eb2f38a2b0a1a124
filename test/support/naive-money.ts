/**
 * The arithmetic of positions, fees and margin in plain bigint, straight from the formulas of
 * market.md 0, 4, 5.1 and 6.1: the oracle of `src/ledger` and `src/margin`.
 *
 * Units: lots; prices 1e-9 quote; bases 1e-18 coin (inverse) or 1e-9 quote (linear); money 1e-9.
 */
import type { InstrumentSpec } from '../../src/model/index.ts'

/** One coin or dollar in 1e-9. */
export const NANO = 1_000_000_000n

/** n / d rounded half away from zero; d > 0. */
export function rdiv(n: bigint, d: bigint): bigint {
  const magnitude = n < 0n ? -n : n
  const quotient = magnitude / d
  const up = (magnitude % d) * 2n >= d ? quotient + 1n : quotient
  return n < 0n ? -up : up
}

/** Rounded toward minus infinity; d > 0. */
export function floorDiv(n: bigint, d: bigint): bigint {
  const quotient = n / d
  return n % d < 0n ? quotient - 1n : quotient
}

/** The smaller of two. */
export function smaller(left: bigint, right: bigint): bigint {
  if (left < right) return left
  return right
}

/** The larger of two. */
export function larger(left: bigint, right: bigint): bigint {
  if (left > right) return left
  return right
}

export function absolute(value: bigint): bigint {
  return value < 0n ? -value : value
}

/** A position of one account in one instrument. */
export interface NaivePosition {
  size: bigint
  entry: bigint
  session: bigint
  realized: bigint
  /** Funding of this session, and the accumulator at its last update. */
  funding: bigint
  touched: bigint
}

/** The value of a size at a price: coin for inverse contracts, quote for the others. */
export function worth(spec: InstrumentSpec, lots: bigint, price: bigint): bigint {
  const amount = absolute(lots) * BigInt(spec.amountStep9)
  return spec.payoff === 'inverse' ? rdiv(amount * NANO * NANO, price) : rdiv(amount * price, NANO)
}

/** The signed basis of a fill: +coin for an inverse buy, -cost for a linear buy. */
function basisOf(spec: InstrumentSpec, lots: bigint, price: bigint): bigint {
  const long = lots > 0n === (spec.payoff === 'inverse')
  const n = worth(spec, lots, price)
  return long ? n : -n
}

/** Books a fill of signed lots into a position (market.md 5.1). */
export function fillPosition(
  spec: InstrumentSpec,
  position: NaivePosition,
  fill: { readonly lots: bigint; readonly price: bigint },
): void {
  const { lots, price } = fill
  const n = basisOf(spec, lots, price)
  const { size } = position
  if (size === 0n || size > 0n === lots > 0n) {
    position.size += lots
    position.entry += n
    position.session += n
    return
  }
  const closing = smaller(absolute(lots), absolute(size))
  const signed = lots > 0n ? closing : -closing
  const closed = signed === lots ? n : basisOf(spec, signed, price)
  const entry = rdiv(position.entry * closing, absolute(size))
  const session = rdiv(position.session * closing, absolute(size))
  position.realized += session + closed
  position.entry += n - closed - entry
  position.session += n - closed - session
  position.size += lots
}

/** The value of a position at a mark, in the unit of its bases. */
export function valueAt(spec: InstrumentSpec, position: NaivePosition, mark: bigint): bigint {
  return position.size === 0n ? 0n : basisOf(spec, position.size, mark)
}

/** A basis as money. */
export function moneyOf(spec: InstrumentSpec, basis: bigint): bigint {
  return spec.payoff === 'inverse' ? rdiv(basis, NANO) : basis
}

/** Session profit: realized and floating, each rounded to 1e-9, and funding. */
export function profitAt(spec: InstrumentSpec, position: NaivePosition, mark: bigint): bigint {
  const floating = position.session - valueAt(spec, position, mark)
  return moneyOf(spec, position.realized) + moneyOf(spec, floating) + position.funding
}

/**
 * The fee of a fill, in 1e-9 of its currency, rounded to 1e-8 (market.md 4). An account pays `ppm` millionths of a fee,
 * and receives all of a rebate.
 */
export function feeOf(
  spec: InstrumentSpec,
  fill: {
    readonly rate: number
    readonly lots: bigint
    readonly price: bigint
    readonly side: 'buy' | 'sell'
    readonly ppm: number
    /** The index of the underlying, for a linear option. */
    readonly index?: bigint
    /** True if it pays half. */
    readonly half?: boolean
  },
): bigint {
  const part = BigInt(fill.rate < 0 ? 1_000_000 : fill.ppm)
  if (spec.kind === 'option') return optionFee(spec, { ...fill, part })
  const rated = BigInt(fill.rate) * fill.lots * BigInt(spec.amountStep9) * part
  const scale = 100_000_000n
  const whole = fill.half === true ? 2_000_000n : 1_000_000n
  // A spot buyer receives coin and pays the fee in coin.
  if (spec.payoff === 'spot' && fill.side === 'buy') {
    return rdiv(rated * scale, NANO * NANO * whole) * 10n
  }
  if (spec.payoff === 'inverse') return rdiv(rated * scale, fill.price * NANO * whole) * 10n
  return rdiv(rated * fill.price * scale, NANO * NANO * NANO * whole) * 10n
}

/** The fee of an option: a rate of the underlying, at most an eighth of the premium. */
function optionFee(
  spec: InstrumentSpec,
  fill: {
    readonly rate: number
    readonly lots: bigint
    readonly price: bigint
    readonly part: bigint
    readonly index?: bigint
  },
): bigint {
  const amount = fill.lots * BigInt(spec.amountStep9)
  const inCoin = spec.quoteCurrency === spec.baseCurrency
  // Both in 1e-9 of a currency unit, times 8e18.
  const rated = BigInt(fill.rate) * amount * (inCoin ? NANO : (fill.index ?? 0n)) * 8n
  const most = fill.price * amount * NANO
  const fee = smaller(rated, most) * fill.part
  return rdiv(fee, 8n * NANO * NANO * 10n * 1_000_000n) * 10n
}

/** Standard margin of an absolute size at a mark (market.md 6.1), rounded once. */
export function marginOf(spec: InstrumentSpec, lots: bigint, at: MarginAt): bigint {
  const [top, bottom] = marginRatio(spec, lots, at)
  return rdiv(top * NANO, bottom)
}

/** The mark and the rate for a margin. */
export interface MarginAt {
  readonly mark: bigint
  readonly rate: 'initialPpm' | 'maintenancePpm'
}

/** Size times (base + slope times its coins or its millions of quote units), in whole units, not rounded. */
export function marginRatio(spec: InstrumentSpec, lots: bigint, { mark, rate }: MarginAt): readonly [bigint, bigint] {
  const amount = absolute(lots) * BigInt(spec.amountStep9)
  const isInverse = spec.payoff === 'inverse'
  const coins = isInverse ? [amount, mark] : [amount, NANO]
  const quote = isInverse ? [amount, NANO] : [amount * mark, NANO * NANO]
  const [size = 0n, perSize = 1n] = isInverse ? coins : quote
  const [units = 0n, perUnit = 1n] =
    spec.margin.per === 'coin' ? coins : [quote[0] ?? 0n, (quote[1] ?? 1n) * 1_000_000n]
  const base = BigInt(spec.margin[rate])
  const slope = BigInt(spec.margin.slopePpb)
  return [size * (base * 1000n * perUnit + slope * units), perSize * perUnit * NANO]
}

/** A precision in 1e-9, or a tenth of the last decimal place of a tick that has more places. */
export function finer(usual: bigint, tick9: number): bigint {
  const zeros = /0*$/.exec(String(tick9))?.[0].length ?? 0
  const last = 10n ** BigInt(zeros)
  if (last >= usual) return usual
  return last === 1n ? 1n : last / 10n
}

/**
 * Average price of fills in 1e-9, rounded to 1e-8, or to 1e-9 for finer ticks: weighted by coin for inverse contracts,
 * by size for others (R27).
 */
export function averageOf(
  spec: InstrumentSpec,
  fills: readonly { readonly lots: bigint; readonly price: bigint }[],
): bigint {
  const [first] = fills
  if (first === undefined) return 0n
  if (fills.every(({ price }) => price === first.price)) return first.price
  const step = finer(10n, spec.tick9)
  // Prices of combos are differences, whatever their legs are.
  if (spec.detail.type === 'combo') {
    const sum = fills.reduce((so, { lots, price }) => so + lots * price, 0n)
    const lots = fills.reduce((so, fill) => so + fill.lots, 0n)
    return rdiv(sum, lots * step) * step
  }
  const amount = fills.reduce((sum, { lots }) => sum + lots, 0n) * BigInt(spec.amountStep9)
  const total = fills.reduce((sum, { lots, price }) => sum + worth(spec, lots, price), 0n)
  return spec.payoff === 'inverse'
    ? rdiv(amount * NANO * NANO, total * step) * step
    : rdiv(total * NANO, amount * step) * step
}
