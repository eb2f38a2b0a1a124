/**
 * Money that goes from one account to another by itself: what its owner moves, what a settlement seizes, what a
 * transfer of a position costs.
 */
import { type AccountId, type Amount, amount } from '../../core/index.ts'
import { cashOf, postCash } from '../../ledger/index.ts'
import { type Currency, currencyIdOf } from '../../model/index.ts'
import { type Exchange, eventHeader, type Turn, walletOf } from '../state/index.ts'
import { watchWallet } from '../value/index.ts'

/** Money that goes from one account to another. */
export interface MoneyTransfer {
  readonly source: AccountId
  readonly target: AccountId
  readonly currency: Currency
  readonly amount: Amount
  /** The name that its sender gave it, or null. */
  readonly nonce: string | null
}

/** Moves money from one account to another, whose margins may be looked at. Events: `transfer`. */
export function transferMoney(turn: Turn, transfer: MoneyTransfer): void {
  const { exchange } = turn
  const { source, target, currency, nonce } = transfer
  const from = walletOf(source, currencyIdOf(currency))
  const to = walletOf(target, currencyIdOf(currency))
  pay(exchange, { from, to, nano: transfer.amount })
  watchWallet(exchange, from)
  watchWallet(exchange, to)
  exchange.transferCount += 1
  turn.sink.emit({
    kind: 'transfer',
    ...eventHeader(turn),
    transfer: exchange.transferCount,
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
