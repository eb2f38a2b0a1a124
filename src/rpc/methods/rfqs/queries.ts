/**
 * Queries of Block RFQs: private/get_block_rfqs, private/get_block_rfq_makers, private/get_block_rfq_user_info and
 * public/get_block_rfq_trades.
 *
 * Source: sessions-blocks-gateways.md 5.1, 5.3, 5.10. Assumed: the default count is 20; closed RFQs are listed as long
 * as they count for ratings; `continuation` is null at the end.
 */
import { z } from '../../../core/index.ts'
import {
  accountOf,
  type Exchange,
  filledRfqs,
  instrumentAt,
  type RfqView,
  rfqMakersFor,
  rfqPartyOf,
  rfqsOf,
} from '../../../engine/index.ts'
import type { RfqState } from '../../../model/index.ts'
import { publicRfqOut, rfqOut, timeOut, type WireBlockRfq, type WirePublicRfq } from '../../wire/index.ts'
import { familyOf } from '../account/owner.ts'
import { asker, defineMethod, queryOf } from '../method.ts'
import { anyCurrency, count, paramFault } from '../params.ts'
import { rfqId } from './rfq-params.ts'

const COUNT = 20
const CONTINUATION = /^([0-9]{1,16}):([0-9]{1,15})$/

/** The state of each filter; null for all states except open. `traded` is a synonym of `filled`. */
const filters = {
  open: 'open',
  filled: 'filled',
  traded: 'filled',
  cancelled: 'cancelled',
  expired: 'expired',
  closed: null,
} as const satisfies { readonly [F in RfqState | 'traded' | 'closed']: RfqState | null }

type RfqFilter = keyof typeof filters

const currency = anyCurrency.describe('RFQs with a leg that settles in the currency; any for all currencies')

/** Block RFQs of an account. */
export interface WireBlockRfqs {
  readonly block_rfqs: readonly WireBlockRfq[]
  /** Continuation for the next page; null on the last page. */
  readonly continuation: number | null
}

/** RFQs that the requesting account can see, newest first. */
const getBlockRfqs = defineMethod({
  scope: 'block_rfq:read',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({
    count: count(COUNT),
    state: z
      // No filter looks like a number, so the keys keep their order.
      .enum(Object.keys(filters) as readonly RfqFilter[])
      .optional()
      .describe('RFQs in this state; closed for all that are not open'),
    role: z.enum(['any', 'taker', 'maker']).default('any').describe('role of the asking account'),
    continuation: z.int().min(1).optional().describe('continuation from the previous page'),
    block_rfq_id: rfqId.optional(),
    currency: currency.default('any'),
  }),
  read: () => queryOf(null),
  reply: (context, params): WireBlockRfqs => {
    const found = rfqsOf(context.exchange, asker(context)).filter(
      (view) =>
        (params.continuation === undefined || view.rfq < params.continuation) &&
        (params.block_rfq_id ?? view.rfq) === view.rfq &&
        (params.role === 'any' || (params.role === 'taker') === (view.own !== null)) &&
        (params.state === undefined || isIn(view, params.state)) &&
        isRfqOf(context.exchange, view, params.currency),
    )
    const page = found.slice(0, params.count)
    const isEnd = page.length === found.length
    return {
      block_rfqs: page.map((view) => rfqOut(context.exchange, view)),
      continuation: isEnd ? null : (page.at(-1)?.rfq ?? null),
    }
  },
})

/** Aliases of the makers that the requesting account can select. */
const getBlockRfqMakers = defineMethod({
  scope: 'block_rfq:read',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({}),
  read: () => queryOf(null),
  reply: (context): readonly string[] => rfqMakersFor(context.exchange, asker(context)),
})

/** An account in Block RFQs. */
export interface WireRfqUser {
  readonly user_id: number
  /** Percentage of the counted RFQs that were filled; omitted if none counts. */
  readonly taker_rating?: number
  readonly identity: string
  readonly is_maker: boolean
}

/** The requesting account and other accounts of its owner in Block RFQs. */
export interface WireRfqUserInfo {
  readonly parent: { readonly identity: string; readonly is_maker: boolean }
  readonly users: readonly WireRfqUser[]
}

/**
 * Aliases, roles and ratings: for a main account, those of all accounts of the owner; otherwise those of the requesting
 * account.
 */
const getBlockRfqUserInfo = defineMethod({
  scope: 'block_rfq:read',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({}),
  read: () => queryOf(null),
  reply: (context): WireRfqUserInfo => {
    const { id, main } = accountOf(context.exchange, asker(context))
    const own = main === id ? familyOf(context.exchange, id) : [accountOf(context.exchange, id)]
    const parent = rfqPartyOf(context.exchange, main)
    return {
      parent: { identity: parent.identity, is_maker: parent.isMaker },
      users: own.map((account): WireRfqUser => {
        const { identity, isMaker, rating } = rfqPartyOf(context.exchange, account.id)
        const rated = rating === undefined ? {} : { taker_rating: rating }
        return { user_id: account.id, ...rated, identity, is_maker: isMaker }
      }),
    }
  },
})

/** Public Block RFQ trades. */
export interface WirePublicRfqs {
  readonly block_rfqs: readonly WirePublicRfq[]
  readonly continuation: string | null
}

/** Public Block RFQ trades, newest first. */
const getBlockRfqTrades = defineMethod({
  scope: 'public',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({
    currency,
    continuation: z.string().optional().describe('continuation from the previous page: time and number'),
    count: count(COUNT),
  }),
  read: (_, { continuation }) =>
    queryOf(
      continuation === undefined || CONTINUATION.test(continuation)
        ? null
        : paramFault('continuation', 'expected a time and a number, such as 1767603600000:7'),
    ),
  reply: ({ exchange }, params): WirePublicRfqs => {
    const [, time, number] = CONTINUATION.exec(params.continuation ?? '') ?? []
    const isBefore = ({ fill, rfq }: RfqView): boolean => {
      if (time === undefined || fill === null) return true
      const at = timeOut(fill.time)
      return at < Number(time) || (at === Number(time) && rfq < Number(number))
    }
    const found = filledRfqs(exchange).filter((view) => isBefore(view) && isRfqOf(exchange, view, params.currency))
    const page = found.slice(0, params.count)
    const last = page.length === found.length ? undefined : page.at(-1)
    const at = last?.fill?.time
    return {
      block_rfqs: page.flatMap((view) => publicRfqOut(exchange, view) ?? []),
      continuation: last === undefined || at === undefined ? null : `${timeOut(at)}:${last.rfq}`,
    }
  },
})

function isIn({ state }: RfqView, wanted: RfqFilter): boolean {
  const one = filters[wanted]
  return one === null ? state !== 'open' : state === one
}

/** True if any leg of an RFQ settles in a currency. */
export function isRfqOf(exchange: Exchange, view: RfqView, wanted: string): boolean {
  return (
    wanted === 'any' ||
    view.legs.some(({ instrument }) => instrumentAt(exchange, instrument).settlementCurrency === wanted)
  )
}

/** Methods by their names; a part of the table. */
export const rfqMethods = {
  'public/get_block_rfq_trades': getBlockRfqTrades,
  'private/get_block_rfqs': getBlockRfqs,
  'private/get_block_rfq_makers': getBlockRfqMakers,
  'private/get_block_rfq_user_info': getBlockRfqUserInfo,
} as const
