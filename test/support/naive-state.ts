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
  type InstrumentState,
  type SelfMatchMode,
  type Side,
  type TriggerSource,
} from '../../src/model/index.ts'
import { marginOf, type NaivePosition, profitAt, rdiv, smaller } from './naive-money.ts'
import { isInBook, type NaiveOrder, remainingOf } from './naive-orders.ts'
import { fundingGrowth, fundingOf } from './naive-reference.ts'

/** Margin of one holding goes no higher: 9,007,199 units of its currency. */
export const MARGIN_MAX = 9_007_199_000_000_000n

/** An account. */
export interface NaiveAccount {
  readonly name: string
  readonly main: number
  mode: SelfMatchMode
  extended: boolean
  /** What of its fees it pays, in millionths. */
  readonly feePpm: number
}

/** An instrument and its market. `resting` is in the order of arrival. */
export interface NaiveMarket {
  readonly id: number
  readonly spec: InstrumentSpec
  state: InstrumentState
  mark: bigint
  pinned: boolean
  resting: NaiveOrder[]
  readonly trades: bigint[]
  direction: 0 | 1 | 2 | 3
  readonly positions: Map<number, NaivePosition>
  /** The average premium of its mark over its index. */
  ema: bigint
  /** Of a perpetual: its rate, the sum of all funding, and until when that is summed up. */
  rate: bigint
  accumulated: bigint
  fundedUntil: number
  /** What longs paid this session. */
  longsPaid: bigint
  /** Fixed at 08:00 of its last day, 0 before, and where its index was never known. */
  deliveryPrice: bigint
  delivered: boolean
  /** Its state before the settlement that is going on. */
  stateBefore: InstrumentState | null
}

/** The values of an index in the last half hour before 08:00, and which 08:00 that is. */
export interface NaiveWindow {
  readonly end: number
  readonly samples: bigint[]
}

/** What was set off and waits for its turn: an order that fired, or a secondary to be placed. */
export type NaiveWork =
  | { readonly kind: 'activate'; readonly order: NaiveOrder }
  | {
      readonly kind: 'place'
      readonly order: NaiveOrder
      /** What of the primary was filled then, and of how much. */
      readonly filled: bigint
      readonly of: bigint
    }

/** Accounts, cash, markets and live orders. */
export class NaiveState {
  readonly accounts: NaiveAccount[] = []
  readonly cash = new Map<string, bigint>()
  readonly markets: NaiveMarket[] = []
  protected readonly config: ExchangeConfig
  /** 0 while an index is unknown; in the order in which they were first named. */
  protected readonly indices = new Map<string, bigint>()
  /** Live orders as they were opened. */
  protected orders: NaiveOrder[] = []
  protected readonly ended = new Set<number>()
  protected readonly work: NaiveWork[] = []
  /** Orders on their way to another exchange, as they left. */
  protected routes: { readonly due: number; readonly order: NaiveOrder }[] = []
  protected readonly windows = new Map<string, NaiveWindow>()
  protected now: number

  constructor(config: ExchangeConfig) {
    this.config = config
    this.now = config.start
  }

  /** Orders of a side in match order; an iceberg whose tip is gone stands in no queue. */
  queue(market: NaiveMarket, side: Side): readonly NaiveOrder[] {
    return sortedByPrice(market.resting.filter((order) => order.side === side && order.tip > 0n))
  }

  /** Live orders of an account, as they were opened. */
  ordersOf(account: number): readonly NaiveOrder[] {
    return this.orders.filter((order) => order.account === account)
  }

  position(market: NaiveMarket, account: number): NaivePosition {
    const none = { size: 0n, entry: 0n, session: 0n, realized: 0n, funding: 0n, touched: 0n }
    return market.positions.get(account) ?? none
  }

  /** A position with its funding up to now. */
  upToDate(market: NaiveMarket, account: number): NaivePosition {
    const position = this.position(market, account)
    const growth = this.accumulatedNow(market) - position.touched
    const funding = position.funding + fundingOf(market.spec, position.size, growth)
    return { ...position, funding }
  }

  /** The accumulator of a perpetual, run to now. */
  accumulatedNow(market: NaiveMarket): bigint {
    const { spec, rate, accumulated, fundedUntil } = market
    const micros = this.now - fundedUntil
    if (spec.funding === null || rate === 0n || micros === 0) return accumulated
    return accumulated + fundingGrowth(spec, { rate, micros, index: this.indexOf(market) })
  }

  balance(account: number, currency: string): bigint {
    return this.cash.get(`${account} ${currency}`) ?? 0n
  }

  initial(market: NaiveMarket, account: number): bigint {
    return smaller(this.initialWith(market, account, { buy: 0n, sell: 0n }), MARGIN_MAX)
  }

  maintenance(market: NaiveMarket, account: number): bigint {
    if (account < houseAccountNames.length || market.mark === 0n) return 0n
    if (market.spec.payoff === 'spot') return 0n
    const { size } = this.position(market, account)
    const margin = marginOf(market.spec, size, { mark: market.mark, rate: 'maintenancePpm' })
    return smaller(margin, MARGIN_MAX)
  }

  /** What open spot orders hold back of a currency. */
  reserve(account: number, currency: string): bigint {
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

  available(account: number, currency: Currency): bigint {
    return this.wallet(account, currency).at(-1) ?? 0n
  }

  /** Balance, equity, initial and maintenance margin, reserve, and what is left of the equity. */
  wallet(account: number, currency: Currency): readonly bigint[] {
    let equity = this.balance(account, currency)
    let initial = 0n
    let maintenance = 0n
    for (const market of this.ofCurrency(currency)) {
      equity += profitAt(market.spec, this.upToDate(market, account), market.mark)
      initial += this.initial(market, account)
      maintenance += this.maintenance(market, account)
    }
    const reserve = this.reserve(account, currency)
    const free = equity - initial - reserve
    return [this.balance(account, currency), equity, initial, maintenance, reserve, free]
  }

  /** Initial margin with `more` lots on a side, without its cap: the worst of three sizes (T68). */
  protected initialWith(
    market: NaiveMarket,
    account: number,
    more: { readonly buy: bigint; readonly sell: bigint },
  ): bigint {
    if (account < houseAccountNames.length || market.mark === 0n) return 0n
    if (market.spec.payoff === 'spot') return 0n
    const open = (side: Side): bigint =>
      this.committed(market, account)
        .filter((order) => order.side === side && !order.reduceOnly)
        .reduce((sum, order) => sum + remainingOf(order), more[side])
    const { size } = this.position(market, account)
    const sizes = [size, size + open('buy'), size - open('sell')]
    const margins = sizes.map((lots) =>
      marginOf(market.spec, lots, { mark: market.mark, rate: 'initialPpm' }),
    )
    return -margins.map((margin) => -margin).reduce(smaller)
  }

  protected addAccount(name: string, main: number | null, feePpm: number): number {
    const id = this.accounts.length
    const mode = this.config.selfMatch
    this.accounts.push({ name, main: main ?? id, mode, extended: false, feePpm })
    return id
  }

  protected marketOf(order: { readonly instrument: number }): NaiveMarket {
    const market = this.markets[order.instrument]
    if (market === undefined) throw new Error('an order is of a listed instrument')
    return market
  }

  /** Whose orders an account's may not meet: its own, or those of its main account (C27). */
  protected token(account: number): number {
    const known = this.accounts[account]
    return known?.extended === true ? known.main : account
  }

  protected modeOf(account: number): SelfMatchMode {
    return this.accounts[account]?.mode ?? 'off'
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

  /** What a trigger source says of an instrument, 0 while it is unknown. */
  protected sourceOf(market: NaiveMarket, source: TriggerSource): bigint {
    if (source === 'index_price') return this.indexOf(market)
    return source === 'mark_price' ? market.mark : (market.trades.at(-1) ?? 0n)
  }

  /** The best resting order that an order of a side would take. */
  protected bestAgainst(market: NaiveMarket, side: Side): NaiveOrder | undefined {
    return this.queue(market, otherSide(side))[0]
  }

  /** A copy of everything, to try out in it what would happen. */
  protected twin(): this {
    const copy: object = Object.create(Object.getPrototypeOf(this))
    // The prototype is that of this very class, and the fields are all plain data.
    return Object.assign(copy, structuredClone({ ...this })) as this
  }

  /** Orders that margin is held for, or spot money. */
  private committed(market: NaiveMarket, account: number): readonly NaiveOrder[] {
    return this.ordersOf(account).filter(
      (order) => order.instrument === market.id && isInBook(order),
    )
  }

  /** Markets of futures that settle in a currency. */
  protected ofCurrency(currency: string): readonly NaiveMarket[] {
    return this.markets.filter(
      ({ spec }) => spec.payoff !== 'spot' && spec.settlementCurrency === currency,
    )
  }
}

/** Orders of one side by their price, the best first; equal prices stay in their order. */
export function sortedByPrice(orders: readonly NaiveOrder[]): NaiveOrder[] {
  const better = orders[0]?.side === 'buy' ? -1 : 1
  return [...orders].sort((a, b) => (a.price < b.price ? -better : a.price > b.price ? better : 0))
}

export function otherSide(side: Side): Side {
  return side === 'buy' ? 'sell' : 'buy'
}

/** Whether an order at a price accepts another price. */
export function takes(side: Side, price: bigint, offered: bigint): boolean {
  return side === 'buy' ? offered <= price : offered >= price
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
