/**
 * Rows of wallets: entries of address books, deposit addresses, and payments that have not ended. Histories contain
 * ended payments.
 *
 * Source: sessions-blocks-gateways.md 6.2-6.4.
 */
import {
  changing,
  fixed,
  listOf,
  mapOf,
  orNull,
  plainUnit,
  type RowOf,
  rowUnit,
  setOf,
  units,
  wordUnit,
} from '../../core/index.ts'
import {
  type AddressDetails,
  addressStatuses,
  addressTypes,
  type Currency,
  currencies,
  paymentStates,
  paymentTypes,
  type WithdrawalPriority,
} from '../../model/index.ts'

const currency = wordUnit<Currency>('currency', currencies)
const noText = orNull(units.text)

export const addressFields = {
  /** Its number, from 1. */
  entry: fixed(units.count),
  /** The id that third-party wallets show. */
  id: fixed(units.text),
  account: fixed(units.row),
  currency: fixed(currency),
  type: fixed(wordUnit('sort of an address', addressTypes)),
  address: fixed(units.text),
  network: fixed(noText),
  tag: fixed(noText),
  createdAt: fixed(units.micros),
  details: changing(plainUnit<AddressDetails>('facts about an address')),
  status: changing(wordUnit('state of an address', addressStatuses)),
  /** Time until which it waits or waited; null if it never waited. */
  waitsUntil: fixed(orNull(units.micros)),
  needsConfirmation: changing(units.flag),
}

/** An entry of an address book. */
export interface AddressRow extends RowOf<typeof addressFields> {}

export const depositAddressFields = {
  /** Its number, from 1. */
  number: fixed(units.count),
  account: fixed(units.row),
  currency: fixed(currency),
  address: fixed(units.text),
  createdAt: fixed(units.micros),
}

/** A deposit address of an account. */
export interface DepositAddressRow extends RowOf<typeof depositAddressFields> {}

export const paymentFields = {
  type: fixed(wordUnit('sort of a payment', paymentTypes)),
  /** Its number among payments of its type. */
  payment: fixed(units.count),
  account: fixed(units.row),
  /** The receiver of a transfer; -1 for other payments. */
  target: fixed(units.row),
  currency: fixed(currency),
  amount: fixed(units.money),
  fee: fixed(units.money),
  address: fixed(units.text),
  source: fixed(noText),
  transaction: changing(noText),
  priority: fixed(plainUnit<WithdrawalPriority | null>('priority or null')),
  nonce: fixed(noText),
  note: fixed(noText),
  createdAt: fixed(units.micros),
  confirmedAt: changing(orNull(units.micros)),
  state: changing(wordUnit('state of a payment', paymentStates)),
  /** The timer that ends the payment's current state; null if the state has no time limit. */
  timer: changing(orNull(units.timerId)),
}

/** A payment that has not ended. */
export interface PaymentRow extends RowOf<typeof paymentFields> {}

export const walletStateFields = {
  /** Accounts with a wallet that a third party keeps. */
  thirdParty: fixed(setOf(units.row)),
  /**
   * True if a control makes transfers to other users wait, false if a control lets them pass; null if the settings
   * decide.
   */
  held: changing(orNull(units.flag)),
  /** The house account that holds the money of pending withdrawals; -1 before the first withdrawal. */
  transit: changing(units.row),
  entryCount: changing(units.count),
  depositCount: changing(units.count),
  withdrawalCount: changing(units.count),
  /** Entries of all address books by number. */
  entries: fixed(mapOf(units.count, rowUnit('address', addressFields))),
  /** In the order of creation. */
  depositAddresses: fixed(listOf(rowUnit('address for deposits', depositAddressFields))),
  /** Payments by `paymentKey`. */
  payments: fixed(mapOf(units.text, rowUnit('payment', paymentFields))),
}

/** Wallets of an exchange. */
interface WalletState extends RowOf<typeof walletStateFields> {}

export const walletStateUnit = rowUnit('wallets', walletStateFields)

/** Wallets of a new exchange. */
export function freshWallets(): WalletState {
  return {
    thirdParty: new Set(),
    held: null,
    transit: -1,
    entryCount: 0,
    depositCount: 0,
    withdrawalCount: 0,
    entries: new Map(),
    depositAddresses: [],
    payments: new Map(),
  }
}

/** True if no wallet was ever used or changed. Snapshots and hashes omit such a state. */
export function isWalletFree(wallets: WalletState): boolean {
  return (
    wallets.thirdParty.size === 0 &&
    wallets.held === null &&
    wallets.transit < 0 &&
    wallets.entryCount + wallets.depositCount + wallets.withdrawalCount === 0 &&
    wallets.depositAddresses.length === 0 &&
    wallets.payments.size === 0
  )
}

/** The map key of a payment. */
export function paymentKey(type: PaymentRow['type'], payment: number): string {
  return `${type} ${payment}`
}
