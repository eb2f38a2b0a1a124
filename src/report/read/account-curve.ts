/** One account over time: its wallets, positions, fills and orders. */

import type { Activity, Wallet } from '../payload.ts'
import type { PeriodTerms } from './growth.ts'
import { LineBuilder, type LineSpan } from './line-builder.ts'
import type { AccountRow, InstrumentRow } from './standing.ts'
import { type MarkNow, UsdCurve, WalletCurve } from './wallet-curve.ts'

type Side = 'buy' | 'sell'

/** Orders of an account in an instrument. */
class OwnOrders {
  readonly bids: LineBuilder
  readonly asks: LineBuilder
  readonly #prices = { buy: new Map<number, number>(), sell: new Map<number, number>() }
  readonly #best = { buy: Number.NaN, sell: Number.NaN }

  constructor(span: LineSpan) {
    this.bids = new LineBuilder(span)
    this.asks = new LineBuilder(span)
  }

  /** Sets the price of a resting order; NaN if it no longer rests. */
  put(order: number, side: Side, price: number): void {
    const prices = this.#prices[side]
    const before = prices.get(order)
    if (Number.isNaN(price)) prices.delete(order)
    else prices.set(order, price)
    const best = this.#best[side]
    // The best price is searched again only if it may have gone.
    if (before !== undefined && before === best && before !== price) {
      this.#best[side] = bestOf(prices.values(), side)
    } else if (!Number.isNaN(price)) this.#best[side] = better(side, best, price)
  }

  /** Adds the best prices of this time to the lines. */
  flush(time: number): void {
    const { buy, sell } = this.#best
    if (!Number.isNaN(buy) || !Number.isNaN(this.bids.last)) this.bids.step(time, buy)
    if (!Number.isNaN(sell) || !Number.isNaN(this.asks.last)) this.asks.step(time, sell)
  }
}

/** Maximum number of instruments drawn for an account. */
const ACTIVITIES_MAX = 12

/** Stablecoins without an index count as 1 USD, as at the venue. */
const dollars: ReadonlySet<string> = new Set(['USDC', 'USDT', 'USYC', 'USDE'])

/** Prices of indices by name. */
type IndexPrices = ReadonlyMap<string, number>

/** Facts that all accounts of a run share. */
interface CurveTerms {
  readonly span: LineSpan
  readonly periods: PeriodTerms
  readonly indices: IndexPrices
  /** Current marks by instrument. */
  readonly marks: ReadonlyMap<number, MarkNow>
}

interface OwnActivity {
  readonly of: InstrumentRow
  readonly position: LineBuilder
  readonly buys: LineBuilder
  readonly sells: LineBuilder
  readonly orders: OwnOrders
}

/** A size and a price. */
interface SizedPrice {
  readonly size: number
  readonly price: number
}

/** The lines of an account while the events are read. */
export class AccountCurve {
  readonly account: AccountRow
  /** Traded instruments that are not drawn. */
  readonly left = new Set<string>()
  readonly #terms: CurveTerms
  readonly #wallets = new Map<string, WalletCurve>()
  readonly #activities = new Map<number, OwnActivity>()
  readonly #usd: UsdCurve
  #movedOrders = new Set<OwnOrders>()
  #isUsdDirty = false

  constructor(account: AccountRow, terms: CurveTerms) {
    this.account = account
    this.#terms = terms
    this.#usd = new UsdCurve(terms.span, terms.periods)
  }

  /** The wallet of a currency. */
  wallet(currency: string): WalletCurve {
    const known = this.#wallets.get(currency)
    if (known !== undefined) return known
    const { span, periods } = this.#terms
    const wallet = new WalletCurve(currency, span, periods)
    this.#wallets.set(currency, wallet)
    return wallet
  }

  /** Processes money from or to outside. */
  flow(time: number, currency: string, change: number): void {
    this.#usd.move(time, this.#inUsd())
    this.wallet(currency).flow(time, change)
    this.#usd.rebase(time, this.#inUsd())
  }

  /** Processes a size at a price: a fill, or a given position. */
  trade(time: number, of: InstrumentRow, at: SizedPrice): void {
    if (of.payoff === 'spot') {
      this.wallet(of.base).post('price', at.size)
      this.wallet(of.quote).post('price', -at.size * at.price)
      return
    }
    const wallet = this.wallet(of.settlement)
    wallet.trade(of, at.size, at.price, this.#terms.marks.get(of.id))
    this.activity(of)?.position.add(time, wallet.sizeOf(of.id))
  }

  /** Adds the mark of a fill to the chart. */
  fill(time: number, of: InstrumentRow, at: SizedPrice): void {
    const activity = this.activity(of)
    const line = at.size > 0 ? activity?.buys : activity?.sells
    line?.mark(time, at.price)
  }

  /** Processes the delivery of a position. */
  deliver(time: number, of: InstrumentRow, price: number): void {
    const size = -this.wallet(of.settlement).sizeOf(of.id)
    if (size !== 0) this.trade(time, of, { size, price })
  }

  /** The lines of an instrument; undefined if the account has too many instruments. */
  activity(of: InstrumentRow): OwnActivity | undefined {
    const known = this.#activities.get(of.id)
    if (known !== undefined) return known
    if (this.#activities.size >= ACTIVITIES_MAX) {
      this.left.add(of.name)
      return undefined
    }
    const { span } = this.#terms
    const activity: OwnActivity = {
      of,
      position: new LineBuilder(span),
      buys: new LineBuilder(span),
      sells: new LineBuilder(span),
      orders: new OwnOrders(span),
    }
    this.#activities.set(of.id, activity)
    return activity
  }

  /** Sets the price at which an order rests; NaN if it no longer rests. */
  rest(of: InstrumentRow, order: number, side: 'buy' | 'sell', price: number): void {
    const orders = this.activity(of)?.orders
    if (orders === undefined) return
    orders.put(order, side, price)
    this.#movedOrders.add(orders)
  }

  /** Processes a new mark of an instrument. */
  mark(of: InstrumentRow, price: number, index: number): void {
    this.#wallets.get(of.settlement)?.mark(of, price, index)
  }

  /** Processes a new price of an index, which may be the price of a currency. */
  touchUsd(): void {
    this.#isUsdDirty = true
  }

  /** Adds the changes up to this time to the lines. */
  flush(time: number): void {
    for (const orders of this.#movedOrders) orders.flush(time)
    this.#movedOrders.clear()
    let isMoved = this.#isUsdDirty
    for (const wallet of this.#wallets.values()) {
      isMoved ||= wallet.isDirty
      wallet.flush(time)
    }
    this.#isUsdDirty = false
    if (isMoved) this.#usd.move(time, this.#inUsd())
  }

  /** The wallets; the one in USD comes last. Only USD and stablecoins have a benchmark. */
  wallets(until: number, benchmark: string | null): readonly Wallet[] {
    const usd = this.#usd.finish(until, benchmark)
    const own = [...this.#wallets.values()].map((wallet) => {
      const finished = wallet.finish(until)
      return dollars.has(wallet.currency) ? { ...finished, benchmark } : finished
    })
    return usd === null ? own : [...own, usd]
  }

  /** Position, fills and orders in each instrument. */
  activities(until: number): readonly Activity[] {
    return [...this.#activities.values()].map(({ of, position, buys, sells, orders }) => ({
      instrument: of.name,
      position: position.finish(until),
      buys: buys.finish(),
      sells: sells.finish(),
      bids: orders.bids.finish(until),
      asks: orders.asks.finish(until),
    }))
  }

  #inUsd(): number | null {
    let sum = 0
    for (const { currency, equity } of this.#wallets.values()) {
      if (equity === 0) continue
      const index = this.#terms.indices.get(`${currency.toLowerCase()}_usd`)
      const price = index ?? (dollars.has(currency) ? 1 : null)
      if (price === null) return null
      sum += equity * price
    }
    return sum
  }
}

/** The best prices of an account's resting orders in one instrument, over time. */

function bestOf(prices: Iterable<number>, side: Side): number {
  let best = Number.NaN
  for (const price of prices) best = better(side, best, price)
  return best
}

function better(side: Side, best: number, price: number): number {
  if (Number.isNaN(best)) return price
  return side === 'buy' ? Math.max(best, price) : Math.min(best, price)
}
