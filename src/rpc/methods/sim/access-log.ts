/**
 * sim/log_access: an entry of the access log of an account, as its owner, staff or a stranger would cause it. A server
 * asks for one with each attempt to log in, so that its journal gives the same answers.
 * Source: sessions document 3.4 (`user.access_log`).
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
  // The entry is made once the request is carried out.
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
