/**
 * private/logout: closes the connection of the request without cancelling anything (S276). A server sends no reply
 * (S177); here the result is null.
 *
 * Source: interface document, private/logout; sessions document 1.3, 2.4; S273, S274.
 */
import { z } from '../../../core/index.ts'
import { viewSession } from '../../../engine/index.ts'
import { validationStep } from '../../../model/index.ts'
import { defineMethod } from '../method.ts'
import { secretText } from '../secrets.ts'

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
export const logoutMethods = {
  'private/logout': logout,
} as const
