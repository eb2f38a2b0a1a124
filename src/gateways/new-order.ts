/**
 * sim/direct/new_order: NewOrderRequest (100) over a session of direct access.
 *
 * Source: sessions document 8.5, 8.6, 8.7; S289, S303, S333.
 */
import { lots, type Ticks, ticks, z } from '../core/index.ts'
import { findInstrument } from '../engine/index.ts'
import { sides } from '../model/index.ts'
import {
  decimal,
  defineMethod,
  instrumentName,
  ownOrder,
  plainPlacement,
  type ReadContext,
  type ReadRequest,
  readPrice,
  readSize,
  unknownInstrument,
  unreadable,
} from '../rpc/index.ts'
import { answerFields, messageHead } from './answers.ts'
import { messageJson } from './message-json.ts'
import {
  clientOrderId,
  directPlacementExtras,
  directTimeInForce,
  firstOf,
  knownFlags,
  orderFlags,
  readPostOnly,
  readShown,
  readTimeInForce,
} from './order-arguments.ts'
import { type NewOrderResponse, ownOrderRecord } from './order-replies.ts'
import { versionOf } from './posting.ts'

const params = z.object({
  client_order_id: clientOrderId,
  ...messageHead,
  instrument_name: instrumentName,
  side: z.enum(sides).describe('buy or sell'),
  price: decimal.optional().describe('omitted for market orders'),
  amount: decimal,
  show_amount: decimal.optional().describe('visible size of an iceberg'),
  time_in_force: directTimeInForce
    .default('GTC')
    .describe('time in force: a word, or the number of settlements after which the order ends'),
  flags: z.array(z.enum(orderFlags)).default([]).describe('flags of the protocol'),
})

/** Places an order of direct access. */
const newOrder = defineMethod({
  scope: 'direct_access:read_write',
  sessions: 'direct_access',
  command: 'place_order',
  charge: 'trading',
  direct: 'NewOrderRequest',
  params,
  read: readNewOrder,
  reply: (context, asked): NewOrderResponse =>
    messageJson<NewOrderResponse>(
      'NewOrderResponse',
      {
        ...answerFields(context, asked),
        ...ownOrderRecord(context),
        side: ownOrder(context).side,
        flags: knownFlags(context, asked.flags),
      },
      versionOf(context),
    ),
})

function readNewOrder(context: ReadContext, asked: z.output<typeof params>): ReadRequest {
  const flags = knownFlags(context, asked.flags)
  const { timeInForce, settlements } = readTimeInForce(asked.time_in_force)
  const extras = directPlacementExtras(context, {
    clientOrderId: asked.client_order_id,
    correlationId: asked.correlation_id ?? null,
    flags,
    settlements,
  })
  const instrument = findInstrument(context.exchange, asked.instrument_name)
  if (instrument === undefined) return { body: unreadable('place_order'), fault: unknownInstrument }
  const size = readSize(instrument, asked)
  const price = asked.price === undefined ? null : readPrice(instrument, asked.price)
  const { postOnly, fault: postOnlyFault } = readPostOnly(flags)
  const { display, fault: displayFault } = readShown(instrument, asked.show_amount)
  const market = flags.includes('market_limit') ? 'market_limit' : 'market'
  return {
    body: {
      ...plainPlacement,
      instrument: instrument.id,
      side: asked.side,
      type: price === null ? market : 'limit',
      timeInForce,
      price: price === null ? null : priceOr(price),
      amount: size.ok ? size.value : lots(0),
      postOnly,
      display,
      extras,
    },
    fault: firstOf([
      postOnlyFault,
      displayFault,
      size.ok ? null : size.fault,
      price === null || price.ok ? null : price.fault,
    ]),
  }
}

/** The price, or 0 for a price that could not be read, whose fault refuses the request. */
function priceOr(price: ReturnType<typeof readPrice>): Ticks {
  return price.ok ? price.value : ticks(0)
}

/** Methods by their names; a part of the table. */
export const newOrderMethods = {
  'sim/direct/new_order': newOrder,
} as const
