/**
 * Families of wallets. There is one row for each change of an address and of a payment, so that the table `wallet`
 * shows every start, end and timeout with its reason. No event contains facts about beneficiaries.
 *
 * Source: sessions-blocks-gateways.md 6.2-6.4.
 */
import { micros, units, wordUnit } from '../../core/index.ts'
import {
  addressChanges,
  addressSorts,
  addressStatuses,
  paymentStates,
  paymentTypes,
  walletReasons,
  withdrawalPriorities,
} from '../words/wallet.ts'
import * as eventUnits from './event-units.ts'
import { columnOrNull, noMoney, unless } from './family.ts'

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
