/**
 * Law: replay gives identical bytes. The same configuration and commands give the same events, the
 * same state hash and the same snapshot, whatever ran before.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { encodeValue, type Plain } from '../../src/core/index.ts'
import { apply, type Exchange, simulate, snapshot, stateHash } from '../../src/engine/index.ts'
import type { Command, Event } from '../../src/model/index.ts'
import {
  CommandStream,
  configOf,
  exchangeOf,
  type Intent,
  intentArbitrary,
  type World,
  worldArbitrary,
} from '../support/command-stream.ts'
import { askedRuns, isWhole } from '../support/property-runs.ts'

const intents = fc.array(intentArbitrary, { maxLength: 120, size: 'max' })

/** Runs recorded commands and returns the events as bytes. */
function record(world: World, steps: readonly Intent[]) {
  const stream = new CommandStream(world)
  const events: Event[] = []
  const commands: Command[] = []
  const sink = {
    emit(event: Event): void {
      events.push(event)
      stream.observe(event)
    },
  }
  const exchange = exchangeOf(world, sink)
  const step = (command: Command): void => {
    commands.push(command)
    apply(exchange, command, sink)
  }
  for (const command of stream.opening()) step(command)
  for (const intent of steps) step(stream.next(intent))
  return { commands, events, exchange }
}

/** Bytes of events: their fields in the order in which the engine writes them. */
function bytesOf(events: readonly Event[]): string {
  return JSON.stringify(events, (_key, value) => (typeof value === 'bigint' ? `${value}n` : value))
}

describe('replay', { timeout: 300_000 }, () => {
  test('gives the same events, hash and snapshot', () => {
    fc.assert(
      fc.property(worldArbitrary, intents, (world, steps) => {
        const first = record(world, steps)
        const again: Event[] = []
        const sink = { emit: (event: Event): number => again.push(event) }
        const exchange: Exchange = simulate(configOf(world), first.commands, sink)
        expect(bytesOf(again)).toBe(bytesOf(first.events))
        expect(stateHash(exchange)).toBe(stateHash(first.exchange))
        expect(Buffer.compare(snapshot(exchange), snapshot(first.exchange))).toBe(0)
      }),
      { numRuns: askedRuns(30, 1, 6) },
    )
  })

  test('events are plain data with the same fields in the same order for each kind', () => {
    const shapes = new Map<string, string>()
    fc.assert(
      fc.property(worldArbitrary, intents, (world, steps) => {
        for (const event of record({ ...world, bookEvents: true }, steps).events) {
          // Throws on anything that is not plain data.
          expect(encodeValue(event as unknown as Plain).length).toBeGreaterThan(0)
          const shape = Object.keys(event).join()
          const known = shapes.get(event.kind) ?? shape
          expect([event.kind, shape]).toEqual([event.kind, known])
          shapes.set(event.kind, known)
        }
      }),
      { numRuns: askedRuns(15, 1, 3) },
    )
    expect(shapes.size).toBeGreaterThan(isWhole ? 10 : 1)
  })

  test('two exchanges in turn do not disturb each other', () => {
    fc.assert(
      fc.property(worldArbitrary, intents, intents, (world, left, right) => {
        const [one, two] = [record(world, left), record(world, right)]
        const none = { emit: (): void => {} }
        const exchanges = [one, two].map(() => exchangeOf(world, none))
        const longest = Math.max(one.commands.length, two.commands.length)
        for (let at = 0; at < longest; at += 1) {
          for (const [side, run] of [one, two].entries()) {
            const [command, exchange] = [run.commands[at], exchanges[side]]
            if (command !== undefined && exchange !== undefined) apply(exchange, command, none)
          }
        }
        expect(exchanges.map(stateHash)).toEqual([stateHash(one.exchange), stateHash(two.exchange)])
      }),
      { numRuns: askedRuns(10, 1, 2) },
    )
  })
})
