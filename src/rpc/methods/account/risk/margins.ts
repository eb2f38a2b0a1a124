/**
 * private/get_margins: the initial margin that an order would need, its fees as a buy and as a sell, and its price
 * band. Source: market.md 6; the venue's public reference.
 */
import { defined, type Lots, lots, price9, z } from '../../../../core/index.ts'
import { feeForOrder, findInstrument, marginForOrder, viewMarket } from '../../../../engine/index.ts'
import {
  type Fault,
  type Instrument,
  type Liquidity,
  type Side,
  sizeReason,
  validationStep,
} from '../../../../model/index.ts'
import { balanceOut, moneyOut, priceOut } from '../../../wire/index.ts'
import { asker, defineMethod, queryOf } from '../../method.ts'
import { decimal, earlier, instrumentName, paramFault, readPrice9, readSize, unknownInstrument } from '../../params.ts'

/** Margin and fees of an order, in the settlement currency, and its price band. */
export interface WireMargins {
  readonly buy: number
  readonly sell: number
  /** Fee of a taker buy. */
  readonly buy_taker_fee: number
  /** Fee of a maker buy. */
  readonly buy_maker_fee: number
  /** Fee of a taker sell. */
  readonly sell_taker_fee: number
  /** Fee of a maker sell. */
  readonly sell_maker_fee: number
  readonly min_price: number
  readonly max_price: number
}

/** Margin of an order with a valid amount and price. */
const getMargins = defineMethod({
  scope: 'trade:read',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({ instrument_name: instrumentName, amount: decimal, price: decimal }),
  read: (context, params) => {
    const instrument = findInstrument(context.exchange, params.instrument_name)
    if (instrument === undefined) return queryOf(unknownInstrument)
    const size = readSize(instrument, { amount: params.amount })
    const price = readPrice9(params.price)
    // Only combos may have a price of 0 or below.
    const isPrice = typeof price === 'number' && (price > 0 || instrument.detail.type === 'combo')
    return queryOf(
      earlier(
        size.ok ? sizeFault(instrument, size.value) : size.fault,
        isPrice ? null : paramFault('price', 'not_a_price'),
      ),
    )
  },
  reply: (context, params): WireMargins => {
    const { exchange } = context
    const found = findInstrument(exchange, params.instrument_name)
    const instrument = defined(found, 'the instrument exists')
    const size = readSize(instrument, { amount: params.amount })
    const order = {
      account: asker(context),
      instrument: instrument.id,
      amount: size.ok ? size.value : lots(0),
      price: readPrice9(params.price) ?? price9(0),
    }
    const { buy, sell } = marginForOrder(exchange, order)
    const feeOut = (side: Side, role: Liquidity): number => moneyOut(feeForOrder(exchange, { ...order, side }, role))
    const { bandMin, bandMax } = viewMarket(exchange, instrument.id)
    return {
      buy: balanceOut(instrument.settlementCurrency, buy),
      sell: balanceOut(instrument.settlementCurrency, sell),
      buy_taker_fee: feeOut('buy', 'taker'),
      buy_maker_fee: feeOut('buy', 'maker'),
      sell_taker_fee: feeOut('sell', 'taker'),
      sell_maker_fee: feeOut('sell', 'maker'),
      min_price: priceOut(bandMin),
      max_price: priceOut(bandMax),
    }
  },
})

/** The fault of an order whose size is not valid (C09). */
function sizeFault(instrument: Instrument, size: Lots): Fault | null {
  const reason = sizeReason(instrument, size)
  return reason === null ? null : { step: validationStep.amount, refusal: { reason } }
}

/** Methods by their names; a part of the table. */
export const marginMethods = {
  'private/get_margins': getMargins,
} as const
