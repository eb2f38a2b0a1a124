/**
 * Accounts and markets of the naive exchange, and queries of them. Nothing is stored twice; every answer is computed
 * from the orders and positions themselves.
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
import type { NaiveOrder } from './naive-orders.ts'
import { fundingGrowth, fundingOf } from './naive-reference.ts'

/** The account of the insurance fund. */
export const FUND = 3

/** An account. */
export interface NaiveAccount {
  readonly name: string
  readonly main: number
  readonly model: MarginModel
  mode: SelfMatchMode
  extended: boolean
  /** The share of its fees that it pays, in millionths. */
  readonly feePpm: number
}

/** An instrument and its market. `resting` is in the order of arrival. */
export interface NaiveMarket {
  readonly id: number
  readonly spec: InstrumentSpec
  state: InstrumentState
  /** 0 until it is known; a combo may also have a mark of 0. */
  mark: bigint
  isMarked: boolean
  pinned: boolean
  resting: NaiveOrder[]
  readonly trades: bigint[]
  direction: 0 | 1 | 2 | 3
  readonly positions: Map<number, NaivePosition>
  /** The average premium of its mark over its index. */
  ema: bigint
  /** For a perpetual: its rate, the sum of all funding, and the time up to which that sum is complete. */
  rate: bigint
  /** The unrounded rate times the index. */
  part: bigint
  accumulated: bigint
  fundedUntil: number
  /** Funding that longs paid this session. */
  longsPaid: bigint
  /** Fixed at 08:00 of its last day; 0 before, and if its index was never known. */
  deliveryPrice: bigint
  delivered: boolean
  /** Its state before the current settlement. */
  stateBefore: InstrumentState | null
  /** The price of the last trade in this book, and the time when a combo was last listed, opened or traded. */
  bookPrice: bigint | null
  usedAt: number
  /** For an option: its mark volatility in 1e-9; 0 while it is unknown. */
  volatility: bigint
  /** For an option: its book, a control or a feed has set its volatility. */
  isReported: boolean
}

/** The samples of an index in the last half hour before an 08:00, and the time of that 08:00. */
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

/** A pool, which is liquidated as a whole: a currency of an account, or all of its currencies. */
export interface NaivePool {
  readonly account: number
  /** Null if all currencies share their margin. */
  readonly currency: Currency | null
}

/** A running liquidation. Its rounds are the seconds since it began. */
export interface NaiveLiquidationState extends NaivePool {
  readonly startedAt: number
  isStuck: boolean
}

/** Queued work: an order that fired, or a secondary to be placed. */
export type NaiveWork =
  | { readonly kind: 'activate'; readonly order: NaiveOrder }
  | {
      readonly kind: 'place'
      readonly order: NaiveOrder
      /** The filled size of the primary at that time, and its amount. */
      readonly filled: bigint
      readonly of: bigint
    }

/** Accounts, cash, markets and indices. */
export class NaiveState {
  readonly accounts: NaiveAccount[] = []
  readonly cash = new Map<string, bigint>()
  readonly markets: NaiveMarket[] = []
  readonly config: ExchangeConfig
  /** 0 while an index is unknown; in the order in which they were first named. */
  readonly indices = new Map<string, bigint>()
  readonly participants = new Map<number, NaiveParticipant>()
  /** Running liquidations. */
  liquidations: NaiveLiquidationState[] = []
  /** Accounts that changed since the last round of liquidations. */
  readonly moved = new Set<number>()
  now: number

  constructor(config: ExchangeConfig) {
    this.config = config
    this.now = config.start
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
    const micros = this.now - market.fundedUntil
    if (market.spec.funding === null || market.part === 0n || micros === 0) return market.accumulated
    return market.accumulated + fundingGrowth(market.spec, { part: market.part, micros, index: this.indexOf(market) })
  }

  balance(account: number, currency: string): bigint {
    return this.cash.get(`${account} ${currency}`) ?? 0n
  }

  post(account: number, currency: string, change: bigint): void {
    this.moved.add(account)
    this.cash.set(`${account} ${currency}`, this.balance(account, currency) + change)
  }

  move(from: number, to: number, currency: string, money: bigint): void {
    this.post(from, currency, -money)
    this.post(to, currency, money)
  }

  addAccount(account: {
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

  /** The owner for self-match prevention: the account or its main account (C27). */
  token(account: number): number {
    const known = this.accounts[account]
    return known?.extended === true ? known.main : account
  }

  modeOf(account: number): SelfMatchMode {
    return this.accounts[account]?.mode ?? 'off'
  }

  /** True if requests of an account are refused. */
  isLocked(account: number): boolean {
    return this.liquidations.some((each) => each.account === account)
  }

  /** True for participants, and for former participants that still have a position: they may only reduce. */
  mayOnlyReduce(account: number): boolean {
    const participant = this.participants.get(account)
    if (participant === undefined) return false
    return participant.status !== 'removed' || this.hasPositions(account)
  }

  hasPositions(account: number): boolean {
    return this.markets.some((market) => this.position(market, account).size !== 0n)
  }

  /** A former participant without a position becomes an ordinary account. */
  forget(account: number): void {
    const isGone = this.participants.get(account)?.status === 'removed'
    if (isGone && !this.hasPositions(account)) this.participants.delete(account)
  }

  indexOf(market: NaiveMarket): bigint {
    return this.indices.get(market.spec.priceIndex) ?? 0n
  }

  /** The price of an instrument from a trigger source; null while it is unknown. */
  sourceOf(market: NaiveMarket, source: TriggerSource): bigint | null {
    if (source === 'last_price') return market.bookPrice
    if (source === 'mark_price') return market.isMarked ? market.mark : null
    const index = this.indexOf(market)
    return index === 0n ? null : index
  }

  /** Markets that settle in a currency: all except spot. */
  ofCurrency(currency: string): readonly NaiveMarket[] {
    return this.markets.filter(({ spec }) => spec.payoff !== 'spot' && spec.settlementCurrency === currency)
  }
}

/** A copy of a part and of the parts below it, for trials. */
export function copyOf<T extends object>(part: T): T {
  return withClass(structuredClone(part), part)
}

/** Gives copied parts their classes, which `structuredClone` drops. All other fields are plain data. */
function withClass<T extends object>(copy: T, part: T): T {
  const plain = [Object, Array, Map, Set].map(({ prototype }) => prototype)
  for (const [at, each] of Object.values(part).entries()) {
    const isPart = typeof each === 'object' && each !== null && !plain.includes(Object.getPrototypeOf(each))
    if (isPart) withClass(Object.values(copy)[at], each)
  }
  return Object.setPrototypeOf(copy, Object.getPrototypeOf(part))
}

/** Orders of one side by price, the best first; equal prices keep their order. */
export function sortedByPrice(orders: readonly NaiveOrder[]): NaiveOrder[] {
  const better = orders[0]?.side === 'buy' ? -1 : 1
  return [...orders].sort((a, b) => (a.price < b.price ? -better : a.price > b.price ? better : 0))
}

export function otherSide(side: Side): Side {
  return side === 'buy' ? 'sell' : 'buy'
}

/** True if an order at a price accepts another price. */
export function takes(side: Side, price: bigint, offered: bigint): boolean {
  return side === 'buy' ? offered <= price : offered >= price
}

/** The amount that a spot order pays: quote for a buy, base for a sell. */
export function given(spec: InstrumentSpec, side: Side, lots: bigint, price: bigint): bigint {
  return side === 'buy'
    ? rdiv(lots * BigInt(spec.amountStep9) * price, 1_000_000_000n)
    : lots * BigInt(spec.amountStep9)
}

/** The currency that a spot order pays. */
export function givenCurrency(spec: InstrumentSpec, side: Side): Currency {
  // Only bases that accounts can hold have spot pairs.
  return side === 'buy' ? spec.settlementCurrency : (spec.baseCurrency as Currency)
}
