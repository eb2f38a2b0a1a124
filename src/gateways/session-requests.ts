/**
 * sim/direct/heartbeat, test_request and resend_request: Heartbeat (10); TestRequest (11), which a Heartbeat answers;
 * and ResendRequest (20), which returns earlier messages of a session, with GapFill (21) instead of those that were
 * dropped.
 *
 * Rule: direct.heartbeat, direct.resend. Messages can be resent for a day, as far as the history reaches, with their
 * original numbers. A portfolio can request the messages of all its sessions on the same gateway, also of an ended one.
 *
 * Known limit: a gateway sends a heartbeat after five seconds of silence. In JSON it answers each request, so it is
 * never silent for longer than its client, and sends no heartbeats by itself. Messages about sessions have separate
 * numbers here, and leave no gap among those about orders.
 *
 * Source: sessions document 8.4.
 */
import { z } from '../core/index.ts'
import { viewSession } from '../engine/index.ts'
import { type Fault, NO_SESSION, type Refusal, validationStep } from '../model/index.ts'
import {
  defineMethod,
  earlier,
  nanosOut,
  paramFault,
  queryOf,
  type ReadContext,
  rowsOf,
  type SessionMessage,
  timeOut,
} from '../rpc/index.ts'
import { messageHead } from './answers.ts'
import { messageJson } from './message-json.ts'
import { gatewayMessages } from './messages.ts'
import { versionOf } from './posting.ts'

/** Messages can be resent for a day. */
const RESEND_MILLIS = 86_400_000

/** The fault of a request that did not come over a direct access session of its account. */
export function ownSessionFault({ exchange, session, account }: ReadContext): Fault | null {
  const over = viewSession(exchange, session)
  const isOwn = over?.type === 'direct_access' && over.account === account
  if (isOwn && session !== NO_SESSION) return null
  const refusal: Refusal = {
    reason: 'invalid_params',
    param: 'session',
    problem: 'not_own_direct_session',
  }
  return { step: validationStep.envelope, refusal }
}

/** 10: the client is still connected. */
const heartbeat = defineMethod({
  scope: 'sim',
  sessions: 'direct_access',
  command: 'query',
  params: z.object({ ...messageHead }),
  read: (context) => queryOf(ownSessionFault(context)),
  reply: () => 'ok',
})

/** 10: the gateway is still connected. */
export interface HeartbeatMessage {
  readonly message: 'Heartbeat'
  /** Template number in the schema. */
  readonly template: 10
  /** Number that the client gave the request. */
  readonly correlation_id?: string
  /** Time of the gateway's answer, in nanoseconds. */
  readonly timestamp_ns: number
}

/** 11: asks whether the gateway is still connected. */
const testRequest = defineMethod({
  scope: 'sim',
  sessions: 'direct_access',
  command: 'query',
  params: z.object({ ...messageHead }),
  read: (context) => queryOf(ownSessionFault(context)),
  reply: (context, { correlation_id: correlationId }): HeartbeatMessage => ({
    ...messageJson<HeartbeatMessage>('Heartbeat', { correlationId }, versionOf(context.history, context.session)),
    template: gatewayMessages.Heartbeat.template,
    timestamp_ns: nanosOut(context.execution.time),
  }),
})

/** 21: replaces messages that the session has dropped. */
export interface GapFillMessage {
  readonly message: 'GapFill'
  /** Template number in the schema. */
  readonly template: 21
  /** Number of the first message that it replaces. */
  readonly sequence: number
  /** Number of the message after those that it replaces. */
  readonly new_sequence_number: number
}

/** 20: requests earlier messages of a session. */
const resendRequest = defineMethod({
  scope: 'sim',
  sessions: 'direct_access',
  command: 'query',
  params: z.object({
    from: z.int().min(1).describe('number of the first message'),
    to: z.int().min(0).default(0).describe('number of the last message; 0 for all messages'),
    of: z
      .int()
      .min(1)
      .optional()
      .describe(
        'number of the session that received them, on the same portfolio and gateway; if omitted, the current session',
      ),
    sequence_number: messageHead.sequence_number,
  }),
  read: (context, { of }) =>
    queryOf(earlier(ownSessionFault(context), of === undefined ? null : pastFault(context, of))),
  reply: ({ history, session, execution }, { from, to, of }): readonly (GapFillMessage | SessionMessage)[] => {
    const reported = of ?? session
    const last = history.messages.counts.get(reported) ?? 0
    const end = to === 0 ? last : Math.min(to, last)
    if (from > end) return []
    const now = timeOut(execution.time)
    const kept = rowsOf(history.messages.received, reported).filter(
      ({ sequence, timestamp }) => sequence >= from && sequence <= end && timestamp + RESEND_MILLIS >= now,
    )
    const next = kept[0]?.sequence ?? end + 1
    return next === from ? kept : [gapFill(from, next, versionOf(history, session)), ...kept]
  },
})

function gapFill(sequence: number, newSequenceNumber: number, version: number): GapFillMessage {
  const reported = messageJson<GapFillMessage>('GapFill', { newSequenceNumber }, version)
  return { ...reported, template: gatewayMessages.GapFill.template, sequence }
}

/** The fault of a session that does not belong to the same portfolio on the same gateway. */
function pastFault(context: ReadContext, of: number): Fault | null {
  const { sessions } = context.history.messages
  const requester = sessions.get(context.session)
  const reported = sessions.get(of)
  const isSame =
    reported !== undefined && reported.account === requester?.account && reported.gateway === requester.gateway
  return isSame ? null : paramFault('of', 'expected a session of the portfolio on this gateway')
}

/** Methods by their names; a part of the table. */
export const sessionRequestMethods = {
  'sim/direct/heartbeat': heartbeat,
  'sim/direct/test_request': testRequest,
  'sim/direct/resend_request': resendRequest,
} as const
