/**
 * private/enable_cancel_on_disconnect, private/disable_cancel_on_disconnect and private/get_cancel_on_disconnect.
 *
 * Source: trading.md 4.9, 10 (C49); sessions document 2.6; coverage R12; S007.
 */
import { z } from '../../../core/index.ts'
import { startsWithCancelOnDisconnect, viewSession } from '../../../engine/index.ts'
import { disconnectScopes } from '../../../model/index.ts'
import { asker, defineMethod, type Method, queryOf } from '../method.ts'

const params = z.object({
  scope: z
    .enum(disconnectScopes)
    .default('connection')
    .describe(
      'connections that the setting applies to: this connection, or the connections that the account opens later too',
    ),
})

function setting(enabled: boolean): Method<typeof params, 'ok'> {
  return defineMethod({
    scope: 'account:read_write',
    sessions: 'json_rpc',
    command: 'set_cancel_on_disconnect',
    params,
    read: (_context, { scope }) => ({
      body: { kind: 'set_cancel_on_disconnect', scope, enabled },
      fault: null,
    }),
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
    const { exchange, session } = context
    const row = viewSession(exchange, session)
    const enabled =
      scope === 'account'
        ? startsWithCancelOnDisconnect(exchange, asker(context))
        : row?.type === 'web_socket' && row.cancelOnDisconnect
    return { scope, enabled }
  },
})

/** Methods by their names; a part of the table. */
export const cancelOnDisconnectMethods = {
  'private/enable_cancel_on_disconnect': enableCancelOnDisconnect,
  'private/disable_cancel_on_disconnect': disableCancelOnDisconnect,
  'private/get_cancel_on_disconnect': getCancelOnDisconnect,
} as const
