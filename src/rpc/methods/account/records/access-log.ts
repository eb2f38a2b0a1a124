/**
 * private/get_access_log: who came to the account, and what was changed about its keys.
 *
 * Entries are made by `public/auth` of a server, with the address of the client, by `sim/create_key`, and by
 * `sim/log_access`. Assumed: a key that shows itself with each request over HTTP, and a new pair for an old one, are no
 * log-in; every address is told with the country and town that the venue's page shows of 127.0.0.1, because where
 * addresses are registered is not known here; and the answer is the page's example, a page with a total, whose entries
 * are those of the channel.
 * Source: sessions document 2.3, 3.4 (`user.access_log`).
 */
import { z } from '../../../../core/index.ts'
import type { AccessEntry } from '../../../../model/index.ts'
import { type AccessRecord, rowsOf } from '../../../history/index.ts'
import { timeOut } from '../../../wire/index.ts'
import { asker, defineMethod, queryOf } from '../../method.ts'

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

/** An entry as it is told. */
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
