/**
 * Wallets of the naive exchange: values, margins of all models, reserves (market.md 5.3, 6). Everything is computed
 * from the orders and positions themselves.
 */
import { houseAccountNames, type Side } from '../../src/model/index.ts'
import { shortMargin } from './naive-margins.ts'
import { larger, marginOf, rdiv, smaller, worth } from './naive-money.ts'
import { isInverseOption, NaiveOptions } from './naive-options.ts'
import { type NaiveOrder, remainingOf } from './naive-orders.ts'
import { given, givenCurrency, type NaiveMarket } from './naive-state.ts'

const NANO = 1_000_000_000n

/** Lots of either side. */
export interface NaiveLots {
  readonly buy: bigint
  readonly sell: bigint
}

/** Orders that a check adds to the open orders of an account. */
export interface NaiveTrial {
  readonly account: number
  readonly market: NaiveMarket
  readonly more: NaiveLots
  /** Additional premium of option orders, and the lots that they would buy. */
  readonly premium: bigint
  readonly bought: bigint
}

/** Adds wallets. */
export class NaiveWallets extends NaiveOptions {
  /** Orders that count as open while margins are computed. */
  private trial: NaiveTrial | null = null

  /**
   * Initial margin of a holding under the standard model: the worst of three sizes (T68), for options the last one;
   * plus the reserve of bought options.
   */
  initial(market: NaiveMarket, account: number): bigint {
    return this.worstSize(market, account) + this.premiumReserve(account, market)
  }

  maintenance(market: NaiveMarket, account: number): bigint {
    if (!this.isMargined(market, account)) return 0n
    const { size } = this.position(market, account)
    if (market.spec.kind === 'option') return this.ofShort(market, size, 'maintenance')
    return marginOf(market.spec, size, { mark: market.mark, rate: 'maintenancePpm' })
  }

  /** The amount of a currency that open spot orders reserve. */
  spotReserve(account: number, currency: string): bigint {
    let held = 0n
    for (const market of this.markets) {
      if (market.spec.payoff !== 'spot') continue
      for (const order of this.committed(market, account)) {
        if (givenCurrency(market.spec, order.side) !== currency) continue
        held += given(market.spec, order.side, remainingOf(order), order.price)
      }
    }
    return held
  }

  /** The value of an option position at its mark. */
  valueOf(market: NaiveMarket, account: number): bigint {
    const { size } = this.position(market, account)
    if (!market.isMarked || size === 0n) return 0n
    const value = worth(market.spec, size, market.mark)
    return size > 0n ? value : -value
  }

  /** Computes something while some orders count as open. */
  tried<T>(trial: NaiveTrial, compute: () => T): T {
    this.trial = trial
    const found = compute()
    this.trial = null
    return found
  }

  /** The position, the position with all open buys, and the position with all open sells. */
  sizesOf(market: NaiveMarket, account: number): readonly [bigint, bigint, bigint] {
    const { size } = this.position(market, account)
    return [size, size + this.openLots(market, account, 'buy'), size - this.openLots(market, account, 'sell')]
  }

  private worstSize(market: NaiveMarket, account: number): bigint {
    if (!this.isMargined(market, account)) return 0n
    const margins = this.sizesOf(market, account).map((lots) =>
      market.spec.kind === 'option'
        ? this.ofShort(market, lots, 'initial')
        : marginOf(market.spec, lots, { mark: market.mark, rate: 'initialPpm' }),
    )
    return -margins.map((margin) => -margin).reduce(smaller)
  }

  /** Lots of a side that open orders may add; a combo adds to each of its legs. */
  protected openLots(market: NaiveMarket, account: number, side: Side): bigint {
    let lots = 0n
    const { trial } = this
    if (trial?.account === account && trial.market === market) lots += trial.more[side]
    for (const order of this.committed(market, account)) {
      if (order.side === side && !order.reduceOnly) lots += remainingOf(order)
    }
    for (const combo of this.markets) {
      for (const leg of this.legsOf(combo) ?? []) {
        if (leg.market !== market) continue
        const flips = leg.ratio < 0n
        const size = (flips ? -leg.ratio : leg.ratio) * BigInt(combo.spec.amountStep9)
        const ratio = size / BigInt(market.spec.amountStep9)
        const comboSide = flips === (side === 'buy') ? 'sell' : 'buy'
        for (const order of this.committed(combo, account)) {
          if (order.side === comboSide) lots += ratio * remainingOf(order)
        }
        if (trial?.account === account && trial.market === combo) {
          lots += ratio * trial.more[comboSide]
        }
      }
    }
    return lots
  }

  /**
   * The reserve of open orders that buy options or option combos: their price, and for options the taker's fee of all
   * of them together, computed like the fee of a trade; for linear options from the index.
   */
  protected premiumReserve(account: number, market: NaiveMarket): bigint {
    const { spec } = market
    if (account < houseAccountNames.length || this.isPortfolio(account)) return 0n
    const { trial } = this
    const isTried = trial?.account === account && trial.market === market
    let cost = isTried ? trial.premium : 0n
    let lots = isTried ? trial.bought : 0n
    for (const order of this.committed(market, account)) {
      if (order.reduceOnly) continue
      cost += costOf(market, order, remainingOf(order))
      if (order.side === 'buy') lots += remainingOf(order)
    }
    const forward = spec.kind === 'option' ? this.forwardOf(market) : 0n
    if (cost === 0n || forward === 0n || !market.isMarked) return cost
    const rate = BigInt(spec.takerFee9)
    const unit = isInverseOption(spec) ? rate : rdiv(rate * this.indexOf(market), NANO)
    const fee = rdiv(larger(unit, 0n) * lots * BigInt(spec.amountStep9), NANO)
    return cost + smaller(fee, rdiv(cost, 8n))
  }

  /** True if an account has portfolio margin. */
  isPortfolio(account: number): boolean {
    return this.accounts[account]?.model.endsWith('_pm') ?? false
  }

  /** True if positions or orders in a market need margin from an account. */
  protected isMargined(market: NaiveMarket, account: number): boolean {
    const { spec } = market
    return (
      account >= houseAccountNames.length && market.isMarked && spec.payoff !== 'spot' && spec.detail.type !== 'combo'
    )
  }

  /** Margin of a size of an option; only short positions need margin. */
  protected ofShort(market: NaiveMarket, lots: bigint, which: 'initial' | 'maintenance'): bigint {
    const forward = this.forwardOf(market)
    if (lots >= 0n || forward === 0n) return 0n
    const unit = shortMargin(market.spec, { forward, mark: market.mark }, which)
    return rdiv(unit * -lots * BigInt(market.spec.amountStep9), NANO)
  }
}

/**
 * The cost of an order of options or of an option combo at its limit price; zero if the account receives the premium.
 */
export function costOf(
  { spec }: NaiveMarket,
  { side, price }: Pick<NaiveOrder, 'side' | 'price'>,
  lots: bigint,
): bigint {
  if (spec.kind !== 'option' && spec.kind !== 'option_combo') return 0n
  const paid = side === 'buy' ? price : -price
  return paid > 0n && lots !== 0n ? worth(spec, lots, paid) : 0n
}
