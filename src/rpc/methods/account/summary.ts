/**
 * private/get_account_summary. Source: market.md 5.3 (T62, T63); golden account-identities.
 */
import { z } from 'zod'
import { accountOf, type Exchange, selfTradingOf, viewWallet } from '../../../engine/index.ts'
import type { Account } from '../../../model/index.ts'
import { asker, defineMethod, queryOf } from '../../method.ts'
import { requestCurrency } from '../../params.ts'
import { balanceCut, balanceOut } from '../../wire/numbers.ts'

/** One currency of an account as JSON, in the digits of that currency. */
export type WireAccountSummary = {
  readonly currency: string
  readonly margin_model: string
} & { readonly [field: string]: number | string | boolean }

/** One currency of the account. */
export const getAccountSummary = defineMethod({
  kind: 'query',
  params: z.object({ currency: requestCurrency, extended: z.boolean().default(false) }),
  read: () => queryOf(null),
  reply: (context, params): WireAccountSummary => {
    const { currency } = params
    const account = accountOf(context.exchange, asker(context))
    const view = viewWallet(context.exchange, account.id, currency)
    const out = (money: bigint): number => balanceOut(currency, money)
    const withdrawable = lesser(view.balance, view.equity) - view.initialMargin - view.spotReserve
    return {
      currency,
      balance: out(view.balance),
      equity: out(view.equity),
      margin_balance: out(view.equity),
      initial_margin: out(view.initialMargin),
      maintenance_margin: out(view.maintenanceMargin),
      available_funds: out(view.equity - view.initialMargin),
      available_withdrawal_funds: balanceCut(currency, withdrawable > 0n ? withdrawable : 0n),
      session_rpl: out(view.sessionRealized),
      session_upl: out(view.sessionFloating),
      futures_session_rpl: out(view.sessionRealized),
      futures_session_upl: out(view.sessionFloating),
      futures_pl: out(view.totalProfit),
      options_session_rpl: 0,
      options_session_upl: 0,
      options_pl: 0,
      options_value: 0,
      total_pl: out(view.totalProfit),
      delta_total: out(view.delta),
      spot_reserve: out(view.spotReserve),
      additional_reserve: 0,
      fee_balance: 0,
      margin_model: account.marginModel,
      portfolio_margining_enabled: false,
      cross_collateral_enabled: false,
      ...(params.extended ? extendedOut(context.exchange, account) : {}),
    }
  },
})

/** What only the extended summary tells: who the account is, and its self-trading (trading.md 4.9). */
function extendedOut(
  exchange: Exchange,
  account: Account,
): { readonly [field: string]: number | string | boolean } {
  const { mode, extended } = selfTradingOf(exchange, account.id)
  return {
    id: account.id,
    type: account.main === account.id ? 'main' : 'subaccount',
    username: account.name,
    system_name: account.name,
    self_trading_reject_mode: mode,
    self_trading_extended_to_subaccounts: extended,
  }
}

/** Math.min takes no bigint. */
function lesser(a: bigint, b: bigint): bigint {
  if (a < b) return a
  return b
}
