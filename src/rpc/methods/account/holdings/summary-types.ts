/**
 * The types of account summaries as JSON. Money has the decimals of its currency, and ratios are fractions of 1.
 *
 * Source: market.md 5.3 (T62, T63), 6.4; coverage R56, R63.
 */
import type { Currency, MarginModel, SelfMatchMode, TradingProduct } from '../../../../model/index.ts'

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
export interface WireTerms {
  readonly limits: WireLimits
  readonly fees?: readonly WireFee[]
}

/** Names of an account. */
export interface WireNames {
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
export interface WireIdentity extends WireNames, WireTradingProducts {
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
export interface WireProfits {
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
export interface WireTotals {
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
export interface WireOptionGreeks {
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
export interface WireLiquidationRatios {
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
