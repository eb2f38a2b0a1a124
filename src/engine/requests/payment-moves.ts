/**
 * State changes of payments: cancels by their owners, changes by controls, and timeouts.
 *
 * Rule: wallet.payments. Source: sessions-blocks-gateways.md 6.3, 6.4. Assumed: the possible next states
 * (`followingStates`); a withdrawal can be cancelled until it is completed, and its money returns with the fee; only
 * prepared transfers can be cancelled (12100).
 */
import { assert, defined } from '../../core/index.ts'
import {
  type CancelPayment,
  followingStates,
  type HoldTransfers,
  type MovePayment,
  type PaymentState,
  type Refusal,
  validationStep,
  type WalletReason,
} from '../../model/index.ts'
import { type Exchange, type PaymentRow, pass, paymentKey, refuse, type Turn, type Verdict } from '../state/index.ts'
import { badParam } from './argument-refusals.ts'
import { type Handlers, seal } from './handler.ts'
import {
  changePayment,
  completeDeposit,
  completeWithdrawal,
  confirmTransfer,
  confirmWithdrawal,
  dropWithdrawal,
  endPayment,
  noRoomRefusal,
} from './payments.ts'

const step = validationStep

function checkCancel(exchange: Exchange, command: CancelPayment): Verdict<PaymentRow> {
  const { type, payment: number, account, currency } = command
  const payment = exchange.wallets.payments.get(paymentKey(type, number))
  if (payment === undefined || payment.account !== account || payment.currency !== currency) {
    return refuse(step.instrument, unknownPayment(type))
  }
  if (type === 'transfer' && payment.state !== 'prepared') {
    return refuse(step.argumentCombination, { reason: 'transfer_not_allowed' })
  }
  const full = noRoomRefusal(exchange, payment)
  return full === null ? pass(payment) : refuse(step.amount, full)
}

/** Cancels the payment. Events: `cash` if money returns, then `payment` cancelled. */
function commitCancel(turn: Turn, _command: CancelPayment, payment: PaymentRow): number {
  const { payments } = turn.exchange.wallets
  const key = paymentKey(payment.type, payment.payment)
  assert(payments.get(key) === payment, 'a payment has not ended before it is cancelled')
  const reason = 'user_request'
  if (payment.type === 'transfer') endPayment(turn, payment, 'cancelled', { reason })
  else dropWithdrawal(turn, payment, { state: 'cancelled', reason })
  assert(!payments.has(key), 'a cancelled payment has ended')
  return payment.payment
}

function unknownPayment(type: PaymentRow['type']): Refusal {
  return { reason: type === 'transfer' ? 'transfer_not_found' : 'not_found' }
}

function checkMove(exchange: Exchange, command: MovePayment): Verdict<PaymentRow> {
  const { type, payment: number, state } = command
  const payment = exchange.wallets.payments.get(paymentKey(type, number))
  if (payment === undefined) {
    const isEnded = number >= 1 && number <= countOf(exchange, type)
    const refusal: Refusal = isEnded ? { reason: 'already_closed' } : unknownPayment(type)
    return refuse(step.instrument, refusal)
  }
  if (followingStates[type][payment.state]?.includes(state) !== true) {
    return badParam('state', `does_not_follow_${payment.state}`)
  }
  const isBack = state === 'rejected' || state === 'cancelled' || type === 'deposit'
  const full = isBack ? noRoomRefusal(exchange, payment) : null
  return full === null ? pass(payment) : refuse(step.amount, full)
}

function countOf({ wallets, transferCount }: Exchange, type: PaymentRow['type']): number {
  if (type === 'transfer') return transferCount
  return type === 'deposit' ? wallets.depositCount : wallets.withdrawalCount
}

/** Changes the state of the payment. Events: those of the movement. */
function commitMove(turn: Turn, command: MovePayment, payment: PaymentRow): number {
  const before = payment.state
  assert(before !== command.state, 'a payment moves to another state')
  move(turn, payment, { state: command.state, reason: 'control' })
  assert(payment.state !== before, 'a moved payment has left its earlier state')
  return payment.payment
}

function move(
  turn: Turn,
  payment: PaymentRow,
  { state, reason }: { readonly state: PaymentState; readonly reason: WalletReason },
): void {
  const { type } = payment
  if (type === 'deposit' && state === 'completed') completeDeposit(turn, payment, reason)
  else if (type === 'withdrawal') moveWithdrawal(turn, payment, { state, reason })
  else if (type === 'transfer' && state === 'confirmed') confirmTransfer(turn, payment, reason)
  else if (state === 'waiting_for_admin') changePayment(turn, payment, state, { reason })
  else endPayment(turn, payment, state, { reason })
}

function moveWithdrawal(
  turn: Turn,
  payment: PaymentRow,
  { state, reason }: { readonly state: PaymentState; readonly reason: WalletReason },
): void {
  if (state === 'completed') completeWithdrawal(turn, payment, reason)
  else if (state === 'rejected' || state === 'cancelled') {
    dropWithdrawal(turn, payment, { state, reason })
  } else if (payment.state === 'unconfirmed') confirmWithdrawal(turn, payment, reason)
  else changePayment(turn, payment, state, { reason })
}

/** Rule: wallet.payments. The time limit of the payment's state has passed. Events: those of the movement. */
export function expirePayment(turn: Turn, key: string): void {
  const payment = defined(turn.exchange.wallets.payments.get(key), 'a payment ends with its timer')
  payment.timer = null
  // The payment continues to wait if the balance cannot hold the money.
  if (noRoomRefusal(turn.exchange, payment) !== null && payment.type === 'deposit') return
  const state = payment.state === 'unconfirmed' ? 'cancelled' : 'completed'
  move(turn, payment, { state, reason: 'time_over' })
}

function commitHold({ exchange }: Turn, { held }: HoldTransfers): number {
  exchange.wallets.held = held
  return 1
}

export const paymentMovesHandlers: Handlers<'cancel_payment' | 'move_payment' | 'hold_transfers'> = {
  cancel_payment: seal({ check: checkCancel, commit: commitCancel }),
  move_payment: seal({ check: checkMove, commit: commitMove }),
  hold_transfers: seal({ check: () => pass(null), commit: commitHold }),
}
