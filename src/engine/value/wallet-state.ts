/**
 * State of a wallet, and its free amount under segregated standard margin: the inputs of the margin models.
 */
import { divFloor, modFloor, type Nano, NEAR_LOSS, setWideBigint, subtractWide } from '../../core/index.ts'
import { cashOf, marginBalanceAtLeast, optionsValueOf, profitOf, setMarginBalance } from '../../ledger/index.ts'
import { committedAtMost, readTotals, subtractCommitted } from '../../margin/index.ts'
import { CURRENCY_SLOTS } from '../../model/index.ts'
import { type AccountRow, accountRow, type Exchange, walletRowOf } from '../state/index.ts'
import { addPending, pendingOfWallet } from './funding.ts'
import { heldForGroups } from './mmp-margin.ts'
import { updateSkippedOfWallet } from './skipped-revaluations.ts'

/** Amounts of a wallet, in nano, including funding up to the current time. */
export interface WalletState {
  readonly wallet: number
  readonly balance: bigint
  readonly equity: bigint
  readonly optionsValue: bigint
  /** Reserve for open buys of options. */
  readonly premium: bigint
  readonly spotReserve: bigint
}

/** Scratch register of this file. */
const HELD = 8

/** The state of an account's wallet in a currency. */
export function walletState(exchange: Exchange, owner: AccountRow, currency: number): WalletState {
  const wallet = walletRowOf(owner.account.id, currency)
  updateSkippedOfWallet(exchange, wallet)
  const balance = cashOf(exchange.ledger, wallet)
  const optionsValue = optionsValueOf(exchange.ledger, wallet)
  const pending = pendingOfWallet(exchange, owner, wallet)
  const { premium, reserve } = readTotals(exchange.margin, wallet)
  return {
    wallet,
    balance,
    equity: balance + profitOf(exchange.ledger, wallet) + pending + optionsValue,
    optionsValue,
    premium,
    spotReserve: reserve,
  }
}

/** Amount of a wallet that is held for market-maker protection. */
export function heldIn(exchange: Exchange, owner: AccountRow, wallet: number): bigint {
  if (owner.mmpGroups.length === 0) return 0n
  return heldForGroups(exchange, owner, modFloor(wallet, CURRENCY_SLOTS))
}

/**
 * True if doubles show that a wallet under segregated standard margin has the needed amount free. `setFree` computes
 * cases in doubt exactly, so that doubles never refuse an order.
 */
export function isSurelyFree(exchange: Exchange, owner: AccountRow, currency: number, rise: Nano): boolean {
  if (typeof rise === 'bigint' || owner.mmpGroups.length > 0 || owner.fundable.length > 0) return false
  const wallet = walletRowOf(owner.account.id, currency)
  updateSkippedOfWallet(exchange, wallet)
  return (
    marginBalanceAtLeast(exchange.ledger, wallet) - committedAtMost(exchange.margin, wallet) > rise * (1 + NEAR_LOSS)
  )
}

/**
 * Sets a scratch register to the free amount of a wallet under segregated standard margin (balance and profit of the
 * day less initial margin and spot reserve, in nano), including funding up to the current time.
 */
export function setFree(exchange: Exchange, at: number, wallet: number): void {
  const { scratch, ledger, margin } = exchange
  updateSkippedOfWallet(exchange, wallet)
  setMarginBalance(scratch, at, ledger, wallet)
  subtractCommitted(scratch, at, margin, wallet)
  const account = accountRow(exchange, divFloor(wallet, CURRENCY_SLOTS))
  if (account.mmpGroups.length > 0) {
    setWideBigint(scratch, HELD, heldIn(exchange, account, wallet))
    subtractWide(scratch, at, scratch, HELD)
  }
  addPending(scratch, at, exchange, account, wallet)
}
