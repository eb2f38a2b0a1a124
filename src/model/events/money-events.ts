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
    /** Null except for options. */
    option: partOrNull(optionColumns),
  },
  /**
   * The funding rate of a perpetual has a new value, valid from this time on. Until this time its accumulator ran at
   * the previous rate (market.md 3.3, 3.4).
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
   * Funding since the last change of a position entered the profit of its session, before a fill changes the position
   * and at a settlement. `funding` = - position * (to - from), rounded once.
   */
  funding: {
    account: units.accountId,
    instrument: units.instrumentId,
    /** Signed position that accrued the funding. */
    position: units.lots,
    /** The accumulator of the perpetual at the last change of the position, and now. */
    from: units.accumulator,
    to: units.accumulator,
    /** In the settlement currency; positive if received, negative if paid. */
    funding: units.money,
  },
  /** The delivery price of all instruments of an expiry: the average of the index over the half hour before 08:00. */
  delivery_price: {
    index: units.text,
    price: units.price9,
    /** Number of values in the average: 450, or fewer if the index was unknown for a part of the time. */
    samples: units.count,
  },
  /**
   * One holder's part of a settlement or delivery: the profit of the session becomes cash. `house.rounding` takes the
   * other side of `sessionProfitLoss` and so keeps the residue of the holders' roundings.
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
    /**
     * Change of cash, before the fee: realized and unrealized profit since the last settlement; for an option its
     * value.
     */
    sessionProfitLoss: units.money,
    /** Funding of the session; positive if received, negative if paid. */
    funding: units.money,
    /** Delivery fee paid. */
    fee: units.money,
    /** Cash after the settlement. */
    balance: units.money,
  },
  /**
   * An instrument was settled or delivered. The event follows the settlements of its holders and contains their sums.
   */
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
    /** Funding that longs paid this session; 0 except for perpetuals. */
    funding: units.money,
  },
  /** An account was bankrupt after a settlement, and the insurance fund paid its debt. */
  bankruptcy: {
    account: units.accountId,
    currency: eventUnits.currency,
    loss: units.money,
    /** Session profit of the settlement that caused the bankruptcy. */
    sessionProfitLoss: units.money,
    /** Cash after the payment, which is 0. */
    balance: units.money,
  },
  /** An account with a profit in this session paid a share of a loss that the insurance fund did not cover. */
  shared_loss: {
    account: units.accountId,
    currency: eventUnits.currency,
    /** Session profit of this settlement. */
    sessionProfitLoss: units.money,
    tax: units.money,
    balance: units.money,
  },
  /**
   * The sum of all bankruptcies in one settlement currency. It follows the events of the single accounts (market.md
   * 3.7).
   */
  currency_bankruptcy: {
    currency: eventUnits.currency,
    /** Sum of all debts. */
    loss: units.money,
    /** Part that the insurance fund paid. */
    funded: units.money,
    /** The rest, which accounts with a profit share. */
    socialized: units.money,
    /** Tax that these accounts paid: `socialized`, unless their profit of the session was less. */
    tax: units.money,
    /** Tax as a share of each account's profit. */
    taxRate9: units.nano,
    /** Sum of the session profits of all taxed accounts. */
    sessionProfitLoss: units.money,
    /** The insurance fund afterwards. */
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
