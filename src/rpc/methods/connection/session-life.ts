/**
 * public/hello, public/test, public/status, public/set_heartbeat and public/disable_heartbeat: both ends of a
 * connection can check that the other one is alive.
 *
 * Source: sessions document 2.5; coverage R13, S321.
 */
import { z } from '../../../core/index.ts'
import { allInstruments, viewMarket } from '../../../engine/index.ts'
import { VENUE_VERSION } from '../../wire/index.ts'
import { defineMethod, queryOf } from '../method.ts'
import { servedMethod } from './served.ts'

/** The version of the venue's interface. */
export interface WireVersion {
  readonly version: string
}

/** The extent of instrument locks: all instruments, some or none. */
export interface WireStatus {
  readonly locked: 'true' | 'partial' | 'false'
  readonly locked_indices: readonly string[]
}

/** Introduces a client, over a WebSocket only. */
const hello = defineMethod({
  scope: 'public',
  sessions: 'json_rpc',
  socketOnly: true,
  command: 'query',
  params: z.object({
    client_name: z.string().describe('name of the client'),
    client_version: z.string().describe('version of the client'),
  }),
  read: () => queryOf(null),
  reply: (): WireVersion => ({ version: VENUE_VERSION }),
})

/** Confirms that the client is alive; also the answer to a `test_request`. */
const test = defineMethod({
  scope: 'public',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({
    expected_result: z.enum(['exception']).optional().describe('`exception` makes the method answer with an error'),
  }),
  read: () => queryOf(null),
  rejection: (_context, params) =>
    params.expected_result === undefined ? null : { code: 11030, message: 'other_reject exception' },
  reply: (): WireVersion => ({ version: VENUE_VERSION }),
})

/** Lists the indices with locked instruments. */
const status = defineMethod({
  scope: 'public',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({}),
  read: () => queryOf(null),
  reply: ({ exchange }): WireStatus => {
    const locked = new Set<string>()
    let isAnyOpen = false
    for (const { id, priceIndex } of allInstruments(exchange)) {
      const { state } = viewMarket(exchange, id)
      if (state === 'locked') locked.add(priceIndex)
      else isAnyOpen = true
    }
    if (locked.size === 0) return { locked: 'false', locked_indices: [] }
    return { locked: isAnyOpen ? 'partial' : 'true', locked_indices: [...locked] }
  },
})

const HEARTBEAT_MIN = 10

/** Starts a heartbeat and a `test_request` in each interval. A client that does not answer is disconnected. */
const setHeartbeat = servedMethod<'ok'>('socket')(
  'public',
  z.object({
    interval: z.number().min(HEARTBEAT_MIN).describe('interval in seconds, at least 10'),
  }),
)

/** Stops the heartbeats. */
const disableHeartbeat = servedMethod<'ok'>('socket')('public', z.object({}))

/** Methods by their names; a part of the table. */
export const connectionMethods = {
  'public/status': status,
  'public/hello': hello,
  'public/test': test,
  'public/set_heartbeat': setHeartbeat,
  'public/disable_heartbeat': disableHeartbeat,
} as const
