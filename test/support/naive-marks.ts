/**
 * Index, mark and funding of the naive exchange (market.md 3.1 to 3.5). Every second it recomputes everything; nothing
 * is skipped.
 */

import type { MarkSource, Side } from '../../src/model/index.ts'
import type { NaiveEvents } from './naive-events.ts'
import type { NaiveLiveOrders } from './naive-live-orders.ts'
import { fillPosition, larger, type NaivePosition, rdiv, smaller } from './naive-money.ts'
import { bounded, HALF_HOUR, type NaiveOptions, seriesOf, strikeOf, volatilityBetween } from './naive-options.ts'
import {
  expiringMark,
  fairMark,
  fairOf,
  fundingOf,
  fundingPart,
  indexStep,
  type NaiveLevel,
  nextEma,
} from './naive-reference.ts'
import type { NaiveMarket, NaiveState, NaiveWindow } from './naive-state.ts'
import { reach } from './naive-triggers.ts'

export const SECOND = 1_000_000
export const MINUTE = 60 * SECOND
export const DAY = 86_400 * SECOND
const EIGHT = 28_800 * SECOND

/** The first 08:00 after a time. */
export function nextSession(time: number): number {
  return Math.floor((time - EIGHT) / DAY) * DAY + EIGHT + DAY
}

/** Prices: the samples of each index, and the marks that options and combos have yet to follow. */
export class NaiveMarks {
  readonly state: NaiveState
  readonly events: NaiveEvents
  readonly orders: NaiveLiveOrders
  readonly options: NaiveOptions
  /** Indices with a dated future whose mark changed or that was delivered. */
  readonly stale = new Set<string>()
  /** Markets whose mark changed since their combos were marked. */
  private readonly movedLegs = new Set<NaiveMarket>()
  /** The samples of each index for its next delivery price. */
  private readonly windows = new Map<string, NaiveWindow>()

  constructor(state: NaiveState, events: NaiveEvents, orders: NaiveLiveOrders, options: NaiveOptions) {
    this.state = state
    this.events = events
    this.orders = orders
    this.options = options
  }

  /** The next time at which marks, samples or options are due. */
  nextGrid(time: number): number {
    const second = Math.floor(time / SECOND) * SECOND + SECOND
    if (this.state.config.marks === 'venue') return second
    const sample = this.nextSample(time)
    if (this.options.listed().length === 0) return sample
    // Options are due each second in their last half hour, otherwise each minute.
    const ends = this.options.listed().map(({ spec }) => spec.expiration)
    const isEnding = ends.some((end) => second >= end - HALF_HOUR && second <= end)
    return Math.min(sample, isEnding ? second : Math.ceil(second / MINUTE) * MINUTE)
  }

  private nextSample(time: number): number {
    // Only delivery averages are due: 450 values, four seconds apart.
    const window = nextSession(time) - HALF_HOUR
    if (time < window) return window
    const next = window + (Math.floor((time - window) / (4 * SECOND)) + 1) * 4 * SECOND
    return next < window + HALF_HOUR ? next : window + DAY
  }

  /** Work at a time of the grid: a sample for each delivery average, then the marks. */
  onGrid(): void {
    if (this.isSampleTime()) this.sample([...this.state.indices.keys()])
    for (const market of this.state.config.marks === 'index' ? [] : this.state.markets) {
      if (market.spec.mark === null || market.delivered) continue
      const index = this.state.indexOf(market)
      if (index === 0n) continue
      const [bids, asks] = [this.levels(market, 'buy'), this.levels(market, 'sell')]
      const fair = fairOf(market.spec, { bids, asks }, index + market.ema)
      if (fair !== null) market.ema = nextEma(market.spec, market.ema, fair - index)
      if (!market.pinned) this.remark(market)
    }
    if (this.state.now % SECOND === 0) this.tickOptions()
    this.followLegs()
  }

  /** Reprices the options of an index whose forwards moved, in the order of listing. */
  followForwards(index: string): void {
    this.stale.delete(index)
    const followers = this.options.listed().filter(({ spec }) => spec.priceIndex === index)
    const moved = new Set<string>()
    for (const market of followers) if (this.options.moveForward(market)) moved.add(seriesOf(market))
    for (const market of followers) if (moved.has(seriesOf(market))) this.markOption(market)
  }

  /** Does this after the mark of a dated future of the index changed. */
  followFutures(index: string): void {
    if (this.stale.has(index)) this.followForwards(index)
  }

  /**
   * The options' work of a second. A series is due if one of its options has a book with two sides, in its last half
   * hour, and at whole minutes; other series are due if their forward moved.
   */
  private tickOptions(): void {
    const looked = new Set<string>()
    for (const series of new Set(this.options.listed().map(seriesOf))) {
      const members = this.options.listed().filter((market) => seriesOf(market) === series)
      const [first] = members
      if (first === undefined) continue
      const left = first.spec.expiration - this.state.now
      const isVenue = this.state.config.marks === 'venue'
      const isQuoted = isVenue && left > 0 && members.some((market) => this.quoteOf(market) !== null)
      const isEnding = left >= 0 && left <= HALF_HOUR
      const isDue = isQuoted || isEnding || this.state.now % MINUTE === 0
      const isMoved = (isDue || this.stale.has(first.spec.priceIndex)) && this.options.moveForward(first)
      // Without time to expiry, no price implies a volatility.
      if (isDue && isVenue && left > 0) this.moveVolatilities(members)
      if (isDue || isMoved) looked.add(series)
    }
    this.stale.clear()
    for (const market of this.options.listed()) if (looked.has(seriesOf(market))) this.markOption(market)
  }

  /** Volatilities of options with two-sided books move toward their books; the others are interpolated between them. */
  private moveVolatilities(members: readonly NaiveMarket[]): void {
    const nodes = new Map<bigint, bigint[]>()
    const others: NaiveMarket[] = []
    for (const market of members) {
      if (this.options.forwardOf(market) === 0n || market.deliveryPrice > 0n) continue
      const quote = this.quoteOf(market)
      if (quote === null) {
        if (!market.pinned) others.push(market)
        continue
      }
      if (!market.pinned) {
        const [bid, middle, ask] = [quote.bid, rdiv(quote.bid + quote.ask, 2n), quote.ask].map((price) =>
          this.options.volatilityOf(market, price),
        )
        const moved = market.volatility + rdiv(2n * ((middle ?? 0n) - market.volatility), 31n)
        market.volatility = bounded(smaller(ask ?? 0n, larger(bid ?? 0n, moved)))
      }
      const strike = strikeOf(market)
      nodes.set(strike, [...(nodes.get(strike) ?? []), market.volatility])
    }
    if (nodes.size === 0) return
    const known = [...nodes]
      .map(([strike, all]) => {
        const sum = all.reduce((total, volatility) => total + volatility, 0n)
        return { strike: Number(strike), volatility: rdiv(sum, BigInt(all.length)) }
      })
      .sort((a, b) => a.strike - b.strike)
    for (const market of others) {
      market.volatility = volatilityBetween(known, Number(strikeOf(market)))
    }
  }

  private quoteOf(market: NaiveMarket): { bid: bigint; ask: bigint } | null {
    const bid = this.orders.queue(market, 'buy')[0]?.price
    const ask = this.orders.queue(market, 'sell')[0]?.price
    return bid === undefined || ask === undefined ? null : { bid, ask }
  }

  /** The mark of an option; it starts on the smile. The volatility of a pinned option follows from its price. */
  private markOption(market: NaiveMarket): void {
    if (market.delivered || market.deliveryPrice > 0n) return
    if (this.options.forwardOf(market) === 0n) this.options.moveForward(market)
    if (this.options.forwardOf(market) === 0n) return
    if (market.pinned) {
      this.pinVolatility(market)
      return
    }
    const starts = this.state.config.marks === 'index' || market.volatility === 0n
    if (starts && !this.beginAtBook(market)) market.volatility = this.options.smileOf(market)
    this.setMark(market, this.options.modelMark(market), 'model')
  }

  /** Unpins an option; it continues from the volatility of its last price. */
  unpin(market: NaiveMarket): void {
    if (!market.pinned) return
    this.followForwards(market.spec.priceIndex)
    this.pinVolatility(market)
    market.pinned = false
    this.markOption(market)
  }

  /** Derives the volatility from a mark that was set. */
  private pinVolatility(market: NaiveMarket): void {
    if (market.spec.kind !== 'option' || this.options.forwardOf(market) === 0n) return
    market.volatility = bounded(this.options.volatilityOf(market, market.mark))
    market.isReported = true
  }

  /** The mean of the samples of an index in the window that ends at a time, to 1e-9; 0 for none. */
  private meanOf(index: string, end: number): bigint {
    const window = this.windows.get(index)
    const samples = window?.end === end ? window.samples : []
    const sum = samples.reduce((total, value) => total + value, 0n)
    return samples.length === 0 ? 0n : rdiv(sum, BigInt(samples.length))
  }

  /** The delivery price of an index at the end of a window, in the decimals of the index. */
  deliveryOf(index: string, end: number): { price: bigint; samples: number } {
    const window = this.windows.get(index)
    const samples = window?.end === end ? window.samples : []
    const count = BigInt(samples.length)
    if (count === 0n) return { price: this.state.indices.get(index) ?? 0n, samples: 0 }
    const sum = samples.reduce((total, value) => total + value, 0n)
    const priced = this.state.markets.filter(
      ({ spec, delivered }) => spec.priceIndex === index && !delivered && spec.quoteCurrency !== spec.baseCurrency,
    )
    const ticks = priced.map(({ spec }) => spec.tick9)
    const step = indexStep(index, this.state.indices.get(index) ?? 0n, ticks)
    return { price: rdiv(sum, count * step) * step, samples: samples.length }
  }

  setIndex(index: string, price: number): void {
    const followers = this.state.markets.filter(({ spec, delivered }) => spec.priceIndex === index && !delivered)
    if (this.state.indices.get(index) !== BigInt(price)) {
      for (const market of followers) this.runFunding(market)
    }
    const isFirst = (this.state.indices.get(index) ?? 0n) === 0n
    this.state.indices.set(index, BigInt(price))
    // A sample that is due when the index becomes known is the new value.
    if (isFirst && this.isSampleTime()) this.sample([index])
    this.events.emit({ kind: 'index', index, price })
    for (const market of followers) {
      reach(this.orders, market, 'index_price', BigInt(price))
      if (market.spec.kind === 'option') continue
      if (!market.pinned) this.remark(market)
      this.setRate(market)
    }
    this.followForwards(index)
  }

  /** Sets the mark to the value that the venue computes. */
  remark(market: NaiveMarket): void {
    const { spec, ema } = market
    const index = this.state.indexOf(market)
    // An instrument that awaits its delivery keeps its last mark.
    if (market.delivered || market.deliveryPrice > 0n) return
    if (spec.detail.type === 'combo') this.markCombo(market)
    if (spec.kind === 'option') this.markOption(market)
    if (index === 0n || spec.detail.type === 'combo' || spec.kind === 'option') return
    const elapsed = this.state.now - (spec.expiration - HALF_HOUR)
    if (spec.mark === null || this.state.config.marks === 'index') this.setMark(market, index, 'index')
    else if (elapsed < 0 || elapsed > HALF_HOUR) {
      // An instrument that was listed after its expiry has an ordinary mark until the next 08:00.
      this.setMark(market, fairMark(spec, index, ema), 'fair')
    } else {
      const mean = this.meanOf(spec.priceIndex, spec.expiration)
      const drawn = expiringMark(spec, { mean, index, ema, elapsed: BigInt(elapsed) })
      this.setMark(market, drawn, 'delivery')
    }
  }

  setMark(market: NaiveMarket, price: bigint, source: MarkSource): void {
    if (market.isMarked && market.mark === price) {
      if (source === 'set' || source === 'feed') this.pinVolatility(market)
      return
    }
    market.mark = price
    market.isMarked = true
    if (source === 'set' || source === 'feed') this.pinVolatility(market)
    if (market.spec.detail.type === 'future') this.stale.add(market.spec.priceIndex)
    for (const [account, { size }] of market.positions) if (size !== 0n) this.state.moved.add(account)
    this.events.emit({
      kind: 'mark',
      instrument: market.id,
      price: Number(price),
      index: Number(this.state.indexOf(market)),
      source,
      option: this.optionMark(market),
    })
    reach(this.orders, market, 'mark_price', price)
    this.setRate(market)
    this.movedLegs.add(market)
  }

  /** An option with its first book takes its volatility at once. */
  private beginAtBook(market: NaiveMarket): boolean {
    if (this.state.config.marks !== 'venue' || market.isReported || market.pinned || market.delivered) return false
    if (market.deliveryPrice > 0n || market.spec.expiration <= this.state.now) return false
    const quote = this.quoteOf(market)
    if (quote === null || this.options.forwardOf(market) === 0n) return false
    const middle = rdiv(quote.bid + quote.ask, 2n)
    market.volatility = bounded(this.options.volatilityOf(market, middle))
    market.isReported = true
    return true
  }

  /** Options start at their first book; then combos whose legs moved are marked once. */
  followLegs(): void {
    for (const market of this.options.listed()) if (this.beginAtBook(market)) this.markOption(market)
    const moved = new Set(this.movedLegs)
    this.movedLegs.clear()
    for (const combo of moved.size === 0 ? [] : this.state.markets) {
      const isMoved = this.options.legsOf(combo)?.some((leg) => moved.has(leg.market)) ?? false
      if (isMoved && !combo.pinned) this.remark(combo)
    }
    this.movedLegs.clear()
  }

  /** The inputs of the mark of an option. */
  private optionMark(market: NaiveMarket): object | null {
    if (market.spec.kind !== 'option') return null
    return { volatility9: Number(market.volatility), forward: Number(this.options.forwardOf(market)) }
  }

  /** A combo has a mark if all its legs have marks. */
  private markCombo(market: NaiveMarket): void {
    const legs = this.options.legsOf(market)
    if (legs === null || !legs.every((leg) => leg.market.isMarked)) return
    const sum = legs.reduce((total, leg) => total + leg.ratio * leg.market.mark, 0n)
    this.setMark(market, sum, 'legs')
  }

  /** Computes the funding rate from mark and index. */
  private setRate(market: NaiveMarket): void {
    const { spec, mark } = market
    const index = this.state.indexOf(market)
    if (spec.funding === null || mark === 0n || index === 0n) return
    const part = fundingPart(spec.funding, { mark, index, time: this.state.now })
    const rate = rdiv(part, index)
    const isShown = rate !== market.rate
    if (part === market.part && !isShown) return
    this.runFunding(market)
    market.part = part
    market.rate = rate
    if (!isShown) return
    this.events.emit({
      kind: 'funding_rate',
      instrument: market.id,
      rate8: Number(rate),
      accumulated: market.accumulated,
      mark: Number(mark),
      index: Number(index),
    })
  }

  /** Accumulates funding up to now. */
  runFunding(market: NaiveMarket): void {
    market.accumulated = this.state.accumulatedNow(market)
    market.fundedUntil = this.state.now
  }

  /** Credits the funding of a position since the last time to its owner. */
  touch(market: NaiveMarket, account: number): void {
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
    this.events.emit({
      ...{ kind: 'funding', account, instrument: market.id, position: Number(size) },
      ...{ from, to, funding },
    })
  }

  /** Books a fill into a position whose funding is up to date. */
  book(market: NaiveMarket, account: number, fill: { readonly lots: bigint; readonly price: bigint }): NaivePosition {
    const position = this.state.position(market, account)
    this.state.moved.add(account)
    fillPosition(market.spec, position, fill)
    position.touched = market.accumulated
    market.positions.set(account, position)
    return position
  }

  /** True if samples of every index for its delivery price are due now. */
  private isSampleTime(): boolean {
    const since = this.state.now - (nextSession(this.state.now) - HALF_HOUR)
    return since >= 0 && since % (4 * SECOND) === 0
  }

  private sample(indices: readonly string[]): void {
    const end = nextSession(this.state.now)
    for (const index of indices) {
      const price = this.state.indices.get(index) ?? 0n
      if (price === 0n) continue
      if (this.windows.get(index)?.end !== end) this.windows.set(index, { end, samples: [] })
      this.windows.get(index)?.samples.push(price)
    }
  }

  /** Displayed levels of a side, best first. */
  private levels(market: NaiveMarket, side: Side): readonly NaiveLevel[] {
    const step = BigInt(market.spec.amountStep9)
    const levels: { price: bigint; amount: bigint }[] = []
    for (const { price, tip } of this.orders.queue(market, side)) {
      const last = levels.at(-1)
      if (last?.price === price) last.amount += tip * step
      else levels.push({ price, amount: tip * step })
    }
    return levels
  }
}
