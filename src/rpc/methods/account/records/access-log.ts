/**
 * private/get_access_log: log-ins to the account, and changes of its keys.
 *
 * `public/auth` of a server adds entries with the address of the client; `sim/create_key` and `sim/log_access` add
 * entries too. Assumed: a request over HTTP with the credentials of a key, and a new pair of tokens for an old one, are
 * no log-in. Every address has the country and town that the venue's page shows for 127.0.0.1, because the simulator
 * does not know where addresses are registered. The reply has the form of the page's example, a page with a total, and
 * its entries have the form of the channel's messages.
 * Source: sessions document 2.3, 3.4 (`user.access_log`).
 */

import { accountId, z } from '../../../../core/index.ts'
import { findAccount, timeOf } from '../../../../engine/index.ts'
import { type AccessEntry, accessEntries } from '../../../../model/index.ts'
import { type AccessNote, type AccessRecord, accessRecord, LOCAL_ADDRESS, rowsOf } from '../../../history/index.ts'
import { timeOut } from '../../../wire/index.ts'
import { asker, defineMethod, queryOf, type ReadContext } from '../../method.ts'
import { traderNamed, unknownAccount } from '../../params.ts'

/** An entry of an access log. */
export interface WireAccess {
  /** Assumed: entries are numbered from 1 per account. */
  readonly id: number
  /** IP address of the client. */
  readonly ip: string
  /** Milliseconds. */
  readonly timestamp: number
  /** The country of the address, if it is known. */
  readonly country: string
  /** City of the client. */
  readonly city: string
  /** Type of the entry. */
  readonly log: AccessEntry
  /** Subject of the entry: for a key, its `client_id`. */
  readonly data?: string
}

/** A page of an access log, newest first. */
export interface WireAccessLog {
  /** Total number of entries. */
  readonly records_total: number
  readonly data: readonly WireAccess[]
}

/**
 * sim/log_access: adds an entry to the access log of an account, like an action of its owner, staff or a stranger. A
 * server sends this request for each attempt to log in, so that a replay of its journal gives the same replies. Source:
 * sessions document 3.4 (`user.access_log`).
 */

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
  read: (context, { account }) => queryOf(traderNamed(context.exchange, account) === undefined ? unknownAccount : null),
  // The router adds the entry only after the reply, so the reply computes it.
  reply: (context, given): WireAccess => {
    const note = noteOf(context, given)
    return accessOut(accessRecord(context.history.accessLog, note, timeOf(context.exchange)))
  },
})

function noteOf(context: ReadContext, given: z.output<typeof params>): AccessNote {
  const { account, log, ip, data = null } = given
  return { account: findAccount(context.exchange, account)?.id ?? accountId(0), log, ip, data }
}

/** Controls by their names; a part of the table. */
export const accessLogControls = {
  'sim/log_access': logAccess,
} as const

const COUNT_MAX = 1000

/** Entries of the requesting account, newest first. */
const getAccessLog = defineMethod({
  scope: 'account:read',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({
    offset: z.int().min(0).default(0).describe('number of newest records to skip'),
    count: z.int().min(1).max(COUNT_MAX).default(10).describe('maximum number of records'),
  }),
  read: () => queryOf(null),
  reply: (context, { offset, count }): WireAccessLog => {
    const own = rowsOf(context.history.accessLog, asker(context))
    const data = own.toReversed().slice(offset, offset + count)
    return { records_total: own.length, data: data.map(accessOut) }
  },
})

/** An entry as JSON. */
export function accessOut({ id, ip, time, log, data }: AccessRecord): WireAccess {
  const entry = {
    id,
    ip,
    timestamp: timeOut(time),
    country: 'Local Country',
    city: 'Local Town',
    log,
  }
  return data === null ? entry : { ...entry, data }
}

/** Methods by their names; a part of the table. */
export const accessLogMethods = {
  'private/get_access_log': getAccessLog,
} as const
