/**
 * sim/direct/amend_order: AmendOrderRequest (110). Omitted fields stay unchanged.
 *
 * Source: sessions document 8.5, 8.6, 8.7; R61.
 */
import { lots, ticks, z } from '../core/index.ts'
import { NO_ORDER } from '../model/index.ts'
import {
  decimal,
  defineMethod,
  type ReadContext,
  type ReadRequest,
  readPrice,
  readSize,
  unchanged,
} from '../rpc/index.ts'
import { answerFields, messageHead } from './answers.ts'
import { messageJson } from './message-json.ts'
import { clientOrderId, firstOf, namedByClient, readPostOnly, readShown, replaceFlags } from './order-arguments.ts'
import { type AmendOrderResponse, ownOrderRecord } from './order-replies.ts'
import { versionOf } from './posting.ts'

const params = z.object({
  client_order_id: clientOrderId,
  ...messageHead,
  price: decimal.optional(),
  amount: decimal.optional(),
  show_amount: decimal.optional().describe('visible size of an iceberg'),
  flags: z.array(z.enum(replaceFlags)).optional().describe('words of the protocol'),
})

/** Changes an order of direct access, even if another session of the portfolio placed it. */
const amendOrder = defineMethod({
  scope: 'direct_access:read_write',
  sessions: 'direct_access',
  command: 'edit_order',
  charge: 'trading',
  direct: 'AmendOrderRequest',
  params,
  read: readAmend,
  reply: (context, asked): AmendOrderResponse =>
    messageJson<AmendOrderResponse>(
      'AmendOrderResponse',
      { ...answerFields(context, asked), ...ownOrderRecord(context) },
      versionOf(context),
    ),
})

function readAmend(context: ReadContext, asked: z.output<typeof params>): ReadRequest {
  const named = namedByClient(context, asked.client_order_id)
  if (named === null) return { body: { ...unchanged, order: NO_ORDER }, fault: null }
  const { order, instrument } = named
  const size = asked.amount === undefined ? null : readSize(instrument, { amount: asked.amount })
  const price = asked.price === undefined ? null : readPrice(instrument, asked.price)
  const flags = asked.flags === undefined ? null : readPostOnly(asked.flags)
  const shown = readShown(instrument, asked.show_amount)
  return {
    body: {
      ...unchanged,
      order,
      amount: size === null ? null : size.ok ? size.value : lots(0),
      price: price === null ? null : price.ok ? price.value : ticks(0),
      postOnly: flags === null ? null : flags.postOnly,
      display: asked.show_amount === undefined ? null : shown.display,
    },
    fault: firstOf([
      flags?.fault ?? null,
      shown.fault,
      size === null || size.ok ? null : size.fault,
      price === null || price.ok ? null : price.fault,
    ]),
  }
}

/** Methods by their names; a part of the table. */
export const amendMethods = {
  'sim/direct/amend_order': amendOrder,
} as const
