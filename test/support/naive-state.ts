/**
 * The state of the naive exchange and what can be read from it: queues, balances, margins, bands.
 * Nothing is stored twice; every answer is computed from the orders and positions themselves.
 *
 * Prices are 1e-9 quote units and sizes lots, both bigint.
 */
import type {
  Currency,
  ExchangeConfig,
  InstrumentSpec,
  InstrumentState,
  LspGroup,
  MarginModel,
  SelfMatchMode,
  Side,
  TriggerSource,
} from '../../src/model/index.ts'
import { type NaivePosition, rdiv } from './naive-money.ts'
import { isInBook, type NaiveOrder } from './naive-orders.ts'
import { fundingGrowth, fundingOf } from './naive-reference.ts'

/** An account. */
export interface NaiveAccount {
  readonly name: string
  readonly main: number
  readonly model: MarginModel
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
  /** 0 until it is known, which that of a combo may be too. */
  mark: bigint
  isMarked: boolean
  pinned: boolean
  resting: NaiveOrder[]
  readonly trades: bigint[]
  direction: 0 | 1 | 2 | 3
  readonly positions: Map<number, NaivePosition>
  /** The average premium of its mark over its index. */
  ema: bigint
  /** Of a perpetual: its rate, the sum of all funding, and until when that is summed up. */
  rate: bigint
  /** The rate before it is rounded, times the index. */
  part: bigint
  accumulated: bigint
  fundedUntil: number
  /** What longs paid this session. */
  longsPaid: bigint
  /** Fixed at 08:00 of its last day, 0 before, and where its index was never known. */
  deliveryPrice: bigint
  delivered: boolean
  /** Its state before the settlement that is going on. */
  stateBefore: InstrumentState | null
  /** The price of the last trade of its own book, and when a combo was last listed, opened or traded. */
  bookPrice: bigint | null
  usedAt: number
  /** Of an option: its mark volatility in 1e-9, 0 while it has none. */
  volatility: bigint
  /** Of an option: its book, a control or a feed has told its volatility. */
  isReported: boolean
}

/** The values of an index in the last half hour before 08:00, and which 08:00 that is. */
export interface NaiveWindow {
  readonly end: number
  readonly samples: bigint[]
}

/** A participant of the liquidity support programme. */
export interface NaiveParticipant {
  status: 'enabled' | 'disabled' | 'removed'
  limitsPpm: { readonly [G in LspGroup]?: number }
  readonly windows: Map<LspGroup, { used: bigint; readonly start: number; readonly end: number }>
  failures: number[]
}

/** What is liquidated together: a currency of an account, or all of it. */
export interface NaivePool {
  readonly account: number
  /** Null where all currencies share their margin. */
  readonly currency: Currency | null
}

/** A liquidation that is going on. Its rounds are the seconds since it began. */
export interface NaiveLiquidationState extends NaivePool {
  readonly startedAt: number
  isStuck: boolean
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
  readonly config: ExchangeConfig
  /** 0 while an index is unknown; in the order in which they were first named. */
  protected readonly indices = new Map<string, bigint>()
  /** Live orders as they were opened. */
  orders: NaiveOrder[] = []
  readonly ended = new Set<number>()
  readonly work: NaiveWork[] = []
  /** Orders on their way to another exchange, as they left. */
  protected routes: {
    readonly due: number
    readonly order: NaiveOrder
    /** When its matching must have begun, as its request said; null for no end. */
    readonly until: number | null
  }[] = []
  /** The deadline of the request that is being carried out. */
  deadline: number | null = null
  readonly participants = new Map<number, NaiveParticipant>()
  /** Liquidations that are going on. */
  protected liquidations: NaiveLiquidationState[] = []
  /** Accounts of which something moved since liquidations were last looked at. */
  protected readonly moved = new Set<number>()
  protected readonly windows = new Map<string, NaiveWindow>()
  now: number

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
    const { spec, part, accumulated, fundedUntil } = market
    const micros = this.now - fundedUntil
    if (spec.funding === null || part === 0n || micros === 0) return accumulated
    return accumulated + fundingGrowth(spec, { part, micros, index: this.indexOf(market) })
  }

  balance(account: number, currency: string): bigint {
    return this.cash.get(`${account} ${currency}`) ?? 0n
  }

  protected addAccount(account: {
    readonly name: string
    readonly main: number | null
    readonly model: MarginModel
    readonly feePpm: number
  }): number {
    const id = this.accounts.length
    const mode = this.config.selfMatch
    this.accounts.push({ ...account, main: account.main ?? id, mode, extended: false })
    return id
  }

  marketOf(order: { readonly instrument: number }): NaiveMarket {
    const market = this.markets[order.instrument]
    if (market === undefined) throw new Error('an order is of a listed instrument')
    return market
  }

  /** Whose orders an account's may not meet: its own, or those of its main account (C27). */
  token(account: number): number {
    const known = this.accounts[account]
    return known?.extended === true ? known.main : account
  }

  modeOf(account: number): SelfMatchMode {
    return this.accounts[account]?.mode ?? 'off'
  }

  /** Whether no request of an account is taken. */
  isLocked(account: number): boolean {
    return this.liquidations.some((each) => each.account === account)
  }

  /** Participants only reduce; who left the programme until it has no position any more. */
  mayOnlyReduce(account: number): boolean {
    const participant = this.participants.get(account)
    if (participant === undefined) return false
    return participant.status !== 'removed' || this.hasPositions(account)
  }

  hasPositions(account: number): boolean {
    return this.markets.some((market) => this.position(market, account).size !== 0n)
  }

  /** An account that left the programme and has no position is as any other. */
  forget(account: number): void {
    const isGone = this.participants.get(account)?.status === 'removed'
    if (isGone && !this.hasPositions(account)) this.participants.delete(account)
  }

  /** Orders of an account in a book or on their way there. */
  protected committed(market: NaiveMarket, account: number): readonly NaiveOrder[] {
    return this.ordersOf(account).filter((order) => order.instrument === market.id && isInBook(order))
  }

  protected indexOf(market: NaiveMarket): bigint {
    return this.indices.get(market.spec.priceIndex) ?? 0n
  }

  /** What a trigger source says of an instrument, null while it is unknown. */
  sourceOf(market: NaiveMarket, source: TriggerSource): bigint | null {
    if (source === 'last_price') return market.bookPrice
    if (source === 'mark_price') return market.isMarked ? market.mark : null
    const index = this.indexOf(market)
    return index === 0n ? null : index
  }

  /** The best resting order that an order of a side would take. */
  bestAgainst(market: NaiveMarket, side: Side): NaiveOrder | undefined {
    return this.queue(market, otherSide(side))[0]
  }

  /** A copy of everything, to try out in it what would happen. */
  twin(): this {
    const copy: object = Object.create(Object.getPrototypeOf(this))
    // The prototype is that of this very class, and the fields are all plain data.
    return Object.assign(copy, structuredClone({ ...this })) as this
  }

  /** Markets of all that settles in a currency: everything but spot. */
  ofCurrency(currency: string): readonly NaiveMarket[] {
    return this.markets.filter(({ spec }) => spec.payoff !== 'spot' && spec.settlementCurrency === currency)
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
