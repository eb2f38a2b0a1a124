/**
 * private/get_position and get_positions. Source: market.md 5.2 (fields of futures, of options and of perpetuals);
 * golden inverse-position and linear-perpetual-margin (linear positions show `size` in quote units).
 */

import { type Amount, amount, defined, divHalfAwayBig, type Price9, price9, z } from '../../../../core/index.ts'
import {
  accountOf,
  type Exchange,
  estimatedLiquidation,
  findInstrument,
  openPositions,
  type PositionView,
  viewMarginModel,
  viewPosition,
  viewRisk,
} from '../../../../engine/index.ts'
import { amount9OfLots, type InstrumentKind, type Side } from '../../../../model/index.ts'
import { finerStep9, roundToStep } from '../../../../pricing/index.ts'
import { digitsOut, greekOut, moneyOut, priceOut } from '../../../wire/index.ts'
import { interestValue } from '../../market/funding-rates.ts'
import { asker, defineMethod, queryOf } from '../../method.ts'
import { anyCurrency, instrumentKind, instrumentName, unknownInstrument } from '../../params.ts'
import { ownerFault, ownerOfRecords, subaccountId } from '../owner.ts'

/** A position as JSON. */
export interface WirePosition {
  readonly instrument_name: string
  readonly kind: InstrumentKind
  readonly direction: Side | 'zero'
  /** USD for inverse futures, quote units for linear ones, base coin for options. */
  readonly size: number
  /** Size in coin; not for options. */
  readonly size_currency?: number
  readonly average_price: number
  /** Average price in USD; for options. */
  readonly average_price_usd?: number
  readonly mark_price: number
  readonly index_price: number
  /** Size in coin, for options multiplied by the option delta; it falls to 0 in the last half hour. */
  readonly delta: number
  /** Gamma; for options. */
  readonly gamma?: number
  readonly vega?: number
  readonly theta?: number
  /** Initial margin of the position, without open orders. */
  readonly initial_margin: number
  readonly maintenance_margin: number
  readonly open_orders_margin: number
  readonly total_profit_loss: number
  readonly floating_profit_loss: number
  /** Unrealized profit in USD; for options. */
  readonly floating_profit_loss_usd?: number
  /** Realized profit of the settlement period, including funding. */
  readonly realized_profit_loss: number
  /** Funding of this session, for perpetuals: positive if received, negative if paid. */
  readonly realized_funding?: number
  readonly interest_value?: number
  /** Mark price of the last settlement; 0 before the first. */
  readonly settlement_price: number
  /** Leverage; for futures. */
  readonly leverage?: number
  /** Estimated liquidation price of futures of accounts with segregated standard margin; otherwise null. */
  readonly estimated_liquidation_price?: number | null
}

const STEP_2_DIGITS = 10_000_000

const STEP_6_DIGITS = 1_000

const USD_DIGITS = 6

/** The account's position in one instrument; size 0 without a position. */
const getPosition = defineMethod({
  scope: 'trade:read',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({ instrument_name: instrumentName }),
  read: (context, params) => {
    const listed = findInstrument(context.exchange, params.instrument_name) !== undefined
    return queryOf(listed ? null : unknownInstrument)
  },
  reply: (context, params): WirePosition => {
    const instrument = findInstrument(context.exchange, params.instrument_name)
    const { id } = defined(instrument, 'the instrument exists')
    return positionOut(context.exchange, viewPosition(context.exchange, asker(context), id))
  },
})

/**
 * All open positions of the account or of one of its subaccounts, in the order in which the instruments were listed.
 */
const getPositions = defineMethod({
  scope: 'trade:read',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({
    currency: anyCurrency.default('any'),
    kind: instrumentKind.optional(),
    subaccount_id: subaccountId,
  }),
  read: (context, params) => queryOf(ownerFault(context, params.subaccount_id)),
  reply: (context, params): readonly WirePosition[] =>
    openPositions(context.exchange, ownerOfRecords(context, params.subaccount_id))
      .filter(({ instrument }) => params.kind === undefined || instrument.kind === params.kind)
      .filter(({ instrument }) => params.currency === 'any' || instrument.settlementCurrency === params.currency)
      .map((view) => positionOut(context.exchange, view)),
})

/** Methods by their names; a part of the table. */
export const positionMethods = {
  'private/get_position': getPosition,
  'private/get_positions': getPositions,
} as const

/** A position as JSON. */
export function positionOut(exchange: Exchange, view: PositionView): WirePosition {
  const own = view.instrument.kind === 'option' ? optionOut(exchange, view) : futureOut(exchange, view)
  return {
    instrument_name: view.instrument.name,
    kind: view.instrument.kind,
    direction: view.size === 0 ? 'zero' : view.size > 0 ? 'buy' : 'sell',
    average_price: priceOut(view.averagePrice),
    mark_price: priceOut(view.mark),
    index_price: priceOut(view.index),
    initial_margin: moneyOut(ownMargin(view)),
    maintenance_margin: moneyOut(view.maintenanceMargin),
    open_orders_margin: moneyOut(view.openOrdersMargin),
    total_profit_loss: moneyOut(view.total),
    floating_profit_loss: moneyOut(view.floating),
    realized_profit_loss: moneyOut(view.realized),
    settlement_price: priceOut(view.settlementPrice),
    ...own,
  }
}

type OwnFields = Pick<WirePosition, 'size' | 'delta'> & Partial<WirePosition>

function futureOut(exchange: Exchange, view: PositionView): OwnFields {
  const amount9 = amount(amount9OfLots(view.instrument, view.size))
  const inverse = view.instrument.payoff === 'inverse'
  const { netsPositions, sharesCurrencies } = viewMarginModel(accountOf(exchange, view.account))
  return {
    size: moneyOut(inverse ? amount9 : view.sizeAtMark),
    size_currency: moneyOut(inverse ? view.sizeAtMark : amount9),
    delta: moneyOut(viewRisk(exchange, view).delta),
    leverage: leverageOf(view),
    ...(netsPositions || sharesCurrencies ? {} : liquidationOut(exchange, view)),
    ...(view.accumulated === null
      ? {}
      : {
          realized_funding: moneyOut(view.funding),
          interest_value: interestValue(view.accumulated),
        }),
  }
}

function liquidationOut(exchange: Exchange, view: PositionView): Pick<WirePosition, 'estimated_liquidation_price'> {
  const price = estimatedLiquidation(exchange, view.account, view.instrument.id)
  return {
    estimated_liquidation_price: price === null ? null : atStep(view, price, STEP_2_DIGITS),
  }
}

/** A price rounded to its usual precision, or to that of the tick if finer. */
function atStep(view: PositionView, price: Price9, usual9: number): number {
  return priceOut(price9(roundToStep(price, finerStep9(usual9, view.instrument.tick9))))
}

function optionOut(exchange: Exchange, view: PositionView): OwnFields {
  const { delta, greeks } = viewRisk(exchange, view)
  const coinPriced = view.instrument.quoteCurrency === view.instrument.baseCurrency
  return {
    size: moneyOut(amount(amount9OfLots(view.instrument, view.size))),
    delta: greekOut(delta),
    gamma: greekOut(greeks?.gamma ?? 0n),
    vega: greekOut(greeks?.vega ?? 0n),
    theta: greekOut(greeks?.theta ?? 0n),
    average_price_usd: coinPriced
      ? digitsOut(atIndex(BigInt(view.averagePrice), view.index), USD_DIGITS)
      : atStep(view, view.averagePrice, STEP_6_DIGITS),
    floating_profit_loss_usd: digitsOut(coinPriced ? atIndex(view.floating, view.index) : view.floating, USD_DIGITS),
  }
}

/** The value of coins in USD. */
function atIndex(value: bigint, index: Price9): bigint {
  return divHalfAwayBig(value * BigInt(index), 1_000_000_000n)
}

/** round(1 / initial margin rate) of the position, at most the instrument's maximum. */
function leverageOf(view: PositionView): number {
  const own = ownMargin(view)
  if (own <= 0n) return view.instrument.maxLeverage
  const size: Amount = view.sizeAtMark < 0n ? amount(-view.sizeAtMark) : view.sizeAtMark
  return Math.min(view.instrument.maxLeverage, Number(divHalfAwayBig(size, own)))
}

/** Initial margin without the part of open orders. */
function ownMargin(view: PositionView): Amount {
  return amount(view.initialMargin - view.openOrdersMargin)
}
