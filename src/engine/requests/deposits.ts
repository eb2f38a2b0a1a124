/**
 * Deposit addresses, and deposits from outside.
 *
 * Rule: wallet.deposits. Source: sessions-blocks-gateways.md 6.4. Assumed: one new address of Bitcoin per day, one of
 * each other currency ever (11095); currencies of one chain share an address; a deposit uses the newest address.
 */
import { accountId, amount, assert, micros } from '../../core/index.ts'
import { type CreateDepositAddress, type Currency, type ReceiveDeposit, validationStep } from '../../model/index.ts'
import { addressOf, chainOf } from '../../wallet/index.ts'
import {
  type DepositAddressRow,
  type Exchange,
  eventHeader,
  pass,
  refuse,
  type Turn,
  type Verdict,
} from '../state/index.ts'
import { unknownTrader } from './address-book.ts'
import { badParam } from './argument-refusals.ts'
import { type Handlers, seal } from './handler.ts'
import { startPayment } from './payments.ts'

const step = validationStep
const DAY = 86_400_000_000

/** The newest deposit address of an account; undefined for none. */
export function depositAddressOf(
  { wallets }: Exchange,
  account: number,
  currency: Currency,
): DepositAddressRow | undefined {
  return wallets.depositAddresses.findLast((each) => each.account === account && each.currency === currency)
}

function checkCreate(exchange: Exchange, command: CreateDepositAddress): Verdict<null> {
  const { account, currency } = command
  const last = depositAddressOf(exchange, account, currency)
  const isSoon = last !== undefined && (currency !== 'BTC' || exchange.now < last.createdAt + DAY)
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

function checkReceive(exchange: Exchange, command: ReceiveDeposit): Verdict<string> {
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
  const { target: account, currency, source, transaction, note } = command
  assert(command.amount > 0n, 'a deposit has a positive amount')
  wallets.depositCount += 1
  startPayment(turn, {
    type: 'deposit',
    payment: wallets.depositCount,
    account,
    target: -1,
    currency,
    amount: command.amount,
    fee: amount(0n),
    address,
    source,
    transaction,
    priority: null,
    nonce: null,
    note,
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
