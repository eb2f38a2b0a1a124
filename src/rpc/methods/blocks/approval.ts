/**
 * Approval of block trades: private/get_block_trade_requests, private/approve_block_trade, private/reject_block_trade.
 *
 * Source: sessions-blocks-gateways.md 4.1, 4.7.
 */
import { type AccountId, z } from '../../../core/index.ts'
import {
  accountOf,
  type BlockRequestView,
  blockRequestsOf,
  type Exchange,
  instrumentAt,
} from '../../../engine/index.ts'
import type { BlockAnswer, Liquidity, Side } from '../../../model/index.ts'
import { amountOut, priceOut, timeOut } from '../../wire/index.ts'
import {
  asker,
  defineMethod,
  needsApproval,
  queryOf,
  type ReadContext,
  type ReadRequest,
  type ReplyContext,
} from '../method.ts'
import { readTime } from '../params.ts'
import { blockTerms } from './block-params.ts'

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
  const { timestamp, nonce, role, legs, combo, own, other, appName } = block
  return {
    nonce,
    timestamp: timeOut(timestamp),
    trades: legs.map((leg) => {
      const instrument = instrumentAt(exchange, leg.instrument)
      return {
        instrument_name: instrument.name,
        price: priceOut(leg.price),
        amount: amountOut(instrument, leg.amount),
        direction: leg.side,
      }
    }),
    role,
    user_id: account,
    username: accountOf(exchange, account).name,
    ...(appName === null ? {} : { app_name: appName }),
    ...(combo === null ? {} : { combo_id: instrumentAt(exchange, combo).name }),
    state: { value: own.value, timestamp: timeOut(own.since) },
    counterparty_state: { value: other.value, timestamp: timeOut(other.since) },
  }
}

const { timestamp, nonce, role } = blockTerms
const answerParams = z.object({
  timestamp,
  nonce,
  role: role.describe('own role in the block trade'),
})

function readAnswer(context: ReadContext, params: z.output<typeof answerParams>, answer: BlockAnswer): ReadRequest {
  return {
    body: {
      kind: 'answer_block_trade',
      role: params.role,
      timestamp: readTime(params.timestamp),
      nonce: params.nonce,
      answer,
      needsApproval: needsApproval(context),
    },
    fault: null,
  }
}

/** Approves the requesting account's side of a block trade; the last approval executes it. */
const approveBlockTrade = defineMethod({
  scope: 'block_trade:read_write',
  sessions: 'json_rpc',
  command: 'answer_block_trade',
  params: answerParams,
  read: (context, params) => readAnswer(context, params, 'accepted'),
  reply: (): 'ok' => 'ok',
})

/** Rejects a waiting block trade for both sides. */
const rejectBlockTrade = defineMethod({
  scope: 'block_trade:read_write',
  sessions: 'json_rpc',
  command: 'answer_block_trade',
  params: answerParams,
  read: (context, params) => readAnswer(context, params, 'rejected'),
  reply: (): 'ok' => 'ok',
})

/** Methods by their names; a part of the table. */
export const approvalMethods = {
  'private/get_block_trade_requests': getBlockTradeRequests,
  'private/approve_block_trade': approveBlockTrade,
  'private/reject_block_trade': rejectBlockTrade,
} as const
