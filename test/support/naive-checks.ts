/**
 * What the naive exchange refuses, step by step in the order of C07.
 */
import type { Price9 } from '../../src/core/index.ts'
import type { Command, CommandOf, Refusal, Side } from '../../src/model/index.ts'
import { smaller } from './naive-money.ts'
import {
  given,
  givenCurrency,
  type NaiveMarket,
  type NaiveOrder,
  NaiveState,
} from './naive-state.ts'

const PRICE_MAX = 9_007_199_000_000_000n
/** 9 billion units: the largest order and the largest balance. */
export const LARGEST = 9_000_000_000_000_000_000n

/** What an order would do, as the checks see it. `old` is what it replaces. */
export interface Wish {
  readonly market: NaiveMarket
  readonly account: number
  readonly side: Side
  readonly price: bigint
  readonly lots: bigint
  readonly old: { readonly lots: bigint; readonly price: bigint }
  /** A market order where no band gives it a price. */
  readonly unbounded: boolean
}

/** What is wrong, and at which step. */
export interface Found {
  readonly step: number
  readonly refusal: Refusal
}

/** Notes what is wrong; the first note stays. */
type Refuse = (step: number, refusal: Refusal) => void

/** The checks over a state. */
export class NaiveChecks extends NaiveState {
  /** The price an order enters with, and the first of steps 11 to 20 that refuses it. */
  protected entry(
    market: NaiveMarket,
    command: CommandOf<'place_order'>,
  ): { readonly price: bigint; readonly wish: Wish; readonly found: Found | null } {
    const { side, account } = command
    const tick = BigInt(market.spec.tick9)
    const band = this.band(market)
    const opposite = this.queue(market, side === 'buy' ? 'sell' : 'buy')[0]
    let price = BigInt(command.price ?? 0) * tick
    let found: Found | null = null
    const refuse = (step: number, refusal: Refusal): void => {
      found ??= { step, refusal }
    }
    this.checkSize(market, BigInt(command.amount), refuse)
    if (command.type === 'limit') {
      if (command.price === null) refuse(12, { reason: 'invalid_price' })
      else if (command.price <= 0) refuse(12, { reason: 'price_wrong_tick' })
    } else if (command.type === 'market_limit') {
      if (opposite === undefined) refuse(12, { reason: 'other_reject no_opposite_price' })
      price = opposite?.price ?? 0n
    } else if (side === 'buy') price = band?.max ?? (PRICE_MAX / tick) * tick
    else price = band?.min ?? 0n
    const slid = this.slide(market, { side, price, postOnly: command.postOnly })
    if (typeof slid !== 'bigint') refuse(14, slid)
    else price = slid
    this.checkBand(market, { side, price }, refuse)
    this.checkLimits(market, account, refuse)
    const old = { lots: 0n, price: 0n }
    const unbounded = command.type === 'market' && band === undefined
    const lots = BigInt(command.amount)
    const wish: Wish = { market, account, side, price, lots, old, unbounded }
    if (found === null) this.checkFunds(wish, refuse)
    if (found === null) this.checkSelf(wish, refuse)
    return { price, wish, found }
  }

  /** At least the minimum, at most 9 billion units. */
  protected checkSize(market: NaiveMarket, lots: bigint, refuse: Refuse): void {
    const { minTradeLots, amountStep9 } = market.spec
    if (lots < BigInt(minTradeLots)) refuse(11, { reason: 'qty_too_low' })
    if (lots * BigInt(amountStep9) > LARGEST) refuse(11, { reason: 'invalid_amount' })
  }

  protected checkBand(
    market: NaiveMarket,
    order: { readonly side: Side; readonly price: bigint },
    refuse: Refuse,
  ): void {
    if (market.mark === 0n) refuse(15, { reason: 'retry' })
    const band = this.band(market)
    if (band === undefined) return
    // Prices fit safe integers: they came from some.
    if (order.side === 'buy' && order.price > band.max) {
      refuse(15, { reason: 'price_too_high', limit: Number(band.max) as Price9 })
    }
    if (order.side === 'sell' && order.price < band.min) {
      refuse(15, { reason: 'price_too_low', limit: Number(band.min) as Price9 })
    }
  }

  protected checkLimits(market: NaiveMarket, account: number, refuse: Refuse): void {
    const limits = this.config.openOrderLimits
    const own = this.orders.filter((order) => order.account === account)
    if (own.length >= limits.total) {
      refuse(17, { reason: 'pme_max_total_open_orders', limit: limits.total })
    }
    const { kind } = market.spec
    const same = own.filter((order) => this.markets[order.instrument]?.spec.kind === kind).length
    if (kind === 'future' && same >= limits.future) {
      refuse(17, { reason: 'pme_max_future_open_orders', limit: limits.future })
    }
    if (kind === 'spot' && same >= limits.spot) {
      refuse(17, { reason: 'max_spot_open_orders', limit: limits.spot })
    }
  }

  protected checkFunds(wish: Wish, refuse: Refuse): void {
    const { market, account, side, old } = wish
    const { spec } = market
    if (spec.payoff === 'spot') {
      const currency = givenCurrency(spec, side)
      const cost =
        wish.unbounded && side === 'buy'
          ? this.costOfTaking(wish)
          : given(spec, side, wish.lots, wish.price)
      const more = cost - given(spec, side, old.lots, old.price)
      if (more > 0n && this.available(account, currency) < more) {
        refuse(19, { reason: 'not_enough_funds_in_currency', currency })
      }
      return
    }
    const more = { buy: 0n, sell: 0n, [side]: wish.lots - old.lots }
    const rise = this.initial(market, account, more) - this.initial(market, account)
    if (rise > 0n && this.available(account, spec.settlementCurrency) < rise) {
      refuse(19, { reason: 'not_enough_funds' })
    }
  }

  protected checkSelf(wish: Wish, refuse: Refuse): void {
    if (this.config.selfMatch !== 'reject_taker') return
    let left = wish.lots
    for (const maker of this.reachable(wish)) {
      if (left <= 0n) return
      if (maker.account === wish.account) refuse(20, { reason: 'order_overlap' })
      left -= maker.amount - maker.filled
    }
  }

  /** Resting orders that the wish's price accepts, in match order. */
  protected reachable(wish: Wish): readonly NaiveOrder[] {
    const buys = wish.side === 'buy'
    return this.queue(wish.market, buys ? 'sell' : 'buy').filter((maker) =>
      buys ? maker.price <= wish.price : maker.price >= wish.price,
    )
  }

  /** Resting orders that it would trade with: its own account's go instead, unless all may match. */
  private takeable(wish: Wish): readonly NaiveOrder[] {
    return this.reachable(wish).filter(
      (maker) => this.config.selfMatch === 'off' || maker.account !== wish.account,
    )
  }

  protected fillable(wish: Wish): bigint {
    return this.takeable(wish).reduce((sum, maker) => sum + maker.amount - maker.filled, 0n)
  }

  /** What a buy pays to the makers that it meets, one by one. */
  private costOfTaking(wish: Wish): bigint {
    let left = wish.lots
    let cost = 0n
    for (const maker of this.takeable(wish)) {
      const lots = smaller(left, maker.amount - maker.filled)
      cost += given(wish.market.spec, 'buy', lots, maker.price)
      left -= lots
    }
    return cost
  }

  protected slide(
    market: NaiveMarket,
    order: { readonly side: Side; readonly price: bigint; readonly postOnly: string },
  ): bigint | Refusal {
    const { side, price, postOnly } = order
    const best = this.queue(market, side === 'buy' ? 'sell' : 'buy')[0]?.price
    if (postOnly === 'off' || best === undefined) return price
    if (side === 'buy' ? price < best : price > best) return price
    if (postOnly === 'reject') return { reason: 'post_only_reject' }
    const tick = BigInt(market.spec.tick9)
    const moved = side === 'buy' ? best - tick : best + tick
    const band = this.band(market)
    const outside = band !== undefined && (side === 'buy' ? moved > band.max : moved < band.min)
    if (moved > 0n && !outside) return moved
    return { reason: 'post_only_price_modification_not_possible' }
  }

  protected ownership(
    id: number,
    account: number,
    ended: 'not_open_order' | 'already_closed',
  ): Found | null {
    const order = this.orders.find((live) => live.id === id)
    if (order === undefined) {
      return { step: 7, refusal: { reason: this.ended.has(id) ? ended : 'order_not_found' } }
    }
    return order.account === account ? null : { step: 7, refusal: { reason: 'not_owner_of_order' } }
  }
}

/** The earlier of the reader's fault and the engine's finding; the reader's where they tie (C07). */
export function first(fault: Command['fault'], found: Found | null): Refusal | null {
  if (fault === null) return found?.refusal ?? null
  return found !== null && found.step < fault.step ? found.refusal : fault.refusal
}
