/**
 * sim/get_session_messages: the messages that a session of direct access received without a request, in order.
 *
 * Source: sessions document 8.6; coverage R62, R64.
 */
import { z } from '../core/index.ts'
import { defineMethod, type LayerMessage, paramFault, queryOf, rowsOf, type SessionMessage } from '../rpc/index.ts'
import { messagesAfter } from './posting.ts'

/** Returns the stored messages of an open or closed session. */
const getSessionMessages = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'query',
  params: z.object({
    session: z.int().min(1).describe('number of the session'),
    since: z.int().min(0).default(0).describe('only messages with a larger sequence number'),
    layer: z
      .enum(['application', 'session'])
      .default('application')
      .describe('messages about orders, or messages about the session itself'),
  }),
  read: ({ history }, { session }) => {
    const isKnown = history.messages.sessions.has(session)
    return queryOf(isKnown ? null : paramFault('session', 'not_direct_access'))
  },
  reply: ({ history }, { session, since, layer }): readonly SessionMessage[] | readonly LayerMessage[] =>
    layer === 'session'
      ? rowsOf(history.messages.layer, session).filter(({ sequence }) => sequence > since)
      : messagesAfter(history, session, since),
})

/** Methods by their names; a part of the table. */
export const messageMethods = {
  'sim/get_session_messages': getSessionMessages,
} as const
