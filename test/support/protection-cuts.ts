/**
 * Runs of protections that are cut: the same requests to a desk whose exchange is taken from a snapshot now and
 * then tell the same events and come to the same state, also while replies wait.
 */
import { assert, micros, type Sequence } from '../../src/core/index.ts'
import { type Exchange, restore, snapshot, stateHash } from '../../src/engine/index.ts'
import type { Event, EventSink } from '../../src/model/index.ts'
import { wireDesk } from '../../src/rpc/desk/desk.ts'
import { createDesk, type Desk, submit } from '../../src/rpc/index.ts'
import type { ProtectionRun } from './protection-run.ts'
import { headScenario } from './protection-world.ts'

const scenario = headScenario()

/** What a run that was cut came to. */
export interface CutRun {
  readonly events: readonly Event[]
  readonly hash: string
}

/** Sends the requests of a run again, with a cut before each request whose number `isCut`. */
export function runCut(sent: ProtectionRun['sent'], isCut: (request: number) => boolean): CutRun {
  const events: Event[] = []
  const sink: EventSink = { emit: (event) => events.push(event) }
  const { config, setup, start } = scenario
  let desk = createDesk({ config, controls: true }, sink)
  for (const { method, account, params } of setup) {
    submit(desk, { time: start, method, params, account, session: 0 }, null)
  }
  for (const [at, { method, account, session, params, ...request }] of sent.entries()) {
    if (isCut(at)) desk = copyOf(desk, sink)
    const time = micros(start + request.at)
    submit(desk, { time, method, params, account, session }, null)
  }
  return { events, hash: stateHash(desk.exchange) }
}

/** A desk over the exchange of a snapshot, which knows the requests that are on their way. */
function copyOf(desk: Desk, sink: EventSink): Desk {
  const bytes = snapshot(desk.exchange)
  const copy = wireDesk(desk, sink, () => exchangeOf(bytes))
  assert(Buffer.compare(snapshot(copy.exchange), bytes) === 0, 'a copy has the same bytes')
  for (const [sequence, pending] of desk.pending) copy.pending.set(sequence as Sequence, pending)
  return copy
}

function exchangeOf(bytes: Uint8Array): Exchange {
  const restored = restore(bytes)
  if (!restored.ok) throw new Error(JSON.stringify(restored.error))
  return restored.value
}
