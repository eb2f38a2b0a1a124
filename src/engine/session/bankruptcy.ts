/**
 * Bankruptcy: after a settlement the insurance fund pays every debt, and the winners of the day share
 * what it cannot bear. Cash below zero is a debt where the worth of the account's options does not cover it.
 *
 * The fund pays each debt in full and receives each tax, so that it keeps what rounding leaves; market.md
 * 3.7 lets the last payer take that difference, which would be a posting of what is missing (DESIGN 3).
 * What the day's profits do not cover stands as a negative balance of the fund. An account in debt shares
 * nothing, whatever it won that day, and no winner more than its cash: market.md takes the profit alone,
 * but where that has paid for cash below zero a tax on it would make the next debtor.
 *
 * Rule: bankruptcy.socialised. Source: market.md 3.7 (T47); S114.
 */
import { accountId, amount, type CurrencyId, setWideBigint } from '../../core/index.ts'
import { cashOf, optionsValueOf, postWideCash } from '../../ledger/index.ts'
import { currencyOf, insuranceAccount } from '../../model/index.ts'
import { shareLoss } from '../../settlement/index.ts'
import { nextEvent, type Turn } from '../emit.ts'
import { watchWallet } from '../liquidation/suspects.ts'
import { crossMargins } from '../margins/account-margins.ts'
import { type AccountRow, type Exchange, walletOf } from '../state/exchange.ts'

/** Pays the debts of a currency; `profits` are those of this settlement by account. */
export function settleDebts(
  turn: Turn,
  currency: CurrencyId,
  profits: ReadonlyMap<number, bigint>,
): void {
  const { exchange, sink } = turn
  const debts: { readonly account: number; readonly loss: bigint }[] = []
  const winners: { readonly account: number; readonly profit: bigint; readonly taxable: bigint }[] =
    []
  for (const owner of exchange.accounts) {
    const { account } = owner
    if (account.house) continue
    const cash = cashOf(exchange.ledger, walletOf(account.id, currency))
    const profit = profits.get(account.id) ?? 0n
    if (cash < 0n && isWorthless(exchange, owner, currency))
      debts.push({ account: account.id, loss: -cash })
    else if (profit > 0n && cash > 0n) {
      winners.push({ account: account.id, profit, taxable: profit < cash ? profit : cash })
    }
  }
  if (debts.length === 0) return
  const fund = walletOf(insuranceAccount, currency)
  const loss = debts.reduce((sum, debt) => sum + debt.loss, 0n)
  const shared = shareLoss({
    loss,
    fund: cashOf(exchange.ledger, fund),
    profits: winners.map(({ taxable }) => taxable),
  })
  const name = currencyOf(currency)
  for (const debt of debts) {
    transfer(exchange, { from: fund, to: walletOf(debt.account, currency), nano: debt.loss })
    sink.emit({
      kind: 'account_bankrupt',
      time: exchange.now,
      number: nextEvent(exchange),
      cause: turn.cause,
      account: accountId(debt.account),
      currency: name,
      loss: amount(debt.loss),
      sessionProfitLoss: amount(profits.get(debt.account) ?? 0n),
    })
  }
  let taxes = 0n
  for (const [at, { account, profit }] of winners.entries()) {
    const tax = shared.taxes[at] ?? 0n
    if (tax === 0n) continue
    taxes += tax
    const wallet = walletOf(account, currency)
    transfer(exchange, { from: wallet, to: fund, nano: tax })
    watchWallet(exchange, wallet)
    sink.emit({
      kind: 'loss_shared',
      time: exchange.now,
      number: nextEvent(exchange),
      cause: turn.cause,
      account: accountId(account),
      currency: name,
      sessionProfitLoss: amount(profit),
      tax: amount(tax),
      balance: amount(cashOf(exchange.ledger, wallet)),
    })
  }
  sink.emit({
    kind: 'bankruptcy_settled',
    time: exchange.now,
    number: nextEvent(exchange),
    cause: turn.cause,
    currency: name,
    loss: amount(loss),
    funded: amount(shared.funded),
    socialized: amount(shared.rest),
    tax: amount(taxes),
    taxRate9: shared.rate9,
    sessionProfitLoss: amount(shared.profit),
    fund: amount(cashOf(exchange.ledger, fund)),
  })
}

/**
 * Whether an account has nothing that could pay what it owes: not even the worth of its options, and not
 * in any currency where it has one margin for all of them.
 */
function isWorthless(exchange: Exchange, owner: AccountRow, currency: CurrencyId): boolean {
  if (owner.risk.isCross) return crossMargins(exchange, owner).equity < 0n
  const wallet = walletOf(owner.account.id, currency)
  return cashOf(exchange.ledger, wallet) + optionsValueOf(exchange.ledger, wallet) < 0n
}

/** Scratch register of this file. */
const TRANSFER = 0

/** Moves cash from one wallet to another. */
function transfer(
  { ledger, scratch }: Exchange,
  { from, to, nano }: { readonly from: number; readonly to: number; readonly nano: bigint },
): void {
  setWideBigint(scratch, TRANSFER, nano)
  postWideCash(ledger, from, { source: scratch, from: TRANSFER, sign: -1 })
  postWideCash(ledger, to, { source: scratch, from: TRANSFER, sign: 1 })
}
