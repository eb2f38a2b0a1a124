/**
 * Rows of wallets: entries of address books, addresses for deposits, and payments that have not ended. What has ended
 * is told by histories.
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
  /** Until when it waits, or waited; null where it never did. */
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

/** An address for deposits of an account. */
export interface DepositAddressRow extends RowOf<typeof depositAddressFields> {}

export const paymentFields = {
  type: fixed(wordUnit('sort of a payment', paymentTypes)),
  /** Its number among those of its sort. */
  payment: fixed(units.count),
  account: fixed(units.row),
  /** The receiver of a transfer; -1 of other payments. */
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
  /** Ends the time that it may be in its state; null where it may be so for ever. */
  timer: changing(orNull(units.timerId)),
}

/** A payment that has not ended. */
export interface PaymentRow extends RowOf<typeof paymentFields> {}

export const walletStateFields = {
  /** Accounts with a wallet that a third party keeps. */
  thirdParty: fixed(setOf(units.row)),
  /** True if transfers to other users wait, false if not, as a control said; null for the settings. */
  held: changing(orNull(units.flag)),
  /** The house account in which money of withdrawals waits; -1 before there is any. */
  transit: changing(units.row),
  entryCount: changing(units.count),
  depositCount: changing(units.count),
  withdrawalCount: changing(units.count),
  /** Entries of all address books by number. */
  entries: fixed(mapOf(units.count, rowUnit('address', addressFields))),
  /** In the order in which they were made. */
  depositAddresses: fixed(listOf(rowUnit('address for deposits', depositAddressFields))),
  /** Payments by `paymentKey`. */
  payments: fixed(mapOf(units.text, rowUnit('payment', paymentFields))),
}

/** Wallets of an exchange. */
export interface WalletState extends RowOf<typeof walletStateFields> {}

export const walletStateUnit = rowUnit('wallets', walletStateFields)

/** Nothing yet. */
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

/** True if nothing ever happened to a wallet: such a state is in no snapshot and in no hash. */
export function isWalletFree(wallets: WalletState): boolean {
  const { thirdParty, held, transit, entryCount, depositCount, withdrawalCount } = wallets
  const { depositAddresses, payments } = wallets
  return (
    thirdParty.size === 0 &&
    held === null &&
    transit < 0 &&
    entryCount + depositCount + withdrawalCount === 0 &&
    depositAddresses.length === 0 &&
    payments.size === 0
  )
}

/** The place of a payment among all. */
export function paymentKey(type: PaymentRow['type'], payment: number): string {
  return `${type} ${payment}`
}
