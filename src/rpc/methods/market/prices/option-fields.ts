/**
 * Fields of tickers and book summaries that only options have: the forward, volatilities in percent with two decimals,
 * and greeks with five. Source: market.md 0, 7, 8; coverage R19, R20.
 */
import { type OptionView, viewOption } from '../../../../engine/index.ts'
import type { Instrument } from '../../../../model/index.ts'
import {
  greekOut,
  percentOut,
  priceOut,
  type WireGreeks,
  type WireOptionTicker,
  type WireUnderlying,
} from '../../../wire/index.ts'
import type { ReplyContext } from '../../method.ts'

/** Ticker fields of an option; empty for other instruments and after delivery. */
export function optionOut(context: ReplyContext, { id }: Instrument): Partial<WireOptionTicker> {
  const view = viewOption(context.exchange, id)
  if (view === null) return {}
  return {
    ...underlyingOut(view),
    bid_iv: percentOut(view.bid9),
    ask_iv: percentOut(view.ask9),
    greeks: greeksOut(view),
  }
}

/** Fields of an option in a book summary. */
export function optionSummaryOut(context: ReplyContext, { id }: Instrument): Partial<WireUnderlying> {
  const view = viewOption(context.exchange, id)
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
