/**
 * What of a currency an account may give away: for a spot order, or out of the exchange.
 *
 * Never more than its cash and its futures' profit of the session, nor than its margins leave; what its options
 * are worth is no money yet. Source: market.md 5.3 (`available_withdrawal_funds`), 6.4.
 */
import { type AccountId, type Amount, amount } from '../../core/index.ts'
import { cashOf } from '../../ledger/index.ts'
import { type Currency, currencyIdOf } from '../../model/index.ts'
import { type Exchange, walletOf } from '../state/exchange.ts'
import { marginsOf } from './account-margins.ts'

/** What an account could give of a currency, in nano; below nothing where its margins are not met. */
export function spendableOf(exchange: Exchange, account: AccountId, currency: Currency): bigint {
  const { available, equity, optionsValue, spotReserve } = marginsOf(exchange, account, currency)
  const held = equity - optionsValue - spotReserve
  if (available < held) return available
  return held
}

/**
 * What an account may take out of a currency: min(balance, margin balance) less initial margin and what spot
 * orders reserve, 0 at least. Profit of the session is no cash yet. Of cross margin, the margins of all its
 * currencies bind it, and a currency gives no more than its cash.
 */
export function withdrawableOf(exchange: Exchange, account: AccountId, currency: Currency): Amount {
  const wallet = walletOf(account, currencyIdOf(currency))
  const { ledger } = exchange
  const { available, initial, spotReserve, usd } = marginsOf(exchange, account, currency)
  const committed = usd === null ? initial : 0n
  const cash = cashOf(ledger, wallet) - committed - spotReserve
  const least = available < cash ? available : cash
  return amount(least < 0n ? 0n : least)
}
