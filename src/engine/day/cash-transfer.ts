/**
 * Movements of money without a trade: from and to the outside, and between accounts for transfers of an owner, seizures
 * of a settlement, and costs of position transfers.
 */
import { type AccountId, type Amount, amount } from '../../core/index.ts'
import { cashOf, postCash } from '../../ledger/index.ts'
import { type Currency, currencyIdOf } from '../../model/index.ts'
import { type Exchange, eventHeader, type Turn, walletRowOf } from '../state/index.ts'
import { watchWallet } from '../value/index.ts'

/** Money that moves from one account to another. */
export interface MoneyTransfer {
  readonly source: AccountId
  readonly target: AccountId
  readonly currency: Currency
  readonly amount: Amount
  /** The name that the sender gave it, or null. */
  readonly nonce: string | null
  /** Its number, if a number was already assigned; otherwise it gets the next number. */
  readonly number?: number
}

/** Money that an account receives from outside; negative if it leaves. */
export interface OutsideMoney {
  readonly target: AccountId
  readonly currency: Currency
  readonly amount: Amount
}

/** Largest balance in nano: tables show money as 64-bit counts of 1e-9. */
export const BALANCE_MAX = 9_000_000_000_000_000_000n

/** True if the balance of the account stays within the limit after this change. */
export function fits({ ledger }: Exchange, { target, currency, amount: change }: OutsideMoney): boolean {
  return cashOf(ledger, walletRowOf(target, currencyIdOf(currency))) + change <= BALANCE_MAX
}

/** Posts money from or to the outside to an account, and marks the account for a margin check. Events: `cash`. */
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

/** Moves money from one account to another, and marks both for a margin check. Events: `transfer`. */
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
