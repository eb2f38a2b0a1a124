/**
 * Margins of the naive exchange: values, reserves, equity and margins of accounts under the four margin models
 * (market.md 5.3, 6), of each currency or of all currencies in USD. Everything is computed from the orders and
 * positions themselves. Short options follow market.md 6.2; futures have margins to 1e-18 for accounts whose currencies
 * share their margin (6.4).
 */
import {
  type Currency,
  currencies,
  defaultPortfolioTerms,
  houseAccountNames,
  type InstrumentSpec,
  type Side,
} from '../../src/model/index.ts'
import type { NaiveLiveOrders } from './naive-live-orders.ts'
import { larger, type MarginAt, marginOf, marginRatio, NANO, profitAt, rdiv, smaller, worth } from './naive-money.ts'
import { isInverseOption, type NaiveOptions } from './naive-options.ts'
import { type NaiveOrder, remainingOf } from './naive-orders.ts'
import { type CrossCount, pairRisk, type StressedHolding } from './naive-portfolio.ts'
import { given, givenCurrency, type NaiveMarket, type NaiveState } from './naive-state.ts'

const ATTO = NANO * NANO
const MINUTE = 60_000_000
const dollars: readonly string[] = ['USDC', 'USDT', 'USYC', 'USDE']

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

/** A currency of an account, in nano. */
export interface NaiveWallet {
  readonly balance: bigint
  /** The amount that margins are compared with. */
  readonly marginBalance: bigint
  readonly equity: bigint
  readonly optionsValue: bigint
  /** Open buy orders of options reserve their price; part of `initial`. */
  readonly additionalReserve: bigint
  readonly initial: bigint
  readonly maintenance: bigint
  readonly spotReserve: bigint
  readonly available: bigint
}

/** Margins of a pool, which is liquidated as a whole, in nano of its currency or in 1e-9 USD. */
export interface NaivePoolMargins {
  readonly equity: bigint
  readonly marginBalance: bigint
  readonly initial: bigint
  readonly maintenance: bigint
  readonly spotReserve: bigint
}

/** Holdings of an account in a currency, before any margin. */
interface Held {
  readonly balance: bigint
  readonly equity: bigint
  readonly optionsValue: bigint
  readonly additionalReserve: bigint
  readonly spotReserve: bigint
}

/** A pair of an account: an index and the currency that its instruments settle in. */
interface Pair {
  readonly priceIndex: string
  readonly currency: Currency
  readonly isCoin: boolean
}

/** Margins; it stores only the orders of a trial and the results that `unchanged` shares. */
export class NaiveMargins {
  readonly state: NaiveState
  readonly orders: NaiveLiveOrders
  readonly options: NaiveOptions
  /** Orders that count as open while margins are computed. */
  private trial: NaiveTrial | null = null
  /** The margins of cross accounts that `unchanged` has computed. */
  private known: Map<number, NaivePoolMargins> | null = null

  constructor(state: NaiveState, orders: NaiveLiveOrders, options: NaiveOptions) {
    this.state = state
    this.orders = orders
    this.options = options
  }

  /**
   * Initial margin of a holding under the standard model: the worst of three sizes (T68), for options the last one;
   * plus the reserve of bought options.
   */
  initial(market: NaiveMarket, account: number): bigint {
    return this.worstSize(market, account) + this.premiumReserve(account, market)
  }

  maintenance(market: NaiveMarket, account: number): bigint {
    if (!this.isMargined(market, account)) return 0n
    const { size } = this.state.position(market, account)
    if (market.spec.kind === 'option') return this.ofShort(market, size, 'maintenance')
    return marginOf(market.spec, size, { mark: market.mark, rate: 'maintenancePpm' })
  }

  /** The amount of a currency that open spot orders reserve. */
  spotReserve(account: number, currency: string): bigint {
    let held = 0n
    for (const market of this.state.markets) {
      if (market.spec.payoff !== 'spot') continue
      for (const order of this.orders.committed(market, account)) {
        if (givenCurrency(market.spec, order.side) !== currency) continue
        held += given(market.spec, order.side, remainingOf(order), order.price)
      }
    }
    return held
  }

  /** The value of an option position at its mark. */
  valueOf(market: NaiveMarket, account: number): bigint {
    const { size } = this.state.position(market, account)
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
    const { size } = this.state.position(market, account)
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
  private openLots(market: NaiveMarket, account: number, side: Side): bigint {
    let lots = 0n
    const { trial } = this
    if (trial?.account === account && trial.market === market) lots += trial.more[side]
    for (const order of this.orders.committed(market, account)) {
      if (order.side === side && !order.reduceOnly) lots += remainingOf(order)
    }
    for (const combo of this.state.markets) {
      for (const leg of this.options.legsOf(combo) ?? []) {
        if (leg.market !== market) continue
        const flips = leg.ratio < 0n
        const size = (flips ? -leg.ratio : leg.ratio) * BigInt(combo.spec.amountStep9)
        const ratio = size / BigInt(market.spec.amountStep9)
        const comboSide = flips === (side === 'buy') ? 'sell' : 'buy'
        for (const order of this.orders.committed(combo, account)) {
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
  private premiumReserve(account: number, market: NaiveMarket): bigint {
    if (account < houseAccountNames.length || this.isPortfolio(account)) return 0n
    const { trial } = this
    const isTried = trial?.account === account && trial.market === market
    let cost = isTried ? trial.premium : 0n
    let lots = isTried ? trial.bought : 0n
    for (const order of this.orders.committed(market, account)) {
      if (order.reduceOnly) continue
      cost += costOf(market, order, remainingOf(order))
      if (order.side === 'buy') lots += remainingOf(order)
    }
    const forward = market.spec.kind === 'option' ? this.options.forwardOf(market) : 0n
    if (cost === 0n || forward === 0n || !market.isMarked) return cost
    const rate = BigInt(market.spec.takerFee9)
    const unit = isInverseOption(market.spec) ? rate : rdiv(rate * this.state.indexOf(market), NANO)
    const fee = rdiv(larger(unit, 0n) * lots * BigInt(market.spec.amountStep9), NANO)
    return cost + smaller(fee, rdiv(cost, 8n))
  }

  /** True if an account has portfolio margin. */
  isPortfolio(account: number): boolean {
    return this.state.accounts[account]?.model.endsWith('_pm') ?? false
  }

  /** True if positions or orders in a market need margin from an account. */
  private isMargined(market: NaiveMarket, account: number): boolean {
    const { spec } = market
    return (
      account >= houseAccountNames.length && market.isMarked && spec.payoff !== 'spot' && spec.detail.type !== 'combo'
    )
  }

  /** Margin of a size of an option; only short positions need margin. */
  private ofShort(market: NaiveMarket, lots: bigint, which: 'initial' | 'maintenance'): bigint {
    const forward = this.options.forwardOf(market)
    if (lots >= 0n || forward === 0n) return 0n
    const unit = shortMargin(market.spec, { forward, mark: market.mark }, which)
    return rdiv(unit * -lots * BigInt(market.spec.amountStep9), NANO)
  }

  /** Funds that a spot order may spend: at most the currency's cash and profit, even if other currencies have more. */
  spendable(account: number, currency: Currency): bigint {
    const { available, equity, optionsValue, spotReserve } = this.wallet(account, currency)
    const held = equity - optionsValue - spotReserve
    return this.isPlain(account) ? available : smaller(available, held)
  }

  /** True if an account has segregated standard margin. */
  private isPlain(account: number): boolean {
    return !this.isPortfolio(account) && !this.isCross(account)
  }

  wallet(account: number, currency: Currency): NaiveWallet {
    const held = this.held(account, currency)
    if (!this.isCross(account)) {
      const { marginBalance, initial, maintenance } = this.poolOf(account, currency)
      const available = marginBalance - initial - held.spotReserve
      return { ...held, marginBalance, initial, maintenance, available }
    }
    const usd = this.poolOf(account, null)
    const index = this.usdIndex(currency)
    const own = (value: bigint): bigint => (index === 0n ? 0n : rdiv(value * NANO, index))
    const marginBalance = own(usd.marginBalance)
    const initial = own(usd.initial)
    const available = marginBalance - initial - own(usd.spotReserve)
    return { ...held, marginBalance, initial, maintenance: own(usd.maintenance), available }
  }

  /** Runs queries while nothing changes; the margins of each cross account are then computed only once. */
  unchanged(ask: () => void): void {
    this.known = new Map()
    ask()
    this.known = null
  }

  /** The margins of a currency of an account, or of all of it in USD. */
  poolOf(account: number, currency: Currency | null): NaivePoolMargins {
    if (currency === null) {
      const found = this.known?.get(account) ?? this.crossPool(account)
      this.known?.set(account, found)
      return found
    }
    const { equity, optionsValue, spotReserve } = this.held(account, currency)
    if (!this.isPortfolio(account)) {
      const markets = this.state.ofCurrency(currency)
      const sum = (of: (market: NaiveMarket) => bigint): bigint =>
        markets.reduce((total, market) => total + of(market), 0n)
      return {
        ...{ equity, spotReserve, marginBalance: equity - optionsValue },
        initial: sum((market) => this.initial(market, account)),
        maintenance: sum((market) => this.maintenance(market, account)),
      }
    }
    const margins = this.pairsOf(account)
      .filter((pair) => pair.currency === currency)
      .map((pair) => this.pairMargin(account, pair, null))
    return { equity, spotReserve, marginBalance: equity, ...summed(margins) }
  }

  isCross(account: number): boolean {
    return this.state.accounts[account]?.model.startsWith('cross') ?? false
  }

  private held(account: number, currency: Currency): Held {
    let equity = this.state.balance(account, currency)
    let optionsValue = 0n
    let additionalReserve = 0n
    for (const market of this.state.ofCurrency(currency)) {
      if (this.state.accounts[account]?.model === 'cross_sm') {
        additionalReserve += this.premiumReserve(account, market)
      }
      if (market.spec.detail.type === 'combo') continue
      if (market.spec.kind === 'option') optionsValue += this.valueOf(market, account)
      else equity += profitAt(market.spec, this.state.upToDate(market, account), market.mark)
    }
    const spotReserve = this.spotReserve(account, currency)
    const balance = this.state.balance(account, currency)
    return { balance, optionsValue, equity: equity + optionsValue, additionalReserve, spotReserve }
  }

  /** One unit of a currency in 1e-9 USD; a stablecoin without an index counts as 1 USD. */
  usdIndex(currency: Currency): bigint {
    const price = this.state.indices.get(`${currency.toLowerCase()}_usd`) ?? 0n
    return price === 0n && dollars.includes(currency) ? NANO : price
  }

  private crossPool(account: number): NaivePoolMargins {
    const isPortfolio = this.isPortfolio(account)
    const sums = { equity: 0n, marginBalance: 0n, initial: 0n, maintenance: 0n, spotReserve: 0n }
    for (const currency of currencies) {
      const { equity, optionsValue, spotReserve } = this.held(account, currency)
      const index = this.usdIndex(currency)
      const inUsd = (value: bigint): bigint => rdiv(value * index, NANO)
      sums.equity += inUsd(equity)
      sums.marginBalance += inUsd(isPortfolio ? equity : equity - optionsValue)
      sums.spotReserve += inUsd(spotReserve)
      if (!isPortfolio) {
        const fine = this.fineMargins(account, currency)
        sums.initial += rdiv(fine.initial * index, ATTO)
        sums.maintenance += rdiv(fine.maintenance * index, ATTO)
      }
      const haircut = BigInt(this.state.config.haircutsPpm[currency] ?? 0)
      if (equity > 0n) sums.initial += rdiv(equity * index * haircut, NANO * 1_000_000n)
    }
    if (!isPortfolio) return sums
    const pairs = this.pairsOf(account)
    const margins = pairs.map((pair) => this.pairMargin(account, pair, this.countOf(account, pair)))
    for (const currency of currencies) {
      const priceIndex = `${currency.toLowerCase()}_usd`
      const pair = { priceIndex, currency, isCoin: true }
      if (pairs.some((each) => isSame(each, pair))) continue
      const count = this.countOf(account, pair)
      if (count.equity !== 0n) margins.push(this.pairMargin(account, pair, count))
    }
    const { initial, maintenance } = summed(margins)
    return { ...sums, initial: sums.initial + initial, maintenance }
  }

  /** Standard maintenance margin of a single position, in 1e-18. */
  fineMaintenance(market: NaiveMarket, account: number): bigint {
    const { spec, mark } = market
    if (!this.isMargined(market, account)) return 0n
    const { size } = this.state.position(market, account)
    if (spec.kind !== 'option') {
      return fineMargin(spec, size, { mark, rate: 'maintenancePpm' })
    }
    const forward = this.options.forwardOf(market)
    if (forward === 0n || size >= 0n) return 0n
    const unit = shortMargin(spec, { forward, mark }, 'maintenance')
    return unit * -size * BigInt(spec.amountStep9)
  }

  /** Standard margins of a currency in 1e-18. */
  private fineMargins(account: number, currency: Currency): { readonly initial: bigint; readonly maintenance: bigint } {
    let initial = 0n
    let maintenance = 0n
    for (const market of this.state.ofCurrency(currency)) {
      initial += this.premiumReserve(account, market) * NANO
      if (!this.isMargined(market, account)) continue
      const { spec, mark } = market
      const sizes = this.sizesOf(market, account)
      const [size, , sold] = sizes
      if (spec.kind === 'option') {
        const forward = this.options.forwardOf(market)
        if (forward === 0n) continue
        const step = BigInt(spec.amountStep9)
        const need = (lots: bigint, which: 'initial' | 'maintenance'): bigint =>
          lots >= 0n ? 0n : shortMargin(spec, { forward, mark }, which) * -lots * step
        initial += need(smaller(size, sold), 'initial')
        maintenance += need(size, 'maintenance')
        continue
      }
      const at = { mark, rate: 'initialPpm' } as const
      initial += sizes.map((lots) => fineMargin(spec, lots, at)).reduce(larger)
      maintenance += fineMargin(spec, size, { mark, rate: 'maintenancePpm' })
    }
    return { initial, maintenance }
  }

  /** The inputs of a pair of a cross account; a coin belongs to its own index. */
  private countOf(account: number, { priceIndex, currency }: Pair): CrossCount {
    const usd = this.usdIndex(currency)
    const isOwn = priceIndex === `${currency.toLowerCase()}_usd`
    const isMoving = !dollars.includes(currency) && currency !== 'EURR'
    const counts = isOwn && isMoving && usd !== 0n
    return { usd, equity: counts ? this.held(account, currency).equity : 0n }
  }

  /** Pairs in which an account has positions or open orders. */
  private pairsOf(account: number): readonly Pair[] {
    const pairs: Pair[] = []
    for (const market of this.state.markets) {
      if (!this.isMargined(market, account)) continue
      if (this.sizesOf(market, account).every((size) => size === 0n)) continue
      const pair = {
        priceIndex: market.spec.priceIndex,
        currency: market.spec.settlementCurrency,
        isCoin: market.spec.settlementCurrency === market.spec.baseCurrency,
      }
      if (!pairs.some((each) => isSame(each, pair))) pairs.push(pair)
    }
    return pairs
  }

  /** The worst of the position, the position with all buys, and the position with all sells; and 0.8 of the first. */
  private pairMargin(
    account: number,
    { priceIndex, currency, isCoin }: Pair,
    cross: CrossCount | null,
  ): { readonly initial: bigint; readonly maintenance: bigint } {
    const terms = this.state.config.portfolioTerms[priceIndex] ?? defaultPortfolioTerms(priceIndex)
    const index = this.state.indices.get(priceIndex) ?? 0n
    const markets = this.state
      .ofCurrency(currency)
      .filter(
        (market) => market.spec.priceIndex === priceIndex && this.isMargined(market, account) && !market.delivered,
      )
    const risks = ([0, 1, 2] as const).map((which) => {
      const holdings = markets.flatMap((market) => this.stressed(market, account, which))
      return pairRisk({ terms, index, isCoin, holdings, cross })
    })
    const own = risks[0] ?? 0n
    return {
      initial: rdiv(risks.reduce(larger), NANO),
      maintenance: rdiv(own * 4n, 5n * NANO),
    }
  }

  private stressed(market: NaiveMarket, account: number, which: 0 | 1 | 2): readonly StressedHolding[] {
    const { spec, mark } = market
    const amount = this.sizesOf(market, account)[which] * BigInt(spec.amountStep9)
    const forward = this.options.forwardOf(market)
    if (amount === 0n || (spec.kind === 'option' && forward === 0n)) return []
    const minute = Math.min(this.state.now - (this.state.now % MINUTE), spec.expiration)
    const isPerpetual = spec.detail.type === 'perpetual'
    return [
      {
        ...{ spec, amount, mark, forward: Number(forward) / 1e9 },
        volatility: Number(market.volatility) / 1e9,
        years: isPerpetual ? null : (spec.expiration - minute) / (365 * 86_400_000_000),
      },
    ]
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

/** Margin of one coin of a short option, in 1e-9 of its currency (T70 to T75). */
export function shortMargin(
  spec: InstrumentSpec,
  at: { readonly forward: bigint; readonly mark: bigint },
  which: 'initial' | 'maintenance',
): bigint {
  const { forward, mark } = at
  if (spec.detail.type !== 'option') throw new Error('an option is asked for its margin')
  const strike = BigInt(spec.detail.strike)
  const isCall = spec.detail.right === 'call'
  const out = larger(isCall ? strike - forward : forward - strike, 0n)
  // Thousandths of the forward, in the unit of the price; an option in coin has a forward of one.
  const inUnits = (thousandths: bigint): bigint =>
    isInverseOption(spec) ? rdiv(thousandths * NANO, forward * 1000n) : rdiv(thousandths, 1000n)
  const initial = inUnits(larger(150n * forward - 1000n * out, 100n * forward)) + mark
  const base = inUnits(75n * forward)
  const maintenance = (isCall ? base : larger(base, rdiv(75n * mark, 1000n))) + mark
  if (which === 'maintenance') return maintenance
  return isCall ? initial : larger(initial, maintenance)
}

/** Standard margin of a future in 1e-18 of its currency, rounded once (T79). */
export function fineMargin(spec: InstrumentSpec, lots: bigint, at: MarginAt): bigint {
  const [top, bottom] = marginRatio(spec, lots, at)
  return rdiv(top * NANO * NANO, bottom)
}

function isSame(one: Pair, other: Pair): boolean {
  return one.priceIndex === other.priceIndex && one.currency === other.currency
}

function summed(margins: readonly { readonly initial: bigint; readonly maintenance: bigint }[]): {
  readonly initial: bigint
  readonly maintenance: bigint
} {
  let initial = 0n
  let maintenance = 0n
  for (const margin of margins) {
    initial += margin.initial
    maintenance += margin.maintenance
  }
  return { initial, maintenance }
}
