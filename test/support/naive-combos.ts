/** Trades of combos in the naive exchange: the prices and fees of their legs (C33b; market.md 4). */
import type { Side } from '../../src/model/index.ts'
import { feeOf, finer, floorDiv, larger, rdiv, smaller } from './naive-money.ts'
import type { NaiveLeg } from './naive-options.ts'
import { type NaiveMarket, otherSide } from './naive-state.ts'

/** A leg of a combo trade, with the fields that the event shows. `side` is the taker's. */
export interface NaiveLegTrade {
  readonly market: NaiveMarket
  readonly trade: number
  readonly tradeSeq: number
  readonly instrument: number
  readonly price: number
  readonly amount: number
  readonly side: Side
}

/** Inputs of the leg fees of one account. */
export interface NaiveLegPayer {
  readonly isTaker: boolean
  readonly pays: 'maker' | 'taker'
  readonly ppm: number
  readonly indexOf: (market: NaiveMarket) => bigint
}

/**
 * Prices of the legs; they add up to the price of the combo exactly. All legs except one take their marks, rounded to a
 * grid, and that one takes the rest, unless the rest would be less than a tick.
 */
export function legPrices(price: bigint, legs: readonly NaiveLeg[]): readonly bigint[] {
  const prices = legs.map(({ market }) => {
    const step = legStep(market)
    const rounded = rdiv(market.mark, step) * step
    return larger(rounded, step)
  })
  const even = evenShares(price, legs)
  if (even !== null) return even
  const first = Math.max(
    0,
    legs.findIndex(({ ratio }) => ratio === 1n || ratio === -1n),
  )
  for (let turn = 0; turn < legs.length; turn += 1) {
    const at = (first + turn) % legs.length
    const leg = legs[at]
    if (leg === undefined) break
    const others = legs.reduce(
      (sum, { ratio }, other) => (other === at ? sum : sum + ratio * (prices[other] ?? 0n)),
      0n,
    )
    const rest = (price - others) * (leg.ratio < 0n ? -1n : 1n)
    const size = leg.ratio < 0n ? -leg.ratio : leg.ratio
    const places = finer(10n, leg.market.spec.tick9)
    const own = rdiv(rest, size * places) * places
    const step = legStep(leg.market)
    if (own >= step) {
      prices[at] = own
      break
    }
    prices[at] = step
  }
  return prices
}

/**
 * Prices for the two legs of a future spread: each takes half of the deviation, in whole units of the quote (C33b').
 */
function evenShares(price: bigint, legs: readonly NaiveLeg[]): readonly bigint[] | null {
  const [one, two] = legs
  if (one?.market.spec.kind !== 'future' || two?.market.spec.kind !== 'future') return null
  const tick = BigInt(two.market.spec.tick9)
  const unit = tick < 10_000_000n || tick > 1_000_000_000n ? tick : 1_000_000_000n
  const off = price - one.ratio * one.market.mark - two.ratio * two.market.mark
  const wanted = two.market.mark * 2n + two.ratio * off
  const below = floorDiv(wanted, unit * 2n)
  const over = wanted - below * unit * 2n
  const isOdd = below % 2n !== 0n
  const second = (over > unit || (over === unit && isOdd) ? below + 1n : below) * unit
  const first = (price - two.ratio * second) * one.ratio
  return first >= BigInt(one.market.spec.tick9) && second >= tick ? [first, second] : null
}

/** Leg fees of one account. In an option combo the cheaper direction is free (T55, T56). */
export function legFees(combo: NaiveMarket, legs: readonly NaiveLegTrade[], payer: NaiveLegPayer): readonly bigint[] {
  const { isTaker, pays, ppm, indexOf } = payer
  const sideOf = (leg: NaiveLegTrade): Side => (isTaker ? leg.side : otherSide(leg.side))
  const feeAt = (leg: NaiveLegTrade, scale: bigint, half: boolean): bigint => {
    const { spec } = leg.market
    const rate = pays === 'maker' ? spec.makerFee9 : spec.takerFee9
    return feeOf(spec, {
      ...{ rate, lots: BigInt(leg.amount) * scale, price: BigInt(leg.price), ppm },
      ...{ side: sideOf(leg), index: indexOf(leg.market), half },
    })
  }
  // A large multiple shows the cheaper leg before any rounding.
  const exact = legs.map((leg) => feeAt(leg, 10n ** 30n, false))
  if (combo.spec.kind === 'future_combo') {
    const [first = 0n, second = 0n] = exact
    const cheaper = second < first ? 1 : 0
    return legs.map((leg, at) => feeAt(leg, 1n, pays === 'taker' && at === cheaper))
  }
  const sum = (side: Side): bigint =>
    exact.reduce((total, fee, at) => {
      const leg = legs[at]
      return leg !== undefined && sideOf(leg) === side ? total + fee : total
    }, 0n)
  const isMixed = legs.some(({ side }) => side !== legs[0]?.side)
  // In a tie the sold legs are free.
  const free = sum('buy') < sum('sell') ? 'buy' : 'sell'
  return legs.map((leg) => (isMixed && sideOf(leg) === free ? 0n : feeAt(leg, 1n, false)))
}

/** The rounding step of leg marks, and the lowest price of a leg. */
export function legStep({ spec }: NaiveMarket): bigint {
  const tick = BigInt(spec.tick9)
  return spec.kind === 'option' ? smaller(100_000n, tick) : tick
}
