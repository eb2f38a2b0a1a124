/**
 * Families of the venue's money: reference prices, funding, settlement, delivery and bankruptcy
 * (market.md 3).
 */
import { plainUnit, units } from '../../core/index.ts'
import type { SettlementType } from '../words/accounts.ts'
import type { MarkSource } from '../words/trades.ts'
import * as eventUnits from './event-units.ts'
import { type ColumnsRow, type FamilyRow, partOrNull, told } from './family.ts'

const settlementType = plainUnit<Exclude<SettlementType, 'bankruptcy'>>('type of settlement')

const optionColumns = {
  volatility9: told(units.volatility9),
  /** Forward price of its expiry. */
  forward: told(units.price9),
}

/** Families of the venue's money. */
export const moneyFamilies = {
  /** A price index has a new value. */
  index: {
    index: told(units.text),
    price: told(units.price9),
  },
  /** A mark price has a new value. */
  mark: {
    instrument: told(units.instrumentId),
    price: told(units.price9),
    index: told(units.price9),
    source: told(plainUnit<MarkSource>('source of a mark')),
    /** Null but for options. */
    option: partOrNull(optionColumns),
  },
  /**
   * The funding rate of a perpetual has a new value, from this time on. Until now its accumulator ran at
   * the rate before (market.md 3.3, 3.4).
   */
  funding_rate: {
    instrument: told(units.instrumentId),
    /** Rate for 8 hours in 1e-8; positive: longs pay. */
    rate8: told(units.rate8),
    /** Sum of all funding since listing: 1e-24 coin for each USD, or 1e-18 quote for each coin. */
    accumulated: told(units.accumulator),
    mark: told(units.price9),
    index: told(units.price9),
  },
  /**
   * Funding of a position since it was last touched entered the profit of its session: before a fill
   * changes it, and at a settlement. `funding` = - position * (to - from), rounded once.
   */
  funding: {
    account: told(units.accountId),
    instrument: told(units.instrumentId),
    /** Signed position it was held for. */
    position: told(units.lots),
    /** The accumulator of the perpetual when the position was last touched, and now. */
    from: told(units.accumulator),
    to: told(units.accumulator),
    /** Received, negative: paid; in the settlement currency. */
    funding: told(units.money),
  },
  /** The average of an index over the half hour before 08:00, at which everything of that expiry is delivered. */
  delivery_price: {
    index: told(units.text),
    price: told(units.price9),
    /** How many values it is the average of: 450, or fewer where the index was not known all the time. */
    samples: told(units.count),
  },
  /**
   * One holder's part of a settlement or delivery: the profit of the session becomes cash. `house.rounding`
   * takes the other side of `sessionProfitLoss`, so that what the holders' roundings leave stands there.
   */
  settlement: {
    type: told(settlementType),
    account: told(units.accountId),
    instrument: told(units.instrumentId),
    currency: told(eventUnits.currency),
    /** Signed position before; a settlement keeps it, a delivery ends it. */
    position: told(units.lots),
    index: told(units.price9),
    /** Mark price, or the delivery price. */
    mark: told(units.price9),
    /** Realized since the last settlement, funding included. */
    profitLoss: told(units.money),
    /**
     * What is added to cash, before the fee: realized and unrealized since the last settlement; of an option
     * its value.
     */
    sessionProfitLoss: told(units.money),
    /** Funding of the session: received, negative: paid. */
    funding: told(units.money),
    /** Delivery fee paid. */
    fee: told(units.money),
    /** Cash after it. */
    balance: told(units.money),
  },
  /** An instrument was settled or delivered; follows the settlements of its holders. Sums are over all of them. */
  instrument_settlement: {
    type: told(settlementType),
    instrument: told(units.instrumentId),
    currency: told(eventUnits.currency),
    index: told(units.price9),
    /** Mark price, or the delivery price. */
    mark: told(units.price9),
    /** Open interest before: the sum of long positions (R40). */
    position: told(units.lots),
    profitLoss: told(units.money),
    sessionProfitLoss: told(units.money),
    /** What longs paid this session; 0 but for perpetuals. */
    funding: told(units.money),
  },
  /** An account was bankrupt after a settlement: the fund paid its debt. */
  bankruptcy: {
    account: told(units.accountId),
    currency: told(eventUnits.currency),
    loss: told(units.money),
    /** Session profit of this settlement that led there. */
    sessionProfitLoss: told(units.money),
    /** Cash after it, which is 0. */
    balance: told(units.money),
  },
  /** A winner of the day paid a part of the loss that the fund could not bear. */
  shared_loss: {
    account: told(units.accountId),
    currency: told(eventUnits.currency),
    /** Session profit of this settlement. */
    sessionProfitLoss: told(units.money),
    tax: told(units.money),
    balance: told(units.money),
  },
  /** The bankruptcies of one settlement currency as a whole; follows its parts (market.md 3.7). */
  currency_bankruptcy: {
    currency: told(eventUnits.currency),
    /** All debts. */
    loss: told(units.money),
    /** What the fund paid of them. */
    funded: told(units.money),
    /** The rest, which winners share. */
    socialized: told(units.money),
    /** What they paid: `socialized`, unless the profit of the day was less. */
    tax: told(units.money),
    /** Part of each winner's profit. */
    taxRate9: told(units.nano),
    /** Sum of all winners' session profit. */
    sessionProfitLoss: told(units.money),
    /** The fund after it. */
    fund: told(units.money),
  },
}

type Row<K extends keyof typeof moneyFamilies> = FamilyRow<K, (typeof moneyFamilies)[K]>

/** What the mark of an option was computed from. */
export interface OptionMark extends ColumnsRow<typeof optionColumns> {}

/** A price index has a new value. */
export interface IndexChanged extends Row<'index'> {}

/** A mark price has a new value. */
export interface MarkChanged extends Row<'mark'> {}

/** The funding rate of a perpetual has a new value, from this time on. */
export interface FundingRateChanged extends Row<'funding_rate'> {}

/** Funding of a position since it was last touched entered the profit of its session. */
export interface FundingAccrued extends Row<'funding'> {}

/** The price at which everything of an expiry is delivered. */
export interface DeliveryPriceFixed extends Row<'delivery_price'> {}

/** One holder's part of a settlement or delivery. */
export interface PositionSettled extends Row<'settlement'> {}

/** An instrument was settled or delivered. */
export interface InstrumentSettled extends Row<'instrument_settlement'> {}

/** An account was bankrupt after a settlement. */
export interface AccountBankrupt extends Row<'bankruptcy'> {}

/** A winner of the day paid a part of the loss that the fund could not bear. */
export interface LossShared extends Row<'shared_loss'> {}

/** The bankruptcies of one settlement currency as a whole. */
export interface BankruptcySettled extends Row<'currency_bankruptcy'> {}
