/**
 * private/get_position and get_positions. Source: market.md 5.2; golden inverse-position and
 * linear-perpetual-margin (linear positions show `size` in quote units).
 * Not there yet: estimated_liquidation_price, which comes with liquidations.
 */
import { z } from 'zod'
import { type Amount, amount, defined, divHalfAwayBig } from '../../../core/index.ts'
import {
  findInstrument,
  openPositions,
  type PositionView,
  viewPosition,
} from '../../../engine/index.ts'
import { amount9OfLots } from '../../../model/index.ts'
import { asker, defineMethod, queryOf } from '../../method.ts'
import { instrumentKind, instrumentName, unknownInstrument } from '../../params.ts'
import { moneyOut, priceOut } from '../../wire/numbers.ts'
import { interestValue } from '../market/funding-rates.ts'

/** A position as JSON. */
export interface WirePosition {
  readonly instrument_name: string
  readonly kind: string
  readonly direction: 'buy' | 'sell' | 'zero'
  /** USD for inverse futures, quote units for linear ones, base coin for options. */
  readonly size: number
  /** Size in coin; not of options. */
  readonly size_currency?: number
  readonly average_price: number
  readonly mark_price: number
  readonly index_price: number
  /** Size in coin; options have theirs with the greeks, which are not there yet. */
  readonly delta?: number
  /** Of the position alone, without its open orders. */
  readonly initial_margin: number
  readonly maintenance_margin: number
  readonly open_orders_margin: number
  readonly total_profit_loss: number
  readonly floating_profit_loss: number
  /** Of this session, with funding. */
  readonly realized_profit_loss: number
  /** Funding of this session: received, negative: paid; of perpetuals. */
  readonly realized_funding?: number
  readonly interest_value?: number
  /** Mark of the last settlement, 0 before the first. */
  readonly settlement_price: number
  readonly leverage: number
}

/** The account's position in one instrument; of size 0 where it has none. */
export const getPosition = defineMethod({
  kind: 'query',
  params: z.object({ instrument_name: instrumentName }),
  read: (context, params) => {
    const listed = findInstrument(context.exchange, params.instrument_name) !== undefined
    return queryOf(listed ? null : unknownInstrument)
  },
  reply: (context, params): WirePosition => {
    const instrument = findInstrument(context.exchange, params.instrument_name)
    const { id } = defined(instrument, 'the instrument was found when the request was read')
    return positionOut(viewPosition(context.exchange, asker(context), id))
  },
})

/** All open positions of the account, instruments in the order of listing. */
export const getPositions = defineMethod({
  kind: 'query',
  params: z.object({
    currency: z.enum(['BTC', 'ETH', 'USDC', 'USDT', 'EURR', 'any']).default('any'),
    kind: instrumentKind.optional(),
  }),
  read: () => queryOf(null),
  reply: (context, params): readonly WirePosition[] =>
    openPositions(context.exchange, asker(context))
      .filter(({ instrument }) => params.kind === undefined || instrument.kind === params.kind)
      .filter(
        ({ instrument }) =>
          params.currency === 'any' || instrument.settlementCurrency === params.currency,
      )
      .map(positionOut),
})

function positionOut(view: PositionView): WirePosition {
  const { instrument, size, sizeAtMark } = view
  const amount9 = amount(amount9OfLots(instrument, size))
  const option = instrument.kind === 'option'
  const coin = instrument.payoff === 'inverse' ? sizeAtMark : amount9
  const value = instrument.payoff === 'inverse' ? amount9 : sizeAtMark
  return {
    instrument_name: instrument.name,
    kind: instrument.kind,
    direction: size === 0 ? 'zero' : size > 0 ? 'buy' : 'sell',
    size: moneyOut(option ? amount9 : value),
    ...(option ? {} : { size_currency: moneyOut(coin) }),
    average_price: priceOut(view.averagePrice),
    mark_price: priceOut(view.mark),
    index_price: priceOut(view.index),
    ...(option ? {} : { delta: moneyOut(coin) }),
    initial_margin: moneyOut(ownMargin(view)),
    maintenance_margin: moneyOut(view.maintenanceMargin),
    open_orders_margin: moneyOut(view.openOrdersMargin),
    total_profit_loss: moneyOut(view.total),
    floating_profit_loss: moneyOut(view.floating),
    realized_profit_loss: moneyOut(view.realized),
    ...(view.accumulated === null
      ? {}
      : {
          realized_funding: moneyOut(view.funding),
          interest_value: interestValue(view.accumulated),
        }),
    settlement_price: priceOut(view.settlementPrice),
    leverage: leverageOf(view),
  }
}

/** round(1 / initial margin rate) of the position, at most the instrument's maximum. */
function leverageOf(view: PositionView): number {
  const own = ownMargin(view)
  if (own <= 0n) return view.instrument.maxLeverage
  const size: Amount = view.sizeAtMark < 0n ? amount(-view.sizeAtMark) : view.sizeAtMark
  return Math.min(view.instrument.maxLeverage, Number(divHalfAwayBig(size, own)))
}

/** Initial margin without what open orders add. */
function ownMargin(view: PositionView): Amount {
  return amount(view.initialMargin - view.openOrdersMargin)
}
