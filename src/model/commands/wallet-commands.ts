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

/** Facts about an address that its owner tells. */
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

/** How a request names entries of an address book (S166, R74). */
export interface AddressChoice {
  readonly currency: Currency | 'all'
  readonly type: AddressType
  readonly address: string | null
  /** Names of a network and a tag; null leaves them open. Wallets of the venue's own have neither. */
  readonly network: string | null
  readonly tag: string | null
  /** The id of an entry of a third-party wallet. */
  readonly id: string | null
}

/** Puts an address into the address book of the asker. Events: `address` added of each currency. */
export interface AddAddress extends CommandHeader {
  readonly kind: 'add_address'
  readonly currency: Currency | 'all'
  readonly type: AddressType
  readonly address: string
  readonly network: string | null
  readonly tag: string | null
  readonly details: AddressDetails
  /** Other currencies that it is added for; null adds a token of Ethereum for all tokens. */
  readonly also: readonly Currency[] | null
}

/** Changes what is told of an address. Events: `address` updated. */
export interface UpdateAddress extends CommandHeader {
  readonly kind: 'update_address'
  readonly choice: AddressChoice
  readonly details: AddressDetails
}

/** Takes entries out of the address book. Events: `address` removed of each. `request` counts them. */
export interface RemoveAddress extends CommandHeader {
  readonly kind: 'remove_address'
  readonly choice: AddressChoice
}

/** Gives an entry another state. Events: `address` status. */
export interface SetAddress extends CommandHeader {
  readonly kind: 'set_address'
  readonly target: AccountId
  readonly choice: AddressChoice
  /** Null leaves it. */
  readonly status: AddressStatus | null
  /** True if withdrawals to it have to be confirmed; null leaves it. */
  readonly needsConfirmation: boolean | null
}

/** Sets who keeps the wallet of an account. Events: none of its own. */
export interface SetWallet extends CommandHeader {
  readonly kind: 'set_wallet'
  readonly target: AccountId
  readonly wallet: WalletType
}

/** Makes a new address for deposits of the asker. Events: `address` added. */
export interface CreateDepositAddress extends CommandHeader {
  readonly kind: 'create_deposit_address'
  readonly currency: Currency
}

/** Lets a deposit come in from outside, which is not yet complete. Events: `payment` pending. */
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
 * Asks for a withdrawal. Events: `payment` unconfirmed; where the address needs no confirmation, also those of its
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

/** Asks for a transfer to another user. Events: `payment` prepared, and those of its confirmation unless it is held. */
export interface SubmitTransfer extends CommandHeader {
  readonly kind: 'submit_transfer'
  readonly currency: Currency
  /** An address of the address book. */
  readonly destination: string
  readonly amount: Amount
  readonly nonce: string | null
}

/** Takes back a withdrawal or a transfer of the asker. Events: `payment` cancelled, and `cash` where money comes back. */
export interface CancelPayment extends CommandHeader {
  readonly kind: 'cancel_payment'
  readonly type: 'withdrawal' | 'transfer'
  readonly currency: Currency
  readonly payment: number
}

/**
 * Brings a payment into another state. Events: `payment`, after `cash` or `transfer` where money moves. A withdrawal or
 * transfer that is confirmed without its money is rejected instead.
 */
export interface MovePayment extends CommandHeader {
  readonly kind: 'move_payment'
  readonly type: PaymentType
  readonly payment: number
  readonly state: PaymentState
}

/** Lets transfers to other users wait for a control, or go on at once. Events: none of its own. */
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

/** Their codes, as in `commandCodes`. */
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
