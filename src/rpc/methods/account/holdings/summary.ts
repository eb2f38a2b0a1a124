/**
 * private/get_account_summary and get_account_summaries.
 *
 * Source: market.md 5.3 (T62, T63), 6.4; coverage R56, R63; golden account-identities. Deltas of an account have 6
 * decimals, deltas by index 9, and greeks 5 (observed).
 */

import { divHalfAwayBig, divNearest, scaledToNumber, z } from '../../../../core/index.ts'
import {
  accountOf,
  allInstruments,
  type CrossFigures,
  configOf,
  disabledProductsOf,
  type Exchange,
  estimatedLiquidation,
  heldPositions,
  type MarginFigures,
  type PositionRisk,
  type PositionView,
  permissionsOf,
  profileOf,
  projectedMargins,
  rfqPartyOf,
  selfTradingOf,
  usdPrice,
  viewMarginModel,
  viewMargins,
  viewRisk,
  viewWallet,
  withdrawableOf,
} from '../../../../engine/index.ts'
import {
  type Account,
  type Currency,
  currencies,
  type MarginModel,
  type RateLimitTerms,
  type SelfMatchMode,
  type TradingProduct,
  tradingProducts,
} from '../../../../model/index.ts'
import { balanceCut, balanceOut, digitsOut, greekOut, timeOut } from '../../../wire/index.ts'
import { defineMethod, queryOf, type ReadContext } from '../../method.ts'
import { requestCurrency } from '../../params.ts'
import { ownerFault, ownerOfRecords, subaccountId } from '../owner.ts'

/** Profits of futures or of options. */
interface Profits {
  /** Realized profit of this session with funding, and unrealized profit of this session. */
  realized: bigint
  floating: bigint
  /** Profit since opening. */
  total: bigint
}

/** Sums by price index. */
type ByIndex = Map<string, bigint>

/** Sums of the positions of a currency. */
interface Figures {
  readonly futures: Profits
  readonly options: Profits
  optionsValue: bigint
  deltaTotal: bigint
  optionsDelta: bigint
  readonly deltas: ByIndex
  readonly gammas: ByIndex
  readonly vegas: ByIndex
  readonly thetas: ByIndex
}

/**
 * The types of account summaries as JSON. Money has the decimals of its currency, and ratios are fractions of 1.
 *
 * Source: market.md 5.3 (T62, T63), 6.4; coverage R56, R63.
 */

/** Numbers by price index. */
export type IndexMap = { readonly [index: string]: number }

/** Rate per second, and the maximum burst. */
export interface WireRate {
  /** Maximum burst of requests. */
  readonly burst: number
  /** Requests per second. */
  readonly rate: number
}

/** Rate limits of the run. */
export interface WireLimits {
  /** All currencies have the same limits. */
  readonly limits_per_currency: false
  /** Requests that do not reach the matching engine. */
  readonly non_matching_engine: WireRate
  readonly matching_engine: {
    readonly trading: {
      /** Orders, edits and cancels together. */
      readonly total: WireRate
    }
    /** Limits of spot requests. */
    readonly spot: WireRate
    /** Sides of mass quotes. */
    readonly quotes: WireRate
    /** Mass quotes. */
    readonly max_quotes: WireRate
    /** Mass quotes that are taken however many others there are. */
    readonly guaranteed_quotes: WireRate
    /** Cancels of everything. */
    readonly cancel_all: WireRate
  }
}

/** Fees of one kind of instrument, if they differ from the standard fees. */
export interface WireFee {
  /** `future`, `perpetual` or `option`. */
  readonly kind: string
  /** Index of the instruments. */
  readonly index_name: string
  readonly value: {
    readonly default: {
      /** Both are parts of the usual fee. */
      readonly type: 'relative'
      /** Part of the fee of takers. */
      readonly taker: number
      /** Part of the fee of makers. */
      readonly maker: number
    }
    /** Part of the fee of block trades. */
    readonly block_trade: number
  }
}

/** Terms of an account in a currency; only in extended summaries. */
interface WireTerms {
  readonly limits: WireLimits
  readonly fees?: readonly WireFee[]
}

/** Names of an account. */
interface WireNames {
  readonly type: 'main' | 'subaccount'
  readonly email: string
  readonly username: string
  readonly system_name: string
}

/** A trading product, and whether the account may trade it. */
export interface WireTradingProduct {
  /** Trading product. */
  readonly product: TradingProduct
  /** True if the account may trade it. */
  readonly enabled: boolean
  /** Always true: the owner can enable and disable it. */
  readonly overwriteable: true
}

/** The trading products that an account may trade. */
export interface WireTradingProducts {
  /** Trading products that the account may not trade. */
  readonly disabled_trading_products: readonly TradingProduct[]
  /** All trading products, and whether the account may trade them. */
  readonly trading_products_details: readonly WireTradingProduct[]
}

/** Identity of an account; only in extended summaries. */
interface WireIdentity extends WireNames, WireTradingProducts {
  /** Number of the account. */
  readonly id: number
  readonly creation_timestamp: number
  /** Always null: a simulator has no referrers. */
  readonly referrer_id: null
  readonly login_enabled: boolean
  readonly security_keys_enabled: boolean
  readonly receive_notifications: boolean
  /** True if the account may use market-maker protection. */
  readonly mmp_enabled: boolean
  readonly interuser_transfers_enabled: boolean
  /** True if its Block RFQs never match its own quotes. */
  readonly block_rfq_self_match_prevention: boolean
  /** Treatment of orders that would match its own orders. */
  readonly self_trading_reject_mode: SelfMatchMode
  /** True if orders of accounts of the same owner count as own orders. */
  readonly self_trading_extended_to_subaccounts: boolean
}

/** Profits of an account in a currency. Session profits count since the last settlement. */
interface WireProfits {
  /** Realized profit of the settlement period. */
  readonly session_rpl: number
  /** Unrealized profit of the settlement period. */
  readonly session_upl: number
  /** Realized futures profit of the settlement period. */
  readonly futures_session_rpl: number
  /** Unrealized futures profit of the settlement period. */
  readonly futures_session_upl: number
  /** Futures profit since the positions were opened. */
  readonly futures_pl: number
  /** Realized options profit of the settlement period. */
  readonly options_session_rpl: number
  /** Unrealized options profit of the settlement period. */
  readonly options_session_upl: number
  /** Options profit since the positions were opened. */
  readonly options_pl: number
  /** Value of options at their mark prices. */
  readonly options_value: number
  /** Profit of all positions since they were opened. */
  readonly total_pl: number
}

/** Money and margins of an account in a currency. */
export interface WireFunds {
  readonly balance: number
  readonly equity: number
  readonly margin_balance: number
  readonly initial_margin: number
  readonly maintenance_margin: number
  readonly available_funds: number
  readonly available_withdrawal_funds: number
  readonly spot_reserve: number
  /** Reserve for open option buys; above 0 only with `cross_sm`. */
  readonly additional_reserve: number
}

/** Totals in USD of an account whose currencies share their margin. */
interface WireTotals {
  /** Equity of all currencies in USD. */
  readonly total_equity_usd: number
  /** Margin balance of all currencies in USD. */
  readonly total_margin_balance_usd: number
  /** Initial margin of all currencies in USD. */
  readonly total_initial_margin_usd: number
  /** Maintenance margin of all currencies in USD. */
  readonly total_maintenance_margin_usd: number
  /** Delta of all positions in USD. */
  readonly total_delta_total_usd: number
}

/** Figures without the positions and orders of the nearest expiry. */
export interface WireProjected {
  /** Initial margin without the nearest expiry. */
  readonly projected_initial_margin: number
  /** Maintenance margin without the nearest expiry. */
  readonly projected_maintenance_margin: number
  /** Delta without the nearest expiry. */
  readonly projected_delta_total: number
}

/** Greeks of the options of an account. */
interface WireOptionGreeks {
  /** Delta of options. */
  readonly options_delta: number
  /** Gamma of options. */
  readonly options_gamma: number
  /** Gamma of options by index. */
  readonly options_gamma_map: IndexMap
  /** Vega of options. */
  readonly options_vega: number
  /** Vega of options by index. */
  readonly options_vega_map: IndexMap
  /** Theta of options. */
  readonly options_theta: number
  /** Theta of options by index. */
  readonly options_theta_map: IndexMap
}

/** Distance of marks from a liquidation; omitted with portfolio margin. */
interface WireLiquidationRatios {
  /** Mark price, as a part of the current one, that liquidates the nearest position; 0 without a position. */
  readonly estimated_liquidation_ratio: number
  /** Estimated liquidation ratio by index. */
  readonly estimated_liquidation_ratio_map: IndexMap
}

/** One currency of an account as JSON, with the decimals of that currency. */
export interface WireAccountSummary
  extends WireProfits,
    WireFunds,
    WireProjected,
    WireOptionGreeks,
    Partial<WireTotals>,
    Partial<WireLiquidationRatios>,
    Partial<WireTerms>,
    Partial<WireIdentity> {
  readonly currency: Currency
  readonly margin_model: MarginModel
  /** Delta of all positions, in coin. */
  readonly delta_total: number
  /** Delta by index, in coin. */
  readonly delta_total_map: IndexMap
  /** Always 0: nothing is locked. */
  readonly locked_balance: 0
  /** Always 0: fees are paid from the balance. */
  readonly fee_balance: 0
  /** True with portfolio margin. */
  readonly portfolio_margining_enabled: boolean
  /** True if all currencies share their margin. */
  readonly cross_collateral_enabled: boolean
}

/** An account with all its currencies. */
export interface WireAccountSummaries extends Partial<WireIdentity> {
  readonly summaries: readonly WireAccountSummary[]
}

const WHOLE_PPM = 1_000_000

const NANO = 1_000_000_000n

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
  read: (context, params) => queryOf(ownerFault(context, params.subaccount_id)),
  reply: (context, params): WireAccountSummary => {
    const account = accountOf(context.exchange, ownerOfRecords(context, params.subaccount_id))
    const summary = summaryOut(context.exchange, account, params.currency)
    if (!params.extended) return summary
    const extended = extendedCurrencyOut(context.exchange, account, params.currency)
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
  read: (context, params) => queryOf(ownerFault(context, params.subaccount_id)),
  reply: (context, params): WireAccountSummaries => {
    const account = accountOf(context.exchange, ownerOfRecords(context, params.subaccount_id))
    const summaries = currencies.map((each) => {
      const summary = summaryOut(context.exchange, account, each)
      if (!params.extended) return summary
      return { ...summary, ...extendedCurrencyOut(context.exchange, account, each) }
    })
    return { ...(params.extended ? extendedOut(context, account) : {}), summaries }
  },
})

/** The summary of one currency of an account. */
export function summaryOut(exchange: Exchange, account: Account, currency: Currency): WireAccountSummary {
  const { netsPositions, sharesCurrencies } = viewMarginModel(account)
  const all = heldPositions(exchange, account.id)
  const positions = all.filter(({ instrument }) => instrument.settlementCurrency === currency)
  const figures = positionFigures(exchange, positions)
  const margins = viewMargins(exchange, account.id, currency)
  const { balance } = viewWallet(exchange, account.id, currency)
  return {
    currency,
    ...profitsOut(figures, currency),
    ...marginsOut(margins, balance, withdrawableOf(exchange, account.id, currency), currency),
    ...projectedOut(exchange, account, positions, currency),
    ...(margins.usd === null ? {} : totalsOut(margins.usd, usdDelta(exchange, all))),
    ...greeksOut(figures),
    ...(netsPositions ? {} : liquidationOut(exchange, positions)),
    delta_total: digitsOut(figures.deltaTotal, 6),
    delta_total_map: mapOut(figures.deltas, 9),
    locked_balance: 0,
    fee_balance: 0,
    margin_model: account.marginModel,
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

function marginsOut(margins: MarginFigures, balance: bigint, free: bigint, currency: Currency): WireFunds {
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
    delta += divHalfAwayBig(deltaTotal * BigInt(usdPrice(exchange, currency)), NANO)
  }
  return delta
}

/** Margins and delta without the positions and orders of the nearest expiry. */
function projectedOut(
  exchange: Exchange,
  account: Account,
  positions: readonly PositionView[],
  currency: Currency,
): WireProjected {
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
    if (position.instrument.kind !== 'future' || position.size === 0 || position.mark === 0) continue
    const price = estimatedLiquidation(exchange, position.account, position.instrument.id)
    const ratio = price === null ? 0 : divNearest(price, position.mark)
    if (!ratios.has(position.instrument.priceIndex)) ratios.set(position.instrument.priceIndex, ratio)
    const isNearer = ratio !== 0 && Math.abs(1 - ratio) < Math.abs(1 - nearest)
    if (nearest === 0 || isNearer) nearest = ratio
  }
  return {
    estimated_liquidation_ratio: scaledToNumber(BigInt(Math.round(nearest * 1e8)), 8),
    estimated_liquidation_ratio_map: Object.fromEntries(ratios),
  }
}

function greeksOut(figures: Figures): WireOptionGreeks {
  return {
    options_delta: greekOut(figures.optionsDelta),
    options_gamma: greekOut(sumOfIndices(figures.gammas)),
    options_gamma_map: mapOut(figures.gammas, 5),
    options_vega: greekOut(sumOfIndices(figures.vegas)),
    options_vega_map: mapOut(figures.vegas, 5),
    options_theta: greekOut(sumOfIndices(figures.thetas)),
    options_theta_map: mapOut(figures.thetas, 5),
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

/**
 * Sums over the positions of one currency of an account: profits of futures and of options, the value of options,
 * deltas and greeks, also by price index. All values are in 1e-9.
 *
 * Delta is in coin if the currency is that coin, otherwise in the settlement currency at the mark price (observed: a
 * perpetual of 0.001 ETH has a `delta_total` of 1.97 in USDC).
 * Source: market.md 5.3 (T63).
 */

/** Sums over positions of one settlement currency. */
function positionFigures(exchange: Exchange, positions: readonly PositionView[]): Figures {
  const sums: Figures = {
    futures: { realized: 0n, floating: 0n, total: 0n },
    options: { realized: 0n, floating: 0n, total: 0n },
    optionsValue: 0n,
    deltaTotal: 0n,
    optionsDelta: 0n,
    deltas: new Map(),
    gammas: new Map(),
    vegas: new Map(),
    thetas: new Map(),
  }
  for (const position of positions) {
    const profits = position.instrument.kind === 'option' ? sums.options : sums.futures
    profits.realized += position.realized
    profits.floating += position.floating
    profits.total += position.total
    if (position.size !== 0) addRisk(sums, viewRisk(exchange, position))
  }
  return sums
}

/** The sum over all indices. */
function sumOfIndices(values: ByIndex): bigint {
  let sum = 0n
  for (const value of values.values()) sum += value
  return sum
}

function addRisk(sums: Figures, risk: PositionRisk): void {
  const { priceIndex } = risk.position.instrument
  sums.deltaTotal += inCurrency(risk.position, risk.netDelta)
  add(sums.deltas, priceIndex, risk.delta)
  if (risk.greeks === null) return
  sums.optionsValue += risk.position.sizeAtMark
  sums.optionsDelta += risk.delta
  add(sums.gammas, priceIndex, risk.greeks.gamma)
  add(sums.vegas, priceIndex, risk.greeks.vega)
  add(sums.thetas, priceIndex, risk.greeks.theta)
}

/** Converts a delta in coin to the settlement currency. */
function inCurrency({ instrument, mark, index }: PositionView, delta: bigint): bigint {
  if (instrument.settlementCurrency === instrument.baseCurrency) return delta
  // The mark of an option is the price of the option, not of the coin.
  const price = instrument.kind === 'option' ? index : mark
  return divHalfAwayBig(delta * BigInt(price), NANO)
}

function add(values: ByIndex, index: string, value: bigint): void {
  values.set(index, (values.get(index) ?? 0n) + value)
}

/**
 * Fields that only the extended account summary has: the identity and self-trading settings of the account, and for
 * each currency its limits and, if it pays reduced fees, its fees.
 *
 * The limits are those of the run, which the simulator enforces if they are enabled (R15).
 * Source: market.md 4 (fee factor), 5.3; trading.md 4.9, 8; data deribit/account.
 */

/** The identity of an account. */
function extendedOut({ exchange, history }: ReadContext, account: Account): WireIdentity {
  const { mode, extended } = selfTradingOf(exchange, account.id)
  const { loginEnabled, securityKeysEnabled, receivesNotifications } = profileOf(exchange, account.id)
  return {
    id: account.id,
    ...identityOut(exchange, account),
    creation_timestamp: timeOut(history.opened.get(account.id) ?? configOf(exchange).start),
    referrer_id: null,
    login_enabled: loginEnabled,
    security_keys_enabled: securityKeysEnabled,
    receive_notifications: receivesNotifications,
    ...tradingProductsOut(exchange, account),
    mmp_enabled: permissionsOf(exchange, account.id).mmp,
    interuser_transfers_enabled: false,
    block_rfq_self_match_prevention: rfqPartyOf(exchange, account.id).preventsSelfMatch,
    self_trading_reject_mode: mode,
    self_trading_extended_to_subaccounts: extended,
  }
}

/** The trading products that an account may trade. */
export function tradingProductsOut(exchange: Exchange, account: Account): WireTradingProducts {
  const disabled = disabledProductsOf(exchange, account.id)
  return {
    disabled_trading_products: disabled,
    trading_products_details: tradingProducts.map((product) => ({
      product,
      enabled: !disabled.includes(product),
      overwriteable: true,
    })),
  }
}

/** The names of an account. */
export function identityOut(exchange: Exchange, { id, main, name }: Account): WireNames {
  const { email, username } = profileOf(exchange, id)
  return {
    type: main === id ? 'main' : 'subaccount',
    email: email ?? `${name}@example.com`,
    username: username ?? name,
    system_name: name,
  }
}

/** Limits of a currency, and the fees as parts of the standard fees if the account pays other ones. */
function extendedCurrencyOut(exchange: Exchange, { feePpm }: Account, currency: Currency): WireTerms {
  const limits = limitsOut(configOf(exchange).rateLimits)
  if (feePpm === WHOLE_PPM) return { limits }
  const kinds = new Map<string, { readonly kind: string; readonly index: string }>()
  for (const { kind, settlementCurrency, detail, priceIndex: index } of allInstruments(exchange)) {
    if (settlementCurrency !== currency || (kind !== 'future' && kind !== 'option')) continue
    const shown = detail.type === 'perpetual' ? 'perpetual' : kind
    kinds.set(`${shown} ${index}`, { kind: shown, index })
  }
  const share = divNearest(feePpm, WHOLE_PPM)
  const whole = { type: 'relative', taker: share, maker: share } as const
  const value = { default: whole, block_trade: share }
  const fees = [...kinds.values()].map(({ kind, index }) => ({ kind, index_name: index, value }))
  return { limits, fees }
}

/** Requests per second and the maximum burst, for each limit. */
function limitsOut(terms: RateLimitTerms): WireLimits {
  return {
    limits_per_currency: false,
    non_matching_engine: { ...terms.nonMatching },
    matching_engine: {
      trading: { total: { ...terms.trading } },
      spot: { ...terms.spot },
      quotes: { ...terms.maximumQuotes },
      max_quotes: { ...terms.maximumMassQuotes },
      guaranteed_quotes: { ...terms.guaranteedMassQuotes },
      cancel_all: { ...terms.cancelAll },
    },
  }
}
