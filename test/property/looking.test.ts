/**
 * Law: reading changes nothing. Queries, audits, hashes and snapshots before the requests of a run do not change its
 * events, replies and final state. Restoring a snapshot in the middle of the run does too. A cached value that misses
 * one of its inputs breaks this law.
 */
import { describe, expect, test } from 'vitest'
import { randomStream } from '../../src/core/index.ts'
import { stateHash } from '../../src/engine/index.ts'
import type { Event } from '../../src/model/index.ts'
import { openVenue } from '../../src/program/index.ts'
import { type Desk, snapshotDesk, submit, type VenueReply, type VenueRequest } from '../../src/rpc/index.ts'
import { advanceRun, createRun, finishRun } from '../../src/scenario/index.ts'
import { look, looks } from '../support/looking.ts'
import { LookingRequests, lookedVenue } from '../support/looking-requests.ts'
import { isWhole, sampledNumbers, sampleOf } from '../support/property-runs.ts'
import { restoredDesk } from '../support/restored-desk.ts'
import { scenarioFiles, scenarioOf } from '../support/scenario-files.ts'

/** A desk with its events and replies. */
class Recorded {
  readonly events: Event[] = []
  readonly replies: VenueReply[] = []
  desk: Desk
  private readonly sink = { emit: (event: Event): void => void this.events.push(event) }

  constructor() {
    this.desk = openVenue({ ...lookedVenue, sink: this.sink }).desk
  }

  ask(request: VenueRequest): void {
    submit(this.desk, request, (reply) => this.replies.push(reply))
  }

  putBack(): void {
    this.desk = restoredDesk(this.desk, this.sink)
  }
}

/** A random run without any reads, and its requests. */
function unread(seed: number): { readonly asked: readonly VenueRequest[]; readonly run: Recorded } {
  const run = new Recorded()
  const requests = new LookingRequests(run.desk, randomStream(seed, 'requests'))
  const asked = Array.from({ length: 90 }, () => {
    const request = requests.next()
    run.ask(request)
    return request
  })
  return { asked, run }
}

function expectSame(run: Recorded, plain: Recorded, asked: readonly VenueRequest[]): void {
  const texts = [run, plain].map(({ replies }) => replies.map((reply) => JSON.stringify(reply)))
  const at = texts[0]?.findIndex((text, each) => text !== texts[1]?.[each]) ?? -1
  expect({ at, reply: run.replies[at] }, JSON.stringify(asked[at])).toEqual({ at: -1 })
  expect(run.events).toEqual(plain.events)
  expect(stateHash(run.desk.exchange)).toBe(stateHash(plain.desk.exchange))
  expect(snapshotDesk(run.desk)).toEqual(snapshotDesk(plain.desk))
}

describe('A1 reading changes nothing', () => {
  test.each(sampledNumbers(40, 1))('over controls that change the inputs of derived values: run %i', (seed) => {
    const { asked, run: plain } = unread(seed)
    const chance = randomStream(seed, 'looks')
    const before: readonly ((run: Recorded) => void)[] = [
      ({ desk }) => look(desk, chance.pick(looks), chance),
      ({ desk }) => look(desk, 'audit', chance),
      (run) => run.putBack(),
    ]
    for (const [way, act] of before.entries()) {
      const run = new Recorded()
      for (const request of asked) {
        // Audits run before every request, like with `--audit`.
        if (way === 1 || chance.chance(1, way === 0 ? 3 : 12)) act(run)
        run.ask(request)
      }
      expectSame(run, plain, asked)
    }
  })

  // A sample looks during the first steps alone.
  const most = isWhole ? Number.POSITIVE_INFINITY : 200

  test.each(sampleOf(scenarioFiles, 4))('over scenarios: %s', (name) => {
    const chance = randomStream(1, name)
    const scenario = scenarioOf(name)
    const [plain, looked] = [false, true].map((isRead) => {
      const events: Event[] = []
      const run = createRun(scenario, { sink: { emit: (event) => events.push(event) } })
      for (let step = 0; step === 0 || advanceRun(run, 1) === 'more'; step += 1) {
        if (isRead && step < most) look(run.desk, chance.pick(looks), chance)
      }
      return { outcome: finishRun(run), events, hash: stateHash(run.desk.exchange) }
    })
    expect(looked).toEqual(plain)
  })
})
