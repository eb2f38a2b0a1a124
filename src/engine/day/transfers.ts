/**
 * Moves a position, or a part of it, to another account at a price, without an order and without a trading fee. Both
 * sides are booked like a fill, a commission is paid, and reduce-only orders are adjusted. For spot, coins and money
 * change hands.
 *
 * Rule: position.transfer. Source: market.md 6.6; sessions-blocks-gateways.md 7.1; R03, R54.
 */

import { NO_SLOT } from '../../book/index.ts'
import { type AccountId, type Amount, accountId, amount, lots, type Price9 } from '../../core/index.ts'
import { cashOf, postCash, pricedTerms } from '../../ledger/index.ts'
import {
  type Currency,
  currencyIdOf,
  insuranceAccount,
  type TransferReason,
  type TransferSide,
} from '../../model/index.ts'
import { type Booked, baseCashOf, bookFill, feeCurrencyOf, reallocate } from '../market/index.ts'
import { type Exchange, eventHeader, type HoldingRow, type Turn, walletRowOf } from '../state/index.ts'
import { refreshMargin, suspectWalletOwner } from '../value/index.ts'

/** A position that changes hands. */
interface Transfer {
  readonly reason: TransferReason
  readonly from: HoldingRow
  readonly to: HoldingRow
  /** Signed size that `from` gives. */
  readonly lots: number
  readonly price: Price9
  /**
   * Commission that `from` pays, and the part that `to` receives; the insurance fund receives the rest. In nano; for
   * spot in the currency that `from` receives.
   */
  readonly commission: bigint
  readonly commissionToTarget: bigint
}

/** Money that moves from one account to another. */
interface MoneyTransfer {
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
interface OutsideMoney {
  readonly target: AccountId
  readonly currency: Currency
  readonly amount: Amount
}

/** Carries out a transfer. Events: `funding` of both, `position_transfer`, then those of reduce-only orders. */
export function transferPosition(turn: Turn, transfer: Transfer): void {
  const { exchange } = turn
  const { from, to, price, reason, commission, commissionToTarget } = transfer
  const { row } = from
  const priced = pricedTerms(row.terms, price)
  const size = Math.abs(transfer.lots)
  const isLong = transfer.lots > 0
  const direction = isLong ? 'sell' : 'buy'
  const gives = bookFill(turn, { row, owner: from, direction, lots: size, priced })
  const takes = bookFill(turn, {
    row,
    owner: to,
    direction: isLong ? 'buy' : 'sell',
    lots: size,
    priced,
  })
  const currency = feeCurrencyOf(row, direction)
  const payer = walletRowOf(from.account, currency)
  const fund = walletRowOf(insuranceAccount, currency)
  pay(exchange, payer, walletRowOf(to.account, currency), commissionToTarget)
  pay(exchange, payer, fund, commission - commissionToTarget)
  refreshMargin(exchange, from)
  refreshMargin(exchange, to)
  turn.log.append({
    kind: 'position_transfer',
    ...eventHeader(turn),
    reason,
    instrument: row.instrument.id,
    price,
    amount: lots(transfer.lots),
    from: sideOf(exchange, from, gives),
    to: sideOf(exchange, to, takes),
    commission: amount(commission),
    commissionToTarget: amount(commissionToTarget),
    fromBase: baseCashOf(exchange, row, from.account),
    toBase: baseCashOf(exchange, row, to.account),
  })
  reallocate(turn, from, NO_SLOT)
  reallocate(turn, to, NO_SLOT)
}

function sideOf(exchange: Exchange, owner: HoldingRow, booked: Booked): TransferSide {
  return {
    account: accountId(owner.account),
    realized: amount(BigInt(booked.realized)),
    premium: amount(BigInt(booked.premium)),
    balance: amount(cashOf(exchange.ledger, owner.wallet)),
    position: lots(booked.position),
  }
}

/**
 * Movements of money without a trade: from and to the outside, and between accounts for transfers of an owner, seizures
 * of a settlement, and costs of position transfers.
 */

/** Largest balance in nano: tables show money as 64-bit counts of 1e-9. */
export const BALANCE_MAX = 9_000_000_000_000_000_000n

/** True if the balance of the account stays within the limit after this change. */
export function fits(exchange: Exchange, money: OutsideMoney): boolean {
  return cashOf(exchange.ledger, walletRowOf(money.target, currencyIdOf(money.currency))) + money.amount <= BALANCE_MAX
}

/**
 * Largest sum of all balances of a currency in nano. Trades, settlements and deliveries only exchange money, so none of
 * them takes a balance above the 64 bits of an event.
 */
const TOTAL_MAX = 9_200_000_000_000_000_000n

/** The problem with money that an account receives; null if it fits. */
export function balanceProblem(exchange: Exchange, money: OutsideMoney): string | null {
  return fits(exchange, money) ? null : 'the balance would be above 9 billion units'
}

/** The problem with money that comes from the outside; null if it fits. */
export function outsideProblem(exchange: Exchange, money: OutsideMoney): string | null {
  const own = balanceProblem(exchange, money)
  if (own !== null) return own
  const total = money.amount + (exchange.outsideCash[currencyIdOf(money.currency)] ?? 0n)
  return total <= TOTAL_MAX ? null : 'the balances of all accounts would be above 9.2 billion units'
}

/** Posts money from or to the outside to an account, and marks the account for a margin check. Events: `cash`. */
export function postOutside(turn: Turn, money: OutsideMoney): void {
  const currency = currencyIdOf(money.currency)
  const wallet = walletRowOf(money.target, currency)
  postCash(turn.exchange.ledger, wallet, money.amount)
  turn.exchange.outsideCash[currency] = (turn.exchange.outsideCash[currency] ?? 0n) + money.amount
  suspectWalletOwner(turn.exchange, wallet)
  turn.log.append({
    kind: 'cash',
    ...eventHeader(turn),
    account: money.target,
    currency: money.currency,
    change: money.amount,
    balance: amount(cashOf(turn.exchange.ledger, wallet)),
  })
}

/** Moves money from one account to another, and marks both for a margin check. Events: `transfer`. */
export function transferMoney(turn: Turn, transfer: MoneyTransfer): void {
  const { source, target, currency, nonce } = transfer
  const from = walletRowOf(source, currencyIdOf(currency))
  const to = walletRowOf(target, currencyIdOf(currency))
  pay(turn.exchange, from, to, transfer.amount)
  suspectWalletOwner(turn.exchange, from)
  suspectWalletOwner(turn.exchange, to)
  if (transfer.number === undefined) turn.exchange.transferCount += 1
  turn.log.append({
    kind: 'transfer',
    ...eventHeader(turn),
    transfer: transfer.number ?? turn.exchange.transferCount,
    from: source,
    to: target,
    currency,
    amount: transfer.amount,
    nonce,
    fromBalance: amount(cashOf(turn.exchange.ledger, from)),
    toBalance: amount(cashOf(turn.exchange.ledger, to)),
  })
}

/** Moves cash from one wallet to another. */
export function pay({ ledger }: Exchange, from: number, to: number, nano: bigint): void {
  if (nano === 0n) return
  postCash(ledger, from, -nano)
  postCash(ledger, to, nano)
}
