/**
 * private/close_position: a reduce-only order over the whole position at the arrival of the request. Source: trading.md
 * 4.6 (C13).
 */
import { lots, ticks, z } from '../../../../core/index.ts'
import { findInstrument, viewPosition } from '../../../../engine/index.ts'
import { type Fault, type OrderType, validationStep } from '../../../../model/index.ts'
import { asker, type BodyOf, defineMethod, unreadable } from '../../method.ts'
import { argumentFault, decimal, earlier, instrumentName, unknownInstrument } from '../../params.ts'
import { type OrderResult, orderResult } from '../order-reports.ts'
import { reduceOnlyReason } from './arguments.ts'
import { readLimitPrice } from './order-terms.ts'
import { placementExtras, plainPlacement } from './place.ts'

/** Closing orders are market or limit orders; no other type is documented. */
const closingTypes = ['limit', 'market'] as const satisfies readonly OrderType[]

/** Closes the position in an instrument with a limit or a market order. */
const closePosition = defineMethod({
  scope: 'trade:read_write',
  sessions: 'json_rpc',
  command: 'place_order',
  charge: 'trading',
  queue: 'order',
  params: z.object({
    instrument_name: instrumentName,
    type: z.enum(closingTypes).describe('type of the closing order'),
    price: decimal.optional().describe('required for limit orders'),
  }),
  read: (context, params) => {
    const instrument = findInstrument(context.exchange, params.instrument_name)
    if (instrument === undefined) return { body: unreadable('place_order'), fault: unknownInstrument }
    const reason = reduceOnlyReason(instrument)
    const price = readLimitPrice(instrument, params.type, params.price)
    const size = viewPosition(context.exchange, asker(context), instrument.id).size
    let fault = reason === undefined ? null : argumentFault(reason)
    if (price !== null && !price.ok) fault = earlier(fault, price.fault)
    if (size === 0) fault = earlier(fault, noPosition)
    const body: BodyOf<'place_order'> = {
      ...plainPlacement,
      instrument: instrument.id,
      side: size > 0 ? 'sell' : 'buy',
      type: params.type,
      price: price === null ? null : price.ok ? price.value : ticks(0),
      // Sizes are checked first, so a missing position is replaced by the minimum size.
      amount: size === 0 ? instrument.minTradeLots : lots(Math.abs(size)),
      reduceOnly: true,
      extras: placementExtras(context, false),
    }
    return { body, fault }
  },
  reply: (context): OrderResult => orderResult(context),
})

const noPosition: Fault = {
  step: validationStep.reduceOnly,
  refusal: { reason: 'other_reject no_position' },
}

/** Methods by their names; a part of the table. */
export const closePositionMethods = {
  'private/close_position': closePosition,
} as const
