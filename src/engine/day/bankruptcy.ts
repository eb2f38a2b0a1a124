/**
 * Bankruptcy: after a settlement the insurance fund pays every debt, and the accounts with a profit that day share the
 * loss that the fund cannot cover. Cash below zero is a debt if the value of the account's options does not cover it.
 *
 * The fund pays each debt in full and receives exactly the shared loss. Each winner pays a separately rounded tax to
 * the rounding account. That account gives the fund its part and keeps the residue of rounding, of either sign. A loss
 * above the day's profits remains as a negative balance of the fund. An account in debt shares nothing, whatever its
 * profit that day, and no winner pays more than its cash: market.md taxes the whole profit, but if the profit has
 * covered cash below zero, a tax on it would create the next debtor. If the currencies of an account share their
 * margin, its money in other currencies pays first (`seizeFor`).
 *
 * The venue resets equity to zero, not cash: a part of the debt as large as the value of the account's options remains,
 * and liquidation rounds sell these options. Otherwise the account would keep options that others paid for.
 *
 * Money is in 1e-9 of one currency. `shareLoss` rounds each tax separately, half away from zero, so the sum of the
 * taxes may differ from `taken` by half a unit for each winner. The rounding account receives that difference.
 *
 * Rule: bankruptcy.socialised. Source: market.md 3.7 (T47); S114.
 */
import {
  type Amount,
  accountId,
  amount,
  assert,
  type CurrencyId,
  currencyId,
  divCeilBig,
  divFloorBig,
  divHalfAwayBig,
  safeNumber,
} from '../../core/index.ts'
import { cashOf, optionsValueOf, profitOf } from '../../ledger/index.ts'
import { currencies, currencyOf, insuranceAccount, roundingAccount } from '../../model/index.ts'
import { type AccountRow, type Exchange, eventHeader, type Turn, walletRowOf } from '../state/index.ts'
import { modelOf, pendingOfWallet, suspectWalletOwner, updateSkippedOfWallet, usdIndex9 } from '../value/index.ts'
import { cancelWhere } from './day-orders.ts'
import { pay, transferMoney } from './transfers.ts'

/** Pays the debts of a currency; `profits` are the profits of this settlement by account. */
export function settleDebts(turn: Turn, currency: CurrencyId, profits: ReadonlyMap<number, bigint>): void {
  const { exchange, log } = turn
  const fund = walletRowOf(insuranceAccount, currency)
  // Taken before the fund pays for seized currencies, because these payments are not a loss of the fund.
  const fundBefore = cashOf(exchange.ledger, fund)
  const debts = debtsIn(turn, currency)
  if (debts.length === 0) return
  const winners = winnersOf(exchange, currency, profits)
  const loss = debts.reduce((sum, debt) => sum + debt.loss, 0n)
  const shared = shareLoss(
    loss,
    fundBefore,
    winners.map(({ taxable }) => taxable),
  )
  const name = currencyOf(currency)
  for (const debt of debts) {
    pay(exchange, fund, walletRowOf(debt.account, currency), debt.loss)
    log.append({
      kind: 'bankruptcy',
      ...eventHeader(turn),
      account: accountId(debt.account),
      currency: name,
      loss: amount(debt.loss),
      sessionProfitLoss: amount(profits.get(debt.account) ?? 0n),
      balance: amount(cashOf(exchange.ledger, walletRowOf(debt.account, currency))),
    })
  }
  const rounding = walletRowOf(roundingAccount, currency)
  let taxes = 0n
  for (const [at, { account, profit }] of winners.entries()) {
    const tax = shared.taxes[at] ?? 0n
    if (tax === 0n) continue
    taxes += tax
    const wallet = walletRowOf(account, currency)
    pay(exchange, wallet, rounding, tax)
    exchange.roundings[currency] = (exchange.roundings[currency] ?? 0) + 1
    suspectWalletOwner(exchange, wallet)
    log.append({
      kind: 'shared_loss',
      ...eventHeader(turn),
      account: accountId(account),
      currency: name,
      sessionProfitLoss: amount(profit),
      tax: amount(tax),
      balance: amount(cashOf(exchange.ledger, wallet)),
    })
  }
  pay(exchange, rounding, fund, shared.taken)
  log.append({
    kind: 'currency_bankruptcy',
    ...eventHeader(turn),
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

/** A debt that an account cannot pay. */
interface Debt {
  readonly account: number
  readonly loss: bigint
}

/** Accounts in debt after the money of cross accounts in other currencies has paid its part. */
function debtsIn(turn: Turn, currency: CurrencyId): readonly Debt[] {
  const debts: Debt[] = []
  for (const owner of turn.exchange.accounts) {
    const { house, id } = owner.account
    const wallet = walletRowOf(id, currency)
    if (house || cashOf(turn.exchange.ledger, wallet) >= 0n) continue
    if (!isWorthless(turn.exchange, owner, currency)) continue
    if (modelOf(owner).shared !== null) seizeFor(turn, owner, currency)
    const cash = cashOf(turn.exchange.ledger, wallet)
    const equity = equityOf(turn.exchange, owner, currency)
    const loss = cash > equity ? -cash : -equity
    if (loss > 0n) debts.push({ account: id, loss })
  }
  return debts
}

/** Accounts with a profit on this day that still have cash. */
function winnersOf(
  exchange: Exchange,
  currency: CurrencyId,
  profits: ReadonlyMap<number, bigint>,
): readonly { readonly account: number; readonly profit: bigint; readonly taxable: bigint }[] {
  const winners: { readonly account: number; readonly profit: bigint; readonly taxable: bigint }[] = []
  for (const owner of exchange.accounts) {
    const { house, id } = owner.account
    const profit = profits.get(id) ?? 0n
    const cash = cashOf(exchange.ledger, walletRowOf(id, currency))
    if (house || profit <= 0n || cash <= 0n) continue
    // Its money in this currency pays its debt in a currency that is settled later.
    if ((modelOf(owner).shared?.totals(exchange, owner).equity ?? 0n) < 0n) continue
    winners.push({ account: id, profit, taxable: profit < cash ? profit : cash })
  }
  return winners
}

/**
 * True if an account has nothing left to pay its debt with, including the value of its options. For an account with one
 * margin for all currencies, all of them count.
 */
function isWorthless(exchange: Exchange, owner: AccountRow, currency: CurrencyId): boolean {
  const { shared } = modelOf(owner)
  const equity = shared?.totals(exchange, owner).equity ?? equityOf(exchange, owner, currency)
  return equity < 0n
}

const NANO = 1_000_000_000n

/**
 * Equity of an account at its settlement, in nano of a currency: the equity in this currency, or, if the currencies
 * share their margin, in all of them, rounded down. If the currency has no price, only its cash is known.
 */
function equityOf(exchange: Exchange, owner: AccountRow, currency: CurrencyId): bigint {
  const wallet = walletRowOf(owner.account.id, currency)
  const cash = cashOf(exchange.ledger, wallet)
  const { shared } = modelOf(owner)
  if (shared === null) updateSkippedOfWallet(exchange, wallet)
  if (shared === null) return cash + optionsValueOf(exchange.ledger, wallet)
  const index9 = indexOf(exchange, currency)
  if (index9 === 0n) return cash
  return divFloorBig(shared.totals(exchange, owner).equity * NANO, index9)
}

/**
 * Seizure: if the currencies of a bankrupt account share their margin, its money in other currencies pays its debt in
 * one. The insurance fund takes that money over at the index prices, before it pays the rest (market.md 3.7, 6.4).
 *
 * The debt of the whole account is counted in USD, so that an account keeps no money in one currency while others pay
 * its debt in another. The money moves one currency at a time, and none is created: for the money that the fund takes
 * in one currency, it gives the same value in the other, rounded in its favour.
 *
 * Rule: bankruptcy.seized. Assumed: currencies are taken in the order of their ids, and the debt that is settled first
 * is covered first. Profit of a trading day that is not settled yet is taken in advance, because its cash follows. Spot
 * orders are cancelled, because the account no longer has the money for them. Options are not seized: liquidation
 * rounds close them.
 */

/**
 * Covers a debt in a currency with the value of an account in other currencies. Events: `order` cancelled of its spot
 * orders, then for each currency `transfer` to the fund and back.
 */
function seizeFor(turn: Turn, owner: AccountRow, currency: CurrencyId): void {
  const account = owner.account.id
  const index = indexOf(turn.exchange, currency)
  if (index === 0n) return
  cancelWhere(turn, account, 'autoliquidation', ({ base }) => base >= 0)
  for (const [at, name] of currencies.entries()) {
    const debt = -cashOf(turn.exchange.ledger, walletRowOf(account, currency))
    if (debt <= 0n) return
    const other = currencyId(at)
    const had = worthIn(turn.exchange, owner, other)
    const price = indexOf(turn.exchange, other)
    if (other === currency || had <= 0n || price === 0n) continue
    const worth = divFloorBig(had * price, index)
    const needed = divCeilBig(debt * index, price)
    const isEnough = worth >= debt
    const taken = isEnough ? needed : had
    const given = isEnough ? debt : worth
    const fund = insuranceAccount
    transferMoney(turn, {
      source: account,
      target: fund,
      currency: name,
      amount: amount(taken),
      nonce: null,
    })
    if (given === 0n) continue
    transferMoney(turn, {
      source: fund,
      target: account,
      currency: currencyOf(currency),
      amount: amount(given),
      nonce: null,
    })
  }
}

/** Value of an account in a currency without its options: cash, and the profit of the trading day so far. */
function worthIn(exchange: Exchange, owner: AccountRow, currency: CurrencyId): bigint {
  const wallet = walletRowOf(owner.account.id, currency)
  updateSkippedOfWallet(exchange, wallet)
  return cashOf(exchange.ledger, wallet) + profitOf(exchange.ledger, wallet) + pendingOfWallet(exchange, owner, wallet)
}

function indexOf(exchange: Exchange, currency: CurrencyId): bigint {
  return BigInt(usdIndex9(exchange, currencyOf(currency)))
}

/** The parts of a shared loss. */
interface SharedLoss {
  /** Part of the loss that the fund can pay. */
  readonly funded: Amount
  /** The part for accounts with a profit. */
  readonly rest: Amount
  /** Part of the rest that they bear: all of it, or all their profits. */
  readonly taken: Amount
  /** Sum of all profits above 0. */
  readonly profit: Amount
  /** Taken share of each profit, in 1e-9; 1 at most, and 0 without profits. */
  readonly rate9: number
  /** Tax on each profit, in the order of `profits`; never more than the profit. */
  readonly taxes: readonly Amount[]
}

const RATE_SCALE = 1_000_000_000n

/** Shares a loss between a fund, which may be empty or overdrawn, and profits of any sign. */
export function shareLoss(loss: bigint, fund: bigint, profits: readonly bigint[]): SharedLoss {
  assert(loss >= 0n, 'a loss is not negative')
  const payable = fund > 0n ? fund : 0n
  const funded = loss < payable ? loss : payable
  const rest = loss - funded
  let profit = 0n
  for (const each of profits) if (each > 0n) profit += each
  const taken = rest < profit ? rest : profit
  return {
    funded: amount(funded),
    rest: amount(rest),
    taken: amount(taken),
    profit: amount(profit),
    rate9: profit === 0n ? 0 : safeNumber(divHalfAwayBig(taken * RATE_SCALE, profit)),
    taxes: profits.map((each) => taxOf(each, taken, profit)),
  }
}

/** Tax on one profit. If the rest exceeds all profits, `taken` is their sum and the tax is the whole profit. */
function taxOf(each: bigint, taken: bigint, profit: bigint): Amount {
  if (each <= 0n || taken === 0n) return amount(0n)
  return amount(divHalfAwayBig(each * taken, profit))
}
