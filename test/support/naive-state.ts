/**
 * The state of the naive exchange and what can be read from it: queues, balances, margins, bands.
 * Nothing is stored twice; every answer is computed from the orders and positions themselves.
 *
 * Prices are 1e-9 quote units and sizes lots, both bigint.
 */
import {
  type Currency,
  type ExchangeConfig,
  houseAccountNames,
  type InstrumentSpec,
  type Side,
  type TimeInForce,
} from '../../src/model/index.ts'
import { marginOf, type NaivePosition, profitAt, rdiv, smaller } from './naive-money.ts'

/** An order, live or ended. */
export interface NaiveOrder {
  readonly id: number
  readonly account: number
  readonly instrument: number
  readonly side: Side
  readonly type: 'limit' | 'market' | 'market_limit'
  readonly timeInForce: TimeInForce
  readonly label: string
  readonly created: number
  readonly createdAt: number
  price: bigint
  amount: bigint
  filled: bigint
  postOnly: 'off' | 'slide' | 'reject'
  reduceOnly: boolean
  replaced: boolean
  readonly fills: { readonly lots: bigint; readonly price: bigint }[]
}

/** An instrument and its market. `resting` is in the order of arrival. */
export interface NaiveMarket {
  readonly spec: InstrumentSpec
  mark: bigint
  pinned: boolean
  resting: NaiveOrder[]
  readonly trades: bigint[]
  direction: 0 | 1 | 2 | 3
  readonly positions: Map<number, NaivePosition>
}

/** Accounts, cash, markets and live orders. */
export class NaiveState {
  readonly accounts: string[] = [...houseAccountNames]
  readonly cash = new Map<string, bigint>()
  readonly markets: NaiveMarket[] = []
  protected readonly config: ExchangeConfig
  protected readonly indices = new Map<string, bigint>()
  protected orders: NaiveOrder[] = []
  protected readonly ended = new Set<number>()
  protected now: number

  constructor(config: ExchangeConfig) {
    this.config = config
    this.now = config.start
  }

  /** Orders of a side in match order. */
  queue(market: NaiveMarket, side: Side): readonly NaiveOrder[] {
    const better = side === 'buy' ? -1 : 1
    return market.resting
      .filter((order) => order.side === side)
      .sort((a, b) => (a.price < b.price ? -better : a.price > b.price ? better : 0))
  }

  position(market: NaiveMarket, account: number): NaivePosition {
    return market.positions.get(account) ?? { size: 0n, entry: 0n, session: 0n, realized: 0n }
  }

  balance(account: number, currency: string): bigint {
    return this.cash.get(`${account} ${currency}`) ?? 0n
  }

  /** Initial margin with `more` lots on a side: the worst of three sizes (T68). */
  initial(market: NaiveMarket, account: number, more = { buy: 0n, sell: 0n }): bigint {
    if (account < houseAccountNames.length || market.mark === 0n) return 0n
    if (market.spec.payoff === 'spot') return 0n
    const open = (side: Side): bigint =>
      market.resting
        .filter((order) => order.account === account && order.side === side)
        .reduce((sum, order) => sum + order.amount - order.filled, more[side])
    const { size } = this.position(market, account)
    const sizes = [size, size + open('buy'), size - open('sell')]
    const margins = sizes.map((lots) =>
      marginOf(market.spec, lots, { mark: market.mark, rate: 'initialPpm' }),
    )
    return -margins.map((margin) => -margin).reduce(smaller)
  }

  maintenance(market: NaiveMarket, account: number): bigint {
    if (account < houseAccountNames.length || market.mark === 0n) return 0n
    if (market.spec.payoff === 'spot') return 0n
    const { size } = this.position(market, account)
    return marginOf(market.spec, size, { mark: market.mark, rate: 'maintenancePpm' })
  }

  /** What open spot orders hold back of a currency. */
  reserve(account: number, currency: string): bigint {
    let held = 0n
    for (const market of this.markets) {
      if (market.spec.payoff !== 'spot') continue
      for (const order of market.resting) {
        if (order.account !== account) continue
        if (givenCurrency(market.spec, order.side) !== currency) continue
        held += given(market.spec, order.side, order.amount - order.filled, order.price)
      }
    }
    return held
  }

  available(account: number, currency: Currency): bigint {
    return this.wallet(account, currency).at(-1) ?? 0n
  }

  /** Balance, equity, initial and maintenance margin, reserve, and what is left of the equity. */
  wallet(account: number, currency: Currency): readonly bigint[] {
    let equity = this.balance(account, currency)
    let initial = 0n
    let maintenance = 0n
    for (const market of this.ofCurrency(currency)) {
      equity += profitAt(market.spec, this.position(market, account), market.mark)
      initial += this.initial(market, account)
      maintenance += this.maintenance(market, account)
    }
    const reserve = this.reserve(account, currency)
    const free = equity - initial - reserve
    return [this.balance(account, currency), equity, initial, maintenance, reserve, free]
  }

  /** Markets of futures that settle in a currency. */
  ofCurrency(currency: string): readonly NaiveMarket[] {
    return this.markets.filter(
      ({ spec }) => spec.payoff !== 'spot' && spec.settlementCurrency === currency,
    )
  }

  /** Mark less and plus the band, rounded outward to the tick (R05). */
  protected band(market: NaiveMarket): { readonly min: bigint; readonly max: bigint } | undefined {
    const ppm = BigInt(market.spec.bandPpm)
    if (!this.config.priceBands || ppm === 0n || market.mark === 0n) return undefined
    const tick = BigInt(market.spec.tick9)
    const low = market.mark * (1_000_000n - ppm)
    const high = market.mark * (1_000_000n + ppm)
    const unit = tick * 1_000_000n
    const min = (low / unit) * tick
    const max = ((high + unit - 1n) / unit) * tick
    return { min: min < tick ? tick : min, max }
  }

  protected indexOf(market: NaiveMarket): bigint {
    return this.indices.get(market.spec.priceIndex) ?? 0n
  }
}

/** What a spot order gives: quote for a buy, base for a sell. */
export function given(spec: InstrumentSpec, side: Side, lots: bigint, price: bigint): bigint {
  return side === 'buy'
    ? rdiv(lots * BigInt(spec.amountStep9) * price, 1_000_000_000n)
    : lots * BigInt(spec.amountStep9)
}

/** The currency that a spot order gives. */
export function givenCurrency(spec: InstrumentSpec, side: Side): Currency {
  // Only bases that accounts can hold have spot pairs.
  return side === 'buy' ? spec.settlementCurrency : (spec.baseCurrency as Currency)
}
