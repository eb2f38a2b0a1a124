/**
 * private/get_account_summary and get_account_summaries.
 *
 * Not there yet: greeks and values of options, and estimates of liquidation.
 * Source: market.md 5.3 (T62, T63); coverage R63; golden account-identities.
 */
import { z } from 'zod'
import { amount } from '../../../core/index.ts'
import {
  accountOf,
  allInstruments,
  type Exchange,
  openPositions,
  type PositionView,
  selfTradingOf,
  viewPosition,
  viewWallet,
} from '../../../engine/index.ts'
import {
  type Account,
  amount9OfLots,
  type Currency,
  currencies,
  neverExpires,
} from '../../../model/index.ts'
import { defineMethod, queryOf } from '../../method.ts'
import { requestCurrency } from '../../params.ts'
import { balanceCut, balanceOut, moneyOut } from '../../wire/numbers.ts'
import { ownerFault, ownerOf, subaccountId } from './owner.ts'

/** One currency of an account as JSON, in the digits of that currency. */
export type WireAccountSummary = {
  readonly currency: string
  readonly margin_model: string
  /** Delta of futures by index, in coin. */
  readonly delta_total_map: { readonly [index: string]: number }
} & {
  readonly [field: string]: number | string | boolean | { readonly [index: string]: number }
}

/** An account with its currencies. */
export type WireAccountSummaries = {
  readonly summaries: readonly WireAccountSummary[]
} & { readonly [field: string]: unknown }

/** One currency of the account. */
export const getAccountSummary = defineMethod({
  kind: 'query',
  params: z.object({
    currency: requestCurrency,
    extended: z.boolean().default(false),
    subaccount_id: subaccountId,
  }),
  read: (context, params) => queryOf(ownerFault(context, params)),
  reply: (context, params): WireAccountSummary => {
    const account = accountOf(context.exchange, ownerOf(context, params))
    const summary = summaryOut(context.exchange, account, params.currency)
    return params.extended ? { ...summary, ...extendedOut(context.exchange, account) } : summary
  },
})

/** Every currency that requests name, and what else the account holds. */
export const getAccountSummaries = defineMethod({
  kind: 'query',
  params: z.object({ extended: z.boolean().default(false), subaccount_id: subaccountId }),
  read: (context, params) => queryOf(ownerFault(context, params)),
  reply: (context, params): WireAccountSummaries => {
    const { exchange } = context
    const account = accountOf(exchange, ownerOf(context, params))
    const named: readonly string[] = requestCurrency.options
    const summaries = currencies
      .filter((each) => named.includes(each) || isHeld(exchange, account, each))
      .map((each) => summaryOut(exchange, account, each))
    return { ...(params.extended ? extendedOut(exchange, account) : {}), summaries }
  },
})

function isHeld(exchange: Exchange, { id }: Account, currency: Currency): boolean {
  const { balance, equity } = viewWallet(exchange, id, currency)
  return balance !== 0n || equity !== 0n
}

function summaryOut(exchange: Exchange, account: Account, currency: Currency): WireAccountSummary {
  const view = viewWallet(exchange, account.id, currency)
  const out = (money: bigint): number => balanceOut(currency, money)
  const withdrawable = lesser(view.balance, view.equity) - view.initialMargin - view.spotReserve
  const near = nearestOf(exchange, account, currency)
  return {
    currency,
    balance: out(view.balance),
    equity: out(view.equity),
    margin_balance: out(view.equity),
    initial_margin: out(view.initialMargin),
    maintenance_margin: out(view.maintenanceMargin),
    available_funds: out(view.equity - view.initialMargin),
    available_withdrawal_funds: balanceCut(currency, withdrawable > 0n ? withdrawable : 0n),
    projected_initial_margin: out(view.initialMargin - near.initial),
    projected_maintenance_margin: out(view.maintenanceMargin - near.maintenance),
    projected_delta_total: out(view.delta - near.delta),
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
    delta_total_map: deltasOf(exchange, account, currency),
    spot_reserve: out(view.spotReserve),
    additional_reserve: 0,
    locked_balance: 0,
    fee_balance: 0,
    margin_model: account.marginModel,
    portfolio_margining_enabled: false,
    cross_collateral_enabled: false,
  }
}

/** What the positions and orders of the nearest expiry add: without it figures are `projected`. */
function nearestOf(
  exchange: Exchange,
  { id }: Account,
  currency: Currency,
): { readonly initial: bigint; readonly maintenance: bigint; readonly delta: bigint } {
  const dated = allInstruments(exchange)
    .filter((each) => each.settlementCurrency === currency && each.kind === 'future')
    .filter(({ expiration }) => expiration !== neverExpires)
    .map((each) => viewPosition(exchange, id, each.id))
    .filter(({ size, initialMargin }) => size !== 0 || initialMargin !== 0n)
  const nearest = Math.min(...dated.map(({ instrument }) => instrument.expiration))
  const sums = { initial: 0n, maintenance: 0n, delta: 0n }
  for (const position of dated) {
    if (position.instrument.expiration !== nearest) continue
    sums.initial += position.initialMargin
    sums.maintenance += position.maintenanceMargin
    if (position.instrument.payoff === 'inverse') sums.delta += position.sizeAtMark
  }
  return sums
}

/** Futures delta by index, in coin. */
function deltasOf(
  exchange: Exchange,
  { id }: Account,
  currency: Currency,
): { readonly [index: string]: number } {
  const deltas = new Map<string, bigint>()
  for (const position of openPositions(exchange, id)) {
    const { instrument } = position
    if (instrument.settlementCurrency !== currency || instrument.kind !== 'future') continue
    const before = deltas.get(instrument.priceIndex) ?? 0n
    deltas.set(instrument.priceIndex, before + coinOf(position))
  }
  return Object.fromEntries([...deltas].map(([index, delta]) => [index, moneyOut(amount(delta))]))
}

function coinOf({ instrument, size, sizeAtMark }: PositionView): bigint {
  return instrument.payoff === 'inverse' ? sizeAtMark : amount9OfLots(instrument, size)
}

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
