/**
 * The naive oracle of the whole closed exchange, in arrays and bigint, written from the text of the
 * rules: trading.md 6 and C07, C12, C20-C28, C36; market.md 1.3, 4, 5.1, 6.1. It shares vocabulary
 * with the engine and nothing else, keeps no index and no total, and recomputes everything it is
 * asked.
 *
 * Prices are 1e-9 quote units and sizes lots, both bigint.
 */
import type { AccountId, Amount, Lots, OrderId } from '../../src/core/index.ts'
import {
  type Command,
  type CommandOf,
  type Currency,
  currencies,
  type Event,
  type Fill,
  type Refusal,
} from '../../src/model/index.ts'
import { type Found, first, type Wish } from './naive-checks.ts'
import { NaiveControls } from './naive-controls.ts'
import { feeOf, moneyOf, smaller, worth } from './naive-money.ts'
import type { NaiveMarket, NaiveOrder } from './naive-state.ts'

/** The exchange. `apply` returns the events of one command. */
export class NaiveExchange extends NaiveControls {
  private readonly counters = new Map<string, number>()

  apply(command: Command): readonly Event[] {
    this.events = []
    this.advance(command.time)
    this.cause = command.sequence
    const outcome = this.dispatch(command)
    if (typeof outcome !== 'number') {
      this.emit({
        kind: 'request_refused',
        command: command.kind,
        account: command.account,
        instrument: 'instrument' in command ? command.instrument : -1,
        refusal: outcome,
      })
    }
    const done = typeof outcome === 'number'
    this.emit({
      kind: 'request_done',
      outcome: done ? 'done' : 'refused',
      count: done ? outcome : 0,
    })
    return this.events
  }

  private dispatch(command: Command): number | Refusal {
    switch (command.kind) {
      case 'place_order':
        return this.place(command)
      case 'edit_order':
        return this.edit(command)
      case 'cancel_order': {
        const order = this.orders.find((live) => live.id === command.order)
        const found = this.ownership(command.order, command.account, 'not_open_order')
        const refusal = first(command.fault, found)
        if (refusal !== null || order === undefined) return refusal ?? { reason: 'not_found' }
        this.end(order, 'user_request', true)
        return 1
      }
      case 'cancel_orders':
        return command.fault?.refusal ?? this.cancelAll(command)
      default:
        return command.fault?.refusal ?? this.control(command)
    }
  }

  private place(command: CommandOf<'place_order'>): number | Refusal {
    const market = this.markets[command.instrument]
    const plan = market === undefined ? undefined : this.entry(market, command)
    const found: Found | null =
      command.validUntil !== null && this.now >= command.validUntil
        ? { step: 6, refusal: { reason: 'timed_out' } }
        : plan === undefined
          ? { step: 7, refusal: { reason: 'not_found' } }
          : plan.found
    const refusal = first(command.fault, found)
    if (refusal !== null || market === undefined || plan === undefined) {
      return refusal ?? { reason: 'not_found' }
    }
    const currency = market.spec.settlementCurrency
    const order: NaiveOrder = {
      id: this.nextId('order', currency),
      account: command.account,
      instrument: command.instrument,
      side: command.side,
      type: command.type,
      timeInForce: command.timeInForce,
      label: command.label,
      created: command.sequence,
      createdAt: this.now,
      price: plan.price,
      amount: BigInt(command.amount),
      filled: 0n,
      postOnly: command.postOnly,
      reduceOnly: command.reduceOnly,
      replaced: false,
      fills: [],
    }
    this.orders.push(order)
    this.tell('order_opened', order, { state: 'open', rested: false })
    const wish: Wish = { ...plan.wish, market }
    const fits = command.timeInForce !== 'fill_or_kill' || this.fillable(wish) >= order.amount
    this.run(market, order, { fits, placed: true })
    return 1
  }

  private edit(command: CommandOf<'edit_order'>): number | Refusal {
    const order = this.orders.find((live) => live.id === command.order)
    let found: Found | null = null
    const refuse = (step: number, refusal: Refusal): void => {
      found ??= { step, refusal }
    }
    if (command.validUntil !== null && this.now >= command.validUntil) {
      refuse(6, { reason: 'timed_out' })
    }
    const owner = this.ownership(command.order, command.account, 'already_closed')
    if (owner !== null) refuse(owner.step, owner.refusal)
    const market = this.markets[order?.instrument ?? -1]
    if (order === undefined || market === undefined) {
      return first(command.fault, found) ?? { reason: 'not_found' }
    }
    const { side } = order
    const amount = command.amount === null ? order.amount : BigInt(command.amount)
    if (amount <= order.filled) refuse(11, { reason: 'invalid_amount' })
    this.checkSize(market, amount, refuse)
    const wanted =
      command.price === null ? order.price : BigInt(command.price) * BigInt(market.spec.tick9)
    if (wanted <= 0n && command.price !== null) refuse(12, { reason: 'price_wrong_tick' })
    const postOnly = command.postOnly ?? order.postOnly
    const slid = this.slide(market, { side, price: wanted, postOnly })
    const cancels = typeof slid !== 'bigint' && slid.reason === 'post_only_reject'
    if (typeof slid !== 'bigint' && !cancels) refuse(14, slid)
    const price = typeof slid === 'bigint' ? slid : order.price
    if (!cancels) {
      if (price !== order.price) this.checkBand(market, { side, price }, refuse)
      const left = order.amount - order.filled
      const wish: Wish = {
        ...{ market, account: order.account, side, price, lots: amount - order.filled },
        old: { lots: left, price: order.price },
        unbounded: false,
      }
      if (found === null) this.checkFunds(wish, refuse)
      if (found === null) this.checkSelf(wish, refuse)
    }
    const refusal = first(command.fault, found)
    if (refusal !== null) return refusal
    if (cancels) {
      this.end(order, 'edit_post_only_reject', true)
      return 1
    }
    const keeps = price === order.price && amount <= order.amount
    order.amount = amount
    order.price = price
    order.postOnly = postOnly
    order.reduceOnly = command.reduceOnly ?? order.reduceOnly
    order.replaced = true
    if (!keeps) market.resting = market.resting.filter((other) => other !== order)
    this.tell('order_edited', order, { state: 'open', rested: true })
    if (!keeps) this.rerun(market, order)
    return 1
  }

  private cancelAll(command: CommandOf<'cancel_orders'>): number {
    const { label, currency, instrument, kind } = command.filter
    const matching = this.orders.filter((order) => {
      const spec = this.markets[order.instrument]?.spec
      if (spec === undefined || order.account !== command.account) return false
      const held: string[] = [spec.settlementCurrency]
      if (spec.payoff === 'spot') held.push(spec.baseCurrency)
      return (
        (label === null || order.label === label) &&
        (currency === null || held.includes(currency)) &&
        (instrument === null || order.instrument === instrument) &&
        (kind === null || spec.kind === kind)
      )
    })
    for (const order of matching) this.end(order, 'user_request', true)
    return matching.length
  }

  /** Matches an order where it fits, then rests or ends what is left. */
  private run(
    market: NaiveMarket,
    order: NaiveOrder,
    how: { readonly fits: boolean; readonly placed: boolean },
  ): void {
    if (how.fits) this.match(market, order)
    const { timeInForce, type } = order
    const dies = timeInForce === 'immediate_or_cancel' || timeInForce === 'fill_or_kill'
    const homeless = type === 'market' && this.band(market) === undefined
    if (order.filled === order.amount) {
      this.forget(order)
      this.tell('order_filled', order, { state: 'filled', rested: false })
    } else if (dies || homeless) this.end(order, 'time_in_force', false)
    else {
      if (order.filled > 0n) this.tell('order_filled', order, { state: 'open', rested: true })
      market.resting.push(order)
      // An edited order rested before, and that is told once.
      if (!how.placed || (type !== 'market' && type !== 'market_limit')) return
      this.tell('order_rested', order, { state: 'open', rested: true })
    }
  }

  /** Matches an edited order at its new price; silent where it meets nobody. */
  private rerun(market: NaiveMarket, order: NaiveOrder): void {
    const before = order.filled
    const bests = this.queue(market, order.side === 'buy' ? 'sell' : 'buy')[0]?.price
    const crosses =
      bests !== undefined && (order.side === 'buy' ? bests <= order.price : bests >= order.price)
    if (crosses) this.match(market, order)
    if (order.filled === before) {
      market.resting.push(order)
      return
    }
    this.run(market, order, { fits: false, placed: false })
  }

  private match(market: NaiveMarket, taker: NaiveOrder): void {
    for (;;) {
      const left = taker.amount - taker.filled
      const maker = this.queue(market, taker.side === 'buy' ? 'sell' : 'buy')[0]
      if (left === 0n || maker === undefined) return
      if (taker.side === 'buy' ? maker.price > taker.price : maker.price < taker.price) return
      if (this.config.selfMatch !== 'off' && maker.account === taker.account) {
        this.end(maker, 'risk_mitigation', true)
        continue
      }
      const offered = maker.amount - maker.filled
      this.trade(market, maker, { taker, lots: smaller(left, offered) })
    }
  }

  private trade(
    market: NaiveMarket,
    maker: NaiveOrder,
    with_: { readonly taker: NaiveOrder; readonly lots: bigint },
  ): void {
    const { taker, lots } = with_
    const { spec } = market
    const { price } = maker
    for (const order of [maker, taker]) {
      order.filled += lots
      order.fills.push({ lots, price })
    }
    const fills = [
      this.settle(market, maker, { lots, price, rate: spec.makerFee9, rule: 'book_maker' }),
      this.settle(market, taker, { lots, price, rate: spec.takerFee9, rule: 'book_taker' }),
    ] as const
    const last = market.trades.at(-1)
    if (last !== undefined && price > last) market.direction = 0
    else if (last !== undefined && price < last) market.direction = 2
    else market.direction = market.direction >= 2 ? 3 : 1
    market.trades.push(price)
    this.emit({
      kind: 'trade',
      trade: this.nextId('trade', spec.settlementCurrency),
      tradeSeq: market.trades.length,
      instrument: maker.instrument,
      price: Number(price),
      amount: Number(lots),
      side: taker.side,
      tickDirection: market.direction,
      index: Number(this.indexOf(market)),
      mark: Number(market.mark),
      maker: fills[0],
      taker: fills[1],
    })
    const full = maker.filled === maker.amount
    if (full) this.forget(maker)
    this.tell('order_filled', maker, { state: full ? 'filled' : 'open', rested: true })
  }

  /** Postings of one side of a trade. */
  private settle(
    market: NaiveMarket,
    order: NaiveOrder,
    fill: {
      readonly lots: bigint
      readonly price: bigint
      readonly rate: number
      readonly rule: Fill['rule']
    },
  ): Fill {
    const { spec } = market
    const { account, side } = order
    const { lots, price } = fill
    const fee = feeOf(spec, { rate: fill.rate, lots, price, side })
    const buys = side === 'buy'
    let feeCurrency: string = spec.settlementCurrency
    let realized = 0n
    let size = 0n
    if (spec.payoff === 'spot') {
      if (buys) feeCurrency = spec.baseCurrency
      const base = lots * BigInt(spec.amountStep9)
      this.post(account, spec.baseCurrency, buys ? base : -base)
      const cost = worth(spec, lots, price)
      this.post(account, spec.settlementCurrency, buys ? -cost : cost)
    } else {
      const before = moneyOf(spec, this.position(market, account).realized)
      const position = this.book(market, account, { lots: buys ? lots : -lots, price })
      realized = moneyOf(spec, position.realized) - before
      size = position.size
    }
    this.post(account, feeCurrency, -fee)
    this.post(0, feeCurrency, fee)
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
      position: Number(size) as Lots,
      remaining: Number(order.amount - order.filled) as Lots,
    }
  }

  /** One counter per currency; the id carries the currency in its low part (R08). */
  private nextId(what: string, currency: Currency): number {
    const number = (this.counters.get(`${what} ${currency}`) ?? 0) + 1
    this.counters.set(`${what} ${currency}`, number)
    return number * 16 + currencies.indexOf(currency)
  }
}
