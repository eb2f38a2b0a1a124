/**
 * Law: recording the book changes nothing else. The same commands give the same other events, the same state and the
 * same digest of results, and each level has the number of the event before it.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { simulate, stateHash } from '../../src/engine/index.ts'
import { nodeSha256 } from '../../src/host/index.ts'
import type { Command, Event } from '../../src/model/index.ts'
import { createResultsSink } from '../../src/results/index.ts'
import { commandsOf, configOf, intentArbitrary, type World, worldArbitrary } from '../support/command-stream.ts'
import { askedRuns, isWhole } from '../support/property-runs.ts'

function run(world: World, commands: readonly Command[], bookEvents: boolean) {
  const events: Event[] = []
  const results = createResultsSink({ sha256: nodeSha256, onBlock: null })
  const sink = {
    emit(event: Event): void {
      events.push(event)
      results.emit(event)
    },
  }
  const exchange = simulate({ ...configOf(world), bookEvents }, commands, sink)
  return { events, hash: stateHash(exchange), count: exchange.eventCount, ...results.finish() }
}

test('with and without the book: the same other events, state and digest', () => {
  const intents = fc.array(intentArbitrary, { maxLength: 120, size: 'max' })
  let levels = 0
  fc.assert(
    fc.property(worldArbitrary, intents, (world, steps) => {
      const commands = commandsOf(world, steps)
      const plain = run(world, commands, false)
      const booked = run(world, commands, true)
      const others = booked.events.filter(({ kind }) => kind !== 'level')
      expect(others).toEqual(plain.events)
      expect([booked.digest, booked.hash, booked.count]).toEqual([...[plain.digest, plain.hash, plain.count]])
      let before = 0
      for (const { kind, number } of booked.events) {
        expect(number).toBe(kind === 'level' ? before : before + 1)
        before = number
      }
      levels += booked.events.length - others.length
    }),
    { numRuns: askedRuns(40, 1, 5) },
  )
  if (isWhole) expect(levels).toBeGreaterThan(100)
})
