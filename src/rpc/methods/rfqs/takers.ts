/**
 * Block RFQs of takers: private/create_block_rfq, private/cancel_block_rfq, private/accept_block_rfq and
 * private/cancel_block_rfq_trigger.
 *
 * Source: interface document 5; sessions-blocks-gateways.md 5.1, 5.7, 5.8; S170, S171, S260, S261.
 */
import { accountId, defined, z } from '../../../core/index.ts'
import { allAccounts, viewRfq } from '../../../engine/index.ts'
import { type Fault, type RfqAllocation, sides } from '../../../model/index.ts'
import { rowsOf } from '../../history/index.ts'
import {
  blockOut,
  placesOf,
  rfqOut,
  triggerOut,
  type WireBlock,
  type WireBlockRfq,
  type WireRfqTrigger,
} from '../../wire/index.ts'
import { asker, defineMethod, type ReplyContext, validRequest } from '../method.ts'
import { decimal, earlier, label, paramFault } from '../params.ts'
import {
  askedLegs,
  hedgeParam,
  type ReadWith,
  readAsks,
  readHedge,
  readRfqPrice,
  readSize9,
  readStructureLegs,
  rfqId,
  structureAmount,
  structureLegs,
} from './rfq-params.ts'

const allocations = z
  .array(
    z.object({
      user_id: z.int().min(0).optional(),
      client_info: z.object({ client_id: z.int(), client_link_id: z.int().min(0), name: z.string() }).optional(),
      amount: decimal,
    }),
  )
  .default([])
  .describe('parts of the amount by account: user_id or client_info, and amount')

/** Asks makers for quotes on a structure of legs. */
const createBlockRfq = defineMethod({
  scope: 'block_rfq:read_write',
  sessions: 'json_rpc',
  command: 'create_block_rfq',
  params: z.object({
    legs: askedLegs,
    hedge: hedgeParam,
    label: label.default(''),
    makers: z.array(z.string()).default([]).describe('aliases of the makers to ask; all makers if empty'),
    disclosed: z.boolean().default(true).describe("true if takers and makers see each other's aliases"),
    trade_allocations: allocations,
  }),
  read: (context, params) => {
    const legs = readAsks(context, params.legs)
    const hedge = readHedge(context, params.hedge)
    const shares = readShares(params.trade_allocations, allAccounts(context.exchange).length)
    return {
      body: {
        kind: 'create_block_rfq',
        legs: legs.value,
        hedge: hedge.value,
        label: params.label,
        makers: params.makers,
        disclosed: params.disclosed,
        allocations: shares.value,
        appName: context.key?.appName ?? null,
      },
      fault: earlier(legs.fault, earlier(hedge.fault, shares.fault)),
    }
  },
  reply: (context): WireBlockRfq => ownRfq(context, context.count),
})

/** Cancels an RFQ and all quotes on it. */
const cancelBlockRfq = defineMethod({
  scope: 'block_rfq:read_write',
  sessions: 'json_rpc',
  command: 'cancel_block_rfq',
  params: z.object({ block_rfq_id: rfqId }),
  read: (_, params) => validRequest({ kind: 'cancel_block_rfq', rfq: params.block_rfq_id }),
  reply: (context, params): WireBlockRfq => ownRfq(context, params.block_rfq_id),
})

/** Cancels the triggers of an RFQ. */
const cancelBlockRfqTrigger = defineMethod({
  scope: 'block_rfq:read_write',
  sessions: 'json_rpc',
  command: 'cancel_rfq_trigger',
  params: z.object({ block_rfq_id: rfqId }),
  read: (_, params) => validRequest({ kind: 'cancel_rfq_trigger', rfq: params.block_rfq_id }),
  reply: (context, params): WireBlockRfq => ownRfq(context, params.block_rfq_id),
})

/** Result of an acceptance. */
export interface WireAccepted {
  /** One block trade per maker of the fill; empty while a trigger waits. */
  readonly block_trades: readonly WireBlock[]
  readonly trade_trigger?: WireRfqTrigger
}

/** Trades the whole amount of an RFQ with its best quotes, immediately or as soon as there are enough quotes. */
const acceptBlockRfq = defineMethod({
  scope: 'block_rfq:read_write',
  sessions: 'json_rpc',
  command: 'accept_block_rfq',
  params: z.object({
    block_rfq_id: rfqId,
    price: decimal.describe('worst acceptable price of the structure'),
    amount: structureAmount,
    direction: z.enum(sides).describe('side of the taker'),
    legs: structureLegs,
    hedge: hedgeParam,
    time_in_force: z
      .enum(['fill_or_kill', 'good_til_cancelled'])
      .describe('fill_or_kill trades immediately or not at all; good_til_cancelled waits'),
  }),
  read: (context, params) => {
    const legs = readStructureLegs(context, params.legs)
    const hedge = readHedge(context, params.hedge)
    const amount = readSize9(params.amount)
    const price = readRfqPrice(params.price)
    return {
      body: {
        kind: 'accept_block_rfq',
        rfq: params.block_rfq_id,
        side: params.direction,
        price9: BigInt(price.value ?? 0),
        amount9: amount.value,
        legs: legs.value,
        hedge: hedge.value,
        rests: params.time_in_force === 'good_til_cancelled',
      },
      fault: earlier(legs.fault, earlier(hedge.fault, earlier(amount.fault, price.fault))),
    }
  },
  reply: (context, params): WireAccepted => {
    const own = asker(context)
    const view = defined(viewRfq(context.exchange, params.block_rfq_id, own), 'the taker can see the RFQ')
    const trigger = view.own?.trigger ?? null
    if (view.fill === null) {
      const waits = trigger === null ? {} : { trade_trigger: triggerOut(trigger) }
      return { block_trades: [], ...waits }
    }
    const numbers = new Set(view.fill.trades.map(({ block }) => block))
    const blocks = rowsOf(context.history.blocks, own)
      .filter(({ number }) => numbers.has(number))
      .map((block) => blockOut(block, own, placesOf(context.exchange, context.history)))
    if (params.time_in_force === 'fill_or_kill') return { block_trades: blocks }
    const price9 = BigInt(readRfqPrice(params.price).value ?? 0)
    const fired = { state: 'triggered', side: params.direction, price9, reason: null } as const
    return { block_trades: blocks, trade_trigger: triggerOut(fired) }
  },
})

function ownRfq(context: ReplyContext, rfq: number): WireBlockRfq {
  const view = viewRfq(context.exchange, rfq, asker(context))
  return rfqOut(context.exchange, defined(view, 'the taker can see the RFQ'))
}

/** Reads the shares of an allocation. A share must name exactly one account or client. */
function readShares(given: z.output<typeof allocations>, accounts: number): ReadWith<readonly RfqAllocation[]> {
  const value: RfqAllocation[] = []
  let fault: Fault | null = null
  for (const [at, share] of given.entries()) {
    const place = `trade_allocations.${at}`
    const { user_id: user, client_info: client } = share
    const amount = readSize9(share.amount)
    const target = user ?? client?.client_link_id
    const isOne = (user === undefined) !== (client === undefined)
    if (!isOne || target === undefined) {
      fault = earlier(fault, paramFault(place, 'expected user_id or client_info'))
    } else if (target >= accounts) fault = earlier(fault, paramFault(place, 'unknown_user'))
    else {
      fault = earlier(fault, amount.fault)
      const named = client === undefined ? null : { id: client.client_id, name: client.name }
      value.push({ account: accountId(target), client: named, amount9: amount.value })
    }
  }
  return { value, fault }
}

/** Methods by their names; a part of the table. */
export const rfqTakerMethods = {
  'private/create_block_rfq': createBlockRfq,
  'private/cancel_block_rfq': cancelBlockRfq,
  'private/accept_block_rfq': acceptBlockRfq,
  'private/cancel_block_rfq_trigger': cancelBlockRfqTrigger,
} as const
