/**
 * Open payments: their start, changes, end and movements of money. The account `house.withdrawals` holds the money of a
 * confirmed withdrawal until it is paid out, so that each movement has two sides.
 *
 * Rule: wallet.payments. Source: sessions-blocks-gateways.md 6.3, 6.4. Assumed: the fee is in addition to the amount,
 * and the venue receives it when the withdrawal completes.
 */

import { type AccountId, accountId, amount, assert, cancel, defined, type Micros, micros } from '../../core/index.ts'
import { cashOf } from '../../ledger/index.ts'
import {
  type AddressChoice,
  type CancelPayment,
  type CreateDepositAddress,
  type Currency,
  currencyIdOf,
  feeAccount,
  followingStates,
  type HoldTransfers,
  type MovePayment,
  type PaymentState,
  type ReceiveDeposit,
  type Refusal,
  type SubmitTransfer,
  transitAccountName,
  validationStep,
  type WalletReason,
  type Withdraw,
  walletSettingsOf,
} from '../../model/index.ts'
import { addressOf, chainOf, transactionOf } from '../../wallet/index.ts'
import { balanceProblem, fits, outsideProblem, postOutside, transferMoney } from '../day/index.ts'
import { lockRefusal } from '../market/index.ts'
import {
  type AddressRow,
  type CheckResult,
  type DepositAddressRow,
  type Exchange,
  eventHeader,
  type PaymentRow,
  pass,
  paymentKey,
  refuse,
  setTimer,
  type Turn,
  walletRowOf,
} from '../state/index.ts'
import { withdrawableOf } from '../value/index.ts'
import { chooseAddresses, ownerOfAddress, unknownTrader } from './address-book.ts'
import { openHouseAccount } from './controls.ts'
import { badParam, type Handlers, seal } from './handler.ts'

/** Facts of a change of a payment that are not in its new state. */
interface PaymentChange {
  readonly reason: WalletReason
  /** Change of the account's cash. */
  readonly change?: bigint
}

/** A request that sends money to an address of the book. */
type Asked = Withdraw | SubmitTransfer

/**
 * State changes of payments: cancels by their owners, changes by controls, and timeouts.
 *
 * Rule: wallet.payments. Source: sessions-blocks-gateways.md 6.3, 6.4. Assumed: the possible next states
 * (`followingStates`); a withdrawal can be cancelled until it is completed, and its money returns with the fee; only
 * prepared transfers can be cancelled (12100).
 */

const step = validationStep

/**
 * Deposit addresses, and deposits from outside.
 *
 * Rule: wallet.deposits. Source: sessions-blocks-gateways.md 6.4. Assumed: one new address of Bitcoin per day, one of
 * each other currency ever (11095); currencies of one chain share an address; a deposit uses the newest address.
 */

const DAY = 86_400_000_000

/**
 * Withdrawals, and transfers to other users: both go to an address of the address book.
 *
 * Rule: wallet.withdrawals, wallet.transfers. Source: sessions-blocks-gateways.md 6.3, 6.4. Assumed: an address that is
 * not in the book, or cannot be used yet, is refused with 11090 for a withdrawal and 11091 for a transfer; locked
 * accounts can neither send nor receive.
 */

/** The entry of the destination, if both accounts may transfer and the money is available. */
function checkSent(exchange: Exchange, command: Asked, choice: AddressChoice, fee: bigint): CheckResult<AddressRow> {
  const isWithdrawal = command.kind === 'withdraw'
  if (command.amount <= 0n) return badParam('amount', 'not_above_zero')
  const chosen = chooseAddresses(exchange, command.account, choice)
  if (!chosen.ok && chosen.fault.refusal.reason === 'invalid_arguments') return chosen
  const [entry] = chosen.ok ? chosen.plan : []
  if (entry === undefined || entry.status === 'waiting' || entry.status === 'admin_locked') {
    const reason = isWithdrawal ? 'invalid_addr' : 'invalid_transfer_address'
    return refuse(step.argumentCombination, { reason })
  }
  const locked = lockRefusal(exchange, command.account)
  if (locked !== null) return refuse(step.accountLocks, locked)
  // Only accounts have entries, so the request has an account.
  const free = withdrawableOf(exchange, command.account as AccountId, command.currency)
  if (command.amount + fee > free) return refuse(step.margin, { reason: 'not_enough_funds' })
  return pass(entry)
}

function checkWithdraw(exchange: Exchange, command: Withdraw): CheckResult<AddressRow> {
  const fee = feeOf(exchange, command)
  const choice = {
    currency: command.currency,
    type: 'withdrawal',
    address: command.address,
    network: command.network,
    tag: command.tag,
    id: null,
  } as const
  return checkSent(exchange, command, choice, fee)
}

function feeOf(exchange: Exchange, command: Withdraw): bigint {
  return walletSettingsOf(exchange.config).fees[command.currency] ?? 0n
}

/**
 * Starts the withdrawal. Events: `payment` unconfirmed; then those of its confirmation, if withdrawals to the address
 * need no confirmation.
 */
function commitWithdraw(turn: Turn, command: Withdraw, entry: AddressRow): number {
  const { wallets } = turn.exchange
  assert(command.amount > 0n, 'a withdrawal has a positive amount')
  wallets.withdrawalCount += 1
  const payment: PaymentRow = {
    ...sentOf(turn.exchange, command),
    type: 'withdrawal',
    payment: wallets.withdrawalCount,
    target: -1,
    fee: amount(feeOf(turn.exchange, command)),
    address: entry.address,
    priority: command.priority,
    state: 'unconfirmed',
  }
  startPayment(turn, payment)
  if (!entry.needsConfirmation) confirmWithdrawal(turn, payment, 'at_once')
  const waits = payment.state === 'unconfirmed'
  assert(waits === entry.needsConfirmation, 'a withdrawal waits if it needs confirmation')
  return wallets.withdrawalCount
}

function checkTransfer(exchange: Exchange, command: SubmitTransfer): CheckResult<Receiver> {
  const choice = {
    currency: command.currency,
    type: 'transfer',
    address: command.destination,
    network: null,
    tag: null,
    id: null,
  } as const
  const sent = checkSent(exchange, command, choice, 0n)
  if (!sent.ok) return sent
  const target = ownerOfAddress(exchange, command.currency, command.destination)
  if (target === undefined) {
    return refuse(step.argumentCombination, { reason: 'invalid_transfer_address' })
  }
  const locked = lockRefusal(exchange, target)
  if (locked !== null) return refuse(step.accountLocks, locked)
  return pass({ target, address: sent.plan.address })
}

/** The receiver of a transfer, and the address to which it was sent. */
interface Receiver {
  readonly target: number
  readonly address: string
}

/** Starts the transfer. Events: `payment` prepared; then those of its confirmation unless transfers are held. */
function commitTransfer(turn: Turn, command: SubmitTransfer, receiver: Receiver): number {
  assert(command.amount > 0n, 'a transfer has a positive amount')
  turn.exchange.transferCount += 1
  const payment: PaymentRow = {
    ...sentOf(turn.exchange, command),
    ...receiver,
    type: 'transfer',
    payment: turn.exchange.transferCount,
    fee: amount(0n),
    priority: null,
    state: 'prepared',
  }
  startPayment(turn, payment)
  const { held } = turn.exchange.wallets
  const waits = held ?? walletSettingsOf(turn.exchange.config).holdsTransfers
  if (!waits) confirmTransfer(turn, payment, 'at_once')
  assert(waits === (payment.state === 'prepared'), 'a transfer waits while transfers are held')
  return payment.payment
}

/** The common fields of new withdrawals and transfers. */
function sentOf(
  exchange: Exchange,
  command: Asked,
): Omit<PaymentRow, 'type' | 'payment' | 'target' | 'fee' | 'address' | 'priority' | 'state'> {
  return {
    account: command.account,
    currency: command.currency,
    amount: command.amount,
    source: null,
    transaction: null,
    nonce: command.nonce,
    note: null,
    createdAt: exchange.now,
    confirmedAt: null,
    timer: null,
  }
}

export const withdrawalsHandlers: Handlers<'withdraw' | 'submit_transfer'> = {
  withdraw: seal({ check: checkWithdraw, commit: commitWithdraw }),
  submit_transfer: seal({ check: checkTransfer, commit: commitTransfer }),
}

/** The newest deposit address of an account; undefined for none. */
export function depositAddressOf(
  exchange: Exchange,
  account: number,
  currency: Currency,
): DepositAddressRow | undefined {
  return exchange.wallets.depositAddresses.findLast((each) => each.account === account && each.currency === currency)
}

function checkCreate(exchange: Exchange, command: CreateDepositAddress): CheckResult<null> {
  const last = depositAddressOf(exchange, command.account, command.currency)
  const isSoon = last !== undefined && (command.currency !== 'BTC' || exchange.now < last.createdAt + DAY)
  if (!isSoon) return pass(null)
  return refuse(step.argumentCombination, { reason: 'disabled_deposit_address_creation' })
}

/** Creates an address, or uses the one of the same chain. Events: `address` added. */
function commitCreate(turn: Turn, { account, currency }: CreateDepositAddress): number {
  const { wallets, config, now } = turn.exchange
  const number = wallets.depositAddresses.length + 1
  const chain = chainOf(currency)
  const same = wallets.depositAddresses.find(
    (each) => each.account === account && each.currency !== currency && chainOf(each.currency) === chain,
  )
  const address = same?.address ?? addressOf(chain, { key: config.blockTrades.key, number })
  wallets.depositAddresses.push({ number, account, currency, address, createdAt: now })
  const newest = depositAddressOf(turn.exchange, account, currency)
  assert(newest?.number === number, 'deposits arrive at the newest address')
  turn.log.append({
    kind: 'address',
    ...eventHeader(turn),
    change: 'added',
    account: accountId(account),
    currency,
    type: 'deposit',
    entry: number,
    address,
    network: null,
    tag: null,
    status: 'ready',
    until: micros(0),
    reason: 'user_request',
  })
  return number
}

function checkReceive(exchange: Exchange, command: ReceiveDeposit): CheckResult<string> {
  const unknown = unknownTrader(exchange, command.target)
  if (unknown !== null) return refuse(step.parameters, unknown)
  if (command.amount <= 0n) return badParam('amount', 'not_above_zero')
  const to = depositAddressOf(exchange, command.target, command.currency)
  if (to === undefined) return refuse(step.instrument, { reason: 'no_deposit_address' })
  return pass(to.address)
}

/** Registers the deposit. Events: `payment` pending. */
function commitReceive(turn: Turn, command: ReceiveDeposit, address: string): number {
  const { wallets, now } = turn.exchange
  assert(command.amount > 0n, 'a deposit has a positive amount')
  wallets.depositCount += 1
  startPayment(turn, {
    type: 'deposit',
    payment: wallets.depositCount,
    account: command.target,
    target: -1,
    currency: command.currency,
    amount: command.amount,
    fee: amount(0n),
    address,
    source: command.source,
    transaction: command.transaction,
    priority: null,
    nonce: null,
    note: command.note,
    createdAt: now,
    confirmedAt: null,
    state: 'pending',
    timer: null,
  })
  return wallets.depositCount
}

export const depositsHandlers: Handlers<'create_deposit_address' | 'receive_deposit'> = {
  create_deposit_address: seal({ check: checkCreate, commit: commitCreate }),
  receive_deposit: seal({ check: checkReceive, commit: commitReceive }),
}

function checkCancel(exchange: Exchange, command: CancelPayment): CheckResult<PaymentRow> {
  const payment = exchange.wallets.payments.get(paymentKey(command.type, command.payment))
  if (payment === undefined || payment.account !== command.account || payment.currency !== command.currency) {
    return refuse(step.instrument, unknownPayment(command.type))
  }
  if (command.type === 'transfer' && payment.state !== 'prepared') {
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
  else dropWithdrawal(turn, payment, 'cancelled', reason)
  assert(!payments.has(key), 'a cancelled payment has ended')
  return payment.payment
}

function unknownPayment(type: PaymentRow['type']): Refusal {
  return { reason: type === 'transfer' ? 'transfer_not_found' : 'not_found' }
}

function checkMove(exchange: Exchange, command: MovePayment): CheckResult<PaymentRow> {
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
  move(turn, payment, command.state, 'control')
  assert(payment.state !== before, 'a moved payment has left its earlier state')
  return payment.payment
}

function move(turn: Turn, payment: PaymentRow, state: PaymentState, reason: WalletReason): void {
  if (payment.type === 'deposit' && state === 'completed') completeDeposit(turn, payment, reason)
  else if (payment.type === 'withdrawal') moveWithdrawal(turn, payment, state, reason)
  else if (payment.type === 'transfer' && state === 'confirmed') confirmTransfer(turn, payment, reason)
  else if (state === 'waiting_for_admin') changePayment(turn, payment, state, { reason })
  else endPayment(turn, payment, state, { reason })
}

function moveWithdrawal(turn: Turn, payment: PaymentRow, state: PaymentState, reason: WalletReason): void {
  if (state === 'completed') completeWithdrawal(turn, payment, reason)
  else if (state === 'rejected' || state === 'cancelled') {
    dropWithdrawal(turn, payment, state, reason)
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
  move(turn, payment, state, 'time_over')
}

function commitHold(turn: Turn, { held }: HoldTransfers): number {
  turn.exchange.wallets.held = held
  return 1
}

export const paymentMovesHandlers: Handlers<'cancel_payment' | 'move_payment' | 'hold_transfers'> = {
  cancel_payment: seal({ check: checkCancel, commit: commitCancel }),
  move_payment: seal({ check: checkMove, commit: commitMove }),
  hold_transfers: seal({ check: () => pass(null), commit: commitHold }),
}

/** Registers a new payment. Events: `payment`. */
function startPayment(turn: Turn, payment: PaymentRow): void {
  turn.exchange.wallets.payments.set(paymentKey(payment.type, payment.payment), payment)
  waitFor(turn, payment)
  emitChange(turn, payment, { reason: 'user_request' })
}

/** Time limit of a payment in its state; null for none. */
function timeOf(exchange: Exchange, { type, state }: PaymentRow): Micros | null {
  const { confirmationTime, completionTime, depositTime } = walletSettingsOf(exchange.config)
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

function stopTimer(exchange: Exchange, payment: PaymentRow): void {
  if (payment.timer !== null) cancel(exchange.timers, payment.timer)
  payment.timer = null
}

/** Changes the state of a payment that stays open. Events: `payment`. */
function changePayment(turn: Turn, payment: PaymentRow, state: PaymentState, change: PaymentChange): void {
  payment.state = state
  waitFor(turn, payment)
  emitChange(turn, payment, change)
}

/** Ends a payment. Events: `payment`. */
function endPayment(turn: Turn, payment: PaymentRow, state: PaymentState, change: PaymentChange): void {
  payment.state = state
  stopTimer(turn.exchange, payment)
  turn.exchange.wallets.payments.delete(paymentKey(payment.type, payment.payment))
  emitChange(turn, payment, change)
}

/**
 * Confirms a withdrawal: its money moves to the account for pending withdrawals. Without the money the withdrawal is
 * rejected. Events: `cash` of both accounts, then `payment`.
 */
function confirmWithdrawal(turn: Turn, payment: PaymentRow, reason: WalletReason): void {
  const account = accountId(payment.account)
  const total = totalOf(payment)
  if (total > withdrawableOf(turn.exchange, account, payment.currency) || !hasRoom(turn.exchange, payment)) {
    endPayment(turn, payment, 'rejected', { reason: 'not_enough_funds' })
    return
  }
  openTransit(turn)
  post(turn, payment, account, -total)
  post(turn, payment, turn.exchange.wallets.transit, total)
  payment.confirmedAt = turn.exchange.now
  changePayment(turn, payment, 'confirmed', { reason, change: -total })
}

/** True if the account for pending withdrawals can hold the money of this one. */
function hasRoom(exchange: Exchange, payment: PaymentRow): boolean {
  const { transit } = exchange.wallets
  if (transit < 0) return true
  const money = { currency: payment.currency, amount: amount(totalOf(payment)) }
  return fits(exchange, { target: accountId(transit), ...money })
}

function openTransit(turn: Turn): void {
  if (turn.exchange.wallets.transit >= 0) return
  turn.exchange.wallets.transit = turn.exchange.accounts.length
  openHouseAccount(turn, transitAccountName)
}

/**
 * Pays a withdrawal out. Events: `cash` of the account for pending withdrawals and of the fee, then `payment`
 * completed.
 */
function completeWithdrawal(turn: Turn, payment: PaymentRow, reason: WalletReason): void {
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
function dropWithdrawal(turn: Turn, payment: PaymentRow, state: 'cancelled' | 'rejected', reason: WalletReason): void {
  const total = totalOf(payment)
  if (payment.confirmedAt === null) {
    endPayment(turn, payment, state, { reason })
    return
  }
  post(turn, payment, turn.exchange.wallets.transit, -total)
  post(turn, payment, payment.account, total)
  endPayment(turn, payment, state, { reason, change: total })
}

/** Completes a deposit. Events: `cash`, then `payment`. */
function completeDeposit(turn: Turn, payment: PaymentRow, reason: WalletReason): void {
  post(turn, payment, payment.account, payment.amount)
  endPayment(turn, payment, 'completed', { reason, change: payment.amount })
}

/**
 * Confirms a transfer to another user. Without the money it ends as `insufficient_funds`. Events: `transfer`, then
 * `payment`.
 */
function confirmTransfer(turn: Turn, payment: PaymentRow, reason: WalletReason): void {
  const source = accountId(payment.account)
  const money = { target: accountId(payment.target), currency: payment.currency, amount: payment.amount }
  if (payment.amount > withdrawableOf(turn.exchange, source, payment.currency) || !fits(turn.exchange, money)) {
    endPayment(turn, payment, 'insufficient_funds', { reason: 'not_enough_funds' })
    return
  }
  transferMoney(turn, { ...money, source, nonce: payment.nonce, number: payment.payment })
  payment.confirmedAt = turn.exchange.now
  endPayment(turn, payment, 'confirmed', { reason, change: -payment.amount })
}

/** The refusal to return money to an account whose balance would be too large; null if it fits. */
function noRoomRefusal(exchange: Exchange, payment: PaymentRow): Refusal | null {
  const total = amount(totalOf(payment))
  const comes = payment.type === 'deposit' || (payment.type === 'withdrawal' && payment.confirmedAt !== null)
  const target = accountId(payment.account)
  if (!comes) return null
  const money = { target, currency: payment.currency, amount: total }
  // The money of a confirmed withdrawal is still in the venue.
  const problem = payment.type === 'deposit' ? outsideProblem(exchange, money) : balanceProblem(exchange, money)
  return problem === null ? null : { reason: 'invalid_params', param: 'amount', problem }
}

/** The sum that a payment takes from its account. */
function totalOf(payment: PaymentRow): bigint {
  return payment.amount + payment.fee
}

function post(turn: Turn, payment: PaymentRow, account: number, change: bigint): void {
  postOutside(turn, { target: accountId(account), currency: payment.currency, amount: amount(change) })
}

function emitChange(turn: Turn, payment: PaymentRow, { reason, change = 0n }: PaymentChange): void {
  const wallet = walletRowOf(accountId(payment.account), currencyIdOf(payment.currency))
  const waits = payment.type === 'withdrawal' && payment.confirmedAt !== null
  turn.log.append({
    kind: 'payment',
    ...eventHeader(turn),
    type: payment.type,
    payment: payment.payment,
    state: payment.state,
    reason,
    account: accountId(payment.account),
    counterparty: accountOrNone(waits ? turn.exchange.wallets.transit : payment.target),
    currency: payment.currency,
    amount: payment.amount,
    fee: payment.fee,
    address: payment.address,
    source: payment.source,
    transaction: payment.transaction,
    priority: payment.priority,
    nonce: payment.nonce,
    note: payment.note,
    created: payment.createdAt,
    confirmed: payment.confirmedAt ?? micros(0),
    change: amount(change),
    balance: amount(cashOf(turn.exchange.ledger, wallet)),
  })
}

function accountOrNone(account: number): ReturnType<typeof accountId> | -1 {
  return account < 0 ? -1 : accountId(account)
}
