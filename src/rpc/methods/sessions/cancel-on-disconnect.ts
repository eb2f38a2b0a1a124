/**
 * private/enable_cancel_on_disconnect, its opposite, and how it stands.
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
    .describe('this connection, or also those that the account opens later'),
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

/** Orders that came over the connection end when it breaks. */
const enableCancelOnDisconnect = setting(true)

/** They stay. */
const disableCancelOnDisconnect = setting(false)

/** Returns the state of cancel-on-disconnect. Over HTTP there is no connection, so that it never is. */
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
