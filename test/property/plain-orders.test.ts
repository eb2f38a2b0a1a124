/**
 * Law: the straight path and the general code give the same log, byte for byte, and the same state. `forcesRare` sends
 * all commands through the general code, and treats each order as one with rare terms.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { apply, stateHash } from '../../src/engine/index.ts'
import { type Command, type Event, type EventSink, sinkOf } from '../../src/model/index.ts'
import { runPath, withMoreEdits } from '../support/both-paths.ts'
import { commandsOf, exchangeOf, intentArbitrary, type World, worldArbitrary } from '../support/command-stream.ts'
import { askedRuns, askedSeed, isWhole } from '../support/property-runs.ts'
import { intentArbitrary as protectionIntent } from '../support/protection-intents.ts'
import { runProtections } from '../support/protection-run.ts'

test('orders leave the same log and state if every rare feature is forced', () => {
  const intents = fc.array(intentArbitrary, { maxLength: 160, size: 'max' })
  const seen = new Map<string, number>()
  const count = (what: string): void => void seen.set(what, (seen.get(what) ?? 0) + 1)
  fc.assert(
    fc.property(worldArbitrary, intents, (world, steps) => {
      const commands = withMoreEdits(commandsOf(world, steps))
      const payoffs = new Map<number, string>()
      const beside = sinkOf({
        instrument: ({ instrument: { id, payoff } }) => payoffs.set(id, payoff),
        order: ({ change }) => count(change),
        trade: ({ instrument }) => count(`${payoffs.get(instrument) ?? 'other'} trade`),
        refusal: ({ refusal }) => {
          count('refusal')
          count(refusal.reason)
        },
      })
      const plain = runPath(world, commands, null)
      const rare = runPath(world, commands, beside)
      expect(plain.log.equals(rare.log)).toBe(true)
      expect({ ...plain, log: null }).toEqual({ ...rare, log: null })
    }),
    { numRuns: askedRuns(200, 1, 4), ...askedSeed(18) },
  )
  if (!isWhole) return
  const least = { opened: 200, refusal: 200, cancelled: 100, edited: 20, rested: 10, resized: 5 }
  const trades = { 'inverse trade': 20, 'linear trade': 20 }
  // Each is found by a step that plain placements have too.
  const refused = {
    book_closed: 40,
    invalid_amount: 8,
    pme_max_future_open_orders: 10,
    not_enough_funds: 10,
    order_overlap: 5,
  }
  const others = { triggered: 5, rejected: 3 }
  for (const [what, times] of Object.entries({ ...least, ...trades, ...refused, ...others })) {
    expect(seen.get(what), what).toBeGreaterThan(times)
  }
})

test('requests with quotes, protections and sessions have the same events on both paths', () => {
  const steps = fc.noBias(fc.array(protectionIntent, { maxLength: 90, size: 'max' }))
  fc.assert(
    fc.property(steps, (intents) => {
      const { events, hash } = runProtections(intents)
      const general = runProtections(intents, undefined, true)
      expect(events).toEqual(general.events)
      expect(hash).toBe(general.hash)
    }),
    { numRuns: askedRuns(40, 1, 2), ...askedSeed(20) },
  )
})

/** The events that a sink of some families takes, and the final state. */
function taken(world: World, commands: readonly Command[], sinkFor: (take: (event: Event) => void) => EventSink) {
  const events: Event[] = []
  const sink = sinkFor((event) => events.push(event))
  const exchange = exchangeOf(world, sink)
  for (const command of commands) apply(exchange, command, sink)
  return { events, hash: stateHash(exchange) }
}

test('without a taker for some events, the other events and the state do not change', () => {
  const intents = fc.array(intentArbitrary, { maxLength: 160, size: 'max' })
  const frequent = ['order', 'trade', 'request'] as const
  const seen = new Map<string, number>()
  fc.assert(
    fc.property(worldArbitrary, intents, (world, steps) => {
      const commands = commandsOf(world, steps)
      const all = taken(world, commands, (take) => ({ emit: take }))
      for (const kind of frequent) {
        const some = taken(world, commands, (take) => sinkOf({ [kind]: take }))
        const expected = all.events.filter((event) => event.kind === kind)
        expect(some.events).toEqual(expected)
        expect(some.hash).toBe(all.hash)
        seen.set(kind, (seen.get(kind) ?? 0) + expected.length)
      }
    }),
    { numRuns: askedRuns(60, 1, 2), ...askedSeed(19) },
  )
  if (!isWhole) return
  for (const kind of frequent) expect(seen.get(kind), kind).toBeGreaterThan(5)
})
