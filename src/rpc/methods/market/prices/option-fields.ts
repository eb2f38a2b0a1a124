/**
 * Fields of tickers and book summaries that only options have: the forward, volatilities in percent with two decimals,
 * and greeks with five. Source: market.md 0, 7, 8; coverage R19, R20.
 */

import { scaledToNumber } from '../../../../core/index.ts'
import {
  type Exchange,
  findInstrument,
  type MarketView,
  type OptionView,
  viewMarket,
  viewOption,
} from '../../../../engine/index.ts'
import type { Instrument, Side } from '../../../../model/index.ts'
import {
  greekOut,
  percentOut,
  priceOut,
  type WireComboTicker,
  type WireGreeks,
  type WireOptionTicker,
  type WireUnderlying,
} from '../../../wire/index.ts'
import type { ReplyContext } from '../../method.ts'

interface Leg {
  readonly market: MarketView
  readonly ratio: number
}

/** Ticker fields of an option; empty for other instruments and after delivery. */
export function optionOut(context: ReplyContext, instrument: Instrument): Partial<WireOptionTicker> {
  const view = viewOption(context.exchange, instrument.id)
  if (view === null) return {}
  return {
    ...underlyingOut(view),
    bid_iv: percentOut(view.bid9),
    ask_iv: percentOut(view.ask9),
    greeks: greeksOut(view),
  }
}

/** Fields of an option in a book summary. */
export function optionSummaryOut(context: ReplyContext, instrument: Instrument): Partial<WireUnderlying> {
  const view = viewOption(context.exchange, instrument.id)
  return view === null ? {} : underlyingOut(view)
}

function underlyingOut({ forward, underlying, mark9 }: OptionView): WireUnderlying {
  return {
    underlying_price: priceOut(forward),
    underlying_index: underlying,
    interest_rate: 0,
    mark_iv: percentOut(mark9),
  }
}

function greeksOut({ greeks }: OptionView): WireGreeks {
  const out = (value9: number | undefined): number => greekOut(BigInt(value9 ?? 0))
  return {
    delta: out(greeks?.delta9),
    gamma: out(greeks?.gamma9),
    rho: out(greeks?.rho9),
    theta: out(greeks?.theta9),
    vega: out(greeks?.vega9),
  }
}

/**
 * Ticker fields that only combos have: the state, the prices that the best prices of the legs imply, and the greeks of
 * option combos.
 *
 * Source: a ticker of BTC-BOX-30DEC22-17000_20000 (2022), where the volatilities are 0 and the underlying is the index;
 * market.md 8.
 * Assumed: an implied price is omitted while a leg has no order on the needed side.
 */

const PRICE_DIGITS = 9

/** A combo is active until it becomes inactive or is delivered. */
export function comboState({ state }: MarketView): 'active' | 'inactive' {
  return state === 'inactive' || state === 'delivered' ? 'inactive' : 'active'
}

/** Ticker fields of a combo; empty for other instruments. */
export function comboFieldsOut(exchange: Exchange, view: MarketView): Partial<WireComboTicker> {
  const { detail, kind } = view.instrument
  if (detail.type !== 'combo') return {}
  const legs: Leg[] = []
  for (const { instrumentName, ratio } of detail.legs) {
    const leg = findInstrument(exchange, instrumentName)
    if (leg !== undefined) legs.push({ market: viewMarket(exchange, leg.id), ratio })
  }
  const isWhole = legs.length === detail.legs.length
  const bid = isWhole ? impliedPrice(legs, 'buy') : null
  const ask = isWhole ? impliedPrice(legs, 'sell') : null
  return {
    combo_state: comboState(view),
    ...(bid === null ? {} : { implied_bid: bid }),
    ...(ask === null ? {} : { implied_ask: ask }),
    ...(kind === 'option_combo' ? optionFieldsOut(exchange, view, legs) : {}),
  }
}

/** Price of a combo at the best prices of its legs; null if a leg has no price. */
function impliedPrice(legs: readonly Leg[], side: Side): number | null {
  let sum = 0n
  for (const { market, ratio } of legs) {
    const level = ratio > 0 === (side === 'buy') ? market.bestBid : market.bestAsk
    if (level === null) return null
    sum += BigInt(ratio) * BigInt(level.price)
  }
  return scaledToNumber(sum, PRICE_DIGITS)
}

function optionFieldsOut(exchange: Exchange, { index }: MarketView, legs: readonly Leg[]): Partial<WireComboTicker> {
  const sumOf = (greek: keyof WireGreeks): number => {
    const parts = legs.map(({ market, ratio }) => {
      const greeks = viewOption(exchange, market.instrument.id)?.greeks
      return BigInt(ratio) * BigInt(greeks?.[`${greek}9`] ?? 0)
    })
    return greekOut(parts.reduce((sum, part) => sum + part, 0n))
  }
  return {
    underlying_price: priceOut(index),
    underlying_index: 'index_price',
    interest_rate: 0,
    mark_iv: 0,
    bid_iv: 0,
    ask_iv: 0,
    greeks: {
      delta: sumOf('delta'),
      gamma: sumOf('gamma'),
      rho: sumOf('rho'),
      theta: sumOf('theta'),
      vega: sumOf('vega'),
    },
  }
}
