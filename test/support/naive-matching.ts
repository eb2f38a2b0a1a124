/**
 * Matching of the naive exchange: trades and their consequences, icebergs, self-match prevention, and how an order
 * rests (trading.md 6; C06, C20-C27, R37).
 */

import type { AccountId, Amount, Lots, OrderId } from '../../src/core/index.ts'
import type { Currency, Fill, Side, TradeLiquidation } from '../../src/model/index.ts'
import { legFees, legPrices, type NaiveLegTrade } from './naive-combos.ts'
import type { NaiveEvents } from './naive-events.ts'
import type { NaiveLiveOrders } from './naive-live-orders.ts'
import type { NaiveMargins } from './naive-margins.ts'
import type { NaiveMarks } from './naive-marks.ts'
import { feeOf, moneyOf, smaller, worth } from './naive-money.ts'
import type { NaiveOptions } from './naive-options.ts'
import { freshTip, isLive, isPriceless, type NaiveOrder, remainingOf } from './naive-orders.ts'
import { copyOf, type NaiveMarket, type NaiveState, otherSide, takes } from './naive-state.ts'
import { reach } from './naive-triggers.ts'

/** One match before it is booked. */
interface Match {
  readonly maker: NaiveOrder
  readonly taker: NaiveOrder
  readonly lots: bigint
  /** True if it takes hidden size of the maker. */
  readonly hidden: boolean
}

/** The parts below matching. */
export interface NaiveParts {
  readonly state: NaiveState
  readonly events: NaiveEvents
  readonly orders: NaiveLiveOrders
  readonly options: NaiveOptions
  readonly margins: NaiveMargins
  readonly marks: NaiveMarks
}

/** Matches one order at a time. */
export class NaiveMatching implements NaiveParts {
  readonly state: NaiveState
  readonly events: NaiveEvents
  readonly orders: NaiveLiveOrders
  readonly options: NaiveOptions
  readonly margins: NaiveMargins
  readonly marks: NaiveMarks
  /** True after an order that rejects self-matches met another order of its account. */
  metOwn = false
  private altMatches = 0

  constructor(parts: NaiveParts) {
    this.state = parts.state
    this.events = parts.events
    this.orders = parts.orders
    this.options = parts.options
    this.margins = parts.margins
    this.marks = parts.marks
  }

  /** Sends a new or moved order to its book, directly or through the alternative engine. */
  submit(order: NaiveOrder): void {
    const delay = this.state.marketOf(order).spec.routeDelay
    if (delay === null) {
      this.enter(order)
      return
    }
    order.stage = 'routed'
    this.orders.routes.push({ due: this.state.now + delay, order, until: this.orders.deadline })
  }

  /** Cuts a reduce-only order to the position, matches it, and rests or ends the remainder. */
  enter(order: NaiveOrder): void {
    order.stage = 'entering'
    const before = order.filled
    this.takeIn(order)
    if (!isLive(order)) return
    const market = this.state.marketOf(order)
    const dies = order.timeInForce === 'immediate_or_cancel' || order.timeInForce === 'fill_or_kill'
    const homeless = order.type === 'market' && this.options.band(market) === undefined
    const traded = order.filled > before
    if (remainingOf(order) === 0n) {
      this.orders.finish(order, 'filled', { state: 'filled', rested: false })
      this.orders.closeSecondaries(order)
    } else if (dies || homeless) this.orders.end(order, 'time_in_force')
    else {
      if (traded) this.orders.report('filled', order, { rested: true })
      order.stage = 'resting'
      order.tip = freshTip(order)
      market.resting.push(order)
      if (!order.stood && isPriceless(order.type)) this.orders.report('rested', order, { rested: true })
      order.stood = true
    }
  }

  /** Cuts and matches an order, the first half of its entry. */
  takeIn(order: NaiveOrder): void {
    const market = this.state.marketOf(order)
    if (order.reduceOnly) this.orders.allocate(market, order.account, { entering: order })
    if (!isLive(order)) return
    if (order.timeInForce === 'fill_or_kill' && !this.fillsWhole(order)) return
    this.match(market, order)
  }

  /** Tries an order in a copy of everything before it is matched. */
  private fillsWhole(order: NaiveOrder): boolean {
    const twin = copyOf(this)
    const same = twin.orders.live.find(({ id }) => id === order.id)
    if (same === undefined) throw new Error('an order that enters is live')
    twin.match(twin.state.marketOf(same), same)
    return same.filled === order.amount
  }

  private match(market: NaiveMarket, taker: NaiveOrder): void {
    this.orders.emptied = []
    while (isLive(taker) && remainingOf(taker) > 0n) {
      const maker = this.nextMaker(market, taker)
      if (maker === undefined) break
      if (this.state.token(maker.account) === this.state.token(taker.account)) {
        const mode = this.state.modeOf(taker.account)
        if (mode === 'reject_taker') {
          this.metOwn = true
          break
        }
        if (mode === 'cancel_maker') {
          this.orders.end(maker, 'risk_mitigation')
          continue
        }
      }
      const hidden = maker.tip === 0n
      const offered = hidden ? remainingOf(maker) : maker.tip
      this.trade(market, { maker, taker, hidden, lots: smaller(remainingOf(taker), offered) })
    }
    this.refresh(market)
  }

  /**
   * The next maker: at the best price, displayed size before hidden size, in the order of the queue or in the order in
   * which the tips ran out.
   */
  private nextMaker(market: NaiveMarket, taker: NaiveOrder): NaiveOrder | undefined {
    const seen = this.orders.bestAgainst(market, taker.side)
    const hidden = this.orders.emptied.find((order) => isLive(order) && remainingOf(order) > 0n)
    const first = hidden !== undefined && (seen === undefined || seen.price !== hidden.price) ? hidden : seen
    return first !== undefined && takes(taker.side, taker.price, first.price) ? first : undefined
  }

  /** Icebergs without displayed size show their next part, behind all other orders at their price. */
  private refresh(market: NaiveMarket): void {
    const { emptied } = this.orders
    this.orders.emptied = []
    for (const order of emptied) {
      if (!isLive(order) || remainingOf(order) === 0n) continue
      this.orders.leave(order)
      market.resting.push(order)
      order.tip = freshTip(order)
      this.orders.report('refreshed', order, { rested: true })
    }
  }

  private trade(market: NaiveMarket, match: Match): void {
    const { maker, taker, lots, hidden } = match
    const { spec } = market
    const { price } = maker
    for (const order of [maker, taker]) {
      order.filled += lots
      order.fills.push({ lots, price })
    }
    if (!hidden) maker.tip -= lots
    if (!hidden && maker.tip === 0n) this.orders.emptied.push(maker)
    const makerTerms = hidden
      ? ({ rate: spec.takerFee9, rule: 'hidden' } as const)
      : ({ rate: spec.makerFee9, rule: 'book_maker' } as const)
    const isCombo = spec.detail.type === 'combo'
    const number = this.events.nextTrade(spec.settlementCurrency)
    const legs = isCombo ? this.legTrades(market, { price, lots, side: taker.side }) : []
    if (!isCombo) {
      this.marks.touch(market, maker.account)
      this.marks.touch(market, taker.account)
    }
    const fills = [
      this.settle(market, maker, { lots, price, ...makerTerms }),
      this.settle(market, taker, { lots, price, rate: spec.takerFee9, rule: 'book_taker' }),
    ] as const
    this.emitTrade(market, {
      ...{ trade: number, price, lots, side: taker.side, combo: null },
      ...{ legs: legs.map(({ market: _leg, ...reported }) => reported), fills },
      liquidation: liquidationOf(maker, taker),
    })
    market.bookPrice = price
    market.usedAt = this.state.now
    if (isCombo) this.tradeLegs(market, number, legs, { maker, taker, hidden })
    reach(this.orders, market, 'last_price', price)
    this.orders.followLinks(maker)
    this.orders.followLinks(taker)
    this.orders.allocate(market, maker.account, { except: taker })
    this.orders.allocate(market, taker.account, { except: taker })
    if (!isLive(maker)) return
    if (remainingOf(maker) > 0n) this.orders.report('filled', maker, { rested: true })
    else {
      this.orders.finish(maker, 'filled', { state: 'filled', rested: true })
      this.orders.closeSecondaries(maker)
    }
  }

  /** Emits a trade, and stores it as the last one of its market. */
  private emitTrade(
    market: NaiveMarket,
    reported: {
      readonly trade: number
      readonly price: bigint
      readonly lots: bigint
      readonly side: Side
      readonly combo: object | null
      readonly legs: readonly object[]
      readonly liquidation: TradeLiquidation
      readonly fills: readonly [Fill, Fill]
    },
  ): void {
    const { price, lots, side, trade, combo, legs, liquidation } = reported
    const [maker, taker] = reported.fills
    const last = market.trades.at(-1)
    if (last !== undefined && price > last) market.direction = 0
    else if (last !== undefined && price < last) market.direction = 2
    else market.direction = market.direction >= 2 ? 3 : 1
    market.trades.push(price)
    const isAlt = market.spec.kind !== 'spot' && market.spec.baseCurrency !== 'BTC'
    if (isAlt) this.altMatches += 1
    this.events.emit({
      altMatch: isAlt ? this.altMatches : 0,
      ...{ kind: 'trade', trade, tradeSeq: market.trades.length, instrument: market.id },
      ...{ price: Number(price), amount: Number(lots), side },
      tickDirection: market.direction,
      ...{ index: Number(this.state.indexOf(market)), mark: Number(market.mark) },
      ...{ liquidation, option: this.optionTrade(market, price), combo, legs, maker, taker },
      block: null,
      rfq: null,
    })
  }

  /** The implied volatility of an option's price, and the forward of that computation. */
  private optionTrade(market: NaiveMarket, price: bigint): object | null {
    if (market.spec.kind !== 'option') return null
    const forward = Number(this.options.forwardOf(market))
    if (forward === 0) return null
    return { volatility9: Number(this.options.volatilityOf(market, price)), forward }
  }

  /** The trades of the legs of a combo trade, each with a separate trade number (C33b). */
  private legTrades(
    combo: NaiveMarket,
    { price, lots, side }: { readonly price: bigint; readonly lots: bigint; readonly side: Side },
  ): readonly NaiveLegTrade[] {
    const legs = this.options.legsOf(combo) ?? []
    const prices = legPrices(price, legs)
    return legs.map(({ market, ratio }, at) => {
      const amount = ratio * lots * BigInt(combo.spec.amountStep9)
      const own = amount / BigInt(market.spec.amountStep9)
      return {
        ...{ market, trade: this.events.nextTrade(market.spec.settlementCurrency) },
        ...{ tradeSeq: market.trades.length + 1, instrument: market.id },
        ...{ price: Number(prices[at] ?? 0n), amount: Number(own < 0n ? -own : own) },
        side: own > 0n ? side : otherSide(side),
      }
    })
  }

  /** Books the legs of a combo trade one by one. */
  private tradeLegs(
    combo: NaiveMarket,
    trade: number,
    legs: readonly NaiveLegTrade[],
    by: { readonly maker: NaiveOrder; readonly taker: NaiveOrder; readonly hidden: boolean },
  ): void {
    const { maker, taker, hidden } = by
    const feesOf = (order: NaiveOrder, pays: 'maker' | 'taker'): readonly bigint[] =>
      legFees(combo, legs, {
        ...{ isTaker: order === taker, pays, ppm: this.state.accounts[order.account]?.feePpm ?? 0 },
        indexOf: (market) => this.state.indexOf(market),
      })
    const takerFees = feesOf(taker, 'taker')
    const makerFees = feesOf(maker, hidden ? 'taker' : 'maker')
    for (const [at, { market, ...reported }] of legs.entries()) {
      const lots = BigInt(reported.amount)
      const price = BigInt(reported.price)
      this.marks.touch(market, maker.account)
      this.marks.touch(market, taker.account)
      const how = { lots, price, rate: 0 }
      const makerSide = otherSide(reported.side)
      const fills = [
        this.settle(
          market,
          { ...maker, side: makerSide },
          { ...how, rule: hidden ? 'hidden' : 'book_maker', fee: makerFees[at] ?? 0n },
        ),
        this.settle(
          market,
          { ...taker, side: reported.side },
          { ...how, rule: 'book_taker', fee: takerFees[at] ?? 0n },
        ),
      ] as const
      this.emitTrade(market, {
        ...{ trade: reported.trade, price, lots, side: reported.side, legs: [], fills },
        combo: { instrument: combo.id, trade },
        liquidation: 'none',
      })
    }
  }

  /** Postings of one side of a trade. */
  settle(
    market: NaiveMarket,
    order: NaiveOrder,
    fill: {
      readonly lots: bigint
      readonly price: bigint
      readonly rate: number
      readonly rule: Fill['rule']
      /** For a leg, whose fee depends on the other legs. */
      readonly fee?: bigint
    },
  ): Fill {
    const { spec } = market
    const { account, side } = order
    const { lots, price } = fill
    const ppm = this.state.accounts[account]?.feePpm ?? 0
    const index = this.state.indexOf(market)
    const isCombo = spec.detail.type === 'combo'
    const feeAt = (rate: number, part: number): bigint =>
      isCombo ? 0n : feeOf(spec, { rate, lots, price, side, ppm: part, index })
    const whole = 1_000_000
    const surcharged = order.liquidation ? feeAt(spec.liquidationFee9, whole) : null
    const fee = surcharged ?? fill.fee ?? feeAt(fill.rate, ppm)
    // The insurance fund receives the part above a taker's ordinary fee (T57).
    const ordinary = feeAt(spec.takerFee9, whole)
    const beyond = fee - (ordinary > 0n ? ordinary : 0n)
    const fund = surcharged !== null && beyond > 0n ? beyond : 0n
    const buys = side === 'buy'
    let feeCurrency: string = spec.settlementCurrency
    let realized = 0n
    let size = 0n
    let premium = 0n
    if (spec.payoff === 'spot') {
      if (buys) feeCurrency = spec.baseCurrency
      const base = lots * BigInt(spec.amountStep9)
      this.state.post(account, spec.baseCurrency, buys ? base : -base)
      const cost = worth(spec, lots, price)
      this.state.post(account, spec.settlementCurrency, buys ? -cost : cost)
    } else if (spec.detail.type !== 'combo') {
      if (spec.kind === 'option') {
        const cost = worth(spec, lots, price)
        premium = buys ? -cost : cost
        this.state.post(account, spec.settlementCurrency, premium)
      }
      const before = moneyOf(spec, this.state.position(market, account).realized)
      const position = this.marks.book(market, account, { lots: buys ? lots : -lots, price })
      realized = moneyOf(spec, position.realized) - before
      size = position.size
    }
    this.state.post(account, feeCurrency, -fee)
    this.state.post(0, feeCurrency, fee - fund)
    this.state.post(3, feeCurrency, fund)
    return {
      account: account as AccountId,
      order: order.id as OrderId,
      side,
      rule: fill.rule,
      aheadBefore: 0 as Lots,
      aheadAfter: 0 as Lots,
      source: null,
      fee: fee as Amount,
      feeCurrency: feeCurrency as Currency,
      realized: realized as Amount,
      premium: premium as Amount,
      fundFee: fund as Amount,
      balance: this.state.balance(account, spec.settlementCurrency) as Amount,
      baseBalance: (spec.kind === 'spot' ? this.state.balance(account, spec.baseCurrency) : 0n) as Amount,
      position: Number(size) as Lots,
      remaining: Number(remainingOf(order)) as Lots,
    }
  }
}

/** The liquidated side of a trade. */
function liquidationOf(maker: NaiveOrder, taker: NaiveOrder): TradeLiquidation {
  if (maker.liquidation) return taker.liquidation ? 'MT' : 'M'
  return taker.liquidation ? 'T' : 'none'
}
