/**
 * Wallets as JSON: deposits, withdrawals and transfers to other users.
 *
 * Source: sessions document 6.3, 6.4. Assumed: `clearance_state` follows the state of a deposit.
 */
import { type AccountId, defined, type Micros } from '../../core/index.ts'
import { accountOf, type Exchange } from '../../engine/index.ts'
import type { EventOf, PaymentState } from '../../model/index.ts'
import { balanceOut, timeOut } from './numbers.ts'

/** A deposit. */
export interface WireDeposit {
  readonly currency: string
  readonly address: string
  readonly source_address: string | null
  readonly amount: number
  readonly state: PaymentState
  readonly transaction_id: string | null
  readonly received_timestamp: number
  readonly updated_timestamp: number
  readonly note: string
  readonly clearance_state: 'in_progress' | 'success' | 'failed' | 'cancelled'
  readonly refund_transaction_id: null
}

/** A withdrawal. */
export interface WireWithdrawal {
  readonly id: number
  readonly currency: string
  readonly address: string
  readonly amount: number
  readonly fee: number
  readonly priority: string
  readonly state: PaymentState
  readonly transaction_id: string | null
  readonly created_timestamp: number
  readonly confirmed_timestamp: number | null
  readonly updated_timestamp: number
  readonly nonce?: string
}

/** A transfer as one of its two accounts sees it. */
export interface WireTransfer {
  readonly id: number
  readonly created_timestamp: number
  readonly updated_timestamp: number
  readonly type: 'subaccount' | 'user'
  readonly currency: string
  readonly amount: number
  /** Name of the other account. */
  readonly other_side: string
  readonly state: PaymentState
  readonly direction: 'payment' | 'income'
  readonly nonce?: string
}

type Payment = EventOf<'payment'>

/** The clearance state for each state of a deposit: the progress of the checks of its origin. */
const clearances: { readonly [S in PaymentState]?: WireDeposit['clearance_state'] } = {
  pending: 'in_progress',
  completed: 'success',
  rejected: 'failed',
  replaced: 'cancelled',
}

/** A deposit as its account sees it. */
export function depositOut(deposit: Payment): WireDeposit {
  return {
    currency: deposit.currency,
    address: deposit.address,
    source_address: deposit.source,
    amount: balanceOut(deposit.currency, deposit.amount),
    state: deposit.state,
    transaction_id: deposit.transaction,
    received_timestamp: timeOut(deposit.created),
    updated_timestamp: timeOut(deposit.time),
    note: deposit.note ?? '',
    clearance_state: defined(clearances[deposit.state], 'a deposit has a state of deposits'),
    refund_transaction_id: null,
  }
}

/** A withdrawal as its account sees it. */
export function withdrawalOut(withdrawal: Payment): WireWithdrawal {
  const { currency, nonce } = withdrawal
  return {
    id: withdrawal.payment,
    currency,
    address: withdrawal.address,
    amount: balanceOut(currency, withdrawal.amount),
    fee: balanceOut(currency, withdrawal.fee),
    priority: withdrawal.priority ?? 'high',
    state: withdrawal.state,
    transaction_id: withdrawal.transaction,
    created_timestamp: timeOut(withdrawal.created),
    confirmed_timestamp: timeOrNull(withdrawal.confirmed),
    updated_timestamp: timeOut(withdrawal.time),
    ...(nonce === null ? {} : { nonce }),
  }
}

/** A transfer to another user as one of the two sees it. */
export function userTransferOut(exchange: Exchange, transfer: Payment, viewer: AccountId): WireTransfer {
  const pays = transfer.account === viewer
  const other = pays ? transfer.counterparty : transfer.account
  return {
    id: transfer.payment,
    created_timestamp: timeOut(transfer.created),
    updated_timestamp: timeOut(transfer.time),
    type: 'user',
    currency: transfer.currency,
    amount: balanceOut(transfer.currency, transfer.amount),
    other_side: other === -1 ? '' : accountOf(exchange, other).name,
    state: transfer.state,
    direction: pays ? 'payment' : 'income',
    ...(transfer.nonce === null ? {} : { nonce: transfer.nonce }),
  }
}

function timeOrNull(time: Micros): number | null {
  return time === 0 ? null : timeOut(time)
}
