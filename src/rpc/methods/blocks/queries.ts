/**
 * Block trades of an account: private/get_block_trade and private/get_block_trades.
 *
 * Source: sessions-blocks-gateways.md 4.1. Assumed: the default count is 20; records are ordered by the number in their
 * ids, newest first; the list excludes `start_id` and includes `end_id` as its last record.
 */
import { z } from '../../../core/index.ts'
import { instrumentAt } from '../../../engine/index.ts'
import { type Fault, validationStep } from '../../../model/index.ts'
import { type BlockRecord, rowsOf } from '../../history/index.ts'
import { blockIdIn, blockOut, placesOf, type WireBlock } from '../../wire/index.ts'
import { asker, defineMethod, queryOf, type ReadContext } from '../method.ts'
import { earlier, paramFault, requestCurrency } from '../params.ts'

const COUNT_MAX = 101
const COUNT = 20

const blockId = z.string().describe('id of a block trade, such as BLOCK-7')

/** One block trade of the requesting account. */
const getBlockTrade = defineMethod({
  scope: 'block_trade:read',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({ id: blockId }),
  read: (context, { id }) => queryOf(idFault(context, id)),
  reply: (context, { id }): WireBlock => {
    const block = blockOf(context, id)
    // `read` has refused unknown block trades.
    return blockOut(block as BlockRecord, asker(context), placesOf(context.exchange, context.history))
  },
})

/** The requesting account's block trades, newest first. */
const getBlockTrades = defineMethod({
  scope: 'block_trade:read',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({
    currency: requestCurrency.optional(),
    count: z.int().min(1).max(COUNT_MAX).default(COUNT).describe('maximum number of records'),
    start_id: blockId.optional().describe('only block trades older than this one'),
    end_id: blockId.optional().describe('the oldest block trade in the result; needs start_id'),
    block_rfq_id: z.int().optional().describe('block trades of this Block RFQ'),
    broker_code: z.string().optional().describe('block trades of this broker; there are none'),
  }),
  read: (_, { start_id: start, end_id: end }) =>
    queryOf(
      earlier(
        wordFault('start_id', start),
        earlier(
          wordFault('end_id', end),
          end !== undefined && start === undefined ? paramFault('start_id', 'required') : null,
        ),
      ),
    ),
  reply: (context, params): readonly WireBlock[] => {
    if (params.broker_code !== undefined) return []
    const own = asker(context)
    const { exchange, history } = context
    const below = params.start_id === undefined ? undefined : blockIdIn(params.start_id)
    const from = params.end_id === undefined ? undefined : blockIdIn(params.end_id)
    const isMeant = (block: BlockRecord): boolean =>
      (below === undefined || block.number < below) &&
      (from === undefined || block.number >= from) &&
      (params.block_rfq_id === undefined || rfqOf(block) === params.block_rfq_id) &&
      (params.currency === undefined || isOf(context, block, params.currency))
    return rowsOf(history.blocks, own)
      .filter(isMeant)
      .slice(-params.count)
      .reverse()
      .map((block) => blockOut(block, own, placesOf(exchange, history)))
  },
})

/** The Block RFQ that a block trade resulted from, or undefined. */
function rfqOf({ trades }: BlockRecord): number | undefined {
  return trades[0]?.rfq?.rfq
}

/** True if any leg settles in a currency. */
function isOf({ exchange }: ReadContext, { trades }: BlockRecord, currency: string): boolean {
  return trades.some(({ instrument }) => instrumentAt(exchange, instrument).settlementCurrency === currency)
}

function blockOf(context: ReadContext, id: string): BlockRecord | undefined {
  const number = blockIdIn(id)
  return rowsOf(context.history.blocks, asker(context)).find((each) => each.number === number)
}

function idFault(context: ReadContext, id: string): Fault | null {
  const word = wordFault('id', id)
  if (word !== null || blockOf(context, id) !== undefined) return word
  return { step: validationStep.instrument, refusal: { reason: 'not_found' } }
}

function wordFault(param: string, id: string | undefined): Fault | null {
  if (id === undefined || blockIdIn(id) !== undefined) return null
  return paramFault(param, 'expected an id such as BLOCK-7')
}

/** Methods by their names; a part of the table. */
export const blockTradeMethods = {
  'private/get_block_trade': getBlockTrade,
  'private/get_block_trades': getBlockTrades,
} as const
