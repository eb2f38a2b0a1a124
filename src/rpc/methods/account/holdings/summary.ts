/**
 * private/get_account_summary and get_account_summaries.
 *
 * Source: market.md 5.3 (T62, T63), 6.4; coverage R56, R63; golden account-identities. Deltas of an account have 6
 * decimals, deltas by index 9, and greeks 5 (observed).
 */
import { divHalfAwayBig, divNearest, scaledToNumber, z } from '../../../../core/index.ts'
import {
  accountOf,
  type CrossFigures,
  type Exchange,
  estimatedLiquidation,
  heldPositions,
  type MarginFigures,
  type PositionView,
  projectedMargins,
  usdPrice,
  viewMarginModel,
  viewMargins,
  viewWallet,
  withdrawableOf,
} from '../../../../engine/index.ts'
import { type Account, type Currency, currencies } from '../../../../model/index.ts'
import { balanceCut, balanceOut, digitsOut, greekOut } from '../../../wire/index.ts'
import { defineMethod, queryOf } from '../../method.ts'
import { requestCurrency } from '../../params.ts'
import { ownerFault, ownerOfRecords, subaccountId } from '../owner.ts'
import { type ByIndex, type Figures, positionFigures, sumOfIndices } from './figures.ts'
import { extendedCurrencyOut, extendedOut } from './summary-extended.ts'
import type {
  IndexMap,
  WireAccountSummaries,
  WireAccountSummary,
  WireFunds,
  WireLiquidationRatios,
  WireOptionGreeks,
  WireProfits,
  WireProjected,
  WireTotals,
} from './summary-types.ts'

/** The account summary in one currency. */
const getAccountSummary = defineMethod({
  scope: 'account:read',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({
    currency: requestCurrency,
    extended: z.boolean().default(false).describe('true if the result has additional fields'),
    subaccount_id: subaccountId,
  }),
  read: (context, params) => queryOf(ownerFault(context, params)),
  reply: (context, params): WireAccountSummary => {
    const { exchange } = context
    const account = accountOf(exchange, ownerOfRecords(context, params))
    const summary = summaryOut(exchange, account, params.currency)
    if (!params.extended) return summary
    const extended = extendedCurrencyOut(exchange, account, params.currency)
    return { ...summary, ...extended, ...extendedOut(context, account) }
  },
})

/** Every currency of `public/get_currencies`. */
const getAccountSummaries = defineMethod({
  scope: 'account:read',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({
    extended: z.boolean().default(false).describe('true if the result has additional fields'),
    subaccount_id: subaccountId,
  }),
  read: (context, params) => queryOf(ownerFault(context, params)),
  reply: (context, params): WireAccountSummaries => {
    const { exchange } = context
    const account = accountOf(exchange, ownerOfRecords(context, params))
    const summaries = currencies.map((each) => {
      const summary = summaryOut(exchange, account, each)
      if (!params.extended) return summary
      return { ...summary, ...extendedCurrencyOut(exchange, account, each) }
    })
    return { ...(params.extended ? extendedOut(context, account) : {}), summaries }
  },
})

/** The summary of one currency of an account. */
export function summaryOut(exchange: Exchange, account: Account, currency: Currency): WireAccountSummary {
  const { id, marginModel } = account
  const { netsPositions, sharesCurrencies } = viewMarginModel(account)
  const all = heldPositions(exchange, id)
  const positions = all.filter(({ instrument }) => instrument.settlementCurrency === currency)
  const figures = positionFigures(exchange, positions)
  const margins = viewMargins(exchange, id, currency)
  const { balance } = viewWallet(exchange, id, currency)
  return {
    currency,
    ...profitsOut(figures, currency),
    ...marginsOut({ margins, balance, free: withdrawableOf(exchange, id, currency) }, currency),
    ...projectedOut(exchange, { account, positions }, currency),
    ...(margins.usd === null ? {} : totalsOut(margins.usd, usdDelta(exchange, all))),
    ...greeksOut(figures),
    ...(netsPositions ? {} : liquidationOut(exchange, positions)),
    delta_total: digitsOut(figures.deltaTotal, 6),
    delta_total_map: mapOut(figures.deltas, 9),
    locked_balance: 0,
    fee_balance: 0,
    margin_model: marginModel,
    portfolio_margining_enabled: netsPositions,
    cross_collateral_enabled: sharesCurrencies,
  }
}

function profitsOut({ futures, options, optionsValue }: Figures, currency: Currency): WireProfits {
  const out = (money: bigint): number => balanceOut(currency, money)
  return {
    session_rpl: out(futures.realized + options.realized),
    session_upl: out(futures.floating + options.floating),
    futures_session_rpl: out(futures.realized),
    futures_session_upl: out(futures.floating),
    futures_pl: out(futures.total),
    options_session_rpl: out(options.realized),
    options_session_upl: out(options.floating),
    options_pl: out(options.total),
    options_value: out(optionsValue),
    total_pl: out(futures.total + options.total),
  }
}

function marginsOut(
  of: { readonly margins: MarginFigures; readonly balance: bigint; readonly free: bigint },
  currency: Currency,
): WireFunds {
  const { margins, balance, free } = of
  const out = (money: bigint): number => balanceOut(currency, money)
  return {
    balance: out(balance),
    equity: out(margins.equity),
    margin_balance: out(margins.marginBalance),
    initial_margin: out(margins.initial),
    maintenance_margin: out(margins.maintenance),
    available_funds: out(margins.marginBalance - margins.initial),
    available_withdrawal_funds: balanceCut(currency, free),
    spot_reserve: out(margins.spotReserve),
    additional_reserve: out(margins.additionalReserve),
  }
}

/** Totals in USD of an account whose currencies share their margin. */
function totalsOut(usd: CrossFigures, delta: bigint): WireTotals {
  return {
    total_equity_usd: digitsOut(usd.equity, 9),
    total_margin_balance_usd: digitsOut(usd.marginBalance, 9),
    total_initial_margin_usd: digitsOut(usd.initial, 9),
    total_maintenance_margin_usd: digitsOut(usd.maintenance, 9),
    total_delta_total_usd: digitsOut(delta, 9),
  }
}

/** The delta of all positions in USD. */
function usdDelta(exchange: Exchange, positions: readonly PositionView[]): bigint {
  let delta = 0n
  for (const currency of currencies) {
    const own = positions.filter(({ instrument }) => instrument.settlementCurrency === currency)
    if (own.length === 0) continue
    const { deltaTotal } = positionFigures(exchange, own)
    delta += divHalfAwayBig(deltaTotal * BigInt(usdPrice(exchange, currency)), 1_000_000_000n)
  }
  return delta
}

/** Margins and delta without the positions and orders of the nearest expiry. */
function projectedOut(
  exchange: Exchange,
  of: { readonly account: Account; readonly positions: readonly PositionView[] },
  currency: Currency,
): WireProjected {
  const { account, positions } = of
  const { expiration, initial, maintenance } = projectedMargins(exchange, account.id, currency)
  const rest = positions.filter(({ instrument }) => instrument.expiration !== expiration)
  return {
    projected_initial_margin: balanceOut(currency, initial),
    projected_maintenance_margin: balanceOut(currency, maintenance),
    projected_delta_total: digitsOut(positionFigures(exchange, rest).deltaTotal, 6),
  }
}

/**
 * The mark price that would cause a liquidation, as a fraction of the current mark: for each index the ratio of its
 * first position, and for the account the nearest one. 0 without such a price.
 */
function liquidationOut(exchange: Exchange, positions: readonly PositionView[]): WireLiquidationRatios {
  const ratios = new Map<string, number>()
  let nearest = 0
  for (const position of positions) {
    const { instrument, size, mark } = position
    if (instrument.kind !== 'future' || size === 0 || mark === 0) continue
    const price = estimatedLiquidation(exchange, position.account, instrument.id)
    const ratio = price === null ? 0 : divNearest(price, mark)
    if (!ratios.has(instrument.priceIndex)) ratios.set(instrument.priceIndex, ratio)
    const isNearer = ratio !== 0 && Math.abs(1 - ratio) < Math.abs(1 - nearest)
    if (nearest === 0 || isNearer) nearest = ratio
  }
  return {
    estimated_liquidation_ratio: scaledToNumber(BigInt(Math.round(nearest * 1e8)), 8),
    estimated_liquidation_ratio_map: Object.fromEntries(ratios),
  }
}

function greeksOut(figures: Figures): WireOptionGreeks {
  const { optionsDelta, gammas, vegas, thetas } = figures
  return {
    options_delta: greekOut(optionsDelta),
    options_gamma: greekOut(sumOfIndices(gammas)),
    options_gamma_map: mapOut(gammas, 5),
    options_vega: greekOut(sumOfIndices(vegas)),
    options_vega_map: mapOut(vegas, 5),
    options_theta: greekOut(sumOfIndices(thetas)),
    options_theta_map: mapOut(thetas, 5),
  }
}

function mapOut(values: ByIndex, digits: number): IndexMap {
  return Object.fromEntries([...values].map(([index, value]) => [index, digitsOut(value, digits)] as const))
}

/** Methods by their names; a part of the table. */
export const summaryMethods = {
  'private/get_account_summary': getAccountSummary,
  'private/get_account_summaries': getAccountSummaries,
} as const
