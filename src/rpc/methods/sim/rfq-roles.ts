/**
 * sim/set_block_rfq_role: the role of an account in Block RFQs, which staff of the venue decide: maker, aliases, its
 * broker if it is a broker's client, size limits of its quotes. Source: sessions document 5.4, 5.5.
 */
import { type AccountId, z } from '../../../core/index.ts'
import { findAccount } from '../../../engine/index.ts'
import { type RfqRole, rfqRoleSettings } from '../../../model/index.ts'
import { defineMethod, type ReadContext, unreadable } from '../method.ts'
import { earlier, paramFault } from '../params.ts'
import { givenSettings, settingParams } from '../setting-params.ts'

/** Sets parts of a Block RFQ role. Omitted parts stay unchanged. */
const setBlockRfqRole = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'set_rfq_party',
  params: z.object({
    account: z.string().describe('name of an account'),
    ...settingParams(rfqRoleSettings),
  }),
  read: (context, params) => {
    const target = accountNamed(context, params.account)
    if (target === undefined) {
      return { body: unreadable('set_rfq_party'), fault: paramFault('account', 'unknown_account') }
    }
    const { values, fault } = givenSettings<RfqRole<string>>(rfqRoleSettings, params)
    const { broker: name = null, ...role } = values
    if (name === null) return { body: { kind: 'set_rfq_party', target, role }, fault }
    const broker = accountNamed(context, name)
    if (broker === undefined) {
      const unknown = earlier(paramFault('broker', 'unknown_account'), fault)
      return { body: unreadable('set_rfq_party'), fault: unknown }
    }
    return { body: { kind: 'set_rfq_party', target, role: { ...role, broker } }, fault }
  },
  reply: () => 'ok',
})

function accountNamed({ exchange }: ReadContext, name: string): AccountId | undefined {
  const found = findAccount(exchange, name)
  return found === undefined || found.house ? undefined : found.id
}

/** Controls by their names; a part of the table. */
export const rfqRoleControls = {
  'sim/set_block_rfq_role': setBlockRfqRole,
} as const
