/** Cuts runs: an exchange that is restored from a snapshot must continue like the original. */
import { expect } from 'vitest'
import { createExchange, type Exchange, restore, snapshot, stateHash } from '../../src/engine/index.ts'
import type { Command, Event } from '../../src/model/index.ts'
import { applyLawfully, Laws } from './laws.ts'

/** Snapshots an exchange and restores it. */
export function restored(bytes: Uint8Array): Exchange {
  const result = restore(bytes)
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.value
}

/**
 * Cuts a run before each of its commands. The copy must give the same events, and end in the same state, as the run.
 */
export function expectSameFromEachCut(run: {
  readonly commands: readonly Command[]
  readonly events: readonly Event[]
  readonly exchange: Exchange
}): void {
  const laws = new Laws()
  const again = createExchange(run.exchange.config, laws)
  const reported: Event[] = []
  for (const command of run.commands) {
    const copy = restored(snapshot(again))
    expect(stateHash(copy)).toBe(stateHash(again))
    const copied = new Laws()
    copied.continueFrom(copy)
    const made = applyLawfully(again, command, laws)
    expect(applyLawfully(copy, command, copied)).toEqual(made)
    expect(stateHash(copy)).toBe(stateHash(again))
    reported.push(...made)
  }
  expect(reported).toEqual(run.events)
  expect(stateHash(again)).toBe(stateHash(run.exchange))
}
