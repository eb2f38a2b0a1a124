/**
 * Methods that the connection answers over which they come: tokens, subscriptions, heartbeats. The exchange
 * sequences such a request as a query, so that it stands in the journal and pays its credits; what it does is done
 * by whoever keeps the connection, at the time of its reply.
 *
 * A scenario file, a strategy and a program have no such connection: 10030.
 */
import type { z } from '../../../core/index.ts'
import type { MethodScope } from '../../../model/index.ts'
import { errorOf, type VenueError } from '../../wire/index.ts'
import { defineMethod, type Method, queryOf, type ReplyContext } from '../method.ts'

/**
 * Declares such a method by its scope and parameters; `Result` is what a connection answers. Subscriptions and heartbeats
 * need a WebSocket, tokens do not.
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

/** The result that the connection gave; it is asked only where there is no rejection. */
function resultOf({ served }: ReplyContext): unknown {
  return served?.ok === true ? served.result : null
}
