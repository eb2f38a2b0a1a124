/**
 * Results of requests about the market. Source: market.md 1.5, 3.4, 8; coverage R18-R20, R42.
 */
import type { InstrumentKind, InstrumentState, OptionRight } from '../../model/index.ts'

/** Greeks of an option. */
export interface WireGreeks {
  readonly delta: number
  readonly gamma: number
  readonly rho: number
  readonly theta: number
  readonly vega: number
}

/** Fields of options in tickers and summaries. */
export interface WireUnderlying {
  readonly underlying_price: number
  readonly underlying_index: string
  readonly interest_rate: number
  /** Percent. */
  readonly mark_iv: number
}

/** Fields of options that only tickers have. */
export interface WireOptionTicker extends WireUnderlying {
  /** Percent. */
  readonly bid_iv: number
  /** Percent. */
  readonly ask_iv: number
  readonly greeks: WireGreeks
}

/**
 * Fields that only tickers of combos have. Combos of options also have the fields of options, with volatilities of 0.
 */
export interface WireComboTicker extends WireOptionTicker {
  /** State of the combo. */
  readonly combo_state: 'active' | 'inactive'
  /** Price at which the best prices of the legs let you sell the combo; omitted if a leg has no price. */
  readonly implied_bid: number
  /** Price at which the best prices of the legs let you buy the combo; omitted if a leg has no price. */
  readonly implied_ask: number
}

/** Volumes of 24 hours. */
export interface WireVolumes {
  readonly volume: number
  /** Turnover in USD or a stablecoin. If prices are in coin, the turnover at the current index. */
  readonly volume_usd: number
  readonly volume_notional: number
}

/** Statistics of the last 24 hours. */
export interface WireStats extends WireVolumes {
  readonly low: number | null
  readonly high: number | null
  /** Percent. */
  readonly price_change: number | null
}

/** Fields of a perpetual's funding in its ticker and summary. */
export interface WireFunding {
  readonly funding_8h: number
  readonly current_funding: number
}

/** Best prices, reference prices and statistics, without fields that the instrument does not have. */
export interface WireTicker extends Partial<WireFunding>, Partial<WireComboTicker> {
  readonly instrument_name: string
  /** Milliseconds since the epoch. */
  readonly timestamp: number
  readonly state: InstrumentState
  readonly stats: WireStats
  readonly open_interest?: number
  /** 0 if the side is empty. */
  readonly best_bid_price: number
  readonly best_bid_amount: number
  /** 0 if the side is empty. */
  readonly best_ask_price: number
  readonly best_ask_amount: number
  readonly index_price: number
  readonly mark_price: number
  readonly last_price: number | null
  readonly min_price: number
  readonly max_price: number
  readonly estimated_delivery_price?: number
  readonly settlement_price?: number
  readonly delivery_price?: number
  readonly interest_value?: number
}

/** A ticker with price levels: price and amount, best first. */
export interface WireOrderBook extends WireTicker {
  readonly change_id: number
  readonly bids: readonly (readonly [price: number, amount: number])[]
  readonly asks: readonly (readonly [price: number, amount: number])[]
}

/** An instrument, without fields that its kind does not have. */
export interface WireInstrument {
  readonly instrument_name: string
  readonly instrument_id: number
  readonly kind: InstrumentKind
  readonly future_type?: 'reversed' | 'linear'
  readonly instrument_type: 'reversed' | 'linear'
  readonly base_currency: string
  readonly quote_currency: string
  readonly counter_currency: string
  readonly settlement_currency?: string
  readonly settlement_period?: string | null
  readonly contract_size: number
  /** Lot size of fees: the contract size. */
  readonly lot_size: number
  readonly min_trade_amount: number
  readonly tick_size: number
  readonly tick_size_steps: readonly { readonly above_price: number; readonly tick_size: number }[]
  readonly maker_commission: number
  readonly taker_commission: number
  readonly block_trade_commission: number
  /** Smallest `amount` of futures and options in block trades, in USD or the quote currency for futures. */
  readonly block_trade_min_trade_amount?: number
  readonly block_trade_tick_size?: number
  readonly max_liquidation_commission?: number
  readonly max_leverage?: number
  readonly price_index: string
  /** Milliseconds since the epoch. */
  readonly expiration_timestamp: number
  readonly creation_timestamp: number
  readonly option_type?: OptionRight
  readonly strike?: number
  readonly is_active: boolean
  readonly state: InstrumentState
  readonly product_group: string
  /** Asset class; the simulator lists only crypto. */
  readonly underlying_type: 'crypto'
}

/** The summary of a book, without fields that the instrument does not have. */
export interface WireBookSummary extends WireVolumes, Partial<WireFunding>, Partial<WireUnderlying> {
  readonly instrument_name: string
  readonly base_currency: string
  readonly quote_currency: string
  readonly creation_timestamp: number
  readonly bid_price: number | null
  readonly ask_price: number | null
  readonly mid_price: number | null
  readonly mark_price: number
  readonly last: number | null
  readonly high: number | null
  readonly low: number | null
  readonly price_change: number | null
  readonly open_interest?: number
  readonly estimated_delivery_price?: number
}

/** The current index price and the estimated delivery price. */
export interface WireIndexPrice {
  readonly index_price: number
  readonly estimated_delivery_price: number
}

/** A page of delivery prices, newest first, and their total number. */
export interface WireDeliveryPrices {
  readonly data: readonly { readonly date: string; readonly delivery_price: number }[]
  readonly records_total: number
}
