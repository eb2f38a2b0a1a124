/**
 * Open payments: their start, changes, end and movements of money. The account `house.withdrawals` holds the money of a
 * confirmed withdrawal until it is paid out, so that each movement has two sides.
 *
 * Rule: wallet.payments. Source: sessions-blocks-gateways.md 6.3, 6.4. Assumed: the fee is in addition to the amount,
 * and the venue receives it when the withdrawal completes.
 */
import { accountId, amount, cancel, type Micros, micros } from '../../core/index.ts'
import { cashOf } from '../../ledger/index.ts'
import {
  currencyIdOf,
  feeAccount,
  type PaymentState,
  type Refusal,
  transitAccountName,
  type WalletReason,
  walletSettingsOf,
} from '../../model/index.ts'
import { transactionOf } from '../../wallet/index.ts'
import { fits, postOutside, transferMoney } from '../day/index.ts'
import {
  type Exchange,
  eventHeader,
  type PaymentRow,
  paymentKey,
  setTimer,
  type Turn,
  walletRowOf,
} from '../state/index.ts'
import { withdrawableOf } from '../value/index.ts'
import { openHouseAccount } from './controls.ts'

/** Facts of a change of a payment that are not in its new state. */
interface Told {
  readonly reason: WalletReason
  /** Change of the account's cash. */
  readonly change?: bigint
}

/** Registers a new payment. Events: `payment`. */
export function startPayment(turn: Turn, payment: PaymentRow): void {
  turn.exchange.wallets.payments.set(paymentKey(payment.type, payment.payment), payment)
  waitFor(turn, payment)
  tell(turn, payment, { reason: 'user_request' })
}

/** Time limit of a payment in its state; null for none. */
function timeOf({ config }: Exchange, { type, state }: PaymentRow): Micros | null {
  const { confirmationTime, completionTime, depositTime } = walletSettingsOf(config)
  if (type === 'deposit') return depositTime
  if (state === 'unconfirmed') return confirmationTime
  return state === 'confirmed' ? completionTime : null
}

/** Sets the timer of the new state, and cancels the timer of the previous one. */
function waitFor({ exchange }: Turn, payment: PaymentRow): void {
  stopTimer(exchange, payment)
  const time = timeOf(exchange, payment)
  if (time === null) return
  payment.timer = setTimer(exchange.timers, micros(exchange.now + time), {
    kind: 'payment_due',
    payment: paymentKey(payment.type, payment.payment),
  })
}

function stopTimer({ timers }: Exchange, payment: PaymentRow): void {
  if (payment.timer !== null) cancel(timers, payment.timer)
  payment.timer = null
}

/** Changes the state of a payment that stays open. Events: `payment`. */
export function changePayment(turn: Turn, payment: PaymentRow, state: PaymentState, told: Told): void {
  payment.state = state
  waitFor(turn, payment)
  tell(turn, payment, told)
}

/** Ends a payment. Events: `payment`. */
export function endPayment(turn: Turn, payment: PaymentRow, state: PaymentState, told: Told): void {
  payment.state = state
  stopTimer(turn.exchange, payment)
  turn.exchange.wallets.payments.delete(paymentKey(payment.type, payment.payment))
  tell(turn, payment, told)
}

/**
 * Confirms a withdrawal: its money moves to the account for pending withdrawals. Without the money the withdrawal is
 * rejected. Events: `cash` of both accounts, then `payment`.
 */
export function confirmWithdrawal(turn: Turn, payment: PaymentRow, reason: WalletReason): void {
  const { exchange } = turn
  const account = accountId(payment.account)
  const total = totalOf(payment)
  if (total > withdrawableOf(exchange, account, payment.currency) || !hasRoom(exchange, payment)) {
    endPayment(turn, payment, 'rejected', { reason: 'not_enough_funds' })
    return
  }
  openTransit(turn)
  post(turn, payment, account, -total)
  post(turn, payment, exchange.wallets.transit, total)
  payment.confirmedAt = exchange.now
  changePayment(turn, payment, 'confirmed', { reason, change: -total })
}

/** True if the account for pending withdrawals can hold the money of this one. */
export function hasRoom(exchange: Exchange, payment: PaymentRow): boolean {
  const { transit } = exchange.wallets
  if (transit < 0) return true
  const money = { currency: payment.currency, amount: amount(totalOf(payment)) }
  return fits(exchange, { target: accountId(transit), ...money })
}

function openTransit(turn: Turn): void {
  const { exchange } = turn
  if (exchange.wallets.transit >= 0) return
  exchange.wallets.transit = exchange.accounts.length
  openHouseAccount(turn, transitAccountName)
}

/**
 * Pays a withdrawal out. Events: `cash` of the account for pending withdrawals and of the fee, then `payment`
 * completed.
 */
export function completeWithdrawal(turn: Turn, payment: PaymentRow, reason: WalletReason): void {
  const { wallets, config } = turn.exchange
  post(turn, payment, wallets.transit, -payment.amount)
  if (payment.fee > 0n) {
    post(turn, payment, wallets.transit, -payment.fee)
    post(turn, payment, feeAccount, payment.fee)
  }
  const seeded = { key: config.blockTrades.key, number: payment.payment }
  payment.transaction = transactionOf('withdrawal', seeded)
  endPayment(turn, payment, 'completed', { reason })
}

/**
 * Ends a withdrawal that is not paid out, and returns its held money. Events: `cash` of both accounts, then `payment`.
 */
export function dropWithdrawal(
  turn: Turn,
  payment: PaymentRow,
  of: { readonly state: 'cancelled' | 'rejected'; readonly reason: WalletReason },
): void {
  const total = totalOf(payment)
  const { state, reason } = of
  if (payment.confirmedAt === null) {
    endPayment(turn, payment, state, { reason })
    return
  }
  post(turn, payment, turn.exchange.wallets.transit, -total)
  post(turn, payment, payment.account, total)
  endPayment(turn, payment, state, { reason, change: total })
}

/** Completes a deposit. Events: `cash`, then `payment`. */
export function completeDeposit(turn: Turn, payment: PaymentRow, reason: WalletReason): void {
  post(turn, payment, payment.account, payment.amount)
  endPayment(turn, payment, 'completed', { reason, change: payment.amount })
}

/**
 * Confirms a transfer to another user. Without the money it ends as `insufficient_funds`. Events: `transfer`, then
 * `payment`.
 */
export function confirmTransfer(turn: Turn, payment: PaymentRow, reason: WalletReason): void {
  const { exchange } = turn
  const { account, target, currency, nonce } = payment
  const source = accountId(account)
  const money = { target: accountId(target), currency, amount: payment.amount }
  if (payment.amount > withdrawableOf(exchange, source, currency) || !fits(exchange, money)) {
    endPayment(turn, payment, 'insufficient_funds', { reason: 'not_enough_funds' })
    return
  }
  transferMoney(turn, { ...money, source, nonce, number: payment.payment })
  payment.confirmedAt = exchange.now
  endPayment(turn, payment, 'confirmed', { reason, change: -payment.amount })
}

/** The refusal to return money to an account whose balance would be too large; null if it fits. */
export function noRoomRefusal(exchange: Exchange, payment: PaymentRow): Refusal | null {
  const { type, currency } = payment
  const total = amount(totalOf(payment))
  const comes = type === 'deposit' || (type === 'withdrawal' && payment.confirmedAt !== null)
  const target = accountId(payment.account)
  if (!comes || fits(exchange, { target, currency, amount: total })) return null
  const problem = 'the balance would be above 9 billion units'
  return { reason: 'invalid_params', param: 'amount', problem }
}

/** The sum that a payment takes from its account. */
function totalOf({ amount: paid, fee }: PaymentRow): bigint {
  return paid + fee
}

function post(turn: Turn, { currency }: PaymentRow, account: number, change: bigint): void {
  postOutside(turn, { target: accountId(account), currency, amount: amount(change) })
}

function tell(turn: Turn, payment: PaymentRow, { reason, change = 0n }: Told): void {
  const { exchange } = turn
  const { type, account, target, currency, confirmedAt } = payment
  const wallet = walletRowOf(accountId(account), currencyIdOf(currency))
  const waits = type === 'withdrawal' && confirmedAt !== null
  turn.log.append({
    kind: 'payment',
    ...eventHeader(turn),
    type,
    payment: payment.payment,
    state: payment.state,
    reason,
    account: accountId(account),
    counterparty: accountOrNone(waits ? exchange.wallets.transit : target),
    currency,
    amount: payment.amount,
    fee: payment.fee,
    address: payment.address,
    source: payment.source,
    transaction: payment.transaction,
    priority: payment.priority,
    nonce: payment.nonce,
    note: payment.note,
    created: payment.createdAt,
    confirmed: confirmedAt ?? micros(0),
    change: amount(change),
    balance: amount(cashOf(exchange.ledger, wallet)),
  })
}

function accountOrNone(account: number): ReturnType<typeof accountId> | -1 {
  return account < 0 ? -1 : accountId(account)
}
