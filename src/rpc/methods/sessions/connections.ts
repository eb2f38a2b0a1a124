/**
 * sim/connect, sim/disconnect, sim/logout, sim/heartbeat_failure and sim/inactivity: connections open and close, which
 * can cancel their orders. `session` is the session number in requests.
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

const sessionNumber = z.int().min(1).describe('number of the connection, as in requests')

/** Opens a session. A request with an unknown session number opens a WebSocket session automatically. */
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
      .describe(`gateway of direct access: one of ${gatewayIds.join(', ')}`),
    schema_version: z
      .int()
      .optional()
      .describe(`version of the binary schema, ${schemaVersions.least} to ${schemaVersions.most}`),
    cancel_on_disconnect: z
      .boolean()
      .default(false)
      .describe('true if a disconnect cancels all orders of direct access'),
    mobile: z
      .boolean()
      .default(false)
      .describe(
        'true if the connection is from a mobile device; its orders, block trades and Block RFQs are marked so',
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
  session: sessionNumber.optional().describe('number of the connection; if omitted, the connection of the request'),
})

/** The result of the end of a session: the number of cancelled orders. */
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

/** The client of a connection did not answer a heartbeat. */
const heartbeatFailure = closing('heartbeat_failure')

/** The client of a connection was silent for too long. */
const inactivity = closing('inactivity')

/** Controls by their names; a part of the table. */
export const sessionControls = {
  'sim/connect': connect,
  'sim/disconnect': disconnect,
  'sim/logout': logoutSession,
  'sim/heartbeat_failure': heartbeatFailure,
  'sim/inactivity': inactivity,
} as const
