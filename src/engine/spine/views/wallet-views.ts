/** Read-only views of wallets: address books and deposit addresses. Source: sessions-blocks-gateways.md 6.2, 6.4. */
import type { AccountId, Micros } from '../../../core/index.ts'
import type { AddressDetails, AddressStatus, AddressType, Currency, WalletType } from '../../../model/index.ts'
import { depositAddressOf, walletTypeOf } from '../../requests/index.ts'
import type { Exchange } from '../../state/index.ts'

/** An entry of an address book. */
export interface AddressView {
  /** Its number among all entries, from 1. */
  readonly entry: number
  readonly id: string
  readonly currency: Currency
  readonly type: AddressType
  readonly address: string
  readonly network: string | null
  readonly tag: string | null
  readonly createdAt: Micros
  readonly details: AddressDetails
  readonly status: AddressStatus
  /** End of its waiting time, also if it has passed; null if it never waited. */
  readonly waitsUntil: Micros | null
  readonly needsConfirmation: boolean
}

/** The type of an account's wallet. */
export function viewWalletType(exchange: Exchange, account: AccountId): WalletType {
  return walletTypeOf(exchange, account)
}

/** Entries of an account's address book, in the order in which they were added. */
export function viewAddresses(exchange: Exchange, account: AccountId): readonly AddressView[] {
  return [...exchange.wallets.entries.values()].filter((each) => each.account === account)
}

/** The newest deposit address of an account, and the time of its creation; undefined for none. */
export function viewDepositAddress(
  exchange: Exchange,
  account: AccountId,
  currency: Currency,
): { readonly address: string; readonly createdAt: Micros } | undefined {
  return depositAddressOf(exchange, account, currency)
}
