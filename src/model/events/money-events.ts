/**
 * Families of the venue's money: reference prices, funding, settlement, delivery and bankruptcy
 * (market.md 3).
 */

import { micros, plainUnit, units, wordUnit } from '../../core/index.ts'
import { type InstrumentSettlementType, settlementTypes } from '../words/accounts.ts'
import { markSources } from '../words/trades.ts'
import {
  addressChanges,
  addressSorts,
  addressStatuses,
  paymentStates,
  paymentTypes,
  walletReasons,
  withdrawalPriorities,
} from '../words/wallet.ts'
import * as eventUnits from './family.ts'
import { type ColumnsRow, columnOrNull, noMoney, partOrNull, unless } from './family.ts'

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
   * Funding of a position since it was last booked entered the profit of its session, before a fill changes the
   * position and at a settlement. `funding` = - position * (to - from), rounded once.
   */
  funding: {
    account: units.accountId,
    instrument: units.instrumentId,
    /** Signed position that accrued the funding. */
    position: units.lots,
    /** The accumulator of the perpetual at the last booking of the position's funding, and now. */
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

/**
 * Families of wallets. There is one row for each change of an address and of a payment, so that the table `wallet`
 * shows every start, end and timeout with its reason. No event contains facts about beneficiaries.
 *
 * Source: sessions-blocks-gateways.md 6.2-6.4.
 */

const reason = wordUnit('reason of a wallet', walletReasons)

/** Families of wallets. */
export const walletFamilies = {
  /** An entry of an address book, or an address for deposits, changed. */
  address: {
    change: wordUnit('change of an address', addressChanges),
    account: units.accountId,
    currency: eventUnits.currency,
    type: wordUnit('sort of an address', addressSorts),
    /** Number among all entries, or among all deposit addresses, from 1. */
    entry: units.count,
    address: units.text,
    network: columnOrNull(units.text),
    tag: columnOrNull(units.text),
    status: wordUnit('state of an address', addressStatuses),
    /** End of its waiting time; 0 if it does not wait. */
    until: unless(micros(0), units.micros),
    reason,
  },
  /** A deposit, a withdrawal or a transfer to another user changed. The columns show the payment after the change. */
  payment: {
    type: wordUnit('sort of a payment', paymentTypes),
    /**
     * Number among the payments of its type, from 1. Transfers to users and transfers between accounts of one owner
     * share a counter.
     */
    payment: units.count,
    state: wordUnit('state of a payment', paymentStates),
    reason,
    account: units.accountId,
    /**
     * The other account: the receiver of a transfer, or the house account that holds the money of a withdrawal; -1 for
     * none.
     */
    counterparty: unless(-1, eventUnits.someAccount),
    currency: eventUnits.currency,
    amount: units.money,
    /** Fee in addition to the amount. */
    fee: unless(noMoney, units.money),
    /** Destination of the money; for a deposit, the address that received it. */
    address: units.text,
    /** Origin of a deposit. */
    source: columnOrNull(units.text),
    transaction: columnOrNull(units.text),
    priority: columnOrNull(wordUnit('priority', withdrawalPriorities)),
    nonce: columnOrNull(units.text),
    note: columnOrNull(units.text),
    created: units.micros,
    /** Time of its confirmation; 0 if it was not confirmed. */
    confirmed: unless(micros(0), units.micros),
    /** Change of the cash of `account` with this event, and the cash after it. */
    change: unless(noMoney, units.money),
    balance: units.money,
  },
}

/** Codes of their records in the log. */
export const walletCodes = {
  address: 33,
  payment: 34,
} as const satisfies { readonly [Family in keyof typeof walletFamilies]: number }
