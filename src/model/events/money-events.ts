/**
 * Families of the venue's money: reference prices, funding, settlement, delivery and bankruptcy
 * (market.md 3).
 */
import { plainUnit, units, wordUnit } from '../../core/index.ts'
import { type InstrumentSettlementType, settlementTypes } from '../words/accounts.ts'
import { markSources } from '../words/trades.ts'
import * as eventUnits from './event-units.ts'
import { type ColumnsRow, partOrNull } from './family.ts'

const settlementType = plainUnit<InstrumentSettlementType>('type of settlement', settlementTypes)

const optionColumns = {
  volatility9: units.volatility9,
  /** Forward price of its expiry. */
  forward: units.price9,
}

/** Families of the venue's money. */
export const moneyFamilies = {
  /** A price index has a new value. */
  index: {
    index: units.text,
    price: units.price9,
  },
  /** A mark price has a new value. */
  mark: {
    instrument: units.instrumentId,
    price: units.price9,
    index: units.price9,
    source: wordUnit('source of a mark', markSources),
    /** Null but for options. */
    option: partOrNull(optionColumns),
  },
  /**
   * The funding rate of a perpetual has a new value, from this time on. Until now its accumulator ran at
   * the rate before (market.md 3.3, 3.4).
   */
  funding_rate: {
    instrument: units.instrumentId,
    /** Rate for 8 hours in 1e-8; positive: longs pay. */
    rate8: units.rate8,
    /** Sum of all funding since listing: 1e-24 coin for each USD, or 1e-18 quote for each coin. */
    accumulated: units.accumulator,
    mark: units.price9,
    index: units.price9,
  },
  /**
   * Funding of a position since it was last touched entered the profit of its session: before a fill
   * changes it, and at a settlement. `funding` = - position * (to - from), rounded once.
   */
  funding: {
    account: units.accountId,
    instrument: units.instrumentId,
    /** Signed position it was held for. */
    position: units.lots,
    /** The accumulator of the perpetual when the position was last touched, and now. */
    from: units.accumulator,
    to: units.accumulator,
    /** Received, negative: paid; in the settlement currency. */
    funding: units.money,
  },
  /** The average of an index over the half hour before 08:00, at which everything of that expiry is delivered. */
  delivery_price: {
    index: units.text,
    price: units.price9,
    /** How many values it is the average of: 450, or fewer where the index was not known all the time. */
    samples: units.count,
  },
  /**
   * One holder's part of a settlement or delivery: the profit of the session becomes cash. `house.rounding`
   * takes the other side of `sessionProfitLoss`, so that what the holders' roundings leave stands there.
   */
  settlement: {
    type: settlementType,
    account: units.accountId,
    instrument: units.instrumentId,
    currency: eventUnits.currency,
    /** Signed position before; a settlement keeps it, a delivery ends it. */
    position: units.lots,
    index: units.price9,
    /** Mark price, or the delivery price. */
    mark: units.price9,
    /** Realized since the last settlement, funding included. */
    profitLoss: units.money,
    /** Change of cash, before the fee: realized and unrealized since the last settlement; of an option its value. */
    sessionProfitLoss: units.money,
    /** Funding of the session: received, negative: paid. */
    funding: units.money,
    /** Delivery fee paid. */
    fee: units.money,
    /** Cash after it. */
    balance: units.money,
  },
  /** An instrument was settled or delivered; follows the settlements of its holders. Sums are over all of them. */
  instrument_settlement: {
    type: settlementType,
    instrument: units.instrumentId,
    currency: eventUnits.currency,
    index: units.price9,
    /** Mark price, or the delivery price. */
    mark: units.price9,
    /** Open interest before: the sum of long positions (R40). */
    position: units.lots,
    profitLoss: units.money,
    sessionProfitLoss: units.money,
    /** Funding that longs paid this session; 0 but for perpetuals. */
    funding: units.money,
  },
  /** An account was bankrupt after a settlement: the fund paid its debt. */
  bankruptcy: {
    account: units.accountId,
    currency: eventUnits.currency,
    loss: units.money,
    /** Session profit of this settlement that led there. */
    sessionProfitLoss: units.money,
    /** Cash after it, which is 0. */
    balance: units.money,
  },
  /** A winner of the day paid a part of the loss that the fund could not bear. */
  shared_loss: {
    account: units.accountId,
    currency: eventUnits.currency,
    /** Session profit of this settlement. */
    sessionProfitLoss: units.money,
    tax: units.money,
    balance: units.money,
  },
  /** The bankruptcies of one settlement currency as a whole; follows its parts (market.md 3.7). */
  currency_bankruptcy: {
    currency: eventUnits.currency,
    /** All debts. */
    loss: units.money,
    /** Part that the fund paid. */
    funded: units.money,
    /** The rest, which winners share. */
    socialized: units.money,
    /** Tax that they paid: `socialized`, unless the profit of the day was less. */
    tax: units.money,
    /** Part of each winner's profit. */
    taxRate9: units.nano,
    /** Sum of all winners' session profit. */
    sessionProfitLoss: units.money,
    /** The fund after it. */
    fund: units.money,
  },
}

/** Codes of their records in the log. */
export const moneyCodes = {
  index: 11,
  mark: 12,
  funding_rate: 13,
  funding: 14,
  delivery_price: 15,
  settlement: 16,
  instrument_settlement: 17,
  bankruptcy: 18,
  shared_loss: 19,
  currency_bankruptcy: 20,
} as const satisfies { readonly [Family in keyof typeof moneyFamilies]: number }

/** Volatility and forward that the mark of an option was computed from. */
export interface OptionMark extends ColumnsRow<typeof optionColumns> {}
