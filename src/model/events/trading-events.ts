/**
 * Events of orders and trades, and of what can be seen in a book.
 */
import type {
  AccountId,
  Amount,
  InstrumentId,
  Lots,
  Micros,
  OrderId,
  Price9,
  TradeId,
} from '../../core/index.ts'
import type { FeedRow } from '../market-message.ts'
import type { AdvancedTerms, OrderLinks, Trigger } from '../order.ts'
import type { OrderExtras } from '../protection/order-extras.ts'
import type { Currency } from '../words/currencies.ts'
import type {
  OrderChange,
  OrderReason,
  OrderState,
  OrderType,
  PostOnly,
  Side,
  TimeInForce,
} from '../words/orders.ts'
import type { FillRule, TickDirection, TradeLiquidation, TradeSide } from '../words/trades.ts'
import type { EventHeader } from './event-header.ts'

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
  readonly kind: `order_${OrderChange}`
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
  /** Null but for advanced orders of options; `price` is what they stand at. */
  readonly advanced: AdvancedTerms | null
  /** Whether the engine changed it last, by a new price of an advanced order. */
  readonly autoReplaced: boolean
  /** Whether a liquidation placed it. */
  readonly liquidation: boolean
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
  /** The session that it came over; 0 for none. */
  readonly session: number
  /** Protection of a market maker, identifiers of a quote, terms of direct access; null for most. */
  readonly extras: OrderExtras | null
  /** On `order_triggered`, what it became; else `NO_ORDER`. */
  readonly successor: OrderId
  /** Why it was cancelled, resized or rejected; null on every other change. */
  readonly reason: OrderReason | null
}

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
  /** What of the fee the insurance fund receives: the surcharge of a liquidation. */
  readonly fundFee: Amount
  /** Realized profit of this fill in the settlement currency, 1e-9; 0 for spot. */
  readonly realized: Amount
  /** Of an option: received for it, negative: paid, in the settlement currency; else 0. */
  readonly premium: Amount
  /** Signed position of the account after the fill; 0 for spot. */
  readonly position: Lots
  /** What is left of the order. */
  readonly remaining: Lots
}

/** What a trade of an option says about its price. */
export interface OptionTrade {
  /** Implied volatility of the price in 1e-9; 0 where there is none (market.md 7). */
  readonly volatility9: number
  /** Forward price of its expiry, which that was found with. */
  readonly forward: Price9
}

/** A leg of a combo trade, which is a trade of its own and follows it. */
export interface TradeLeg {
  readonly trade: TradeId
  readonly tradeSeq: number
  readonly instrument: InstrumentId
  readonly price: Price9
  readonly amount: Lots
  /** The taker's side. */
  readonly side: Side
}

/** A trade as everybody sees it: a match of this venue, or a trade of a recorded feed. */
export interface TapeTrade extends EventHeader {
  readonly trade: TradeId
  /** Sequence within the instrument, from 1 without gaps. */
  readonly tradeSeq: number
  readonly instrument: InstrumentId
  readonly price: Price9
  readonly amount: Lots
  /** The taker's side; a feed may not tell it. */
  readonly side: TradeSide
  /** The position of its word in `tickDirections`. */
  readonly tickDirection: TickDirection
  /** Counts matches of the alternative engine from 1; 0 for those of the main one (S048). */
  readonly altMatch: number
  readonly index: Price9
  readonly mark: Price9
  readonly liquidation: TradeLiquidation
  /** Null but for options, and while the forward is unknown. */
  readonly option: OptionTrade | null
  /** Of a leg: the combo and its trade. */
  readonly combo: { readonly instrument: InstrumentId; readonly trade: TradeId } | null
  /** Of a combo. */
  readonly legs: readonly TradeLeg[]
}

/**
 * One match of a taker with one resting order. The trade of a combo moves no money; its legs do, which
 * follow it, one trade each.
 */
export interface Trade extends TapeTrade {
  readonly kind: 'trade'
  readonly side: Side
  readonly maker: Fill
  readonly taker: Fill
}

/**
 * A trade of a recorded feed, after the fills that it gave. A desk keeps it for public queries, and results
 * see it only where a run asks for it. `number` is that of the event before it.
 *
 * Assumed: what a print filled of the run's orders is a trade of its own and a part of that print, so that
 * `amount` is what they left of it; a print of which they left nothing is no event. All trades of the print
 * add up to its size.
 */
export interface Print extends TapeTrade {
  readonly kind: 'print'
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
