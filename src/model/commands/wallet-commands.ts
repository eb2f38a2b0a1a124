/**
 * Commands of wallets. Source: sessions-blocks-gateways.md 6.2-6.4.
 */
import type { AccountId, Amount } from '../../core/index.ts'
import type { Currency } from '../words/currencies.ts'
import type {
  AddressStatus,
  AddressType,
  PaymentState,
  PaymentType,
  WalletType,
  WithdrawalPriority,
} from '../words/wallet.ts'
import type { CommandHeader } from './header.ts'

/** Facts about an address as its owner stated them. */
export interface AddressDetails {
  readonly label: string
  readonly vaspName: string
  readonly vaspDid: string
  readonly vaspWebsite: string | null
  readonly firstName: string | null
  readonly lastName: string | null
  readonly companyName: string | null
  readonly beneficiaryAddress: string
  readonly agreed: boolean
  readonly personal: boolean
}

/** Selects entries of an address book (S166, R74). */
export interface AddressChoice {
  readonly currency: Currency | 'all'
  readonly type: AddressType
  readonly address: string | null
  /** Name of a network and a tag; null matches any. Wallets at the venue itself have neither. */
  readonly network: string | null
  readonly tag: string | null
  /** Id of an entry for a third-party wallet. */
  readonly id: string | null
}

/**
 * Adds an address to the address book of the account that sends the command. Events: `address` added of each currency.
 */
export interface AddAddress extends CommandHeader {
  readonly kind: 'add_address'
  readonly currency: Currency | 'all'
  readonly type: AddressType
  readonly address: string
  readonly network: string | null
  readonly tag: string | null
  readonly details: AddressDetails
  /** Other currencies of the new entries; null adds an address of an Ethereum token for all tokens. */
  readonly also: readonly Currency[] | null
}

/** Changes the stated facts about an address. Events: `address` updated. */
export interface UpdateAddress extends CommandHeader {
  readonly kind: 'update_address'
  readonly choice: AddressChoice
  readonly details: AddressDetails
}

/**
 * Removes entries from the address book. Events: `address` removed of each. The `count` of `request` is their number.
 */
export interface RemoveAddress extends CommandHeader {
  readonly kind: 'remove_address'
  readonly choice: AddressChoice
}

/** Changes the state of an entry. Events: `address` status. */
export interface SetAddress extends CommandHeader {
  readonly kind: 'set_address'
  readonly target: AccountId
  readonly choice: AddressChoice
  /** Null keeps the state. */
  readonly status: AddressStatus | null
  /** True if withdrawals to the address need a confirmation; null keeps the setting. */
  readonly needsConfirmation: boolean | null
}

/** Sets the kind of wallet of an account. It has no event except `request`. */
export interface SetWallet extends CommandHeader {
  readonly kind: 'set_wallet'
  readonly target: AccountId
  readonly wallet: WalletType
}

/** Creates a new deposit address for the account that sends the command. Events: `address` added. */
export interface CreateDepositAddress extends CommandHeader {
  readonly kind: 'create_deposit_address'
  readonly currency: Currency
}

/** Announces a deposit from outside that is not yet complete. Events: `payment` pending. */
export interface ReceiveDeposit extends CommandHeader {
  readonly kind: 'receive_deposit'
  readonly target: AccountId
  readonly currency: Currency
  readonly amount: Amount
  readonly source: string | null
  readonly transaction: string | null
  readonly note: string | null
}

/**
 * Requests a withdrawal. Events: `payment` unconfirmed; if the address needs no confirmation, also the events of its
 * confirmation.
 */
export interface Withdraw extends CommandHeader {
  readonly kind: 'withdraw'
  readonly currency: Currency
  readonly address: string
  readonly network: string | null
  readonly tag: string | null
  readonly amount: Amount
  readonly priority: WithdrawalPriority
  readonly nonce: string | null
}

/**
 * Requests a transfer to another user. Events: `payment` prepared, and those of its confirmation unless transfers are
 * held.
 */
export interface SubmitTransfer extends CommandHeader {
  readonly kind: 'submit_transfer'
  readonly currency: Currency
  /** An address of the address book. */
  readonly destination: string
  readonly amount: Amount
  readonly nonce: string | null
}

/**
 * Cancels a withdrawal or a transfer of the account that sends the command. Events: `payment` cancelled, and `cash` if
 * money returns to the account.
 */
export interface CancelPayment extends CommandHeader {
  readonly kind: 'cancel_payment'
  readonly type: 'withdrawal' | 'transfer'
  readonly currency: Currency
  readonly payment: number
}

/**
 * Changes the state of a payment. Events: `payment`, after `cash` or `transfer` if money moves. If the account lacks
 * the money when a withdrawal or transfer is confirmed, the payment is rejected instead.
 */
export interface MovePayment extends CommandHeader {
  readonly kind: 'move_payment'
  readonly type: PaymentType
  readonly payment: number
  readonly state: PaymentState
}

/**
 * Holds transfers to other users until a control releases them, or lets them complete immediately. It has no event
 * except `request`.
 */
export interface HoldTransfers extends CommandHeader {
  readonly kind: 'hold_transfers'
  readonly held: boolean
}

/** Commands of wallets. */
export type WalletCommand =
  | AddAddress
  | UpdateAddress
  | RemoveAddress
  | SetAddress
  | SetWallet
  | CreateDepositAddress
  | ReceiveDeposit
  | Withdraw
  | SubmitTransfer
  | CancelPayment
  | MovePayment
  | HoldTransfers

/** The codes of these commands, as in `commandCodes`. */
export const walletCodes = {
  add_address: 38,
  update_address: 39,
  remove_address: 40,
  set_address: 41,
  set_wallet: 42,
  create_deposit_address: 43,
  receive_deposit: 44,
  withdraw: 45,
  submit_transfer: 46,
  cancel_payment: 47,
  move_payment: 48,
  hold_transfers: 49,
} as const satisfies { readonly [Kind in WalletCommand['kind']]: number }
