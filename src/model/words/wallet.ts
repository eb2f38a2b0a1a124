/**
 * Words of wallets: address books, deposits, withdrawals and transfers between users. The position of a word in a list
 * is its code in files: words are only ever added at the end.
 *
 * Source: sessions-blocks-gateways.md 6.2-6.4.
 */

/** Types of wallets: the venue's own, or one that a third party keeps (S166). */
export const walletTypes = ['legacy', 'third_party'] as const

/** A type of wallet. */
export type WalletType = (typeof walletTypes)[number]

/** Sorts of addresses in an address book: of other users, to withdraw to, to receive from. */
export const addressTypes = ['transfer', 'withdrawal', 'deposit_source'] as const

/** A sort of addresses in an address book. */
export type AddressType = (typeof addressTypes)[number]

/** Sorts of addresses that change: those of address books, and own addresses that deposits come to. */
export const addressSorts = [...addressTypes, 'deposit'] as const

/**
 * States of an entry of an address book.
 * - `admin_locked`: the venue locked it.
 * - `waiting`: it is too new to be used.
 * - `confirmed`: somebody confirmed it.
 * - `ready`: it may be used.
 */
export const addressStatuses = ['admin_locked', 'waiting', 'confirmed', 'ready'] as const

/** A state of an entry of an address book. */
export type AddressStatus = (typeof addressStatuses)[number]

/** Changes of an address: one came, its facts or its state changed, it went. */
export const addressChanges = ['added', 'updated', 'status', 'removed'] as const

/** A change of an address. */
export type AddressChange = (typeof addressChanges)[number]

/** Sorts of payments. */
export const paymentTypes = ['deposit', 'withdrawal', 'transfer'] as const

/** A sort of payments: money from outside, to the outside, to another user. */
export type PaymentType = (typeof paymentTypes)[number]

/** States of payments; which of them a payment may have follows from its sort. */
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

/** States that a control may give, for each sort of payments. */
export const controlledStates = {
  deposit: ['completed', 'rejected', 'replaced'],
  withdrawal: ['confirmed', 'completed', 'interrupted', 'rejected', 'cancelled'],
  transfer: ['confirmed', 'waiting_for_admin', 'withdrawal_limit', 'rejected', 'cancelled'],
} as const satisfies { readonly [Type in PaymentType]: readonly PaymentState[] }

const ended = [] as const

/**
 * States that a control or time may lead a payment to from its state, for each sort of payments: none from where it
 * ended, null where payments of the sort never are.
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

/** True if a payment has ended: nothing leads it out of its state. */
export function isEndedPayment(type: PaymentType, state: PaymentState): boolean {
  return followingStates[type][state]?.length === 0
}

/** Subjects of changes: entries of address books, addresses for deposits, and payments. */
export const walletSubjects = ['address', 'deposit_address', ...paymentTypes] as const

/** States of what changes, as tables show them: those of payments, then those of addresses that no payment has. */
export const walletStates = [...paymentStates, 'admin_locked', 'waiting', 'ready', 'removed'] as const

/**
 * Why something of a wallet changed.
 * - `user_request`: an account asked for it.
 * - `control`: a control of the simulator did it.
 * - `at_once`: nothing has to be waited for.
 * - `time_over`: a time of the settings is over.
 * - `not_enough_funds`: the money is no longer there.
 */
export const walletReasons = ['user_request', 'control', 'at_once', 'time_over', 'not_enough_funds'] as const

/** Why something of a wallet changed. */
export type WalletReason = (typeof walletReasons)[number]

/** How urgent a withdrawal is to its chain. */
export const withdrawalPriorities = ['insane', 'extreme_high', 'very_high', 'high', 'mid', 'low', 'very_low'] as const

/** The urgency of a withdrawal. */
export type WithdrawalPriority = (typeof withdrawalPriorities)[number]
