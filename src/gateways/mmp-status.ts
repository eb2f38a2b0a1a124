/**
 * sim/direct/get_mass_quote_mmp_status: GetMassQuoteMmpStatusRequest (155), answered by 280; and
 * sim/direct/get_orders_mmp_status: GetOrdersMmpStatusRequest (156), answered by 282. These messages exist from version
 * 11 on.
 *
 * Source: sessions document 8.5, 8.6, 8.9, 8.13; S289, S306, S325.
 */
import { type Micros, micros, z } from '../core/index.ts'
import { type MmpGroupView, mmpGroupsOf, timeOf } from '../engine/index.ts'
import { type Fault, leastFreezeMicros, validationStep } from '../model/index.ts'
import { asker, defineMethod, earlier, queryOf, type ReadContext, type ReplyContext } from '../rpc/index.ts'
import { type Correlated, type DirectAnswer, messageHead } from './answers.ts'
import { groupFault, unknownGroup } from './mass-cancel.ts'
import { messageJson } from './message-json.ts'
import { hasMessage } from './messages.ts'
import { currencyPair, groupNumber, pairNamed } from './order-arguments.ts'
import { versionOf } from './posting.ts'

/** 280 and 282: the state of a group. */
export interface MmpStatus extends Pick<DirectAnswer, 'timestamp_ns' | 'correlation_id'> {
  readonly message: 'MassQuoteMmpStatusResponse' | 'OrdersMmpStatusResponse'
  readonly mmp_group_id?: number
  readonly currency_pair?: string
  readonly is_frozen: boolean
  /** Null while the group is not frozen, or if only a reset ends the freeze. */
  readonly frozen_until_time: number | null
}

/** The state of a quote group. */
const massQuoteMmpStatus = defineMethod({
  scope: 'direct_access:read_write',
  sessions: 'direct_access',
  command: 'query',
  charge: 'trading',
  direct: 'GetMassQuoteMmpStatusRequest',
  params: z.object({ mmp_group_id: groupNumber, ...messageHead }),
  read: (context, params) => queryOf(earlier(versionFault(context), groupFault(context, params.mmp_group_id))),
  reply: (context, asked): MmpStatus => {
    const groups = mmpGroupsOf(context.exchange, asker(context))
    const freeze = freezeOf(
      context,
      groups.find((group) => group.number === asked.mmp_group_id),
    )
    return statusJson(context, asked, { ...freeze, mmpGroupId: asked.mmp_group_id })
  },
})

/** The state of the order group of a currency pair. */
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
    const freeze = freezeOf(context, ordersGroup(context, pair))
    return statusJson(context, asked, { ...freeze, currencyPairId: pair })
  },
})

/** The freeze of a group with the ids that the client knows. */
interface FrozenGroup extends Freeze {
  readonly mmpGroupId?: number
  readonly currencyPairId?: string
}

/**
 * A status as JSON. `is_frozen` is a separate field, because the other fields do not show a freeze that only a reset
 * ends.
 */
function statusJson(
  context: ReplyContext,
  { correlation_id: correlationId }: Correlated,
  group: FrozenGroup,
): MmpStatus {
  const name = group.mmpGroupId === undefined ? 'OrdersMmpStatusResponse' : 'MassQuoteMmpStatusResponse'
  const record = { timestamp: context.execution.time, correlationId, ...group }
  const { message, ...reported } = messageJson<MmpStatus>(name, record, versionOf(context.history, context.session))
  return { message, ...reported, is_frozen: group.isFrozen }
}

function ordersGroup({ exchange, account }: ReadContext, pair: string): MmpGroupView | undefined {
  if (account === -1) return undefined
  return mmpGroupsOf(exchange, account).find(({ key }) => key.index === pair && key.name === null && !key.blockRfq)
}

function versionFault(context: ReadContext): Fault | null {
  if (hasMessage(versionOf(context.history, context.session), 'GetMassQuoteMmpStatusRequest')) return null
  return { step: validationStep.envelope, refusal: { reason: 'method_not_found' } }
}

interface Freeze {
  readonly isFrozen: boolean
  /** Null while the group is not frozen, or if only a reset ends the freeze. */
  readonly frozenUntilTime: Micros | null
}

/**
 * The freeze of a group for direct access. If JSON-RPC has reset the group, the freeze lasts here until the end of its
 * first second.
 */
function freezeOf(context: ReadContext, group: MmpGroupView | undefined): Freeze {
  const freeze = group?.freeze ?? null
  if (freeze === null) return notFrozen
  const leastUntil = micros(freeze.since + leastFreezeMicros)
  if (freeze.isReset && timeOf(context.exchange) >= leastUntil) return notFrozen
  return { isFrozen: true, frozenUntilTime: freeze.isReset ? leastUntil : freeze.until }
}

const notFrozen: Freeze = { isFrozen: false, frozenUntilTime: null }

/** Methods by their names; a part of the table. */
export const mmpStatusMethods = {
  'sim/direct/get_mass_quote_mmp_status': massQuoteMmpStatus,
  'sim/direct/get_orders_mmp_status': ordersMmpStatus,
} as const
