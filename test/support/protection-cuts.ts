/**
 * Runs of protections with cuts: a desk whose exchange is sometimes replaced by one from its snapshot must emit the
 * same events and reach the same state for the same requests, even while replies are pending.
 */

import { assert, micros } from '../../src/core/index.ts'
import { stateHash } from '../../src/engine/index.ts'
import { venueMethods } from '../../src/gateways/index.ts'
import type { Event, EventSink } from '../../src/model/index.ts'
import { createDesk, type Desk, restoreDesk, snapshotDesk, submit, type VenueReply } from '../../src/rpc/index.ts'
import { type ProtectionRun, type ReportedSessions, reportedBy } from './protection-run.ts'
import { headScenario } from './protection-world.ts'

const scenario = headScenario()

/** The result of a run with cuts. */
export interface CutRun {
  readonly events: readonly Event[]
  readonly hash: string
  readonly reported: ReportedSessions
  /** Replies in the order of arrival, with the number of their request. */
  readonly replies: readonly (readonly [request: number, reply: VenueReply])[]
}

/** Sends the requests of a run again, with a cut before each request whose number `isCut`. */
export function runCut(sent: ProtectionRun['sent'], isCut: (request: number) => boolean): CutRun {
  const events: Event[] = []
  const replies: [number, VenueReply][] = []
  const sink: EventSink = { emit: (event) => events.push(event) }
  const { config, setup, start } = scenario
  let desk = createDesk({ config, controls: true, methods: venueMethods }, sink)
  for (const { method, account, params } of setup) {
    submit(desk, { time: start, method, params, account, session: 0 }, null)
  }
  for (const [at, { method, account, session, params, ...request }] of sent.entries()) {
    if (isCut(at)) desk = copyOf(desk, sink)
    const time = micros(start + request.at)
    submit(desk, { time, method, params, account, session }, (reply) => replies.push([at, reply]))
  }
  return { events, hash: stateHash(desk.exchange), replies, reported: reportedBy(desk) }
}

/** The desk of a snapshot; it includes the requests in flight and their pending replies. */
function copyOf(desk: Desk, sink: EventSink): Desk {
  const bytes = snapshotDesk(desk)
  const copy = restoreDesk(bytes, sink, {
    waiter: (sequence) => desk.pending.get(sequence)?.onReply ?? null,
    methods: venueMethods,
  })
  if (!copy.ok) throw new Error(JSON.stringify(copy.error))
  assert(Buffer.compare(snapshotDesk(copy.value), bytes) === 0, 'a copy has the same bytes')
  return copy.value
}
