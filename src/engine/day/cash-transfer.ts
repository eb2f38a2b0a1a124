/**
 * Money that moves by itself: from and to the outside, and from one account to another: what its owner moves, what a
 * settlement seizes, what a transfer of a position costs.
 */
import { type AccountId, type Amount, amount } from '../../core/index.ts'
import { cashOf, postCash } from '../../ledger/index.ts'
import { type Currency, currencyIdOf } from '../../model/index.ts'
import { type Exchange, eventHeader, type Turn, walletRowOf } from '../state/index.ts'
import { watchWallet } from '../value/index.ts'

/** Money that goes from one account to another. */
export interface MoneyTransfer {
  readonly source: AccountId
  readonly target: AccountId
  readonly currency: Currency
  readonly amount: Amount
  /** The name that its sender gave it, or null. */
  readonly nonce: string | null
  /** The number that it has already; left out where it gets the next one. */
  readonly number?: number
}

/** Money that comes to an account from outside; where it is negative it goes there. */
export interface OutsideMoney {
  readonly target: AccountId
  readonly currency: Currency
  readonly amount: Amount
}

/** Largest balance in nano: tables show money as 64-bit counts of 1e-9. */
export const BALANCE_MAX = 9_000_000_000_000_000_000n

/** True if an account can hold money that comes to it. */
export function fits({ ledger }: Exchange, { target, currency, amount: change }: OutsideMoney): boolean {
  return cashOf(ledger, walletRowOf(target, currencyIdOf(currency))) + change <= BALANCE_MAX
}

/** Posts money from or to the outside to an account, whose margin may be looked at. Events: `cash`. */
export function postOutside(turn: Turn, money: OutsideMoney): void {
  const { exchange } = turn
  const { target, currency, amount: change } = money
  const wallet = walletRowOf(target, currencyIdOf(currency))
  postCash(exchange.ledger, wallet, change)
  watchWallet(exchange, wallet)
  turn.log.append({
    kind: 'cash',
    ...eventHeader(turn),
    account: target,
    currency,
    change,
    balance: amount(cashOf(exchange.ledger, wallet)),
  })
}

/** Moves money from one account to another, whose margins may be looked at. Events: `transfer`. */
export function transferMoney(turn: Turn, transfer: MoneyTransfer): void {
  const { exchange } = turn
  const { source, target, currency, nonce } = transfer
  const from = walletRowOf(source, currencyIdOf(currency))
  const to = walletRowOf(target, currencyIdOf(currency))
  pay(exchange, { from, to, nano: transfer.amount })
  watchWallet(exchange, from)
  watchWallet(exchange, to)
  if (transfer.number === undefined) exchange.transferCount += 1
  turn.log.append({
    kind: 'transfer',
    ...eventHeader(turn),
    transfer: transfer.number ?? exchange.transferCount,
    from: source,
    to: target,
    currency,
    amount: transfer.amount,
    nonce,
    fromBalance: amount(cashOf(exchange.ledger, from)),
    toBalance: amount(cashOf(exchange.ledger, to)),
  })
}

/** Moves cash from one wallet to another. */
export function pay(
  { ledger }: Exchange,
  { from, to, nano }: { readonly from: number; readonly to: number; readonly nano: bigint },
): void {
  if (nano === 0n) return
  postCash(ledger, from, -nano)
  postCash(ledger, to, nano)
}
