/**
 * Runs of protections that are cut: the same requests to a desk whose exchange is taken from a snapshot now and
 * then tell the same events and come to the same state, also while replies wait.
 */

import { assert, micros } from '../../src/core/index.ts'
import { stateHash } from '../../src/engine/index.ts'
import { venueMethods } from '../../src/gateways/index.ts'
import type { Event, EventSink } from '../../src/model/index.ts'
import { createDesk, type Desk, restoreDesk, snapshotDesk, submit, type VenueReply } from '../../src/rpc/index.ts'
import { type ProtectionRun, type ReportedSessions, reportedBy } from './protection-run.ts'
import { headScenario } from './protection-world.ts'

const scenario = headScenario()

/** What a run that was cut came to. */
export interface CutRun {
  readonly events: readonly Event[]
  readonly hash: string
  readonly reported: ReportedSessions
  /** Replies in the order in which they came, by the number of their request. */
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

/** The desk of a snapshot, which knows the requests that are on their way and who waits for them. */
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
