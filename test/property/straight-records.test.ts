/**
 * Law: the bytes that the engine writes straight into a log equal the encoded events of the same commands, tables
 * included.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { simulate, stateHash } from '../../src/engine/index.ts'
import { nodeSha256 } from '../../src/host/index.ts'
import type { Command, Event, EventSink } from '../../src/model/index.ts'
import { createResultsSink } from '../../src/results/index.ts'
import { commandsOf, configOf, intentArbitrary, type World, worldArbitrary } from '../support/command-stream.ts'
import { askedRuns, isWhole } from '../support/property-runs.ts'

/** The results of a run; with `onEvent` the sink takes events, which `onEvent` sees first. */
function run(world: World, commands: readonly Command[], onEvent?: (event: Event) => void) {
  const pieces: Uint8Array[] = []
  const results = createResultsSink({
    sha256: nodeSha256,
    onBlock: () => undefined,
    onLog: (records) => pieces.push(records.slice()),
  })
  const sink: EventSink =
    onEvent === undefined
      ? results
      : {
          emit(event) {
            onEvent(event)
            results.emit(event)
          },
        }
  const exchange = simulate(configOf(world), commands, sink)
  const digests = results.finish()
  return { log: Buffer.concat(pieces), hash: stateHash(exchange), ...digests }
}

test('records written straight equal those of the events', () => {
  const intents = fc.array(intentArbitrary, { maxLength: 160, size: 'max' })
  const counts = { order: 0, trade: 0, request: 0 }
  fc.assert(
    fc.property(worldArbitrary, intents, (world, steps) => {
      const commands = commandsOf(world, steps)
      const straight = run(world, commands)
      const reported = run(world, commands, ({ kind }) => {
        if (kind === 'order' || kind === 'trade' || kind === 'request') counts[kind] += 1
      })
      expect(straight.log.equals(reported.log)).toBe(true)
      expect({ ...straight, log: null }).toEqual({ ...reported, log: null })
    }),
    { numRuns: askedRuns(25, 1, 6) },
  )
  const least = Math.min(counts.order, counts.trade, counts.request)
  expect(least).toBeGreaterThan(isWhole ? 60 : 0)
})
