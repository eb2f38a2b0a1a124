/**
 * sim/connect, sim/disconnect, sim/logout, sim/heartbeat_failure and sim/inactivity: connections open and close, which
 * can cancel their orders. `session` is the session number in requests.
 *
 * Source: sessions document 2.6, 8.2, 8.4, 8.10; coverage R12, R60, R64, R77; S276, S277.
 */

import { z } from '../../../core/index.ts'
import { findAccount, startsWithCancelOnDisconnect, viewSession } from '../../../engine/index.ts'
import {
  disconnectScopes,
  type Fault,
  type GatewayId,
  gatewayIds,
  type SessionEnd,
  schemaVersions,
  sessionKinds,
  validationStep,
} from '../../../model/index.ts'
import {
  asker,
  type CommandBody,
  defineMethod,
  type Method,
  queryOf,
  type ReadContext,
  validRequest,
} from '../method.ts'
import { earlier, paramFault, sessionClock, silenceClock, unknownAccount } from '../params.ts'
import { secretText } from '../secrets.ts'

const params = z.object({
  scope: z
    .enum(disconnectScopes)
    .default('connection')
    .describe(
      'connections that the setting applies to: this connection, or the connections that the account opens later too',
    ),
})

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
    const account = params.account === undefined ? undefined : findAccount(context.exchange, params.account)
    const gateway = gatewayIds.find((id) => id === params.gateway)
    let fault: Fault | null = null
    if (params.account !== undefined && (account === undefined || account.house)) {
      fault = unknownAccount
    }
    if (params.gateway !== undefined && gateway === undefined) {
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
    read: (context, params) => validRequest(closeBody(context, params.session, how)),
    reply: (context): ClosedSession => ({ cancelled: context.count }),
  })
}

function closeBody(
  context: ReadContext,
  named: number | undefined,
  how: SessionEnd,
): CommandBody & { readonly kind: 'close_session' } {
  return { kind: 'close_session', closed: named ?? context.session, how }
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

/**
 * private/enable_cancel_on_disconnect, private/disable_cancel_on_disconnect and private/get_cancel_on_disconnect.
 *
 * Source: trading.md 4.9, 10 (C49); sessions document 2.6; coverage R12; S007.
 */

function setting(enabled: boolean): Method<typeof params, 'ok'> {
  return defineMethod({
    scope: 'account:read_write',
    sessions: 'json_rpc',
    command: 'set_cancel_on_disconnect',
    params,
    read: (_context, { scope }) => validRequest({ kind: 'set_cancel_on_disconnect', scope, enabled }),
    reply: (): 'ok' => 'ok',
  })
}

/** A disconnect cancels the orders of the connection. */
const enableCancelOnDisconnect = setting(true)

/** A disconnect does not cancel the orders of the connection. */
const disableCancelOnDisconnect = setting(false)

/** Returns the state of cancel-on-disconnect. Over HTTP there is no connection, so it is never enabled. */
const getCancelOnDisconnect = defineMethod({
  scope: 'account:read',
  sessions: 'json_rpc',
  command: 'query',
  params,
  read: () => queryOf(null),
  reply: (context, { scope }) => {
    const row = viewSession(context.exchange, context.session)
    const enabled =
      scope === 'account'
        ? startsWithCancelOnDisconnect(context.exchange, asker(context))
        : row?.type === 'web_socket' && row.cancelOnDisconnect
    return { scope, enabled }
  },
})

/**
 * private/logout: closes the connection of the request without cancelling anything (S276). A server sends no reply
 * (S177); here the result is null.
 *
 * Source: interface document, private/logout; sessions document 1.3, 2.4; S273, S274.
 */

/** Closes the connection. HTTP has no connection: error 10030. */
const logout = defineMethod({
  scope: 'any',
  sessions: 'json_rpc',
  socketOnly: true,
  command: 'close_session',
  params: z.object({
    access_token: secretText
      .optional()
      .describe('token of the session; the exchange does not check it, and the event log does not record it'),
    invalidate_token: z
      .boolean()
      .default(true)
      .describe(
        'true if the tokens of the connection become invalid; otherwise they stay valid for the next connection',
      ),
  }),
  read: ({ exchange, session }) => {
    // A session that this request would open is a WebSocket.
    const isSocket = session > 0 && (viewSession(exchange, session)?.type ?? 'web_socket') === 'web_socket'
    const refusal = { reason: 'must_be_websocket_request' } as const
    return {
      body: { kind: 'close_session', closed: session, how: 'logout' },
      fault: isSocket ? null : { step: validationStep.envelope, refusal },
    }
  },
  reply: () => null,
})

/** Methods by their names; a part of the table. */
export const sessionMethods = {
  'private/enable_cancel_on_disconnect': enableCancelOnDisconnect,
  'private/disable_cancel_on_disconnect': disableCancelOnDisconnect,
  'private/get_cancel_on_disconnect': getCancelOnDisconnect,
  'private/logout': logout,
} as const
