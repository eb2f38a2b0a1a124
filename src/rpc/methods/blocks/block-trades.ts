/**
 * The first step of a block trade: private/verify_block_trade returns the signature of one side, and
 * private/invalidate_block_trade_signature invalidates it.
 *
 * Source: sessions-blocks-gateways.md 4.1, 4.4-4.6; coverage R70; S255, S258, S259.
 */

import { type AccountId, defined, z } from '../../../core/index.ts'
import {
  accountOf,
  awaitedBlock,
  type BlockRequestView,
  blockRequestsOf,
  blockSignatureOf,
  couldTradeBlock,
  type Exchange,
  executedBlock,
  instrumentAt,
} from '../../../engine/index.ts'
import { type BlockAnswer, type Fault, type Liquidity, type Side, validationStep } from '../../../model/index.ts'
import { type BlockRecord, rowsOf } from '../../history/index.ts'
import {
  amountOut,
  blockIdIn,
  blockOut,
  pendingIdOut,
  placesOf,
  priceOut,
  timeOut,
  type WireBlock,
} from '../../wire/index.ts'
import {
  asker,
  defineMethod,
  type Method,
  needsApproval,
  queryOf,
  type ReadContext,
  type ReplyContext,
  validRequest,
} from '../method.ts'
import { earlier, paramFault, readTime, requestCurrency } from '../params.ts'
import { secretText } from '../secrets.ts'
import { blockRole, blockTerms, blockTrades, readBlock, readLegs } from './block-params.ts'

/** A signed side of a block trade. */
export interface WireSignature {
  /** Secret that the counterparty executes the block trade with. */
  readonly signature: string
}

/** The approval state of a side. */
export interface WireApproval {
  /** The state of the approval. */
  readonly value: string
  readonly timestamp: number
}

/** A block trade that waits for approval or was decided within the last day, as one of its sides sees it. */
export interface WireBlockRequest {
  readonly nonce: string
  readonly timestamp: number
  readonly trades: readonly {
    readonly instrument_name: string
    readonly price: number
    readonly amount: number
    readonly direction: Side
  }[]
  readonly role: Liquidity
  readonly user_id: number
  readonly username: string
  readonly app_name?: string
  /** The combo with the legs of the block trade. */
  readonly combo_id?: string
  readonly state: WireApproval
  readonly counterparty_state: WireApproval
}

/**
 * Approval of block trades: private/get_block_trade_requests, private/approve_block_trade, private/reject_block_trade.
 *
 * Source: sessions-blocks-gateways.md 4.1, 4.7.
 */

/** Block trades of the requesting account that wait for approval or were decided within the last day. */
const getBlockTradeRequests = defineMethod({
  scope: 'block_trade:read',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({
    broker_code: z
      .string()
      .optional()
      .describe('only requests of this broker; there are no brokers, so the list is empty'),
  }),
  read: () => queryOf(null),
  reply: (context, params): readonly WireBlockRequest[] =>
    params.broker_code === undefined ? requestsOut(context) : [],
})

function requestsOut(context: ReplyContext): readonly WireBlockRequest[] {
  const own = asker(context)
  return blockRequestsOf(context.exchange, own)
    .map((block) => blockRequestOut(context.exchange, own, block))
    .reverse()
}

/** A block trade that waits or waited for approval, as one of its sides sees it. */
export function blockRequestOut(exchange: Exchange, account: AccountId, block: BlockRequestView): WireBlockRequest {
  return {
    nonce: block.nonce,
    timestamp: timeOut(block.timestamp),
    trades: block.legs.map((leg) => {
      const instrument = instrumentAt(exchange, leg.instrument)
      return {
        instrument_name: instrument.name,
        price: priceOut(leg.price),
        amount: amountOut(instrument, leg.amount),
        direction: leg.side,
      }
    }),
    role: block.role,
    user_id: account,
    username: accountOf(exchange, account).name,
    ...(block.appName === null ? {} : { app_name: block.appName }),
    ...(block.combo === null ? {} : { combo_id: instrumentAt(exchange, block.combo).name }),
    state: { value: block.own.value, timestamp: timeOut(block.own.since) },
    counterparty_state: { value: block.other.value, timestamp: timeOut(block.other.since) },
  }
}

const { timestamp, nonce, role } = blockTerms

const answerParams = z.object({
  timestamp,
  nonce,
  role: role.describe('own role in the block trade'),
})

function answering(answer: BlockAnswer): Method<typeof answerParams, 'ok'> {
  return defineMethod({
    scope: 'block_trade:read_write',
    sessions: 'json_rpc',
    command: 'answer_block_trade',
    params: answerParams,
    read: (context, params) =>
      validRequest({
        kind: 'answer_block_trade',
        role: params.role,
        timestamp: readTime(params.timestamp),
        nonce: params.nonce,
        answer,
        needsApproval: needsApproval(context),
      }),
    reply: () => 'ok',
  })
}

/** Approves the requesting account's side of a block trade; the last approval executes it. */
const approveBlockTrade = answering('accepted')

/** Rejects a waiting block trade for both sides. */
const rejectBlockTrade = answering('rejected')

/** Signs one side of a block trade. It moves no position and reserves no margin. */
const verifyBlockTrade = defineMethod({
  scope: 'block_trade:read',
  sessions: 'json_rpc',
  command: 'sign_block_trade',
  charge: 'trading',
  params: z.object(blockTerms),
  read: (context, params) => {
    const { terms, fault } = readBlock(context, params)
    return { body: { kind: 'sign_block_trade', ...terms }, fault }
  },
  reply: (context, params): WireSignature => ({
    signature: blockSignatureOf(context.exchange, asker(context), readBlock(context, params).terms),
  }),
})

/** Invalidates an unused signature of the requesting account. */
const invalidateBlockTradeSignature = defineMethod({
  scope: 'block_trade:read_write',
  sessions: 'json_rpc',
  command: 'invalidate_block_signature',
  params: z.object({
    signature: secretText.describe('a signature that the account received'),
  }),
  read: (_, { signature }) => validRequest({ kind: 'invalidate_block_signature', signature }),
  reply: (): 'ok' => 'ok',
})

/**
 * The second step of a block trade: private/execute_block_trade, and private/simulate_block_trade, which checks whether
 * the requesting side could execute it now.
 *
 * Source: sessions-blocks-gateways.md 4.1, 4.2, 4.6; coverage R07, R76; S251-S257.
 */

/**
 * Executes a block trade that the counterparty has signed; a repeated request gets the same reply. If a side needs
 * approval, the reply has a separate id and no trades, and the last approval executes the block trade.
 */
const executeBlockTrade = defineMethod({
  scope: 'block_trade:read_write',
  sessions: 'json_rpc',
  command: 'execute_block_trade',
  charge: 'trading',
  params: z.object({
    ...blockTerms,
    counterparty_signature: secretText.describe('signature of the counterparty'),
  }),
  read: (context, params) => {
    const { terms, fault } = readBlock(context, params)
    return { body: { kind: 'execute_block_trade', ...terms, signature: params.counterparty_signature }, fault }
  },
  reply: (context, params): WireBlock => {
    const { exchange, history } = context
    const own = asker(context)
    const named = {
      timestamp: readTime(params.timestamp),
      nonce: params.nonce,
      signature: params.counterparty_signature,
    }
    const number = executedBlock(exchange, own, named)
    if (number === undefined) {
      const waits = defined(awaitedBlock(exchange, own, named), 'a block trade is executed or waits')
      return { id: pendingIdOut(waits.pending), timestamp: timeOut(waits.since), trades: [] }
    }
    const block = rowsOf(history.blocks, own).findLast((each) => each.number === number)
    return blockOut(defined(block, 'an executed block trade is in the history'), own, placesOf(exchange, history))
  },
})

/** Reports if the account could take its side of a block trade now. */
const simulateBlockTrade = defineMethod({
  scope: 'block_trade:read',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({ trades: blockTrades, role: blockRole.default('taker') }),
  read: (context, params) => {
    const { fault } = readLegs(context, params.trades)
    // A trade that would be refused is a valid result (false), but a malformed request is an error.
    return queryOf(fault !== null && fault.step <= validationStep.parameters ? fault : null)
  },
  reply: (context, { trades, role }): boolean => {
    const { legs, fault } = readLegs(context, trades)
    return fault === null && couldTradeBlock(context.exchange, asker(context), role, legs)
  },
})

/**
 * Block trades of an account: private/get_block_trade and private/get_block_trades.
 *
 * Source: sessions-blocks-gateways.md 4.1. Assumed: the default count is 20; records are ordered by the number in their
 * ids, newest first; the list excludes `start_id` and includes `end_id` as its last record.
 */

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
    const below = params.start_id === undefined ? undefined : blockIdIn(params.start_id)
    const from = params.end_id === undefined ? undefined : blockIdIn(params.end_id)
    const isMeant = (block: BlockRecord): boolean =>
      (below === undefined || block.number < below) &&
      (from === undefined || block.number >= from) &&
      (params.block_rfq_id === undefined || rfqOf(block) === params.block_rfq_id) &&
      (params.currency === undefined || isOf(context, block, params.currency))
    return rowsOf(context.history.blocks, own)
      .filter(isMeant)
      .slice(-params.count)
      .reverse()
      .map((block) => blockOut(block, own, placesOf(context.exchange, context.history)))
  },
})

/** The Block RFQ that a block trade resulted from, or undefined. */
function rfqOf(block: BlockRecord): number | undefined {
  return block.trades[0]?.rfq?.rfq
}

/** True if any leg settles in a currency. */
function isOf({ exchange }: ReadContext, block: BlockRecord, currency: string): boolean {
  return block.trades.some(({ instrument }) => instrumentAt(exchange, instrument).settlementCurrency === currency)
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
  'private/verify_block_trade': verifyBlockTrade,
  'private/invalidate_block_trade_signature': invalidateBlockTradeSignature,
  'private/execute_block_trade': executeBlockTrade,
  'private/simulate_block_trade': simulateBlockTrade,
  'private/get_block_trade': getBlockTrade,
  'private/get_block_trades': getBlockTrades,
  'private/get_block_trade_requests': getBlockTradeRequests,
  'private/approve_block_trade': approveBlockTrade,
  'private/reject_block_trade': rejectBlockTrade,
} as const
