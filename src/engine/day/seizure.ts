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
import { amount, type CurrencyId, currencyId, divCeilBig, divFloorBig } from '../../core/index.ts'
import { cashOf, profitOf } from '../../ledger/index.ts'
import { currencies, currencyOf, insuranceAccount } from '../../model/index.ts'
import { type AccountRow, type Exchange, type Turn, walletRowOf } from '../state/index.ts'
import { freshenWallet, pendingOfWallet, usdIndex9 } from '../value/index.ts'
import { cancelWhere } from './cancelling.ts'
import { transferMoney } from './cash-transfer.ts'

/**
 * Covers a debt in a currency with the value of an account in other currencies. Events: `order` cancelled of its spot
 * orders, then for each currency `transfer` to the fund and back.
 */
export function seizeFor(turn: Turn, owner: AccountRow, currency: CurrencyId): void {
  const { exchange } = turn
  const account = owner.account.id
  const index = indexOf(exchange, currency)
  if (index === 0n) return
  cancelWhere(turn, { account, reason: 'autoliquidation', isMeant: ({ base }) => base >= 0 })
  for (const [at, name] of currencies.entries()) {
    const debt = -cashOf(exchange.ledger, walletRowOf(account, currency))
    if (debt <= 0n) return
    const other = currencyId(at)
    const had = worthIn(exchange, owner, other)
    const price = indexOf(exchange, other)
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
  const { ledger } = exchange
  freshenWallet(exchange, wallet)
  return cashOf(ledger, wallet) + profitOf(ledger, wallet) + pendingOfWallet(exchange, owner, wallet)
}

function indexOf(exchange: Exchange, currency: CurrencyId): bigint {
  return BigInt(usdIndex9(exchange, currencyOf(currency)))
}
