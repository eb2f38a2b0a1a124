/**
 * Methods that the connection of the request answers: tokens, subscriptions, heartbeats. The exchange sequences such a
 * request as a query, so it is in the journal and uses credits. The owner of the connection does the work of the
 * request at the time of its reply.
 *
 * Scenario files, strategies and programs have no such connection: 10030.
 */
import type { z } from '../../../core/index.ts'
import type { MethodScope } from '../../../model/index.ts'
import { errorOf, type VenueError } from '../../wire/index.ts'
import { defineMethod, type Method, queryOf, type ReplyContext } from '../method.ts'

/**
 * Declares such a method by its scope and parameters; `Result` is the type of the connection's answer. Subscriptions
 * and heartbeats need a WebSocket, tokens do not.
 */
export function servedMethod<Result>(over: 'socket' | 'any' = 'any') {
  return <Schema extends z.ZodObject>(scope: MethodScope, params: Schema): Method<Schema, Result> =>
    defineMethod({
      scope,
      sessions: scope === 'sim' ? 'any' : 'json_rpc',
      served: true,
      socketOnly: over === 'socket',
      command: 'query',
      params,
      read: () => queryOf(null),
      rejection: ({ served }): VenueError | null => {
        if (served === null) return errorOf({ reason: 'must_be_websocket_request' })
        return served.ok ? null : served.error
      },
      reply: resultOf as (context: ReplyContext) => Result,
    })
}

/** The result that the connection returned. It is read only without a rejection. */
function resultOf({ served }: ReplyContext): unknown {
  return served?.ok === true ? served.result : null
}
