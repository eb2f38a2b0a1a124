/**
 * Withdrawals, and transfers to other users: both go to an address of the address book.
 *
 * Rule: wallet.withdrawals, wallet.transfers. Source: sessions-blocks-gateways.md 6.3, 6.4. Assumed: an address that is
 * not in the book, or cannot be used yet, is refused with 11090 for a withdrawal and 11091 for a transfer; locked
 * accounts can neither send nor receive.
 */
import { type AccountId, amount, assert } from '../../core/index.ts'
import {
  type AddressChoice,
  type SubmitTransfer,
  validationStep,
  type Withdraw,
  walletSettingsOf,
} from '../../model/index.ts'
import { lockRefusal } from '../market/index.ts'
import {
  type AddressRow,
  type Exchange,
  type PaymentRow,
  pass,
  refuse,
  type Turn,
  type Verdict,
} from '../state/index.ts'
import { withdrawableOf } from '../value/index.ts'
import { chooseAddresses, ownerOfAddress } from './address-book.ts'
import { badParam } from './argument-refusals.ts'
import { type Handlers, seal } from './handler.ts'
import { confirmTransfer, confirmWithdrawal, startPayment } from './payments.ts'

const step = validationStep

/** A request that sends money to an address of the book. */
type Asked = Withdraw | SubmitTransfer

/** The entry of the destination, if both accounts may transfer and the money is available. */
function checkSent(
  exchange: Exchange,
  command: Asked,
  of: { readonly choice: AddressChoice; readonly fee: bigint },
): Verdict<AddressRow> {
  const isWithdrawal = command.kind === 'withdraw'
  if (command.amount <= 0n) return badParam('amount', 'not_above_zero')
  const chosen = chooseAddresses(exchange, command.account, of.choice)
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
  if (command.amount + of.fee > free) return refuse(step.margin, { reason: 'not_enough_funds' })
  return pass(entry)
}

function checkWithdraw(exchange: Exchange, command: Withdraw): Verdict<AddressRow> {
  const { currency, address, network, tag } = command
  const fee = feeOf(exchange, command)
  const choice = { currency, type: 'withdrawal', address, network, tag, id: null } as const
  return checkSent(exchange, command, { choice, fee })
}

function feeOf({ config }: Exchange, { currency }: Withdraw): bigint {
  return walletSettingsOf(config).fees[currency] ?? 0n
}

/** Starts the withdrawal. Events: `payment` unconfirmed; then those of its confirmation if the address needs none. */
function commitWithdraw(turn: Turn, command: Withdraw, entry: AddressRow): number {
  const { exchange } = turn
  const { wallets } = exchange
  assert(command.amount > 0n, 'a withdrawal has a positive amount')
  wallets.withdrawalCount += 1
  const payment: PaymentRow = {
    ...sentOf(exchange, command),
    type: 'withdrawal',
    payment: wallets.withdrawalCount,
    target: -1,
    fee: amount(feeOf(exchange, command)),
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

function checkTransfer(exchange: Exchange, command: SubmitTransfer): Verdict<Receiver> {
  const { currency, destination: address } = command
  const choice = {
    currency,
    type: 'transfer',
    address,
    network: null,
    tag: null,
    id: null,
  } as const
  const sent = checkSent(exchange, command, { choice, fee: 0n })
  if (!sent.ok) return sent
  const target = ownerOfAddress(exchange, currency, address)
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
  const { exchange } = turn
  assert(command.amount > 0n, 'a transfer has a positive amount')
  exchange.transferCount += 1
  const payment: PaymentRow = {
    ...sentOf(exchange, command),
    ...receiver,
    type: 'transfer',
    payment: exchange.transferCount,
    fee: amount(0n),
    priority: null,
    state: 'prepared',
  }
  startPayment(turn, payment)
  const { held } = exchange.wallets
  const waits = held ?? walletSettingsOf(exchange.config).holdsTransfers
  if (!waits) confirmTransfer(turn, payment, 'at_once')
  assert(waits === (payment.state === 'prepared'), 'a transfer waits while transfers are held')
  return payment.payment
}

/** The common fields of new withdrawals and transfers. */
function sentOf(
  { now }: Exchange,
  { account, currency, amount: paid, nonce }: Asked,
): Omit<PaymentRow, 'type' | 'payment' | 'target' | 'fee' | 'address' | 'priority' | 'state'> {
  return {
    account,
    currency,
    amount: paid,
    source: null,
    transaction: null,
    nonce,
    note: null,
    createdAt: now,
    confirmedAt: null,
    timer: null,
  }
}

export const withdrawalsHandlers: Handlers<'withdraw' | 'submit_transfer'> = {
  withdraw: seal({ check: checkWithdraw, commit: commitWithdraw }),
  submit_transfer: seal({ check: checkTransfer, commit: commitTransfer }),
}
