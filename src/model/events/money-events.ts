/**
 * Events of the venue's money: reference prices, funding, settlement, delivery and bankruptcy
 * (market.md 3).
 */
import type { AccountId, Amount, InstrumentId, Lots, Price9 } from '../../core/index.ts'
import type { SettlementType } from '../words/accounts.ts'
import type { Currency } from '../words/currencies.ts'
import type { MarkSource } from '../words/trades.ts'
import type { EventHeader } from './event-header.ts'

/** A price index has a new value. */
export interface IndexChanged extends EventHeader {
  readonly kind: 'index_changed'
  readonly index: string
  readonly price: Price9
}

/** What the mark of an option was computed from. */
export interface OptionMark {
  /** Mark volatility in 1e-9. */
  readonly volatility9: number
  /** Forward price of its expiry. */
  readonly forward: Price9
}

/** A mark price has a new value. */
export interface MarkChanged extends EventHeader {
  readonly kind: 'mark_changed'
  readonly instrument: InstrumentId
  readonly price: Price9
  readonly index: Price9
  readonly source: MarkSource
  /** Null but for options. */
  readonly option: OptionMark | null
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
  readonly type: Exclude<SettlementType, 'bankruptcy'>
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
  /**
   * What is added to cash, before the fee: realized and unrealized since the last settlement; of an option its
   * value.
   */
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
  readonly type: Exclude<SettlementType, 'bankruptcy'>
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
