/**
 * The engine and the naive exchange agree if a recorded feed gives index and mark in addition to commands: on every
 * event, and in all accounts, positions and queues.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Event } from '../../src/model/index.ts'
import { compareWithFeed } from '../support/agreement.ts'
import { intentArbitrary, worldArbitrary } from '../support/command-stream.ts'
import { askedRuns, askedSeed, unreached } from '../support/property-runs.ts'

/** A number, or `random`. */
const seed = askedSeed(-1_322_210_060)
const runs = askedRuns(2000, 20, 60)

test('recorded marks hold until a control changes them', { timeout: 300_000 }, () => {
  const sources = new Map<string, number>()
  const see = (events: readonly Event[]): void => {
    for (const event of events) {
      if (event.kind !== 'mark') continue
      sources.set(event.source, (sources.get(event.source) ?? 0) + 1)
    }
  }
  const intents = fc.array(intentArbitrary, { maxLength: 120, size: 'max' })
  fc.assert(
    fc.property(worldArbitrary, intents, (world, steps) => {
      compareWithFeed(world, steps, see)
    }),
    { numRuns: runs, endOnFailure: true, ...seed },
  )
  expect(unreached(['index', 'set', 'feed'], sources)).toEqual([])
})
