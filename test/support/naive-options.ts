/**
 * Options and combos of the naive exchange: forwards, times, volatilities, legs, the grid of prices and the bands
 * around marks (market.md 1.3, 7; R05).
 */
import { flatSmile, type InstrumentSpec, type Smile } from '../../src/model/index.ts'
import { impliedVolatility, type NaiveOption, smileAt, syntheticForward, worthOf } from './naive-black.ts'
import { finer, floorDiv, NANO } from './naive-money.ts'
import { fairMark } from './naive-reference.ts'
import type { NaiveMarket, NaiveState } from './naive-state.ts'

/** A year of 365 days in microseconds. */
const YEAR = 365 * 86_400_000_000
/** In the last half hour, the mark of a future says nothing about the basis. */
export const HALF_HOUR = 1_800_000_000

/** A leg of a combo with its market. */
export interface NaiveLeg {
  readonly market: NaiveMarket
  readonly ratio: bigint
}

/** The lowest price of a sell and the highest of a buy. */
export interface NaiveBand {
  readonly min: bigint
  readonly max: bigint
}

/** Forwards of the series, and everything that follows from them. */
export class NaiveOptions {
  readonly state: NaiveState
  /** Forwards of the series; a series has all options on an index with the same expiry. */
  private readonly forwards = new Map<string, bigint>()

  constructor(state: NaiveState) {
    this.state = state
  }

  /** Undelivered options. */
  listed(): readonly NaiveMarket[] {
    return this.state.markets.filter(({ spec, delivered }) => spec.kind === 'option' && !delivered)
  }

  /** The last computed forward of the expiry of an option in 1e-9; 0 while it is unknown. */
  forwardOf(market: NaiveMarket): bigint {
    return this.forwards.get(seriesOf(market)) ?? 0n
  }

  /** Recomputes a forward; returns true if it changed. */
  moveForward(market: NaiveMarket): boolean {
    const forward = this.findForward(market)
    if (forward === this.forwardOf(market)) return false
    this.forwards.set(seriesOf(market), forward)
    return true
  }

  /** The mark of the future of that expiry, otherwise the index with the basis of its neighbours (market.md 7). */
  private findForward(market: NaiveMarket): bigint {
    const { priceIndex, expiration } = market.spec
    const index = this.state.indexOf(market)
    // If marks follow the index, a future's mark is informative only if it was set or recorded (F08).
    const isReported = ({ isMarked, pinned }: NaiveMarket): boolean =>
      isMarked && (pinned || this.state.config.marks !== 'index')
    const futures = this.state.markets.filter((future) => {
      const isOfIndex = future.spec.detail.type === 'future' && future.spec.priceIndex === priceIndex
      return isOfIndex && isReported(future) && !future.delivered
    })
    const same = futures.find(({ spec }) => spec.expiration === expiration)
    if (same !== undefined) return same.mark
    const years = this.yearsTo(expiration)
    const known = futures
      .map(({ spec, mark }) => ({
        spec,
        years: this.yearsTo(spec.expiration),
        mark: Number(mark),
      }))
      .filter((future) => future.years > HALF_HOUR / YEAR)
      .sort((left, right) => left.years - right.years)
    const [first] = known
    if (index === 0n || first === undefined || years === 0) return index
    // The tick of an option may be in coin. The first future has the decimals and the band of a price in dollars.
    const forward = Math.min(syntheticForward(Number(index), years, known), 10 * Number(index))
    return fairMark(first.spec, index, BigInt(Math.round(forward)) - index)
  }

  yearsTo(expiration: number): number {
    return Math.max(0, expiration - this.state.now) / YEAR
  }

  /** The legs of a combo, or null while one of them is not listed. */
  legsOf({ spec }: NaiveMarket): readonly NaiveLeg[] | null {
    if (spec.detail.type !== 'combo') return null
    const legs: NaiveLeg[] = []
    for (const { instrumentName, ratio } of spec.detail.legs) {
      const market = this.state.markets.find(({ spec: { name } }) => name === instrumentName)
      if (market === undefined) return null
      legs.push({ market, ratio: BigInt(ratio) })
    }
    return legs
  }

  /** The implied volatility of a price in 1e-9; 0 if there is no solution. */
  volatilityOf(market: NaiveMarket, price: bigint): bigint {
    const forward = this.forwardOf(market)
    if (forward === 0n) return 0n
    const at = {
      forward: Number(forward) / 1e9,
      years: this.yearsTo(market.spec.expiration),
      inCoin: isInverseOption(market.spec),
    }
    return nano(impliedVolatility(optionOf(market.spec), at, Number(price) / 1e9))
  }

  /** The mark of an option at its volatility and forward, in the decimals of its currency. */
  modelMark(market: NaiveMarket): bigint {
    const forward = Number(this.forwardOf(market)) / 1e9
    const years = this.yearsTo(market.spec.expiration)
    const volatility = Number(market.volatility) / 1e9
    const state = { forward, years, volatility }
    const step = premiumStep(market.spec)
    const price = worthOf(optionOf(market.spec), state, isInverseOption(market.spec))
    const steps = Math.round((price * 1e9) / Number(step))
    // At least one step, because 0 means an unknown mark.
    return BigInt(Math.max(1, steps)) * step
  }

  /** The initial volatility of an option, in 1e-9. */
  smileOf(market: NaiveMarket): bigint {
    const { priceIndex } = market.spec
    const smile: Smile = this.state.config.smiles[priceIndex] ?? flatSmile
    const { strike } = optionOf(market.spec)
    return bounded(nano(smileAt(smile, strike, Number(this.forwardOf(market)) / 1e9)))
  }

  /** The mark minus and plus the band, rounded outward to the grid (R05). */
  band(market: NaiveMarket): NaiveBand | undefined {
    if (!this.state.config.priceBands) return undefined
    const { spec, mark, isMarked } = market
    if (spec.detail.type === 'combo') return this.comboBand(market)
    if (!isMarked) return undefined
    const ppm = BigInt(spec.bandPpm)
    if (ppm === 0n) return undefined
    let whole = mark
    if (spec.kind === 'option') whole = isInverseOption(spec) ? NANO : this.state.indexOf(market)
    if (whole === 0n) return undefined
    const width = { n: whole * ppm, d: 1_000_000n }
    const low = floorDiv(mark * width.d - width.n, width.d)
    const high = -floorDiv(-(mark * width.d + width.n), width.d)
    const tick = BigInt(spec.tick9)
    const min = floorToGrid(spec, low)
    return { min: min < tick ? tick : min, max: ceilToGrid(spec, high) }
  }

  /** The signed sum of the bands of its legs; unknown while one of them is unknown. */
  private comboBand(market: NaiveMarket): NaiveBand | undefined {
    const legs = this.legsOf(market)
    if (legs === null) return undefined
    let min = 0n
    let max = 0n
    for (const { market: leg, ratio } of legs) {
      const band = this.band(leg)
      if (band === undefined) return undefined
      min += ratio * (ratio > 0n ? band.min : band.max)
      max += ratio * (ratio > 0n ? band.max : band.min)
    }
    const tick = BigInt(market.spec.tick9)
    return { min: floorDiv(min, tick) * tick, max: -floorDiv(-max, tick) * tick }
  }
}

/** The key of a series; its options share a forward. */
export function seriesOf({ spec }: NaiveMarket): string {
  return `${spec.priceIndex} ${spec.expiration}`
}

/** The terms that price an option. */
export function optionOf({ detail }: InstrumentSpec): NaiveOption {
  if (detail.type !== 'option') throw new Error('an option is asked for what it is')
  return { right: detail.right, strike: detail.strike / 1e9 }
}

export function strikeOf({ spec }: NaiveMarket): bigint {
  if (spec.detail.type !== 'option') throw new Error('an option has a strike')
  return BigInt(spec.detail.strike)
}

/** Linear in total variance over ln(strike), flat outside; nodes by ascending strike. */
export function volatilityBetween(
  nodes: readonly { readonly strike: number; readonly volatility: bigint }[],
  strike: number,
): bigint {
  const below = nodes.filter((node) => node.strike <= strike).at(-1)
  const above = nodes.find((node) => node.strike >= strike)
  if (below === undefined || above === undefined) return (below ?? above)?.volatility ?? 0n
  if (below.strike === above.strike) return below.volatility
  const part = Math.log(strike / below.strike) / Math.log(above.strike / below.strike)
  const low = (Number(below.volatility) / 1e9) ** 2
  const high = (Number(above.volatility) / 1e9) ** 2
  return bounded(nano(Math.sqrt(low + part * (high - low))))
}

/** True if prices are in coin: quote and settlement currency are the base. */
export function isInverseOption(spec: InstrumentSpec): boolean {
  return spec.kind === 'option' && spec.quoteCurrency === spec.baseCurrency
}

/** Marks of options have 8 decimals in BTC, 6 in ETH, 4 in USDC (market.md 0); more for finer ticks. */
export function premiumStep(spec: InstrumentSpec): bigint {
  if (!isInverseOption(spec)) return finer(100_000n, spec.tick9)
  return finer(spec.baseCurrency === 'BTC' ? 10n : 1_000n, spec.tick9)
}

/** Volatilities lie between 1 % and 500 %. */
export function bounded(volatility: bigint): bigint {
  if (volatility < 10_000_000n) return 10_000_000n
  return volatility > 5_000_000_000n ? 5_000_000_000n : volatility
}

/** The tick at a price: that of the last step at it or below it. */
export function tickAt(spec: InstrumentSpec, price: bigint): bigint {
  const step = spec.tickSteps.filter(({ above }) => price >= BigInt(above)).at(-1)
  return BigInt(step?.tick9 ?? spec.tick9)
}

/** The greatest price of the grid at or below a price. */
export function floorToGrid(spec: InstrumentSpec, price: bigint): bigint {
  const tick = tickAt(spec, price)
  return floorDiv(price, tick) * tick
}

/** The smallest price of the grid at or above a price. */
export function ceilToGrid(spec: InstrumentSpec, price: bigint): bigint {
  const tick = tickAt(spec, price)
  return -floorDiv(-price, tick) * tick
}

function nano(value: number): bigint {
  return BigInt(Math.round(value * 1e9))
}
