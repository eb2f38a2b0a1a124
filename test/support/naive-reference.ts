/**
 * Reference prices and funding in plain bigint, straight from the formulas of market.md 3.2 to 3.5: the oracle of
 * `src/pricing`. Fractions stay exact and are rounded once.
 *
 * Units: prices 1e-9 quote; amounts 1e-9 of the amount unit; rates 1e-8 for 8 hours.
 */
import type { FundingTerms, InstrumentSpec } from '../../src/model/index.ts'
import { finer, NANO, rdiv, smaller } from './naive-money.ts'

const MILLION = 1_000_000n
/** Eight hours in microseconds. */
const EIGHT_HOURS = 28_800_000_000n

/** A visible price level. */
export interface NaiveLevel {
  readonly price: bigint
  readonly amount: bigint
}

/** A fraction; the denominator is positive. */
interface Fraction {
  readonly n: bigint
  readonly d: bigint
}

function plus(left: Fraction, right: Fraction): Fraction {
  if (left.d === right.d) return { n: left.n + right.n, d: left.d }
  return { n: left.n * right.d + right.n * left.d, d: left.d * right.d }
}

/**
 * The average price of filling the impact size from levels, best first, or all of them if they have less. The size
 * counts coin of inverse contracts and quote units of linear ones.
 */
function impactPrice(spec: InstrumentSpec, levels: readonly NaiveLevel[]): bigint {
  const inverse = spec.payoff === 'inverse'
  let left: Fraction = { n: BigInt(spec.mark?.impact9 ?? 0), d: 1n }
  let coin: Fraction = { n: 0n, d: 1n }
  let quote: Fraction = { n: 0n, d: 1n }
  for (const { price, amount } of levels) {
    // Size of the level in 1e-9 coin and 1e-9 quote units.
    const levelCoin = inverse ? { n: amount * NANO, d: price } : { n: amount, d: 1n }
    const levelQuote = inverse ? { n: amount, d: 1n } : { n: amount * price, d: NANO }
    const counted = inverse ? levelCoin : levelQuote
    if (counted.n * left.d < left.n * counted.d) {
      coin = plus(coin, levelCoin)
      quote = plus(quote, levelQuote)
      left = plus(left, { n: -counted.n, d: counted.d })
      continue
    }
    const atPrice = { n: left.n * price, d: left.d * NANO }
    const forPrice = { n: left.n * NANO, d: left.d * price }
    coin = plus(coin, inverse ? left : forPrice)
    quote = plus(quote, inverse ? atPrice : left)
    break
  }
  return rdiv(quote.n * coin.d * NANO, quote.d * coin.n)
}

/**
 * The fair price of a book. Dated futures: the middle of the best prices, null while a side is empty. Perpetuals: the
 * middle of the impact prices, each at most 0.1 % from the best price of its side; an empty side counts as `fallback`.
 */
export function fairOf(
  spec: InstrumentSpec,
  book: { readonly bids: readonly NaiveLevel[]; readonly asks: readonly NaiveLevel[] },
  fallback: bigint,
): bigint | null {
  const bestBid = book.bids[0]?.price
  const bestAsk = book.asks[0]?.price
  if (spec.mark?.impact9 === 0) {
    return bestBid === undefined || bestAsk === undefined ? null : rdiv(bestBid + bestAsk, 2n)
  }
  let bid = fallback
  let ask = fallback
  if (bestBid !== undefined) {
    const impact = impactPrice(spec, book.bids)
    const least = rdiv(bestBid * 999n, 1000n)
    bid = -smaller(-impact, -least)
  }
  if (bestAsk !== undefined) {
    const impact = impactPrice(spec, book.asks)
    const most = rdiv(bestAsk * 1001n, 1000n)
    ask = smaller(impact, most)
  }
  return rdiv(bid + ask, 2n)
}

/** The average premium one second later: 30 periods. With ticks below 1e-6 it moves until it reaches the premium. */
export function nextEma(spec: InstrumentSpec, ema: bigint, premium: bigint): bigint {
  const move = rdiv(2n * (premium - ema), 31n)
  if (move !== 0n || spec.tick9 >= 1_000 || premium === ema) return ema + move
  return premium > ema ? ema + 1n : ema - 1n
}

/** Decimals of marks: two; for linear contracts four below 1000 and six below 1; more for finer ticks. */
function markStep(spec: InstrumentSpec, price: bigint): bigint {
  const isReversed = spec.counterCurrency === 'USD'
  if (isReversed || price >= 1000n * NANO) return finer(10_000_000n, spec.tick9)
  return finer(price < NANO ? 1_000n : 100_000n, spec.tick9)
}

/** A mark is at least one step. */
function rounded(spec: InstrumentSpec, price: Fraction): bigint {
  const step = markStep(spec, price.n / price.d)
  const mark = rdiv(price.n, price.d * step) * step
  return -smaller(-mark, -step)
}

/** Index plus premium, limited to the clamp around the index, in millionths of 1e-9. */
function clamped(spec: InstrumentSpec, index: bigint, ema: bigint): Fraction {
  const clamp = BigInt(spec.mark?.clampPpm ?? 0)
  const low = index * (MILLION - clamp)
  const high = index * (MILLION + clamp)
  return { n: -smaller(-smaller((index + ema) * MILLION, high), -low), d: MILLION }
}

/** The mark from the book and the index. */
export function fairMark(spec: InstrumentSpec, index: bigint, ema: bigint): bigint {
  return rounded(spec, clamped(spec, index, ema))
}

/**
 * The mark of an expiring future `elapsed` microseconds into its last half hour (T26). The mean is 0 if no value of the
 * index was known.
 */
export function expiringMark(
  spec: InstrumentSpec,
  of: {
    readonly mean: bigint
    readonly index: bigint
    readonly ema: bigint
    readonly elapsed: bigint
  },
): bigint {
  const half = EIGHT_HOURS / 16n
  const { n, d } = clamped(spec, of.index, of.ema)
  const mark = rdiv(n, d)
  if (of.mean === 0n) return rounded(spec, { n: mark, d: 1n })
  return rounded(spec, { n: of.mean * of.elapsed + mark * (half - of.elapsed), d: half })
}

/**
 * Decimals of an index: two in dollars, otherwise four, and six below 1; more for the finest tick of its instruments.
 */
export function indexStep(name: string, price: bigint, ticks: readonly number[]): bigint {
  const above = name.endsWith('_usd') ? 10_000_000n : 100_000n
  const usual = price < NANO ? 1_000n : above
  return ticks.map((tick9) => finer(usual, tick9)).reduce(smaller, usual)
}

/** The funding rate for 8 hours at a mark and an index, times the index and 1e8: exact. */
export function fundingPart(
  terms: FundingTerms,
  at: { readonly mark: bigint; readonly index: bigint; readonly time: number },
): bigint {
  const damper = terms.dampers.filter(({ from }) => from <= at.time).at(-1)
  const free = BigInt(damper?.rate8 ?? 0) * at.index
  const premium = (at.mark - at.index) * 100_000_000n
  // max(d, p) + min(-d, p), all times the index.
  const above = premium > free ? premium : free
  const below = premium < -free ? premium : -free
  const part = above + below
  const cap = BigInt(terms.cap8) * at.index
  return part > cap ? cap : part < -cap ? -cap : part
}

/** Growth of an accumulator: 1e-24 coin for each USD, or 1e-18 quote for each coin. */
export function fundingGrowth(
  spec: InstrumentSpec,
  over: { readonly part: bigint; readonly micros: number; readonly index: bigint },
): bigint {
  // part / index / 1e8 * time / 8 h, divided by or times index / 1e9.
  const product = over.part * BigInt(over.micros)
  const scale = 100_000_000n * EIGHT_HOURS * over.index
  if (spec.payoff === 'inverse') return rdiv(product * NANO * 10n ** 24n, scale * over.index)
  return rdiv(product * over.index * 10n ** 18n, scale * NANO)
}

/** The funding that a position receives for a growth of its accumulator. */
export function fundingOf(spec: InstrumentSpec, lots: bigint, growth: bigint): bigint {
  const amount = lots * BigInt(spec.amountStep9)
  return rdiv(-amount * growth, spec.payoff === 'inverse' ? 10n ** 24n : 10n ** 18n)
}
