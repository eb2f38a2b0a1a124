/**
 * Seizure: a bankrupt account whose currencies share their margin pays its debt in one with what it has in others.
 * The insurance fund takes that over at the indices, before it pays the rest (market.md 3.7, 6.4).
 *
 * What the whole account owes is counted in USD, so that an account keeps nothing of a currency while somebody
 * else pays its debt in another. Money is moved one currency at a time and none is made: the fund gives of
 * the one what it took of the other is worth, rounded in its favour.
 *
 * Rule: bankruptcy.seized. Assumed: currencies go by their ids, and the debt that is settled first is covered
 * first. Profit of a trading day that is still to be settled is taken in advance, since its cash follows. Orders of
 * spot end, because they would give what is no longer there. Options are not touched: rounds close them.
 */
import { amount, type CurrencyId, currencyId, divCeilBig, divFloorBig } from '../../core/index.ts'
import { cashOf, profitOf } from '../../ledger/index.ts'
import { currencies, currencyOf, insuranceAccount } from '../../model/index.ts'
import { type AccountRow, type Exchange, type Turn, walletRowOf } from '../state/index.ts'
import { freshenWallet, pendingOfWallet, usdIndex9 } from '../value/index.ts'
import { cancelWhere } from './cancelling.ts'
import { transferMoney } from './cash-transfer.ts'

/**
 * Covers a debt in a currency as far as an account is worth something in others. Events: `order` cancelled of
 * its spot orders, then for each currency `transfer` to the fund and back.
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

/** Worth of an account in a currency without its options: cash, and the profit of the trading day to the present. */
function worthIn(exchange: Exchange, owner: AccountRow, currency: CurrencyId): bigint {
  const wallet = walletRowOf(owner.account.id, currency)
  const { ledger } = exchange
  freshenWallet(exchange, wallet)
  return cashOf(ledger, wallet) + profitOf(ledger, wallet) + pendingOfWallet(exchange, owner, wallet)
}

function indexOf(exchange: Exchange, currency: CurrencyId): bigint {
  return BigInt(usdIndex9(exchange, currencyOf(currency)))
}
