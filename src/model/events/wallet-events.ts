/**
 * Families of wallets: one row for each change of an address and of a payment, so that the table `wallet` tells what
 * started, ended or timed out, and why. What is known of beneficiaries stands in no event.
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
    /** Number among all entries, or among all addresses for deposits, from 1. */
    entry: units.count,
    address: units.text,
    network: columnOrNull(units.text),
    tag: columnOrNull(units.text),
    status: wordUnit('state of an address', addressStatuses),
    /** Until when it waits; 0 where it does not. */
    until: unless(micros(0), units.micros),
    reason,
  },
  /** A deposit, a withdrawal or a transfer to another user changed. The columns are the payment after it. */
  payment: {
    type: wordUnit('sort of a payment', paymentTypes),
    /** Number among those of its sort, from 1; transfers count with those between accounts of one owner. */
    payment: units.count,
    state: wordUnit('state of a payment', paymentStates),
    reason,
    account: units.accountId,
    /** The other account: of a transfer who receives it, of a withdrawal where its money waits; -1 for none. */
    counterparty: unless(-1, eventUnits.someAccount),
    currency: eventUnits.currency,
    amount: units.money,
    /** On top of the amount. */
    fee: unless(noMoney, units.money),
    /** Where the money goes; of a deposit the address that it came to. */
    address: units.text,
    /** Where a deposit came from. */
    source: columnOrNull(units.text),
    transaction: columnOrNull(units.text),
    priority: columnOrNull(wordUnit('priority', withdrawalPriorities)),
    nonce: columnOrNull(units.text),
    note: columnOrNull(units.text),
    created: units.micros,
    /** When it was confirmed; 0 where it was not. */
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
