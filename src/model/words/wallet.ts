/**
 * Words of wallets: address books, deposits, withdrawals and transfers between users. The position of a word in a list
 * is its code in files: words are only ever added at the end.
 *
 * Source: sessions-blocks-gateways.md 6.2-6.4.
 */

/** Types of wallets: the venue's, or a third party's (S166). */
export const walletTypes = ['legacy', 'third_party'] as const

/** A type of wallet. */
export type WalletType = (typeof walletTypes)[number]

/** Types of addresses in an address book: of other users, for withdrawals, as sources of deposits. */
export const addressTypes = ['transfer', 'withdrawal', 'deposit_source'] as const

/** A type of address in an address book. */
export type AddressType = (typeof addressTypes)[number]

/** Types of addresses in events: those of address books, and the account's own deposit addresses. */
export const addressSorts = [...addressTypes, 'deposit'] as const

/**
 * States of an entry of an address book.
 * - `admin_locked`: the venue locked it.
 * - `waiting`: it is too new to be used.
 * - `confirmed`: it was confirmed.
 * - `ready`: it can be used.
 */
export const addressStatuses = ['admin_locked', 'waiting', 'confirmed', 'ready'] as const

/** A state of an entry of an address book. */
export type AddressStatus = (typeof addressStatuses)[number]

/** Changes of an address: added, facts changed, state changed, removed. */
export const addressChanges = ['added', 'updated', 'status', 'removed'] as const

/** A change of an address. */
export type AddressChange = (typeof addressChanges)[number]

/** Types of payments. */
export const paymentTypes = ['deposit', 'withdrawal', 'transfer'] as const

/** A type of payment: money from outside, to the outside, or to another user. */
export type PaymentType = (typeof paymentTypes)[number]

/** States of payments. The type of a payment determines its possible states. */
export const paymentStates = [
  'pending',
  'completed',
  'rejected',
  'replaced',
  'unconfirmed',
  'confirmed',
  'cancelled',
  'interrupted',
  'prepared',
  'waiting_for_admin',
  'insufficient_funds',
  'withdrawal_limit',
] as const

/** A state of a payment. */
export type PaymentState = (typeof paymentStates)[number]

/** States that a control can set, for each type of payment. */
export const controlledStates = {
  deposit: ['completed', 'rejected', 'replaced'],
  withdrawal: ['confirmed', 'completed', 'interrupted', 'rejected', 'cancelled'],
  transfer: ['confirmed', 'waiting_for_admin', 'withdrawal_limit', 'rejected', 'cancelled'],
} as const satisfies { readonly [Type in PaymentType]: readonly PaymentState[] }

const ended = [] as const

/**
 * States that can follow a state by a control or by time, for each type of payment: an empty list for final states,
 * null for states that payments of the type never have.
 */
export const followingStates: {
  readonly [Type in PaymentType]: { readonly [S in PaymentState]: readonly PaymentState[] | null }
} = {
  deposit: {
    pending: ['completed', 'rejected', 'replaced'],
    completed: ended,
    rejected: ended,
    replaced: ended,
    unconfirmed: null,
    confirmed: null,
    cancelled: null,
    interrupted: null,
    prepared: null,
    waiting_for_admin: null,
    insufficient_funds: null,
    withdrawal_limit: null,
  },
  withdrawal: {
    pending: null,
    completed: ended,
    rejected: ended,
    replaced: null,
    unconfirmed: ['confirmed', 'rejected', 'cancelled'],
    confirmed: ['completed', 'interrupted', 'rejected', 'cancelled'],
    cancelled: ended,
    interrupted: ['completed', 'confirmed', 'rejected', 'cancelled'],
    prepared: null,
    waiting_for_admin: null,
    insufficient_funds: null,
    withdrawal_limit: null,
  },
  transfer: {
    pending: null,
    completed: null,
    rejected: ended,
    replaced: null,
    unconfirmed: null,
    confirmed: ended,
    cancelled: ended,
    interrupted: null,
    prepared: ['confirmed', 'waiting_for_admin', 'withdrawal_limit', 'rejected', 'cancelled'],
    waiting_for_admin: ['confirmed', 'withdrawal_limit', 'rejected', 'cancelled'],
    insufficient_funds: ended,
    withdrawal_limit: ended,
  },
}

/** True if the state of a payment is final. */
export function isEndedPayment(type: PaymentType, state: PaymentState): boolean {
  return followingStates[type][state]?.length === 0
}

/** Subjects of changes: entries of address books, deposit addresses, and payments. */
export const walletSubjects = ['address', 'deposit_address', ...paymentTypes] as const

/** States in tables: those of payments, then the further ones of addresses. */
export const walletStates = [...paymentStates, 'admin_locked', 'waiting', 'ready', 'removed'] as const

/**
 * Why a part of a wallet changed.
 * - `user_request`: an account requested it.
 * - `control`: a control of the simulator did it.
 * - `at_once`: there is no waiting time.
 * - `time_over`: a time of the settings passed.
 * - `not_enough_funds`: the account no longer has the money.
 */
export const walletReasons = ['user_request', 'control', 'at_once', 'time_over', 'not_enough_funds'] as const

/** Why a part of a wallet changed. */
export type WalletReason = (typeof walletReasons)[number]

/** Urgency of a withdrawal on its chain. */
export const withdrawalPriorities = ['insane', 'extreme_high', 'very_high', 'high', 'mid', 'low', 'very_low'] as const

/** The urgency of a withdrawal. */
export type WithdrawalPriority = (typeof withdrawalPriorities)[number]
