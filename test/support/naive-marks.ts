/**
 * Index, mark and funding of the naive exchange (market.md 3.1 to 3.5). Everything is looked at every
 * second; nothing sleeps.
 */
import type { MarkSource, Side } from '../../src/model/index.ts'
import { fillPosition, type NaivePosition, rdiv } from './naive-money.ts'
import {
  expiringMark,
  fairMark,
  fairOf,
  fundingOf,
  fundingRate,
  indexStep,
  type NaiveLevel,
  nextEma,
} from './naive-reference.ts'
import type { NaiveMarket } from './naive-state.ts'
import { NaiveTriggering } from './naive-triggers.ts'

const SECOND = 1_000_000
const HALF_HOUR = 1_800 * SECOND
export const DAY = 86_400 * SECOND
const EIGHT = 28_800 * SECOND

/** The first 08:00 after a time. */
export function nextSession(time: number): number {
  return Math.floor((time - EIGHT) / DAY) * DAY + EIGHT + DAY
}

/** The state with prices. */
export class NaiveMarks extends NaiveTriggering {
  /** The next time at which something of this is due after a time. */
  protected nextGrid(time: number): number {
    const second = Math.floor(time / SECOND) * SECOND + SECOND
    if (this.config.marks === 'venue') return second
    // Only delivery averages are taken: 450 values, four seconds apart.
    const window = nextSession(time) - HALF_HOUR
    if (time < window) return window
    const next = window + (Math.floor((time - window) / (4 * SECOND)) + 1) * 4 * SECOND
    return next < window + HALF_HOUR ? next : window + DAY
  }

  /** What is due at a time of the grid: a value for each delivery average, then the marks. */
  protected onGrid(): void {
    if (this.isSampleTime()) this.sample([...this.indices.keys()])
    if (this.config.marks === 'index') return
    for (const market of this.markets) {
      if (market.spec.mark === null || market.delivered) continue
      const index = this.indexOf(market)
      if (index === 0n) continue
      const [bids, asks] = [this.levels(market, 'buy'), this.levels(market, 'sell')]
      const fair = fairOf(market.spec, { bids, asks }, index + market.ema)
      if (fair !== null) market.ema = nextEma(market.ema, fair - index)
      if (!market.pinned) this.remark(market)
    }
  }

  /** The mean of what was taken of an index in the window that ends at a time, to 1e-9; 0 for none. */
  protected meanOf(index: string, end: number): bigint {
    const window = this.windows.get(index)
    const samples = window?.end === end ? window.samples : []
    const sum = samples.reduce((total, value) => total + value, 0n)
    return samples.length === 0 ? 0n : rdiv(sum, BigInt(samples.length))
  }

  /** What an index delivers at the end of a window, in the decimals of the index. */
  protected deliveryOf(index: string, end: number): { price: bigint; samples: number } {
    const window = this.windows.get(index)
    const samples = window?.end === end ? window.samples : []
    const count = BigInt(samples.length)
    if (count === 0n) return { price: this.indices.get(index) ?? 0n, samples: 0 }
    const sum = samples.reduce((total, value) => total + value, 0n)
    const step = indexStep(index, this.indices.get(index) ?? 0n)
    return { price: rdiv(sum, count * step) * step, samples: samples.length }
  }

  protected setIndex(index: string, price: number): void {
    const followers = this.markets.filter(
      ({ spec, delivered }) => spec.priceIndex === index && !delivered,
    )
    if (this.indices.get(index) !== BigInt(price)) {
      for (const market of followers) this.runFunding(market)
    }
    const isFirst = (this.indices.get(index) ?? 0n) === 0n
    this.indices.set(index, BigInt(price))
    // A value due at the very instant at which the index becomes known is that.
    if (isFirst && this.isSampleTime()) this.sample([index])
    this.emit({ kind: 'index_changed', index, price })
    for (const market of followers) {
      this.reach(market, 'index_price', BigInt(price))
      if (!market.pinned && market.spec.kind !== 'option') this.remark(market)
      this.setRate(market)
    }
    this.followForwards(index)
  }

  /** Marks of options follow their forwards, after the futures of their index. */
  private followForwards(index: string): void {
    for (const market of this.markets) {
      const { kind, priceIndex } = market.spec
      if (kind === 'option' && priceIndex === index && !market.pinned) this.remark(market)
    }
  }

  /** Sets the mark to what the venue computes. */
  protected remark(market: NaiveMarket): void {
    const { spec, ema } = market
    const index = this.indexOf(market)
    // What waits for its delivery keeps its last mark.
    if (market.delivered || market.deliveryPrice > 0n) return
    if (spec.detail.type === 'combo') this.markCombo(market)
    if (index === 0n || spec.detail.type === 'combo') return
    if (spec.kind === 'option') {
      this.markOption(market)
      return
    }
    const elapsed = this.now - (spec.expiration - HALF_HOUR)
    if (spec.mark === null || this.config.marks === 'index') this.setMark(market, index, 'index')
    else if (elapsed < 0 || elapsed > HALF_HOUR) {
      // What was listed after its end has an ordinary mark until the next 08:00.
      this.setMark(market, fairMark(spec, index, ema), 'fair')
    } else {
      const mean = this.meanOf(spec.priceIndex, spec.expiration)
      const drawn = expiringMark(spec, { mean, index, ema, elapsed: BigInt(elapsed) })
      this.setMark(market, drawn, 'delivery')
    }
  }

  protected setMark(market: NaiveMarket, price: bigint, source: MarkSource): void {
    if (market.isMarked && market.mark === price) return
    market.mark = price
    market.isMarked = true
    for (const [account, { size }] of market.positions) if (size !== 0n) this.moved.add(account)
    this.emit({
      kind: 'mark_changed',
      instrument: market.id,
      price: Number(price),
      index: Number(this.indexOf(market)),
      source,
      option: this.optionMark(market),
    })
    this.reach(market, 'mark_price', price)
    this.setRate(market)
    for (const combo of this.markets) {
      const isLeg = this.legsOf(combo)?.some((leg) => leg.market === market) ?? false
      if (isLeg && !combo.pinned) this.remark(combo)
    }
  }

  /** What the mark of an option came from. */
  protected optionMark(market: NaiveMarket): object | null {
    if (market.spec.kind !== 'option') return null
    return { volatility9: Number(market.volatility), forward: Number(this.forwardOf(market)) }
  }

  /** The mark of an option, which starts on the smile. */
  private markOption(market: NaiveMarket): void {
    if (market.volatility === 0n) market.volatility = this.smileOf(market)
    this.setMark(market, this.modelMark(market), 'model')
  }

  /** The mark of a combo is known where those of its legs are. */
  private markCombo(market: NaiveMarket): void {
    const legs = this.legsOf(market)
    if (legs === null || !legs.every((leg) => leg.market.isMarked)) return
    const sum = legs.reduce((total, leg) => total + leg.ratio * leg.market.mark, 0n)
    this.setMark(market, sum, 'legs')
  }

  /** The funding rate follows mark and index. */
  protected setRate(market: NaiveMarket): void {
    const { spec, mark } = market
    const index = this.indexOf(market)
    if (spec.funding === null || mark === 0n || index === 0n) return
    const rate = fundingRate(spec.funding, { mark, index, time: this.now })
    if (rate === market.rate) return
    this.runFunding(market)
    market.rate = rate
    this.emit({
      kind: 'funding_rate_changed',
      instrument: market.id,
      rate8: Number(rate),
      accumulated: market.accumulated,
      mark: Number(mark),
      index: Number(index),
    })
  }

  /** Sums funding up to now. */
  protected runFunding(market: NaiveMarket): void {
    market.accumulated = this.accumulatedNow(market)
    market.fundedUntil = this.now
  }

  /** Funding of a position since it was last touched becomes its owner's. */
  protected touch(market: NaiveMarket, account: number): void {
    if (market.spec.funding === null) return
    this.runFunding(market)
    const position = market.positions.get(account)
    if (position === undefined) return
    const { touched: from, size } = position
    const to = market.accumulated
    position.touched = to
    if (from === to || size === 0n) return
    const funding = fundingOf(market.spec, size, to - from)
    position.funding += funding
    if (size > 0n) market.longsPaid -= funding
    this.emit({
      ...{ kind: 'funding_accrued', account, instrument: market.id, position: Number(size) },
      ...{ from, to, funding },
    })
  }

  /** Books a fill into a position that was touched. */
  protected book(
    market: NaiveMarket,
    account: number,
    fill: { readonly lots: bigint; readonly price: bigint },
  ): NaivePosition {
    const position = this.position(market, account)
    this.moved.add(account)
    fillPosition(market.spec, position, fill)
    position.touched = market.accumulated
    market.positions.set(account, position)
    return position
  }

  /** Whether a value of every index for its delivery price is due now. */
  private isSampleTime(): boolean {
    const since = this.now - (nextSession(this.now) - HALF_HOUR)
    return since >= 0 && since % (4 * SECOND) === 0
  }

  private sample(indices: readonly string[]): void {
    const end = nextSession(this.now)
    for (const index of indices) {
      const price = this.indices.get(index) ?? 0n
      if (price === 0n) continue
      if (this.windows.get(index)?.end !== end) this.windows.set(index, { end, samples: [] })
      this.windows.get(index)?.samples.push(price)
    }
  }

  /** What can be seen of a side, best first. */
  private levels(market: NaiveMarket, side: Side): readonly NaiveLevel[] {
    const step = BigInt(market.spec.amountStep9)
    const levels: { price: bigint; amount: bigint }[] = []
    for (const { price, tip } of this.queue(market, side)) {
      const last = levels.at(-1)
      if (last?.price === price) last.amount += tip * step
      else levels.push({ price, amount: tip * step })
    }
    return levels
  }
}
