/**
 * Events: everything the exchange does, as a closed union. They are immutable and complete: a reader
 * needs no state of the engine to understand one. `number` counts events of the run from 1 and
 * `cause` is the sequence of the request they belong to.
 */
import type {
  AccountId,
  Amount,
  InstrumentId,
  Lots,
  Micros,
  OrderId,
  Price9,
  Sequence,
  TradeId,
} from '../core/index.ts'
import type { MarginModel } from './account.ts'
import type { Command } from './command.ts'
import type { SelfMatchMode } from './config.ts'
import type { Currency } from './currency.ts'
import type { Instrument, InstrumentState } from './instrument.ts'
import type { FeedRow } from './market-message.ts'
import type {
  OrderLinks,
  OrderReason,
  OrderState,
  OrderType,
  PostOnly,
  Side,
  TimeInForce,
  Trigger,
} from './order.ts'
import type { Refusal } from './refusal.ts'

/** What every event carries. */
export interface EventHeader {
  readonly time: Micros
  readonly number: number
  readonly cause: Sequence
}

/**
 * An order changed. The fields are the order after the change.
 * - `order_opened`: admitted, before it matches; `untriggered` where it waits for a price or a fill.
 * - `order_filled`: a maker after one match; a taker once, after its last match. `state` says
 *   whether anything is left.
 * - `order_rested`: the remainder of a market order now rests at a limit price (C16, C20).
 * - `order_edited`: changed by its owner.
 * - `order_resized`: its amount was changed by the engine; `reason` says why.
 * - `order_refreshed`: an iceberg shows its next part, at the end of the queue.
 * - `order_triggered`: it fired, or as a secondary its turn came, and it became `successor`, which
 *   opens next.
 * - `order_rejected`: the same, but what it would have become was refused; `reason` says why.
 * - `order_cancelled`: ended with size left; `reason` says why.
 */
export interface OrderChanged extends EventHeader {
  readonly kind:
    | 'order_opened'
    | 'order_filled'
    | 'order_rested'
    | 'order_edited'
    | 'order_resized'
    | 'order_refreshed'
    | 'order_triggered'
    | 'order_rejected'
    | 'order_cancelled'
  readonly order: OrderId
  readonly account: AccountId
  readonly instrument: InstrumentId
  readonly side: Side
  readonly type: OrderType
  readonly timeInForce: TimeInForce
  readonly price: Price9
  readonly amount: Lots
  readonly filled: Lots
  /** Average price of its fills in 1e-9 quote units, 0 before the first (R27). */
  readonly averagePrice: Price9
  readonly state: OrderState
  readonly postOnly: PostOnly
  readonly reduceOnly: boolean
  readonly rested: boolean
  readonly replaced: boolean
  readonly label: string
  readonly createdAt: Micros
  /** What an iceberg shows at a time; 0 for an order that shows all of it. */
  readonly display: Lots
  /** What of it can be seen in the book, or could once it stands there. */
  readonly shown: Lots
  /** What it waits for, or waited for when it fired; null but for trigger types. */
  readonly trigger: Trigger | null
  readonly links: OrderLinks
  /** The trigger order that became it, or `NO_ORDER`. */
  readonly triggeredBy: OrderId
  /** On `order_triggered`, what it became; else `NO_ORDER`. */
  readonly successor: OrderId
  /** Why it was cancelled, resized or rejected; null on every other change. */
  readonly reason: OrderReason | null
}

/**
 * Why a fill happened.
 * - `book_maker`: the order was first in its queue at the best price when an incoming order took it.
 * - `book_taker`: the order arrived and took the best resting order.
 * - `hidden`: the hidden part of an iceberg was reached; its owner pays as a taker (C25).
 * - `print_at_price`: a recorded trade at the order's price was larger than what stood before it.
 * - `print_through`: a recorded trade was made at a worse price than the order's.
 * - `level_reached`: the other side's recorded best came to the order's price.
 * - `level_taken`: the order arrived and took what a recorded level showed.
 * - `recorded`: the other side of these four, the recorded market.
 */
export type FillRule =
  | 'book_maker'
  | 'book_taker'
  | 'hidden'
  | 'print_at_price'
  | 'print_through'
  | 'level_reached'
  | 'level_taken'
  | 'recorded'

/** One account's side of a trade. */
export interface Fill {
  readonly account: AccountId
  /** `NO_ORDER` for the recorded market. */
  readonly order: OrderId
  readonly side: Side
  readonly rule: FillRule
  /** Size that stood before it in the queue, before and after the match; 0 in a closed book. */
  readonly aheadBefore: Lots
  readonly aheadAfter: Lots
  /** The recorded row that caused the fill or set the level; null where two orders met. */
  readonly source: FeedRow | null
  /** Fee paid (negative: rebate) in the settlement currency, for spot in the received currency. */
  readonly fee: Amount
  readonly feeCurrency: Currency
  /** Realized profit of this fill in the settlement currency, 1e-9; 0 for spot. */
  readonly realized: Amount
  /** Signed position of the account after the fill; 0 for spot. */
  readonly position: Lots
  /** What is left of the order. */
  readonly remaining: Lots
}

/** One match of a taker with one resting order. */
export interface Trade extends EventHeader {
  readonly kind: 'trade'
  readonly trade: TradeId
  /** Sequence within the instrument, from 1 without gaps. */
  readonly tradeSeq: number
  readonly instrument: InstrumentId
  readonly price: Price9
  readonly amount: Lots
  /** The taker's side. */
  readonly side: Side
  /** 0 plus, 1 zero-plus, 2 minus, 3 zero-minus tick (market.md 8). */
  readonly tickDirection: 0 | 1 | 2 | 3
  readonly index: Price9
  readonly mark: Price9
  readonly maker: Fill
  readonly taker: Fill
}

/**
 * A trade of a recorded feed; emitted only where a run asks for it. `number` is that of the event
 * before it.
 */
export interface Print extends EventHeader {
  readonly kind: 'print'
  readonly instrument: InstrumentId
  /** Settlement currency of the instrument. */
  readonly currency: Currency
  readonly price: Price9
  readonly amount: Lots
  /** The taker's side, where the feed tells it. */
  readonly side: Side | 'unknown'
  /** As of a trade. */
  readonly tickDirection: 0 | 1 | 2 | 3
  readonly index: Price9
  readonly mark: Price9
  readonly source: FeedRow
}

/**
 * A visible price level changed; emitted only where a run asks for the book. `number` is that of the
 * event before it.
 */
export interface LevelChanged extends EventHeader {
  readonly kind: 'level_changed'
  readonly instrument: InstrumentId
  readonly side: Side
  readonly price: Price9
  /** Size at the level now; 0 removes it. */
  readonly amount: Lots
  readonly changeId: number
}

/** A request was refused and changed nothing. */
export interface RequestRefused extends EventHeader {
  readonly kind: 'request_refused'
  readonly command: Command['kind']
  readonly account: AccountId | -1
  readonly instrument: InstrumentId | -1
  readonly refusal: Refusal
}

/**
 * The request is complete. `count` is what a bulk cancel cancelled. Only what the request set off, such
 * as trigger orders that fire, follows with the same cause.
 */
export interface RequestDone extends EventHeader {
  readonly kind: 'request_done'
  readonly outcome: 'done' | 'refused'
  readonly count: number
}

/** An account was opened. */
export interface AccountOpened extends EventHeader {
  readonly kind: 'account_opened'
  readonly account: AccountId
  readonly name: string
  readonly marginModel: MarginModel
  readonly house: boolean
  /** The main account of a subaccount, else the account itself. */
  readonly main: AccountId
  /** What of its fees it pays, in parts per million. */
  readonly feePpm: number
}

/** An account chose what happens when it meets its own orders. */
export interface SelfTradingSet extends EventHeader {
  readonly kind: 'self_trading_set'
  readonly account: AccountId
  readonly mode: SelfMatchMode
  readonly extended: boolean
}

/** The book of an instrument changed its state. */
export interface InstrumentStateChanged extends EventHeader {
  readonly kind: 'instrument_state_changed'
  readonly instrument: InstrumentId
  readonly state: InstrumentState
}

/** An instrument was listed. */
export interface InstrumentListed extends EventHeader {
  readonly kind: 'instrument_listed'
  readonly instrument: Instrument
}

/** Money came from or went to the outside. */
export interface CashPosted extends EventHeader {
  readonly kind: 'cash_posted'
  readonly account: AccountId
  readonly currency: Currency
  readonly change: Amount
  readonly balance: Amount
}

/** A position was given at the start of a scenario. */
export interface PositionGiven extends EventHeader {
  readonly kind: 'position_given'
  readonly account: AccountId
  readonly instrument: InstrumentId
  readonly change: Lots
  readonly price: Price9
  /** Profit realized where it reduces a position, in the settlement currency, 1e-9. */
  readonly realized: Amount
  readonly position: Lots
}

/** A price index has a new value. */
export interface IndexChanged extends EventHeader {
  readonly kind: 'index_changed'
  readonly index: string
  readonly price: Price9
}

/**
 * Where a mark price came from.
 * - `index`: it is the index, as of spot pairs, or of every instrument where a run asks for that.
 * - `fair`: index and premium, as the venue computes it (market.md 3.2).
 * - `delivery`: of an expiring future in the last half hour, drawn to its delivery price.
 * - `legs`: of a future spread, the sum of its legs.
 * - `set`: pinned by a control.
 * - `feed`: recorded.
 */
export type MarkSource = 'index' | 'set' | 'fair' | 'delivery' | 'feed' | 'legs'

/** A mark price has a new value. */
export interface MarkChanged extends EventHeader {
  readonly kind: 'mark_changed'
  readonly instrument: InstrumentId
  readonly price: Price9
  readonly index: Price9
  readonly source: MarkSource
}

/**
 * The funding rate of a perpetual has a new value, from this time on. Until now its accumulator ran at
 * the rate before (market.md 3.3, 3.4).
 */
export interface FundingRateChanged extends EventHeader {
  readonly kind: 'funding_rate_changed'
  readonly instrument: InstrumentId
  /** Rate for 8 hours in 1e-8; positive: longs pay. */
  readonly rate8: number
  /** Sum of all funding since listing: 1e-24 coin for each USD, or 1e-18 quote for each coin. */
  readonly accumulated: bigint
  readonly mark: Price9
  readonly index: Price9
}

/**
 * Funding of a position since it was last touched entered the profit of its session: before a fill
 * changes it, and at a settlement. `funding` = - position * (to - from), rounded once.
 */
export interface FundingAccrued extends EventHeader {
  readonly kind: 'funding_accrued'
  readonly account: AccountId
  readonly instrument: InstrumentId
  /** Signed position it was held for. */
  readonly position: Lots
  /** The accumulator of the perpetual when the position was last touched, and now. */
  readonly from: bigint
  readonly to: bigint
  /** Received, negative: paid; in the settlement currency, 1e-9. */
  readonly funding: Amount
}

/** The average of an index over the half hour before 08:00, at which everything of that expiry is delivered. */
export interface DeliveryPriceFixed extends EventHeader {
  readonly kind: 'delivery_price_fixed'
  readonly index: string
  readonly price: Price9
  /** How many values it is the average of: 450, or fewer where the index was not known all the time. */
  readonly samples: number
}

/**
 * One holder's part of a settlement or delivery: the profit of the session becomes cash. `house.rounding`
 * takes the other side of `sessionProfitLoss`, so that what the holders' roundings leave stands there.
 */
export interface PositionSettled extends EventHeader {
  readonly kind: 'position_settled'
  readonly type: 'settlement' | 'delivery'
  readonly account: AccountId
  readonly instrument: InstrumentId
  readonly currency: Currency
  /** Signed position before; a settlement keeps it, a delivery ends it. */
  readonly position: Lots
  readonly index: Price9
  /** Mark price, or the delivery price. */
  readonly mark: Price9
  /** Realized since the last settlement, funding included. */
  readonly profitLoss: Amount
  /** Realized and unrealized since the last settlement: what is added to cash, before the fee. */
  readonly sessionProfitLoss: Amount
  /** Funding of the session: received, negative: paid. */
  readonly funding: Amount
  /** Delivery fee paid. */
  readonly fee: Amount
  /** Cash after it. */
  readonly balance: Amount
}

/** An instrument was settled or delivered; follows its `position_settled`. Sums are over all holders. */
export interface InstrumentSettled extends EventHeader {
  readonly kind: 'instrument_settled'
  readonly type: 'settlement' | 'delivery'
  readonly instrument: InstrumentId
  readonly currency: Currency
  readonly index: Price9
  /** Mark price, or the delivery price. */
  readonly mark: Price9
  /** Open interest before: the sum of long positions (R40). */
  readonly position: Lots
  readonly profitLoss: Amount
  readonly sessionProfitLoss: Amount
  /** What longs paid this session; 0 but for perpetuals. */
  readonly funding: Amount
}

/** An account was bankrupt after a settlement: the fund paid its debt, its balance is 0. */
export interface AccountBankrupt extends EventHeader {
  readonly kind: 'account_bankrupt'
  readonly account: AccountId
  readonly currency: Currency
  readonly loss: Amount
  /** Session profit of this settlement that led there. */
  readonly sessionProfitLoss: Amount
}

/** A winner of the day paid a part of the loss that the fund could not bear. */
export interface LossShared extends EventHeader {
  readonly kind: 'loss_shared'
  readonly account: AccountId
  readonly currency: Currency
  /** Session profit of this settlement. */
  readonly sessionProfitLoss: Amount
  readonly tax: Amount
  readonly balance: Amount
}

/** A bankruptcy of one settlement currency as a whole; follows its parts (market.md 3.7). */
export interface BankruptcySettled extends EventHeader {
  readonly kind: 'bankruptcy_settled'
  readonly currency: Currency
  /** All debts. */
  readonly loss: Amount
  /** What the fund paid of them. */
  readonly funded: Amount
  /** The rest, which winners share. */
  readonly socialized: Amount
  /** What they paid: `socialized`, unless the profit of the day was less. */
  readonly tax: Amount
  /** Part of each winner's profit in 1e-9. */
  readonly taxRate9: number
  /** Sum of all winners' session profit. */
  readonly sessionProfitLoss: Amount
  /** The fund after it. */
  readonly fund: Amount
}

/** Everything the exchange does. */
export type Event =
  | OrderChanged
  | Trade
  | Print
  | LevelChanged
  | RequestRefused
  | RequestDone
  | AccountOpened
  | SelfTradingSet
  | InstrumentStateChanged
  | InstrumentListed
  | CashPosted
  | PositionGiven
  | IndexChanged
  | MarkChanged
  | FundingRateChanged
  | FundingAccrued
  | DeliveryPriceFixed
  | PositionSettled
  | InstrumentSettled
  | AccountBankrupt
  | LossShared
  | BankruptcySettled

/** An event of one kind. */
export type EventOf<K extends Event['kind']> = Extract<Event, { readonly kind: K }>

/**
 * Where events go. A sink is called once for each event, in order, inside the command, and never
 * calls back into the engine. Events are immutable, so a sink may keep one; sinks of long runs copy
 * out what they need instead.
 */
export interface EventSink {
  emit(event: Event): void
}
