/**
 * sim/direct/get_mass_quote_mmp_status: GetMassQuoteMmpStatusRequest (155), answered by 280; and
 * sim/direct/get_orders_mmp_status: GetOrdersMmpStatusRequest (156), answered by 282. Below version 11 there
 * are no such messages.
 *
 * Source: sessions document 8.5, 8.6, 8.9, 8.13; S289, S306, S325.
 */
import { type Micros, micros, z } from '../core/index.ts'
import { type MmpGroupView, mmpGroupsOf, timeOf } from '../engine/index.ts'
import { type Fault, leastFreezeMicros, validationStep } from '../model/index.ts'
import {
  asker,
  defineMethod,
  earlier,
  nanosOut,
  queryOf,
  type ReadContext,
  type ReplyContext,
  timeOut,
} from '../rpc/index.ts'
import { correlationOut, type DirectAnswer, messageHead } from './answers.ts'
import { groupFault, unknownGroup } from './mass-cancel.ts'
import { hasMessage } from './messages.ts'
import { currencyPair, groupNumber, pairNamed } from './order-arguments.ts'
import { versionOf } from './posting.ts'

/** 280 and 282: the state of a group. */
export interface MmpStatus extends Pick<DirectAnswer, 'timestamp_ns' | 'correlation_id'> {
  readonly message: 'MassQuoteMmpStatusResponse' | 'OrdersMmpStatusResponse'
  readonly mmp_group_id?: number
  readonly currency_pair?: string
  readonly is_frozen: boolean
  /** Null while it is not frozen, and where only a reset ends it. */
  readonly frozen_until_time: number | null
}

/** Where a group of quotes stands. */
const massQuoteMmpStatus = defineMethod({
  scope: 'direct_access:read_write',
  sessions: 'direct_access',
  command: 'query',
  charge: 'trading',
  direct: 'GetMassQuoteMmpStatusRequest',
  params: z.object({ mmp_group_id: groupNumber, ...messageHead }),
  read: (context, params) =>
    queryOf(earlier(versionFault(context), groupFault(context, params.mmp_group_id))),
  reply: (context, { mmp_group_id, correlation_id }): MmpStatus => ({
    message: 'MassQuoteMmpStatusResponse',
    ...statusHead(context, correlation_id ?? null),
    mmp_group_id,
    ...freezeOf(
      context,
      mmpGroupsOf(context.exchange, asker(context)).find(({ number }) => number === mmp_group_id),
    ),
  }),
})

/** Where the group of orders of a pair stands. */
const ordersMmpStatus = defineMethod({
  scope: 'direct_access:read_write',
  sessions: 'direct_access',
  command: 'query',
  charge: 'trading',
  direct: 'GetOrdersMmpStatusRequest',
  params: z.object({
    currency_pair: currencyPair,
    ...messageHead,
  }),
  read: (context, params) => {
    const pair = pairNamed(context, params.currency_pair)
    const isKnown = ordersGroup(context, pair) !== undefined
    return queryOf(earlier(versionFault(context), isKnown ? null : unknownGroup))
  },
  reply: (context, asked): MmpStatus => {
    const pair = pairNamed(context, asked.currency_pair)
    return {
      message: 'OrdersMmpStatusResponse',
      ...statusHead(context, asked.correlation_id ?? null),
      currency_pair: pair,
      ...freezeOf(context, ordersGroup(context, pair)),
    }
  },
})

function statusHead(
  { execution }: ReplyContext,
  correlation: string | null,
): Pick<MmpStatus, 'timestamp_ns' | 'correlation_id'> {
  return { timestamp_ns: nanosOut(execution.time), ...correlationOut(correlation) }
}

function ordersGroup({ exchange, account }: ReadContext, pair: string): MmpGroupView | undefined {
  if (account === -1) return undefined
  return mmpGroupsOf(exchange, account).find(
    ({ key }) => key.index === pair && key.name === null && !key.blockRfq,
  )
}

function versionFault(context: ReadContext): Fault | null {
  if (hasMessage(versionOf(context), 'GetMassQuoteMmpStatusRequest')) return null
  return { step: validationStep.envelope, refusal: { reason: 'method_not_found' } }
}

/** A freeze that JSON-RPC ended for itself binds direct access for the rest of its first second. */
function freezeOf(
  { exchange }: ReadContext,
  group: MmpGroupView | undefined,
): Pick<MmpStatus, 'is_frozen' | 'frozen_until_time'> {
  const freeze = group?.freeze ?? null
  if (freeze === null) return notFrozen
  const until: Micros | null = freeze.isReset
    ? micros(freeze.since + leastFreezeMicros)
    : freeze.until
  if (freeze.isReset && timeOf(exchange) >= freeze.since + leastFreezeMicros) return notFrozen
  return { is_frozen: true, frozen_until_time: until === null ? null : timeOut(until) }
}

const notFrozen = { is_frozen: false, frozen_until_time: null } as const

/** Methods by their names; a part of the table. */
export const mmpStatusMethods = {
  'sim/direct/get_mass_quote_mmp_status': massQuoteMmpStatus,
  'sim/direct/get_orders_mmp_status': ordersMmpStatus,
} as const
