/**
 * Price indices: the average of prices of several exchanges, and the precision of an index.
 *
 * Source: market.md 3.1, T22.
 */
import { assert, defined, divHalfAwayBig, safeNumber } from '../core/index.ts'
import { finerStep9 } from './mark.ts'

/** The middle price of one exchange and its share in the index, in any unit that all of them use. */
interface Constituent {
  readonly price9: number
  readonly weight9: number
}

/** Bounds of prices around their median, 0.5 % on each side, in parts per mille. */
const LOWEST = 995n
const HIGHEST = 1005n
const MILLE = 1000n

const STEP_2_DIGITS = 10_000_000
const STEP_4_DIGITS = 100_000
const STEP_6_DIGITS = 1_000
const ONE9 = 1_000_000_000

/**
 * The index of its valid constituents, at least one: the weighted mean of their prices, each limited to 0.5 % from the
 * median, rounded once to the precision of that index.
 */
export function indexOfConstituents(list: readonly Constituent[], name: string, ticks: readonly number[]): number {
  assert(list.length > 0, 'an index has a constituent')
  const median = doubledMedian(list.map(({ price9 }) => price9))
  let sum = 0n
  let weights = 0n
  for (const { price9, weight9 } of list) {
    assert(price9 > 0 && weight9 > 0, 'a constituent has a price and a weight')
    // In 1e-9 / 2000, in which half a unit of the median and a thousandth of it are integers.
    const price = BigInt(price9) * 2n * MILLE
    const capped = smaller(larger(price, median * LOWEST), median * HIGHEST)
    sum += capped * BigInt(weight9)
    weights += BigInt(weight9)
  }
  const scaled = weights * 2n * MILLE
  const step9 = indexStep9(name, safeNumber(sum / scaled), ticks)
  return safeNumber(divHalfAwayBig(sum, scaled * BigInt(step9))) * step9
}

/**
 * The precision of an index: 2 decimals in USD, 4 in other currencies, 6 below 1; more if one of `ticks`, the ticks of
 * the instruments priced in its currency, needs them.
 */
export function indexStep9(name: string, price9: number, ticks: readonly number[]): number {
  const usual9 = name.endsWith('_usd') ? STEP_2_DIGITS : STEP_4_DIGITS
  return finestStep9(price9 < ONE9 ? STEP_6_DIGITS : usual9, ticks)
}

/** The finest precision that one of the ticks needs; the usual one without ticks. */
export function finestStep9(usual9: number, ticks: readonly number[]): number {
  return ticks.reduce((step9, tick9) => Math.min(step9, finerStep9(usual9, tick9)), usual9)
}

/** Twice the median, so that the middle of an even number of prices is an integer. */
function doubledMedian(prices: readonly number[]): bigint {
  const sorted = [...prices].sort((left, right) => left - right)
  const upper = sorted.length >> 1
  const lower = (sorted.length - 1) >> 1
  const middle = (at: number): bigint => BigInt(defined(sorted[at], 'a median exists'))
  return middle(lower) + middle(upper)
}

function smaller(left: bigint, right: bigint): bigint {
  return left < right ? left : right
}

function larger(left: bigint, right: bigint): bigint {
  return left > right ? left : right
}
