/**
 * Law: what plain orders leave out finds nothing. The same commands, with everything treated as if something were rare
 * about it (`forcesRare`), leave the same log, byte for byte, and the same state.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { apply, createExchange, stateHash } from '../../src/engine/index.ts'
import { nodeSha256 } from '../../src/host/index.ts'
import type { Command } from '../../src/model/index.ts'
import { createResultsSink } from '../../src/results/index.ts'
import {
  commandsOf,
  configOf,
  intentArbitrary,
  type World,
  worldArbitrary,
} from '../support/command-stream.ts'
import { askedRuns, askedSeed } from '../support/property-runs.ts'

function run(world: World, commands: readonly Command[], forcesRare: boolean) {
  const pieces: Uint8Array[] = []
  const results = createResultsSink({
    sha256: nodeSha256,
    onBlock: () => undefined,
    onLog: (records) => pieces.push(records.slice()),
  })
  const exchange = createExchange(configOf(world), results)
  exchange.orders.forcesRare = forcesRare
  for (const command of commands) apply(exchange, command, results)
  const digests = results.finish()
  return { log: Buffer.concat(pieces), hash: stateHash(exchange), ...digests }
}

test('orders leave what they leave where everything is rare', () => {
  const intents = fc.array(intentArbitrary, { maxLength: 160, size: 'max' })
  let bytes = 0
  fc.assert(
    fc.property(worldArbitrary, intents, (world, steps) => {
      const commands = commandsOf(world, steps)
      const plain = run(world, commands, false)
      const rare = run(world, commands, true)
      expect(plain.log.equals(rare.log)).toBe(true)
      expect({ ...plain, log: null }).toEqual({ ...rare, log: null })
      bytes += plain.log.length
    }),
    { numRuns: askedRuns(200, 1, 40), ...askedSeed(18) },
  )
  expect(bytes).toBeGreaterThan(50_000)
})
