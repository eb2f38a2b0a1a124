/**
 * Ticker fields that only combos have: the state, the prices that the best prices of the legs imply, and the greeks of
 * option combos.
 *
 * Source: a ticker of BTC-BOX-30DEC22-17000_20000 (2022), where the volatilities are 0 and the underlying is the index;
 * market.md 8.
 * Assumed: an implied price is omitted while a leg has no order on the needed side.
 */
import { scaledToNumber } from '../../../../core/index.ts'
import { type Exchange, findInstrument, type MarketView, viewMarket, viewOption } from '../../../../engine/index.ts'
import type { Side } from '../../../../model/index.ts'
import { greekOut, priceOut, type WireComboTicker, type WireGreeks } from '../../../wire/index.ts'

interface Leg {
  readonly market: MarketView
  readonly ratio: number
}

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
