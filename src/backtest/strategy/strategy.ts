/**
 * A strategy: synchronous callbacks of a program that trades one account.
 *
 * A strategy knows only the messages that have reached it: recorded messages after its feed latency; its replies, order
 * changes and fills after its response latency, in the order in which the exchange made them. Its requests reach the
 * exchange after its entry latency. Each latency is constant, so no message overtakes its cause. The venue is the last
 * argument of each callback. An exception in a callback ends the run as bad input; the fault names strategy, callback
 * and time.
 * Source: DESIGN 5 and 6.
 */
import { checkArgument, type Micros, type Plain } from '../../core/index.ts'
import type {
  BlockChange,
  BlockReason,
  Currency,
  FillRule,
  InstrumentKind,
  InstrumentSettlementType,
  Liquidity,
  OptionRight,
  PaymentState,
  PaymentType,
  RfqChange,
  RfqQuoteChange,
  Side,
  TradeSide,
  WalletReason,
} from '../../model/index.ts'
import type {
  MethodName,
  MethodParams,
  MethodResult,
  ReplyOf,
  VenueError,
  WireBlockRfq,
  WireOrder,
  WireRfqQuote,
  WireUserTrade,
} from '../../rpc/index.ts'
import type { BookView } from './book-view.ts'

/**
 * A trading program. Every callback is optional. Market callbacks must exist when the run opens. `State` is the type
 * that `save` returns and `load` accepts.
 */
export interface Strategy<State extends Plain = Plain> {
  /** Called once, at the start of the run, after the set-up. */
  onStart?(venue: StrategyVenue): void
  /**
   * Called after each recorded message of a book, and after each step of the run that changed a closed book. `view` is
   * one reused object.
   */
  onBook?(view: BookView, venue: StrategyVenue): void
  /**
   * Called for each recorded trade and each trade of a closed book, except block trades. `print` is one reused object:
   * copy the values that you keep.
   */
  onTrade?(print: TradePrint, venue: StrategyVenue): void
  /** Called when a price index has a new value. */
  onIndex?(index: IndexNews, venue: StrategyVenue): void
  /** Called when the mark price of an instrument has a new value. */
  onMark?(mark: MarkNews, venue: StrategyVenue): void
  /** Called when the funding rate of a perpetual has a new value. */
  onFunding?(funding: FundingNews, venue: StrategyVenue): void
  /** Called when an instrument was settled or delivered, with the account's result. */
  onSettlement?(settlement: StrategySettlement, venue: StrategyVenue): void
  /**
   * Called after each change of an order of the account, with the order after the change. When a trigger order fires,
   * its last change comes first; the new order opens next, with its own id.
   */
  onOrder?(order: WireOrder, venue: StrategyVenue): void
  /** Called for each fill of the account, with the reason for it. It comes before the order's change. */
  onFill?(fill: StrategyFill, venue: StrategyVenue): void
  /**
   * Called after each change of a block trade with the account as a party: signed, withdrawn, executed, waiting for
   * approval, answered or timed out. Its fills come to `onFill` before.
   */
  onBlockTrade?(block: StrategyBlock, venue: StrategyVenue): void
  /**
   * Called after each change of a deposit, a withdrawal or a transfer to another user of the account. The recipient of
   * a transfer is notified when it is confirmed.
   */
  onPayment?(payment: StrategyPayment, venue: StrategyVenue): void
  /**
   * Called after each change of a Block RFQ. For its own RFQs the account gets the taker's view. For RFQs that it may
   * quote, it is notified of their arrival and of changes of their state.
   */
  onBlockRfq?(rfq: StrategyBlockRfq, venue: StrategyVenue): void
  /** Called after each change of a quote of the account on a Block RFQ. */
  onBlockQuote?(quote: StrategyBlockQuote, venue: StrategyVenue): void
  /** Called for each reply to a request without its own callback. */
  onReply?(reply: StrategyReply, venue: StrategyVenue): void
  /** Called when a timer set by `venue.setTimer` is due. */
  onTimer?(name: string, venue: StrategyVenue): void
  /** Returns everything that the strategy remembers, as plain data. Without it a run cannot be saved. */
  save?(): State
  /** Restores the state that `save` returned; called instead of `onStart`. */
  load?(state: State): void
}

/** A strategy before it gets its parameters: the default export of a strategy's module. */
export interface StrategyDefinition<Params> {
  /** Makes the strategy. It may throw to refuse its parameters. */
  make(params: Params): Strategy
}

/**
 * Defines a strategy. `Params` is the type of its parameters in the scenario.
 *
 * @throws RangeError with the code `OPTION` if an argument has another kind.
 *
 * @example
 * export default defineStrategy(() => ({
 *   onStart: (venue) => {
 *     const order = { instrument_name: 'BTC-PERPETUAL', amount: 10, price: 49_000 }
 *     venue.request('private/buy', order)
 *   },
 * }))
 */
export function defineStrategy<Params, State extends Plain = Plain>(
  make: (params: Params) => Strategy<State>,
): StrategyDefinition<Params> {
  checkArgument('defineStrategy: make', make, 'function')
  // `load` gets the result of the same strategy's `save`, which the type of a definition does not express.
  return Object.freeze({ make: make as unknown as (params: Params) => Strategy })
}

/**
 * True if a value, such as the default export of a module, is a strategy's definition.
 *
 * @example
 * console.log(isStrategyDefinition(defineStrategy(() => ({})))) // true
 * console.log(isStrategyDefinition({})) // false
 */
export function isStrategyDefinition(value: unknown): value is StrategyDefinition<unknown> {
  if (typeof value !== 'object' || value === null || !('make' in value)) return false
  return typeof value.make === 'function'
}

/** A public trade. Prices and amounts are the doubles nearest to the exact decimals. */
export interface TradePrint {
  readonly instrument: string
  /** Microseconds of the exchange's clock, not of the strategy's. */
  readonly time: Micros
  readonly price: number
  readonly amount: number
  /** The taker's side. */
  readonly side: TradeSide
}

/** A new value of a price index. */
export interface IndexNews {
  readonly index: string
  /** Microseconds of the exchange's clock. */
  readonly time: Micros
  readonly price: number
}

/** A new mark price. */
export interface MarkNews {
  readonly instrument: string
  readonly time: Micros
  readonly price: number
  readonly indexPrice: number
  /** Mark volatility of an option as a share (0.5 is 50 %); null for others. */
  readonly volatility: number | null
}

/** A new funding rate. */
export interface FundingNews {
  readonly instrument: string
  readonly time: Micros
  /** Rate for 8 hours, as a share; if it is positive, longs pay. */
  readonly rate: number
  readonly markPrice: number
  readonly indexPrice: number
}

/** A settlement or delivery of an instrument. */
export interface StrategySettlement {
  readonly type: InstrumentSettlementType
  readonly instrument: string
  readonly time: Micros
  /** Mark price, or the delivery price. */
  readonly price: number
  readonly indexPrice: number
  /** Null if the account had no position. */
  readonly own: {
    /** Signed position before the settlement; a delivery ends it. */
    readonly position: number
    readonly currency: Currency
    /** Change of cash, before the fee. */
    readonly cash: number
    /** Funding of the session, part of `cash`; positive if received, negative if paid. */
    readonly funding: number
    readonly fee: number
    /** Cash after the settlement. */
    readonly balance: number
  } | null
}

/** The account's funds in a currency, all in that currency. */
export interface StrategyFunds {
  readonly currency: Currency
  /** Cash. */
  readonly balance: number
  readonly equity: number
  readonly marginBalance: number
  readonly initialMargin: number
  readonly maintenanceMargin: number
  readonly availableFunds: number
  /** Value of options at their mark prices, part of `equity`. */
  readonly optionsValue: number
  /** Profit of futures since the last settlement. */
  readonly sessionRealized: number
  readonly sessionFloating: number
}

/** A position of the account. Profits and margins are in the settlement currency; greeks are for the whole position. */
export interface StrategyPosition {
  readonly instrument: string
  /** Signed: positive is long. */
  readonly size: number
  readonly averagePrice: number
  readonly markPrice: number
  readonly indexPrice: number
  readonly realized: number
  /** Since the last settlement. */
  readonly floating: number
  /** Since opening. */
  readonly total: number
  readonly initialMargin: number
  readonly maintenanceMargin: number
  readonly delta: number
  /** 0 except for options; the same holds for vega and theta. */
  readonly gamma: number
  readonly vega: number
  readonly theta: number
}

/** A fill of the account in the venue's format, with the reason for the fill. */
export interface StrategyFill extends WireUserTrade {
  readonly rule: FillRule
  /** Amount before the order in its queue, before and after the fill; 0 in a closed book. */
  readonly ahead_before: number
  readonly ahead_after: number
  /** Index of the feed's file among the files of all feeds, and the row in it; null if no row caused the fill. */
  readonly feed: number | null
  readonly feed_row: number | null
}

/** A change of a block trade of the account. */
export interface StrategyBlock {
  readonly change: BlockChange
  readonly reason: BlockReason
  /** Time of the change on the exchange's clock, in microseconds. */
  readonly time: Micros
  /** The account's own role. */
  readonly role: Liquidity
  /** Timestamp in the requests of both sides, in milliseconds since the epoch. */
  readonly timestamp: number
  readonly nonce: string
  /** Id of the block trade; null before it is executed. */
  readonly id: string | null
  readonly trades: readonly {
    readonly instrument: string
    /** The maker's side. */
    readonly direction: Side
    readonly price: number
    readonly amount: number
  }[]
}

/** A change of a payment of the account. */
export interface StrategyPayment {
  readonly type: PaymentType
  /** Number of the payment among the payments of its type. */
  readonly id: number
  readonly state: PaymentState
  readonly reason: WalletReason
  /** Time of the change on the exchange's clock, in microseconds. */
  readonly time: Micros
  readonly currency: Currency
  readonly amount: number
  /** Fee in addition to the amount. */
  readonly fee: number
  /** Change of the account's cash with this change of the payment. */
  readonly change: number
}

/** A change of a Block RFQ, as the account may see it. */
export interface StrategyBlockRfq extends WireBlockRfq {
  readonly change: RfqChange
  /** Time of the change on the exchange's clock, in microseconds. */
  readonly time: Micros
}

/** A change of a quote on a Block RFQ. */
export interface StrategyBlockQuote extends WireRfqQuote {
  readonly change: RfqQuoteChange
  readonly time: Micros
}

/** A reply for `onReply`. */
export type StrategyReply = {
  /** The number that `venue.request` returned. */
  readonly request: number
  readonly method: StrategyMethod
} & ({ readonly ok: true; readonly result: unknown } | { readonly ok: false; readonly error: VenueError })

/** Methods that a strategy may use: all except the simulator's own controls. */
export type StrategyMethod = Exclude<MethodName, `sim/${string}`>

/** Terms of an instrument that a strategy needs to trade it. */
export interface StrategyInstrument {
  readonly name: string
  readonly kind: InstrumentKind
  readonly baseCurrency: string
  readonly quoteCurrency: string
  /** Currency of profit, margin and fees. */
  readonly settlementCurrency: Currency
  /** Index that its mark follows, such as `btc_usd`. */
  readonly priceIndex: string
  /** Size of one contract in the unit of amounts. */
  readonly contractSize: number
  /** Expiration in microseconds; null for instruments that never expire. */
  readonly expiration: Micros | null
  /** Strike of an option; null for others. */
  readonly strike: number | null
  readonly optionType: OptionRight | null
  /** Smallest price step. Options have larger steps at higher prices, which `venue.price` respects. */
  readonly tickSize: number
  readonly amountStep: number
  readonly minAmount: number
  /** Fees as a share; negative is a rebate. */
  readonly makerFee: number
  readonly takerFee: number
}

/** A strategy's view of the exchange, and its requests. Wrong arguments throw, which ends the run. */
export interface StrategyVenue {
  /** The strategy's clock in microseconds: the time at which the current message reached it. */
  readonly now: Micros
  /** Name of the account. */
  readonly account: string
  /** Listed instruments, in the order of listing. */
  readonly instruments: readonly StrategyInstrument[]
  /**
   * Own live orders according to the messages that have arrived, oldest first: open ones, and `untriggered` ones that
   * wait for a price or for fills of another order.
   */
  readonly openOrders: readonly WireOrder[]
  /** Signed size of a position after the fills that have arrived; 0 for spot. */
  position(instrument: string): number
  /** The account's funds in a currency, with the exchange's current values, without latency. */
  funds(currency: Currency): StrategyFunds
  /** A position with its profit, margin and greeks, with the exchange's current values, without latency. */
  holding(instrument: string): StrategyPosition
  /** All open positions, as `holding` returns them, in the order of listing. */
  readonly holdings: readonly StrategyPosition[]
  /**
   * The book according to the messages that have arrived: the object that `onBook` gets. A recorded market gives the
   * recorded book; a closed one gives the public book, including own orders.
   */
  view(instrument: string): BookView
  /** The nearest price on the instrument's grid that is at or below (`down`) or at or above (`up`) a price. */
  price(instrument: string, price: number, direction: 'down' | 'up'): number
  /** The greatest multiple of the amount step that does not exceed an amount. */
  amount(instrument: string, amount: number): number
  /**
   * Sends a request and returns its number, from 1. Its reply goes to the `onReply` argument if given, otherwise to the
   * strategy's own `onReply`. A run cannot be saved while it waits for a reply to a function.
   */
  request<M extends StrategyMethod>(
    method: M,
    params: MethodParams<M>,
    onReply?: (reply: ReplyOf<MethodResult<M>>, venue: StrategyVenue) => void,
  ): number
  /**
   * The next number of the strategy's random stream, a multiple of 2^-53 in [0, 1): the same in every run with the same
   * seed.
   */
  random(): number
  /** Writes a log line with the strategy's time: to stderr on the command line, nowhere in a browser. */
  log(...what: readonly unknown[]): void
  /**
   * Calls `onTimer` once after a duration such as `250ms`, or a number of microseconds. Replaces a timer with the same
   * name.
   */
  setTimer(name: string, delay: string | number): void
  /** Removes a timer; does nothing if it is not set. */
  clearTimer(name: string): void
}

/** Constant latencies of a strategy in microseconds. */
export interface Latency {
  /** From a recorded message to the strategy. */
  readonly feed: number
  /** From the strategy to the exchange; requests in transit wait in a queue, which may refuse them. */
  // Source: C05.
  readonly entry: number
  /** From an event of the exchange to the strategy. */
  readonly response: number
}
