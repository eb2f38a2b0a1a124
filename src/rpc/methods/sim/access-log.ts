/**
 * sim/log_access: adds an entry to the access log of an account, like an action of its owner, staff or a stranger. A
 * server sends this request for each attempt to log in, so that a replay of its journal gives the same replies. Source:
 * sessions document 3.4 (`user.access_log`).
 */
import { accountId, z } from '../../../core/index.ts'
import { findAccount, timeOf } from '../../../engine/index.ts'
import { accessEntries } from '../../../model/index.ts'
import { type AccessNote, accessRecord, LOCAL_ADDRESS } from '../../history/index.ts'
import { accessOut, type WireAccess } from '../account/records/access-log.ts'
import { defineMethod, queryOf, type ReadContext } from '../method.ts'
import { paramFault } from '../params.ts'

const params = z.object({
  account: z.string().describe('name of an account'),
  log: z.enum(accessEntries).describe('the action'),
  ip: z.string().min(1).max(45).default(LOCAL_ADDRESS).describe('the address that it came from'),
  data: z.string().max(200).optional().describe('the thing it is about, such as the name of a key'),
})

/** Adds an entry, which queries and the channel report from now on. */
const logAccess = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'query',
  params,
  note: noteOf,
  read: ({ exchange }, { account }) => {
    const found = findAccount(exchange, account)
    const isOpen = found !== undefined && !found.house
    return queryOf(isOpen ? null : paramFault('account', 'unknown_account'))
  },
  // The router adds the entry only after the reply, so the reply computes it.
  reply: (context, given): WireAccess => {
    const { exchange, history } = context
    const note = noteOf(context, given)
    return accessOut(accessRecord(history.accessLog, note, timeOf(exchange)))
  },
})

function noteOf({ exchange }: ReadContext, given: z.output<typeof params>): AccessNote {
  const { account, log, ip, data = null } = given
  return { account: findAccount(exchange, account)?.id ?? accountId(0), log, ip, data }
}

/** Controls by their names; a part of the table. */
export const accessLogControls = {
  'sim/log_access': logAccess,
} as const
