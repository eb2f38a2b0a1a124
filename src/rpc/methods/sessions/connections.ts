/**
 * sim/connect, sim/disconnect, sim/logout, sim/heartbeat_failure and sim/inactivity: connections come and go, and what
 * was placed over them may go with them. `session` is the number that requests name.
 *
 * Source: sessions document 2.6, 8.2, 8.4, 8.10; coverage R12, R60, R64, R77; S276, S277.
 */
import { z } from '../../../core/index.ts'
import { findAccount } from '../../../engine/index.ts'
import {
  type Fault,
  type GatewayId,
  gatewayIds,
  type SessionEnd,
  schemaVersions,
  sessionKinds,
} from '../../../model/index.ts'
import { type CommandBody, defineMethod, type Method, type ReadContext } from '../method.ts'
import { earlier, paramFault, sessionClock, silenceClock } from '../params.ts'

const sessionNumber = z.int().min(1).describe('number of the connection, as on requests')

/** Opens a session. Requests that name one which nobody opened open a WebSocket by themselves. */
const connect = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'open_session',
  params: z.object({
    session: sessionNumber,
    type: z.enum(sessionKinds).default('web_socket').describe('kind of client'),
    account: z.string().optional().describe('whose it is; direct access needs it'),
    gateway: z
      .string()
      .optional()
      .describe(`one of ${gatewayIds.join(', ')}`),
    schema_version: z
      .int()
      .optional()
      .describe(`of the binary schema, ${schemaVersions.least} to ${schemaVersions.most}`),
    cancel_on_disconnect: z
      .boolean()
      .default(false)
      .describe('whether all orders of direct access end with it'),
    mobile: z
      .boolean()
      .default(false)
      .describe(
        'whether a mobile device opens it; its orders say so, those of blocks and Block RFQs too',
      ),
    clock: sessionClock,
  }),
  read: (context, params) => {
    const { account: name, gateway: gatewayName } = params
    const account = name === undefined ? undefined : findAccount(context.exchange, name)
    const gateway = gatewayIds.find((id) => id === gatewayName)
    let fault: Fault | null = null
    if (name !== undefined && (account === undefined || account.house)) {
      fault = paramFault('account', 'unknown_account')
    }
    if (gatewayName !== undefined && gateway === undefined) {
      fault = earlier(fault, paramFault('gateway', `expected one of ${gatewayIds.join(', ')}`))
    }
    return {
      body: {
        kind: 'open_session',
        opened: params.session,
        type: params.type,
        target: account?.id ?? null,
        gateway: gateway ?? (null satisfies GatewayId | null),
        schemaVersion: params.schema_version ?? schemaVersions.unnamed,
        cancelOnDisconnect: params.cancel_on_disconnect,
        mobile: params.mobile,
        ...silenceClock(params.clock),
      },
      fault,
    }
  },
  reply: () => 'ok',
})

const closeParams = z.object({
  session: sessionNumber.optional().describe('else the session of the request itself'),
})

/** The result of a session's end: how many orders went with it. */
export interface ClosedSession {
  readonly cancelled: number
}

function closing(how: SessionEnd): Method<typeof closeParams, ClosedSession> {
  return defineMethod({
    scope: 'sim',
    sessions: 'any',
    command: 'close_session',
    params: closeParams,
    read: (context, params) => ({ body: closeBody(context, params.session, how), fault: null }),
    reply: (context): ClosedSession => ({ cancelled: context.count }),
  })
}

function closeBody(
  { session }: ReadContext,
  named: number | undefined,
  how: SessionEnd,
): CommandBody & { readonly kind: 'close_session' } {
  return { kind: 'close_session', closed: named ?? session, how }
}

/** A connection breaks. */
const disconnect = closing('disconnect')

/** The client of a connection logs out, as `private/logout` does. */
const logoutSession = closing('logout')

/** The client of a connection does not answer. */
const heartbeatFailure = closing('heartbeat_failure')

/** Nothing came over a connection for too long. */
const inactivity = closing('inactivity')

/** Controls by their names; a part of the table. */
export const sessionControls = {
  'sim/connect': connect,
  'sim/disconnect': disconnect,
  'sim/logout': logoutSession,
  'sim/heartbeat_failure': heartbeatFailure,
  'sim/inactivity': inactivity,
} as const
